"""Who is asking: `Authorization: Bearer <token>`."""

from __future__ import annotations

from typing import Any

from flask import g, request

from service.accounts import Account, Accounts
from service.process import process
from service.wire.problems import Problem

_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="rutter"'}
_REFUSED = {"WWW-Authenticate": 'Bearer realm="rutter", error="invalid_token"'}


def asking() -> Account | None:
    """The account that sent this request; None without a token. Raises a 401 problem for a bad one."""
    if "account" not in g:
        g.account = _asking(process().accounts)
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
