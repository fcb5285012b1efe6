"""The dispatcher: numbers what was committed, keeps the read models up to date, and feeds the workers.

Redis only carries hints and a few jobs. Whatever it loses is found again in the log's own read model, where
everything stands that waits for a bot or the house. So games also begin, or are abandoned, when the time of
their reveals is up, without anybody asking.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog
from redis import Redis
from redis.exceptions import RedisError

from events.store.event_log import EventLog
from events.store.games import utc_now
from projections import alive, failed, heartbeat, notices, ratings
from projections.claims import Sweep
from projections.hints import FREE, Hints
from projections.house_time import house_time
from projections.runner import Runner
from projections.tree.grow import Growing
from projections.tree.standing import Standing
from workers import chores, clocks, connect, tables, vacations
from workers.chores import Chore
from workers.deliveries import Deliveries
from workers.feed import Feed
from workers.pace import Pace
from workers.stewards import Stewards

SWEEP_SECONDS = 2.0
"""Between two looks at what waits, where no hint asks for one."""
IDLE_SECONDS = 0.2
"""The longest sleep without a hint."""
AFTER_ERROR_SECONDS = 5.0
"""The longest pause after an error of what every game waits for."""
STUCK_SECONDS = 20.0
"""A dispatcher that has not come round for so long says no more that it is alive."""

log = structlog.get_logger()


@dataclass
class Dispatcher:
    """One of these runs; a second one does no harm."""

    events: EventLog
    redis: Redis
    stopping: threading.Event = field(default_factory=threading.Event)
    now: Callable[[], str] = utc_now
    """The time as events record it."""
    name: str = field(default_factory=lambda: alive.new_name(alive.DISPATCHER))

    def __post_init__(self) -> None:
        self._hints = Hints(self.redis)
        self._runner = Runner(self.events, self._hints.noticed)
        self._standing = Standing(self.events.pool)
        self.feed = Feed(self.events.pool, self.redis)
        self._number = Chore("number", 0, self.events.sequence, AFTER_ERROR_SECONDS)
        self._project = Chore("project", 0, self.project, AFTER_ERROR_SECONDS)
        self._dispatch = Chore("dispatch", 0, self.dispatch, AFTER_ERROR_SECONDS)
        self._stewards: Stewards | None = None
        self._dispatched = 0.0
        self._freed = False
        self._turned = time.monotonic()
        self._pace = Pace(self._turned)

    def chores(self) -> list[Chore]:
        """What is done beside the numbering, projecting and dispatching that follow on each hint.

        A chore is added by one line here: a name, an interval in seconds, a method that does it once. Each
        has a thread of its own, so none waits for another, and none may count on running alone: a second
        dispatcher does the same.
        """
        pool = self.events.pool
        return [
            Chore("beat", alive.EVERY, self.beat),
            Chore("timers", 1.0, self.open_tables),
            Chore("vacations", 2.0, self.vacations),
            Chore("stewards", 0.5, self.serve_tournaments),
            Chore("release", 1.0, lambda: failed.release(pool)),
            Chore("project again", 5.0, Runner(self.events).project_again),
            Chore("forget dead", 600.0, lambda: alive.forget_dead(pool)),
            Chore("sweep claims", 60.0, Sweep(pool)),
            Chore("webhooks", 0.25, Deliveries(pool, self.redis)),
            Chore("deadlines near", 5.0, self.tell_near),
            Chore("ratings", 1.0, self.rate),
            Chore("stuck tables", 30.0, self.tell_stuck),
            Chore("forget notices", 3600.0, lambda: notices.forget_old(pool)),
        ]

    def run(self) -> None:
        """Work until :attr:`stopping` is set; servers that are away for a while are waited for."""
        chores.start(self.chores(), self.stopping)
        while not self.stopping.is_set():
            self.turn()

    def turn(self) -> None:
        """Number, project and dispatch what is new; then wait for a hint. Each goes on without the others."""
        self._turned = time.monotonic()
        self._number.attempt()
        moved = self._project.attempt()
        if self._runner.waiting or self._freed or self._turned - self._dispatched >= SWEEP_SECONDS:
            self._runner.waiting = self._freed = False
            self._dispatch.attempt()
        if moved:
            self.stopping.wait(self._pace.pause(self._turned, time.monotonic()))
        else:
            self._listen()

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
        """Give the workers what waits for a bot or the house, a few tasks at a time; how many."""
        self._dispatched = time.monotonic()
        return 0 if self._standing.set_back() else self.feed.feed()  # no job could append anything

    def open_tables(self) -> int:
        """Let games go on whose time has come; how many there were. First outages are made good."""
        heartbeat.beat(self.events.pool)
        if self._standing.set_back():
            return 0
        clocks.give_back(connect.games(), self.events.pool)
        return tables.go_on_with_all(connect.games(), self.events.pool, self.now())

    def vacations(self) -> int:
        """Tell their games who is on vacation; of how many seats the time stands still from now on."""
        if self._standing.set_back():
            return 0
        return vacations.tell_all(connect.games(), self.events.pool, self.now())

    def rate(self) -> int:
        """Count the games that have ended for the ratings; how many events that took."""
        done = 0
        while count := ratings.follow(self.events):
            done += count
        return done

    def serve_tournaments(self) -> int:
        """Do what the house has to do in tournaments and their games; how many steps were made."""
        if self._standing.set_back():
            return 0
        if self._stewards is None:
            self._stewards = Stewards(connect.tournaments(), connect.games(), self._hints.noticed)
        return self._stewards()

    def tell_near(self) -> int:
        """Tell those whose time is nearly up; how many."""
        return self._noticed(notices.tell_near(self.events.pool, self.now()))

    def tell_stuck(self) -> int:
        """Tell who directs games that do not go on by themselves; how many."""
        return self._noticed(notices.tell_stuck(self.events.pool))

    def _noticed(self, accounts: list[str]) -> int:
        for account in accounts:
            self._hints.noticed(account)
        return len(accounts)

    def beat(self) -> None:
        """Say that this dispatcher is alive, as long as it comes round."""
        if time.monotonic() - self._turned < STUCK_SECONDS:
            alive.beat(self.events.pool, self.name, alive.DISPATCHER)

    def _listen(self) -> None:
        """Wait for a hint: a game has grown, or a worker has time for the next task."""
        try:
            self._freed = FREE in self._hints.wait_for_all(IDLE_SECONDS)
        except (RedisError, OSError):
            self.stopping.wait(IDLE_SECONDS)


def main() -> None:
    """Run a dispatcher until SIGTERM, and beside it let the tree of all games grow."""
    pool = connect.open_pool(9)
    dispatcher = Dispatcher(EventLog(pool), connect.redis(), now=house_time())
    connect.on_stop(dispatcher.stopping.set)
    try:
        with Growing(connect.grower(pool), dispatcher.stopping):
            dispatcher.run()
        alive.leave(pool, dispatcher.name)
    finally:
        pool.close(timeout=1)
