"""The dispatcher: numbers what was committed, keeps the read models up to date, and feeds the workers.

Redis only carries hints and a few jobs. Whatever it loses is found again in the log's own read model, where
everything stands that waits for a bot or the server. So games also begin, or are abandoned, when the time of
their reveals is up, without anybody asking.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog
from redis import Redis
from redis.exceptions import RedisError

from events.store.event_log import SEQUENCE_BATCH, EventLog
from events.store.games import utc_now
from projections import ratings
from projections.base.server_clock import make_clock
from projections.claim_cleanup import ClaimCleanup
from projections.health import failed_tasks, heartbeat, process_registry
from projections.health.lag import find_oldest_unseen
from projections.lane_news import NEWEST
from projections.messages.hints import Hints
from projections.read_models import notices
from projections.read_models.game_ends import LOBBY
from projections.read_models.timers import DUE, find_due_games
from projections.read_models.tournaments import WAITING
from projections.runner import Runner
from projections.tree.append_guard import AppendGuard
from projections.tree.grower import GrowerThread
from workers import connections, due_look, periodic_tasks, timer_commands, timers, vacations
from workers.due_look import DueLook, DueTask
from workers.job_queues import JobDispatcher
from workers.periodic_tasks import PeriodicTask
from workers.tournament_runner import TournamentRunner

SWEEP_SECONDS = 2.0
"""Seconds between two looks at what waits, where no hint asks for one."""
LOOK_SECONDS = 2.0
"""Seconds between two looks for commits of which the hint was lost.

Each look asks all machines of a cluster, and waits for one that does not answer. So no turn does it.
"""
IDLE_SECONDS = 1.0
"""The longest sleep without a hint."""
DEAF_SECONDS = 0.2
"""The same while Redis, which brings the hints, is away."""
GATHER_SECONDS = 0.25
"""The pause between two turns that had something to do: what comes meanwhile is done in one.

