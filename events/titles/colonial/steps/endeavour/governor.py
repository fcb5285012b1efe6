"""The Governor and the Booming City (COL-17, COL-25-14, COL-25-15)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import PlayGovernor
from events.titles.colonial.data import RULES, TERRITORIES, TERRITORY, territory_name
from events.titles.colonial.derived import (
    gives_prestige_when_placed,
    historical_city,
    open_land,
    payments,
    present,
)
from events.titles.colonial.offers import draw_percent
from events.titles.colonial.state import State
from events.titles.colonial.steps.endeavour.rounds import character, finish, use
from events.titles.colonial.words import seat_said


def play(draft: Draft, seat: Seat, command: PlayGovernor) -> None:
    """Place the Booming City, remove the former one (COL-17-02 to COL-17-05)."""
    state = draft.state
    number = checks.territory_number(command.territory)
    checks.may_play(state, seat, "governor")
    _may_govern(state, seat, number, command.payment)
    use(draft, seat, "governor")
    draft.emit(f.TreasuryDiscarded(seat, command.payment, "governor"))
    if state.booming_city:
        draft.emit(f.BoomingCityRemoved(state.booming_city.territory, state.booming_city.value))
    value = _value(state, seat, command)
    draft.emit(f.BoomingCityPlaced(seat, command.territory, command.payment, value))
    _reward(draft, number)
    finish(draft, seat)


def _value(state: State, seat: Seat, command: PlayGovernor) -> int:
    """Return the sum paid, plus 1 in a historical city of the Governor's Nation (COL-17-04, COL-25-14)."""
    bonus = command.city_bonus and historical_city(state.players[seat], command.territory)
    return min(RULES.booming_city_max, command.payment + bonus)


def _may_govern(state: State, seat: Seat, number: int, payment: int) -> None:
    """Check that the Booming City may be placed there (COL-17-02, COL-17-03, COL-17-08)."""
    city, land = state.booming_city, TERRITORIES[number]
    _check_maximum(state)
    checks.is_explored(state, number)
    if not present(state, number, seat):
        raise Rejected("no_counter_there", f"You need a counter in {land.name}; choose a Territory with one.")
    if city and city.territory == land.id:
        raise Rejected("city_already_there", "The Booming City is there already; choose another Territory.")
    _check_payment(state, seat, payment)


def _check_payment(state: State, seat: Seat, payment: int) -> None:
    """Check that the payment is above the present city's value, within Economy and Treasury (COL-17-03)."""
    city, player = state.booming_city, state.players[seat]
    if city and payment <= city.value:
        raise Rejected("payment_not_above_current_city", f"Pay more than {city.value}.")
    if payment > min(player.economy, RULES.booming_city_max):
        raise Rejected("payment_above_economy", f"Pay at most your Economy: {player.economy}.")
    checks.can_pay(player, payment)


def _check_maximum(state: State) -> None:
    """Check that the city on the map has not the highest value: then no Governor can be used (COL-17-08)."""
    city = state.booming_city
    if city and city.value >= RULES.booming_city_max:
        raise Rejected(
            "city_at_maximum", "The Booming City has its highest value; use the Merchant or forfeit."
        )


def _reward(draft: Draft, number: int) -> None:
    owner = find_rewarded(draft.state, number)
    if owner is not None:
        draft.emit(f.PrestigeGained(owner, 1, "booming_city"))


def find_rewarded(state: State, number: int) -> Seat | None:
    """Return the Colony's owner if the city gives Prestige, no matter who governs (COL-17-05, COL-25-15)."""
    owner = state.lands[number].colony
    return owner if owner is not None and gives_prestige_when_placed(state, owner, number) else None


def _places(state: State, seat: Seat) -> list[str]:
    """Return the Territories where the seat may place the Booming City, Treasury aside."""
    city = state.booming_city
    return [
        land.id
        for land in TERRITORIES
        if open_land(state, land.number)
        and present(state, land.number, seat)
        and not (city and city.territory == land.id)
    ]


def _cities(state: State, seat: Seat) -> Iterator[PlayGovernor]:
    player, possible = state.players[seat], payments(state, seat)
    for place in _places(state, seat):
        for payment in possible:
            yield PlayGovernor(place, payment)
            if historical_city(player, place) and payment < RULES.booming_city_max:
                yield PlayGovernor(place, payment, city_bonus=False)


def _sample(state: State, seat: Seat, chance: Chance) -> PlayGovernor | None:
    possible, places = payments(state, seat), _places(state, seat)
    if not possible or not places:
        return None
    return PlayGovernor(chance.pick(places), chance.pick(possible[:3]), city_bonus=draw_percent(chance, 90))


def _label(state: State, seat: Seat, command: PlayGovernor) -> str:
    place, number = territory_name(command.territory), TERRITORY.get(command.territory)
    city = f"Booming City of value {_value(state, seat, command)} in {place} for {command.payment} Treasury"
    owner = None if number is None else find_rewarded(state, number)
    gain = f", 1 Prestige for {seat_said(state, owner)}" if owner is not None else ""
    plain = "" if command.city_bonus else ", without the historical bonus"
    return f"Governor: {city}{gain}{plain}"


GOVERNOR = character(PlayGovernor, play, legal=_cities, label=_label, sample=_sample)
