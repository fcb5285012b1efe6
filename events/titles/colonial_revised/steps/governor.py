"""The Governor founds the Booming City."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import INVALID_PARAMETERS, Command, Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import can_pay, territory_number
from events.titles.colonial_revised.data import TABLES, TERRITORIES
from events.titles.colonial_revised.derived import city_values_free, colonies, find_booming_territory
from events.titles.colonial_revised.offers import pick
from events.titles.colonial_revised.state import Player, State
from events.titles.colonial_revised.steps.cards import Character, character, use


def found_city(draft: Draft[State], seat: int, command: c.FoundCity) -> None:
    """A new Booming City in an own Colony; the former one becomes a Relevant City (REV-185 to REV-190)."""
    state, territory, value = draft.state, territory_number(command.territory), command.value
    player, old = state.players[seat], find_booming_territory(state)
    if value not in TABLES.city_values:
        raise Rejected(INVALID_PARAMETERS, f"The City markers are {', '.join(map(str, TABLES.city_values))}.")
    if state.lands[territory].colony_owner != seat:
        raise Rejected("not_your_colony", "Cities are founded in your own Colonies: name one of them.")
    if old == territory:
        raise Rejected("already_booming_city", "That Colony holds the Booming City: name another Colony.")
    _check_value(state, player, value)
    _check_marker(state, value)
    can_pay(player, value)
    use(draft, seat, "governor")
    draft.emit(f.BoomingCityFounded(seat=seat, territory=command.territory, value=value))
    if old is not None and state.booming_city is not None:
        draft.emit(f.CityBecameRelevant(territory=TERRITORIES[old].id, value=state.booming_city))


# --- offers --------------------------------------------------------------------------------------


def _check_value(state: State, player: Player, value: int) -> None:
    """Check that the value is above the Booming City's and within Economy (REV-187)."""
    if value <= (state.booming_city or 0):
        raise Rejected("value_not_higher", f"Choose a value above {state.booming_city}.")
    if value > player.economy:
        raise Rejected("above_economy", f"Your Economy is {player.economy}: choose at most that value.")


def _check_marker(state: State, value: int) -> None:
    """Check that the marker, which exists once, is not on the map (REV-188)."""
    if value not in city_values_free(state):
        raise Rejected("city_marker_unavailable", "That marker is on the map: choose another value.")


def cities(state: State, seat: int) -> tuple[tuple[int, int], ...]:
    """Territory and value of every Booming City that the Governor can found (REV-185 to REV-188)."""
    player, booming = state.players[seat], find_booming_territory(state)
    most = min(player.economy, player.spendable)
    values = [v for v in city_values_free(state) if (state.booming_city or 0) < v <= most]
    return tuple((t, v) for t in colonies(state, seat) if t != booming for v in values)


def _offers(state: State, seat: int) -> Iterator[c.FoundCity]:
    for place, value in cities(state, seat):
        yield c.FoundCity(TERRITORIES[place].id, value)


def _label(_state: State, _seat: int, command: c.FoundCity) -> str:
    place = w.territory_name(command.territory)
    return f"Governor: Booming City of value {command.value} in {place} for {command.value} T, {w.points(1)}"


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    options = cities(state, seat)
    if not options:
        return None
    place, value = pick(chance, options)
    return c.FoundCity(TERRITORIES[place].id, value)


FOUND_CITY = character("governor", c.FoundCity, take=found_city, legal=_offers, label=_label)
GOVERNOR = Character("governor", (FOUND_CITY,), _sample)
