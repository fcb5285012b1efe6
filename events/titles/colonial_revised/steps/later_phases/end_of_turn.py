"""The end of the turn: the War box, the end roll, the next turn (REV-058, REV-059, REV-393)."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.derived import end_threshold
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.settlement import end_game


def end_turn(draft: Draft[State]) -> None:
    """Either the game ends by the roll, or the next turn begins."""
    state = draft.state
    if not state.war_fought_this_turn:
        draft.emit(f.WarBoxIncreased(to=state.war_box + 1))
    threshold = end_threshold(state.turn, state.options.end_roll_bonus)
    if threshold is not None:
        roll: int = draft.chance.roll(1)[0]
        draft.emit(f.EndRollMade(turn=state.turn, roll=roll, threshold=threshold))
        if roll <= threshold:
            end_game(draft, "end_roll")
            return
    draft.emit(f.TurnEnded(turn=state.turn))
    start_turn(draft, state.turn + 1)


def start_turn(draft: Draft[State], turn: int) -> None:
    """Phase 1, round 1."""
    draft.emit(f.TurnBegan(turn=turn))
    draft.emit(f.PhaseBegan(turn=turn, phase="endeavour"))
    draft.emit(f.RoundBegan(turn=turn, round=1))
