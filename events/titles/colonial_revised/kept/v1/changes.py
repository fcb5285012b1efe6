"""Parts of the state replaced: what the folds of several facts share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from events.titles.colonial_revised.kept.v1.kit.overseas import changes
from events.titles.colonial_revised.kept.v1.kit.overseas.changes import gain
from events.titles.colonial_revised.kept.v1.kit.overseas.piles import Pile
from events.titles.colonial_revised.kept.v1.kit.values import put
from events.titles.colonial_revised.kept.v1.data import SPACE, TERRITORY
from events.titles.colonial_revised.kept.v1.parts import SpaceCount
from events.titles.colonial_revised.kept.v1.state import State, require


def gain_each(state: State, name: str, amounts: Mapping[int, int]) -> State:
    """Players, by seat, with so much more of one thing."""
    players = list(state.players)
    for seat, amount in amounts.items():
        players[seat] = replace(players[seat], **{name: getattr(players[seat], name) + amount})
    return replace(state, players=tuple(players))


def turn_over(state: State) -> State:
    """Return the state after a player has finished their part of the round or phase."""
    return replace(state, place=state.place + 1, maintenance_paid=False)


# --- the map -------------------------------------------------------------------------------------


def change_land(state: State, territory: str, **fields: Any) -> State:
    """The state with fields of a Territory replaced."""
    return changes.change_land(state, TERRITORY[territory], **fields)


def add_unrest(state: State, territory: str, count: int) -> State:
    """A Territory with so much more Unrest, less where *count* is negative."""
    return change_land(state, territory, unrest=state.lands[TERRITORY[territory]].unrest + count)


def stack_counters(pile: Pile, seat: int, count: int) -> Pile:
    """Return the pile with *count* more counters: beside the seat's own, else on top (REV-061, REV-008)."""
    if seat not in pile:
        return pile + (seat,) * count
    at = pile.index(seat)
    return pile[:at] + (seat,) * count + pile[at:]


def take_counters(pile: Pile, seat: int, count: int) -> Pile:
    """*count* counters of the seat less."""
    if not count or seat not in pile:
        return pile
    at = pile.index(seat)
    return pile[:at] + pile[at + min(count, pile.count(seat)) :]


def total(placements: Iterable[SpaceCount]) -> int:
    """Return the number of counters in these placements."""
    return sum(entry.count for entry in placements)


def place(state: State, seat: int, placements: Iterable[SpaceCount]) -> State:
    """Counters of the seat put on spaces."""
    piles = list(state.piles)
    for entry in placements:
        number = SPACE[entry.space]
        piles[number] = stack_counters(piles[number], seat, entry.count)
    return replace(state, piles=tuple(piles))


def send(state: State, seat: int, placements: tuple[SpaceCount, ...]) -> State:
    """Treasury becomes counters on spaces."""
    return place(gain(state, seat, treasury=-total(placements)), seat, placements)


def remove(state: State, seat: int, by_space: Iterable[SpaceCount]) -> State:
    """Counters of the seat taken away."""
    return remove_all(state, ((seat, entry.space, entry.count) for entry in by_space))


def remove_all(state: State, losses: Iterable[tuple[int, str, int]]) -> State:
    """Counters taken away, as (seat, space, count): unprotected ones before protected ones (REV-008)."""
    piles, protected = list(state.piles), state.protected
    for seat, space, count in losses:
        number = SPACE[space]
        piles[number] = take_counters(piles[number], seat, count)
        safe = protected[number]
        if safe and safe[seat] > (now := piles[number].count(seat)):
            protected = put(protected, number, clear_protection(put(safe, seat, now)))
    return replace(state, piles=tuple(piles), protected=protected)


def clear_protection(safe: tuple[int, ...]) -> tuple[int, ...]:
    """The protection of a space; () where nothing is protected."""
    return safe if any(safe) else ()


# --- what is in progress -------------------------------------------------------------------------


def change_shipment(state: State, **changes: Any) -> State:
    """The state with fields of the Merchant's deal replaced."""
    return replace(state, shipment=replace(require(state.shipment), **changes))


def change_trade(state: State, **changes: Any) -> State:
    """The state with fields of the Trader's deal replaced."""
    return replace(state, trade=replace(require(state.trade), **changes))


def change_rebellion(state: State, **changes: Any) -> State:
    """The state with fields of the Rebellion replaced."""
    return replace(state, rebellion=replace(require(state.rebellion), **changes))


def change_war(state: State, **changes: Any) -> State:
    """The state with fields of the war replaced."""
    return replace(state, war=replace(require(state.war), **changes))


def change_escalation(state: State, **changes: Any) -> State:
    """The state with fields of the Escalation replaced."""
    return replace(state, escalation=replace(require(state.escalation), **changes))


def next_in_queue(state: State) -> State:
    """Return the state after a player has had their turn in this part of the Escalation."""
    return change_escalation(state, queue=require(state.escalation).queue[1:])
