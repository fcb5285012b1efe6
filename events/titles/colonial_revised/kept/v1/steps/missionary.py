"""The Missionary."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Rejected
from events.titles.colonial_revised.kept.v1 import commands as c
from events.titles.colonial_revised.kept.v1 import facts as f
from events.titles.colonial_revised.kept.v1 import words as w
from events.titles.colonial_revised.kept.v1.checks import is_explored, territory_number
from events.titles.colonial_revised.kept.v1.data import TERRITORIES
from events.titles.colonial_revised.kept.v1.derived import counters, list_territories_of, mission_limit, native_power
from events.titles.colonial_revised.kept.v1.offers import pick
from events.titles.colonial_revised.kept.v1.state import State
from events.titles.colonial_revised.kept.v1.steps.cards import Character, character, use


def place_mission(draft: Draft[State], seat: int, command: c.PlaceMission) -> None:
    """Place 1 Mission where the seat has a counter, up to the Territory's limit (REV-200, REV-201)."""
    state, territory = draft.state, territory_number(command.territory)
    is_explored(state, territory)
    if not counters(state, seat, territory):
        raise Rejected("no_own_counter", "You have no counter there: name a Territory where you have one.")
    if state.lands[territory].missions >= mission_limit(native_power(state, territory)):
        raise Rejected("mission_limit", "That Territory holds no further Mission: name another.")
    use(draft, seat, "missionary")
    total = state.players[seat].missions_placed + 1
    draft.emit(f.MissionPlaced(seat=seat, territory=command.territory, placed_total=total))


# --- offers --------------------------------------------------------------------------------------


def mission_sites(state: State, seat: int) -> tuple[int, ...]:
    """Return the Territories where the Missionary can place a Mission (REV-200, REV-201)."""
    return tuple(
        t
        for t in list_territories_of(state, seat)
        if state.lands[t].explored and state.lands[t].missions < mission_limit(native_power(state, t))
    )


def _offers(state: State, seat: int) -> Iterator[c.PlaceMission]:
    for place in mission_sites(state, seat):
        yield c.PlaceMission(TERRITORIES[place].id)


def _label(_state: State, _seat: int, command: c.PlaceMission) -> str:
    return f"Missionary: Mission in {w.territory_name(command.territory)}"


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    sites = mission_sites(state, seat)
    return c.PlaceMission(TERRITORIES[pick(chance, sites)].id) if sites else None


PLACE_MISSION = character("missionary", c.PlaceMission, take=place_mission, legal=_offers, label=_label)
MISSIONARY = Character("missionary", (PLACE_MISSION,), _sample)
