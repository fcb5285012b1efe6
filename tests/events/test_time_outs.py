"""Time that is up: who may say so, what follows, and that a verifier decides it again."""

import base64

import msgspec
import pytest

from events.base.timestamps import add_milliseconds, format_timestamp, parse_timestamp
from events.clocks.absence_policy import Absence
from events.clocks.clock import DAY, HOUR, MINUTE, CorrespondenceClock, LiveClock
from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.table import bundle, clock_updates, lifecycle_facts
from events.table.bundle import BadBundle
from events.table.commands.leaving import TableSeat
from events.table.commands.outages import TableOutage
from events.table.commands.rulings import TableResume
from events.table.commands.time_outs import TableTimeOut
from events.table.terms import SeatOccupant
from events.table.vacancies import is_halted
from events.verify import verify
from tests.events.seated import Seated
from tests.recorded_table import SIGNER, RecordedTable
from tests.titles.example.steps import CHOOSE, ChooseSail

LIVE = LiveClock(base_ms=60_000, increment_ms=10_000)
SLOW = CorrespondenceClock(per_decision_ms=DAY, bank_ms=3 * DAY)


def table_of_two(clock=LIVE, **absence) -> RecordedTable:
    """A running game of two people with that clock."""
    desk = RecordedTable(SeatOccupant(), SeatOccupant(), clock=clock, absence=Absence(**absence))
    desk.house()
    return desk


def due(desk: RecordedTable, seat: int) -> str:
    """Until when a seat must answer."""
    until = clock_updates.seat_deadline(desk.game, seat)
    assert until is not None
    return until


def time_out(desk: RecordedTable, seat: int) -> None:
    """The server gives the time-out of a seat at its deadline."""
    until = due(desk, seat)
    desk.clock.go_to(max(until, desk.clock()))
    desk.rule(None, TableTimeOut(seat, until))


def answer(desk: RecordedTable, seat: int) -> None:
    """A seat gives a legal command."""
    desk.command(seat, desk.title.sample(desk.game.state, seat, FastChance(1)))


def types(desk: RecordedTable) -> list[str]:
    return [record.type for record in desk.records]


def note(desk: RecordedTable) -> dict:
    """What the newest batch changed on the clocks."""
    cmd = desk.records[-1].command_id
    first = next(record for record in desk.records if record.command_id == cmd)
    return first.envelope().clock or {}


def to_the_end(desk: RecordedTable) -> None:
    """The bots of the substitutes are played by the one who plays: here every seat answers at random."""
    while not desk.game.has_ended:
        decision = desk.title.awaited(desk.game.state)[0]
        assert desk.game.seats[decision.seat].person
        time_out(desk, decision.seat)


def test_an_answer_after_25_seconds():
    """A live game with a minute and an increment of ten seconds: 300 ms of the 25 s are forgiven, and the
    other seat, asked at the same time, loses nothing by it.
    """
    desk = table_of_two()
    assert note(desk)["on"] == {
        "p0": add_milliseconds(desk.clock(), 60_000),
        "p1": add_milliseconds(desk.clock(), 60_000),
    }
    before = due(desk, 1)
    desk.clock.wait(25)
    answer(desk, 0)
    assert note(desk)["spent"] == {"p0": 24_700}
    assert note(desk)["left"] == {"p0": 45_300}
    assert due(desk, 1) == before


def test_an_answer_comes_when_its_time_is_up():
    """At 12:01:00.500 no time-out stands in the log, so the answer due at 12:01 is accepted; nothing is left,
    and a time-out for that deadline is refused.
    """
    desk = table_of_two(LiveClock(base_ms=60_000))
    until = due(desk, 0)
    desk.clock.go_to(add_milliseconds(until, 500))
    answer(desk, 0)
    assert note(desk)["left"] == {"p0": 0}
    with pytest.raises(Rejected, match="not_due"):
        desk.rule(None, TableTimeOut(0, until))


