"""The fact that a seat is not asked, since it has nothing to decide.

Play goes on as if it had declined.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from events.rules.fact import Fact, Who
from events.titles.colonial_revised.kept.v1.kit.values import remove_each
from events.titles.colonial_revised.kept.v1.changes import (
    change_rebellion,
    change_shipment,
    change_war,
    next_in_queue,
    turn_over,
)
from events.titles.colonial_revised.kept.v1.state import State, require
from events.titles.colonial_revised.kept.v1.words import Data

WHY = {
    "play_card": "has no card to play",
    "buy_exploration": "cannot pay for the shortfall",
    "settle_exploration": "can place nothing in the new Territory",
    "confirm_shipment": "was granted no foreign Goods",
    "confirm_trade": "was granted no foreign Goods",
    "attack_merchant": "finds nothing left to attack",
    "avert_losses": "cannot pay to save counters",
    "enter_after_rebellion": "cannot enter the lost Colony",
    "offer_alliance": "has nothing to offer to an Ally",
    "accept_ally": "has no volunteer",
    "send_expedition": "has no target or no Treasury for a military expedition",
    "buy_navy_step": "can buy no Navy step",
    "buy_escalation_squadrons": "can buy no Squadron",
    "build_merchant_fleets": "builds no Merchant Fleet",
    "build_squadrons": "builds no Squadron",
    "commission_privateers": "commissions no Privateers",
}


class DecisionSkipped(Fact, frozen=True):
    """A seat had nothing to decide, so it is not awaited."""

    seat: int
    decision: str
    reason: str

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"{who(data['seat'])} {WHY[data['decision']]}."

    def fold(self, state: State) -> State:
        follow = _FOLLOWS.get(self.decision)
        return follow(state, self.seat) if follow else state


def _no_averting(state: State, seat: int) -> State:
    return change_rebellion(state, awaiting=remove_each(require(state.rebellion).awaiting, [seat]))


def _no_attack(state: State, seat: int) -> State:
    return change_shipment(state, awaiting=remove_each(require(state.shipment).awaiting, [seat]))


def _no_offer(state: State, _seat: int) -> State:
    return change_war(
        state, step="offer_defender" if require(state.war).step == "offer_attacker" else "choice"
    )


def _no_volunteer(state: State, _seat: int) -> State:
    return change_war(state, step="pick_defender" if require(state.war).step == "pick_attacker" else "fight")


_FOLLOWS: dict[str, Callable[[State, int], State]] = {
    "settle_exploration": lambda state, _seat: replace(state, exploration=None),
    "attack_merchant": _no_attack,
    "avert_losses": _no_averting,
    "enter_after_rebellion": lambda state, _seat: change_rebellion(state, step="close"),
    "offer_alliance": _no_offer,
    "accept_ally": _no_volunteer,
    "send_expedition": lambda state, _seat: change_war(state, step="check"),
    "buy_navy_step": lambda state, _seat: next_in_queue(state),
    "buy_escalation_squadrons": lambda state, _seat: next_in_queue(state),
    "play_card": lambda state, _seat: turn_over(state),
    "build_merchant_fleets": lambda state, _seat: turn_over(state),
    "build_squadrons": lambda state, _seat: turn_over(state),
    "commission_privateers": lambda state, _seat: turn_over(state),
}
"""By the decision that is skipped; another fact tells what follows from the others."""
