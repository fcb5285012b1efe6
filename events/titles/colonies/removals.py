"""Removing pirates from routes, and its checks: what refuge, hunt, police and effects share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from events.rules.fact import Seat
from events.rules.steps import INVALID_PARAMETERS, Rejected
from events.titles.colonies import words
from events.titles.colonies.checks import empty_action, limit_exceeded
from events.titles.colonies.data import COLOURS
from events.titles.colonies.parts import Removal, Route
from events.titles.colonies.picks import pick_greedily, picks_up_to
from events.titles.colonies.primitives import Technology
from events.titles.colonies.state import State, is_neutral

Routes = Mapping[Route, int]


def total(removals: Iterable[Removal]) -> int:
    """Return the number of pirates that are removed."""
    return sum(r.count for r in removals)


def as_removals(picked: Routes) -> tuple[Removal, ...]:
    """Return picked routes as a command names them."""
    return tuple(Removal(route, count) for route, count in picked.items())


def format_removals(removals: tuple[Removal, ...]) -> str:
    """Return a button text such as ``2 pirates from Blue's Red route``."""
    return words.removals(msgspec.to_builtins(removals))


def routes_of(state: State, planet: str) -> dict[Route, int]:
    """Return a player's routes with pirates, in ring order of their sources."""
    for owner, routes in state.pirates.items():
        if owner == planet:
            return {Route(owner, s): routes[s] for s in COLOURS if routes.get(s)}
    return {}


def all_routes(state: State) -> dict[Route, int]:
    """Return all routes with pirates, owners and sources in ring order."""
    return {route: count for planet in COLOURS for route, count in routes_of(state, planet).items()}


def ways(routes: Routes, most: int) -> Iterator[tuple[Removal, ...]]:
    """Return all ways to remove 1 to *most* pirates."""
    return (as_removals(picked) for picked in picks_up_to(routes, most))


def main_ways(routes: Routes, most: int) -> Iterator[tuple[Removal, ...]]:
    """A selection where the ways are many: as many as possible beginning at each route, and single ones."""
    names = list(routes)
    found: dict[frozenset[Removal], tuple[Removal, ...]] = {}
    for start in range(len(names)):
        turned = {route: routes[route] for route in names[start:] + names[:start]}
        removals = as_removals(pick_greedily(turned, most, lambda _route, _left: 0))
        found.setdefault(frozenset(removals), removals)
    for route in names:
        found.setdefault(frozenset({Removal(route, 1)}), (Removal(route, 1),))
    yield from found.values()


def first_route(removals: tuple[Removal, ...]) -> Route | None:
    """Return the route that removals begin with."""
    return removals[0].route if removals else None


def choose_by_import(state: State, seat: Seat, most: int) -> tuple[Removal, ...]:
    """Remove as many own pirates as possible, from the routes with the largest promised import (CLN-179)."""
    planet = state.planets[seat]
    picked = pick_greedily(
        routes_of(state, planet), most, lambda route, _left: state.promise[route.source][planet]
    )
    return as_removals(picked)


# --- checks ----------------------------------------------------------------------------------------


def check_shape(removals: Iterable[Removal]) -> None:
    """Raise Rejected unless each route leads from one planet to another."""
    if any(r.route.owner == r.route.source for r in removals):
        raise Rejected(
            INVALID_PARAMETERS, "A trade route leads from one planet to another; name two planets."
        )


def check_distinct(removals: tuple[Removal, ...]) -> None:
    """Raise Rejected if a route occurs more than once."""
    if len({r.route for r in removals}) != len(removals):
        raise Rejected(
            "duplicate_route", "Name each trade route once, with all the pirates to remove from it."
        )


def check_players(state: State, removals: Iterable[Removal]) -> None:
    """Raise Rejected for routes of neutral planets: they have no pirates (CLN-097, CLN-158)."""
    if any(is_neutral(state, r.route.owner) for r in removals):
        raise Rejected("neutral_route", "Neutral planets' routes hold no pirates; choose a player's route.")


def check_own(state: State, seat: Seat, removals: Iterable[Removal]) -> None:
    """Raise Rejected unless the routes are the player's own."""
    if any(r.route.owner != state.planets[seat] for r in removals):
        raise Rejected("not_own_route", "Choose pirates on your own trade routes only.")


def check_available(state: State, removals: Iterable[Removal]) -> None:
    """Raise Rejected if more pirates are named than are there."""
    if any(state.pirates[r.route.owner][r.route.source] < r.count for r in removals):
        raise Rejected("insufficient_pirates", "Remove no more pirates from a route than are on it.")


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
