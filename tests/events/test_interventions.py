"""The row `people` of a verdict: changes of seats, clocks and the course, with their actors."""

import json

import pytest

from events.base.timestamps import add_milliseconds
from events.table.commands.leaving import TableLeave, TableRemove
from events.table.commands.offers import TableAnswer, TableOffer
from events.table.commands.rulings import TableAddTime, TableEnd, TablePause, TableResume
from events.verify.report import NO_INTERVENTION
from tests.events.seated import Seated

LIVE = {"kind": "live", "base_ms": 600_000, "increment_ms": 0}


def table(**more):
    """Three people and a bot play with a clock, under a director."""
    return Seated(3, bots=1, directors=1, clock=LIVE, **more)


def people(made, seat=None, *, partial=False):
    """The rows of people in the summary; they are the same as in the report."""
    report = made.verdict(seat, partial=partial)
    told = [line[17:] for line in report.summary().splitlines() if line.startswith("  people ")]
    assert told == ([one.text() for one in report.interventions] or [NO_INTERVENTION])
    read = json.loads(json.dumps(report.to_json()))["interventions"]
    assert [one["event"] for one in read] == [one.event for one in report.interventions]
    return told


def sat(seat, made):
    """How a sentence begins with a seat."""
    return f"event {made.newest()[0].seq} by {{}}: Seat {seat}"


def test_a_game_without_any():
    """Nobody did anything beside the play, and that is said."""
    made = Seated(2)
    made.play()
    assert people(made) == ["nobody intervened"]


def test_who_leaves():
    """The player did it."""
    made = table(absence={"then": "open"})
    made.give(2, TableLeave())
    told = f"{sat(2, made).format('p2')} leaves the table."
    assert people(made, 0, partial=True)[0] == told


def test_who_is_removed():
    """The director did it; the sentence does not say the cause, the row does."""
    made = table(absence={"then": "open"})
    made.give("d1", TableRemove(2, "conduct"))
    told = f"{sat(2, made).format('d1')} is removed from the table. Cause: conduct."
    assert people(made, 0, partial=True)[0] == told


@pytest.mark.parametrize(("actor", "cause"), [("d1", "other"), (0, "gift")])
def test_who_gets_time(actor, cause):
    """A director or another seat gave it: how much, and why."""
    made = table()
    made.give(actor, TableAddTime(2, 60_000))
    by = actor if isinstance(actor, str) else f"p{actor}"
    assert people(made, 0, partial=True) == [f"{sat(2, made).format(by)} gets 60 seconds more ({cause})."]


def test_several_changes_and_their_order():
    """A removal with the bot that plays on, a pause and its end, the end of the game."""
    made = table(absence={"then": "bot:random"})
    made.give("d1", TableRemove(1, "conduct"))
    made.give("d1", TablePause(add_milliseconds(made.at, 3_600_000), "technical"))
    made.give("d1", TableResume())
    made.give("d1", TableEnd("other"))
    shown = people(made)
    assert [line.partition(" by ")[0] for line in shown] == [
        f"event {record.seq}" for record in made.records if record.seq > made.records[-1].seq - 5
    ]
    assert all(line.partition(" by ")[2].startswith("d1: ") for line in shown)
    assert "is removed from the table. Cause: conduct." in shown[0]
    assert "The bot random plays on for seat 1." in shown[1]
    assert "paused" in shown[2]
    assert "technical" in shown[2]
    assert "abandoned" in shown[4]
    assert shown[4].endswith("Cause: other.")


def test_offers_are_no_interventions():
    """What players propose to each other changes nothing by itself."""
    made = table()
    made.give(0, TableOffer("end"))
    made.give(1, TableAnswer(made.game.offers[0].offer, yes=False))
    assert people(made, 0, partial=True) == [NO_INTERVENTION]
