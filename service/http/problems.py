"""Every answer that is not a success: `application/problem+json` (RFC 9457) with a stable code.

The rule behind the status codes: faults that the API description can tell answer 400 or 422. It is 400 for
what is not readable or a wrong query, 422 for what has not the described shape. Faults that only the rules or
the state of a game can tell answer 409. Codes are stable words for programs, details are sentences for
people.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from flask import Flask, Response, current_app, g, has_request_context, request
from psycopg import InterfaceError, OperationalError
from psycopg.errors import DiskFull
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests
from werkzeug.exceptions import HTTPException

from events.rules.catalogue import RulesMissing, TitleUnusable
from events.rules.steps import Rejected
from events.store.archived_games import ArchiveUnavailable
from events.store.event_log import ReadOnly
from events.store.games import CommandReused, StaleVersion
from events.store.replay import NoSuchEvent, UnknownGame
from events.store.tournaments import UnknownTournament
from events.table.command_signatures import BadSignature, SignatureMissing
from events.table.engine import GamePaused
from events.tournament.settings import InvalidSettings
from service.base.database import PoolExhausted
from service.openapi import problem_codes

PROBLEM_CONTENT_TYPE = "application/problem+json"
DATABASE_AWAY = (OperationalError, InterfaceError, PoolTimeout, PoolClosed, TooManyRequests, PoolExhausted)
"""The errors that mean that the database cannot be had."""
RETRY_AFTER = "2"

log = structlog.get_logger("rutter.service")


class Problem(Exception):
    """An answer that is not a success. *errors* tells what is wrong, field by field."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Any = None,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(code, detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = errors
        self.headers = dict(headers or {})
        self.more = dict(more or {})

    def response(self) -> Response:
        """Return the problem as an answer."""
        body: dict[str, Any] = {
            "type": problem_codes.make_type(self.code),
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        if has_request_context() and "request_id" in g:
            body["instance"] = g.request_id
        if self.errors:
            body["errors"] = self.errors
        body.update(self.more)
        answer = Response(msgspec.json.encode(body), self.status, content_type=PROBLEM_CONTENT_TYPE)
        answer.headers.extend(self.headers)
        answer.headers["Cache-Control"] = "no-store"
        if self.status in (429, 503):
            answer.headers.setdefault("Retry-After", RETRY_AFTER)
        return answer


def invalid_parameters(errors: Any, *, status: int = 422, detail: str | None = None) -> Problem:
    """Return the problem for values of the wrong shape, type or range; *errors* by field."""
    return Problem(status, "invalid_parameters", detail or _summarize_errors(errors), errors=errors)


def _summarize_errors(errors: Any) -> str:
    """Return the first complaint, for those who read nothing else."""
    path: list[str] = []
    inner = errors
    while isinstance(inner, dict) and inner:
        key = next(iter(inner))
        if key != "_schema":
            path.append("".join(c if c.isprintable() else "?" for c in str(key)[:60]))
        inner = inner[key]
    first = inner[0] if isinstance(inner, list) and inner else inner
    where = ".".join(path)
    return f"{where}: {first}" if where else str(first)


def unknown_game_problem() -> Problem:
    """Return the problem for an id that no game has."""
    return Problem(
        404, "unknown_game", "There is no game of this id. GET /v1/games lists those that there are."
    )


def unknown_tournament_problem() -> Problem:
    """Return the problem for an id that no tournament has."""
    detail = "There is no tournament of this id. GET /v1/tournaments lists those that there are."
    return Problem(404, "unknown_tournament", detail)


def database_away_problem() -> Problem:
    """Return the problem for a database that cannot be had."""
    detail = "The service cannot reach its database just now. Try again; an Idempotency-Key makes that safe."
    return Problem(503, "unavailable", detail, headers={"Retry-After": RETRY_AFTER})


def signature_problem(bad: BadSignature) -> Problem:
    """Return the problem for a command, of a seat that has a key, that is not signed or not rightly."""
    code = "signature_required" if isinstance(bad, SignatureMissing) else "signature_invalid"
    return Problem(403, code, str(bad))


def disk_full_problem() -> Problem:
    """Return the problem for a full disk: the log cannot grow, and nothing was written."""
    detail = (
        "The disk of the service is full, so nothing can be written just now; what was accepted before is "
        "safe. Try again; an Idempotency-Key makes that safe."
    )
    return Problem(503, "disk_full", detail, headers={"Retry-After": "10"})


def _answer_database_error(error: Exception) -> Response:
    """Return the answer for a database that refused, or is away, perhaps because of a full disk."""
    disk = current_app.extensions["rutter"].disk_space
    if isinstance(error, DiskFull):
        disk.report_full()
    return (disk_full_problem() if disk.is_full() else database_away_problem()).response()


def rejection_problem(refused: Rejected, clause: str | None = None) -> Problem:
    """Return the problem for what the rules refuse; *clause* is the address of the rule, where known."""
    more = {"clause": clause} if clause else {}
    if isinstance(refused, GamePaused):
        more["until"] = refused.until
    errors = None
    if isinstance(refused, InvalidSettings):
        errors = {field: [reason] for field, reason in refused.errors.items()}
    return Problem(
        problem_codes.get_rejection_status(refused.code),
        refused.code,
        refused.detail,
        errors=errors,
        more=more or None,
    )


def stale_version_problem(stale: StaleVersion) -> Problem:
    """Return the problem for a command whose If-Match names another event than the newest."""
    detail = f"The game has moved on to event {stale.seq}. Look, decide again, and send that seq in If-Match."
    return Problem(
        412, "version_conflict", detail, more={"seq": stale.seq}, headers={"ETag": f'"{stale.seq}"'}
    )


def missing_rules_problem(missing: RulesMissing) -> Problem:
    """Return the problem for a game whose rules are missing: which they are, and how they come back."""
    if isinstance(missing, TitleUnusable):
        remedy = "It goes on when the operator has mended that, and starts again."
    else:
        remedy = (
            "It goes on when the operator has put that version back:"
            f" `rutter keep {missing.title_id} --from` an unchanged copy of the program, then start again."
        )
    detail = f"The rules of this game are missing: {missing}. {remedy}"
    named = {"title": missing.title_id, "version": missing.version, "data_hash": missing.data_hash}
    return Problem(503, "rules_missing", detail, more={"missing": named}, headers={"Retry-After": "600"})


def archive_away_problem(gone: ArchiveUnavailable) -> Problem:
    """Return the problem for an archived game without its bundle: only the operator is told the place."""
    log.error("archive_away", game=gone.game_id, reason=str(gone))
    detail = (
        "This game was archived, and the archive cannot be read just now. Try again later; all other games"
        " are as they were."
    )
    return Problem(503, "archive_away", detail, headers={"Retry-After": "60"})


_REUSED = "This Idempotency-Key was sent before with another request. Use a new key for each new request."

_NO_HTTP = "This is no request of HTTP/1.1, or one of two meanings. Look at its first line and its headers."
_HTTP = {
    400: ("malformed_request", None),
    401: ("unauthenticated", None),
    403: ("forbidden", None),
    404: (
        "not_found",
        "Nothing is at this address. The API reference at /docs/api lists them all.",
    ),
    405: (
        "method_not_allowed",
        "This address does not take this method. The Allow header names those that it takes.",
    ),
    406: ("not_acceptable", None),
    408: ("request_timeout", "The request did not arrive in time. Send it again, faster."),
    413: ("too_large", "The request is larger than what is taken here, 256 KiB if nothing else is set."),
    414: ("too_large", "The address is too long."),
    415: ("unsupported_media_type", "Send the body as application/json."),
    416: ("range_not_satisfiable", None),
    417: ("expectation_failed", "The only expectation that can be met is 100-continue."),
    429: ("too_many_requests", None),
    431: ("too_large", "The headers are too large."),
    503: ("unavailable", None),
}


def answer_http_error(error: HTTPException) -> Response:
    """Return the answer to what Flask and Werkzeug refuse. Allow, WWW-Authenticate and Retry-After stay."""
    answer = error.get_response()
    status = answer.status_code
    if status < 400:
        return answer  # type: ignore[return-value]  # a redirection
    code, detail = _HTTP.get(status, (_make_code(status), None))
    headers = {k: v for k, v in answer.headers if k.lower() not in ("content-type", "content-length")}
    return Problem(status, code, detail or error.description or error.name, headers=headers).response()


def answer_outside_application(status: int) -> Response:
    """Return the problem for a request that never reached the application.

    It is no HTTP, or no end of it.
    """
    code, detail = _HTTP.get(status, ("internal_error", "Something went wrong here. It has been noted."))
    return Problem(status, code, detail or _NO_HTTP).response()


def _make_code(status: int) -> str:
    return HTTPStatus(status).phrase.lower().replace(" ", "_").replace("-", "_")


def _answer_unexpected_error(error: Exception) -> Response:
    """Return the answer for a fault of ours: told to the log in full, to the client not at all."""
    log.error("unexpected", method=request.method, path=request.path, exc_info=error)
    detail = (
        "Something went wrong here. It has been noted; a repetition with the same Idempotency-Key is safe."
    )
    return Problem(500, "internal_error", detail).response()


def register_error_handlers(app: Flask) -> None:
    """Turn every exception that a view may raise into a problem."""
    handle = app.register_error_handler
    handle(Problem, lambda p: p.response())
    handle(Rejected, lambda r: rejection_problem(r).response())
    handle(BadSignature, lambda b: signature_problem(b).response())
    handle(StaleVersion, lambda s: stale_version_problem(s).response())
    handle(RulesMissing, lambda m: missing_rules_problem(m).response())
    handle(ArchiveUnavailable, lambda a: archive_away_problem(a).response())
    handle(CommandReused, lambda _: Problem(409, "idempotency_key_reused", _REUSED).response())
    handle(UnknownTournament, lambda _: unknown_tournament_problem().response())
    handle(UnknownGame, lambda _: unknown_game_problem().response())
    handle(
        NoSuchEvent, lambda e: Problem(404, "no_such_event", f"{str(e)[:1].upper()}{str(e)[1:]}.").response()
    )
    handle(ReadOnly, lambda r: Problem(503, r.code, str(r), headers={"Retry-After": "30"}).response())
    for kind in DATABASE_AWAY:
        handle(kind, _answer_database_error)
    handle(HTTPException, answer_http_error)
    handle(Exception, _answer_unexpected_error)
