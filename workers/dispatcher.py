"""The dispatcher: numbers what was committed, keeps the read models up to date, and starts jobs.

Redis only carries hints and jobs. Whatever it loses is found again in the log: the sweep looks at every
game that waits for a bot or the house and dispatches what is still open.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus

from events.log import EventLog
from projections.hints import Hints
from projections.runner import Runner
from workers import chores, connect
from workers.chores import Chore

SWEEP_SECONDS = 2.0
"""Between two looks at every game that waits."""
PATIENCE_SECONDS = 10.0
"""After which a job that should have answered is given up and another one started beside it."""
IDLE_SECONDS = 0.2
"""The longest sleep without a hint."""

AI, HOUSE = "ai", "house"
QUEUES = (AI, HOUSE)

PENDING = (
    "SELECT game_id::text, seq, house, bot FROM lobby WHERE status = 'running' AND (house OR bot IS NOT NULL)"
)
"""Games that wait for somebody who is no player."""

log = structlog.get_logger()


@dataclass(frozen=True)
class Task:
    """Something that a worker is to do: a bot's turn, or the house's."""

    queue: str
    game_id: str
    seq: int
    seat: int | None

    @property
    def job_id(self) -> str:
        """Always the same for the same task, so that it is queued once."""
        who = "house" if self.seat is None else str(self.seat)
        return f"{self.queue}-{self.game_id}-{self.seq}-{who}"

    @property
    def call(self) -> tuple[str, tuple[Any, ...]]:
        """The job's function and arguments."""
        if self.seat is None:
            return "workers.jobs.house", (self.game_id, self.seq)
        return "workers.jobs.play", (self.game_id, self.seq, self.seat)


@dataclass
class Dispatcher:
    """One of these runs; a second one does no harm."""

    events: EventLog
    redis: Redis
    stopping: threading.Event = field(default_factory=threading.Event)
    _first_seen: dict[Task, float] = field(default_factory=dict)
    _queued: dict[tuple[str, str], tuple[str, float]] = field(default_factory=dict)
    """(queue, game) -> the newest job that was queued for it, and when."""

    def __post_init__(self) -> None:
        self._runner = Runner(self.events)
        self._queues = {name: Queue(name, connection=self.redis, serializer="json") for name in QUEUES}
        self._hints = Hints(self.redis)
        self._swept = 0.0
        self._number = Chore("number", 0, self.events.sequence)
        self._project = Chore("project", 0, self.project)
        self._dispatch = Chore("dispatch", 0, self.dispatch)

    def chores(self) -> list[Chore]:
        """What is done beside the numbering, projecting and dispatching that follow on each hint.

        A chore is added by one line here: a name, an interval in seconds, a method that does it once. Each has
        a thread of its own, so none waits for another, and none may count on running alone: a second
        dispatcher does the same.
        """
        return []

    def run(self) -> None:
        """Work until :attr:`stopping` is set; servers that are away for a while are waited for."""
        chores.start(self.chores(), self.stopping)
        while not self.stopping.is_set():
            self.turn()

    def turn(self) -> None:
        """Number, project and dispatch what is new; then wait for a hint. Each goes on without the others."""
        self._number.attempt()
        moved = self._project.attempt()
        due = time.monotonic() - self._swept >= SWEEP_SECONDS
        if moved or due:
            self._dispatch.attempt()
        if not moved:
            self._listen()

    def _listen(self) -> None:
        try:
            self._hints.wait(IDLE_SECONDS)
        except RedisError:
            self.stopping.wait(IDLE_SECONDS)

    def catch_up(self) -> int:
        """Give positions to new events and project them; how many there were."""
        self.events.sequence()
        return self.project()

    def project(self) -> int:
        """Bring the read models up to date; how many events that took."""
        done = 0
        while count := self._runner.step():
            done += count
        return done

    def dispatch(self) -> None:
        """Queue a job for every open decision of a bot or of the house."""
        now = time.monotonic()
        self._swept = now
        tasks = self.open_tasks()
        self._first_seen = {task: self._first_seen.get(task, now) for task in tasks}
        pending = {(task.queue, task.game_id) for task in tasks}
        self._queued = {place: job for place, job in self._queued.items() if place in pending}
        for task in tasks:
            self.queue(task, now - self._first_seen[task])

    def open_tasks(self) -> list[Task]:
        """What running games wait for that no player does; one task a game, its job does all that follow."""
        with self.events.pool.connection() as connection:
            rows = connection.execute(PENDING).fetchall()
        return [
            Task(HOUSE, game_id, seq, None) if waits_for_house else Task(AI, game_id, seq, seat)
            for game_id, seq, waits_for_house, seat in rows
        ]

    def queue(self, task: Task, age: float) -> None:
        """Queue *task*, which has been open for *age* seconds, unless its job is under way.

        Nor where an older job of the same game still waits for its turn: it will find the newest state.
        Else a game whose players move while a bot is to think would fill the queue with idle jobs.
        """
        attempt = int(age // PATIENCE_SECONDS)
        if not attempt and self._waits_already(task):
            return
        job_id = f"{task.job_id}-again{attempt}" if attempt else task.job_id
        function, arguments = task.call
        try:
            self._enqueue(task, job_id, function, arguments)
        except DuplicateJobError:
            if self._ended(job_id):
                self._enqueue(task, job_id, function, arguments)

    def _enqueue(self, task: Task, job_id: str, function: str, arguments: tuple[Any, ...]) -> None:
        self._queues[task.queue].enqueue(
            function,
            args=arguments,
            job_id=job_id,
            unique=True,
            job_timeout=120,
            result_ttl=60,
            failure_ttl=300,
        )
        self._queued[task.queue, task.game_id] = (job_id, time.monotonic())

    def _waits_already(self, task: Task) -> bool:
        """Whether a job that was queued for this game a moment ago has not been begun yet."""
        job_id, since = self._queued.get((task.queue, task.game_id), ("", 0.0))
        if not job_id or time.monotonic() - since > PATIENCE_SECONDS:
            return False
        try:
            job = Job.fetch(job_id, connection=self.redis, serializer="json")
        except NoSuchJobError:
            return False
        return job.get_status() == JobStatus.QUEUED

    def _ended(self, job_id: str) -> bool:
        """Whether the job of that id has ended without an answer; it is removed then."""
        try:
            job = Job.fetch(job_id, connection=self.redis, serializer="json")
            if job.get_status() not in (
                JobStatus.FAILED,
                JobStatus.FINISHED,
                JobStatus.STOPPED,
                JobStatus.CANCELED,
            ):
                return False
            job.delete()
        except NoSuchJobError:
            pass
        return True


def main() -> None:
    """Run a dispatcher until SIGTERM."""
    pool = connect.open_pool(4)
    dispatcher = Dispatcher(EventLog(pool), connect.redis())
    connect.on_stop(dispatcher.stopping.set)
    try:
        dispatcher.run()
    finally:
        pool.close(timeout=1)
