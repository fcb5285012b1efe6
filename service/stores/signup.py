"""New accounts with their first token, and accounts whose tokens were lost."""

from __future__ import annotations

import hashlib
import secrets
import time
from datetime import UTC, datetime
from typing import Any, LiteralString
from uuid import uuid4

import msgspec
from psycopg import Connection

from events.store.event_log import Pool
from projections.read_models import notices
from projections.read_models.notices import Notice
from service.base.database import format_utc, retry_on_disconnect
from service.base.people import Account
from service.base.store_error import StoreError
from service.stores import accounts, tokens
from service.stores.one_time_secrets import IdempotentSecret
from service.stores.tokens import Token, TokenInfo, TokenRequest, Tokens, hash_token, make_token

CODES_PER_ACCOUNT = 10
"""The number of recovery codes that are made together."""
REPLACED_DAYS = 14
"""Days for which codes stay good after others have replaced them: a token may be in the hands of a thief."""
REPLACED_BATCHES = 5
"""The most replaced sets of codes that stay good; the oldest ones do."""
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The letters of Crockford's base 32: none looks like another."""
_GOOD: LiteralString = "(expires_at IS NULL OR expires_at > now())"
_GROUPS, _LENGTH = 4, 5
"""A code has 4 groups of 5 letters: 100 bits."""


class RemainingCodes(msgspec.Struct, frozen=True):
    """The recovery codes of an account that can still be used."""

    id: str | None
    """The newest codes; None if they were revoked."""
    left: int
    made_at: str | None
    earlier: int
    """The number of earlier codes that are still good."""
    until: str | None
    """The time when the last of the earlier ones ends."""


class Signup:
    """The creation and the recovery of accounts, in the database."""

    def __init__(self, pool: Pool, known: Tokens) -> None:
        self._pool = pool
        self._tokens = known

    def create(self, name: str | None, handle: str | None) -> tuple[Account, str]:
        """Make an account; return it and its token, which is shown once.

        Raises StoreError `handle_taken`.
        """
        account, secret = accounts.make_account(name), make_token()
        self._create(account, handle, TokenRequest("first token"), secret, None, None)
        return msgspec.structs.replace(account, handle=handle), secret

    def create_service(
        self,
        owner: Account,
        name: str,
        handle: str | None,
        request: TokenRequest,
        by: Token,
        once: IdempotentSecret,
    ) -> tuple[Account, str]:
        """Make a service account of *owner*; return it and its token.

        Raises StoreError: `handle_taken`, `too_many_accounts`, `already_shown`.
        """
        account, secret = accounts.make_account(name, owner.id), make_token()
        self._create(account, handle, request, secret, by, once)
        return msgspec.structs.replace(account, handle=handle), secret

    @retry_on_disconnect
    def _create(
        self,
        account: Account,
        handle: str | None,
        request: TokenRequest,
        secret: str,
        by: Token | None,
        once: IdempotentSecret | None,
    ) -> None:
        with self._pool.connection() as connection, connection.transaction():
            if account.owner is not None and once is not None:
                if not once.is_first(connection, account.owner, account.id) or accounts.has_account(
                    connection, account.id
                ):
                    return  # the answer of the database was lost
                accounts.check_service_account_quota(connection, account.owner)
            accounts.insert_account(connection, account, handle)
            tokens.insert_token(
                connection, account.id, request, str(uuid4()), hash_token(secret), by=by.id if by else None
            )

    def make_codes(
        self, account: Account, earlier: str | None, once: IdempotentSecret
    ) -> tuple[str, list[str]]:
        """Make ten recovery codes; return their revocation id and the codes.

        With *earlier*, a code that is good, all earlier codes end. Without it they stay good for a while.
        Raises :class:`WrongRecoveryCode` for a wrong code.
        """
        codes, batch = [_make_code() for _ in range(CODES_PER_ACCOUNT)], str(uuid4())
        self._make_codes(account, earlier, once, (batch, [hash_code(code) for code in codes]))
        return batch, codes

    @retry_on_disconnect
    def _make_codes(
        self, account: Account, earlier: str | None, once: IdempotentSecret, made: tuple[str, list[bytes]]
    ) -> None:
        with self._pool.connection() as connection, connection.transaction():
            _lock_account(connection, account)
            if not once.is_first(connection, account.id, made[0]) or _has_codes(connection, made[0]):
                return
            _end_codes(connection, account, earlier)
            connection.execute(
                "INSERT INTO recovery_code (hash, account_id, batch)"
                " SELECT hash, %s, %s FROM unnest(%s::bytea[]) hash",
                (account.id, *made),
            )
            _tell_of_codes(connection, account, "made")

    @retry_on_disconnect
    def get_remaining_codes(self, account: Account) -> RemainingCodes | None:
        """Return the recovery codes that can still be used; None without any."""
        newest = "FILTER (WHERE expires_at IS NULL)"
        with self._pool.connection() as connection:
            row = connection.execute(
                f"SELECT (array_agg(batch::text) {newest})[1], count(*) {newest},"  # noqa: S608 - constants
                f" {format_utc(f'max(made_at) {newest}')}, count(expires_at), {format_utc('max(expires_at)')}"
                f" FROM recovery_code WHERE account_id = %s AND {_GOOD}",
                (account.id,),
            ).fetchone()
        return RemainingCodes(*row) if row and (row[1] or row[3]) else None

    @retry_on_disconnect
    def drop_codes(self, account: Account, code: str | None) -> None:
        """Revoke all recovery codes: at once with *code*, one of them, otherwise after a while.

        Raises :class:`WrongRecoveryCode` for a wrong code.
        """
        with self._pool.connection() as connection, connection.transaction():
            _lock_account(connection, account)
            if _end_codes(connection, account, code):
                _tell_of_codes(connection, account, "revoked")

    def recover(
        self, account_id: str, code: str, once: IdempotentSecret
    ) -> tuple[Account, TokenInfo, str, int]:
        """Make a new token for the bearer of a recovery code; the code and all other tokens end.

        Return the account, the token, its secret, and the milliseconds until the others are revoked.
        Raises :class:`WrongRecoveryCode`, whether or not there is such an account.
        """
        secret, token_id = make_token(), str(uuid4())
        account = self._recover(account_id, hash_code(code), once, (token_id, hash_token(secret)))
        within = self._tokens.revoke(account, keep=token_id)
        return account, self._tokens.get(account, token_id), secret, within

    @retry_on_disconnect
    def _recover(
        self, account_id: str, digest: bytes, once: IdempotentSecret, made: tuple[str, bytes]
    ) -> Account:
        with self._pool.connection() as connection, connection.transaction():
            row = connection.execute(
                f"SELECT {accounts.ACCOUNT_COLUMNS} FROM account a WHERE a.id = %s FOR UPDATE",  # noqa: S608 - constants
                (account_id,),
            ).fetchone()
            if row is None:
                raise WrongRecoveryCode
            if once.is_repeated(connection, account_id, made[0]):
                return accounts.read_account(row)
            spent = connection.execute(
                f"DELETE FROM recovery_code WHERE account_id = %s AND hash = %s AND {_GOOD}"  # noqa: S608
                " RETURNING batch, made_at",
                (account_id, digest),
            ).fetchone()
            if spent is not None:
                _restore_codes(connection, account_id, *spent)
            elif not tokens.has_token(connection, made[0]):
                raise WrongRecoveryCode
            once.is_first(connection, account_id, made[0])
            tokens.insert_token(connection, account_id, TokenRequest("recovered"), *made)
            return accounts.read_account(row)


