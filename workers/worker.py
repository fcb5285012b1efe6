"""A worker: takes jobs of its queues, one after the other, in a process that keeps games in memory."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.job import Job

from events.store.event_log import Pool
from projections.health import process_registry
from projections.messages.hints import FREE, Hints
from workers import connections, periodic_tasks
from workers.job_queues import DUTIES
from workers.periodic_tasks import PeriodicTask

LISTENING_SECONDS = 10
"""Seconds for which one look at the queues waits for a job."""
SILENCE_SECONDS = 5
"""Seconds beyond `LISTENING_SECONDS` after which a silent Redis is given up."""
OVERTIME_SECONDS = 15.0
"""Seconds for which a job may ignore that its time is over, before the process is killed."""

log = structlog.get_logger()


class Worker(SimpleWorker):
    """RQ's worker without a fork for each job; tells the dispatcher when it is free for the next one."""

    max_connection_wait_time = 1.0  # seconds between two attempts to reach a Redis that is away

    def __init__(self, name: str, duty: str, redis: Redis, hints: Hints) -> None:
        queues = [Queue(queue, connection=redis, serializer="json") for queue in DUTIES[duty]]
        super().__init__(
            queues,
            name=name,
            connection=redis,
            serializer="json",
            log_job_description=False,
            worker_ttl=LISTENING_SECONDS + 15,  # RQ takes 15 s off for itself
        )
        self.stopped = False
        """True if it was asked to stop."""
        self.at = ""
        """The id of the job that it is at."""
        self._hints = hints
        self._overtime_at: float | None = None

    @property
    def connection_timeout(self) -> int:
        """Seconds in which Redis has to answer: longer than a look at the queues may take."""
        return LISTENING_SECONDS + SILENCE_SECONDS

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Do a job, and say that there is room for the next."""
        self.at, self._overtime_at = job.id, time.monotonic() + (job.timeout or 0) + OVERTIME_SECONDS
        try:
            super().execute_job(job, queue)
        finally:
            self.at, self._overtime_at = "", None
        self._hints.publish(FREE, 0)

    def request_stop(self, signum: Any, frame: Any) -> None:
        """Stop after the job that is under way."""
        self.stopped = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def kill_overtime(self) -> None:
        """End the process where a job cannot be broken off otherwise; the supervisor starts another."""
        due = self._overtime_at
        if due is not None and time.monotonic() > due:
            log.error("job_overtime", worker=self.name)
            os.kill(os.getpid(), signal.SIGKILL)


class WorkerProcess:
    """A process that does one duty as long as it runs; a Redis that is away is waited for."""

    def __init__(self, duty: str, pool: Pool, redis: Redis) -> None:
        self._duty = duty
        self._pool = pool
        self._redis = redis
        self._worker: Worker | None = None
        self._stopping = threading.Event()

    def run(self) -> None:
        """Take jobs until SIGTERM."""
        periodic_tasks.start_tasks(
            [PeriodicTask("beat", process_registry.BEAT_SECONDS, self.beat)], self._stopping
        )
        hints = connections.make_hints()
        while not self._stopping.is_set():
            connections.call_on_stop(self._stopping.set)
            # Redis remembers the names of workers that it lost: each attempt is another worker.
            name = process_registry.make_process_name(self._duty)
            try:
                self._worker = Worker(name, self._duty, self._redis, hints)
                self.beat()
                self._worker.work(with_scheduler=False, logging_level="WARNING")
                if self._worker.stopped:
                    self._stopping.set()
            except (RedisError, OSError) as error:
                log.warning("redis_away", error=type(error).__name__)
                self._stopping.wait(periodic_tasks.RECONNECT_PAUSE)
            finally:
                self._worker = None
                self._leave(name)

    def beat(self) -> None:
        """Say that this worker is alive, and at what.

        While it has no Redis to take jobs from it does not count as one.
        """
        worker = self._worker
        if worker is not None:
            worker.kill_overtime()
            process_registry.report_alive(self._pool, worker.name, self._duty, worker.at)

    def _leave(self, name: str) -> None:
        try:
            process_registry.report_end(self._pool, name)
        except Exception as error:
            if not periodic_tasks.is_server_away(error):
                raise
            log.info("left_unseen", worker=name)
