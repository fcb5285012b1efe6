"""Covered answers that are replaced: what the log holds, what counts, whom the clock asks."""

from __future__ import annotations

from itertools import cycle, islice

import msgspec
import pytest

from events.clocks.absence_policy import Absence
from events.clocks.clock import LiveClock
from events.rules.steps import Rejected
from events.table import bundle, clock_updates
from events.table.bundle import BadBundle
from events.table.engine import MAX_REPLACEMENTS, fold
from events.table.game import initial_game
from events.table.record import COMMAND_PART
from events.table.terms import SeatOccupant
from events.verify import verify
from tests.recorded_table import SIGNER, RecordedTable
from tests.titles.example.facts import SailChosen
from tests.titles.example.steps import ChooseSail


def table_of_two() -> RecordedTable:
    """A running game of two people, on a clock."""
    desk = RecordedTable(
        SeatOccupant(),
        SeatOccupant(),
        clock=LiveClock(base_ms=60_000, increment_ms=10_000),
        absence=Absence(),
    )
    desk.house()
    return desk


def sails(desk: RecordedTable, seat: int) -> tuple[int, ...]:
    """The different sails of a hand."""
    return tuple(dict.fromkeys(desk.game.state.hands[seat]))


def choose(desk: RecordedTable, seat: int, count: int = 1) -> None:
    """A seat answers so often, each time with another sail of its hand."""
    for sail in islice(cycle(sails(desk, seat)), count):
        desk.command(seat, ChooseSail(sail))


def test_the_log_holds_each_answer_and_the_last_counts():
    """Each is committed to under a salt of its own; the last is shown with the step, all at the end."""
    desk = table_of_two()
    first, latest = sails(desk, 0)[:2]
    start = len(desk.records)
    desk.command(0, ChooseSail(first))
    desk.command(0, ChooseSail(latest))
    assert [record.type for record in desk.records[start:]] == ["SailChosen", "SailChosen"]
    for record in desk.records[start:]:
        hidden = record.envelope().hid
        assert hidden is not None
        assert f"p0{COMMAND_PART}" in hidden
        assert msgspec.json.decode(record.envelope().data) == {"seat": 0}
    assert desk.records[start].envelope().hid != desk.records[start + 1].envelope().hid
    choose(desk, 1)
    shown = next(record for record in desk.records if record.type == "SailsShown")
    assert msgspec.json.decode(shown.envelope().data)["sails"][0] == latest
    copy = bundle.write_lines(desk.game, desk.records, 1, SIGNER)
    assert verify(copy, key=SIGNER.verifier, partial=True).events == len(desk.records)
    desk.play()
    assert desk.verdict().events == len(desk.records)


def test_a_seat_that_has_answered_is_not_asked():
    """Its clock stands still while it changes its answer, and the change is no answer on the clock."""
    desk = table_of_two()
    choose(desk, 0)
    assert clock_updates.seats_on_clock(desk.game) == {1}
    left = desk.game.clocks[0]
    desk.clock.wait(20)
    choose(desk, 0, 2)
    assert desk.game.clocks[0] == left
    assert desk.records[-1].envelope().clock is None
    assert clock_updates.seat_deadline(desk.game, 0) is None


def test_an_answer_is_replaced_twenty_times_at_most():
    """Then it stands; with the next step the count begins again, on replay as in play."""
    desk = table_of_two()
    choose(desk, 0, 1 + MAX_REPLACEMENTS)
    with pytest.raises(Rejected, match="already_answered"):
        choose(desk, 0)
    assert fold(initial_game(desk.game.id), desk.records) == desk.game
    choose(desk, 1)
    choose(desk, 1, 2)
    assert desk.game.replaced == {1: 1}
    choose(desk, 0)
    choose(desk, 0)
    assert desk.game.replaced == {}
    choose(desk, 0)
    assert desk.game.replaced == {0: 1}
    desk.play()
    assert fold(initial_game(desk.game.id), desk.records) == desk.game
    assert desk.verdict().events == len(desk.records)


def test_one_replacement_too_many_is_found():
    """A verifier counts like the server."""
    desk = table_of_two()
    choose(desk, 0, 1 + MAX_REPLACEMENTS)
    command = ChooseSail(sails(desk, 0)[0])
    desk.forge(SailChosen(0, command.sail), by=0, command=command)
    desk.play()
    with pytest.raises(BadBundle, match="already_answered"):
        desk.verdict()
