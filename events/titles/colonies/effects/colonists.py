"""Primitives that move colonists and pirates."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.words import format_count
from events.rules.steps import Rejected
from events.titles.colonies.changes import Changes, ColonistChange, PirateChange, make_pirate_changes
from events.titles.colonies.commands import ResolveEventEffect
from events.titles.colonies.derived import own_pirates
from events.titles.colonies.effects.behaviour import Behaviour, Question, quantity, wrong_total
from events.titles.colonies.picks import picks, random_pick
from events.titles.colonies.primitives import (
    Colour,
    GainColonists,
    LoseColonists,
    PlacePirates,
    RemovePirates,
)
from events.titles.colonies.removals import (
    as_removals,
    check_available,
    check_distinct,
    check_own,
    choose_by_import,
    routes_of,
    total,
)
from events.titles.colonies.state import State, pirate_routes


def _colonists(seat: Seat, count: int) -> Changes:
    return Changes(colonists=(ColonistChange(seat, count),) if count else ())


def _gain(state: State, seat: Seat, primitive: GainColonists, _choice: ResolveEventEffect | None) -> Changes:
    """Give colonists from the supply (CLN-079)."""
    return _colonists(seat, quantity(state, seat, primitive.n))


# --- lose_colonists ----------------------------------------------------------------------------------


def _count_most_lost(state: State, seat: Seat, primitive: LoseColonists) -> int:
    return min(quantity(state, seat, primitive.n), state.colonists[seat])


def _lose(state: State, seat: Seat, primitive: LoseColonists, choice: ResolveEventEffect | None) -> Changes:
    """Take colonists back to the supply, down to 0; with `may` the player says how many (CLN-079)."""
    if choice is not None:
        return _colonists(seat, -(choice.count or 0))
    return _colonists(seat, -_count_most_lost(state, seat, primitive))


def _lose_asks(state: State, seat: Seat, primitive: LoseColonists) -> bool:
    return primitive.may and _count_most_lost(state, seat, primitive) > 0


def _lose_check(state: State, seat: Seat, primitive: LoseColonists, choice: ResolveEventEffect) -> None:
    """Raise Rejected unless at most n of those in stock are returned (CLN-079)."""
    n, count = quantity(state, seat, primitive.n), choice.count or 0
    if count > n:
        raise wrong_total(f"Return at most {format_count(n, 'colonist')}.")
    if count > state.colonists[seat]:
        raise Rejected("insufficient_colonists", "Return no more colonists than lie in your stock.")


def _lose_legal(state: State, seat: Seat, primitive: LoseColonists) -> Iterator[ResolveEventEffect]:
    for count in range(_count_most_lost(state, seat, primitive), -1, -1):
        yield ResolveEventEffect(count=count)


def _lose_sample(state: State, seat: Seat, primitive: LoseColonists, chance: Chance) -> ResolveEventEffect:
    return ResolveEventEffect(count=chance.pick(range(_count_most_lost(state, seat, primitive) + 1)))


# --- place_pirates -----------------------------------------------------------------------------------


def place_pirates(state: State, planet: Colour, count: int) -> dict[Colour, int]:
    """Return pirates by source: one by one counter-clockwise from the rightmost (CLN-064, CLN-150)."""
    sources = pirate_routes(state, planet)
    rounds, rest = divmod(count, len(sources))
    added = {source: rounds + (i < rest) for i, source in enumerate(sources)}
    return {source: number for source, number in added.items() if number}


def _place(state: State, seat: Seat, primitive: PlacePirates, _choice: ResolveEventEffect | None) -> Changes:
    """Place the pirates, each execution from the rightmost route on (CLN-080).

    Routes from neutral planets to the player count.
    """
    planet = state.planets[seat]
    routes = place_pirates(state, planet, quantity(state, seat, primitive.n))
    return Changes(pirates=tuple(PirateChange(planet, source, n) for source, n in routes.items()))


# --- remove_pirates ----------------------------------------------------------------------------------


def _remove(state: State, seat: Seat, primitive: RemovePirates, choice: ResolveEventEffect | None) -> Changes:
    """Remove as many own pirates as possible up to n (CLN-081)."""
    if choice is not None:
        return Changes(pirates=make_pirate_changes(choice.removals or ()))
    return Changes(
        pirates=make_pirate_changes(choose_by_import(state, seat, quantity(state, seat, primitive.n)))
    )


def _remove_asks(state: State, seat: Seat, primitive: RemovePirates) -> bool:
    n = quantity(state, seat, primitive.n)
    return own_pirates(state, seat) > n > 0 and len(routes_of(state, state.planets[seat])) > 1


def _remove_check(state: State, seat: Seat, primitive: RemovePirates, choice: ResolveEventEffect) -> None:
    """Raise Rejected unless exactly n own pirates are removed (CLN-081)."""
    removals, n = choice.removals or (), quantity(state, seat, primitive.n)
    check_distinct(removals)
    check_own(state, seat, removals)
    if total(removals) != n:
        raise wrong_total(f"Remove exactly {format_count(n, 'pirate')}.")
    check_available(state, removals)


def _remove_legal(state: State, seat: Seat, primitive: RemovePirates) -> Iterator[ResolveEventEffect]:
    for picked in picks(routes_of(state, state.planets[seat]), quantity(state, seat, primitive.n)):
        yield ResolveEventEffect(removals=as_removals(picked))


def _remove_default(state: State, seat: Seat, primitive: RemovePirates) -> ResolveEventEffect:
    return ResolveEventEffect(removals=choose_by_import(state, seat, quantity(state, seat, primitive.n)))


def _remove_sample(state: State, seat: Seat, primitive: RemovePirates, chance: Chance) -> ResolveEventEffect:
    routes = routes_of(state, state.planets[seat])
    picked = random_pick(routes, quantity(state, seat, primitive.n), chance)
    return ResolveEventEffect(removals=as_removals(picked))


GAIN_COLONISTS = Behaviour(_gain)
LOSE_COLONISTS = Behaviour(
    _lose,
    Question(
        _lose_asks,
        lambda _p: frozenset({"count"}),
        _lose_check,
        lambda _s, _seat, _p: ResolveEventEffect(count=0),
        _lose_legal,
        _lose_sample,
    ),
)
PLACE_PIRATES = Behaviour(_place)
REMOVE_PIRATES = Behaviour(
    _remove,
    Question(
        _remove_asks,
        lambda _p: frozenset({"removals"}),
        _remove_check,
        _remove_default,
        _remove_legal,
        _remove_sample,
    ),
)
