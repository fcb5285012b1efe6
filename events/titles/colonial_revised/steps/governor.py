"""The Governor founds the Booming City."""

from __future__ import annotations

from events.chance import Chance
from events.steps import INVALID_PARAMETERS, Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import TABLES, TERRITORIES
from events.titles.colonial_revised.derived import booming_territory, city_values_free
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.cards import play
from events.titles.colonial_revised.steps.checks import can_pay, territory_number


def found_city(draft: Draft[State], seat: int, command: c.FoundCity, chance: Chance) -> None:
    """A new Booming City in an own Colony; the former one becomes a Relevant City (REV-185 to REV-190)."""
    state, territory, value = draft.state, territory_number(command.territory), command.value
    player, old = state.players[seat], booming_territory(state)
    if value not in TABLES.city_values:
        raise Rejected(INVALID_PARAMETERS, f"The City markers are {', '.join(map(str, TABLES.city_values))}.")
    if state.territories[territory].colony_owner != seat:
        raise Rejected("not_your_colony", "Cities are founded in your own Colonies: name one of them.")
    if old == territory:
        raise Rejected("already_booming_city", "That Colony holds the Booming City: name another Colony.")
    if value <= (state.booming_city or 0):
        raise Rejected("value_not_higher", f"Choose a value above {state.booming_city}.")
    if value > player.economy:
        raise Rejected("above_economy", f"Your Economy allows at most the value {player.economy}.")
    if value not in city_values_free(state):
        raise Rejected("city_marker_unavailable", "That marker is on the map: choose another value.")
    can_pay(player, value)
    play(draft, seat, "governor")
    draft.emit(f.BoomingCityFounded(seat=seat, territory=command.territory, value=value))
    if old is not None and state.booming_city is not None:
        draft.emit(f.CityBecameRelevant(territory=TERRITORIES[old].id, value=state.booming_city))
