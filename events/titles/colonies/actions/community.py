"""Community action: provide refuge (§3.1)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Rejected
from events.titles.colonies import words
from events.titles.colonies.actions.kind import LISTED, ActionKind
from events.titles.colonies.commands import ProvideRefuge
from events.titles.colonies.data import Some
from events.titles.colonies.facts import RefugeProvided
from events.titles.colonies.parts import Route
from events.titles.colonies.picks import random_pick, select
from events.titles.colonies.primitives import Colour
from events.titles.colonies.removals import (
    all_routes,
    as_removals,
    check_removals,
    first_route,
    format_removals,
    main_ways,
    total,
    ways,
)
from events.titles.colonies.state import State, sort_in_ring_order


def plan(state: State, seat: Seat, command: ProvideRefuge, level: int) -> RefugeProvided:
    """Return the fact of a refuge for pirates of any routes (CLN-093 to CLN-097)."""
    removals = command.removals
    check_removals(state, removals, "community", level)
    count = total(removals)
    if command.to_stock > count:
        raise Rejected(
            "to_stock_exceeds_removed", "Take no more colonists into your stock than you removed pirates."
        )
    to_supply, gained = count - command.to_stock, resources_gained(state, seat, command)
    return RefugeProvided(seat, state.action_round, removals, gained, command.to_stock, to_supply)


def resources_gained(state: State, seat: Seat, command: ProvideRefuge) -> Some:
    """Return one resource of the delivering planet for each pirate on another's route (CLN-094)."""
    gained: dict[Colour, int] = {}
    for removal in command.removals:
        if removal.route.owner != state.planets[seat]:
            gained[removal.route.source] = gained.get(removal.route.source, 0) + removal.count
    return sort_in_ring_order(gained)


def _all(state: State, level: int) -> Iterator[ProvideRefuge]:
    for removals in ways(all_routes(state), level):
        for to_stock in range(total(removals), -1, -1):
            yield ProvideRefuge(removals, to_stock)


def _main(state: State, level: int) -> Iterator[ProvideRefuge]:
    for removals in main_ways(all_routes(state), level):
        yield ProvideRefuge(removals, total(removals))
        yield ProvideRefuge(removals, 0)


def _aim(command: ProvideRefuge) -> Route | None:
    return first_route(command.removals)


def every(state: State, seat: Seat, level: int) -> Iterator[Command]:
    """Yield all refuges."""
    yield from _all(state, level)


def list_plainest(state: State, seat: Seat, level: int) -> Iterator[Command]:
    """Yield all refuges, or the main ones."""
    yield from select(_all(state, level), LISTED, lambda: _main(state, level), _aim)


def sample(state: State, seat: Seat, level: int, chance: Chance) -> Command | None:
    """Return a random refuge."""
    routes = all_routes(state)
    if not routes:
        return None
    removals = as_removals(random_pick(routes, chance.pick(range(1, level + 1)), chance))
    return ProvideRefuge(removals, chance.pick(range(total(removals) + 1)))


def label(state: State, seat: Seat, command: ProvideRefuge) -> str:
    """Return the button text: the pirates, what they bring, and how many become colonists."""
    gained = resources_gained(state, seat, command)
    bring = f", gaining {words.resources(gained)}" if gained else ""
    removed, becoming = format_removals(command.removals), words.format_becoming(command.to_stock)
    return f"Refuge for pirates: {removed}{bring}; {becoming}"


COMMUNITY = ActionKind(ProvideRefuge, plan, every, sample, label, list_plainest)
