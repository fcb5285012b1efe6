"""The event since which a seat is asked: a bot thinks about it, whatever others do meanwhile."""

from __future__ import annotations

from collections.abc import Iterable

from events.rules.fact import Seat
from events.table.game import Game

MAX_BATCHES = 256
"""Batches back to which a bot may have begun to think."""


def find_decision_origin(back: Iterable[Game], seat: Seat) -> Game | None:
    """Return the game after the event since which a decision of *seat* is awaited without a break.

    *back*: the game after each batch, the newest first. None where nothing is awaited of that seat now.
    """
    first: Game | None = None
    kinds: set[str] = set()
    for game in back:
        asked = (
            {d.kind for d in game.title.list_awaited_kinds(game.state) if d.seat == seat}
            if game.status == "running"
            else set()
        )
        kinds = asked if first is None else kinds & asked
        if not kinds or (first is not None and _is_another_course(game, first, seat)):
            break
        first = game
    return first


def _is_another_course(game: Game, later: Game, seat: Seat) -> bool:
    """Return True if *seat* has given a command between two games, or commands were taken back there."""
    own, undone = game.seats[seat].commands, game.taken_back[-1:]
    return own != later.seats[seat].commands or undone != later.taken_back[-1:]
