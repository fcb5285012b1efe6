"""What a planet owes in a year, and what it gives: the arithmetic of §4A."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from events.rules.fact import Seat
from events.titles.colonies.data import BOARD, CLOCKWISE, COLOURS
from events.titles.colonies.derived import is_neutral
from events.titles.colonies.facts import Delivery, Income, TradeAgreementsFulfilled
from events.titles.colonies.primitives import Colour
from events.titles.colonies.resources import in_ring_order, minus, no_resources, plus
from events.titles.colonies.state import State

Plan = Mapping[Colour, Mapping[Colour, int]]
"""Partner -> substitutes."""
Substitutes = dict[Colour, dict[Colour, int]]
"""A plan as it is made here."""


@dataclass(frozen=True)
class Due:
    """What one partner gets of the own colour, and what is then missing."""

    partner: Colour
    own: int
    shortfall: int


def dues(state: State, seat: Seat) -> list[Due]:
    """Own resources go first, partner by partner clockwise, until they run out (CLN-133, CLN-134)."""
    planet = state.planets[seat]
    left = state.stocks[seat][planet]
    found = []
    for partner in CLOCKWISE[planet]:
        owed = state.promise[planet][partner]
        own = min(owed, left)
        left -= own
        found.append(Due(partner, own, owed - own))
    return found


def substitutable(stock: Mapping[Colour, int], planet: Colour, partner: Colour) -> dict[Colour, int]:
    """What that partner may receive as substitutes: neither the payer's colour nor his own (CLN-136)."""
    return {c: stock[c] for c in COLOURS if stock[c] and c not in (planet, partner)}


def has_choice(state: State, seat: Seat) -> bool:
    """Whether at least two different plans are possible (CLN-137, CLN-143)."""
    planet, stock = state.planets[seat], dict(state.stocks[seat])
    for due in dues(state, seat):
        allowed = substitutable(stock, planet, due.partner)
        held = sum(allowed.values())
        if not due.shortfall or not held:
            continue
        if held > due.shortfall and len(allowed) > 1:
            return True
        taken = due.shortfall
        for colour, count in allowed.items():
            stock[colour] -= min(count, taken)
            taken -= min(count, taken)
    return False


def forced_plan(state: State, seat: Seat) -> Substitutes:
    """The most numerous allowed colour, unit by unit: the only plan where there is no choice (CLN-179)."""
    return _plan(state, seat, dict(state.stocks[seat]), {})


def plan_with(state: State, seat: Seat, partner: Colour, given: Mapping[Colour, int]) -> Substitutes | None:
    """The same where one partner is *given* something else; None if an earlier one then gets too little."""
    plan = _plan(state, seat, minus(state.stocks[seat], given), {partner: dict(given)})
    left = dict(state.stocks[seat])
    for due in dues(state, seat):
        lot = plan.get(due.partner, {})
        allowed = substitutable(left, state.planets[seat], due.partner)
        if sum(lot.values()) != min(due.shortfall, sum(allowed.values())):
            return None
        left = minus(left, lot)
    return {due.partner: plan[due.partner] for due in dues(state, seat) if due.partner in plan}


def _plan(state: State, seat: Seat, stock: dict[Colour, int], fixed: Substitutes) -> Substitutes:
    """What is most numerous in *stock* for all partners but the *fixed* ones."""
    planet, plan = state.planets[seat], dict(fixed)
    for due in dues(state, seat):
        if due.partner in fixed:
            continue
        for _ in range(due.shortfall):
            allowed = substitutable(stock, planet, due.partner)
            if not allowed:
                break
            colour = max(allowed, key=lambda c: allowed[c])
            given = plan.setdefault(due.partner, {})
            given[colour] = given.get(colour, 0) + 1
            stock[colour] -= 1
    return plan


def deliveries_of(state: State, seat: Seat, plan: Plan) -> Iterator[Delivery]:
    """What a player pays each partner in order: fees, then compensation (CLN-138 to CLN-141)."""
    free, credits = state.levels[seat]["commerce"], state.credits[seat]
    for due in dues(state, seat):
        substitutes = in_ring_order(plan.get(due.partner, {}))
        count = sum(substitutes.values())
        fees = min(max(0, count - free) * BOARD.substitution_fee, credits)
        free, credits = max(0, free - count), credits - fees
        missing = due.shortfall - count
        compensation = min(missing * BOARD.compensation, credits)
        credits -= compensation
        yield _delivery(state, state.planets[seat], due, substitutes, missing, fees, compensation)


def _delivery(
    state: State,
    payer: Colour,
    due: Due,
    substitutes: dict[Colour, int],
    missing: int,
    fees: int,
    compensation: int,
) -> Delivery:
    """Pirates on the receiver's route intercept everything but the Credits (CLN-144 to CLN-146)."""
    pirates = state.pirates.get(due.partner, {}).get(payer, 0)
    paid = due.own + sum(substitutes.values())
    caught = min(pirates, paid)
    return Delivery(payer, due.partner, due.own, substitutes, missing, fees, compensation, caught > 0, caught)


def neutral_deliveries(state: State, planet: Colour) -> Iterator[Delivery]:
    """A neutral planet delivers exactly its promises in its own colour (CLN-155)."""
    for partner in CLOCKWISE[planet]:
        if not is_neutral(state, partner):
            yield _delivery(state, planet, Due(partner, state.promise[planet][partner], 0), {}, 0, 0, 0)


def fulfil(state: State, plans: Mapping[Seat, Plan]) -> TradeAgreementsFulfilled:
    """The whole phase: everybody pays, then the income is handed over (CLN-142, CLN-143, CLN-157)."""
    paid: list[Delivery] = []
    for planet in COLOURS:
        if is_neutral(state, planet):
            paid += neutral_deliveries(state, planet)
        else:
            seat = state.planets.index(planet)
            paid += deliveries_of(state, seat, plans[seat])
    markets = dict(state.markets)
    resources = [no_resources() for _ in state.planets]
    credits = [0 for _ in state.planets]
    for delivery in paid:
        goods = plus(no_resources(), {delivery.payer: delivery.own_resources, **delivery.substitutes})
        if delivery.intercepted:
            markets = plus(markets, goods)
        if not is_neutral(state, delivery.partner):
            seat = state.planets.index(delivery.partner)
            credits[seat] += delivery.fees + delivery.compensation
            if not delivery.intercepted:
                resources[seat] = plus(resources[seat], goods)
    income = tuple(
        Income(seat, in_ring_order(resources[seat]), credits[seat]) for seat in range(len(state.planets))
    )
    return TradeAgreementsFulfilled(tuple(paid), markets, income)
