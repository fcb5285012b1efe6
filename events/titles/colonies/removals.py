"""Removing pirates from routes: what refuge, hunt, police and event effects have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from events.fact import Seat
from events.steps import INVALID_PARAMETERS, Rejected
from events.titles.colonies.commands import Removal, Route
from events.titles.colonies.data import COLOURS
from events.titles.colonies.picks import greedy_pick, picks_up_to
from events.titles.colonies.state import State, is_neutral

Routes = Mapping[Route, int]


def check_shape(removals: Iterable[Removal]) -> None:
    """A route leads from one planet to another."""
    if any(r.route.owner == r.route.source for r in removals):
        raise Rejected(
            INVALID_PARAMETERS, "A trade route leads from one planet to another; name two planets."
        )


def check_distinct(removals: tuple[Removal, ...]) -> None:
    """A route occurs at most once."""
    if len({r.route for r in removals}) != len(removals):
        raise Rejected(
            "duplicate_route", "Name each trade route once, with all the pirates to remove from it."
        )


def check_players(state: State, removals: Iterable[Removal]) -> None:
    """There are no pirates on the routes of neutral planets (CLN-097, CLN-158)."""
    if any(is_neutral(state, r.route.owner) for r in removals):
        raise Rejected("neutral_route", "Neutral planets' routes hold no pirates; choose a player's route.")


def check_own(state: State, seat: Seat, removals: Iterable[Removal]) -> None:
    """Only the player's own routes (CLN-130)."""
    if any(r.route.owner != state.planets[seat] for r in removals):
        raise Rejected("not_own_route", "Choose pirates on your own trade routes only.")


def check_available(state: State, removals: Iterable[Removal]) -> None:
    """No more pirates than are there (CLN-097)."""
    if any(state.pirates[r.route.owner][r.route.source] < r.count for r in removals):
        raise Rejected("insufficient_pirates", "Remove no more pirates from a route than are on it.")


def total(removals: Iterable[Removal]) -> int:
    """How many pirates are removed."""
    return sum(r.count for r in removals)


def as_removals(picked: Routes) -> tuple[Removal, ...]:
    """Picked routes as a command names them."""
    return tuple(Removal(route, count) for route, count in picked.items())


def routes_of(state: State, planet: str) -> dict[Route, int]:
    """A player's routes with pirates, in ring order of their sources."""
    for owner, routes in state.pirates.items():
        if owner == planet:
            return {Route(owner, s): routes[s] for s in COLOURS if routes.get(s)}
    return {}


def all_routes(state: State) -> dict[Route, int]:
    """All routes with pirates, owners and sources in ring order."""
    return {route: count for planet in COLOURS for route, count in routes_of(state, planet).items()}


def ways(routes: Routes, most: int) -> Iterator[tuple[Removal, ...]]:
    """All ways to remove 1 to *most* pirates."""
    return (as_removals(picked) for picked in picks_up_to(routes, most))


def main_ways(routes: Routes, most: int) -> Iterator[tuple[Removal, ...]]:
    """A selection where the ways are many: as many as possible beginning at each route, and single ones."""
    names = list(routes)
    for start in range(len(names)):
        turned = names[start:] + names[:start]
        order = {route: -i for i, route in enumerate(turned)}
        yield as_removals(greedy_pick(routes, most, lambda route, _left, order=order: order[route]))  # type: ignore[misc]
    for route in names:
        yield (Removal(route, 1),)


def by_import(state: State, seat: Seat, most: int) -> tuple[Removal, ...]:
    """As many own pirates as possible, always from the route with the largest promised import (CLN-179)."""
    planet = state.planets[seat]
    picked = greedy_pick(
        routes_of(state, planet), most, lambda route, _left: state.promise[route.source][planet]
    )
    return as_removals(picked)
