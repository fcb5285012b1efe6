"""Secrets that are shown once: a request repeated with its Idempotency-Key learns only what to revoke."""

from __future__ import annotations

from typing import Any

import msgspec
from psycopg import Connection

from events.store.event_log import Pool
from service.base.database import retry_on_disconnect
from service.base.store_error import StoreError
from service.stores.request_keys import KeyedRequest, digest_request


class IdempotentSecret(msgspec.Struct, frozen=True):
    """A request that is carried out once for each key; without a key each time."""

    key: str | None
    digest: bytes
    """The digest of what is asked for, see :func:`digest_request`."""

    def is_first(self, connection: Connection[Any], account_id: str, shown: str) -> bool:
        """Return True if the secret with the id *shown* is still to be made, and record the request.

        It works within the transaction of *connection*. False where this very request has made it already.
        Raises :class:`ShownSecret` where an earlier request has made a secret, ReusedKey where that
        asked for something else.
        """
        if self.key is None:
            return True
        request = KeyedRequest(account_id, self.key, self.digest)
        return request.store(connection, "shown_once", {"shown": shown}) or not self.is_repeated(
            connection, account_id, shown
        )

    @retry_on_disconnect
    def check(self, pool: Pool, account_id: str) -> None:
        """Raise :class:`ShownSecret` where an earlier request with this key has made its secret."""
        with pool.connection() as connection:
            self.is_repeated(connection, account_id, "")

    def is_repeated(self, connection: Connection[Any], account_id: str, shown: str) -> bool:
        """Return True if this very request made the secret of the id *shown*; raises as :meth:`is_first`."""
        if self.key is None:
            return False
        request = KeyedRequest(account_id, self.key, self.digest)
        found = request.find(connection, "shown_once", "shown::text")
        if found is not None and found != (shown,):
            raise ShownSecret(found[0])
        return found is not None


def make_idempotent_secret(key: str | None, *asked: Any) -> IdempotentSecret:
    """Describe a request with the Idempotency-Key *key*, or with none, which asks for *asked*."""
    return IdempotentSecret(key, digest_request(asked))


class ShownSecret(StoreError):
    """``already_shown``: the secret was shown already, and it is not stored; `more` has its id."""

    def __init__(self, shown: str) -> None:
        detail = (
            "The secret for this Idempotency-Key was shown before, and is not stored. If you lost it, revoke "
            "it by its `id`, and send a new key."
        )
        super().__init__("already_shown", detail, more={"id": shown})
