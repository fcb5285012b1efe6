"""The end of a war: tallies, the promised sums, counters that go home, control (REV-345 to REV-353)."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.checks import make_space_counts
from events.titles.colonial_revised.data import SPACE_COUNT, TERRITORIES
from events.titles.colonial_revised.derived import belligerents, fleet_of, members
from events.titles.colonial_revised.state import ATTACKER, DEFENDER, RUNNING, State, War, require
from events.titles.colonial_revised.steps.settlement import control_after_removal, move_diplomacy, settle


def end_war(draft: Draft[State], result: str, reason: str) -> None:
    """Everything that a war settles, in the order of REV-353, then the Escalation (REV-360)."""
    war = require(draft.state.war)
    draft.emit(_outcome(draft.state, war, result, reason))
    if result == "attacker_won":
        move_diplomacy(draft, war.defender, +1, "war_lost")
    _pay_allies(draft, war)
    _return_counters(draft, war)
    control_after_removal(draft, war.controllers, range(SPACE_COUNT))
    settle(draft)
    if draft.state.status == RUNNING:
        order = tuple(reversed(draft.state.order))
        draft.emit(f.EscalationStarted(order=order, belligerents=belligerents(war)))


def _outcome(state: State, war: War, result: str, reason: str) -> f.WarEnded:
    """+1 to the winner; -1 to the Attacker, to the Defender if not weaker (REV-345 to REV-348)."""
    if result == "undecided":
        return f.WarEnded(result, None, None, reason, 0, 0)
    if result == "defender_won":
        return f.WarEnded(result, war.defender, war.attacker, reason, 1, -1)
    stood = fleet_of(state, war, DEFENDER) >= fleet_of(state, war, ATTACKER)
    return f.WarEnded(result, war.attacker, war.defender, reason, 1, -1 if stood else 0)


def _pay_allies(draft: Draft[State], war: War) -> None:
    """Pay the Allies, also one who gave up (REV-351)."""
    for payer, ally, amount in (
        (war.attacker, war.attacker_ally, war.attacker_offer),
        (war.defender, war.defender_ally, war.defender_offer),
    ):
        if ally is not None and amount:
            draft.emit(f.AllianceSumPaid(from_=payer, to=ally, amount=amount))


def _return_counters(draft: Draft[State], war: War) -> None:
    """Counters of belligerents still in the war leave the Colonies of the other side (REV-352)."""
    sides = members(war, ATTACKER), members(war, DEFENDER)
    for territory, land in enumerate(draft.state.lands):
        for own, other in (sides, sides[::-1]):
            if land.colony_owner in other:
                for seat in own:
                    _return_from(draft, territory, seat)


def _return_from(draft: Draft[State], territory: int, seat: int) -> None:
    state = draft.state
    counts = {
        space: count for space in TERRITORIES[territory].spaces if (count := state.piles[space].count(seat))
    }
    if counts:
        total = sum(counts.values())
        draft.emit(f.CountersReturned(seat, TERRITORIES[territory].id, total, make_space_counts(counts)))
