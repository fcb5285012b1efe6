"""The fold: how each fact changes the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.fact import Fact
from events.kit.values import without
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.fold import deals, lands, sequence, war
from events.titles.colonial_revised.state import State, sure


def decision_skipped(s: State, e: f.DecisionSkipped) -> State:
    """What follows where a seat has nothing to decide."""
    return SKIP[e.decision](s, e)


def _unchanged(s: State, e: f.DecisionSkipped) -> State:
    return s


def _no_averting(s: State, e: f.DecisionSkipped) -> State:
    awaiting = without(sure(s.rebellion).awaiting, [e.seat])
    return replace(s, rebellion=replace(sure(s.rebellion), awaiting=awaiting))


def _no_attack(s: State, e: f.DecisionSkipped) -> State:
    awaiting = without(sure(s.shipment).awaiting, [e.seat])
    return replace(s, shipment=replace(sure(s.shipment), awaiting=awaiting))


def _no_offer(s: State, e: f.DecisionSkipped) -> State:
    return war.war(s, step="offer_defender" if sure(s.war).step == "offer_attacker" else "choice")


def _no_volunteer(s: State, e: f.DecisionSkipped) -> State:
    return war.war(s, step="pick_defender" if sure(s.war).step == "pick_attacker" else "fight")


SKIP: dict[str, Callable[[State, f.DecisionSkipped], State]] = {
    "buy_exploration": _unchanged,
    "settle_exploration": lambda s, _e: replace(s, exploration=None),
    "confirm_shipment": _unchanged,
    "confirm_trade": _unchanged,
    "attack_merchant": _no_attack,
    "avert_losses": _no_averting,
    "enter_after_rebellion": lambda s, _e: lands.close_entry(s),
    "offer_alliance": _no_offer,
    "accept_ally": _no_volunteer,
    "send_expedition": lambda s, _e: war.war(s, step="check"),
    "buy_navy_step": war.next_in_queue,
    "buy_escalation_squadrons": war.next_in_queue,
    "play_card": sequence.place_done,
    "build_merchant_fleets": sequence.place_done,
    "build_squadrons": sequence.place_done,
    "commission_privateers": sequence.place_done,
}
"""By the decision that is skipped."""

FOLD: dict[type[Fact], Callable[[Any, Any], Any]] = {
    **sequence.FOLD,
    **lands.FOLD,
    **deals.FOLD,
    **war.FOLD,
    f.DecisionSkipped: decision_skipped,
}
FACTS: tuple[type[Fact], ...] = tuple(FOLD)
