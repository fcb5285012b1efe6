"""New accounts with their first token, and accounts whose tokens were lost."""

from __future__ import annotations

import hashlib
import secrets
from uuid import uuid4

import msgspec

from events.store.event_log import Pool
from service.base.database import format_utc, retry_on_disconnect
from service.base.store_error import StoreError
from service.stores import accounts, tokens
from service.stores.accounts import Account
from service.stores.one_time_secrets import IdempotentSecret
from service.stores.tokens import Token, TokenInfo, TokenRequest, Tokens, hash_token, make_token

CODES_PER_ACCOUNT = 10
"""The number of recovery codes that are made together."""
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The letters of Crockford's base 32: none looks like another."""
_GROUPS, _LENGTH = 4, 5
"""A code has 4 groups of 5 letters: 100 bits."""


class RemainingCodes(msgspec.Struct, frozen=True):
    """The recovery codes of an account that can still be used."""

    id: str
    left: int
    made_at: str


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

    def make_codes(self, account: Account, once: IdempotentSecret) -> tuple[str, list[str]]:
        """Make ten recovery codes in place of all earlier ones; return their revocation id and the codes."""
        codes, batch = [_make_code() for _ in range(CODES_PER_ACCOUNT)], str(uuid4())
        self._make_codes(account, once, batch, [hash_code(code) for code in codes])
        return batch, codes

    @retry_on_disconnect
    def _make_codes(self, account: Account, once: IdempotentSecret, batch: str, hashes: list[bytes]) -> None:
        with self._pool.connection() as connection, connection.transaction():
            if not once.is_first(connection, account.id, batch):
                return
            connection.execute("DELETE FROM recovery_code WHERE account_id = %s", (account.id,))
            connection.execute(
                "INSERT INTO recovery_code (hash, account_id, batch)"
                " SELECT hash, %s, %s FROM unnest(%s::bytea[]) hash",
                (account.id, batch, hashes),
            )

    @retry_on_disconnect
    def get_remaining_codes(self, account: Account) -> RemainingCodes | None:
        """Return the recovery codes that can still be used; None without any."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"SELECT batch::text, count(*), {format_utc('max(made_at)')} FROM recovery_code"  # noqa: S608 - constants
                " WHERE account_id = %s GROUP BY batch",
                (account.id,),
            ).fetchone()
        return RemainingCodes(*row) if row else None

    @retry_on_disconnect
    def drop_codes(self, account: Account) -> None:
        """Revoke all recovery codes."""
        with self._pool.connection() as connection:
            connection.execute("DELETE FROM recovery_code WHERE account_id = %s", (account.id,))

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
                "DELETE FROM recovery_code WHERE account_id = %s AND hash = %s RETURNING true",
                (account_id, digest),
            ).fetchone()
            if spent is None and not tokens.has_token(connection, made[0]):
                raise WrongRecoveryCode
            once.is_first(connection, account_id, made[0])
            tokens.insert_token(connection, account_id, TokenRequest("recovered"), *made)
            return accounts.read_account(row)


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
