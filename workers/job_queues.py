"""The queues of the workers: what waits in the lobby goes to Redis a few tasks at a time.

Redis holds no backlog, only what the workers take next: so the first in the lobby's order is served
next, and a thousand waiting games cost nothing. A game has one task under way at the most, and each of its
bots that think has one. It is forgotten when its job is gone, and given out again when its worker is dead.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from redis import Redis
from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus

from events.base.installation import qualify_name
from events.store.event_log import Pool
from projections.health import failed_tasks, process_registry
from projections.health.process_registry import ProcessSign
from projections.read_models import work_queue
from projections.read_models.work_queue import FIRST_OWNER, TaskLine, WaitingTask

AI, THINK, HOUSE, _ = process_registry.WORKERS
BOTS, PONDER, ODDS = "bots", "ponder", "odds"
DUTIES = {
    AI: (AI, BOTS),
    THINK: (THINK, PONDER),
    HOUSE: (HOUSE, ODDS),
}
"""The queues of a worker by its duty, the first one first. Who delivers takes calls from the database."""
YIELDS = {BOTS: AI, PONDER: THINK}
"""The queues in which nobody but bots waits, and those in which a person does."""
JOB_SECONDS = 120
"""Seconds after which a job is broken off."""
THINKING_SECONDS = 300
"""The same of a thought, which takes seconds of a processor that others may want as well."""
LIMBO_SECONDS = 3.0
"""Seconds after which a job that is neither in its queue nor begun was lost with the worker that took it."""
LEFT_SECONDS = process_registry.DEAD_AFTER
"""Seconds after which a job that counts as begun, and at which its worker is not, was left by it.

