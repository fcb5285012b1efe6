"""What a seat, or a spectator, may know (CSM-260 to CSM-262)."""

from __future__ import annotations

from typing import Any

import msgspec

from events.fact import Json
from events.titles.colonialism.data import REGION_IDS
from events.titles.colonialism.decisions import due
from events.titles.colonialism.position import cubes_by_color
from events.titles.colonialism.state import (
    PolicyCard,
    Region,
    State,
    action_round,
    active_seat,
    placing_seat,
    segment,
    ship_id,
    turn_order,
)
from events.titles.colonialism.steps.collection import offered
from events.titles.colonialism.steps.losses import due_bounds
from events.titles.colonialism.steps.turn_order import free_rows


def view(state: State, seat: int | None) -> Json:
    """Everything public, and what this seat alone knows."""
    return {
        **_clock(state),
        "you": seat,
        "colors": list(state.colors),
        "quick_start_hands": state.options.quick_start_hands,
        "turn_order": list(turn_order(state)) if any(state.rows) else [],
        "rows": list(state.rows),
        "actions_taken": list(state.actions_taken),
        "choosers": list(state.choosers),
        "chosen_rows": list(state.chosen_rows),
        "region_order": list(state.region_order),
        "regions": {key: _region(at, seat) for key, at in zip(REGION_IDS, state.regions, strict=True)},
        "bag": cubes_by_color(state.bag),
        "native_supply": state.native_supply,
        "mercenary_supply": state.mercenary_supply,
        "players": [_player(state, other, seat) for other in range(len(state.colors))],
        "undealt_interests": len(state.undealt_interests),
        "action_card": _plain(state.action_card) if state.action_card is not None else None,
        "losses": [_loss(state, index) for index in range(len(state.losses))],
        "collection": _collection(state),
        "colonization": _colonization(state),
        "standings": [_plain(standing) for standing in state.standings],
    }


def _clock(state: State) -> Json:
    kind, _ = due(state)
    return {
        "step": state.step,
        "turn": state.turn,
        "segment": segment(state),
        "phase": state.phase,
        "round": action_round(state) if state.phase.startswith("action_round") else None,
        "active": active_seat(state) if state.step == "action_round" else None,
        "placing": placing_seat(state) if state.step == "setup_ships" else None,
        "choice": kind,
        "free_rows": list(free_rows(state)) if kind == "turn_order_position" else [],
    }


def _region(at: Region, seat: int | None) -> Json:
    return {
        "value": at.value,
        "limit": at.limit,
        "cubes": cubes_by_color(at.cubes),
        "natives": at.natives,
        "discs": list(at.discs),
        "mercenaries": list(at.mercenaries),
        "policy": [[_policy(p, mine=owner == seat) for p in stack] for owner, stack in enumerate(at.policy)],
    }


def _policy(policy: PolicyCard, *, mine: bool) -> Json:
    """A face-down card is known to its owner only (CSM-079)."""
    return {"card": policy.card if policy.face_up or mine else None, "face_up": policy.face_up}


def _player(state: State, other: int, seat: int | None) -> Json:
    shown: Json = {
        "color": state.colors[other],
        "reserve": state.reserve[other],
        "ships": [
            {"ship": ship_id(state, other, number), "sea_zone": ship.sea_zone, "fresh": ship.fresh}
            for number, ship in enumerate(state.ships[other])
        ],
        "collected": cubes_by_color(state.collected[other]),
        "collected_this_turn": state.collected_this_turn[other],
        "hand_size": len(state.hands[other]),
        "deck_size": len(state.decks[other]),
        "discards": list(state.discards[other]),
        "interest_count": len(state.interests[other]),
        "has_chosen": state.kept[other] is not None,
        "known_held": list(state.known_held[other]),
    }
    if other == seat:
        shown["hand"] = list(state.hands[other])
        shown["kept"] = _listed(state.kept[other])
    if other == seat or state.interests_shown[other]:
        shown["interests"] = list(state.interests[other])
    return shown


def _listed(cards: tuple[str, ...] | None) -> list[str] | None:
    return None if cards is None else list(cards)


def _loss(state: State, index: int) -> Json:
    loss = state.losses[index]
    least, most = due_bounds(state, loss)
    return {**_plain(loss), "fewest_mercenaries": least, "most_mercenaries": most}


def _collection(state: State) -> Json | None:
    collection = state.collection
    if collection is None:
        return None
    return {
        **_plain(collection),
        "order": list(collection.order),
        "offered": list(offered(state, collection)),
    }


def _colonization(state: State) -> Json | None:
    cursor = state.colonization
    return None if cursor is None else {"region": state.region_order[cursor.index], "stage": cursor.stage}


def _plain(value: msgspec.Struct) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(value)
    return plain
