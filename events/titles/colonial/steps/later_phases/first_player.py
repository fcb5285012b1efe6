"""The choice of the First Player (COL-04)."""

from __future__ import annotations

from events.titles.colonial import facts as f
from events.titles.colonial.derived import monopoly_counts
from events.titles.colonial.draft import Draft


def move_first_player(draft: Draft) -> None:
    """Pass the First Player to strictly most Monopolies, else to the left (COL-04-17, COL-04-18)."""
    state = draft.state
    counts = monopoly_counts(state)
    leaders = [seat for seat, count in enumerate(counts) if count == max(counts)]
    if len(leaders) == 1:
        draft.emit(f.FirstPlayerMoved(state.first_player, leaders[0], "monopolies", counts))
    else:
        left = (state.first_player + 1) % state.seats
        draft.emit(f.FirstPlayerMoved(state.first_player, left, "left", counts))
