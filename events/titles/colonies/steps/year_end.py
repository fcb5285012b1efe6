"""Upkeep 4B to 4D, and the end of the game."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonies.data import BOARD
from events.titles.colonies.derived import final_scores
from events.titles.colonies.effects.colonists import place_pirates
from events.titles.colonies.facts import FirstPlayerAdvanced, GameEnded, PiratesPlaced, TurnEnded
from events.titles.colonies.state import State, player_order
from events.titles.colonies.steps.income import start_turn


def end_year(draft: Draft[State]) -> None:
    """Turn colonists into pirates; then begin the next turn, or end the game (CLN-149 to CLN-153)."""
    for seat in player_order(draft.state):
        colonists = draft.state.colonists[seat]
        if colonists:
            added = place_pirates(draft.state, draft.state.planets[seat], colonists)
            draft.emit(PiratesPlaced(seat, colonists, added))
    turn = draft.state.turn
    draft.emit(TurnEnded(turn))
    if turn < BOARD.turns:
        draft.emit(FirstPlayerAdvanced(player_order(draft.state)[1]))
        start_turn(draft, turn + 1)
    else:
        end_game(draft)


def end_game(draft: Draft[State]) -> None:
    """End the game: technology points and Credits count (CLN-164 to CLN-170)."""
    scores = final_scores(draft.state)
    draft.emit(GameEnded(scores, tuple(score.seat for score in scores if score.rank == 1)))
