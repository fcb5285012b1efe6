"""Upkeep 4A: trade agreements are fulfilled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.values import subtract_counts
from events.rules.kit.words import format_list
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonies import words
from events.titles.colonies.commands import FulfilTradeAgreements
from events.titles.colonies.facts import FulfilmentCommitted
from events.titles.colonies.picks import few, picks, random_pick, select
from events.titles.colonies.primitives import Colour
from events.titles.colonies.sealing import Sealing, has_answered
from events.titles.colonies.state import State, sort_in_ring_order
from events.titles.colonies.steps.year_end import end_year
from events.titles.colonies.trade import (
    Due,
    Substitutes,
    count_substitutable,
    deliveries_of,
    dues,
    find_forced_plan,
    fulfil,
    has_choice,
    plan_with,
)

LISTED = 300
"""Of so many plans all are listed, more than one answer of the service has not: what can be given to each of
four partners multiplies, to 35 ways each with three of four colours."""


def list_with_choice(state: State) -> tuple[Seat, ...]:
    """Return the players whose plan is not forced (CLN-143)."""
    return tuple(seat for seat in range(state.seats) if has_choice(state, seat))


def start_fulfilment(draft: Draft[State]) -> None:
    """Wait for the players with a real choice; if nobody has one, fulfil all agreements at once."""
    if not list_with_choice(draft.state):
        reveal(draft)


def check(state: State, seat: Seat, command: FulfilTradeAgreements) -> None:
    """Raise Rejected unless every shortfall is filled as far as possible (CLN-178, CLN-136, CLN-137)."""
    planet, plan = state.planets[seat], command.substitutes
    if planet in plan:
        raise Rejected("unknown_partner", "Name trade partners only, not your own planet.")
    left: Mapping[Colour, int] = state.stocks[seat]
    for due in dues(state, seat):
        given = plan.get(due.partner, {})
        _check_partner(planet, due, given, left)
        left = subtract_counts(left, given)


def _check_partner(planet: Colour, due: Due, given: Mapping[Colour, int], left: Mapping[Colour, int]) -> None:
    if planet in given:
        raise Rejected("substitute_own_colour", "Substitute with other colours than your own.")
    _check_colours(due.partner, given)
    wanted = min(due.shortfall, sum(count_substitutable(left, planet, due.partner).values()))
    if sum(given.values()) != wanted:
        raise Rejected(
            "substitute_count_wrong", f"Give {words.planet(due.partner)} exactly {wanted} substitutes."
        )
    if any(left[colour] < count for colour, count in given.items()):
        raise Rejected(
            "insufficient_resources", "Use no more resources of a colour than are left in your stock."
        )


def _check_colours(partner: Colour, given: Mapping[Colour, int]) -> None:
    """Raise Rejected if substitutes are of the partner's own colour (CLN-136)."""
    if partner in given:
        raise Rejected(
            "substitute_is_partner_colour", "The partner's own colour never substitutes: choose another."
        )


def reveal(draft: Draft[State]) -> None:
    """Carry out all plans together, forced ones included."""
    state = draft.state
    plans = {seat: _plan(state, seat) for seat in range(state.seats)}
    draft.emit(fulfil(state, plans))
    end_year(draft)


def _plan(state: State, seat: Seat) -> Mapping[Colour, Mapping[Colour, int]]:
    answer = state.sealed[seat]
    return answer.substitutes if isinstance(answer, FulfilTradeAgreements) else find_forced_plan(state, seat)


def _cover(seat: Seat, command: FulfilTradeAgreements) -> FulfilmentCommitted:
    substitutes = {
        partner: sort_in_ring_order(given) for partner, given in command.substitutes.items() if given
    }
    return FulfilmentCommitted(seat, substitutes)


def _plans(planet: Colour, owed: list[Due], stock: Mapping[Colour, int]) -> Iterator[Substitutes]:
    """Yield all complete plans, partner by partner."""
    if not owed:
        yield {}
        return
    due, rest = owed[0], owed[1:]
    allowed = count_substitutable(stock, planet, due.partner)
    wanted = min(due.shortfall, sum(allowed.values()))
    for picked in picks(allowed, wanted):
        for others in _plans(planet, rest, subtract_counts(stock, picked)):
            yield {due.partner: picked, **others} if picked else others


def _all(state: State, seat: Seat) -> Iterator[Substitutes]:
    return _plans(state.planets[seat], dues(state, seat), state.stocks[seat])


def _legal(state: State, seat: Seat) -> Iterator[Command]:
    first = find_forced_plan(state, seat)
    yield FulfilTradeAgreements(first)
    plans: tuple[tuple[Colour | None, Substitutes], ...] = select(
        ((None, plan) for plan in _all(state, seat)),
        LISTED,
        lambda: _main(state, seat),
        lambda entry: entry[0],
    )
    for _, plan in plans:
        if plan != first:
            yield FulfilTradeAgreements(plan)


def _main(state: State, seat: Seat) -> Iterator[tuple[Colour | None, Substitutes]]:
    """Yield each partner with each lot it might be given, the others given what is most numerous."""
    found: list[Substitutes] = []
    for due in dues(state, seat):
        allowed = count_substitutable(state.stocks[seat], state.planets[seat], due.partner)
        for picked in picks(allowed, min(due.shortfall, sum(allowed.values()))):
            plan = plan_with(state, seat, due.partner, picked) if picked else None
            if plan is not None and plan not in found:
                found.append(plan)
                yield due.partner, plan


def _complete(state: State, seat: Seat) -> bool:
    return few(_all(state, seat), LISTED)


def _sample(state: State, seat: Seat, chance: Chance) -> Command:
    planet, left = state.planets[seat], state.stocks[seat]
    plan: Substitutes = {}
    for due in dues(state, seat):
        picked = random_pick(count_substitutable(left, planet, due.partner), due.shortfall, chance)
        if picked:
            plan[due.partner] = picked
            left = subtract_counts(left, picked)
    return FulfilTradeAgreements(plan)


def _label(state: State, seat: Seat, command: FulfilTradeAgreements) -> str:
    """Return the button text: the substitutes, and what they and all that is still missing cost."""
    deliveries = list(deliveries_of(state, seat, command.substitutes))
    costs = {
        "fees": sum(delivery.fees for delivery in deliveries),
        "for what is missing": sum(delivery.compensation for delivery in deliveries),
    }
    paid = format_list([f"{credits} € {what}" for what, credits in costs.items() if credits], "")
    return f"Substitute {words.substitutes(command.substitutes)}{f' ({paid})' if paid else ''}"


SEALING = Sealing(
    command=FulfilTradeAgreements,
    check=check,
    cover=_cover,
    reveal=reveal,
    concerned=list_with_choice,
)
FULFILMENT = Step[State](
    kind="fulfil_trade_agreements",
    asked=SEALING.list_asked,
    covered=has_answered,
    default=lambda state, seat: FulfilTradeAgreements(find_forced_plan(state, seat)),
    sample=_sample,
    moves=(
        Move(
            command=FulfilTradeAgreements, take=SEALING.take, legal=_legal, complete=_complete, label=_label
        ),
    ),
)
