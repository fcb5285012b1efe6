"""Calls to webhooks: those that are due, their making, and their outcomes. Times are the database's.

A call is tried again after each of the PAUSES, then it is dead. A process that makes a call takes it first,
by putting off when it is due. If it dies over the call, that is due again then. So a call may be made twice,
never not at all; but no call is made more often than it may be tried.

A webhook whose call fails rests before its next call, longer after each failure.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString

import msgspec
from psycopg import Connection

from events.rules.fact import Json
from events.store.event_log import Pool
from projections.read_models import notices
from projections.read_models.notices import Notice

PAUSES = (5.0, 60.0, 300.0, 1800.0, 7200.0, 28800.0, 86400.0)
"""Seconds before a call that has failed so many times is tried again."""
EARLIEST, LATEST = 0.93, 1.02
"""The factors by which a pause is multiplied, so that not all calls come at once.

A call that comes a moment late is within a tenth.
"""
LONGEST_REST = 1800.0
"""The most seconds for which a webhook that fails rests by itself: one of the PAUSES."""
LONGEST_WAIT = 86400.0
"""Seconds for which a receiver may put a call off."""
UNDER_WAY = 30
"""Seconds after which the process that took a call counts as dead."""
GIVEN_UP_DAYS = 5
"""Days after which a webhook that nothing arrives at is disabled."""

BROKEN_OFF = "The call was broken off each time."
"""The error of a call over whose every try its process died."""

_NEXT: LiteralString = (
    "(SELECT webhook_id FROM webhook_delivery d WHERE d.status = 'waiting'{} ORDER BY d.webhook_id LIMIT 1)"
)
_DUE: LiteralString = (
    f"WITH RECURSIVE calling (id) AS ({_NEXT.format('')} UNION ALL"  # noqa: S608 - constants
    f" SELECT {_NEXT.format(' AND d.webhook_id > calling.id')} FROM calling WHERE calling.id IS NOT NULL)"
    " SELECT w.id::text, due.number, due.tries, w.account_id::text, lower(split_part(w.url, '/', 3))"
    " FROM calling JOIN LATERAL (SELECT id, account_id, url FROM webhook h WHERE h.id = calling.id"
    " AND h.enabled AND (h.rests_until IS NULL OR h.rests_until <= now()) AND (h.token_id IS NULL OR EXISTS"
    " (SELECT FROM token t WHERE t.id = h.token_id AND (t.expires_at IS NULL OR t.expires_at > now())))"
    " OFFSET 0) w ON true"
    " CROSS JOIN LATERAL"
    " (SELECT d.number, d.tries, d.next_at FROM webhook_delivery d WHERE d.webhook_id = w.id"
    " AND d.status = 'waiting' AND d.next_at <= now() ORDER BY d.next_at LIMIT 1) due"
    " WHERE w.id <> ALL(%(without)s::uuid[])"
    " ORDER BY row_number() OVER (PARTITION BY w.account_id ORDER BY due.next_at), due.next_at LIMIT %(most)s"
)
"""The query for the call of each webhook that has been due for longest, the first of each account first.

