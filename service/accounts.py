"""Accounts and their bearer tokens: recognisable, checkable without a look-up, kept only as a hash.

A token is ``rut_`` + 43 random characters + 6 characters of checksum, all base 62. 256 random bits need no
slow hash: the table keeps plain SHA-256.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import string
import time
import zlib

import msgspec

from events.games import new_id
from events.log import Pool
from events.recent import Recent
from service.pool import patient

KNOWN_FOR = 30.0
"""Seconds that a token is believed without asking the database again."""
PREFIX = "rut_"
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_FORM = re.compile(r"rut_([0-9A-Za-z]{43})([0-9A-Za-z]{6})\Z")


class Account(msgspec.Struct, frozen=True):
    """A person, or a program of somebody's."""

    id: str
    name: str


class Accounts:
    """The accounts and their tokens in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._known: Recent[tuple[float, Account]] = Recent(10_000)

    @patient
    def create(self, name: str | None) -> tuple[Account, str]:
        """A new account and its token, which is shown this once and kept only as a hash."""
        account = Account(new_id(), name or f"Guest {secrets.token_hex(2)}")
        token = new_token()
        with self._pool.connection() as connection:
            connection.execute(
                "WITH a AS (INSERT INTO account (id, name) VALUES (%s, %s) RETURNING id)"
                " INSERT INTO token (hash, account_id) SELECT %s, id FROM a",
                (account.id, account.name, token_hash(token)),
            )
        return account, token

    @patient
    def find(self, token: str) -> Account | None:
        """The account of a token, or None."""
        if not is_well_formed(token):
            return None
        digest = token_hash(token)
        known = self._known.get(digest)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT a.id::text, a.name FROM token t JOIN account a ON a.id = t.account_id"
                " WHERE t.hash = %s",
                (digest,),
            ).fetchone()
        if row is None:
            self._known.forget(digest)
            return None
        account = Account(*row)
        self._known.put(digest, (time.monotonic() + KNOWN_FOR, account))
        return account


def new_token() -> str:
    """A fresh token."""
    body = "".join(secrets.choice(ALPHABET) for _ in range(43))
    return PREFIX + body + _checksum(body)


def is_well_formed(token: str) -> bool:
    """Whether a token may have come from here: false for typing errors and for other services' tokens."""
    found = _FORM.match(token)
    return found is not None and _checksum(found[1]) == found[2]


def token_hash(token: str) -> bytes:
    """What the database keeps of a token."""
    return hashlib.sha256(token.encode("ascii")).digest()


def _checksum(body: str) -> str:
    value = zlib.crc32(body.encode("ascii"))
    digits = ""
    for _ in range(6):
        value, digit = divmod(value, 62)
        digits = ALPHABET[digit] + digits
    return digits
