"""The changes that people and the server made beside the play: seats, clocks, pauses, ends.

They are allowed, so they never make a bundle bad. An auditor has to see them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.rules.fact import Fact, Seat
from events.table.lifecycle_facts import FACTS
from events.table.record import Envelope, Record

_OF_GAMES = frozenset(
    {
        *("SeatVacated", "SeatGiven", "SeatFreed", "SeatsSwapped", "SeatTimedOut", "SeatOnVacation"),
        *("ClockAdjusted", "TablePaused", "TableResumed", "TableAbandoned"),
    }
)
"""The types of events of a game that change who plays, on which time, or if it goes on."""
_OF_TOURNAMENTS = frozenset(
    {
        *("SettingsChanged", "DirectorNamed", "DirectorDropped", "EntryDecided", "Withdrew", "Returned"),
        *("SubstituteNamed", "TournamentPaused", "TournamentResumed", "TournamentCancelled"),
    }
)
"""The same of tournaments. Rulings and pairings have reports of their own."""


class Intervention(msgspec.Struct, frozen=True):
    """A change that a person or the server made beside the play."""

    event: int
    by: str
    """The actor as events name it: ``p2``, ``d1``, ``e7``, or ``sys`` for the server."""
    type: str
    """The type of the event."""
    told: str
    """The sentence that tells the event."""
    cause: str | None = None
    """The cause that its command names, with the first change that it leads to."""

    def text(self) -> str:
        """Return one line."""
        cause = f" Cause: {self.cause}." if self.cause else ""
        return f"event {self.event} by {self.by}: {self.told}{cause}"


def list_game_interventions(batch: Sequence[Record], first: Envelope) -> list[Intervention]:
    """Return what a batch of a table command changes beside the play."""
    return _list_changes(batch, first, _OF_GAMES, FACTS)


def list_tournament_interventions(
    batch: Sequence[Record], first: Envelope, facts: Mapping[str, type[Fact]]
) -> list[Intervention]:
    """Return what a batch of a tournament changes beside its course; *facts* are its facts by name."""
    own = first.by.startswith("e")
    return [] if own else _list_changes(batch, first, _OF_TOURNAMENTS, facts)


def _list_changes(
    batch: Sequence[Record], first: Envelope, types: frozenset[str], facts: Mapping[str, type[Fact]]
) -> list[Intervention]:
    found: list[Intervention] = []
    for record in batch:
        if record.type in types:
            data: dict[str, Any] = msgspec.json.decode(record.envelope().data)
            told = facts[record.type].tell(data, _name_seat)
            cause = (first.command or {}).get("cause")
            said = found or f"({cause})" in told
            shown = cause if isinstance(cause, str) and not said else None
            found.append(Intervention(record.seq, first.by, record.type, told, shown))
    return found


def _name_seat(seat: Seat) -> str:
    return f"seat {seat}"