A hint after a longer time waits for nothing. The pause ends at once when a bot or a worker waits.
"""
AFTER_GROWTH_SECONDS = 5.0
"""Seconds between two looks of tasks that are woken when the log grows: a hint may be lost."""
RATE_SECONDS = 5.0
"""Seconds between two looks for ended games on a cluster: each asks all machines."""
AFTER_ERROR_SECONDS = 5.0
"""The longest pause after an error of what every game waits for."""
STUCK_SECONDS = 20.0
"""A dispatcher that has not come round for so long says no more that it is alive."""

_STREAM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

log = structlog.get_logger()


@dataclass
class Dispatcher:
    """One of these runs; a second one does no harm."""

    events: EventLog
    redis: Redis
    stopping: threading.Event = field(default_factory=threading.Event)
    now: Callable[[], str] = utc_now
    """The time as events record it."""
    name: str = field(default_factory=lambda: process_registry.make_process_name(process_registry.DISPATCHER))

    def __post_init__(self) -> None:
        self._hints = Hints(self.redis)
        self._runner = Runner(self.events, self._hints.publish_notices)
        self._standing = AppendGuard(self.events.pool)
        self.feed = JobDispatcher(self.events.pool, self.redis)
        self._number = PeriodicTask("number", 0, self.number, AFTER_ERROR_SECONDS)
        self._project = PeriodicTask("project", 0, self.project, AFTER_ERROR_SECONDS)
        self._dispatch = PeriodicTask("dispatch", 0, self.dispatch, AFTER_ERROR_SECONDS)
        self._tournament_runner: TournamentRunner | None = None
        self._dispatched = 0.0
        self._rated = float("-inf")
        self._freed = False
        self._hinted = True
        self._grown: set[str] = set()
        """The streams that a hint named, until their events have positions."""
        self._found = False
        """True if events got positions that no hint named."""
        self._deaf = False
        """True while no hint can be heard."""
        self._newest: int | None = None
        """The newest position when an outage was first seen; None while there is none to give back."""
        self._followers: list[Callable[[], object]] = []
        self._turned = time.monotonic()

    def make_tasks(self) -> list[PeriodicTask]:
        """Return the tasks beside the numbering, projecting and dispatching that follow on each hint.

        A task is added by one line here: a name, an interval in seconds, a method that does it once. One
        that follows the log has a rest, too, which ends when the log grows. Each has a thread of its own, so
        none waits for another, and none may count on running alone: a second dispatcher does the same.
        """
        pool = self.events.pool
        due_tasks = self.make_due_tasks()
        return [
            PeriodicTask("beat", process_registry.BEAT_SECONDS, self.beat),
            PeriodicTask("look", LOOK_SECONDS, self.look),
            *(due.task for due in due_tasks),
            PeriodicTask("due", due_look.DUE_SECONDS, DueLook(pool, self.now, due_tasks)),
            PeriodicTask("project again", 2.0, Runner(self.events).project_again, rest=AFTER_GROWTH_SECONDS),
            PeriodicTask("forget dead", 600.0, lambda: process_registry.forget_dead(pool)),
            PeriodicTask("sweep claims", 60.0, ClaimCleanup(pool)),
            PeriodicTask("deadlines near", 5.0, self.notify_deadlines),
            PeriodicTask("ratings", 1.0, self.rate, rest=AFTER_GROWTH_SECONDS),
            PeriodicTask("stuck tables", 30.0, self.notify_halted),
            PeriodicTask("forget notices", 3600.0, lambda: notices.forget_old(pool)),
        ]

    def make_due_tasks(self) -> list[DueTask]:
        """Return the tasks that rest until one look finds something for them: a line and a query for each."""
        pool, rest = self.events.pool, due_look.UNTOLD_SECONDS
        timers = PeriodicTask("timers", 1.0, self.run_timers, rest=heartbeat.BEAT_SECONDS)
        vacation = PeriodicTask("vacations", 2.0, self.apply_vacations, rest=rest)
        stewards = PeriodicTask("stewards", 0.5, self.serve_tournaments, rest=rest)
        release = PeriodicTask("release", 2.0, lambda: failed_tasks.release(pool), rest=rest)
        return [
            DueTask(timers, [DUE, heartbeat.UNSETTLED]),
            DueTask(vacation, [vacations.AWAY]),
            DueTask(stewards, [WAITING]),
            DueTask(release, [failed_tasks.FAILED]),
        ]

    def run(self) -> None:
        """Work until :attr:`stopping` is set; servers that are away for a while are waited for."""
        tasks = self.make_tasks()
        for task in tasks:
            self.follow(task.wake)
        periodic_tasks.start_tasks(tasks, self.stopping)
        while not self.stopping.is_set():
            self.turn()

    def follow(self, wake: Callable[[], object]) -> None:
        """Call *wake* from now on when the log has grown and the read models tell of it."""
        self._followers.append(wake)

    def turn(self) -> None:
        """Number, project and dispatch what is new; then wait for a hint. Each goes on without the others."""
        self._turned = time.monotonic()
        numbered = self._number.attempt()
        found, self._found = self._found, False
        known = numbered or found or self._hinted or self._runner.is_sweep_due()
        projected = self._project.attempt() if known else 0
        if numbered or projected:
            for wake in self._followers:
                wake()
        if self._runner.waiting or self._freed or self._turned - self._dispatched >= SWEEP_SECONDS:
            self._runner.waiting = self._freed = False
            self._dispatch.attempt()
        if (numbered or 0) < SEQUENCE_BATCH:  # else there may be more, of which nobody tells again
            self._listen(GATHER_SECONDS if numbered or projected else 0.0)

    def number(self) -> int:
        """Give positions to the new events that hints named; how many, or -1 while another one does it.

        Only the machines of these games are asked. Without Redis, which brings the hints, all are.
        """
        if self._deaf:
            return self.look()
        done = self.events.sequence_streams(self._grown) if self._grown else 0
        if done >= 0:  # else another may have begun before these were there, so they are named again
            self._grown.clear()
        return done

    def look(self) -> int:
        """Give positions to events of which the hint was lost; how many. Without any it takes no lock."""
        done = 0
        while self.events.has_unnumbered() and (count := self.events.sequence()) > 0:
            done += count
        self._found = self._found or done > 0
        return done

    def catch_up(self) -> int:
        """Give positions to new events and project them; how many there were."""
        self.events.sequence()
        return self.project()

    def project(self) -> int:
        """Bring the read models up to date; how many events that took."""
        done = 0
        while count := self._runner.step():
            done += count
            if not self._runner.more:
                break
        return done

    def dispatch(self) -> int:
        """Give the workers what waits for a bot or the server, a few tasks at a time; how many."""
        self._dispatched = time.monotonic()
        return self.feed.dispatch(self._standing.is_set_back)  # then no job could append anything

    def run_timers(self) -> int:
        """Let games go on whose time has come; how many there were. First outages are made good."""
        pool = self.events.pool
        outages = heartbeat.beat(pool)
        due = find_due_games(pool, self.now())
        if not (due or outages) or self._standing.is_set_back():
            return 0
        if outages:
            if not self._is_lobby_told():
                return 0  # nobody's time is up before an outage is given back
            timer_commands.compensate_outages(connections.get_games(), pool, outages)
            self._newest = None
        return timers.run_due_timers(connections.get_games(), pool, self.now()) if due else 0

    def _is_lobby_told(self) -> bool:
        """Return True once the lobby tells of all that was in the log when an outage was first seen."""
        if self._newest is None:
            while (numbered := self.events.sequence()) > 0:
                pass
            if numbered < 0:  # another one numbers them
                return False
        with self.events.pool.connection() as connection:
            if self._newest is None:
                row = connection.execute(NEWEST).fetchone()
                self._newest = int(row[0]) if row else 0
            unseen = find_oldest_unseen(connection)
        oldest = unseen.get(LOBBY, 0)  # that of a lobby which has not begun to follow the log
        return oldest is None or oldest > self._newest

    def apply_vacations(self) -> int:
        """Tell their games who is on vacation; of how many seats the time stands still from now on."""
        found = vacations.find_vacations(self.events.pool, self.now())
        if not found or self._standing.is_set_back():
            return 0
        return vacations.apply_vacations(connections.get_games(), self.events.pool, found)

    def rate(self) -> int:
        """Count the games that have ended for the ratings; how many events that took."""
        if not self._runner.is_one_machine and time.monotonic() < self._rated + RATE_SECONDS:
            return 0
        self._rated = time.monotonic()
        done = 0
        while count := ratings.follow_log(self.events):
            done += count
        return done

    def serve_tournaments(self) -> int:
        """Do what the server has to do in tournaments and their games; how many steps were made."""
        if self._tournament_runner is None:
            self._tournament_runner = TournamentRunner(
                connections.get_tournaments(), connections.get_games(), self._hints.publish_notices
            )
        found = self._tournament_runner.find_waiting()
        return 0 if not found or self._standing.is_set_back() else self._tournament_runner.serve_all(found)

    def notify_deadlines(self) -> int:
        """Tell those whose time is nearly up; how many."""
        return self._publish_notices(notices.notify_deadlines(self.events.pool, self.now()))

    def notify_halted(self) -> int:
        """Tell who directs games that do not go on by themselves; how many."""
        return self._publish_notices(notices.notify_halted(self.events.pool))

    def _publish_notices(self, accounts: list[str]) -> int:
        self._hints.publish_notices(accounts)
        return len(accounts)

    def beat(self) -> None:
        """Say that this dispatcher is alive, as long as it comes round."""
        if time.monotonic() - self._turned < STUCK_SECONDS:
            process_registry.report_alive(self.events.pool, self.name, process_registry.DISPATCHER)

    def _listen(self, pause: float) -> None:
        """Wait for a hint: a game has grown, or a worker has time for the next task.

        Hints gather until *pause* is over.
        """
        try:
            heard = self._hints.gather(periodic_tasks.seconds_until_moment(IDLE_SECONDS), pause)
            self._freed, self._hinted = heard.freed, bool(heard.games)
            self._grown.update(filter(_STREAM.fullmatch, heard.games))
            self._deaf = False
        except (RedisError, OSError):
            self._hinted, self._deaf = False, True
            self.stopping.wait(DEAF_SECONDS)


def main() -> None:
    """Run a dispatcher until SIGTERM, and beside it let the tree of all games grow."""
    pool = connections.open_pool(9)
    events = EventLog(pool, machines=connections.get_games().log.machines)
    dispatcher = Dispatcher(events, connections.connect_redis(), now=make_clock())
    connections.call_on_stop(dispatcher.stopping.set)
    try:
        with GrowerThread(connections.make_grower(pool), dispatcher.stopping) as tree:
            dispatcher.follow(tree.wake)
            dispatcher.run()
        process_registry.report_end(pool, dispatcher.name)
    finally:
        pool.close(timeout=1)
