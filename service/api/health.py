"""For those who run the service: is it alive, is it ready, how does it do."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from flask import Response

from service import metrics
from service.api.blueprint import Blueprint
from service.process import Process, process
from service.schemas import shapes
from service.wire.answers import json_answer
from service.wire.problems import AWAY

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


def _database(process: Process) -> Literal["ok", "away", "not_migrated", "disk_full"]:
    try:
        with process.pool.connection(timeout=1.5) as connection:
            row = connection.execute("SELECT to_regclass('schema_migrations') IS NOT NULL").fetchone()
            if not row or not row[0]:
                return "not_migrated"
            names = {name for (name,) in connection.execute("SELECT name FROM schema_migrations")}
    except AWAY:
        return "away"
    if process.disk.is_full():
        return "disk_full"
    wanted = {path.name for path in MIGRATIONS.glob("*.sql")}
    return "ok" if wanted <= names else "not_migrated"


@blp.route("/metrics")
@blp.doc(operationId="metrics", security=[])
@blp.problems()
@blp.response(200, {"type": "string"}, content_type="text/plain", description="Prometheus' text form.")
def get_metrics() -> Response:
    """Figures for Prometheus, counted when they are asked for."""
    return Response(metrics.scrape(process()), content_type=metrics.CONTENT_TYPE)
