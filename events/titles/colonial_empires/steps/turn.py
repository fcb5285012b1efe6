"""The change from one turn to the next, and the mark of the final turn."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonial_empires.facts import DeckRanOut, GameEnded, TurnBegan, TurnEnded
from events.titles.colonial_empires.state import State


def begin(draft: Draft[State]) -> bool:
    """Turn 1 after the set-up, then the next (CEM-112); False if the game ends (CEM-801, CEM-803)."""
    state = draft.state
    if state.phase == "setup":
        draft.emit(TurnBegan(1, state.lead_seat))
        return True
    draft.emit(TurnEnded(state.turn, len(state.deck)))
    if not state.deck:
        draft.emit(_make_ending(state))
        return False
    draft.emit(TurnBegan(state.turn + 1, (state.lead_seat + 1) % state.seats))
    return True


def _make_ending(state: State) -> GameEnded:
    """Return the result: most Fortunes win; equal Fortunes share a place (CEM-804 to CEM-806)."""
    treasuries = dict(enumerate(state.treasury))
    places = {seat: 1 + sum(other > own for other in state.treasury) for seat, own in treasuries.items()}
    winners = tuple(seat for seat, place in places.items() if place == 1)
    return GameEnded(state.turn, treasuries, places, winners)


def note_empty_deck(draft: Draft[State]) -> None:
    """After a draw: the turn in which the last card is drawn is the final one (CEM-209)."""
    if not draft.state.deck:
        draft.emit(DeckRanOut(draft.state.turn))
