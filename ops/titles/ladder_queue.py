"""The ladder's deals on many machines: jobs of a queue of their own, played by `rutter ladder --work`.

A deal has one id, no matter who asks for it, and always the same result: asked for twice, or played twice, it
counts once. A job whose worker died is given out again.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from redis import Redis
from rq import Queue, Worker
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus
from rq.registry import StartedJobRegistry

from events.base.installation import qualify_name
from ops.base.errors import OpsError
from workers import connections
from workers.bots import find_bot
from workers.bots.trials.ladder import Deal, Player, Tally
from workers.connections import MissingSetting

QUEUE = "ladder"
POLL_SECONDS = 0.2
"""Seconds between two looks at a job that is not done."""
CLEANUP_SECONDS = 20.0
"""Seconds between two looks for jobs whose workers died."""
DEAL_SECONDS = 4 * 3600
"""Seconds after which a deal is broken off."""
KEPT_SECONDS = 24 * 3600
"""Seconds for which a result waits to be fetched."""
ATTEMPTS = 3
"""The number of times a deal is given out before its failure counts as its own fault."""
LISTENING_SECONDS = 30
"""Seconds for which a worker waits for Redis to answer; longer than a look at the queue takes."""
TTL_SECONDS = 30
"""Seconds after which a worker that says nothing counts as dead."""


def play_one(given: dict[str, Any]) -> dict[str, int]:
    """Play one deal from every seat, as a job, and return its sums.

    Raises:
        UnknownBot: one of both is not installed here.
        ValueError: here it thinks with other weights or another budget.
    """
    deal = msgspec.convert(given, Deal)
    for player in (deal.pair.challenger, deal.pair.other):
        if Player.from_bot(find_bot(deal.title, player.full)) != player:
            raise ValueError(
                f"{player.full} has another budget or other weights here: use the same version of Rutter "
                "everywhere"
            )
    sums: dict[str, int] = msgspec.to_builtins(deal.play())
    return sums


def run_worker() -> None:
    """Play deals that others give out, until Ctrl-C."""
    queue = Queue(QUEUE, connection=_connect_redis(LISTENING_SECONDS), serializer="json")
    Worker([queue], connection=queue.connection, serializer="json", worker_ttl=TTL_SECONDS).work(
        logging_level="WARNING"
    )


def play_remotely(deals: Sequence[Deal]) -> Iterator[Tally]:
    """Yield the sums of each of *deals*, in order, as workers come by them. Raises :class:`OpsError`."""
    queue = Queue(QUEUE, connection=_connect_redis(connections.REDIS_SECONDS), serializer="json")
    for deal in deals:
        _enqueue(queue, deal)
    for deal in deals:
        yield _wait_for_result(queue, deal)


def _wait_for_result(queue: Queue, deal: Deal) -> Tally:
    """Return the sums of a deal; its job is given out again if it was lost."""
    attempts, cleared = 1, time.monotonic()
    while True:
        job = _find_job(queue, deal)
        status = job.get_status() if job else None
        if job and status == JobStatus.FINISHED:
            return msgspec.convert(job.return_value(), Tally)
        if job is None or status in {JobStatus.FAILED, JobStatus.STOPPED, JobStatus.CANCELED}:
            if attempts == ATTEMPTS:
                raise OpsError(
                    f"Deal {deal.number} of {deal.title} failed {ATTEMPTS} times: {_find_reason(job)}"
                )
            attempts += 1
            if job:
                job.delete()
            _enqueue(queue, deal)
        if time.monotonic() - cleared > CLEANUP_SECONDS:
            StartedJobRegistry(queue=queue).cleanup()
            cleared = time.monotonic()
        time.sleep(POLL_SECONDS)


def _enqueue(queue: Queue, deal: Deal) -> None:
    with contextlib.suppress(DuplicateJobError):  # another process asks for it already, or did
        queue.enqueue(
            qualify_name("ops.titles.ladder_queue.play_one"),
            args=(msgspec.to_builtins(deal),),
            job_id=_make_job_id(deal),
            unique=True,
            job_timeout=DEAL_SECONDS,
            result_ttl=KEPT_SECONDS,
            failure_ttl=KEPT_SECONDS,
        )


def _make_job_id(deal: Deal) -> str:
    """Return the id of a deal's job: that of the same deal between the same bots, for ever."""
    return f"{QUEUE}-{hashlib.sha256(msgspec.json.encode(deal)).hexdigest()[:32]}"


def _find_job(queue: Queue, deal: Deal) -> Job | None:
    try:
        return Job.fetch(_make_job_id(deal), connection=queue.connection, serializer="json")
    except NoSuchJobError:
        return None


def _find_reason(job: Job | None) -> str:
    latest = job.latest_result() if job else None
    lines = (latest.exc_string or "").strip().splitlines() if latest else []
    return lines[-1] if lines else "its job vanished"


def _connect_redis(patience: float) -> Redis:
    try:
        return connections.connect_redis(patience)
    except MissingSetting:
        raise OpsError("REDIS_URL is not set. Set it to the Redis that all machines share.") from None