The query goes from one webhook that has calls waiting to the next, so that those without are never looked at.
"""
_TAKE: LiteralString = (
    "UPDATE webhook_delivery d SET tries = d.tries + 1, next_at = now() + make_interval(secs => %(seconds)s)"
    " FROM webhook w, notice n WHERE d.webhook_id = %(webhook)s AND d.number = %(number)s"
    " AND d.tries = %(tries)s AND d.status = 'waiting' AND d.next_at <= now()"
    " AND w.id = d.webhook_id AND w.enabled AND n.account_id = d.account_id AND n.number = d.number"
    " RETURNING w.id::text, d.number, d.tries, w.url, w.secret,"
    " CASE WHEN w.previous_until > now() THEN w.previous END, n.type, n.stream::text, n.seq, n.data, n.at,"
    " w.push_point, w.push_auth"
)
_SETTLE: LiteralString = (
    "UPDATE webhook_delivery SET status = %(status)s, answer = %(answer)s, error = %(error)s,"
    " next_at = now() + make_interval(secs => %(pause)s)"
    " WHERE webhook_id = %(webhook)s AND number = %(number)s AND tries = %(tries)s AND status = 'waiting'"
)
_BROKEN_OFF: LiteralString = (
    "UPDATE webhook_delivery SET status = 'dead', error = coalesce(error, %s)"
    " WHERE webhook_id = %s AND number = %s AND tries = %s AND status = 'waiting' AND next_at <= now()"
)
_ARRIVED: LiteralString = (
    "UPDATE webhook SET failing_since = NULL, failures = 0, rests_until = NULL"
    " WHERE id = %s AND (failing_since IS NOT NULL OR failures > 0)"
)
_FAILED: LiteralString = (
    "UPDATE webhook SET failing_since = coalesce(failing_since, now()), failures = failures + 1,"
    " rests_until = greatest(rests_until, now() + make_interval(secs =>"
    " greatest(%(asked)s, %(factor)s * least(%(longest)s, (%(pauses)s::float8[])[failures + 1]))))"
    " WHERE id = %(webhook)s"
    " RETURNING coalesce(failing_since < now() - make_interval(days => %(days)s), false)"
)
_FORGET_PUSH = "DELETE FROM webhook WHERE id = %s AND token_id IS NOT NULL"
"""The statement that deletes a browser that takes no more pushes; its account is not told."""
_CLAIM_KEY = "SELECT claim_key FROM es.service"
_IS_PUBLIC = "SELECT NOT EXISTS (SELECT FROM game_access WHERE game_id = %s)"
_DISABLE: LiteralString = (
    "UPDATE webhook SET enabled = false, disabled_for = %s WHERE id = %s AND enabled"
    " RETURNING account_id::text, now(), (extract(epoch FROM now()) * 1000)::bigint"
)


class DueCall(msgspec.Struct, frozen=True):
    """A call that is due."""

    webhook: str
    number: int
    """The number of the notice."""
    tries: int
    """The number of tries so far."""
    account: str
    host: str
    """The host and port to which the webhook leads."""


class PushKeys(msgspec.Struct, frozen=True):
    """The keys of a browser that takes pushes."""

    point: bytes
    auth: bytes


class WebhookCall(msgspec.Struct, frozen=True):
    """A call that a worker has taken."""

    webhook: str
    number: int
    tries: int
    """This one included."""
    url: str
    secret: bytes
    previous: bytes | None
    """The secret before, while it signs as well."""
    type: str
    stream: str
    seq: int
    data: Json
    at: datetime
    push: PushKeys | None = None
    """The keys of the browser that is told; None for an ordinary webhook."""

    @property
    def id(self) -> str:
        """The same at every try."""
        return make_call_id(self.webhook, self.number)


class CallOutcome(msgspec.Struct, frozen=True):
    """The outcome of a call."""

    status: int | None = None
    """The status of the answer; None without one."""
    error: str | None = None
    """The reason that there was none."""
    hopeless: bool = False
    """True if it would fail again."""
    retry_after: float | None = None
    """Seconds for which the receiver asked."""

    @property
    def is_delivered(self) -> bool:
        """True if it was taken."""
        return self.status is not None and 200 <= self.status < 300


def make_call_id(webhook: str, number: int) -> str:
    """Return the id by which receivers know a call again."""
    return f"ntc_{number}_{webhook}"


def has_webhooks(pool: Pool) -> bool:
    """Return True if there is any webhook, or a browser that takes pushes."""
    with pool.connection() as connection:
        return connection.execute("SELECT 1 FROM webhook LIMIT 1").fetchone() is not None


def find_due(pool: Pool, most: int, *, without: Sequence[str] = ()) -> list[DueCall]:
    """Return calls that are due, at most one of each webhook, none of those *without*."""
    with pool.connection() as connection:
        rows = connection.execute(_DUE, {"most": most, "without": list(without)}).fetchall()
    return [DueCall(*row) for row in rows]


def take(pool: Pool, due: DueCall) -> WebhookCall | None:
    """Return a call that is to be made now; None where another has taken it, or it was tried enough.

    A call whose last try was broken off, by the death of its process, is then dead.
    """
    asked = {"webhook": due.webhook, "number": due.number, "tries": due.tries, "seconds": UNDER_WAY}
    with pool.connection() as connection:
        if due.tries > len(PAUSES):
            connection.execute(_BROKEN_OFF, (BROKEN_OFF, due.webhook, due.number, due.tries))
            return None
        row = connection.execute(_TAKE, asked).fetchone()
    if row is None:
        return None
    webhook, number, tries, url, secret, previous, type_, stream, seq, data, at, point, auth = row
    before = bytes(previous) if previous else None
    push = PushKeys(bytes(point), bytes(auth)) if point else None
    return WebhookCall(webhook, number, tries, url, bytes(secret), before, type_, stream, seq, data, at, push)


def read_server_secret(pool: Pool) -> bytes:
    """Return the secret of this installation, from which the key of its pushes follows."""
    with pool.connection() as connection:
        row = connection.execute(_CLAIM_KEY).fetchone()
    if row is None:
        raise LookupError("There is no server secret. Start the API first: it makes one.")
    return bytes(row[0])


def is_public_game(pool: Pool, game_id: str) -> bool:
    """Return True if everybody may see a game in lists, so that its address may be sent."""
    with pool.connection() as connection:
        row = connection.execute(_IS_PUBLIC, (game_id,)).fetchone()
    return row is not None and bool(row[0])


def settle(pool: Pool, call: WebhookCall, outcome: CallOutcome) -> str | None:
    """Write down what came of a call; the account that is told that its webhook was disabled for it."""
    gone = outcome.status == 410 or (call.push is not None and outcome.status == 404)
    over = gone or outcome.hopeless or call.tries > len(PAUSES)
    factor = random.uniform(EARLIEST, LATEST)  # noqa: S311 - nobody has to guess it
    asked = min(outcome.retry_after or 0.0, LONGEST_WAIT)
    with pool.connection() as connection, connection.transaction():
        connection.execute(
            _SETTLE,
            {
                "webhook": call.webhook,
                "number": call.number,
                "tries": call.tries,
                "status": "delivered" if outcome.is_delivered else "dead" if over else "waiting",
                "answer": outcome.status,
                "error": None if outcome.error is None else outcome.error.replace("\0", ""),
                "pause": 0 if outcome.is_delivered or over else max(asked, factor * PAUSES[call.tries - 1]),
            },
        )
        if outcome.is_delivered:
            connection.execute(_ARRIVED, (call.webhook,))
            return None
        row = connection.execute(
            _FAILED,
            {
                "webhook": call.webhook,
                "days": GIVEN_UP_DAYS,
                "asked": asked,
                "factor": factor,
                "longest": LONGEST_REST,
                "pauses": list(PAUSES),
            },
        ).fetchone()
        if call.push is not None and (gone or (row and row[0])):
            connection.execute(_FORGET_PUSH, (call.webhook,))
            return None
        if gone or (row and row[0]):
            return _disable(connection, call.webhook, "gone" if gone else "failing")
    return None


def _disable(connection: Connection[Any], webhook: str, reason: str) -> str | None:
    """Disable a webhook: it is called no more.

    Returns the account that is told so, None where it was disabled before.
    """
    row = connection.execute(_DISABLE, (reason, webhook)).fetchone()
    if row is None:
        return None
    account, at, seq = row
    notices.add(connection, account, Notice("webhook.disabled", webhook, seq, {"reason": reason}, at))
    return str(account)


def count_calls(pool: Pool) -> dict[str, int]:
    """Return the number of calls that wait, and of those that are dead."""
    with pool.connection() as connection:
        rows = connection.execute(
            "SELECT status, count(*) FROM webhook_delivery WHERE status <> 'delivered' GROUP BY status"
        ).fetchall()
    return {"waiting": 0, "dead": 0, **dict(rows)}
