"""What a seat may know: everything but the sealed answers of others, with what follows from it."""

from __future__ import annotations

from events.fact import Json
from events.titles.colonial_revised import tables
from events.titles.colonial_revised.data import CONSTANTS, SPACES, TERRITORIES
from events.titles.colonial_revised.derived import (
    america_penalty,
    city_values_free,
    colonies,
    controllers,
    counters,
    deployed,
    fleet_limit,
    native_power,
    net_pp,
    privateers_in_box,
    resources,
    standings,
    trade_limit,
)
from events.titles.colonial_revised.position import builtins, land_json, player_json, position
from events.titles.colonial_revised.state import SOURCES, Standing, State
from events.titles.colonial_revised.steps.explorer import target_number
from events.titles.colonial_revised.steps.sovereign import war_targets


def view(state: State, seat: int | None) -> Json:
    """The position as this seat sees it (None: a spectator), with limits and previews."""
    data = position(state)
    del data["prestige"]
    data["you"] = seat
    now = standings(state)
    data["players"] = [_player(state, other, seat, now[other]) for other in range(state.seats)]
    data["territories"] = {place.id: _territory(state, place.number) for place in TERRITORIES}
    data["city_markers_available"] = list(city_values_free(state))
    data["end_roll_threshold"] = tables.end_threshold(state.turn, state.options.end_roll_bonus)
    data["diversity_needed"] = tables.diversity_needed(state.seats)
    _seal(data, state, seat)
    return data


def _player(state: State, seat: int, viewer: int | None, now: Standing) -> Json:
    player = state.players[seat]
    data = player_json(player)
    chosen = data.pop("set_aside_choice")
    data["set_aside_chosen"] = chosen is not None
    if seat == viewer:
        data["set_aside_choice"] = chosen
    data |= {
        "prestige": {source: getattr(now, source) for source in SOURCES},
        "monopolies": list(now.monopolies),
        "prestige_points": player.standing.total,
        "loan_penalty": tables.penalty(player.loans),
        "net_prestige": net_pp(player),
        "interest_next": tables.interest(player.loans),
        "maintenance": tables.maintenance(player.squadrons),
        "resources_controlled": resources(state, seat),
        "colonies": [TERRITORIES[t].id for t in colonies(state, seat)],
        "colony_markers_left": CONSTANTS.colony_markers - len(colonies(state, seat)),
        "fleet_limit": fleet_limit(state, seat),
        "trade_limit": trade_limit(state, seat),
        "privateers_deployed": deployed(player),
        "privateers_in_box": privateers_in_box(state, seat),
        "war_targets": list(war_targets(state, seat)),
    }
    return data


def _territory(state: State, territory: int) -> Json:
    data = land_json(state, territory)
    land, power = state.territories[territory], native_power(state, territory)
    control = controllers(state)
    colony = land.colony_owner is not None
    seats = range(state.seats)
    data |= {
        "native_power": power,
        "controllers": {SPACES[s].resource: control[s] for s in TERRITORIES[territory].spaces},
        "counters": [counters(state, seat, territory) for seat in seats],
        "mission_limit": tables.mission_limit(power),
        "rebellion_dice": (power if colony else tables.half_up(power)) * land.unrest,
        "colony_minimum": tables.half_up(TERRITORIES[territory].native_power),
        "exploration_targets": []
        if land.explored
        else [target_number(state, seat, territory) for seat in seats],
        "america_penalties": [america_penalty(state, seat, territory) for seat in seats],
    }
    return data


def _seal(data: Json, state: State, seat: int | None) -> None:
    """Sealed answers of others are left out until all are in (RUL-14, RUL-15)."""
    if state.shipment and state.shipment.step == "answer":
        own = state.shipment.answers
        data["shipment"]["answers"] = [builtins(a) if other == seat else None for other, a in enumerate(own)]
    if state.trade and state.trade.step == "answer":
        data["trade"]["answers"] = [
            a if other == seat else None for other, a in enumerate(state.trade.answers)
        ]
    if state.war and state.war.step == "choice":
        data["war"]["choices"] = [a if other == seat else None for other, a in enumerate(state.war.choices)]