What a worker says of itself may be as old.
"""
LIVING_SECONDS = 1.0
"""Seconds for which it is remembered who is alive."""

log = structlog.get_logger()


@dataclass(frozen=True)
class JobQueue:
    """Tasks of one kind, with a share of what may lie in Redis."""

    queue: str
    duty: str
    house: bool
    person: bool
    """True if a person waits for these tasks."""
    per_worker: int
    """Most tasks of it in Redis for each worker, those under way included."""
    thinks: bool = False
    """True for tasks of bots that think: they take seconds each, so few of them lie in Redis."""

    @property
    def line(self) -> TaskLine:
        """The line that it takes its tasks from."""
        return TaskLine(self.thinks, self.house, self.person)


JOB_QUEUES = (
    JobQueue(AI, AI, house=False, person=True, per_worker=4),
    JobQueue(BOTS, AI, house=False, person=False, per_worker=2),
    JobQueue(THINK, THINK, house=False, person=True, per_worker=2, thinks=True),
    JobQueue(PONDER, THINK, house=False, person=False, per_worker=1, thinks=True),
    JobQueue(HOUSE, HOUSE, house=True, person=True, per_worker=4),
    JobQueue(HOUSE, HOUSE, house=True, person=False, per_worker=2),
)


@dataclass
class _DispatchedTask:
    """A task that was given out."""

    job_queue: JobQueue
    task: WaitingTask
    lost_since: float | None = None
    """Since when nobody has been at its job, as far as is known, though it does not lie in its queue."""

    @property
    def job_id(self) -> str:
        """Always the same for a task, so that it is in Redis once, no matter who puts it there."""
        return f"{self.job_queue.queue}-{self.task.name.replace('/', '-')}"


@dataclass(frozen=True)
class _LossReason:
    """The reason for which a job will not end by itself."""

    why: str
    counts: bool = False
    """True if this is a failure of the task, which is tried again after a pause."""
    passing: bool = False
    """True if it is certainly no fault of the game, which is then never set aside for it."""


class JobDispatcher:
    """Gives tasks out. A second one at work does no harm: both give the same jobs the same names."""

    def __init__(self, pool: Pool, redis: Redis) -> None:
        self._pool = pool
        self._redis = redis
        self._queues = {
            job_queue.queue: Queue(job_queue.queue, connection=redis, serializer="json")
            for job_queue in JOB_QUEUES
        }
        self._dispatched: dict[str, _DispatchedTask] = {}
        self._after = dict.fromkeys(JOB_QUEUES, FIRST_OWNER)
        """The owner who was served last, by job queue."""
        self._signs: dict[str, ProcessSign] = {}
        self._asked = -LIVING_SECONDS

    def dispatch(self, is_held: Callable[[], bool] = lambda: False) -> int:
        """Give out what there is room for; how many tasks. None while *is_held*, asked if any waits."""
        lines = work_queue.find_lines(self._pool)
        if not (lines or self._dispatched) or is_held():
            return 0
        if time.monotonic() - self._asked >= LIVING_SECONDS:
            self._refresh_signs()
        self._settle()
        return sum(self._fill(job_queue) for job_queue in JOB_QUEUES if job_queue.line in lines)

    def list_dispatched(self) -> list[WaitingTask]:
        """Return the tasks that were given out and have not ended, as far as is known."""
        return [dispatched.task for dispatched in self._dispatched.values()]

    def _refresh_signs(self) -> None:
        self._signs = process_registry.list_signs(self._pool)
        self._asked = time.monotonic()

    def _fill(self, job_queue: JobQueue) -> int:
        workers = sum(sign.duty == job_queue.duty for sign in self._signs.values())
        room = job_queue.per_worker * max(1, workers)
        room -= sum(dispatched.job_queue == job_queue for dispatched in self._dispatched.values())
        for given in range(room):
            task = self._find_next(job_queue)
            if task is None:
                return given
            self._after[job_queue] = task.owner
            self._give(_DispatchedTask(job_queue, task))
        return max(0, room)

    def _find_next(self, job_queue: JobQueue) -> WaitingTask | None:
        """Return the task of *job_queue* whose turn it is, none that is under way."""
        after = self._after[job_queue]
        under_way = [dispatched.task for dispatched in self._dispatched.values()]
        if job_queue.thinks:
            without = [task.name for task in under_way]
            return work_queue.find_next_seat(
                self._pool, person=job_queue.person, after=after, without=without
            )
        games = [task.game_id for task in under_way if not task.thinks]
        return work_queue.find_next_game(
            self._pool, house=job_queue.house, person=job_queue.person, after=after, without=games
        )

    def _give(self, dispatched: _DispatchedTask) -> None:
        task = dispatched.task
        arguments = (task.game_id, task.seq) if task.seat is None else (task.game_id, task.seq, task.seat)
        self._dispatched[task.name] = dispatched
        try:
            self._queues[dispatched.job_queue.queue].enqueue(
                qualify_name(f"workers.jobs.{_name_job_function(task)}"),
                args=arguments,
                job_id=dispatched.job_id,
                unique=True,
                job_timeout=THINKING_SECONDS if dispatched.job_queue.thinks else JOB_SECONDS,
                result_ttl=0,
                failure_ttl=60,
            )
        except DuplicateJobError:
            pass  # a dispatcher before us or beside us gave it out: followed from now on
        except BaseException:
            del self._dispatched[task.name]
            raise

    def _settle(self) -> None:
        """Forget the tasks whose jobs are gone, and those whose jobs are lost, with the jobs."""
        flights = list(self._dispatched.values())
        if not flights:
            return
        for dispatched, job in zip(flights, self._fetch_jobs([f.job_id for f in flights]), strict=True):
            if job is None:
                del self._dispatched[dispatched.task.name]
            elif self._is_forgotten(dispatched, job):
                self._forget(dispatched, job, "Nobody is at it.")
            elif lost := self._find_loss(job):
                if lost.counts:
                    task = dispatched.task
                    failed_tasks.record(
                        self._pool, task.game_id, task.kind, task.seq, lost.why, passing=lost.passing
                    )
                self._forget(dispatched, job, lost.why)

    def _fetch_jobs(self, names: list[str]) -> list[Job | None]:
        """Return the jobs of these names, None where there is none."""
        try:
            return Job.fetch_many(names, connection=self._redis, serializer="json")
        except NoSuchJobError:
            return [self._fetch_job(name) for name in names]

    def _fetch_job(self, name: str) -> Job | None:
        """Return a job; remove what is none.

        That is left where a worker that began late wrote into a job that was given up.
        """
        try:
            return Job.fetch(name, connection=self._redis, serializer="json")
        except NoSuchJobError:
            self._redis.delete(Job.key_for(name))
            return None

    def _is_forgotten(self, dispatched: _DispatchedTask, job: Job) -> bool:
        """Return True if the job was lost as its worker took or left it, or with an answer of Redis."""
        patience = self._measure_patience(dispatched, job)
        if patience is None:
            dispatched.lost_since = None
            return False
        dispatched.lost_since = dispatched.lost_since or time.monotonic()
        return time.monotonic() - dispatched.lost_since > patience

    def _measure_patience(self, dispatched: _DispatchedTask, job: Job) -> float | None:
        """Return the seconds that a job may lack a worker; None while a worker is at it, or will be."""
        status = job.get_status(refresh=False)
        if status == JobStatus.QUEUED:
            return None if job.id in self._queues[dispatched.job_queue.queue].job_ids else LIMBO_SECONDS
        # A Redis that comes back may have forgotten that a job is over: its worker knows.
        sign = self._signs.get(job.worker_name or "") if status == JobStatus.STARTED else None
        return LEFT_SECONDS if sign is not None and sign.job not in (None, job.id) else None

    def _find_loss(self, job: Job) -> _LossReason | None:
        """Return the reason for which a job will not end by itself; None where it may."""
        status = job.get_status(refresh=False)
        if status == JobStatus.QUEUED:
            return None
        if status == JobStatus.STARTED:
            return None if self._is_alive(job.worker_name) else self._judge_worker(job.worker_name)
        # A job's own errors are caught in it and end it well: this one was failed by what is around it.
        return _LossReason(f"The job {status.value if status else 'vanished'}.", counts=True, passing=True)

    def _judge_worker(self, worker: str | None) -> _LossReason:
        if worker is not None and process_registry.has_died(self._pool, worker):
            return _LossReason("The worker died over it.", counts=True)  # and the next one may, too
        return _LossReason("Its worker left it.")  # it had lost Redis

    def _is_alive(self, worker: str | None) -> bool:
        if worker not in self._signs:
            self._refresh_signs()  # it may have come this moment
        return worker in self._signs

    def _forget(self, dispatched: _DispatchedTask, job: Job, reason: str) -> None:
        """Forget a job. Its task will be given out again, under the same id."""
        log.warning("job_lost", job=job.id, reason=reason)
        with contextlib.suppress(NoSuchJobError):
            job.delete()
        del self._dispatched[dispatched.task.name]


def _name_job_function(task: WaitingTask) -> str:
    """Return the function in :mod:`workers.jobs` that does it."""
    if task.thinks:
        return "think"
    return "house" if task.seat is None else "play"
