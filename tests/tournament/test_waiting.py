"""What a tournament waits for its directors to do, at each point of its course."""

from __future__ import annotations

import pytest

from events.base.timestamps import add_milliseconds
from events.table.lifecycle_facts import ClockAdjusted
from events.tournament import commands as asks
from events.tournament import facts
from events.tournament.facts import Effect, SetResult, TableReference
from events.tournament.settings import choose_absence
from events.tournament.waiting import GRACE_MS, find_awaited
from tests.tournament.recording import BEGAN, DUELS, MINUTE, SIXTEEN, Recorded

MANUAL = {**DUELS, "schedule": {"round": "manual"}}
BY_HAND = {**DUELS, "schedule": {}}
"""The first round is paired by the server, and started by a director."""


def awaited(recorded, later=0):
    """What is awaited now: the kind, the round, and the command with which it goes on."""
    now = add_milliseconds(recorded.at, later)
    return [(one.kind, one.round, one.command) for one in find_awaited(recorded.state, now)]


def test_entry_without_times_waits_for_a_director():
    recorded = Recorded(MANUAL)
    assert awaited(recorded) == [("open_entry", None, "open_entry")]
    recorded.give("d1", asks.OpenEntry())
    assert awaited(recorded) == [("close_entry", None, "close_entry")]


def test_entry_with_times_waits_for_nobody():
    times = {"opens_at": BEGAN, "closes_at": add_milliseconds(BEGAN, MINUTE)}
    recorded = Recorded(DUELS, entry=times)
    assert awaited(recorded) == []
    recorded.give(None, asks.OpenEntry())
    assert awaited(recorded) == []
    assert awaited(recorded, MINUTE + GRACE_MS) == [("entrants", None, "change_settings")]


def test_entrants_wait_for_admission():
    recorded = Recorded(DUELS, entry={"approval": True, "closes_at": add_milliseconds(BEGAN, MINUTE)})
    recorded.give("d1", asks.OpenEntry())
    recorded.enter(2)
    assert [(one.kind, one.entrant) for one in find_awaited(recorded.state, recorded.at)] == [
        ("admission", "e1"),
        ("admission", "e2"),
    ]
    recorded.give("d1", asks.Admit("e1", True))
    recorded.give("d1", asks.Admit("e2", False))
    assert awaited(recorded) == []


def test_rounds_by_hand_wait_for_their_pairing_and_their_start():
    recorded = Recorded(MANUAL)
    recorded.begin(4)
    assert awaited(recorded) == [("pair_round", 1, "pair_round")]
    recorded.give("d1", asks.PairRound())
    assert awaited(recorded) == [("start_round", 1, "start_round")]
    recorded.give("d1", asks.StartRound())
    assert awaited(recorded) == [], "games are played"
    recorded.play()
    recorded.house()
    assert awaited(recorded) == [("pair_round", 2, "pair_round")]
    recorded.give("d1", asks.PauseTournament(add_milliseconds(recorded.at, MINUTE), "technical"))
    assert awaited(recorded) == [], "it goes on by itself"


def test_a_first_round_without_a_time_waits_for_its_start():
    recorded = Recorded(BY_HAND)
    recorded.begin(4)
    assert awaited(recorded) == [("start_round", 1, "start_round")]


def test_a_table_without_a_result_waits_for_a_ruling():
    recorded = Recorded(DUELS)
    recorded.begin(4)
    recorded.link(1, 1)
    table = recorded.state.rounds[0].tables[0]
    ended = asks.RecordResult(1, table.game, 9, "00" * 32, None, None, (7, None), 1)
    recorded.give(None, ended)
    recorded.end(1, 2)
    [one] = find_awaited(recorded.state, recorded.at)
    assert (one.kind, one.round, one.table, one.command) == ("result", 1, 1, "rule")
    recorded.give("d1", asks.Rule("result", (Effect(result=SetResult(1, (2, 1), 1)),)))
    assert awaited(recorded) == []


def test_disputes_and_appeals_wait_for_rulings():
    recorded = Recorded(SIXTEEN, protest_ms=MINUTE)
    recorded.begin(4)
    recorded.play()
    recorded.give("e1", asks.RaiseDispute(1, round=1))
    assert awaited(recorded) == [("dispute", 1, "rule")]
    recorded.give("d1", asks.Rule("result", (Effect(replay=TableReference(1, 1)),), dispute=1))
    recorded.give("e2", asks.Appeal(1))
    assert awaited(recorded) == [("appeal", None, "rule")]


def test_too_few_entrants_are_told():
    recorded = Recorded(MANUAL)
    recorded.begin(2)
    recorded.give("e1", asks.Withdraw())
    assert awaited(recorded) == [("entrants", 1, "cancel_tournament")]
    alone = Recorded(DUELS)
    alone.begin(2, until=asks.PairRound)
    alone.give("e1", asks.Withdraw())
    assert awaited(alone, GRACE_MS) == [("entrants", 1, "cancel_tournament")]


def test_a_step_that_the_rules_refuse_is_told():
    """Six entrants never meet exactly once at tables of four: the server cannot pair them."""
    recorded = Recorded(SIXTEEN, stages=[{"format": "round_robin"}], entry={"least": 4})
    recorded.begin(6, until=asks.PairRound)
    assert awaited(recorded) == []
    assert awaited(recorded, GRACE_MS) == [("server", 1, "pair_round")]


def test_nothing_is_awaited_when_it_is_over():
    recorded = Recorded(DUELS).whole(4, ())
    assert awaited(recorded, 10 * GRACE_MS) == []
    cancelled = Recorded(MANUAL)
    cancelled.give("d1", asks.CancelTournament("other"))
    assert awaited(cancelled) == []


@pytest.mark.parametrize(
    ("size", "given", "chosen"),
    [
        (2, None, {"least_people": 1}),
        (2, {"then": "open"}, {"then": "open", "least_people": 1}),
        (2, {"least_people": 2}, {"least_people": 2}),
        (2, {"least_people": 0}, {"least_people": 0}),
        (3, None, None),
        (4, {"then": "open"}, {"then": "open"}),
    ],
)
def test_at_tables_of_two_one_person_is_enough(size, given, chosen):
    assert choose_absence(size, given) == chosen


def told(fact, **data):
    """The sentence of a kind of fact, of what it needs of it."""
    return fact.tell(data, str)


def test_sentences_count_in_words():
    """One table, one entrant; several of them: noun and verb agree with the number."""
    assert told(facts.EntryClosed, entrants=["e1"]) == "Entry is closed: 1 entrant plays."
    assert told(facts.EntryClosed, entrants=["e1", "e2"]) == "Entry is closed: 2 entrants play."
    pairs = [["e1", "e2"], ["e3", "e4"]]
    assert told(facts.RoundPaired, round=1, pods=pairs[:1]) == "Round 1 is paired: 1 table."
    assert told(facts.RoundPaired, round=2, pods=pairs) == "Round 2 is paired: 2 tables."
    assert told(facts.StageClosed, stage=1, advancing=["e1"]) == "Stage 1 is over. 1 entrant goes on."
    assert told(facts.StageClosed, stage=1, advancing=["e1", "e2"]) == "Stage 1 is over. 2 entrants go on."
    adjusted = {"seat": 0, "add_ms": 1000, "cause": "outage"}
    assert told(ClockAdjusted, **adjusted) == "0 gets 1 second more (outage)."
