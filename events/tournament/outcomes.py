"""The report of a game to its tournament: its end, its result, those who left it."""

from __future__ import annotations

import msgspec

from events.table.game import Game
from events.table.record import Record
from events.tournament.commands import RecordResult
from events.tournament.state import Table


class PlayedGame(msgspec.Struct, frozen=True):
    """A game as its own events tell it, all of them verified."""

    game: str
    seq: int
    head: str
    """The hash (hex) of its last event."""
    ended: bool
    places: tuple[int, ...] | None
    """The places by seat; None where the rules did not end it."""
    scores: tuple[int, ...] | None
    left: tuple[int | None, ...]
    """By seat the event by which its first holder left before the end."""
    opening: tuple[Record, ...] = ()
    """The records of its creation and the one that follows, for those who hold them against the table."""


def summarize_game(game: Game, opening: tuple[Record, ...] = ()) -> PlayedGame:
    """Return the report of *game*, whose first records are *opening*, to its tournament."""
    left: list[int | None] = [None] * len(game.seats)
    for tenure in game.past:
        if left[tenure.seat] is None:
            left[tenure.seat] = tenure.until
    result = game.outcome()
    return PlayedGame(
        game.id,
        game.seq,
        game.head.hex(),
        game.has_ended,
        None if result is None else result.places,
        None if result is None else result.scores,
        tuple(left),
        opening,
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
