"""Estimates of how a war might end: simulated with the real rules from what a seat may know."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from events.rules.chance import Chance
from events.rules.fact import Fact, Seat
from events.rules.steps import Draft, Rejected
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.checks import require_seat
from events.titles.colonial_revised.data import CARD_OF, TERRITORIES
from events.titles.colonial_revised.derived import counters
from events.titles.colonial_revised.state import RUNNING, Action, State, War, controllers
from events.titles.colonial_revised.steps.order import find_steps, follow
from events.titles.colonial_revised.steps.sovereign import war_targets


def odds(state: State, seat: Seat, target: Seat, simulations: int, chance: Chance) -> dict[str, Any]:
    """Count how often a war of *seat* on *target*, begun now, ends in each way; all values are counts.

    Nobody has an Ally, sends an expedition or surrenders; casualties are the default ones. ``allowed`` tells
    whether Diplomacy permits the declaration.
    """
    require_seat(state, seat)
    require_seat(state, target)
    if seat == target:
        raise Rejected("self_target", "Name another player.")
    begun = suppose_war(state, seat, target)
    ends: Counter[str] = Counter()
    years: Counter[int] = Counter()
    lost: Counter[str] = Counter(
        {
            f"{side}_{kind}": 0
            for side in ("attacker", "defender")
            for kind in ("squadrons", "fleets", "counters")
        }
    )
    for _ in range(max(1, simulations)):
        facts = fight(begun, chance)
        end = facts[-1].winner  # type: ignore[attr-defined]
        ends["draw" if end is None else "victory" if end == seat else "defeat"] += 1
        years[sum(isinstance(fact, f.WarYearBegan) for fact in facts)] += 1
        for who, kind, count in _losses(facts):
            lost[f"{'attacker' if who == seat else 'defender'}_{kind}"] += count
    return {
        "attacker": seat,
        "defender": target,
        "allowed": target in war_targets(state, seat),
        "shared_territories": [
            place.id
            for place in TERRITORIES
            if counters(state, seat, place.number) and counters(state, target, place.number)
        ],
        "simulations": max(1, simulations),
        **{end: ends[end] for end in ("victory", "defeat", "draw")},
        "years": {str(year): years[year] for year in sorted(years)},
        "losses": {name: lost[name] for name in sorted(lost)},
    }


def suppose_war(state: State, seat: int, target: int) -> State:
    """The state as if *seat* had just declared war and nobody else took part."""
    choices = tuple(None if other in (seat, target) else "none" for other in range(state.seats))
    return replace(
        state,
        status=RUNNING,
        phase="endeavour",
        place=state.order.index(seat),
        action=Action(seat, CARD_OF["sovereign"], "sovereign"),
        exploration=None,
        shipment=None,
        trade=None,
        rebellion=None,
        unrest_left=(),
        escalation=None,
        privateer_war=None,
        war=War(seat, target, "fight", controllers=controllers(state), choices=choices),
    )


def fight(state: State, chance: Chance) -> list[Fact]:
    """Return the facts of one war to its end, with the default choices."""
    facts: list[Fact] = []
    while True:
        step = find_steps(state)[0]
        seat = next(iter(step.asked(state)))
        draft = Draft(state, chance)
        step.moves[0].take(draft, seat, step.default(state, seat))
        if not any(isinstance(fact, f.WarEnded) for fact in draft.facts):
            follow(draft)
        state = draft.state
        for fact in draft.facts:
            facts.append(fact)
            if isinstance(fact, f.WarEnded):
                return facts


def _losses(facts: list[Fact]) -> list[tuple[int, str, int]]:
    """Return what was lost in a war, as (seat, kind, number)."""
    found: list[tuple[int, str, int]] = []
    for fact in facts:
        if isinstance(fact, f.CasualtiesTaken):
            found += [(loss.seat, "counters", loss.count) for loss in fact.losses]
        elif isinstance(fact, f.NavalBattleFought):
            found += [(entry.seat, "squadrons", entry.count) for entry in fact.squadrons_lost]
            found += [(entry.seat, "fleets", entry.count) for entry in fact.merchant_fleets_lost]
    return found
