"""The parts that every technology action has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command
from events.titles.colonies.changes import ActionTaken
from events.titles.colonies.picks import few
from events.titles.colonies.state import State

LISTED = 60
"""An action lists at most so many commands: one answer of the service has 300, which four kinds that may have
thousands (at level 6 more than 200,000 refuges) share with 54 of others."""


@dataclass(frozen=True)
class ActionKind:
    """One kind of action; *strength* is the technology level (an upgrade's: the discount)."""

    command: type[Command]
    plan: Callable[[State, Seat, Any, int], ActionTaken]
    """The fact that the command becomes; raises :class:`events.rules.title.Rejected`."""
    every: Callable[[State, Seat, int], Iterator[Command]]
    """All legal commands, lazily, those of equal effect once."""
    sample: Callable[[State, Seat, int, Chance], Command | None]
    """A random legal command, or None where there is nothing to do."""
    label: Callable[[State, Seat, Any], str]
    """The text on the player's button."""
    plainest: Callable[[State, Seat, int], Iterator[Command]]
    """A selection of :data:`LISTED` at most, even over what they aim at; all where they are always few."""

    def legal(self, state: State, seat: Seat, strength: int) -> Iterator[Command]:
        """Yield all commands, or the plainest."""
        found = tuple(islice(self.every(state, seat, strength), LISTED + 1))
        yield from found if len(found) <= LISTED else self.plainest(state, seat, strength)

    def complete(self, state: State, seat: Seat, strength: int) -> bool:
        """Return True if all legal commands are listed."""
        return few(self.every(state, seat, strength), LISTED)