def test_a_time_out_is_not_given_a_microsecond_early():
    """Nothing is due before the deadline, for another one, for a seat that is none, or without a clock."""
    desk = table_of_two()
    until = due(desk, 0)
    desk.clock.go_to(format_timestamp(parse_timestamp(until) - 1))
    for command in (TableTimeOut(0, until), TableTimeOut(0, desk.clock()), TableTimeOut(7, until)):
        with pytest.raises(Rejected, match="not_due"):
            desk.rule(None, command)
    desk.clock.go_to(until)
    desk.rule(None, TableTimeOut(0, until))
    without = RecordedTable(SeatOccupant(), SeatOccupant())
    without.house()
    with pytest.raises(Rejected, match="no_clock"):
        without.rule(None, TableTimeOut(0, until))


def test_an_absent_seat_is_excused_then_defaulted_then_given_to_a_bot():
    """With an excuse and two misses an idle seat has three time-outs: nothing, its default, a bot."""
    desk = table_of_two(SLOW, excuses=1, misses=2, least_people=1, after_miss_ms=HOUR)
    assert due(desk, 0) == add_milliseconds(desk.clock(), 4 * DAY)
    time_out(desk, 0)
    assert types(desk)[-1] == "SeatTimedOut"
    assert (desk.game.seats[0].excuses, desk.game.seats[0].misses) == (0, 0)
    assert due(desk, 0) == add_milliseconds(desk.clock(), DAY)
    answer(desk, 1)
    time_out(desk, 0)
    assert types(desk)[types(desk).index("SailsShown") - 2 :][:2] == ["SeatTimedOut", "SailChosen"]
    assert desk.game.seats[0].misses == 1
    assert due(desk, 0) == add_milliseconds(desk.clock(), HOUR)
    time_out(desk, 0)
    assert types(desk)[-3:] == ["SeatTimedOut", "SeatVacated", "SeatGiven"]
    given = desk.game.seats[0]
    assert (given.bot, given.tenure, given.misses, given.vacant) == ("steady", 2, 0, False)
    assert clock_updates.seat_deadline(desk.game, 0) is None
    assert 0 not in clock_updates.seats_on_clock(desk.game)


def test_an_answer_makes_misses_undone():
    """Misses count one after the other, unless the table counts all of them."""
    for count, misses in (("consecutive", 0), ("total", 1)):
        desk = table_of_two(excuses=0, misses=3, count=count)
        time_out(desk, 0)
        assert desk.game.seats[0].misses == 1
        answer(desk, 1)
        answer(desk, 0)
        assert desk.game.seats[0].misses == misses


@pytest.mark.parametrize(
    ("then", "reason"), [("end", "time"), ("bot:steady", "deserted"), ("defaults", "deserted")]
)
def test_a_game_that_too_few_play_is_abandoned(then, reason):
    """The batch that makes the seat vacant also ends the game, with its secrets; the bundle holds."""
    desk = table_of_two(then=then, misses=1, excuses=0, least_people=1 if then == "end" else 2)
    time_out(desk, 1)
    assert types(desk)[-3:] == ["SeatTimedOut", "SeatVacated", "TableAbandoned"]
    told = desk.verdict()
    assert (told.status, told.reason) == ("abandoned", reason)


def test_time_outs_alone_end_a_game():
    """All seats absent for ever: each default leads on, until the rules end the game; a stranger reckons all
    clocks again.
    """
    for clock in (LIVE, SLOW, CorrespondenceClock(per_decision_ms=MINUTE)):
        desk = table_of_two(clock, misses=100, excuses=1)
        to_the_end(desk)
        assert desk.verdict().status == "finished"


def test_what_a_seat_may_do_freely_puts_it_on_no_clock():
    """At a table of Colonial gifts are free to a seat that nobody waits for: it is on no clock, no time-out
    of it is taken, and what others do neither starts nor stops one.
    """
    table = Seated(3, title="colonial", clock=msgspec.to_builtins(LIVE), absence={"least_people": 1})
    met = 0
    for _ in range(60):
        decisions = table.title.decisions(table.game.state)
        awaited = {d.seat for d in decisions if not d.free}
        idle = {d.seat for d in decisions if d.free and d.seat is not None} - awaited
        met += len(idle)
        for seat in idle:
            assert clock_updates.seat_deadline(table.game, seat) is None
            with pytest.raises(Rejected, match="not_due"):
                table.rule(None, TableTimeOut(seat, table.at))
        assert {seat for seat in range(3) if clock_updates.seat_deadline(table.game, seat)} == awaited - {
            None
        }
        table.play(1)
    assert met > 0


