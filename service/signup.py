"""New accounts with their first token, and accounts whose tokens were lost."""

from __future__ import annotations

import hashlib
import secrets
from uuid import uuid4

import msgspec

from events.store.event_log import Pool
from service import accounts, tokens
from service.accounts import Account
from service.pool import patient
from service.shown_once import Once
from service.tokens import Listed, Permission, Token, Tokens, new_token, token_hash, utc
from service.wire.problems import Problem

CODES = 10
"""Recovery codes that are shown together."""
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Of Crockford's base 32: none looks like another."""
_GROUPS, _LENGTH = 4, 5
"""A code has 4 groups of 5 letters: 100 bits."""


class CodesLeft(msgspec.Struct, frozen=True):
    """The recovery codes of an account that can still be used."""

    id: str
    left: int
    made_at: str


class Signup:
    """Makes accounts and opens them again."""

    def __init__(self, pool: Pool, known: Tokens) -> None:
        self._pool = pool
        self._tokens = known

    def create(self, name: str | None, handle: str | None) -> tuple[Account, str]:
        """A new account and its token, which is shown this once. Raises a 409 problem for a taken handle."""
        account, secret = accounts.new_account(name), new_token()
        self._create(account, handle, Permission("first token"), secret, None, None)
        return msgspec.structs.replace(account, handle=handle), secret

    def create_service(
        self, owner: Account, name: str, handle: str | None, wish: Permission, by: Token, once: Once
    ) -> tuple[Account, str]:
        """A program's account of *owner* and its token. Raises 409 problems."""
        account, secret = accounts.new_account(name, owner.id), new_token()
        self._create(account, handle, wish, secret, by, once)
        return msgspec.structs.replace(account, handle=handle), secret

    @patient
    def _create(
        self,
        account: Account,
        handle: str | None,
        wish: Permission,
        secret: str,
        by: Token | None,
        once: Once | None,
    ) -> None:
        with self._pool.connection() as connection, connection.transaction():
            if account.owner is not None and once is not None:
                if not once.first(connection, account.owner, account.id) or accounts.is_there(
                    connection, account.id
                ):
                    return  # the answer of the database was lost
                accounts.make_room(connection, account.owner)
            accounts.insert(connection, account, handle)
            tokens.insert(
                connection, account.id, wish, str(uuid4()), token_hash(secret), by=by.id if by else None
            )

    def make_codes(self, account: Account, once: Once) -> tuple[str, list[str]]:
        """Ten new recovery codes in place of all earlier ones, and the id by which they are revoked."""
        codes, batch = [_new_code() for _ in range(CODES)], str(uuid4())
        self._make_codes(account, once, batch, [code_hash(code) for code in codes])
        return batch, codes

    @patient
    def _make_codes(self, account: Account, once: Once, batch: str, hashes: list[bytes]) -> None:
        with self._pool.connection() as connection, connection.transaction():
            if not once.first(connection, account.id, batch):
                return
            connection.execute("DELETE FROM recovery_code WHERE account_id = %s", (account.id,))
            connection.execute(
                "INSERT INTO recovery_code (hash, account_id, batch)"
                " SELECT hash, %s, %s FROM unnest(%s::bytea[]) hash",
                (account.id, batch, hashes),
            )

    @patient
    def codes_left(self, account: Account) -> CodesLeft | None:
        """The codes that can still be used; None without any."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"SELECT batch::text, count(*), {utc('max(made_at)')} FROM recovery_code"  # noqa: S608 - constants
                " WHERE account_id = %s GROUP BY batch",
                (account.id,),
            ).fetchone()
        return CodesLeft(*row) if row else None

    @patient
    def drop_codes(self, account: Account) -> None:
        """Revoke all recovery codes."""
        with self._pool.connection() as connection:
            connection.execute("DELETE FROM recovery_code WHERE account_id = %s", (account.id,))

    def recover(self, account_id: str, code: str, once: Once) -> tuple[Account, Listed, str, int]:
        """A new token for whoever has a recovery code of the account; the code and all other tokens end.

        Answers the account, the token, its secret, and within how many milliseconds the others are revoked.
        Raises a 403 problem for a wrong code, whether or not there is such an account.
        """
        secret, token_id = new_token(), str(uuid4())
        account = self._recover(account_id, code_hash(code), once, (token_id, token_hash(secret)))
        within = self._tokens.revoke(account, keep=token_id)
        return account, self._tokens.one(account, token_id), secret, within

    @patient
    def _recover(self, account_id: str, digest: bytes, once: Once, made: tuple[str, bytes]) -> Account:
        with self._pool.connection() as connection, connection.transaction():
            row = connection.execute(
                f"SELECT {accounts.COLUMNS} FROM account a WHERE a.id = %s FOR UPDATE",  # noqa: S608 - constants
                (account_id,),
            ).fetchone()
            if row is None:
                raise _wrong_code()
            if once.repeated(connection, account_id, made[0]):
                return accounts.account_of(row)
            spent = connection.execute(
                "DELETE FROM recovery_code WHERE account_id = %s AND hash = %s RETURNING true",
                (account_id, digest),
            ).fetchone()
            if spent is None and not tokens.is_there(connection, made[0]):
                raise _wrong_code()
            once.first(connection, account_id, made[0])
            tokens.insert(connection, account_id, Permission("recovered"), *made)
            return accounts.account_of(row)


def _new_code() -> str:
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) for _ in range(_GROUPS))


def code_hash(code: str) -> bytes:
    """What the database keeps of a recovery code: its case, spaces and dashes do not matter."""
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    read = plain.replace("O", "0").replace("I", "1").replace("L", "1")
    return hashlib.sha256(read.encode()).digest()


def _wrong_code() -> Problem:
    detail = "This is no unused recovery code of this account. Look for a typing error, or take another code."
    return Problem(403, "recovery_refused", detail)
