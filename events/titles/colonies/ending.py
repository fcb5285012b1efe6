"""How a game stands and ends."""

from __future__ import annotations

from collections.abc import Mapping

from events.fact import Seat
from events.title import Outcome
from events.titles.colonies import words
from events.titles.colonies.state import State


def outcome(state: State) -> Outcome | None:
    """None while the game runs; then places and scores (CLN-167)."""
    if state.phase != "ended":
        return None
    return Outcome(
        winners=tuple(score.seat for score in state.scores if score.rank == 1),
        places=tuple(score.rank for score in state.scores),
        scores=tuple(score.total for score in state.scores),
    )


def in_setup(state: State) -> bool:
    """Until the first turn begins."""
    return state.phase in ("setup_fingers", "setup_deck_choice")


def seat_name(state: State, seat: Seat) -> str:
    """A player is called by his planet."""
    return words.planet(state.planets[seat]) if seat < len(state.planets) else f"Seat {seat}"


def conserved(state: State) -> Mapping[str, int]:
    """No event card is ever lost (CLN-066)."""
    in_hands = sum(len(hand) for hand in state.hands)
    current = state.current_card is not None
    return {
        "event_cards": in_hands + len(state.deck) + len(state.undealt) + current + len(state.resolved_cards)
    }
