"""The webhooks of accounts, as their owners see them; :mod:`webhook_calls` calls them."""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, LiteralString
from uuid import uuid4

import msgspec
from msgspec import UNSET
from psycopg import Connection

from events.store.event_log import Pool
from projections.messages.webhook_calls import make_call_id
from projections.read_models import notices
from projections.read_models.notices import Notice, get_subject_kind
from service.base.database import format_utc, retry_on_disconnect
from service.base.people import Account
from service.base.store_error import StoreError
from service.openapi import response_structs
from service.stores.one_time_secrets import IdempotentSecret

MAX_WEBHOOKS = 10
"""The most webhooks of one account."""
SECRET_BYTES = 32
OVERLAP_HOURS = 24
"""Hours for which the previous secret signs as well."""

_WEBHOOK: LiteralString = (
    "id::text, url, types, game::text, tournament::text, enabled, disabled_for,"
    f" {format_utc('failing_since')}, {format_utc('made_at')}"
)
_DELIVERIES: LiteralString = (
    "SELECT d.number, n.type, n.stream::text, d.status, d.tries,"  # noqa: S608 - constants
    f" CASE WHEN d.status = 'waiting' THEN {format_utc('d.next_at')} END, d.answer, d.error"
    " FROM webhook_delivery d JOIN notice n ON n.account_id = d.account_id AND n.number = d.number"
    " WHERE d.webhook_id = %(webhook)s AND d.number > %(after)s"
    " AND (%(status)s::text IS NULL OR d.status = %(status)s::text) ORDER BY d.number LIMIT %(limit)s"
)

_END_REST = "UPDATE webhook SET rests_until = NULL WHERE id = %s AND rests_until IS NOT NULL"
"""The statement after which a failing webhook is called at once: its owner asked for a call."""


class WebhookFilter(msgspec.Struct, frozen=True):
    """The game or tournament that a webhook is limited to; neither: no limit."""

    game: str | None = None
    tournament: str | None = None


