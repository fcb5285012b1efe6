"""Industry action: production peak (§3.5)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command
from events.titles.colonies import words
from events.titles.colonies.actions.kind import ActionKind
from events.titles.colonies.checks import empty_action, limit_exceeded
from events.titles.colonies.commands import ProductionPeak
from events.titles.colonies.facts import ProductionPeaked
from events.titles.colonies.state import State


def plan(state: State, seat: Seat, command: ProductionPeak, level: int) -> ProductionPeaked:
    """Return the fact of a production peak: own resources and, independently, colonists (CLN-117)."""
    resources, colonists = command.resources, command.colonists
    if resources > level or colonists > level:
        raise limit_exceeded("industry", level, "resources and as many colonists")
    if not resources and not colonists:
        raise empty_action()
    return ProductionPeaked(seat, state.action_round, state.planets[seat], resources, colonists)


def every(state: State, seat: Seat, level: int) -> Iterator[Command]:
    """Yield all production peaks, most resources first."""
    for resources in range(level, -1, -1):
        for colonists in range(level + 1):
            if resources or colonists:
                yield ProductionPeak(resources, colonists)


def sample(state: State, seat: Seat, level: int, chance: Chance) -> Command | None:
    """Return a random production peak."""
    resources = chance.pick(range(level + 1))
    return ProductionPeak(resources, chance.pick(range(0 if resources else 1, level + 1)))


def label(state: State, seat: Seat, command: ProductionPeak) -> str:
    """Return the button text: the resources and colonists produced."""
    return f"Produce {words.format_produced(command.resources, state.planets[seat], command.colonists)}"


INDUSTRY = ActionKind(ProductionPeak, plan, every, sample, label, every)
