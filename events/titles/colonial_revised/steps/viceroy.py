"""The Viceroy sends counters to one Territory, or takes counters back from one."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import tables
from events.titles.colonial_revised.derived import controllers, counters
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.cards import play
from events.titles.colonial_revised.steps.checks import (
    at_least_one,
    can_pay,
    economy_allows,
    explored,
    inside,
    merged,
    placed,
    territory_number,
    within_logistics,
)
from events.titles.colonial_revised.steps.settlement import (
    check_colony,
    check_independence,
    control_after_placing,
    control_after_removal,
    lift_america,
)
from events.titles.colonial_revised.steps.unrest import place_markers


def most_to_send(state: State, seat: int, territory: int) -> int:
    """How many counters he may send there: Logistics, or 1 as a guest without counters (REV-246, REV-247)."""
    owner = state.territories[territory].colony_owner
    if owner is None or owner == seat:
        return state.players[seat].logistics
    return 0 if counters(state, seat, territory) else 1


def send_counters(draft: Draft[State], seat: int, command: c.SendCounters, chance: Chance) -> None:
    """Treasury to spaces; control per space, then Unrest (REV-245 to REV-249)."""
    territory, counts = territory_number(command.territory), merged(command.placements)
    state, sent = draft.state, sum(counts.values())
    player = state.players[seat]
    at_least_one(sent)
    explored(state, territory)
    within_logistics(player, sent)
    if sent > most_to_send(state, seat, territory):
        raise Rejected(
            "colony_access",
            "To another player's Colony send one counter, and only while you have none there.",
        )
    economy_allows(player, counts)
    inside(territory, counts)
    can_pay(player, sent)
    play(draft, seat, "viceroy")
    draft.emit(f.CountersSent(seat=seat, territory=command.territory, placements=placed(counts)))
    control_after_placing(draft, state, seat, counts)
    place_markers(draft, territory, tables.sent_unrest(sent), "viceroy")
    lift_america(draft, seat, territory)


def recall_counters(draft: Draft[State], seat: int, command: c.RecallCounters, chance: Chance) -> None:
    """Counters back to the Treasury; Colonies and Territories may fall free (REV-250)."""
    territory, counts = territory_number(command.territory), merged(command.removals)
    state, taken = draft.state, sum(counts.values())
    at_least_one(taken)
    within_logistics(state.players[seat], taken)
    inside(territory, counts)
    if any(state.piles[space].count(seat) < count for space, count in counts.items()):
        raise Rejected(
            "not_enough_counters", "You have fewer counters there: take back at most what you have."
        )
    play(draft, seat, "viceroy")
    draft.emit(f.CountersRecalled(seat=seat, territory=command.territory, removals=placed(counts)))
    control_after_removal(draft, controllers(state), counts)
    check_colony(draft, territory)
    check_independence(draft, territory)
