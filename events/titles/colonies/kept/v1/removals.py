"""Removing pirates from routes: what refuge, hunt, police and event effects have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from events.rules.fact import Seat
from events.titles.colonies.kept.v1 import words
from events.titles.colonies.kept.v1.data import COLOURS
from events.titles.colonies.kept.v1.parts import Removal, Route
from events.titles.colonies.kept.v1.picks import pick_greedily, picks_up_to
from events.titles.colonies.kept.v1.state import State

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
