"""The odds of a war, for titles that have wars: simulated by a worker."""

from __future__ import annotations

from typing import Any

from flask import Response
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus

from events.project import ours
from service.api.blueprint import Blueprint
from service.asking import signed_in
from service.one_game import meet
from service.process import Process, process
from service.schemas import shapes
from service.seats import not_a_player
from service.throttle import spend
from service.tournaments import aids_of
from service.wire import queries
from service.wire.answers import PRIVATE, json_answer
from service.wire.problems import Problem

blp = Blueprint("odds", __name__, url_prefix="/v1", description="Simulated by workers.")

QUEUE = "odds"
FUNCTION = ours("workers.jobs.odds")
KEEP = 600
"""Seconds for which a result is kept."""


@blp.route("/games/<id>/wars/odds")
@blp.doc(operationId="get_war_odds")
@blp.query(queries.OddsQuery)
@blp.answers(200, "WarOdds", "The odds.")
@blp.answers(202, "OddsPending", "Being simulated; ask again.", Retry_After="Seconds to wait.")
@blp.problems(400, 401, 403, 404, 409, 503)
def get_war_odds(query: dict[str, Any], id: str) -> Response:
    """How a war of mine against `target` might end, from what I may know."""
    signed_in("game:read", game=id)
    met = meet(id, query["seat"])
    game, seat, target = met.game, met.viewer.seat, query["target"]
    if game.title.odds is None:
        raise Problem(404, "no_wars", f"{game.title.name} has no wars whose odds could be told.")
    if seat is None:
        raise not_a_player()
    if game.status != "running":
        raise Problem(409, "game_not_running", "Odds are told while a game runs.")
    aids = aids_of(process(), game)
    if aids is not None and not aids.odds:
        raise Problem(409, "not_allowed", "In this tournament nobody is told odds while he plays.")
    if target >= len(game.seats) or target == seat:
        raise Problem(409, "unknown_seat", "Name another seat of this game as the target.")
    arguments = (game.id, game.seq, seat, target, query["simulations"])
    result = _result(process(), arguments)
    if result is not None and "rejected" in result:
        raise Problem(409, result["rejected"], result["detail"])
    if result is None:
        return json_answer(shapes.OddsPending("pending"), 202, {"Retry-After": "1", **PRIVATE})
    return json_answer(shapes.WarOdds("ready", game.seq, seat, target, result), headers=PRIVATE)


def _result(process: Process, arguments: tuple[str, int, int, int, int]) -> dict[str, Any] | None:
    """The result of the job with these arguments; None while it is under way (it is queued if it was not)."""
    redis = process.hints.redis
    job_id = "odds-" + "-".join(map(str, arguments))
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
        spend("simulations")
        queue = Queue(QUEUE, connection=redis, serializer="json")
        queue.enqueue(FUNCTION, args=arguments, job_id=job_id, unique=True, job_timeout=60, result_ttl=KEEP)
    except DuplicateJobError:
        return None
    except (RedisError, OSError):
        detail = "The workers cannot be reached just now. Try again."
        raise Problem(503, "unavailable", detail, headers={"Retry-After": "2"}) from None
    return None
