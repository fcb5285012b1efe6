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
from psycopg.errors import DiskFull, ReadOnlySqlTransaction
from werkzeug.exceptions import HTTPException

from events.rules.catalogue import RulesMissing, UnusableTitle
from events.rules.steps import Rejected
from events.store.archived_games import ArchiveUnavailable
from events.store.connection import DATABASE_AWAY as ANY_DATABASE_AWAY
from events.store.connection import ExhaustedPool
from events.store.event_log import ReadOnly
from events.store.games import NoSuchEvent, ReusedKey, StaleVersion, UnknownGame
from events.store.pooler import note_pooler_error
from events.store.tournaments import UnknownTournament
from events.table.command_signatures import BadSignature, MissingSignature
from events.table.engine import PausedGame
from events.tournament.settings import InvalidSettings
from service.base.store_error import OutdatedCopy, StoreError
from service.openapi import problem_codes

PROBLEM_CONTENT_TYPE = "application/problem+json"
DATABASE_AWAY = (*ANY_DATABASE_AWAY, ExhaustedPool)
"""The errors for which a request is answered that the database cannot be had."""
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
        404, "unknown_game", "There is no game with this id. GET /v1/games lists the games that you can see."
    )


def unknown_tournament_problem() -> Problem:
    """Return the problem for an id that no tournament has."""
    detail = "There is no tournament with this id. GET /v1/tournaments lists those that you can see."
    return Problem(404, "unknown_tournament", detail)


def database_away_problem() -> Problem:
    """Return the problem for a database that cannot be had."""
    detail = (
        "The server cannot reach its database at the moment. Try again; an Idempotency-Key makes this safe."
    )
    return Problem(503, "unavailable", detail, headers={"Retry-After": RETRY_AFTER})


def signature_problem(bad: BadSignature) -> Problem:
    """Return the problem for a command, of a seat that has a key, that is not signed or not rightly."""
    code = "signature_required" if isinstance(bad, MissingSignature) else "signature_invalid"
    return Problem(403, code, str(bad))


def disk_full_problem() -> Problem:
    """Return the problem for a full disk: the log cannot grow, and nothing was written."""
    detail = (
        "The disk of the server is full, so nothing can be written; accepted commands are safe. Try again "
        "later; an Idempotency-Key makes this safe."
    )
    return Problem(503, "disk_full", detail, headers={"Retry-After": "10"})


def read_only_problem() -> Problem:
    """Return the problem for a database that takes no writes, such as a replica after a switch-over."""
    detail = (
        "The database of the server takes no writes at the moment, so nothing was changed. Games can be "
        "read. Try again later; an Idempotency-Key makes this safe."
    )
    return Problem(503, "read_only", detail, headers={"Retry-After": "30"})


def _answer_database_error(error: Exception) -> Response:
    """Return the answer for a database that refused, or is away, perhaps because of a full disk."""
    if isinstance(error, ReadOnlySqlTransaction):
        return read_only_problem().response()
    disk = current_app.extensions["rutter"].disk_space
    if isinstance(error, DiskFull):
        disk.report_full()
    note_pooler_error(error)
    return (disk_full_problem() if disk.is_full() else database_away_problem()).response()


def rejection_problem(refused: Rejected, clause: str | None = None) -> Problem:
    """Return the problem for what the rules refuse; *clause* is the address of the rule, where known."""
    more = {"clause": clause} if clause else {}
    if isinstance(refused, PausedGame):
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


def store_problem(refused: StoreError) -> Problem:
    """Return the problem for what a store refuses, with the first status of its code."""
    headers = {"ETag": f'"{refused.version}"'} if isinstance(refused, OutdatedCopy) else None
    status, *_ = problem_codes.get_statuses()[refused.code]
    return Problem(status, refused.code, refused.detail, more=refused.more, headers=headers)


def stale_version_problem(stale: StaleVersion) -> Problem:
    """Return the problem for a command whose If-Match names another event than the newest."""
    detail = (
        f"The newest event is now {stale.seq}. Read the state again, decide, and send that number in"
        " If-Match."
    )
    return Problem(
        412, "version_conflict", detail, more={"seq": stale.seq}, headers={"ETag": f'"{stale.seq}"'}
    )


def missing_rules_problem(missing: RulesMissing) -> Problem:
    """Return the problem for a game whose rules are missing: which they are, and how they come back."""
    if isinstance(missing, UnusableTitle):
        remedy = "Ask the operator to repair that and start the server again; then the game continues."
    else:
        remedy = (
            f"Ask the operator to restore that version with `rutter keep {missing.title_id} --from` and an"
            " unchanged copy of the program; then the game continues."
        )
    detail = f"The rules of this game are missing: {missing}. {remedy}"
    named = {"title": missing.title_id, "version": missing.version, "data_hash": missing.data_hash}
    return Problem(503, "rules_missing", detail, more={"missing": named}, headers={"Retry-After": "600"})


def no_such_event_problem(missing: NoSuchEvent) -> Problem:
    """Return the problem for the number of an event that a game does not have, or not yet to be seen."""
    reason = str(missing)
    detail = f"{reason[:1].upper()}{reason[1:]}. Send a number from 1 to the newest event that you can see."
    return Problem(404, "no_such_event", detail)


