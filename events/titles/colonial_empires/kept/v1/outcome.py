"""The end: who has the most Fortunes."""

from __future__ import annotations

from events.rules.title import Outcome
from events.titles.colonial_empires.kept.v1.facts import GameEnded
from events.titles.colonial_empires.kept.v1.state import State


def make_ending(state: State) -> GameEnded:
    """Return the result: most Fortunes win; equal Fortunes share a place (CEM-804 to CEM-806)."""
    treasuries = dict(enumerate(state.treasury))
    places = {seat: 1 + sum(other > own for other in state.treasury) for seat, own in treasuries.items()}
    winners = tuple(seat for seat, place in places.items() if place == 1)
    return GameEnded(state.turn, treasuries, places, winners)


def outcome(state: State) -> Outcome | None:
    """Return None while the game runs; then Fortunes decide (CEM-804)."""
    if state.result is None:
        return None
    return Outcome(state.result.winners, state.result.places, state.treasury, "deck_empty")
