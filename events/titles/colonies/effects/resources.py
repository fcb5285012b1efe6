"""Primitives that give, take or spread resources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.values import negate_counts
from events.rules.kit.words import format_count
from events.rules.steps import Rejected
from events.titles.colonies.changes import Changes, StockChange
from events.titles.colonies.checks import check_stock
from events.titles.colonies.commands import ResolveEventEffect
from events.titles.colonies.data import CLOCKWISE, COLOURS
from events.titles.colonies.effects.behaviour import Behaviour, Question, quantity, wrong_total
from events.titles.colonies.picks import pick_greedily, picks, random_pick, rate_by_number
from events.titles.colonies.primitives import Colour, FloodMarket, GainResource, PayResource
from events.titles.colonies.state import State, sort_in_ring_order

RESOURCES = frozenset({"resources"})


def read_chosen(choice: ResolveEventEffect) -> Mapping[Colour, int]:
    """Return the resources that an answer names."""
    return choice.resources if isinstance(choice.resources, dict) else {}


def _check_kind(choice: ResolveEventEffect) -> None:
    if not isinstance(choice.resources, dict):
        raise Rejected("wrong_choice_shape", "Name the resources by colour.")


def _stock(seat: Seat, resources: Mapping[Colour, int]) -> tuple[StockChange, ...]:
    return (StockChange(seat, dict(resources)),) if resources else ()


# --- gain_resource -----------------------------------------------------------------------------------


def _gain(state: State, seat: Seat, primitive: GainResource, choice: ResolveEventEffect | None) -> Changes:
    """Give exactly n resources from the supply (CLN-076)."""
    if choice is not None:
        return Changes(stocks=_stock(seat, sort_in_ring_order(read_chosen(choice))))
    colour = cast("Colour", state.planets[seat] if primitive.kind == "own" else primitive.kind)
    return Changes(stocks=_stock(seat, sort_in_ring_order({colour: quantity(state, seat, primitive.n)})))


def _gain_asks(state: State, seat: Seat, primitive: GainResource) -> bool:
    return primitive.kind in ("other", "any") and quantity(state, seat, primitive.n) > 0


def _gain_check(state: State, seat: Seat, primitive: GainResource, choice: ResolveEventEffect) -> None:
    """Raise Rejected unless exactly n are taken, of others none of the own colour (CLN-076)."""
    _check_kind(choice)
    n = quantity(state, seat, primitive.n)
    if primitive.kind == "other" and read_chosen(choice).get(state.planets[seat]):
        raise Rejected("own_colour_excluded", "Choose other colours than your own.")
    if sum(read_chosen(choice).values()) != n:
        raise wrong_total(f"Choose exactly {format_count(n, 'resource')}.")


def _gain_limits(state: State, seat: Seat, primitive: GainResource) -> dict[Colour, int]:
    n, own = quantity(state, seat, primitive.n), state.planets[seat]
    return {colour: n for colour in COLOURS if primitive.kind == "any" or colour != own}


def _gain_default(state: State, seat: Seat, primitive: GainResource) -> ResolveEventEffect:
    own = state.planets[seat]
    colour = own if primitive.kind == "any" else CLOCKWISE[own][0]
    return ResolveEventEffect(resources={colour: quantity(state, seat, primitive.n)})


def _gain_legal(state: State, seat: Seat, primitive: GainResource) -> Iterator[ResolveEventEffect]:
    for picked in picks(_gain_limits(state, seat, primitive), quantity(state, seat, primitive.n)):
        yield ResolveEventEffect(resources=picked)


def _gain_sample(state: State, seat: Seat, primitive: GainResource, chance: Chance) -> ResolveEventEffect:
    n = quantity(state, seat, primitive.n)
    return ResolveEventEffect(resources=random_pick(_gain_limits(state, seat, primitive), n, chance))


# --- pay_resource ------------------------------------------------------------------------------------


def _count_held(state: State, seat: Seat, primitive: PayResource) -> dict[Colour, int]:
    """Return the player's resources of the kind that is to be paid."""
    stock = state.stocks[seat]
    if primitive.kind == "any":
        return sort_in_ring_order(stock)
    colour: Colour = state.planets[seat] if primitive.kind == "own" else primitive.kind
    return sort_in_ring_order({colour: stock[colour]})


def _pay(state: State, seat: Seat, primitive: PayResource, choice: ResolveEventEffect | None) -> Changes:
    """Take up to n resources, onto their markets where the card says so (CLN-077, CLN-078)."""
    if choice is not None:
        given = sort_in_ring_order(read_chosen(choice))
    else:
        held = _count_held(state, seat, primitive)
        given = pick_greedily(held, quantity(state, seat, primitive.n), rate_by_number)
    return Changes(
        stocks=_stock(seat, negate_counts(given)), markets=given if primitive.to == "market" else {}
    )


def _pay_asks(state: State, seat: Seat, primitive: PayResource) -> bool:
    held = _count_held(state, seat, primitive)
    n = quantity(state, seat, primitive.n)
    return primitive.kind == "any" and len(held) > 1 and sum(held.values()) > n > 0


def _pay_check(state: State, seat: Seat, primitive: PayResource, choice: ResolveEventEffect) -> None:
    """Raise Rejected unless exactly n of what is in stock are paid (CLN-077)."""
    _check_kind(choice)
    n = quantity(state, seat, primitive.n)
    if sum(read_chosen(choice).values()) != n:
        raise wrong_total(f"Give exactly {format_count(n, 'resource')}.")
    check_stock(state.stocks[seat], read_chosen(choice))


def _pay_default(state: State, seat: Seat, primitive: PayResource) -> ResolveEventEffect:
    n = quantity(state, seat, primitive.n)
    return ResolveEventEffect(resources=pick_greedily(_count_held(state, seat, primitive), n, rate_by_number))


def _pay_legal(state: State, seat: Seat, primitive: PayResource) -> Iterator[ResolveEventEffect]:
    for picked in picks(_count_held(state, seat, primitive), quantity(state, seat, primitive.n)):
        yield ResolveEventEffect(resources=picked)


def _pay_sample(state: State, seat: Seat, primitive: PayResource, chance: Chance) -> ResolveEventEffect:
    n = quantity(state, seat, primitive.n)
    return ResolveEventEffect(resources=random_pick(_count_held(state, seat, primitive), n, chance))


# --- flood_market ------------------------------------------------------------------------------------


def _flood(state: State, seat: Seat, primitive: FloodMarket, _choice: ResolveEventEffect | None) -> Changes:
    """Put own-colour resources from the supply onto their market (CLN-084)."""
    return Changes(markets=sort_in_ring_order({state.planets[seat]: quantity(state, seat, primitive.n)}))


GAIN_RESOURCE = Behaviour(
    _gain, Question(_gain_asks, lambda _p: RESOURCES, _gain_check, _gain_default, _gain_legal, _gain_sample)
)
PAY_RESOURCE = Behaviour(
    _pay, Question(_pay_asks, lambda _p: RESOURCES, _pay_check, _pay_default, _pay_legal, _pay_sample)
)
FLOOD_MARKET = Behaviour(_flood)