def archived_problem() -> Problem:
    """Return the problem for a command to an archived game."""
    detail = (
        "This game has ended and is archived, so it takes no commands. Read it as before; to play from one "
        "of its events, make a fork."
    )
    return Problem(409, "archived", detail)


def archive_away_problem(gone: ArchiveUnavailable) -> Problem:
    """Return the problem for an archived game without its bundle: only the operator is told the place."""
    log.error("archive_away", game=gone.game_id, reason=str(gone))
    detail = (
        "This game is archived, and the archive cannot be read at the moment. Try again later; other games "
        "are not affected."
    )
    return Problem(503, "archive_away", detail, headers={"Retry-After": "60"})


_REUSED = "This Idempotency-Key was sent before with another request. Use a new key for each new request."

_INTERNAL = (
    "internal_error",
    "The server failed to handle the request. The error is logged; try again later.",
)
_HTTP: Mapping[int, tuple[str, str]] = {
    400: (
        "malformed_request",
        "The HTTP/1.1 request is malformed or ambiguous. Check the request line and the headers.",
    ),
    401: ("unauthenticated", "The request needs a token. Send `Authorization: Bearer rut_...`."),
    403: ("forbidden", "You may not do this. Use an account that may."),
    404: (
        "not_found",
        "There is nothing at this address. The API reference at /docs/api lists all addresses.",
    ),
    405: (
        "method_not_allowed",
        "This address does not accept this method. Use one that the Allow header lists.",
    ),
    406: ("not_acceptable", "The Accept header allows no type that the server has. Accept application/json."),
    408: ("request_timeout", "The request did not arrive in time. Send it again over a faster connection."),
    413: ("too_large", "The request is too large. Send a smaller one, by default at most 256 KiB."),
    414: ("too_large", "The address is too long. Shorten the query."),
    415: (
        "unsupported_media_type",
        "The body has the wrong media type or is encoded. Send it as plain application/json.",
    ),
    416: ("range_not_satisfiable", "The file has no such range. Request one within its length."),
    417: (
        "expectation_failed",
        "The Expect header is not supported. Send `100-continue`, or no Expect header.",
    ),
    429: (
        "too_many_requests",
        "You exceed a rate limit. Wait for the seconds in Retry-After, then try again.",
    ),
    431: ("too_large", "The headers are too large. Send fewer or shorter headers."),
    503: (
        "unavailable",
        "The server cannot answer at the moment. Wait for the seconds in Retry-After, then try again.",
    ),
}
"""By status, the code and the detail of what the application never sees, or Flask refuses."""


def answer_http_error(error: HTTPException) -> Response:
    """Return the answer to what Flask and Werkzeug refuse. Allow, WWW-Authenticate and Retry-After stay."""
    answer = error.get_response()
    status = answer.status_code
    if status < 400:
        return answer  # type: ignore[return-value]  # a redirection
    phrase = HTTPStatus(status).phrase.lower().replace(" ", "_").replace("-", "_")
    code, detail = _HTTP.get(status, (phrase, error.description or error.name))
    headers = {k: v for k, v in answer.headers if k.lower() not in ("content-type", "content-length")}
    return Problem(status, code, detail, headers=headers).response()


def answer_outside_application(status: int) -> Response:
    """Return the problem for a request that never reached the application.

    It is no HTTP, or no end of it.
    """
    code, detail = _HTTP.get(status, _INTERNAL)
    return Problem(status, code, detail).response()


def _answer_unexpected_error(error: Exception) -> Response:
    """Return the answer for a fault of ours: told to the log in full, to the client not at all."""
    log.error("unexpected", method=request.method, path=request.path, exc_info=error)
    detail = (
        "The server failed to handle the request, and logged the error. Try again with the same"
        " Idempotency-Key; report the `instance` if it fails again."
    )
    return Problem(500, "internal_error", detail).response()


def register_error_handlers(app: Flask) -> None:
    """Turn every exception that a view may raise into a problem."""
    handle = app.register_error_handler
    handle(Problem, lambda p: p.response())
    handle(StoreError, lambda s: store_problem(s).response())
    handle(Rejected, lambda r: rejection_problem(r).response())
    handle(BadSignature, lambda b: signature_problem(b).response())
    handle(StaleVersion, lambda s: stale_version_problem(s).response())
    handle(RulesMissing, lambda m: missing_rules_problem(m).response())
    handle(ArchiveUnavailable, lambda a: archive_away_problem(a).response())
    handle(ReusedKey, lambda _: Problem(409, "idempotency_key_reused", _REUSED).response())
    handle(UnknownTournament, lambda _: unknown_tournament_problem().response())
    handle(UnknownGame, lambda _: unknown_game_problem().response())
    handle(NoSuchEvent, lambda e: no_such_event_problem(e).response())
    handle(ReadOnly, lambda r: Problem(503, r.code, str(r), headers={"Retry-After": "30"}).response())
    for kind in DATABASE_AWAY:
        handle(kind, _answer_database_error)
    handle(HTTPException, answer_http_error)
    handle(Exception, _answer_unexpected_error)
