"""The parts that every technology action has, and checks that several actions share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Rejected
from events.titles.colonies.changes import ActionTaken
from events.titles.colonies.checks import check_available, check_distinct, check_players, check_shape
from events.titles.colonies.parts import Removal
from events.titles.colonies.picks import few
from events.titles.colonies.primitives import Technology
from events.titles.colonies.removals import total
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


def empty_action() -> Rejected:
    """Return the refusal of an action with nothing in it (CLN-092)."""
    return Rejected("empty_action", "Choose something to do with this action, or pass it.")


def check_removals(state: State, removals: tuple[Removal, ...], technology: Technology, level: int) -> None:
    """Raise Rejected unless 1 up to *level* pirates go, from players' routes (CLN-093, CLN-097, CLN-098)."""
    check_shape(removals)
    if not removals:
        raise empty_action()
    check_distinct(removals)
    check_players(state, removals)
    if total(removals) > level:
        raise limit_exceeded(technology, level, "pirates")
    _check_there(state, removals)


def _check_there(state: State, removals: tuple[Removal, ...]) -> None:
    """Raise Rejected if more pirates are to go than lie on the route (CLN-097)."""
    check_available(state, removals)


def limit_exceeded(technology: str, level: int, what: str) -> Rejected:
    """Return the refusal of more than the technology's level allows."""
    name = technology.capitalize()
    return Rejected(
        f"{technology}_limit_exceeded", f"Your {name} level is {level}: choose at most {level} {what}."
    )