def _lock_account(connection: Connection[Any], account: Account) -> None:
    """Let nobody else change the codes of an account within this transaction."""
    connection.execute("SELECT 1 FROM account WHERE id = %s FOR UPDATE", (account.id,))


def _has_codes(connection: Connection[Any], batch: str) -> bool:
    """Return True if these codes were made: then the answer of the database was lost."""
    return (
        connection.execute("SELECT 1 FROM recovery_code WHERE batch = %s LIMIT 1", (batch,)).fetchone()
        is not None
    )


def _end_codes(connection: Connection[Any], account: Account, code: str | None) -> bool:
    """End all codes of an account, at once with a good *code*, otherwise after REPLACED_DAYS.

    Return True if there were any that had no end. Raises :class:`WrongRecoveryCode` for a wrong code.
    """
    asked = {"account": account.id, "days": REPLACED_DAYS, "most": REPLACED_BATCHES}
    if code is not None:
        asked["hash"] = hash_code(code)
        good = f"SELECT 1 FROM recovery_code WHERE account_id = %(account)s AND hash = %(hash)s AND {_GOOD}"  # noqa: S608
        if connection.execute(good, asked).fetchone() is None:
            raise WrongRecoveryCode
        connection.execute("DELETE FROM recovery_code WHERE account_id = %(account)s", asked)
        return True
    ended = connection.execute(
        "UPDATE recovery_code SET expires_at = now() + make_interval(days => %(days)s)"
        " WHERE account_id = %(account)s AND expires_at IS NULL",
        asked,
    )
    connection.execute(
        f"DELETE FROM recovery_code WHERE account_id = %(account)s AND (NOT {_GOOD} OR batch NOT IN"  # noqa: S608
        f" (SELECT batch FROM recovery_code WHERE account_id = %(account)s AND {_GOOD}"
        " GROUP BY batch ORDER BY min(made_at), batch LIMIT %(most)s))",
        asked,
    )
    return ended.rowcount > 0


def _restore_codes(connection: Connection[Any], account_id: str, batch: Any, made_at: Any) -> None:
    """Let the set of a code that was used go on, and end all that were made after it."""
    asked = {"account": account_id, "batch": batch, "made": made_at}
    connection.execute(
        "DELETE FROM recovery_code WHERE account_id = %(account)s AND batch <> %(batch)s"
        " AND made_at >= %(made)s",
        asked,
    )
    connection.execute(
        "UPDATE recovery_code SET expires_at = NULL WHERE account_id = %(account)s AND batch = %(batch)s",
        asked,
    )


def _tell_of_codes(connection: Connection[Any], account: Account, what: str) -> None:
    notice = Notice(
        "account.recovery_changed", account.id, time.time_ns() // 1000, {"what": what}, datetime.now(UTC)
    )
    notices.add(connection, account.id, notice)


def _make_code() -> str:
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) for _ in range(_GROUPS))


def hash_code(code: str) -> bytes:
    """Return the hash that the database keeps of a recovery code; case, spaces and dashes do not matter."""
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    read = plain.replace("O", "0").replace("I", "1").replace("L", "1")
    return hashlib.sha256(read.encode()).digest()


class WrongRecoveryCode(StoreError):
    """The account or its recovery code is wrong."""

    def __init__(self) -> None:
        detail = (
            "The account or the recovery code is wrong, or the code was used. Check both for typing errors,"
            " or use another code."
        )
        super().__init__("recovery_refused", detail)
