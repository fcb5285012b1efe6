"""Calls to webhooks: those that are due, their making, and their outcomes. Times are the database's.

A call is tried again after each of the PAUSES, then it is dead. A process that makes a call takes it first,
by putting off when it is due. If it dies over the call, that is due again then. So a call may be made twice,
never not at all.
"""

from __future__ import annotations

import random
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
LONGEST_WAIT = 86400.0
"""Seconds for which a receiver may put a call off."""
UNDER_WAY = 30
"""Seconds after which the process that took a call counts as dead."""
GIVEN_UP_DAYS = 5
"""Days after which a webhook that nothing arrives at is disabled."""

_NEXT: LiteralString = (
    "(SELECT webhook_id FROM webhook_delivery d WHERE d.status = 'waiting'{} ORDER BY d.webhook_id LIMIT 1)"
)
_DUE: LiteralString = (
    f"WITH RECURSIVE calling (id) AS ({_NEXT.format('')} UNION ALL"  # noqa: S608 - constants
    f" SELECT {_NEXT.format(' AND d.webhook_id > calling.id')} FROM calling WHERE calling.id IS NOT NULL)"
    " SELECT w.id::text, due.number, due.tries FROM calling JOIN LATERAL"
    " (SELECT id FROM webhook h WHERE h.id = calling.id AND h.enabled OFFSET 0) w ON true CROSS JOIN LATERAL"
    " (SELECT d.number, d.tries, d.next_at FROM webhook_delivery d WHERE d.webhook_id = w.id"
    " AND d.status = 'waiting' AND d.next_at <= now() ORDER BY d.next_at LIMIT 1) due"
    " ORDER BY due.next_at LIMIT %s"
)
"""The query for the call of each webhook that has been due for longest.

A slow receiver delays mostly its own. The query goes from one webhook that has calls waiting to the next, so
that those without are never looked at.
"""
_TAKE: LiteralString = (
    "UPDATE webhook_delivery d SET tries = d.tries + 1, next_at = now() + make_interval(secs => %(seconds)s)"
    " FROM webhook w, notice n WHERE d.webhook_id = %(webhook)s AND d.number = %(number)s"
    " AND d.tries = %(tries)s AND d.status = 'waiting' AND d.next_at <= now()"
    " AND w.id = d.webhook_id AND w.enabled AND n.account_id = d.account_id AND n.number = d.number"
    " RETURNING w.id::text, d.number, d.tries, w.url, w.secret,"
    " CASE WHEN w.previous_until > now() THEN w.previous END, n.type, n.stream::text, n.seq, n.data, n.at"
)
_SETTLE: LiteralString = (
    "UPDATE webhook_delivery SET status = %(status)s, answer = %(answer)s, error = %(error)s,"
    " next_at = now() + make_interval(secs => %(pause)s)"
    " WHERE webhook_id = %(webhook)s AND number = %(number)s AND tries = %(tries)s AND status = 'waiting'"
)
_ARRIVED: LiteralString = (
    "UPDATE webhook SET failing_since = NULL WHERE id = %s AND failing_since IS NOT NULL"
)
_FAILED: LiteralString = (
    "UPDATE webhook SET failing_since = coalesce(failing_since, now()) WHERE id = %s"
    " RETURNING coalesce(failing_since < now() - make_interval(days => %s), false)"
)
_DISABLE: LiteralString = (
    "UPDATE webhook SET enabled = false, disabled_for = %s WHERE id = %s AND enabled"
    " RETURNING account_id::text, now(), (extract(epoch FROM now()) * 1000)::bigint"
)


class WebhookCall(msgspec.Struct, frozen=True):
    """A call that somebody has taken."""

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


def find_due(pool: Pool, most: int) -> list[tuple[str, int, int]]:
    """Return calls that are due: the webhook, the number of the notice, the number of tries so far."""
    with pool.connection() as connection:
        return [(row[0], int(row[1]), int(row[2])) for row in connection.execute(_DUE, (most,))]


def take(pool: Pool, webhook: str, number: int, tries: int) -> WebhookCall | None:
    """Return the call that was tried *tries* times, to be made now; None where somebody else has taken it."""
    asked = {"webhook": webhook, "number": number, "tries": tries, "seconds": UNDER_WAY}
    with pool.connection() as connection:
        row = connection.execute(_TAKE, asked).fetchone()
    if row is None:
        return None
    webhook, number, tries, url, secret, previous, type_, stream, seq, data, at = row
    before = bytes(previous) if previous else None
    return WebhookCall(webhook, number, tries, url, bytes(secret), before, type_, stream, seq, data, at)


def settle(pool: Pool, call: WebhookCall, outcome: CallOutcome) -> str | None:
    """Write down what came of a call; the account that is told that its webhook was disabled for it."""
    gone = outcome.status == 410
    over = gone or outcome.hopeless or call.tries > len(PAUSES)
    with pool.connection() as connection, connection.transaction():
        connection.execute(
            _SETTLE,
            {
                "webhook": call.webhook,
                "number": call.number,
                "tries": call.tries,
                "status": "delivered" if outcome.is_delivered else "dead" if over else "waiting",
                "answer": outcome.status,
                "error": outcome.error,
                "pause": 0 if outcome.is_delivered or over else _find_pause(call.tries, outcome.retry_after),
            },
        )
        if outcome.is_delivered:
            connection.execute(_ARRIVED, (call.webhook,))
            return None
        row = connection.execute(_FAILED, (call.webhook, GIVEN_UP_DAYS)).fetchone()
        if gone or (row and row[0]):
            return _disable(connection, call.webhook, "gone" if gone else "failing")
    return None


def _find_pause(tries: int, asked: float | None) -> float:
    own = PAUSES[tries - 1] * random.uniform(EARLIEST, LATEST)  # noqa: S311 - nobody has to guess it
    return max(own, min(asked or 0.0, LONGEST_WAIT))


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
