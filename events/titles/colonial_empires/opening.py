"""The opening of a game: the table is set and the lead seat drawn; no player acts."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft
from events.titles.colonial_empires.data import DATA_HASH
from events.titles.colonial_empires.facts import GameBegan, LeadSeatDrawn
from events.titles.colonial_empires.options import Options
from events.titles.colonial_empires.state import State, blank


def open_game(seats: int, options: Options, chance: Chance) -> Draft[State]:
    """The lead seat of turn 1 is drawn by lot (CEM-106)."""
    draft = Draft(blank(seats, options), chance)
    draft.emit(GameBegan(seats, draft.state.options, DATA_HASH))
    draft.emit(LeadSeatDrawn(chance.pick(range(seats))))
    return draft
