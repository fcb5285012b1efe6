"""Merchant Fleets are bought (COL-04-15)."""

from __future__ import annotations

from events.rules.fact import Seat
from events.rules.steps import Move, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.commands import BuyMerchantFleets
from events.titles.colonial.derived import list_acting
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import State
from events.titles.colonial.steps.later_phases.purchases import find_most, label, limit, open_phase


def buy_merchant_fleets(draft: Draft, seat: Seat, command: BuyMerchantFleets) -> None:
    """Buy Merchant Fleets, at most one a Monopoly (COL-04-15)."""
    allowed = limit(draft.state, seat, "merchant_fleets")
    if command.amount > allowed:
        raise Rejected("too_many_fleets", f"Each Monopoly allows one Merchant Fleet; buy at most {allowed}.")
    checks.can_pay(draft.state.players[seat], command.amount)
    draft.emit(f.MerchantFleetsBought(seat, command.amount, allowed))
    open_phase(draft, "merchant_fleets", seat)


BUY_MERCHANT_FLEETS = Step[State](
    kind="buy_merchant_fleets",
    asked=list_acting,
    moves=(
        Move(
            command=BuyMerchantFleets,
            take=buy_merchant_fleets,
            legal=lambda state, seat: (
                BuyMerchantFleets(amount)
                for amount in range(find_most(state, seat, "merchant_fleets"), -1, -1)
            ),
            label=lambda _state, _seat, command: label(command.amount, "Merchant Fleet"),
        ),
    ),
    default=lambda _state, _seat: BuyMerchantFleets(0),
)
