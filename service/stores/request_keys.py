"""Requests with an Idempotency-Key: what the first one got is stored, and each repeat gets it again.

Each kind of request has a table of its own: `account_id`, `key`, `request` (a digest), and what is given.
"""

from __future__ import annotations

import hashlib
from typing import Any, LiteralString

import msgspec
from psycopg import Connection

from events.store.games import ReusedKey


class KeyedRequest(msgspec.Struct, frozen=True):
    """A request of an account with a key."""

    account_id: str
    key: str
    digest: bytes
    """The digest of what it asks for, see :func:`digest_request`."""

    def store(
        self, connection: Connection[Any], table: LiteralString, given: dict[LiteralString, Any]
    ) -> bool:
        """Store what the request is *given*, by column; False where an earlier one was given something."""
        columns = ", ".join(given)
        places = ", ".join(["%s"] * len(given))
        return bool(
            connection.execute(
                f"INSERT INTO {table} (account_id, key, request, {columns}) VALUES (%s, %s, %s, {places})"  # noqa: S608 - constants
                " ON CONFLICT DO NOTHING",
                (self.account_id, self.key, self.digest, *given.values()),
            ).rowcount
        )

    def find(
        self, connection: Connection[Any], table: LiteralString, columns: LiteralString
    ) -> tuple[Any, ...] | None:
        """Return what a request with this key was given; None where there was none.

        Raises ReusedKey where that one asked for something else.
        """
        row = connection.execute(
            f"SELECT request, {columns} FROM {table} WHERE account_id = %s AND key = %s",  # noqa: S608 - constants
            (self.account_id, self.key),
        ).fetchone()
        if row is None:
            return None
        if bytes(row[0]) != self.digest:
            raise ReusedKey
        return tuple(row[1:])


def digest_request(asked: Any) -> bytes:
    """Return the SHA-256 digest of what a request asks for."""
    return hashlib.sha256(msgspec.json.encode(asked, order="sorted")).digest()
