"""The report of a game to its tournament: the table it belongs to, its end, those who left it."""

from __future__ import annotations

from typing import Any

import msgspec

from events.clocks.clock import ClockSettings as Clock
from events.table.game import Game
from events.tournament.commands import RecordResult
from events.tournament.state import Table


class PlayedGame(msgspec.Struct, frozen=True):
    """A game as its own events tell it, all of them verified."""

    game: str
    first: str
    """The hash (hex) of its first event."""
    seq: int
    head: str
    """The hash (hex) of its last event."""
    title: tuple[str, int, str]
    """The title of the game, with version and data."""
    options: dict[str, Any]
    seats: int
    tournament: dict[str, Any] | None
    key: str | None
    commitments: dict[str, str]
    draws: int
    mixed: str
    clock: Clock | None
    ended: bool
    places: tuple[int, ...] | None
    """The places by seat; None where the rules did not end it."""
    scores: tuple[int, ...] | None
    left: tuple[int | None, ...]
    """By seat the event by which its first holder left before the end."""


def summarize_game(game: Game, first: bytes) -> PlayedGame:
    """Return the report of *game*, whose first event has the hash *first*, to its tournament."""
    left: list[int | None] = [None] * len(game.seats)
    for tenure in game.past:
        if left[tenure.seat] is None:
            left[tenure.seat] = tenure.until
    result = game.outcome()
    return PlayedGame(
        game.id,
        first.hex(),
        game.seq,
        game.head.hex(),
        (game.title_id, game.version, game.data_hash),
        game.options,
        len(game.seats),
        game.tournament,
        game.seeded,
        game.commitments,
        game.draws,
        game.mixed.hex(),
        game.clock,
        game.has_ended,
        None if result is None else result.places,
        None if result is None else result.scores,
        tuple(left),
    )


def result_command(played: PlayedGame, round_number: int, table: Table) -> RecordResult:
    """Return the command by which the server records the end of the game of a table."""
    return RecordResult(
        table.number,
        played.game,
        played.seq,
        played.head,
        played.places,
        played.scores,
        played.left,
        round_number,
    )
