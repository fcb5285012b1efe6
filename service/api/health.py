"""For those who run the service: is it alive, is it ready, how does it do."""

from __future__ import annotations

from hmac import compare_digest
from pathlib import Path
from typing import Literal

from flask import Response, request

from service import metrics
from service.api.blueprint import Blueprint
from service.process import Process, process
from service.schemas import shapes
from service.settings import Settings
from service.wire.addresses import is_local
from service.wire.answers import json_answer
from service.wire.problems import AWAY, Problem

blp = Blueprint("ops", __name__, description="For those who run the service.")
MIGRATIONS = Path(__file__).parents[2] / "ops" / "migrations"


@blp.route("/healthz")
@blp.doc(operationId="healthz", security=[])
@blp.problems()
@blp.answers(200, "Health", "The process answers.")
def healthz() -> Response:
    """Whether this process answers."""
    return json_answer(shapes.Health("ok"), headers={"Cache-Control": "no-store"})


@blp.route("/readyz")
@blp.doc(operationId="readyz", security=[])
@blp.problems()
@blp.answers(200, "Readiness", "Games can be played.")
@blp.answers(503, "Readiness", "They cannot be played just now.", Retry_After="Seconds to wait.")
def readyz() -> Response:
    """Whether games can be played now. Without Redis they can; bots and hints wait for it."""
    here = process()
    database = _database(here)
    ready = database == "ok"
    shown = shapes.Readiness(
        status="ready" if ready else "not_ready",
        database=database,
        redis="ok" if here.hints.alive() else "away",
    )
    headers = {"Cache-Control": "no-store", **({} if ready else {"Retry-After": "2"})}
    return json_answer(shown, 200 if ready else 503, headers)


def _database(process: Process) -> Literal["ok", "away", "not_migrated"]:
    try:
        with process.pool.connection(timeout=1.5) as connection:
            row = connection.execute("SELECT to_regclass('schema_migrations') IS NOT NULL").fetchone()
            if not row or not row[0]:
                return "not_migrated"
            names = {name for (name,) in connection.execute("SELECT name FROM schema_migrations")}
    except AWAY:
        return "away"
    wanted = {path.name for path in MIGRATIONS.glob("*.sql")}
    return "ok" if wanted <= names else "not_migrated"


def _let_in(settings: Settings) -> None:
    """Raise a problem for whoever has nothing to look for in the figures."""
    wanted = settings.metrics_token
    if wanted is None and not is_local(settings.proxies):
        raise Problem(403, "forbidden", "Figures are shown on this machine, or to whoever has the token.")
    given = request.headers.get("Authorization", "")
    if wanted is not None and not compare_digest(given.encode(), f"Bearer {wanted}".encode()):
        detail = "Send the token that was set as RUTTER_METRICS_TOKEN: `Authorization: Bearer ...`."
        raise Problem(401, "unauthenticated", detail, headers={"WWW-Authenticate": 'Bearer realm="metrics"'})


@blp.route("/metrics")
@blp.doc(operationId="metrics", security=[])
@blp.problems()
@blp.response(200, {"type": "string"}, content_type="text/plain", description="Prometheus' text form.")
def get_metrics() -> Response:
    """Figures for Prometheus, counted when they are asked for.

    With RUTTER_METRICS_TOKEN set it takes that as a bearer token; otherwise it answers this machine only.
    """
    _let_in(process().settings)
    return Response(metrics.scrape(process()), content_type=metrics.CONTENT_TYPE)
