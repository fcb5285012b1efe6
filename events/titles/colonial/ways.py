"""Ways to say commands whose legal list is a selection or one order of many.

See `events/rules/kit/ways.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from events.rules.fact import Seat
from events.rules.kit.ways import Way, choose_one, choose_some
from events.rules.steps import Command
from events.titles.colonial.commands import (
    AnswerShipment,
    PlayGovernor,
    PlayMerchant,
    PlayViceroy,
    ShipGoods,
)
from events.titles.colonial.data import CARDS, NATIONS, SPACES, TERRITORIES
from events.titles.colonial.derived import (
    city_spaces,
    list_shippable,
    may_place,
    open_land,
    payments,
    present,
    shipments_left,
)
from events.titles.colonial.state import State
from events.titles.colonial.steps.endeavour.merchant import has_something_to_ship, request_to

NAMES = (*CARDS, *NATIONS, *(land.id for land in TERRITORIES), *(space.id for space in SPACES))


def _city(state: State, seat: Seat) -> Way | None:
    """Return the choices for a City: Territory, payment, historical bonus (elsewhere without meaning)."""
    city, paid = state.booming_city, payments(state, seat)
    possible = [
        land.id
        for land in TERRITORIES
        if open_land(state, land.number)
        and present(state, land.number, seat)
        and not (city and city.territory == land.id)
    ]
    if not possible or not paid:
        return None
    return choose_one(possible, lambda _place: choose_one(paid, lambda _payment: choose_one((True, False))))


def _counters(state: State, seat: Seat) -> Way | None:
    """A Territory, and counters on its spaces in any order."""
    player = state.players[seat]
    most = min(player.logistics, player.treasury)
    spaces = {
        land.id: [SPACES[at].id for at in land.spaces if may_place(state, seat, at)] for land in TERRITORIES
    }
    open_to = [name for name, there in spaces.items() if there]
    if not most or not open_to:
        return None

    def choose_placed(name: str) -> Way:
        return choose_some(spaces[name] * most, 1, most)

    return choose_one(open_to, choose_placed)


def _city_first(state: State, seat: Seat) -> Way | None:
    """The Booming City's spaces in the order of shipping, as many as there are Fleets (COL-18-08)."""
    fleets = state.players[seat].merchant_fleets
    if not fleets or not has_something_to_ship(state):
        return None
    due = [SPACES[at].id for at in city_spaces(state)]
    count = min(len(due), fleets)
    return choose_some(due, count, count)


def _shipment(state: State, seat: Seat) -> Way | None:
    left, possible = shipments_left(state, seat), list_shippable(state)
    if not left or not possible:
        return None
    return choose_some([SPACES[at].id for at in possible], 1, left)


def _grant(state: State, seat: Seat) -> Way:
    request = request_to(state.action, seat)
    asked = request.spaces if request else ()
    return choose_some(asked, 0, len(asked))


WAYS: Mapping[type[Command], Callable[[State, Seat], Way | None]] = {
    PlayGovernor: _city,
    PlayViceroy: _counters,
    PlayMerchant: _city_first,
    ShipGoods: _shipment,
    AnswerShipment: _grant,
}
