"""What every action of a technology consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from events.chance import Chance
from events.fact import Seat
from events.steps import Command, Rejected
from events.titles.colonies.checks import check_available, check_distinct, check_players, check_shape
from events.titles.colonies.facts import ActionTaken
from events.titles.colonies.parts import Removal
from events.titles.colonies.primitives import Technology
from events.titles.colonies.removals import total
from events.titles.colonies.state import State

LISTED = 60
"""An action lists at most so many commands."""


@dataclass(frozen=True)
class ActionKind:
    """One kind of action; *strength* is the technology level (an upgrade's: the discount)."""

    command: type[Command]
    plan: Callable[[State, Seat, Any, int], ActionTaken]
    """The fact that the command becomes; raises :class:`events.title.Rejected`."""
    legal: Callable[[State, Seat, int], Iterator[Command]]
    complete: Callable[[State, Seat, int], bool]
    sample: Callable[[State, Seat, int, Chance], Command | None]
    """A random legal command, or None where there is nothing to do."""
    label: Callable[[State, Seat, Any], str]
    """What a player reads on the button."""


def empty_action() -> Rejected:
    """An action with nothing in it (CLN-092)."""
    return Rejected("empty_action", "Choose something to do with this action, or pass it.")


def check_removals(state: State, removals: tuple[Removal, ...], technology: Technology, level: int) -> None:
    """1 up to the level, from any players' routes (CLN-093, CLN-097, CLN-098)."""
    check_shape(removals)
    if not removals:
        raise empty_action()
    check_distinct(removals)
    check_players(state, removals)
    if total(removals) > level:
        raise limit_exceeded(technology, level, "pirates")
    check_available(state, removals)


def limit_exceeded(technology: str, level: int, what: str) -> Rejected:
    """More than the technology's level allows."""
    name = technology.capitalize()
    return Rejected(f"{technology}_limit_exceeded", f"Your {name} level allows at most {level} {what}.")
