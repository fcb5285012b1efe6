"""What the house does at a table when a time of its log has come, beside the opening and the clocks."""

from __future__ import annotations

from typing import Literal

import msgspec

from events.expiry import TableExpire, expires
from events.game import Game
from events.rulings import TableResume
from events.steps import Command
from events.vacations import TableVacation


class Due(msgspec.Struct, frozen=True):
    """Something that the house does when its time has come."""

    kind: Literal["expiry", "pause_end", "vacation_end"]
    subject: str
    """The seat that it is about, as events name it; empty where it is the table."""
    at: str
    command: Command


def dues(game: Game) -> tuple[Due, ...]:
    """All that the house has to do for *game* at certain times, the earliest first."""
    if game.ended:
        return ()
    found = []
    expiry = expires(game)
    if expiry is not None:
        found.append(Due("expiry", "", expiry[1], TableExpire()))
    if game.paused is not None:
        found.append(Due("pause_end", "", game.paused.until, TableResume()))
    found += [
        Due("vacation_end", f"p{seat}", sits.vacation, TableVacation(seat, sits.vacation))
        for seat, sits in enumerate(game.seats)
        if sits.vacation is not None
    ]
    return tuple(sorted(found, key=lambda due: due.at))
