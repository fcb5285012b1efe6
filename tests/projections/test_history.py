"""Sentences of the history that say more than the fact alone."""

from __future__ import annotations

from events.clocks.absence_policy import Absence
from events.clocks.clock import LiveClock
from events.table.terms import SeatOccupant
from projections.read_models.history import REPLACED, make_sentences
from tests.recorded_table import RecordedTable
from tests.titles.example.steps import ChooseSail


def test_an_answer_that_was_given_again_reads_as_such():
    """Everybody reads that a covered answer was replaced; nobody but its seat reads what it is."""
    clock = LiveClock(base_ms=60_000, increment_ms=10_000)
    desk = RecordedTable(SeatOccupant(), SeatOccupant(), clock=clock, absence=Absence())
    desk.house()

    def answer(seat: int, which: int) -> list[dict[int, str]]:
        begun = len(desk.records)
        sails = tuple(dict.fromkeys(desk.game.state.hands[seat]))
        desk.command(seat, ChooseSail(sails[which]))
        return [make_sentences(desk.game, record) for record in desk.records[begun:]]

    (first,) = answer(0, 0)
    assert not any(text.endswith(REPLACED) for text in first.values())
    (again,) = answer(0, 0)
    assert again == {viewer: f"{text} {REPLACED}" for viewer, text in first.items()}
    (other,) = answer(0, 1)
    assert other[-1] == again[-1]
    told = [text for said in answer(1, 0) for text in said.values()]
    assert told
    assert not any(REPLACED in text for text in told)
