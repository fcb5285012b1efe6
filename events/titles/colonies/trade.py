"""The arithmetic of §4A: what a planet owes in a year, and what it gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from events.rules.fact import Seat
from events.rules.kit.values import subtract_counts
from events.titles.colonies.data import BOARD, CLOCKWISE, COLOURS
from events.titles.colonies.facts import Delivery, Income, TradeAgreementsFulfilled
from events.titles.colonies.primitives import Colour
from events.titles.colonies.state import State, is_neutral, no_resources, seat_of, sort_in_ring_order

Plan = Mapping[Colour, Mapping[Colour, int]]
"""Partner -> substitutes."""
Substitutes = dict[Colour, dict[Colour, int]]
"""A plan as it is made here."""


class Due(msgspec.Struct, frozen=True, gc=False):
    """A partner's share of the payer's own colour, and the shortfall."""

    partner: Colour
    own: int
    shortfall: int


def dues(state: State, seat: Seat) -> list[Due]:
    """Return the dues clockwise: own resources go first, until they run out (CLN-133, CLN-134)."""
    planet = state.planets[seat]
    left = state.stocks[seat][planet]
    found = []
    for partner in CLOCKWISE[planet]:
        owed = state.promise[planet][partner]
        own = min(owed, left)
        left -= own
        found.append(Due(partner, own, owed - own))
    return found


def count_substitutable(stock: Mapping[Colour, int], planet: Colour, partner: Colour) -> dict[Colour, int]:
    """Return the resources in stock that the partner may get as substitutes (CLN-136).

    Neither the payer's own colour nor the partner's is among them.
    """
    return {c: stock[c] for c in COLOURS if stock[c] and c not in (planet, partner)}


def has_choice(state: State, seat: Seat) -> bool:
    """Return True if at least two different plans are possible (CLN-137, CLN-143)."""
    planet, stock = state.planets[seat], dict(state.stocks[seat])
    for due in dues(state, seat):
        allowed = count_substitutable(stock, planet, due.partner)
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


def find_forced_plan(state: State, seat: Seat) -> Substitutes:
    """Return the plan of the most numerous allowed colours, the only one without a choice (CLN-179)."""
    return _plan(state, seat, dict(state.stocks[seat]), {})


def plan_with(state: State, seat: Seat, partner: Colour, given: Mapping[Colour, int]) -> Substitutes | None:
    """The same where one partner is *given* something else; None if an earlier one then gets too little."""
    plan = _plan(state, seat, subtract_counts(state.stocks[seat], given), {partner: dict(given)})
    left = dict(state.stocks[seat])
    for due in dues(state, seat):
        lot = plan.get(due.partner, {})
        allowed = count_substitutable(left, state.planets[seat], due.partner)
        if sum(lot.values()) != min(due.shortfall, sum(allowed.values())):
            return None
        left = subtract_counts(left, lot)
    return {due.partner: plan[due.partner] for due in dues(state, seat) if due.partner in plan}


def _plan(state: State, seat: Seat, stock: dict[Colour, int], fixed: Substitutes) -> Substitutes:
    """Return the *fixed* lots, with what is most numerous in *stock* for all other partners."""
    planet, plan = state.planets[seat], dict(fixed)
    for due in dues(state, seat):
        if due.partner in fixed:
            continue
        for _ in range(due.shortfall):
            allowed = count_substitutable(stock, planet, due.partner)
            if not allowed:
                break
            colour = max(allowed, key=lambda c: allowed[c])
            given = plan.setdefault(due.partner, {})
            given[colour] = given.get(colour, 0) + 1
            stock[colour] -= 1
    return plan


def deliveries_of(state: State, seat: Seat, plan: Plan) -> Iterator[Delivery]:
    """Yield the deliveries to each partner in order: fees, then compensation (CLN-138 to CLN-141)."""
    free, credits = state.levels[seat]["commerce"], state.credits[seat]
    for due in dues(state, seat):
        substitutes = sort_in_ring_order(plan.get(due.partner, {}))
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
    """Return one delivery; pirates on the route intercept all but the Credits (CLN-144 to CLN-146)."""
    pirates = state.pirates.get(due.partner, {}).get(payer, 0)
    paid = due.own + sum(substitutes.values())
    caught = min(pirates, paid)
    return Delivery(payer, due.partner, due.own, substitutes, missing, fees, compensation, caught > 0, caught)


def neutral_deliveries(state: State, planet: Colour) -> Iterator[Delivery]:
    """Yield a neutral planet's deliveries: exactly its promises in its own colour (CLN-155)."""
    for partner in CLOCKWISE[planet]:
        if not is_neutral(state, partner):
            yield _delivery(state, planet, Due(partner, state.promise[planet][partner], 0), {}, 0, 0, 0)


def fulfil(state: State, plans: Mapping[Seat, Plan]) -> TradeAgreementsFulfilled:
    """Return the fact of the phase: everybody pays, then gets the income (CLN-142, CLN-143, CLN-157)."""
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
        receiver = seat_of(state, delivery.partner)
        if receiver is not None:
            credits[receiver] += delivery.fees + delivery.compensation
        if delivery.intercepted:
            _add(delivery, markets)
        elif receiver is not None:
            _add(delivery, resources[receiver])
    income = tuple(
        Income(seat, sort_in_ring_order(resources[seat]), credits[seat]) for seat in range(len(state.planets))
    )
    return TradeAgreementsFulfilled(tuple(paid), markets, income)


def _add(delivery: Delivery, resources: dict[Colour, int]) -> None:
    """Add what a delivery consists of to *resources*."""
    resources[delivery.payer] += delivery.own_resources
    for colour, count in delivery.substitutes.items():
        resources[colour] += count
