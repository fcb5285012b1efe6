"""Military action: hunt pirates (§3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command
from events.titles.colonies import words
from events.titles.colonies.actions.kind import LISTED, ActionKind
from events.titles.colonies.commands import HuntPirates
from events.titles.colonies.data import BOARD
from events.titles.colonies.facts import PiratesHunted
from events.titles.colonies.parts import Removal
from events.titles.colonies.picks import random_pick, select
from events.titles.colonies.removals import (
    all_routes,
    as_removals,
    check_removals,
    first_route,
    format_removals,
    main_ways,
    ways,
)
from events.titles.colonies.state import State


def plan(state: State, seat: Seat, command: HuntPirates, level: int) -> PiratesHunted:
    """Return the fact of a hunt for pirates of any routes for pay (CLN-098 to CLN-101)."""
    removals = command.removals
    check_removals(state, removals, "military", level)
    return PiratesHunted(seat, state.action_round, removals, _count_received(state, seat, removals))


def _count_received(state: State, seat: Seat, removals: tuple[Removal, ...]) -> tuple[int, ...]:
    """Return by seat what each opponent pays, as far as they have Credits (CLN-099)."""
    hunted = [0] * state.seats
    for removal in removals:
        hunted[state.planets.index(removal.route.owner)] += removal.count
    hunted[seat] = 0
    paid = (n * BOARD.hunting_credits for n in hunted)
    return tuple(min(owed, held) for owed, held in zip(paid, state.credits, strict=True))


def every(state: State, seat: Seat, level: int) -> Iterator[Command]:
    """Yield all hunts."""
    yield from map(HuntPirates, ways(all_routes(state), level))


def plainest(state: State, seat: Seat, level: int) -> Iterator[Command]:
    """Yield all hunts, or the main ones."""
    routes = all_routes(state)
    for removals in select(ways(routes, level), LISTED, lambda: main_ways(routes, level), first_route):
        yield HuntPirates(removals)


def sample(state: State, seat: Seat, level: int, chance: Chance) -> Command | None:
    """Return a random hunt."""
    routes = all_routes(state)
    if not routes:
        return None
    return HuntPirates(as_removals(random_pick(routes, chance.pick(range(1, level + 1)), chance)))


def label(state: State, seat: Seat, command: HuntPirates) -> str:
    """Return the button text: the pirates, and who owes what for them.

    Whether an opponent has as much is their secret.
    """
    owed: dict[str, int] = {}
    for removal in command.removals:
        if removal.route.owner != state.planets[seat]:
            owner = words.planet(removal.route.owner)
            owed[owner] = owed.get(owner, 0) + removal.count * BOARD.hunting_credits
    pay = "".join(f"; {owner} owes you {credits} €" for owner, credits in owed.items())
    return f"Hunt pirates: {format_removals(command.removals)}{pay}"


MILITARY = ActionKind(HuntPirates, plan, every, sample, label, plainest)
