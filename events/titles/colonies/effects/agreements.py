"""The primitive that shifts trade agreements with other players."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.titles.colonies.changes import Changes, MarkerChange
from events.titles.colonies.commands import ResolveEventEffect
from events.titles.colonies.data import BOARD, COLOURS
from events.titles.colonies.effects.behaviour import Behaviour, Question, quantity, wrong_total
from events.titles.colonies.primitives import Colour, ShiftAgreement
from events.titles.colonies.state import State, is_neutral


def _list_eligible(state: State, seat: Seat, primitive: ShiftAgreement) -> tuple[Colour, ...]:
    """Return the other players with room on both markers, in ring order (CLN-083, CLN-087)."""
    planet, promise = state.planets[seat], state.promise
    lowest, highest = BOARD.lowest_marker, state.options.trade_agreement_max
    found = []
    for other in COLOURS:
        if other == planet or is_neutral(state, other):
            continue
        markers = (promise[planet][other] + primitive.direction, promise[other][planet] + primitive.direction)
        if lowest <= min(markers) and max(markers) <= highest:
            found.append(other)
    return tuple(found)


def _find_most(state: State, seat: Seat, primitive: ShiftAgreement) -> int:
    """Return the largest number of agreements that move."""
    return min(quantity(state, seat, primitive.n), len(_list_eligible(state, seat, primitive)))


def _apply(state: State, seat: Seat, primitive: ShiftAgreement, choice: ResolveEventEffect | None) -> Changes:
    """Move both markers of each agreement one step, free of points and Credits (CLN-083)."""
    planet, promise, direction = state.planets[seat], state.promise, primitive.direction
    if choice is not None:
        partners = choice.partners or ()
    else:
        forced = _list_eligible(state, seat, primitive)[: _find_most(state, seat, primitive)]
        partners = forced if direction < 0 else ()
    markers: list[MarkerChange] = []
    for other in partners:
        markers.append(MarkerChange(planet, other, promise[planet][other] + direction))
        markers.append(MarkerChange(other, planet, promise[other][planet] + direction))
    return Changes(markers=tuple(markers))


def _asks(state: State, seat: Seat, primitive: ShiftAgreement) -> bool:
    most, eligible = quantity(state, seat, primitive.n), len(_list_eligible(state, seat, primitive))
    return most > 0 and (eligible > 0 if primitive.direction > 0 else eligible > most)


def _check(state: State, seat: Seat, primitive: ShiftAgreement, choice: ResolveEventEffect) -> None:
    """Raise Rejected unless the agreements are with other players and can move (CLN-083, CLN-087)."""
    partners, n = choice.partners or (), quantity(state, seat, primitive.n)
    if any(is_neutral(state, partner) for partner in partners):
        raise Rejected(
            "neutral_excluded", "Events never move agreements with neutral planets; choose players."
        )
    if any(partner not in _list_eligible(state, seat, primitive) for partner in partners):
        raise Rejected("partner_not_eligible", "Choose partners whose two markers can both move.")
    if len(partners) > n or (primitive.direction < 0 and len(partners) != n):
        raise wrong_total(
            f"Choose {'at most' if primitive.direction > 0 else 'exactly'} {n} of your agreements."
        )


def _answers(state: State, seat: Seat, primitive: ShiftAgreement) -> Iterator[tuple[Colour, ...]]:
    eligible, most = _list_eligible(state, seat, primitive), _find_most(state, seat, primitive)
    for size in range(most, -1 if primitive.direction > 0 else most - 1, -1):
        yield from combinations(eligible, size)


def _legal(state: State, seat: Seat, primitive: ShiftAgreement) -> Iterator[ResolveEventEffect]:
    for partners in _answers(state, seat, primitive):
        yield ResolveEventEffect(partners=partners)


def _default(state: State, seat: Seat, primitive: ShiftAgreement) -> ResolveEventEffect:
    """Return the default: for +1 none; for −1 those with the smallest promised imports (CLN-179)."""
    if primitive.direction > 0:
        return ResolveEventEffect(partners=())
    planet = state.planets[seat]
    ordered = sorted(_list_eligible(state, seat, primitive), key=lambda other: state.promise[other][planet])
    return ResolveEventEffect(partners=tuple(ordered[: _find_most(state, seat, primitive)]))


def _sample(state: State, seat: Seat, primitive: ShiftAgreement, chance: Chance) -> ResolveEventEffect:
    return ResolveEventEffect(partners=chance.pick(tuple(_answers(state, seat, primitive))))


SHIFT_AGREEMENT = Behaviour(
    _apply, Question(_asks, lambda _p: frozenset({"partners"}), _check, _default, _legal, _sample)
)
