"""Estimates of how a war might end: simulated with the real rules from what a seat may know."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import RerollSeaDice
from events.titles.colonial.data import RULES
from events.titles.colonial.derived import list_shared_territories
from events.titles.colonial.state import Loan, State, War
from events.titles.colonial.steps.endeavour import sovereign, war
from events.titles.colonial.steps.order import WAR


def odds(state: State, seat: Seat, target: Seat, simulations: int, chance: Chance) -> dict[str, Any]:
    """Count how often a war of *seat* on *target*, begun now, ends in each way; all values are counts.

    Nobody surrenders before :attr:`Rules.patience` years, casualties are the default ones, Great Britain
    re-rolls a result below the average. ``allowed`` tells whether Diplomacy permits the declaration.
    """
    checks.require_seat(state, seat)
    checks.require_seat(state, target)
    if seat == target:
        raise Rejected("target_is_self", "Name another player.")
    begun = suppose_war(state, seat, target)
    ends: Counter[str] = Counter()
    years: Counter[int] = Counter()
    lost: Counter[str] = Counter()
    for _ in range(max(1, simulations)):
        end, after = fight(begun, chance)
        ends["draw" if end.winner is None else "victory" if end.winner == seat else "defeat"] += 1
        years[end.years] += 1
        for who, name in ((seat, "attacker"), (target, "defender")):
            lost[f"{name}_squadrons"] += begun.players[who].squadrons - after.players[who].squadrons
            lost[f"{name}_fleets"] += begun.players[who].merchant_fleets - after.players[who].merchant_fleets
            lost[f"{name}_counters"] += _counters(begun, who) - _counters(after, who)
    return {
        "attacker": seat,
        "defender": target,
        "allowed": sovereign.may_attack(state, seat, target),
        "shared_territories": list(list_shared_territories(state, seat, target)),
        "simulations": max(1, simulations),
        **{end: ends[end] for end in ("victory", "defeat", "draw")},
        "years": {str(year): years[year] for year in sorted(years)},
        "losses": {name: lost[name] for name in sorted(lost)},
    }


def suppose_war(state: State, seat: int, target: int) -> State:
    """The state as if *seat* had just declared war. Loans keep everybody from winning meanwhile."""
    debt = (Loan(0, 1),)
    return replace(
        state,
        status="running",
        winner=None,
        phase="endeavour",
        round=1,
        active=seat,
        played="sovereign",
        action=None,
        war=War(seat, target),
        players=tuple(replace(player, loans=debt) for player in state.players),
        programmes=(RULES.default_row,) * state.seats,
    )


def fight(state: State, chance: Chance) -> tuple[f.WarEnded, State]:
    """One war to its end with simple choices."""
    while True:
        step = WAR[war.the_war(state).step]
        seat = next(iter(step.asked(state)))
        draft = Draft(state, chance)
        step.moves[0].take(draft, seat, _choice(step, state, seat))
        state = draft.state
        for fact in draft.facts:
            if isinstance(fact, f.WarEnded):
                return fact, state


def _choice(step: Step[State], state: State, seat: Seat | None) -> Command:
    fighting = war.the_war(state)
    if step is war.REROLL_SEA_DICE and fighting.sea and seat is not None:
        rolled = fighting.sea[war.sides(fighting).index(seat)]
        return RerollSeaDice(reroll=3 * sum(rolled) < len(rolled))
    return step.default(state, seat)


def _counters(state: State, seat: int) -> int:
    return sum(pile.count(seat) for pile in state.piles)
