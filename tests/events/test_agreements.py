"""What those at a table agree on, what directors rule, and when a table is given up."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.base.timestamps import DAY_MS, add_milliseconds
from events.rules.steps import Rejected
from events.table import clock_updates, engine
from events.table.commands.expiry import IDLE_MS, TableExpire, TableWarn, expiry_due, warning_due
from events.table.commands.leaving import TableLeave
from events.table.commands.offers import MAX_AGREED_PAUSE_MS, MAX_LIVE_PAUSE_MS, TableAnswer, TableOffer
from events.table.commands.rulings import TableAddTime, TableEnd, TablePause, TableResume
from events.verify.errors import BadBundle
from tests.events.seated import Seated, refused

LIVE = {"kind": "live", "base_ms": 600_000}
SLOW = {"kind": "correspondence", "per_decision_ms": DAY_MS}


def types(table):
    return [record.type for record in table.newest()]


def test_three_people_pause_a_game_by_agreement():
    """The second yes brings the pause in its batch; nobody plays; at its end the server goes on."""
    table = Seated(3, bots=1)
    until = add_milliseconds(table.at, DAY_MS)
    table.give(0, TableOffer("pause", until))
    assert table.data(-1) == {"offer": 1, "what": "pause", "by": "p0", "until": until}
    table.give(1, TableAnswer(1, True))
    assert table.game.paused is None, "one is still asked"
    table.give(2, TableAnswer(1, True))
    assert types(table) == ["OfferAnswered", "TablePaused"]
    assert table.data(-1) == {"until": until, "by": "p2", "cause": "agreement"}
    assert table.game.offers == ()
    decision = table.title.awaited(table.game.state)[0]
    command = table.title.default(table.game.state, decision)
    with pytest.raises(Rejected) as paused:
        engine.decide(table.game, decision.seat, command, table.secrets, table.chain)
    assert paused.value.code == "game_paused"
    assert refused(table, None, TableResume()) == "not_due"
    table.clock.go_to(until)
    table.give(None, TableResume())
    assert types(table) == ["TableResumed"]
    table.play()
    assert table.verdict().status == "finished"


def test_nobody_pauses_alone():
    """An offer that nobody answers changes nothing, one that somebody declines is closed."""
    table = Seated(3)
    table.give(0, TableOffer("pause", add_milliseconds(table.at, DAY_MS)))
    table.play(3)
    assert table.game.paused is None
    assert refused(table, 0, TableOffer("pause", add_milliseconds(table.at, DAY_MS))) == "already_offered"
    assert refused(table, 0, TableAnswer(1, True)) == "already_answered"
    assert refused(table, 1, TableAnswer(2, True)) == "unknown_offer"
    table.give(1, TableAnswer(1, False))
    assert table.game.offers == ()
    assert refused(table, 2, TableAnswer(1, True)) == "unknown_offer"
    table.give(0, TableOffer("pause", add_milliseconds(table.at, DAY_MS)))
    table.give(0, TableAnswer(2, False))
    assert table.game.offers == (), "the proposer may take it back"


def test_who_plays_against_bots_alone_agrees_alone():
    """They may pause, and end the game."""
    table = Seated(1, bots=2)
    table.give(0, TableOffer("pause", add_milliseconds(table.at, DAY_MS)))
    assert types(table) == ["TableOffered", "TablePaused"]
    table.give(0, TableOffer("resume"))
    assert types(table) == ["TableOffered", "TableResumed"]
    table.give(0, TableOffer("end"))
    assert types(table) == ["TableOffered", "TableAbandoned"]
    assert table.verdict().status == "abandoned"


def test_all_end_the_game_together():
    """With the last yes it is abandoned, its secrets are disclosed, and the bundle is whole."""
    table = Seated(4)
    table.play(12)
    table.give(2, TableOffer("end"))
    for seat in (0, 1, 3):
        table.give(seat, TableAnswer(1, True))
    assert types(table) == ["OfferAnswered", "TableAbandoned"]
    assert set(table.data(-1)["disclosed"]) == {"anchor", "deal", "hide", "bot"}
    report = table.verdict()
    assert (report.status, report.reason, report.whole) == ("abandoned", "agreed", True)
    assert table.game.outcome() is None


def test_offers_fall_when_somebody_goes_or_comes():
    """What was proposed to some is not agreed to by others."""
    table = Seated(4)
    table.give(0, TableOffer("end"))
    table.give(1, TableAnswer(1, True))
    table.give(2, TableLeave())
    assert table.game.offers == ()
    assert refused(table, 3, TableAnswer(1, True)) == "unknown_offer"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (TableOffer("pause"), "invalid_parameters"),
        (TableOffer("pause", "tomorrow"), "invalid_parameters"),
        (TableOffer("pause", "2026-03-01T11:00:00.000000Z"), "invalid_parameters"),
        (TableOffer("pause", "2026-04-01T12:00:00.000000Z"), "invalid_parameters"),
        (TableOffer("end", "2026-03-02T12:00:00.000000Z"), "invalid_parameters"),
        (TableOffer("resume"), "not_paused"),
        (TableOffer("more_time"), "no_clock"),
    ],
)
def test_offers_that_make_no_sense(command, code):
    """Each refusal has a code of its own."""
    assert refused(Seated(3), 0, command) == code


def test_pauses_are_limited_by_what_was_settled():
    """Forbidden, or a few; half an hour in a live game, two weeks in others."""
    day = add_milliseconds(Seated(3).at, DAY_MS)
    assert refused(Seated(3, absence={"pauses": {"by_agreement": False}}), 0, TableOffer("pause", day)) == (
        "not_allowed"
    )
    table = Seated(1, bots=2, absence={"pauses": {"most": 1}})
    table.give(0, TableOffer("pause", add_milliseconds(table.at, DAY_MS)))
    assert refused(table, 0, TableOffer("pause", add_milliseconds(table.at, DAY_MS))) == "game_paused"
    table.give(0, TableOffer("resume"))
    assert refused(table, 0, TableOffer("pause", add_milliseconds(table.at, DAY_MS))) == "not_allowed"
    for clock, most in ((LIVE, MAX_LIVE_PAUSE_MS), (SLOW, MAX_AGREED_PAUSE_MS)):
        slow = Seated(3, clock=clock)
        assert (
            refused(slow, 0, TableOffer("pause", add_milliseconds(slow.at, most + 1))) == "invalid_parameters"
        )


def test_a_director_pauses_and_goes_on():
    """Up to thirty days; a bot may wait as well."""
    table = Seated(3, directors=1)
    assert refused(table, "d1", TableResume()) == "not_paused"
    assert (
        refused(table, "d1", TablePause(add_milliseconds(table.at, 31 * DAY_MS), "schedule"))
        == "invalid_parameters"
    )
    until = add_milliseconds(table.at, 29 * DAY_MS)
    table.give("d1", TablePause(until, "schedule"))
    assert table.data(-1) == {"until": until, "by": "d1", "cause": "schedule"}
    assert table.game.paused.since == table.at
    assert refused(table, "d1", TablePause(until, "schedule")) == "game_paused"
    table.give("d1", TableResume())
    table.play()
    table.verdict()


def test_a_director_ends_a_game():
    """It has no result; the bundle says by whom it was ended."""
    table = Seated(3, directors=1)
    table.play(5)
    table.give("d1", TableEnd("technical"))
    assert table.data(-1)["by"] == "d1"
    assert (table.verdict().reason, table.game.ended_by) == ("director", "abandoned")
    waiting = Seated(3, open_seats=(2,))
    waiting.give("d0", TableEnd("other"))
    assert waiting.game.has_ended
    committed = Seated(3, commit=True)
    assert refused(committed, "d0", TableEnd("other")) == "reveals_open"


def test_more_time_is_given_by_directors_and_by_others():
    """A seat gives others as much as one decision has, a day; nobody gives time to themselves."""
    table = Seated(3, clock=SLOW)
    assert refused(Seated(3), 0, TableAddTime(1, 1000)) == "no_clock"
    assert refused(table, 0, TableAddTime(0, 1000)) == "not_allowed"
    assert refused(table, 0, TableAddTime(7, 1000)) == "unknown_seat"
    assert refused(table, 0, TableAddTime(1, DAY_MS + 1)) == "invalid_parameters"
    assert refused(table, 0, TableAddTime(1, 0)) == "invalid_parameters"
    assert refused(table, "d1", TableAddTime(1, 1000)) == "not_a_director"
    before = table.game.clocks[1].left_ms
    table.give(0, TableAddTime(1, DAY_MS - 1000))
    assert table.game.clocks[1].left_ms == before + DAY_MS - 1000
    assert refused(table, 0, TableAddTime(2, 1001)) == "invalid_parameters"
    table.give(0, TableAddTime(2, 1000))
    assert refused(table, 0, TableAddTime(2, 1)) == "invalid_parameters"
    table.wait(24 * 3600)
    table.give(0, TableAddTime(2, DAY_MS))
    table.give("d0", TableAddTime(1, 5 * DAY_MS))
    table.give(0, TableOffer("end"))
    for seat in (1, 2):
        table.give(seat, TableAnswer(1, True))
    table.verdict()


def test_a_pause_shifts_every_deadline_and_refills_nothing():
    """By exactly its length, in live games and in others; what was used before stays used."""
    for clock in (SLOW, LIVE):
        table = Seated(3, clock=clock)
        seat = next(iter(clock_updates.seats_on_clock(table.game)))
        table.wait(60)
        due = clock_updates.seat_deadline(table.game, seat)
        table.give("d0", TablePause(add_milliseconds(table.at, 3_600_000), "schedule"))
        assert clock_updates.seat_deadline(table.game, seat) is None
        table.give("d0", TableResume())
        assert clock_updates.seat_deadline(table.game, seat) == add_milliseconds(due, 1000)
        table.give(0, TableOffer("end"))
        for other in (1, 2):
            table.give(other, TableAnswer(1, True))
        table.verdict()


def test_all_agree_on_more_time():
    """Each gets as much as one decision has."""
    table = Seated(3, clock=SLOW)
    before = [clock.left_ms for clock in table.game.clocks]
    table.give(2, TableOffer("more_time"))
    table.give(0, TableAnswer(1, True))
    table.give(1, TableAnswer(1, True))
    assert types(table) == ["OfferAnswered", *["ClockAdjusted"] * 3]
    assert [clock.left_ms for clock in table.game.clocks] == [left + DAY_MS for left in before]


def test_a_table_that_is_not_filled_in_time_expires():
    """The server abandons it when its time is up, not before; then nobody joins."""
    table = Seated(3, open_seats=(2,), expires_at="2026-03-01T13:00:00.000000Z")
    assert expiry_due(table.game) == ("not_filled", "2026-03-01T13:00:00.000000Z")
    assert refused(table, 0, TableExpire()) == "not_your_decision"
    assert refused(table, None, TableExpire()) == "not_due"
    table.clock.go_to("2026-03-01T13:00:00.000000Z")
    table.give(None, TableExpire())
    assert table.data(-1)["reason"] == "not_filled"
    assert table.verdict().reason == "not_filled"
    with pytest.raises(Rejected) as late:
        table.sit(2)
    assert late.value.code == "game_not_open"


def test_a_game_in_which_nothing_happens_is_given_up():
    """After half a year without any event those at the table are told, a month later it is abandoned; not one
    that is paused, nor one with a clock.
    """
    table = Seated(3)
    table.play(3)
    assert refused(table, None, TableExpire()) == "not_due"
    assert refused(table, None, TableWarn()) == "not_due"
    assert (expiry_due(Seated(3, clock=SLOW).game), warning_due(Seated(3, clock=SLOW).game)) == (None, None)
    table.wait(IDLE_MS // 1000)
    table.give(None, TableWarn())
    until = add_milliseconds(table.at, 30 * DAY_MS)
    assert table.data(-1) == {"until": until}
    assert (warning_due(table.game), expiry_due(table.game)) == (None, ("deserted", until))
    assert refused(table, None, TableExpire()) == "not_due"
    table.clock.go_to(until)
    table.give(None, TableExpire())
    assert table.verdict().reason == "deserted"


def test_any_event_takes_the_warning_back():
    """Whatever happens after it: half a year has to pass again before the next one."""
    for something in (lambda table: table.play(1), lambda table: table.give(0, TableOffer("end"))):
        table = Seated(3)
        table.wait(IDLE_MS // 1000)
        table.give(None, TableWarn())
        something(table)
        assert expiry_due(table.game) is None
        assert warning_due(table.game) == add_milliseconds(table.game.at, IDLE_MS)
        assert refused(table, None, TableExpire()) == "not_due"
        assert table.verdict(partial=True).events == table.game.seq


def test_a_game_of_a_tournament_is_never_given_up():
    """Its directors are told, each half year, and nothing follows."""
    table = Seated(3)
    table.game = replace(table.game, tournament={"id": "x"})
    for _ in range(2):
        table.wait(IDLE_MS // 1000)
        table.give(None, TableWarn())
        assert table.data(-1) == {"until": None}
        assert expiry_due(table.game) is None


def test_a_pause_too_early_resumed_is_no_bundle():
    """A forger lets the server go on before its time: the event is named."""
    table = Seated(1, bots=2)
    table.give(0, TableOffer("pause", add_milliseconds(table.at, DAY_MS)))
    from events.table.conduct_facts import TableResumed

    table.wait(5)
    table.forge(TableResumed(), command=TableResume())
    table.play()
    with pytest.raises(BadBundle) as bad:
        table.verdict()
    assert "not_due" in str(bad.value)


def test_a_seats_copy_holds_the_same_table_commands():
    """Everything that is said at a table is public; while the game runs a copy of it is checked as well."""
    table = Seated(3)
    table.play(5)
    table.give(0, TableOffer("end"))
    table.give(1, TableAnswer(1, False))
    table.give(1, TableLeave())
    table.play(5)
    assert table.verdict(2, partial=True).status == "running"


def test_sentences_tell_what_happened_at_the_table():
    """In plain words, with nobody's name."""
    from projections.read_models.history import make_lines

    table = Seated(3)
    before = table.game
    table.give(0, TableOffer("pause", add_milliseconds(table.at, DAY_MS)))
    table.give(1, TableAnswer(1, False))
    table.give("d0", TablePause(add_milliseconds(table.at, DAY_MS), "schedule"))
    table.give("d0", TableResume())
    table.give(2, TableLeave())
    told = [line.text for line in make_lines(before, table.records[before.seq :], None)]
    assert told[0].endswith("proposes to pause the game until 2026-03-02 12:00 UTC.")
    assert told[1].endswith("declines proposal 1.")
    assert told[2:4] == [
        "The game is paused until 2026-03-02 12:00 UTC (schedule).",
        "The game goes on.",
    ]
    assert told[4].endswith("leaves the table.")
