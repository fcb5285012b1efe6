"""What the folds share."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.kit.values import put
from events.titles.colonial.state import Loan, State


def change_player(state: State, seat: int, **changes: Any) -> State:
    """*state* with the fields of one player replaced."""
    return replace(state, players=put(state.players, seat, replace(state.players[seat], **changes)))


def gain(state: State, seat: int, **amounts: int) -> State:
    """*state* with amounts added to fields of one player."""
    player = state.players[seat]
    return change_player(
        state, seat, **{name: getattr(player, name) + amount for name, amount in amounts.items()}
    )


def same(state: State, fact: Any) -> State:
    """The fact is for the reader: what it tells stands in other facts or needs no state."""
    return state


def resize_loan(state: State, seat: int, loan_id: int, size: int) -> State:
    """*state* with one Loan pile of that size; a pile of 0 disappears."""
    loans = (Loan(loan_id, size) if loan.loan_id == loan_id else loan for loan in state.players[seat].loans)
    return change_player(state, seat, loans=tuple(loan for loan in loans if loan.size))
