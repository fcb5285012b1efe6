"""The browsers of accounts that take pushes: webhooks with keys, each of the token that made it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import LiteralString
from uuid import uuid4

from events.store.event_log import Pool
from service.base.database import format_utc, retry_on_disconnect
from service.base.people import Account
from service.base.store_error import StoreError
from service.openapi import response_structs

MAX_SUBSCRIPTIONS = 10
"""The most subscriptions of one account."""
_COLUMNS: LiteralString = f"id::text, url, token_id::text, {format_utc('made_at')}"


class PushSubscriptions:
    """The subscriptions in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def list(self, account: Account) -> Sequence[response_structs.PushSubscription]:
        """Return the subscriptions of an account, the oldest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM webhook WHERE account_id = %s AND token_id IS NOT NULL"  # noqa: S608
                " ORDER BY made_at, id",
                (account.id,),
            ).fetchall()
        return [response_structs.PushSubscription(*row) for row in rows]

    @retry_on_disconnect
    def make(
        self, account: Account, token: str, endpoint: str, keys: tuple[bytes, bytes]
    ) -> response_structs.PushSubscription:
        """Make a subscription of the token with that id; it replaces that of the same browser.

        Raises StoreError `too_many_push_subscriptions`.
        """
        with self._pool.connection() as connection, connection.transaction():
            connection.execute("SELECT 1 FROM account WHERE id = %s FOR NO KEY UPDATE", (account.id,))
            connection.execute(
                "DELETE FROM webhook WHERE account_id = %s AND url = %s AND token_id IS NOT NULL",
                (account.id, endpoint),
            )
            row = connection.execute(
                "SELECT count(*) FROM webhook WHERE account_id = %s AND token_id IS NOT NULL", (account.id,)
            ).fetchone()
            if row is not None and row[0] >= MAX_SUBSCRIPTIONS:
                detail = f"An account has at most {MAX_SUBSCRIPTIONS} push subscriptions. Delete one first."
                raise StoreError("too_many_push_subscriptions", detail)
            made = connection.execute(
                "INSERT INTO webhook"  # noqa: S608 - constants
                " (id, account_id, url, types, secret, token_id, push_point, push_auth)"
                f" VALUES (%s, %s, %s, '{{game.your_turn}}', '', %s, %s, %s) RETURNING {_COLUMNS}",
                (str(uuid4()), account.id, endpoint, token, *keys),
            ).fetchone()
        assert made is not None  # noqa: S101 - inserted
        return response_structs.PushSubscription(*made)

    @retry_on_disconnect
    def delete(self, account: Account, subscription: str) -> None:
        """Delete a subscription. Raises :class:`UnknownPushSubscription`."""
        with self._pool.connection() as connection:
            if not connection.execute(
                "DELETE FROM webhook WHERE account_id = %s AND id = %s AND token_id IS NOT NULL",
                (account.id, subscription),
            ).rowcount:
                raise UnknownPushSubscription


class UnknownPushSubscription(StoreError):
    """The account has no such subscription."""

    def __init__(self) -> None:
        detail = "You have no push subscription with this id. GET /v1/me/push_subscriptions lists them."
        super().__init__("unknown_push_subscription", detail)
