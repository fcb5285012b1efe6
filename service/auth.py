"""Accounts and who is asking: `Authorization: Bearer <token>`."""

from __future__ import annotations

import secrets
import time
from typing import Any

import msgspec
from flask import current_app, g, request

from events.games import new_id
from events.log import Pool
from events.replay import Recent
from service import tokens
from service.pool import patient
from service.problems import Problem

KNOWN_FOR = 30.0
"""Seconds that a token is believed without asking the database again."""


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
        token = tokens.new_token()
        with self._pool.connection() as connection:
            connection.execute(
                "WITH a AS (INSERT INTO account (id, name) VALUES (%s, %s) RETURNING id)"
                " INSERT INTO token (hash, account_id) SELECT %s, id FROM a",
                (account.id, account.name, tokens.token_hash(token)),
            )
        return account, token

    @patient
    def find(self, token: str) -> Account | None:
        """The account of a token, or None."""
        if not tokens.is_well_formed(token):
            return None
        digest = tokens.token_hash(token)
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


_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="rutter"'}
_REFUSED = {"WWW-Authenticate": 'Bearer realm="rutter", error="invalid_token"'}


def asking() -> Account | None:
    """The account that sent this request; None without a token. Raises a 401 problem for a bad one."""
    if "account" not in g:
        g.account = _asking(current_app.extensions["rutter"].accounts)
    account: Account | None = g.account
    return account


def _asking(accounts: Accounts) -> Account | None:
    header: Any = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        detail = "Send the token as `Authorization: Bearer rut_...`."
        raise Problem(401, "unauthenticated", detail, headers=_CHALLENGE)
    account = accounts.find(token.strip())
    if account is None:
        detail = "This token is not known. POST /v1/accounts makes an account with a new one."
        raise Problem(401, "unauthenticated", detail, headers=_REFUSED)
    return account


def signed_in() -> Account:
    """The account that sent this request. Raises a 401 problem if there is none."""
    account = asking()
    if account is None:
        detail = "This needs a token: `Authorization: Bearer rut_...`. POST /v1/accounts gives one."
        raise Problem(401, "unauthenticated", detail, headers=_CHALLENGE)
    return account
