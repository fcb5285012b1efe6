"""What a seat may know. Hidden are the cards not yet revealed and a battle's first answer; nothing else."""

from __future__ import annotations

from typing import Any

import msgspec

from events.fact import Seat
from events.kit.overseas.monopolies import monopolies_by_seat
from events.kit.values import plain, without
from events.titles.colonial.data import SPACES, TERRITORIES, WORLD
from events.titles.colonial.derived import (
    abolition,
    askable,
    capacity_left,
    circumnavigation_required,
    colonies,
    controllers,
    explored,
    loans_of,
    monopoly_counts,
    native_power,
    payments,
    ranking,
    required_successes,
    revealed_card,
    seat_name,
    shipments_left,
    shippable,
    trader_capacity,
    usable_characters,
)
from events.titles.colonial.imagine import shown
from events.titles.colonial.state import Rebelling, Selling, Shipping, State
from events.titles.colonial.steps import war

Json = dict[str, Any]


def view(state: State, seat: Seat | None) -> Json:
    """All that this seat (None: a spectator) may know."""
    return plain(
        {
            "variant": state.variant,
            "options": state.options,
            "status": state.status,
            "winner": state.winner,
            "ranking": ranking(state) if state.status == "finished" else None,
            "phase": state.phase,
            "turn": state.turn,
            "round": state.round,
            "first_player": state.first_player,
            "active": state.active,
            "played": state.played,
            "you": seat,
            "own": None if seat is None else _own(state, seat),
            "players": [_player(state, other) for other in range(state.seats)],
            "territories": [_territory(state, number, seat) for number in range(len(TERRITORIES))],
            "booming_city": state.booming_city,
            "discovery_box": state.discovery_box,
            "circumnavigation_box": state.circumnavigation_box,
            "circumnavigation_open": bool(state.circumnavigation_box),
            "america_discovered": state.america_discovered,
            "abolition": abolition(state),
            "action": _action(state),
            "war": _war(state, seat),
        }
    )


def _own(state: State, seat: int) -> Json:
    """What only this seat knows of itself, and its limits now."""
    row, player = state.programmes[seat], state.players[seat]
    price = payments(state, seat)
    return {
        "row": row,
        "set_aside": without(player.cards, row) if row else (),
        "usable_characters": usable_characters(state, seat) if state.phase == "endeavour" else (),
        "governor_payments": [price[0], price[-1]] if price else None,
        "circumnavigation_required": circumnavigation_required(state, seat),
        "may_attack": [
            other
            for other, rival in enumerate(state.players)
            if other != seat and rival.diplomacy <= player.diplomacy
        ],
    }


def _player(state: State, seat: int) -> Json:
    player = state.players[seat]
    row = state.programmes[seat]
    held = monopolies_by_seat(WORLD, controllers(state), state.seats)[seat]
    return {
        "seat": seat,
        "name": seat_name(state, seat),
        "colour": player.colour,
        "nation": player.nation,
        "treasury": player.treasury,
        "fleets": player.fleets,
        "squadrons": player.squadrons,
        "prestige": player.prestige,
        "market": player.market,
        "loans": player.loans,
        "debt": loans_of(player),
        "seafaring": player.seafaring,
        "navy": player.navy,
        "logistics": player.logistics,
        "economy": player.economy,
        "diplomacy": player.diplomacy,
        "cards": player.cards,
        "programme_submitted": bool(row),
        "revealed": row[: shown(state)],
        "card_of_round": revealed_card(state, seat) if shown(state) else None,
        "used_characters": player.used_characters,
        "reached_six": player.reached_six,
        "monopolies": held,
        "monopoly_count": monopoly_counts(state)[seat],
        "colonies": colonies(state, seat),
        "trader_capacity": trader_capacity(state, seat),
    }


def _territory(state: State, number: int, seat: int | None) -> Json:
    land = TERRITORIES[number]
    unexplored = not explored(state, number)
    return {
        "id": land.id,
        "prestige": state.prestige[number],
        "explored": not unexplored,
        "excluded": state.excluded[number],
        "unrest": state.unrest[number],
        "missions": state.missions[number],
        "colony": state.colony[number],
        "independent": state.independent[number],
        "native_power": native_power(state, number),
        "required": required_successes(state, seat, number) if unexplored and seat is not None else None,
        "spaces": [
            {
                "id": SPACES[space].id,
                "resource": SPACES[space].resource,
                "pile": state.piles[space],
                "controller": state.piles[space][0] if state.piles[space] else None,
            }
            for space in land.spaces
        ],
    }


def _action(state: State) -> Json | None:
    action = state.action
    if action is None:
        return None
    data: Json = {"character": state.played, **msgspec.structs.asdict(action)}
    if isinstance(action, Shipping) and state.active is not None:
        data["shipments_left"] = shipments_left(state, state.active)
        data["shippable"] = [SPACES[space].id for space in shippable(state)]
    if isinstance(action, Selling) and state.active is not None:
        data["capacity_left"] = capacity_left(state, state.active)
        data["askable"] = askable(state, state.active)
    if isinstance(action, Rebelling):
        data["casualties_due"] = action.from_others + action.from_self
    return data


def _war(state: State, seat: int | None) -> Json | None:
    """The war; of casualties chosen while the enemy still chooses only one's own."""
    fighting = state.war
    if fighting is None:
        return None
    data: Json = msgspec.structs.asdict(fighting)
    battle = fighting.battle
    if battle is not None:
        data["battle"] = {
            "territory": battle.territory,
            "due": battle.due,
            "asked": battle.asked,
            "answered": [chosen is not None for chosen in battle.chosen],
            "chosen": [
                chosen if other == seat else None
                for other, chosen in zip(war.sides(fighting), battle.chosen, strict=True)
            ],
        }
    return data
