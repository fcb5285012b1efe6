"""The Missionary."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import tables
from events.titles.colonial_revised.derived import counters, native_power
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.cards import play
from events.titles.colonial_revised.steps.checks import explored, territory_number


def place_mission(draft: Draft[State], seat: int, command: c.PlaceMission, chance: Chance) -> None:
    """1 Mission where he has a counter, up to the limit of the Territory (REV-200, REV-201)."""
    state, territory = draft.state, territory_number(command.territory)
    explored(state, territory)
    if not counters(state, seat, territory):
        raise Rejected("no_own_counter", "You have no counter there: name a Territory where you have one.")
    if state.territories[territory].missions >= tables.mission_limit(native_power(state, territory)):
        raise Rejected("mission_limit", "That Territory holds no further Mission: name another.")
    play(draft, seat, "missionary")
    total = state.players[seat].missions_placed + 1
    draft.emit(f.MissionPlaced(seat=seat, territory=command.territory, placed_total=total))