def test_a_default_of_a_sealed_decision_stays_hidden():
    """That a default was taken is public, the card is not: the event hides it as any sealed answer does."""
    desk = table_of_two(excuses=0)
    time_out(desk, 0)
    timed_out, chosen = desk.records[-2:]
    assert timed_out.envelope().command["type"] == "table_time_out"
    assert chosen.type == "SailChosen"
    assert b'"sail":' not in chosen.body
    assert not chosen.redact_for(1).parts
    assert chosen.redact_for(0).parts


@pytest.fixture
def refused_default():
    """The rules refuse what they would do themselves for seat 0: there is no such card."""
    given = CHOOSE.default
    object.__setattr__(
        CHOOSE, "default", lambda state, seat: ChooseSail(99) if seat == 0 else given(state, seat)
    )
    yield
    object.__setattr__(CHOOSE, "default", given)


def test_rules_that_refuse_their_own_default_stop_the_game(refused_default):
    """The seat is vacated by a fault of ours and the table paused, in one batch; no time-out follows on it.
    When the seat has been offered for as long as vacant seats are, a bot has it and the game goes on.
    """
    desk = table_of_two(least_people=1, then="defaults", fill_ms=HOUR)
    time_out(desk, 0)
    assert types(desk)[-3:] == ["SeatTimedOut", "SeatVacated", "TablePaused"]
    told = [msgspec.json.decode(record.envelope().data) for record in desk.records[-2:]]
    until = add_milliseconds(desk.clock(), HOUR)
    assert told == [{"seat": 0, "reason": "fault"}, {"until": until, "by": "sys", "cause": "error"}]
    assert is_halted(desk.game)
    assert [clock_updates.seat_deadline(desk.game, seat) for seat in range(2)] == [None, None]
    for command in (TableTimeOut(0, until), TableResume()):
        with pytest.raises(Rejected, match="not_due"):
            desk.rule(None, command)
    desk.clock.go_to(until)
    desk.rule(None, TableResume())
    assert types(desk)[-2:] == ["SeatGiven", "TableResumed"]
    assert desk.game.seats[0].bot == "steady", "not the bot that would give the same default"
    assert not is_halted(desk.game)
    lines = bundle.write_lines(desk.game, desk.records, None, SIGNER)
    assert verify(lines, key=SIGNER.verifier, partial=True).events == desk.game.seq


def test_who_takes_the_seat_of_a_stopped_game_sets_it_going(refused_default):
    """They answer for themselves, so nobody need wait any longer."""
    desk = table_of_two(least_people=1)
    time_out(desk, 0)
    desk.rule(0, TableSeat(0, who=base64.b64encode(bytes(32)).decode()))
    assert types(desk)[-2:] == ["SeatGiven", "TableResumed"]
    assert clock_updates.seat_deadline(desk.game, 0) is not None


# --- forged --------------------------------------------------------------------------------------------


def bad(desk: RecordedTable) -> BadBundle:
    """Why the bundle of a game that is then played to its end is refused."""
    desk.play()
    with pytest.raises(BadBundle) as refused:
        desk.verdict()
    return refused.value


def test_a_time_out_before_its_deadline_is_bad():
    """Anyone who has all keys and writes it a millisecond before the deadline is found out at that event."""
    desk = table_of_two(excuses=1)
    until = due(desk, 0)
    desk.clock.go_to(add_milliseconds(until, -1))
    fact = lifecycle_facts.SeatTimedOut(0, ("choose_sail",), until, excused=True, misses=0)
    desk.forge(fact, command=TableTimeOut(0, until))
    at = desk.game.seq
    problem = bad(desk)
    assert (problem.seq, "not_due" in str(problem)) == (at, True)


