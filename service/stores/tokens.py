"""Bearer tokens: recognisable, checkable without a look-up, kept only as a hash, limited by scopes.

A token is ``rut_`` + 43 random characters + 6 characters of checksum, all base 62. The table keeps plain
SHA-256, because 256 random bits need no slow hash.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
import string
import time
import zlib
from collections.abc import Callable, Collection, Sequence
from typing import Any
from uuid import uuid4

import msgspec
from psycopg import Connection, Error

from events.base.bounded_cache import BoundedCache
from events.store.event_log import Pool
from service.base.database import format_utc, retry_on_disconnect
from service.base.people import Account
from service.base.scopes import SCOPES
from service.base.store_error import StoreError
from service.stores.accounts import ACCOUNT_COLUMNS, read_account
from service.stores.one_time_secrets import IdempotentSecret

CACHE_SECONDS = 30.0
"""Seconds that a valid token is cached."""
REVOCATION_SECONDS = 1.0
"""Seconds after which every process has heard through Redis that a token is revoked."""
MAX_TOKENS = 50
"""The most tokens of one account."""
PREFIX = "rut_"
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_FORM = re.compile(r"([0-9A-Za-z]{43})([0-9A-Za-z]{6})\Z")


class Token(msgspec.Struct, frozen=True):
    """A valid token: its account, its scopes, and the games that it is limited to."""

    id: str
    account: Account
    scopes: frozenset[str]
    games: frozenset[str] | None = None
    """The only games that it is valid for; None: all."""


class TokenRequest(msgspec.Struct, frozen=True):
    """A request for a new token: its label, scopes, games and lifetime."""

    label: str
    scopes: Sequence[str] = SCOPES
    games: Sequence[str] | None = None
    expires_in_ms: int | None = None


class TokenInfo(msgspec.Struct, frozen=True):
    """A token as its owner sees it. Times are RFC 3339."""

    id: str
    label: str
    kind: str
    scopes: list[str]
    games: list[str] | None
    created_at: str
    last_used_at: str | None
    expires_at: str | None


_LISTED = (
    "SELECT t.id::text, t.label, a.kind, t.scopes, t.games::text[],"  # noqa: S608 - constants
    f" {format_utc('t.created_at')}, {format_utc('t.last_used_at')}, {format_utc('t.expires_at')}"
    " FROM token t JOIN account a ON a.id = t.account_id"
)
_VALID = "(t.expires_at IS NULL OR t.expires_at > now())"
_WHICH = (
    "account_id = %(account)s AND (%(only)s::uuid IS NULL OR id = %(only)s)"
    " AND (%(keep)s::uuid IS NULL OR id <> %(keep)s)"
)


class Tokens:
    """The tokens in the database. *tell* announces a revoked one to other processes; False if it cannot."""

    def __init__(self, pool: Pool, tell: Callable[[str], bool]) -> None:
        self._pool = pool
        self._tell = tell
        self._known: BoundedCache[tuple[float, Token]] = BoundedCache(10_000)
        self._digests: BoundedCache[bytes] = BoundedCache(20_000)
        self._ended: BoundedCache[bool] = BoundedCache(20_000)

    def find(self, token: str) -> Token | None:
        """Return the account, scopes and games of a token; None if it is not valid, or no longer."""
        if not token.isascii():
            return None
        digest = hash_token(token)
        known = self._known.get(digest)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        if not is_well_formed(token):  # what is cached was looked at before
            return None
        asked_at = time.monotonic()
        row = self._find_row(digest)
        if row is None:
            self._known.forget(digest)
            return None
        token_id, scopes, games, seconds, *account = row
        found = Token(token_id, read_account(account), frozenset(scopes), frozenset(games) if games else None)
        self._digests.put(token_id, digest)
        self._known.put(digest, (asked_at + min(CACHE_SECONDS, seconds), found))
        if self._ended.get(token_id):  # perhaps while the database was asked
            self._known.forget(digest)
        return found

    def is_cached(self, token: str) -> bool:
        """Return True if the cache holds *token* as valid; the database is not asked."""
        known = self._known.get(hash_token(token))
        return known is not None and known[0] > time.monotonic()

    @retry_on_disconnect
    def _find_row(self, digest: bytes) -> tuple[Any, ...] | None:
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT t.id::text, t.scopes, t.games::text[],"  # noqa: S608 - constants
                " coalesce(extract(epoch FROM t.expires_at - now()), 'infinity')::float8,"
                f" {ACCOUNT_COLUMNS} FROM token t JOIN account a ON a.id = t.account_id"
                f" WHERE t.hash = %s AND {_VALID}",
                (digest,),
            ).fetchone()
            if row is not None:
                _note_use(connection, digest)
        return row

    @retry_on_disconnect
    def list(self, account: Account) -> list[TokenInfo]:
        """Return the tokens of an account, oldest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"{_LISTED} WHERE t.account_id = %s AND {_VALID} ORDER BY t.created_at, t.id", (account.id,)
            ).fetchall()
        return [TokenInfo(*row) for row in rows]

    @retry_on_disconnect
    def get(self, account: Account, token_id: str) -> TokenInfo:
        """Return one token. Raises :class:`UnknownToken`."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"{_LISTED} WHERE t.account_id = %s AND t.id = %s AND {_VALID}", (account.id, token_id)
            ).fetchone()
        if row is None:
            raise UnknownToken
        return TokenInfo(*row)

    def make(
        self, account: Account, request: TokenRequest, by: Token, once: IdempotentSecret
    ) -> tuple[TokenInfo, str]:
        """Make a token that ends no later than *by*, which asks; return it and its secret, shown once.

        Raises StoreError `too_many_tokens`, and :class:`ShownSecret` for a request that is repeated.
        """
        secret, token_id = make_token(), str(uuid4())
        self._make(account, request, by.id, once, (token_id, hash_token(secret)))
        return self.get(account, token_id), secret

    @retry_on_disconnect
    def _make(
        self,
        account: Account,
        request: TokenRequest,
        by: str,
        once: IdempotentSecret,
        made: tuple[str, bytes],
    ) -> None:
        with self._pool.connection() as connection, connection.transaction():
            if not once.is_first(connection, account.id, made[0]) or has_token(connection, made[0]):
                return  # the answer of the database was lost
            _check_quota(connection, account)
            insert_token(connection, account.id, request, *made, by=by)

    def rotate(
        self, account: Account, token_id: str, overlap_ms: int, once: IdempotentSecret
    ) -> tuple[TokenInfo, str, int]:
        """Replace the account's token *token_id*, which works for *overlap_ms* more.

        Return the new token, its secret, and the milliseconds until the end of the old one is effective.
        """
        secret, new_id = make_token(), str(uuid4())
        self._rotate(account, token_id, overlap_ms, once, (new_id, hash_token(secret)))
        return self.get(account, new_id), secret, self._announce_revoked([token_id])

    @retry_on_disconnect
    def _rotate(
        self,
        account: Account,
        token_id: str,
        overlap_ms: int,
        once: IdempotentSecret,
        made: tuple[str, bytes],
    ) -> None:
        with self._pool.connection() as connection, connection.transaction():
            if not once.is_first(connection, account.id, made[0]) or has_token(connection, made[0]):
                return
            taken = connection.execute(
                "INSERT INTO token (hash, account_id, id, label, scopes, games, expires_at)"  # noqa: S608 - constants
                " SELECT %s, account_id, %s, label, scopes, games, expires_at FROM token t"
                f" WHERE account_id = %s AND id = %s AND {_VALID} RETURNING 1",
                (made[1], made[0], account.id, token_id),
            ).fetchone()
            if taken is None:
                raise UnknownToken
            connection.execute(
                "UPDATE token SET expires_at = least(expires_at, now() + make_interval(secs => %s))"
                " WHERE account_id = %s AND id = %s",
                (overlap_ms / 1000, account.id, token_id),
            )

    def revoke(self, account: Account, *, only: str | None = None, keep: str | None = None) -> int:
        """Revoke *only* this token of an account, or all but *keep*.

        Return the milliseconds until that is effective. Raises :class:`UnknownToken` for *only*.
        """
        which = {"account": account.id, "only": only, "keep": keep}
        # Checked first: a client that deletes again, as the answer was lost, finds nothing any more.
        there = self._find_matching(which)
        if only is not None and not any(there.values()):
            raise UnknownToken
        return self._announce_revoked({*there, *self._delete(which)})

    @retry_on_disconnect
    def _find_matching(self, which: dict[str, str | None]) -> dict[str, bool]:
        """Return the ids of the tokens that match *which*, each with True if it is still valid."""
        with self._pool.connection() as connection:
            return dict(
                connection.execute(
                    f"SELECT id::text, {_VALID} FROM token t WHERE {_WHICH}",  # noqa: S608 - constants
                    which,
                ).fetchall()
            )

    @retry_on_disconnect
    def _delete(self, which: dict[str, str | None]) -> Sequence[str]:
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"DELETE FROM token t WHERE {_WHICH} RETURNING id::text",  # noqa: S608 - constants
                which,
            ).fetchall()
        return [token_id for (token_id,) in rows]

    def _announce_revoked(self, token_ids: Collection[str]) -> int:
        announced = True
        for token_id in token_ids:
            self.forget(token_id)
            announced = self._tell(token_id) and announced
        return round(1000 * (REVOCATION_SECONDS if announced else CACHE_SECONDS))

    def forget(self, token_id: str) -> None:
        """Forget a cached token, so that the database is asked when it is used next."""
        self._ended.put(token_id, True)
        digest = self._digests.get(token_id)
        if digest is not None:
            self._known.forget(digest)

    def forget_all(self) -> None:
        """Forget all cached tokens: a revocation may have been missed."""
        self._known.clear()


def insert_token(
    connection: Connection[Any],
    account_id: str,
    request: TokenRequest,
    token_id: str,
    digest: bytes,
    *,
    by: str | None = None,
) -> None:
    """Store a token, unless it is there; it expires as wished, but no later than the token *by*."""
    milliseconds = request.expires_in_ms
    connection.execute(
        "INSERT INTO token (hash, account_id, id, label, scopes, games, expires_at)"
        " VALUES (%s, %s, %s, %s, %s, %s,"
        " least((SELECT expires_at FROM token WHERE id = %s), now() + make_interval(secs => %s)))"
        " ON CONFLICT DO NOTHING",
        (
            digest,
            account_id,
            token_id,
            request.label,
            sorted(set(request.scopes), key=SCOPES.index),
            list(request.games) if request.games else None,
            by,
            None if milliseconds is None else milliseconds / 1000,
        ),
    )


def has_token(connection: Connection[Any], token_id: str) -> bool:
    """Return True if there is a token of this id."""
    return connection.execute("SELECT 1 FROM token WHERE id = %s", (token_id,)).fetchone() is not None


def _check_quota(connection: Connection[Any], account: Account) -> None:
    """Delete expired tokens; check that the account has less than MAX_TOKENS."""
    connection.execute("SELECT 1 FROM account WHERE id = %s FOR UPDATE", (account.id,))  # one at a time
    connection.execute("DELETE FROM token WHERE account_id = %s AND expires_at <= now()", (account.id,))
    row = connection.execute("SELECT count(*) FROM token WHERE account_id = %s", (account.id,)).fetchone()
    if row is not None and row[0] >= MAX_TOKENS:
        raise StoreError("too_many_tokens", f"An account has at most {MAX_TOKENS} tokens. Revoke one first.")


def _note_use(connection: Connection[Any], digest: bytes) -> None:
    """Store the minute of the use; without it, where nothing can be written, reading goes on."""
    with contextlib.suppress(Error):
        connection.execute(
            "UPDATE token SET last_used_at = date_trunc('minute', now()) WHERE hash = %s"
            " AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')",
            (digest,),
        )


class UnknownToken(StoreError):
    """The account has no such token."""

    def __init__(self) -> None:
        detail = "You have no token with this id. GET /v1/me/tokens lists your tokens."
        super().__init__("unknown_token", detail)


def make_token(prefix: str = PREFIX) -> str:
    """Return a new random token, or a secret of the same form with another *prefix*."""
    body = "".join(secrets.choice(ALPHABET) for _ in range(43))
    return prefix + body + _compute_checksum(body)


def is_well_formed(token: str, prefix: str = PREFIX) -> bool:
    """Return True if a token has our form and checksum; False for typing errors and others' tokens."""
    found = _FORM.match(token.removeprefix(prefix)) if token.startswith(prefix) else None
    return found is not None and _compute_checksum(found[1]) == found[2]


def hash_token(token: str) -> bytes:
    """Return the SHA-256 hash that the database keeps of a token."""
    return hashlib.sha256(token.encode("ascii")).digest()


def _compute_checksum(body: str) -> str:
    value = zlib.crc32(body.encode("ascii"))
    digits = ""
    for _ in range(6):
        value, digit = divmod(value, 62)
        digits = ALPHABET[digit] + digits
    return digits
