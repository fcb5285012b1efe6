"""What a seat, or a spectator, may know."""

from __future__ import annotations

from typing import Any

from events.fact import Json, Seat
from events.kit.values import plain
from events.titles.colonies import words
from events.titles.colonies.state import (
    State,
    arrivals,
    neutral_planets,
    player_order,
    primitive_under_way,
    technology_points,
)


def view(state: State, seat: Seat | None) -> Json:
    """Everything public, and the seat's own Credits, hand, deck cards and sealed answer.

    Stocks stand as they are before the vote until it is revealed (CLN-053), since a sealed vote
    changes nothing else in the state.
    """
    own = seat if seat is not None and seat < state.seats else None
    shown: dict[str, Any] = {
        "turn": state.turn,
        "phase": state.phase,
        "finger_round": state.finger_round,
        "options": state.options,
        "planets": state.planets,
        "neutral_planets": neutral_planets(state),
        "first_player": state.first_player,
        "player_order": player_order(state),
        "action_round": state.action_round,
        "active": state.active,
        "stocks": state.stocks,
        "credits": _credits(state, own),
        "colonists": state.colonists,
        "levels": state.levels,
        "technology_points": [technology_points(levels) for levels in state.levels],
        "promise": state.promise,
        "pirates": state.pirates,
        "markets": state.markets,
        "hand_sizes": [len(hand) for hand in state.hands],
        "hand": () if own is None else state.hands[own],
        "deck_cards": () if own is None else state.deck_cards[own],
        "deck_count": len(state.deck),
        "undealt_count": len(state.undealt),
        "current_card": state.current_card,
        "arrivals": arrivals(state) if state.current_card else None,
        "resolved_cards": state.resolved_cards,
        "answered": [answer is not None for answer in state.sealed],
        "sealed": None if own is None else state.sealed[own],
        "votes": state.votes,
        "resolution": state.resolution,
        "asked": _asked(state),
        "scores": state.scores,
    }
    return plain(shown)


def _credits(state: State, own: Seat | None) -> list[int | None]:
    """Each player's total: his own business until the end, unless the option opens it (CLN-171)."""
    public = state.options.credits_visibility == "open" or state.phase == "ended"
    return [total if public or seat == own else None for seat, total in enumerate(state.credits)]


def _asked(state: State) -> Json | None:
    """What the effect under way asks, and whom."""
    primitive, resolution = primitive_under_way(state), state.resolution
    if primitive is None or resolution is None:
        return None
    place = resolution.queue[0]
    text = words.effect((primitive,))
    return {"seat": place.seat, "effect": place.effect, "primitive": primitive, "text": text}