class Webhooks:
    """The webhooks in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def list(self, account: Account) -> Sequence[response_structs.Webhook]:
        """Return the webhooks of an account, the oldest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"SELECT {_WEBHOOK} FROM webhook WHERE account_id = %s AND token_id IS NULL"  # noqa: S608
                " ORDER BY made_at, id",
                (account.id,),
            ).fetchall()
        return [response_structs.Webhook(*row) for row in rows]

    @retry_on_disconnect
    def get(self, account: Account, webhook: str) -> response_structs.Webhook:
        """Return one webhook. Raises :class:`UnknownWebhook`."""
        with self._pool.connection() as connection:
            return _get_webhook(connection, account, webhook)

    def make(
        self, account: Account, url: str, types: Sequence[str], only: WebhookFilter, once: IdempotentSecret
    ) -> tuple[response_structs.Webhook, str]:
        """Make a webhook; return it and its secret, shown once. Raises StoreError `too_many_webhooks`."""
        webhook, secret = str(uuid4()), os.urandom(SECRET_BYTES)
        self._make(account, (webhook, url, list(types), only.game, only.tournament, secret), once)
        return self.get(account, webhook), format_secret(secret)

    @retry_on_disconnect
    def _make(self, account: Account, made: tuple[Any, ...], once: IdempotentSecret) -> None:
        with self._pool.connection() as connection, connection.transaction():
            if not once.is_first(connection, account.id, made[0]):
                return  # the answer of the database was lost
            connection.execute("SELECT 1 FROM account WHERE id = %s FOR NO KEY UPDATE", (account.id,))
            row = connection.execute(
                "SELECT count(*) FROM webhook WHERE account_id = %s AND id <> %s AND token_id IS NULL",
                (account.id, made[0]),
            ).fetchone()
            if row is not None and row[0] >= MAX_WEBHOOKS:
                detail = f"An account has at most {MAX_WEBHOOKS} webhooks. Delete one first."
                raise StoreError("too_many_webhooks", detail)
            connection.execute(
                "INSERT INTO webhook (id, url, types, game, tournament, secret, account_id)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING",
                (*made, account.id),
            )

    @retry_on_disconnect
    def change(
        self, account: Account, webhook: str, enabled: bool | None, types: Sequence[str] | None
    ) -> response_structs.Webhook:
        """Change whether a webhook is enabled, or its types; None changes nothing.

        Enabling clears the record of failures.
        """
        with self._pool.connection() as connection, connection.transaction():
            connection.execute(
                "UPDATE webhook SET types = coalesce(%(types)s::text[], types),"
                " enabled = coalesce(%(enabled)s, enabled),"
                " disabled_for = CASE WHEN %(enabled)s THEN NULL ELSE disabled_for END,"
                " failing_since = CASE WHEN %(enabled)s THEN NULL ELSE failing_since END,"
                " failures = CASE WHEN %(enabled)s THEN 0 ELSE failures END,"
                " rests_until = CASE WHEN %(enabled)s THEN NULL ELSE rests_until END"
                " WHERE account_id = %(account)s AND id = %(webhook)s",
                {
                    "types": None if types is None else list(types),
                    "enabled": enabled,
                    "account": account.id,
                    "webhook": webhook,
                },
            )
            return _get_webhook(connection, account, webhook)

    @retry_on_disconnect
    def delete(self, account: Account, webhook: str) -> None:
        """Delete a webhook. Raises :class:`UnknownWebhook`."""
        with self._pool.connection() as connection:
            if not connection.execute(
                "DELETE FROM webhook WHERE account_id = %s AND id = %s AND token_id IS NULL",
                (account.id, webhook),
            ).rowcount:
                raise UnknownWebhook

    @retry_on_disconnect
    def delete_all(self, account: Account) -> None:
        """Delete all webhooks of an account."""
        with self._pool.connection() as connection:
            connection.execute("DELETE FROM webhook WHERE account_id = %s", (account.id,))

    def rotate(
        self, account: Account, webhook: str, once: IdempotentSecret
    ) -> tuple[response_structs.Webhook, str]:
        """Replace the secret, and show it once; the previous one signs as well for a day."""
        secret = os.urandom(SECRET_BYTES)
        self._rotate(account, webhook, secret, once)
        return self.get(account, webhook), format_secret(secret)

    @retry_on_disconnect
    def _rotate(self, account: Account, webhook: str, secret: bytes, once: IdempotentSecret) -> None:
        with self._pool.connection() as connection, connection.transaction():
            _get_webhook(connection, account, webhook)
            once.is_repeated(connection, account.id, "")
            once.is_first(connection, account.id, webhook)
            connection.execute(
                "UPDATE webhook SET previous = secret, secret = %s,"
                " previous_until = now() + make_interval(hours => %s)"
                " WHERE account_id = %s AND id = %s AND secret <> %s",
                (secret, OVERLAP_HOURS, account.id, webhook, secret),
            )

    @retry_on_disconnect
    def test(self, account: Account, webhook: str) -> response_structs.Delivery:
        """Call a webhook with a test notice of its own."""
        with self._pool.connection() as connection, connection.transaction():
            _require_enabled(_get_webhook(connection, account, webhook))
            now = datetime.now(UTC)
            notice = Notice("webhook.test", webhook, time.time_ns() // 1000, {}, now)
            number = notices.add(connection, account.id, notice, deliver=False)
            connection.execute(
                "INSERT INTO webhook_delivery (webhook_id, account_id, number) VALUES (%s, %s, %s)",
                (webhook, account.id, number),
            )
            connection.execute(_END_REST, (webhook,))
            return _get_delivery(connection, webhook, number or 0)

    @retry_on_disconnect
    def deliveries(
        self, account: Account, webhook: str, status: str | None, after: int, limit: int
    ) -> Sequence[response_structs.Delivery]:
        """Return the calls of a webhook, the oldest first."""
        asked = {"webhook": webhook, "status": status, "after": after, "limit": limit}
        with self._pool.connection() as connection:
            _get_webhook(connection, account, webhook)
            rows = connection.execute(_DELIVERIES, asked).fetchall()
        return [_make_delivery(webhook, row) for row in rows]

    @retry_on_disconnect
    def redeliver(self, account: Account, webhook: str, number: int) -> response_structs.Delivery:
        """Queue a call again, from its first try on.

        Raises :class:`UnknownWebhook`, and StoreError: `unknown_delivery`, `webhook_disabled`.
        """
        with self._pool.connection() as connection, connection.transaction():
            _require_enabled(_get_webhook(connection, account, webhook))
            found = _get_delivery(connection, webhook, number)
            connection.execute(
                "UPDATE webhook_delivery SET status = 'waiting', tries = 0, next_at = now(), answer = NULL,"
                " error = NULL WHERE webhook_id = %s AND number = %s AND status <> 'waiting'",
                (webhook, number),
            )
            connection.execute(_END_REST, (webhook,))
            return _get_delivery(connection, webhook, found.position)


def _get_webhook(connection: Connection[Any], account: Account, webhook: str) -> response_structs.Webhook:
    row = connection.execute(
        f"SELECT {_WEBHOOK} FROM webhook WHERE account_id = %s AND id = %s AND token_id IS NULL",  # noqa: S608
        (account.id, webhook),
    ).fetchone()
    if row is None:
        raise UnknownWebhook
    return response_structs.Webhook(*row)


def _get_delivery(connection: Connection[Any], webhook: str, number: int) -> response_structs.Delivery:
    asked = {"webhook": webhook, "status": None, "after": number - 1, "limit": 1}
    row = connection.execute(_DELIVERIES, asked).fetchone()
    if row is None or row[0] != number:
        detail = "This webhook has no such delivery. GET .../deliveries lists those of the last 90 days."
        raise StoreError("unknown_delivery", detail)
    return _make_delivery(webhook, row)


def _make_delivery(webhook: str, row: Sequence[Any]) -> response_structs.Delivery:
    number, type_, stream, status, tries, next_at, answer, error = row
    return response_structs.Delivery(
        id=make_call_id(webhook, number),
        position=number,
        type=type_,
        game=stream if get_subject_kind(type_) == "game" else UNSET,
        tournament=stream if get_subject_kind(type_) == "tournament" else UNSET,
        status=status,
        tries=tries,
        next_at=next_at,
        answer=answer,
        error=error,
    )


def format_secret(secret: bytes) -> str:
    """Return a secret in the form of Standard Webhooks."""
    return f"whsec_{base64.b64encode(secret).decode()}"


def _require_enabled(found: response_structs.Webhook) -> None:
    if not found.enabled:
        detail = 'This webhook is disabled. Enable it first: PATCH it with {"enabled": true}.'
        raise StoreError("webhook_disabled", detail)


class UnknownWebhook(StoreError):
    """The account has no such webhook."""

    def __init__(self) -> None:
        detail = "You have no webhook with this id. GET /v1/me/webhooks lists your webhooks."
        super().__init__("unknown_webhook", detail)
