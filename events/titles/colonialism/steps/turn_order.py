"""Choosing rows of the turn order track, at set-up and after a colonization phase (CSM-037, CSM-206)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.steps import INVALID_PARAMETERS, Draft, Move, Rejected, Step
from events.titles.colonialism.commands import ChooseTurnOrderPosition
from events.titles.colonialism.data import TRACK
from events.titles.colonialism.derived import choosing_seat, free_rows, list_only
from events.titles.colonialism.facts import TurnOrderChoiceOpened, TurnOrderPositionChosen
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.next_segment import prepare_next_segment
from events.titles.colonialism.steps.starting_hands import deal


def open_choice(draft: Draft[State], order: tuple[int, ...]) -> None:
    """Let the seats of *order* choose, one after another."""
    draft.emit(TurnOrderChoiceOpened(order=order, collected=draft.state.collected_this_turn))


def choose_turn_order_position(draft: Draft[State], seat: int, command: ChooseTurnOrderPosition) -> None:
    """Take any row that nobody has chosen in this step (CSM-037); old positions do not block (CSM-207)."""
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
        deal(draft)
    else:
        prepare_next_segment(draft)


def _assign_last_row(draft: Draft[State]) -> None:
    """Assign the last empty row to the player who finds only one: they are not asked (CSM-047)."""
    state = draft.state
    rows = free_rows(state)
    if len(rows) == 1 and state.seats == TRACK.rows and (last := choosing_seat(state)) is not None:
        draft.emit(TurnOrderPositionChosen(seat=last, row=rows[0], automatic=True))


def _rows(state: State, _seat: int) -> Iterator[ChooseTurnOrderPosition]:
    return (ChooseTurnOrderPosition(row=row) for row in free_rows(state))


CHOOSE_ROW: Move[State] = Move(
    command=ChooseTurnOrderPosition,
    take=choose_turn_order_position,
    legal=_rows,
    label=lambda _state, _seat, command: f"Take row {command.row}",
)
TURN_ORDER_POSITION: Step[State] = Step(
    kind="turn_order_position",
    asked=lambda state: list_only(choosing_seat(state)),
    moves=(CHOOSE_ROW,),
    default=lambda state, _seat: ChooseTurnOrderPosition(row=free_rows(state)[0]),
    sample=CHOOSE_ROW.one,
)
