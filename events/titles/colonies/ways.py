"""The ways to say commands whose legal list is a selection or one order of many.

See `events/rules/kit/ways.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from events.rules.fact import Seat
from events.rules.kit.values import subtract_counts
from events.rules.kit.ways import BEGIN as BRACE
from events.rules.kit.ways import (
    DONE,
    END,
    Way,
    allot,
    allot_mapping,
    choose_one,
    choose_several,
    commands,
    field,
    join_ways,
    say,
)
from events.rules.steps import Command, Rejected
from events.titles.colonies.actions.influence import MOVES, plan
from events.titles.colonies.commands import (
    BusinessTrip,
    CastVote,
    FulfilTradeAgreements,
    HuntPirates,
    PoliceSector,
    ProvideRefuge,
    ResolveEventEffect,
    TradeNegotiations,
)
from events.titles.colonies.data import CARD_TITLE, CLOCKWISE, COLOURS
from events.titles.colonies.derived import primitive_under_way
from events.titles.colonies.effects.behaviour import DECLINE, quantity
from events.titles.colonies.effects.interpreter import BEHAVIOUR
from events.titles.colonies.parts import AgreementStep, Removal
from events.titles.colonies.primitives import (
    BonusAction,
    Colour,
    GainResource,
    PayResource,
    RemovePirates,
    Technology,
)
from events.titles.colonies.removals import Routes, all_routes, routes_of
from events.titles.colonies.state import State, is_neutral
from events.titles.colonies.steps.vote import SIDES
from events.titles.colonies.trade import Due, count_substitutable, dues

NAMES = (*COLOURS, *CARD_TITLE)
Steps = tuple[AgreementStep, ...]


# --- actions --------------------------------------------------------------------------------------


def _refuge(state: State, seat: Seat, level: int, then: Way) -> Way | None:
    """Return the way to say pirates of any routes, and how many of them come into the stock (CLN-093)."""
    routes = all_routes(state)

    def choose_stock(removed: Routes) -> Way:
        return choose_one(range(sum(removed.values()) + 1), lambda _count: then)

    return allot(routes, 1, level, Removal, choose_stock) if routes else None


def _hunt(state: State, seat: Seat, level: int, then: Way) -> Way | None:
    routes = all_routes(state)
    return allot(routes, 1, level, Removal, lambda _removed: then) if routes else None


def _trip(state: State, seat: Seat, level: int, then: Way) -> Way | None:
    stock = state.stocks[seat]
    return allot_mapping(stock, 1, level, lambda _sold: then) if any(stock.values()) else None


def _negotiations(state: State, seat: Seat, level: int, then: Way, *, neutral: bool = True) -> Way | None:
    """Steps one after the other: as each is checked when it is taken, all that can be begun can end there."""
    partners = [p for p in CLOCKWISE[state.planets[seat]] if neutral or not is_neutral(state, p)]
    steps = [AgreementStep(partner, kind, marker) for partner in partners for kind, marker in MOVES]

    def list_more(taken: Steps) -> Iterator[AgreementStep]:
        return (step for step in steps if _is_possible(state, seat, (*taken, step), level))

    return choose_several(list_more, bool, lambda _taken: then) if any(list_more(())) else None


def _is_possible(state: State, seat: Seat, steps: Steps, level: int) -> bool:
    try:
        plan(state, seat, TradeNegotiations(steps), level)
    except Rejected:
        return False
    return True


def _limit_to_level(
    action: Callable[[State, Seat, int, Way], Way | None], technology: Technology
) -> Callable[[State, Seat], Way | None]:
    """Return the way to say an action as one of the three of a turn, limited by its technology's level."""
    return lambda state, seat: action(state, seat, state.levels[seat][technology], DONE)


# --- sealed answers -------------------------------------------------------------------------------


def _vote(state: State, seat: Seat) -> Way:
    stock = state.stocks[seat]
    return choose_one(SIDES, lambda _side: allot_mapping(stock, 0, sum(stock.values())))


def _police(state: State, seat: Seat) -> Way:
    return allot(routes_of(state, state.planets[seat]), 0, state.levels[seat]["military"], Removal)


