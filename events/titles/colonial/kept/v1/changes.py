"""Parts of the state replaced: what the folds of several facts share."""

from __future__ import annotations

from typing import Any

from events.titles.colonial.kept.v1.kit.overseas import changes
from events.titles.colonial.kept.v1.kit.overseas.changes import change_player
from events.titles.colonial.kept.v1.data import TERRITORY
from events.titles.colonial.kept.v1.state import Loan, State


def change_land(state: State, territory: str, **fields: Any) -> State:
    """The state with fields of a Territory replaced."""
    return changes.change_land(state, TERRITORY[territory], **fields)


def add_unrest(state: State, territory: str, count: int) -> State:
    """A Territory with so much more Unrest, less where *count* is negative."""
    return change_land(state, territory, unrest=state.lands[TERRITORY[territory]].unrest + count)


def add_missions(state: State, territory: str, count: int) -> State:
    """A Territory with so many more Missions, fewer where *count* is negative."""
    return change_land(state, territory, missions=state.lands[TERRITORY[territory]].missions + count)


def resize_loan(state: State, seat: int, loan_id: int, size: int) -> State:
    """A player with one Loan pile of that size; a pile of 0 disappears."""
    loans = (Loan(loan_id, size) if loan.loan_id == loan_id else loan for loan in state.players[seat].loans)
    return change_player(state, seat, loans=tuple(loan for loan in loans if loan.size))
