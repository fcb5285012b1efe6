"""The opening of a game: the table is set and the lead seat drawn; no player acts."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonial_empires.kept.v1.data import DATA_HASH
from events.titles.colonial_empires.kept.v1.facts import GameBegan, LeadSeatDrawn
from events.titles.colonial_empires.kept.v1.options import Options
from events.titles.colonial_empires.kept.v1.state import State


def opening(draft: Draft[State], seats: int, options: Options) -> None:
    """The lead seat of turn 1 is drawn by lot (CEM-106)."""
    draft.emit(GameBegan(seats, draft.state.options, DATA_HASH))
    draft.emit(LeadSeatDrawn(draft.chance.pick(range(seats))))
