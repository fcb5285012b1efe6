"""Choosing rows of the turn order track, at set-up and after a colonization phase (CSM-037, CSM-206)."""

from __future__ import annotations

from events.chance import Chance
from events.steps import INVALID_PARAMETERS, Draft, Rejected
from events.titles.colonialism.commands import ChooseTurnOrderPosition
from events.titles.colonialism.data import TRACK
from events.titles.colonialism.facts import TurnOrderChoiceOpened, TurnOrderPositionChosen
from events.titles.colonialism.state import State, choosing_seat, seat_count, turn_order
from events.titles.colonialism.steps.next_segment import prepare_next_segment
from events.titles.colonialism.steps.starting_hands import deal


def choosing_order(state: State) -> tuple[int, ...]:
    """From the fewest cubes collected this turn to the most, ties by the old order (CSM-017, CSM-206)."""
    return tuple(sorted(turn_order(state), key=state.collected_this_turn.__getitem__))


def open_choice(draft: Draft[State], order: tuple[int, ...]) -> None:
    """The seats of *order* choose, one after another."""
    draft.emit(TurnOrderChoiceOpened(order=order, collected=draft.state.collected_this_turn))


def choose_turn_order_position(
    draft: Draft[State], seat: int, command: ChooseTurnOrderPosition, chance: Chance
) -> None:
    """Take any row that nobody has chosen in this step; old positions do not block (CSM-207)."""
    if not 1 <= command.row <= TRACK.rows:
        raise Rejected(INVALID_PARAMETERS, f"The rows are 1 to {TRACK.rows}; choose one of them.")
    if command.row in draft.state.chosen_rows:
        raise Rejected("row_occupied", f"Row {command.row} has been chosen; take another row.")
    setting_up = draft.state.step == "setup_turn_order"
    draft.emit(TurnOrderPositionChosen(seat=seat, row=command.row, automatic=False))
    _assign_last_row(draft)
    if draft.state.choosers:
        return
    if setting_up:
        deal(draft, chance)
    else:
        prepare_next_segment(draft, chance)


def free_rows(state: State) -> tuple[int, ...]:
    """Rows that can still be chosen; with fewer than four players gaps may remain (CSM-039)."""
    return tuple(row for row in range(1, TRACK.rows + 1) if row not in state.chosen_rows)


def _assign_last_row(draft: Draft[State]) -> None:
    """Whoever finds only one empty row is not asked (CSM-047)."""
    state = draft.state
    rows = free_rows(state)
    if len(rows) == 1 and seat_count(state) == TRACK.rows and (last := choosing_seat(state)) is not None:
        draft.emit(TurnOrderPositionChosen(seat=last, row=rows[0], automatic=True))
