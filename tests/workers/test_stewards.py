"""Stewards of tournaments: what they do, and that they may be killed over any of it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from events.base.timestamps import add_milliseconds
from events.rules.steps import Rejected
from events.store.event_log import EventLog
from events.store.tournaments import Tournaments
from events.tournament import commands as asks
from events.tournament.facts import Effect, GameReference, SetResult
from events.tournament.outcomes import summarize_game
from events.tournament.schedule import due_commands
from events.verify.tournaments.verification import verify_tournament
from projections.rebuild import rebuild
from projections.runner import Runner
from tests.playing import play_to_the_end
from tests.tournament.recording import DUELS
from tests.tournament.test_log import opening_of
from tests.waiting import PATIENCE
from workers.tournament_runner import TournamentRunner

pytestmark = pytest.mark.integration

ROOT = Path(__file__).resolve().parents[2]
KILLED = """
import os, signal, sys
from psycopg_pool import ConnectionPool
from events.store.games import Games
from events.store.event_log import EventLog
from events.store.tournaments import Tournaments
from workers.tournament_runner import TournamentRunner
url, tournament, kind, dies = sys.argv[1:]
log = EventLog(ConnectionPool(url, kwargs={"autocommit": True}, open=True))
append = EventLog.append
def killed(self, stream, records, *args, **kwargs):
    hit = any(record.type == kind for record in records)
    if hit and dies == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    append(self, stream, records, *args, **kwargs)
    if hit:
        os.kill(os.getpid(), signal.SIGKILL)