def _fulfilment(state: State, seat: Seat) -> Way:
    """Return the way to say by partner, clockwise, the substitutes that are lacking or left (CLN-178)."""
    return say((BRACE,), _substitutes(state, seat, dues(state, seat), state.stocks[seat]))


def _substitutes(state: State, seat: Seat, owed: list[Due], left: Mapping[Colour, int]) -> Way:
    if not owed:
        return say((END,), DONE)
    due, rest = owed[0], owed[1:]
    allowed = count_substitutable(left, state.planets[seat], due.partner)
    wanted = min(due.shortfall, sum(allowed.values()))
    if not wanted:
        return _substitutes(state, seat, rest, left)
    return field(
        due.partner,
        allot_mapping(
            allowed,
            wanted,
            wanted,
            lambda given: _substitutes(state, seat, rest, subtract_counts(left, given)),
        ),
    )


# --- answers to event effects ---------------------------------------------------------------------


def _answer(state: State, seat: Seat) -> Way | None:
    """Return the way to say an answer to the effect under way."""
    primitive = primitive_under_way(state)
    if primitive is None:
        return None
    if isinstance(primitive, BonusAction) and primitive.kind in _BONUS:
        first, last, action = _BONUS[primitive.kind]
        level = state.levels[seat][primitive.kind] + primitive.plus
        taken = action(state, seat, level, _rest(last))
        return (
            field(DECLINE, DONE)
            if taken is None
            else join_ways(_skip_to_field(first, taken), field(DECLINE, DONE))
        )
    if isinstance(primitive, RemovePirates):
        count = quantity(state, seat, primitive.n)
        routes = routes_of(state, state.planets[seat])
        return _skip_to_field("removals", allot(routes, count, count, Removal, lambda _r: _rest("removals")))
    if isinstance(primitive, GainResource | PayResource):
        return _skip_to_field("resources", _resources(state, seat, primitive))
    question = BEHAVIOUR[type(primitive)].question
    return None if question is None else commands(question.legal(state, seat, primitive))


def _resources(state: State, seat: Seat, primitive: GainResource | PayResource) -> Way:
    """Return the way to say so many resources: of one's stock, or of the supply, which has enough."""
    count = quantity(state, seat, primitive.n)
    if isinstance(primitive, PayResource):
        limits: Mapping[Colour, int] = state.stocks[seat]
    else:
        limits = {c: count for c in COLOURS if primitive.kind == "any" or c != state.planets[seat]}
    return allot_mapping(limits, count, count, lambda _chosen: _rest("resources"))


_FIELDS = ResolveEventEffect.__struct_fields__


def _skip_to_field(name: str, way: Way) -> Way:
    """Return *way* from that field of an answer on: the fields before it are left out."""
    for _ in range(_FIELDS.index(name)):
        way = field(None, way)
    return way


def _rest(name: str) -> Way:
    """Return the fields of an answer after that one, left out; it does not decline."""
    way = field(False, DONE)
    for _ in range(_FIELDS.index("decline") - _FIELDS.index(name) - 1):
        way = field(None, way)
    return way


def _choose_players_only(state: State, seat: Seat, level: int, then: Way) -> Way | None:
    """Return the way to say steps with players only: no effect moves neutral agreements (CLN-087)."""
    return _negotiations(state, seat, level, then, neutral=False)


_BONUS: Mapping[str, tuple[str, str, Callable[[State, Seat, int, Way], Way | None]]] = {
    "community": ("removals", "to_stock", _refuge),
    "military": ("removals", "removals", _hunt),
    "commerce": ("sales", "sales", _trip),
    "influence": ("steps", "steps", _choose_players_only),
}
"""The first and the last of the fields in which the action stands, and the action."""

WAYS: Mapping[type[Command], Callable[[State, Seat], Way | None]] = {
    CastVote: _vote,
    ResolveEventEffect: _answer,
    ProvideRefuge: _limit_to_level(_refuge, "community"),
    HuntPirates: _limit_to_level(_hunt, "military"),
    BusinessTrip: _limit_to_level(_trip, "commerce"),
    TradeNegotiations: _limit_to_level(_negotiations, "influence"),
    PoliceSector: _police,
    FulfilTradeAgreements: _fulfilment,
}
