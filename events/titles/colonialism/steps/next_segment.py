"""Between segments and between turns: region order, cubes, natives, tokens (CSM-208 to CSM-222)."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonialism.data import NUMBERS, TRACK
from events.titles.colonialism.derived import action_round, region, segment
from events.titles.colonialism.facts import ActionRoundStarted, GamePhaseAdvanced, GameTurnEnded
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.region_order import determine_region_order
from events.titles.colonialism.steps.supply import add_native, draw_resources, roll_natives


def next_phase(state: State) -> str:
    """Return the space of the phase track after the current one; the first after the last."""
    phases = TRACK.phases
    return phases[(phases.index(state.phase) + 1) % len(phases)]


def prepare_next_segment(draft: Draft[State]) -> None:
    """Set up the second segment of the turn, or the next turn, as all rows are chosen."""
    if segment(draft.state) == 1:
        _second_segment(draft)
    else:
        _end_of_turn(draft)
    draft.emit(ActionRoundStarted(turn=draft.state.turn, round=action_round(draft.state)))


def _second_segment(draft: Draft[State]) -> None:
    """One cube for every region, one native for every empty one (CSM-208, CSM-209)."""
    turn = draft.state.turn
    determine_region_order(draft, turn=turn, segment=2)
    for key in draft.state.region_order:
        draw_resources(draft, key, NUMBERS.segment_cubes, "segment")
    for key in draft.state.region_order:
        if not region(draft.state, key).natives:
            add_native(draft, key)
    draft.emit(GamePhaseAdvanced(turn=turn, phase=next_phase(draft.state)))


def _end_of_turn(draft: Draft[State]) -> None:
    """Cubes by value for every region, natives by dice for empty ones (CSM-220 to CSM-222)."""
    turn = draft.state.turn + 1
    determine_region_order(draft, turn=turn, segment=1)
    for key in draft.state.region_order:
        draw_resources(draft, key, region(draft.state, key).value, "end_of_turn")
    for key in draft.state.region_order:
        if not region(draft.state, key).natives:
            roll_natives(draft, key, "end_of_turn")
    draft.emit(GameTurnEnded(turn=turn, phase=next_phase(draft.state)))