def test_an_excuse_that_the_seat_does_not_have_is_bad():
    """What follows on a time-out is not the forger's choice."""
    desk = table_of_two(excuses=0)
    until = due(desk, 0)
    desk.clock.go_to(until)
    fact = lifecycle_facts.SeatTimedOut(0, ("choose_sail",), until, excused=True, misses=0)
    desk.forge(fact, command=TableTimeOut(0, until))
    at = desk.game.seq
    assert bad(desk).seq == at


@pytest.mark.parametrize("forged", [None, {"spent": {"p0": 1}}])
def test_a_forged_note_is_bad(forged):
    """Every note is reckoned again: one that is left out, or says what the settings do not give, is found."""
    desk = table_of_two()
    desk.clock.wait(10)
    command = desk.title.sample(desk.game.state, 0, FastChance(1))
    batch = desk.decided(0, command)
    true = clock_updates.make_clock_note(desk.game, 0, command, batch, desk.clock())
    told = None if forged is None else {**true, **forged}
    desk.forge(*batch.facts, by=0, draws=batch.draws, command=command, clock=told)
    at = desk.game.seq - len(batch.facts) + 1
    assert bad(desk).seq == at


def test_at_never_runs_backwards():
    """An event a microsecond before its predecessor, everything after it chained and signed again, is bad."""
    desk = table_of_two()
    desk.clock.at = format_timestamp(parse_timestamp(desk.clock()) - 1)
    answer(desk, 0)
    at = desk.game.seq
    desk.clock.at = format_timestamp(parse_timestamp(desk.clock()) + 1)
    problem = bad(desk)
    assert (problem.seq, str(problem)) == (at, f"event {at}: at runs backwards")


def test_a_seats_copy_shows_clocks_that_fit_together():
    """A copy tells what was spent and until when there is time; who was asked only the whole bundle tells. A
    note that contradicts itself is found.
    """
    desk = table_of_two()
    desk.clock.wait(10)
    answer(desk, 0)
    assert copy_of(desk).events == desk.game.seq
    time_out(desk, 1)
    assert copy_of(desk).events == desk.game.seq
    for forged in ({"spent": {"p0": 7}}, {"on": {"p0": add_milliseconds(desk.clock(), 1)}}):
        other = table_of_two()
        other.clock.wait(10)
        command = other.title.sample(other.game.state, 0, FastChance(1))
        batch = other.decided(0, command)
        note = {**clock_updates.make_clock_note(other.game, 0, command, batch, other.clock()), **forged}
        other.forge(*batch.facts, by=0, draws=batch.draws, command=command, clock=note)
        with pytest.raises(BadBundle):
            copy_of(other)


def copy_of(desk: RecordedTable):
    """What `rutter verify --partial` says of what seat 1 may know."""
    records = [record.redact_for(1) for record in desk.records]
    return verify(bundle.write_lines(desk.game, records, 1, SIGNER), partial=True, key=SIGNER.verifier)


def test_an_outage_in_which_something_happened_is_none():
    """Who keeps the log cannot invent one: nothing of the game lies in the time that it gives back."""
    desk = table_of_two()
    desk.clock.wait(20)
    began = desk.clock()
    answer(desk, 0)
    desk.clock.wait(20)
    around = TableOutage(add_milliseconds(began, -10_000), add_milliseconds(began, 10_000))
    with pytest.raises(Rejected, match="during the outage"):
        desk.rule(None, around)
    desk.rule(None, TableOutage(add_milliseconds(began, 1_000), add_milliseconds(began, 15_000)))
    assert desk.records[-1].type == "ClockAdjusted"


def test_an_outage_is_given_back_once():
    """Nor is the same one, or a part of it, given back again: who writes that all the same is found out."""
    desk = table_of_two()
    began = desk.clock()
    desk.clock.wait(60)
    outage = TableOutage(add_milliseconds(began, 1_000), add_milliseconds(began, 20_000))
    desk.rule(None, outage)
    for again in (outage, TableOutage(add_milliseconds(began, 5_000), add_milliseconds(began, 40_000))):
        with pytest.raises(Rejected, match="lost time"):
            desk.rule(None, again)
    desk.forge(lifecycle_facts.ClockAdjusted(0, 19_000, "outage"), command=outage)
    at = desk.game.seq
    assert bad(desk).seq == at
