"""Phase 4: maintenance of the Squadrons, then building."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import tables
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.checks import can_pay
from events.titles.colonial_revised.steps.settlement import settle


def maintenance_due(state: State, seat: int) -> bool:
    """Whether the player whose turn it is has still to pay (REV-040)."""
    return not state.maintenance_paid and tables.maintenance(state.players[seat].squadrons) > 0


def pay_maintenance(draft: Draft[State], seat: int) -> None:
    """Compulsory; who cannot pay keeps the largest fleet that he can (REV-040, REV-041)."""
    player = draft.state.players[seat]
    kept = tables.affordable_squadrons(player.squadrons, max(0, player.spendable))
    draft.emit(
        f.MaintenancePaid(
            seat=seat, amount=tables.maintenance(kept), squadrons_scrapped=player.squadrons - kept
        )
    )


def build_squadrons(draft: Draft[State], seat: int, command: c.BuildSquadrons, chance: Chance) -> None:
    """Treasury into Naval Forces, at most the Navy level (REV-042)."""
    player = draft.state.players[seat]
    if command.count > player.navy:
        raise Rejected("over_navy_limit", f"Your Navy allows at most {player.navy} Squadrons a turn.")
    can_pay(player, command.count)
    draft.emit(f.SquadronsBuilt(seat=seat, count=command.count))
    settle(draft)
