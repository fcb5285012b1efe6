"""Influence action: trade negotiations (§3.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import NamedTuple

import msgspec

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.offers import choose_evenly
from events.rules.steps import Command, Rejected
from events.titles.colonies import words
from events.titles.colonies.actions.kind import LISTED, ActionKind
from events.titles.colonies.changes import Changes, MarkerChange, Payment
from events.titles.colonies.checks import check_steps, empty_action
from events.titles.colonies.commands import TradeNegotiations
from events.titles.colonies.data import BOARD, CLOCKWISE
from events.titles.colonies.facts import StepTaken, TradeAgreementsAdjusted
from events.titles.colonies.parts import AgreementStep, Marker, StepKind
from events.titles.colonies.primitives import Colour
from events.titles.colonies.state import State, is_neutral, seat_of

MOVES: tuple[tuple[StepKind, Marker | None], ...] = (
    ("bilateral_advancement", None),
    ("unilateral_advancement", "import"),
    ("unilateral_decrement", "export"),
    ("unilateral_advancement", "export"),
    ("unilateral_decrement", "import"),
    ("bilateral_decrement", None),
)
"""The six steps that an agreement can take."""


class _Way(NamedTuple):
    """A choice for one agreement: its cost in points, its fee, and its steps."""

    cost: int
    fee: int
    steps: tuple[AgreementStep, ...]


@dataclass
class _Table:
    """The negotiations so far: points, Credits and markers as they stand before the next step."""

    state: State
    seat: Seat
    points: int
    credits: int
    used: int = 0
    steps: list[StepTaken] = field(default_factory=list)
    markers: dict[Colour, tuple[int, int]] = field(default_factory=dict)
    """Export and import of each agreement that has moved."""
    counts: dict[Colour, int] = field(default_factory=dict)

    def take(self, step: AgreementStep) -> None:
        """Take one step; raises Rejected at the first check that it fails."""
        state, partner = self.state, step.partner
        planet = state.planets[self.seat]
        if partner == planet:
            raise Rejected("unknown_partner", "Name one of your four trade partners, not your own planet.")
        bilateral = step.marker is None
        if not bilateral:
            _check_two_players(state, partner)
        cost = self.counts.get(partner, 0) + 1
        if self.used + cost > self.points:
            raise Rejected(
                "adjustment_points_exceeded", "Take fewer steps: your adjustment points do not suffice."
            )
        before = self.markers.get(partner) or (state.promise[planet][partner], state.promise[partner][planet])
        after = move_marker(before, step.kind, step.marker)
        _check_room(before, after, state.options.trade_agreement_max)
        fee = 0 if bilateral else BOARD.unilateral_fee
        _check_fee(fee, self.credits)
        self.credits -= fee
        self.used += cost
        self.counts[partner] = cost
        self.markers[partner] = after
        self.steps.append(StepTaken(partner, step.kind, step.marker, cost, fee, *after))

    def changes(self) -> Changes:
        """Return the changes of all steps: fees to the partners, and the markers as they stand at the end."""
        planet, state = self.state.planets[self.seat], self.state
        markers: list[MarkerChange] = []
        for partner, (export, import_) in self.markers.items():
            if export != state.promise[planet][partner]:
                markers.append(MarkerChange(planet, partner, export))
            if import_ != state.promise[partner][planet]:
                markers.append(MarkerChange(partner, planet, import_))
        fees = [Payment(self.seat, seat_of(state, s.partner), s.fee) for s in self.steps if s.fee]
        return Changes(credits=tuple(fees), markers=tuple(markers))


def _check_two_players(state: State, partner: Colour) -> None:
    """Raise Rejected for a neutral planet: agreements with it move bilaterally only (CLN-160)."""
    if is_neutral(state, partner):
        raise Rejected(
            "neutral_bilateral_only", "Agreements with a neutral planet move bilaterally: choose such a step."
        )


def _check_room(before: tuple[int, int], after: tuple[int, int], highest: int) -> None:
    """Raise Rejected unless markers stay between 1 and the maximum (CLN-113)."""
    if max(a for a, b in zip(after, before, strict=True) if a != b) > highest:
        raise Rejected(
            "marker_at_maximum", "A marker of this agreement is at its maximum: choose another step."
        )
    if min(after) < BOARD.lowest_marker:
        raise Rejected(
            "marker_at_minimum", "A marker of this agreement is at its minimum: choose another step."
        )


def _check_fee(fee: int, credits: int) -> None:
    """Raise Rejected unless the player can pay for a unilateral step: 1 € at once (CLN-110)."""
    if fee > credits:
        raise Rejected(
            "insufficient_credits",
            "A unilateral step costs 1 € that you do not have: choose a bilateral one.",
        )


def move_marker(markers: tuple[int, int], kind: StepKind, marker: Marker | None) -> tuple[int, int]:
    """Return export and import after one step (CLN-109, CLN-111)."""
    change = 1 if kind in ("bilateral_advancement", "unilateral_advancement") else -1
    export, import_ = markers
    return export + change * (marker != "import"), import_ + change * (marker != "export")


def plan(state: State, seat: Seat, command: TradeNegotiations, level: int) -> TradeAgreementsAdjusted:
    """Return the fact of agreements adjusted step by step (CLN-106 to CLN-116, CLN-160)."""
    check_steps(command.steps)
    if not command.steps:
        raise empty_action()
    table = _Table(state, seat, level, state.credits[seat])
    for step in command.steps:
        table.take(step)
    return TradeAgreementsAdjusted(seat, state.action_round, tuple(table.steps), table.changes(), table.used)


def _is_possible(state: State, seat: Seat, steps: tuple[AgreementStep, ...], level: int) -> bool:
    try:
        plan(state, seat, TradeNegotiations(steps), level)
    except Rejected:
        return False
    return True


def _plans(state: State, seat: Seat, level: int) -> Iterator[tuple[AgreementStep, ...]]:
    """Yield the same step with several partners, the largest groups first, then repeated with one."""
    partners = CLOCKWISE[state.planets[seat]]
    for kind, marker in MOVES:
        steps = [AgreementStep(partner, kind, marker) for partner in partners]
        for size in range(min(level, len(steps)), 0, -1):
            yield from combinations(steps, size)
    for kind, marker in MOVES[:3]:
        for partner in partners:
            for times in (3, 2):
                yield (AgreementStep(partner, kind, marker),) * times


def every(state: State, seat: Seat, level: int) -> Iterator[Command]:
    """Yield all negotiations by their effect; where they can be listed, single steps first."""
    found = list(islice(_every(state, seat, level), LISTED + 1))
    yield from map(TradeNegotiations, sorted(found, key=_plainness))


def _plainness(steps: tuple[AgreementStep, ...]) -> tuple[int, list[int]]:
    return len(steps), [MOVES.index((step.kind, step.marker)) for step in steps]


def _every(state: State, seat: Seat, level: int) -> Iterator[tuple[AgreementStep, ...]]:
    """Yield all combinations of steps, first those with one step on each agreement."""
    partners = CLOCKWISE[state.planets[seat]]
    once = [_ways_with(state, seat, partner, 1) for partner in partners]
    yield from filter(None, _spread_steps(once, level, state.credits[seat]))
    most = _count_most_steps(level)
    if most < 2:
        return
    more = [_ways_with(state, seat, partner, most) for partner in partners]
    for way in _spread_steps(more, level, state.credits[seat]):
        if len({step.partner for step in way}) < len(way):
            yield way


def _count_most_steps(level: int) -> int:
    """Return the number of steps on one agreement that the points allow: they cost 1, 2, 3 ..."""
    steps = 0
    while (steps + 1) * (steps + 2) // 2 <= level:
        steps += 1
    return steps


def _ways_with(state: State, seat: Seat, partner: Colour, most: int) -> list[_Way]:
    """Return the choices for one agreement in up to *most* steps, first nothing; each effect once."""
    planet = state.planets[seat]
    start = state.promise[planet][partner], state.promise[partner][planet]
    moves = [move for move in MOVES if move[1] is None or not is_neutral(state, partner)]
    bounds = range(BOARD.lowest_marker, state.options.trade_agreement_max + 1)
    found = {(start, 0, 0): _Way(0, 0, ())}
    latest = list(found.items())
    for cost in range(1, most + 1):
        following = []
        for (markers, _, _), way in latest:
            for kind, marker in moves:
                after = move_marker(markers, kind, marker)
                fee = way.fee + (BOARD.unilateral_fee if marker else 0)
                if all(each in bounds for each in after) and (after, cost, fee) not in found:
                    steps = (*way.steps, AgreementStep(partner, kind, marker))
                    found[after, cost, fee] = _Way(way.cost + cost, fee, steps)
                    following.append(((after, cost, fee), found[after, cost, fee]))
        latest = following
    return list(found.values())


def _spread_steps(
    each: Sequence[Sequence[_Way]], points: int, credits: int
) -> Iterator[tuple[AgreementStep, ...]]:
    """Yield one way with every partner, as far as points and Credits go."""
    if not each:
        yield ()
        return
    for way in each[0]:
        if way.cost <= points and way.fee <= credits:
            for others in _spread_steps(each[1:], points - way.cost, credits - way.fee):
                yield (*way.steps, *others)


def plainest(state: State, seat: Seat, level: int) -> Iterator[Command]:
    """Yield all single steps, and the plainest combinations."""
    possible = [steps for steps in _plans(state, seat, level) if _is_possible(state, seat, steps, level)]
    single = [steps for steps in possible if len(steps) == 1]
    several = [steps for steps in possible if len(steps) > 1]
    for steps in (*single, *choose_evenly(several, LISTED - len(single), _aim)):
        yield TradeNegotiations(steps)


def _aim(steps: tuple[AgreementStep, ...]) -> tuple[StepKind, Marker | None]:
    """Return the kind of the first step and its marker: each kind has its share of a list that is cut."""
    return steps[0].kind, steps[0].marker


def sample(state: State, seat: Seat, level: int, chance: Chance) -> Command | None:
    """Return random steps, as many as chance and points allow."""
    partners = CLOCKWISE[state.planets[seat]]
    table = _Table(state, seat, level, state.credits[seat])
    taken: list[AgreementStep] = []
    for _ in range(chance.pick(range(1, level + 3))):
        kind, marker = chance.pick(MOVES)
        step = AgreementStep(chance.pick(partners), kind, marker)
        try:
            table.take(step)
        except Rejected:
            continue
        taken.append(step)
    return TradeNegotiations(tuple(taken)) if taken else None


def label(_state: State, _seat: Seat, command: TradeNegotiations) -> str:
    """Return the button text: the steps, and the fees for those that are unilateral."""
    fees = sum(BOARD.unilateral_fee for step in command.steps if step.marker)
    counts = Counter(command.steps)
    steps = "; ".join(words.step(msgspec.to_builtins(step), times) for step, times in counts.items())
    return f"Negotiate {steps}" + (f" (fee {fees} €)" if fees else "")


INFLUENCE = ActionKind(TradeNegotiations, plan, every, sample, label, plainest)
