"""Replacing parts of a state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from events.kit.overseas.piles import Pile
from events.kit.values import put
from events.titles.colonial_revised.commands import SpaceCount
from events.titles.colonial_revised.data import SPACE, TERRITORY
from events.titles.colonial_revised.state import State


def player(state: State, seat: int, **changes: Any) -> State:
    """The state with fields of a player replaced."""
    return replace(state, players=put(state.players, seat, replace(state.players[seat], **changes)))


def land(state: State, territory: str, **changes: Any) -> State:
    """The state with fields of a Territory replaced."""
    number = TERRITORY[territory]
    return replace(
        state, territories=put(state.territories, number, replace(state.territories[number], **changes))
    )


def stacked(pile: Pile, seat: int, count: int) -> Pile:
    """*count* counters more: beside his others, else on top (REV-061, REV-008)."""
    if seat not in pile:
        return pile + (seat,) * count
    at = pile.index(seat)
    return pile[:at] + (seat,) * count + pile[at:]


def lessened(pile: Pile, seat: int, count: int) -> Pile:
    """*count* counters of the seat less."""
    if not count or seat not in pile:
        return pile
    at = pile.index(seat)
    return pile[:at] + pile[at + min(count, pile.count(seat)) :]


def place(state: State, seat: int, placements: Iterable[SpaceCount]) -> State:
    """Counters of the seat put on spaces."""
    piles = list(state.piles)
    for entry in placements:
        number = SPACE[entry.space]
        piles[number] = stacked(piles[number], seat, entry.count)
    return replace(state, piles=tuple(piles))


def take(state: State, losses: Iterable[tuple[int, str, int]]) -> State:
    """Counters taken away, as (seat, space, count): unprotected ones before protected ones (REV-008)."""
    piles, protected = list(state.piles), state.protected
    for seat, space, count in losses:
        number = SPACE[space]
        piles[number] = lessened(piles[number], seat, count)
        safe = protected[number]
        if safe and safe[seat] > (now := piles[number].count(seat)):
            protected = put(protected, number, cleared(put(safe, seat, now)))
    return replace(state, piles=tuple(piles), protected=protected)


def cleared(safe: tuple[int, ...]) -> tuple[int, ...]:
    """The protection of a space; () where nothing is protected."""
    return safe if any(safe) else ()


def by_seat(state: State, field: str, changes: Mapping[int, int]) -> State:
    """A number of several players changed by so much."""
    players = list(state.players)
    for seat, change in changes.items():
        players[seat] = replace(players[seat], **{field: getattr(players[seat], field) + change})
    return replace(state, players=tuple(players))
