"""Table commands: who may give them, under which names they stand in the log."""

import pytest

from events.rules.steps import Rejected
from events.table.commands import command_rules
from events.table.commands.time_outs import TableTimeOut
from events.table.record import actor_of, pseudonym, seat_of
from events.table.terms import SeatOccupant
from tests.recorded_table import RecordedTable


def test_names_tell_apart_who_acts():
    """Seats, directors and the server are told apart by the letter: ``d1`` is no seat."""
    for actor, name in ((None, "sys"), (0, "p0"), (11, "p11"), ("d1", "d1")):
        assert pseudonym(actor) == name
        assert actor_of(name) == actor
    assert (seat_of("p1"), seat_of("d1"), seat_of("sys")) == (1, None, None)


def test_all_table_commands_bear_the_reserved_prefix():
    """So no title's command can meet one of theirs."""
    assert command_rules.COMMANDS
    assert all(name.startswith(command_rules.PREFIX) for name in command_rules.COMMANDS)


def test_only_the_house_gives_a_time_out():
    """A seat or a director that gives it is refused with a stable code; the server needs a clock for it."""
    desk = RecordedTable(SeatOccupant(), SeatOccupant(), SeatOccupant())
    command = TableTimeOut(1, desk.clock())
    for actor, code in ((1, "not_your_decision"), ("d1", "not_your_decision"), (None, "no_clock")):
        with pytest.raises(Rejected) as refused:
            command_rules.decide(desk.game, actor, command, desk.clock(), (desk.secrets, desk.chain))
        assert refused.value.code == code
