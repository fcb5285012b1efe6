"""Results of simulations that workers compute: queued once, kept for a while, told when done."""

from __future__ import annotations

from typing import Any

from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus

from service.application.container import Services
from service.application.throttling import hit_limit
from service.http.problems import Problem

RESULT_TTL_SECONDS = 600
"""Seconds for which a result is kept."""
JOB_TIMEOUT_SECONDS = 120
"""Seconds after which a simulation is broken off."""


def get_job_result(
    services: Services,
    queue: str,
    function: str,
    arguments: tuple[str | int, ...],
    *,
    kept: int = RESULT_TTL_SECONDS,
) -> dict[str, Any] | None:
    """Return the answer of *function* to *arguments*; None while it is under way.

    Puts the job in *queue* if it was not there; its result is kept for *kept* seconds. Raises problems: 429
    for a client that asks too much, 503 where the workers cannot be reached.
    """
    redis = services.hints.redis
    job_id = "-".join(map(str, (function.rpartition(".")[2], *arguments)))
    try:
        if redis is None:
            raise RedisError  # noqa: TRY301 - the same to the client
        try:
            job = Job.fetch(job_id, connection=redis, serializer="json")
            if job.get_status() == JobStatus.FINISHED:
                return job.return_value()
            if job.get_status() not in (JobStatus.FAILED, JobStatus.CANCELED, JobStatus.STOPPED):
                return None
            job.delete()
        except NoSuchJobError:
            pass
        hit_limit("simulations")
        Queue(queue, connection=redis, serializer="json").enqueue(
            function,
            args=arguments,
            job_id=job_id,
            unique=True,
            job_timeout=JOB_TIMEOUT_SECONDS,
            result_ttl=kept,
        )
    except DuplicateJobError:
        return None
    except (RedisError, OSError):
        detail = "The workers cannot be reached at the moment. Try again."
        raise Problem(503, "unavailable", detail, headers={"Retry-After": "2"}) from None
    return None