EventLog.append = killed
TournamentRunner(Tournaments(log), Games(log)).serve(tournament)
"""


class Event:
    """A tournament of duels whose steward can be killed."""

    def __init__(self, games, database, settings=DUELS, entrants=4):
        self.games, self.database = games, database
        self.tournaments = Tournaments(games.log)
        self.steward = TournamentRunner(self.tournaments, games)
        self.id = self.tournaments.create(settings).id
        self.tournaments.command(self.id, "d1", asks.OpenEntry())
        for _ in range(entrants):
            self.tournaments.enter(self.id, asks.Enter())
        self.tournaments.command(self.id, "d1", asks.CloseEntry())

    @property
    def state(self):
        return Tournaments(self.games.log).load(self.id)

    def project(self):
        self.games.log.sequence()
        runner = Runner(self.games.log)
        while runner.step():
            pass

    def house(self):
        """All that is to be done."""
        self.project()
        while self.steward():
            self.project()

    def killed(self, kind, dies):
        """A process serves it, and is killed over an event of that *kind*."""
        self.project()
        words = [sys.executable, "-c", KILLED, self.database, self.id, kind, dies]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(words, cwd=ROOT, env=environment, check=False, timeout=PATIENCE)
        assert done.returncode == -signal.SIGKILL

    def tables(self):
        return [table for one in self.state.rounds for table in one.tables]

    def play(self):
        """The games that run are played to their ends."""
        for table in self.tables():
            if table.head is not None and table.result is None:
                play_to_the_end(self.games, self.games.load(table.game))

    def check(self):
        """It is over, each game is linked once, and all of it can be proved."""
        state, records = self.state, self.tournaments.records(self.id)
        assert state.over
        linked = [table.game for table in self.tables()]
        assert len(set(linked)) == len(linked) == sum(r.type == "TableLinked" for r in records)
        found = {
            game: summarize_game(self.games.load(game), opening_of(self.games.records(game)))
            for game in linked
        }
        report = verify_tournament(self.id, records, state.service, games=found)
        assert (report.games, report.whole) == (len(linked), True)


def test_it_serves_to_the_end(games, database):
    """Games are made, results recorded and rounds closed without anybody asking; what is left is nothing."""
    event = Event(games, database)
    event.house()
    while not event.state.over:
        event.play()
        event.house()
    event.check()
    assert event.steward() == 0


def test_the_last_times_of_all_are_reckoned_with(games, database):
    """What would begin after the year 2999 is due in its last microsecond: nothing fails, before or after."""
    last = "2999-12-31T23:59:59.999999Z"
    stages = [{"format": "ladder", "period_ms": 60_000, "ends_at": last}]
    schedule = {"starts_at": last, "gap_ms": 86_400_000, "most_ms": 86_400_000}
    ladder = {"stages": stages, "schedule": schedule, "protest_ms": 86_400_000}
    event = Event(games, database, {**DUELS, **ladder, "tie_breaks": ["wins", "lot"]})
    event.project()
    event.steward.serve(event.id)
    assert event.state.mixed
    for number in range(1, 5):
        event.tournaments.command(event.id, f"e{number}", asks.Ready())
    event.house()
    assert due_commands(event.state) == ((last, asks.CloseStage()), (last, asks.PairByRatings()))
    assert all(result.equal for result in rebuild(games.log))
    event.tournaments.command(event.id, "d1", asks.CancelTournament("other"))
    event.house()
    assert event.state.over
    assert all(result.equal for result in rebuild(games.log))


@pytest.mark.parametrize("far", ["9999-12-31T23:59:59.000000Z", "1999-12-31T23:59:59.000000Z"])
def test_times_of_other_years_are_refused(games, far):
    for changes in (
        {"schedule": {"starts_at": far}},
        {"schedule": {"round": "fixed", "at": [DUELS["schedule"]["starts_at"], far]}},
        {"entry": {"opens_at": far}},
        {"entry": {"closes_at": far}},
        {"stages": [{"format": "ladder", "period_ms": 60_000, "ends_at": far}]},
    ):
        with pytest.raises(Rejected, match="invalid_settings"):
            Tournaments(games.log).create({**DUELS, **changes})


def test_two_at_work_do_no_harm(games, database):
    """Each step has one id and follows on the state that was seen: of two stewards one is first."""
    event = Event(games, database)
    other = TournamentRunner(Tournaments(EventLog(games.log.pool)), games)
    event.project()
    event.steward.serve(event.id)
    other.serve(event.id)
    while not event.state.over:
        event.play()
        event.project()
        other.serve(event.id)
        event.steward.serve(event.id)
    event.check()


def test_killed_between_a_game_and_its_link(games, database):
    """The game is there under the id that the round named; the next process links that one."""
    event = Event(games, database)
    event.killed("TableOpened", "after")
    event.house()
    while not event.state.over:
        event.play()
        event.house()
    event.check()


@pytest.mark.slow
@pytest.mark.parametrize("dies", ["before", "after"])
def test_killed_at_every_step(games, database, dies):
    """Killed over each of its steps, in turn, the tournament ends with every game linked once."""
    event = Event(games, database)
    for kind in ("RandomnessFixed", "RoundPaired", "RoundStarted", "TableOpened", "TableLinked"):
        event.killed(kind, dies)
    event.house()
    event.play()
    for kind in ("ResultRecorded", "ResultConfirmed", "RoundClosed"):
        event.killed(kind, dies)
    event.house()
    event.play()
    for kind in ("ResultRecorded", "RoundClosed", "StageClosed", "TournamentClosed"):
        event.killed(kind, dies)
    event.house()
    event.check()


def test_a_ruling_is_carried_out_in_games(games, database):
    """A director ends a game by a ruling, gives the places by another, and pauses all others with it."""
    event = Event(games, database)
    event.house()
    first, second = event.tables()
    ends = asks.Rule("technical", (Effect(end_game=GameReference(first.game)),))
    event.tournaments.command(event.id, "d1", ends)
    event.house()
    assert games.load(first.game).ended_by == "abandoned"
    assert event.tables()[0].result.places is None
    places = asks.Rule("result", (Effect(result=SetResult(1, (2, 1))),))
    event.tournaments.command(event.id, "d1", places)
    until = add_milliseconds(games.now(), 600_000)
    event.tournaments.command(event.id, "d1", asks.PauseTournament(until, "schedule"))
    event.house()
    assert games.load(second.game).paused is not None
    event.tournaments.command(event.id, "d1", asks.ResumeTournament())
    event.house()
    assert games.load(second.game).paused is None
