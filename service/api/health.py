"""Health of the service for its operators: liveness, readiness, metrics."""

from __future__ import annotations

from hmac import compare_digest

from flask import Response, request

from service.application.request_context import get_services
from service.base.client_address import is_local_client
from service.base.settings import Settings
from service.health import metrics
from service.health.readiness import check_readiness
from service.http.blueprint import Blueprint
from service.http.problems import Problem
from service.http.responses import json_response
from service.openapi import response_structs

blp = Blueprint("ops", __name__, description="Health and metrics, for operators.")


@blp.route("/healthz")
@blp.doc(operationId="healthz", security=[])
@blp.problems()
@blp.answers(200, "Health", "The process answers.")
def healthz() -> Response:
    """Return 200 if this process answers."""
    return json_response(response_structs.Health("ok"), headers={"Cache-Control": "no-store"})


@blp.route("/readyz")
@blp.doc(operationId="readyz", security=[])
@blp.problems()
@blp.answers(200, "Readiness", "This host carries out commands.")
@blp.answers(
    503, "Readiness", "This host carries out no commands; `lacking` says why.", Retry_After="Seconds to wait."
)
def readyz() -> Response:
    """Report if this host carries out commands, and what is lacking.

    Without Redis, bots or read models people can still play: the answer is 200 with `degraded`.
    """
    shown = check_readiness(get_services())
    if shown.status == "not_ready":
        return json_response(shown, 503, {"Cache-Control": "no-store", "Retry-After": "2"})
    return json_response(shown, headers={"Cache-Control": "no-store"})


def _check_may_read_metrics(settings: Settings) -> None:
    """Raise a problem if the client may not read the metrics."""
    wanted = settings.metrics_token
    if wanted is None and not is_local_client(settings.proxies):
        raise Problem(
            403,
            "forbidden",
            "Without a token, only this machine may read the metrics. Set RUTTER_METRICS_TOKEN, and send it"
            " as a bearer token.",
        )
    given = request.headers.get("Authorization", "")
    if wanted is not None and not compare_digest(given.encode(), f"Bearer {wanted}".encode()):
        detail = (
            "The metrics token is missing or wrong. Send the value of RUTTER_METRICS_TOKEN as"
            " `Authorization: Bearer ...`."
        )
        raise Problem(401, "unauthenticated", detail, headers={"WWW-Authenticate": 'Bearer realm="metrics"'})


@blp.route("/metrics")
@blp.doc(operationId="metrics", security=[])
@blp.problems()
@blp.response(200, {"type": "string"}, content_type="text/plain", description="Prometheus' text form.")
def get_metrics() -> Response:
    """Return metrics for Prometheus, counted when they are asked for.

    Send the value of RUTTER_METRICS_TOKEN as a bearer token. If it is not set, only this machine gets an
    answer.
    """
    _check_may_read_metrics(get_services().settings)
    return Response(metrics.scrape(get_services()), content_type=metrics.CONTENT_TYPE)
