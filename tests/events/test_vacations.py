"""Vacations: a seat's time stands still while its holder is away, and for no longer than was settled."""

from __future__ import annotations

from events.base.timestamps import DAY_MS, add_milliseconds
from events.table import clock_updates
from events.table.commands.leaving import TableLeave
from events.table.commands.offers import TableAnswer, TableOffer
from events.table.commands.vacations import TableVacation, vacation_left_ms
from projections.read_models.timers import list_timers
from tests.events.seated import Seated, refused

SLOW = {"kind": "correspondence", "per_decision_ms": DAY_MS, "vacation_ms": 7 * DAY_MS}


def asked(table):
    return next(iter(clock_updates.seats_on_clock(table.game)))


def ended(table):
    """The same table, ended by all, verifies."""
    table.give(0, TableOffer("end"))
    for other in (1, 2):
        table.give(other, TableAnswer(table.game.offered, True))
    return table.verdict().status == "abandoned"


def test_a_seats_time_stands_still_while_its_holder_is_away():
    """When they are back it goes on as it was; others are not concerned."""
    table = Seated(3, clock=SLOW)
    seat = asked(table)
    table.wait(3600)
    due = clock_updates.seat_deadline(table.game, seat)
    until = add_milliseconds(table.at, 3 * DAY_MS)
    table.give(None, TableVacation(seat, until))
    assert table.data(-1) == {"seat": seat, "until": until}
    assert clock_updates.seat_deadline(table.game, seat) is None
    (end,) = [timer for timer in list_timers(table.game) if timer.kind == "vacation_end"]
    assert (end.seat, end.due) == (seat, until)
    table.clock.go_to(until)
    began = next(record for record in table.records if record.type == "SeatOnVacation").envelope().at
    table.give(None, TableVacation(seat, end.due))
    assert table.game.seats[seat].vacation is None
    now = table.records[-1].envelope().at
    gone = (int(now[8:10]) - int(began[8:10])) * DAY_MS
    assert abs(timing_ms(clock_updates.seat_deadline(table.game, seat)) - timing_ms(due) - gone) <= 2000
    assert 7 * DAY_MS - vacation_left_ms(table.game, seat, table.at) in range(
        3 * DAY_MS - 2000, 3 * DAY_MS + 1
    )
    assert ended(table)


def timing_ms(at):
    from events.base.timestamps import parse_timestamp

    return parse_timestamp(at) // 1000


def test_who_gives_a_command_is_back():
    """And has used up no more than they were away."""
    table = Seated(3, clock=SLOW)
    seat = asked(table)
    table.give(None, TableVacation(seat, add_milliseconds(table.at, 5 * DAY_MS)))
    table.wait(3600)
    chance_command = table.title.default(
        table.game.state, next(d for d in table.title.awaited(table.game.state) if d.seat == seat)
    )
    table.command(seat, chance_command)
    assert table.game.seats[seat].vacation is None
    assert vacation_left_ms(table.game, seat, table.at) >= 7 * DAY_MS - 3_700_000
    assert ended(table)


def test_no_vacation_is_longer_than_settled():
    """Nor is there any where no time is counted, or none was settled; the next holder has all of it."""
    table = Seated(3, clock=SLOW)
    assert refused(table, 0, TableVacation(0, add_milliseconds(table.at, DAY_MS))) == "not_your_decision"
    assert refused(table, None, TableVacation(0, add_milliseconds(table.at, 8 * DAY_MS))) == "vacation_spent"
    assert refused(table, None, TableVacation(0, table.at)) == "not_due"
    assert refused(table, None, TableVacation(0, "soon")) == "invalid_parameters"
    assert refused(table, None, TableVacation(9, table.at)) == "unknown_seat"
    assert refused(Seated(3), None, TableVacation(0, add_milliseconds(table.at, DAY_MS))) == "no_clock"
    none = Seated(3, clock={**SLOW, "vacation_ms": 0})
    assert refused(none, None, TableVacation(0, add_milliseconds(none.at, DAY_MS))) == "vacation_spent"
    table.give(None, TableVacation(1, add_milliseconds(table.at, 2 * DAY_MS)))
    table.give(1, TableLeave())
    assert refused(table, None, TableVacation(1, add_milliseconds(table.at, DAY_MS))) == "seat_vacant"
