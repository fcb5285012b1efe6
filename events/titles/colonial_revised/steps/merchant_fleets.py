"""Phase 2: Merchant Fleets."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.derived import fleet_limit
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.checks import can_pay
from events.titles.colonial_revised.steps.settlement import settle


def can_build(state: State, seat: int) -> bool:
    """Whether the limit and the Treasury allow any (REV-030)."""
    return state.players[seat].spendable > 0 and fleet_limit(state, seat) > 0


def build_merchant_fleets(
    draft: Draft[State], seat: int, command: c.BuildMerchantFleets, chance: Chance
) -> None:
    """Treasury into Merchant Fleets, up to the limit (REV-030 to REV-033)."""
    limit = fleet_limit(draft.state, seat)
    if command.count > limit:
        raise Rejected("over_fleet_limit", f"Your Monopolies and Resources allow at most {limit} fleets.")
    can_pay(draft.state.players[seat], command.count)
    draft.emit(f.MerchantFleetsBuilt(seat=seat, count=command.count))
    settle(draft)
