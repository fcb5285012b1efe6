"""Who is asking: `Authorization: Bearer <token>`, and what that token may do."""

from __future__ import annotations

from collections.abc import Iterable
from types import EllipsisType
from typing import Any

from flask import g, request

from service.accounts import Account
from service.process import process
from service.tokens import Token, Tokens
from service.wire.problems import Problem

_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="rutter"'}
_REFUSED = {"WWW-Authenticate": 'Bearer realm="rutter", error="invalid_token"'}


def token() -> Token | None:
    """The token of this request; None without one. Raises a 401 problem for a bad one."""
    found: Token | EllipsisType | None = g.get("token", ...)  # asked several times by each request
    if found is ...:
        found = g.token = _token(process().tokens)
    return found


def _token(tokens: Tokens) -> Token | None:
    secret = secret_of_request()
    if secret is None:
        return None
    found = tokens.find(secret)
    if found is None:
        detail = (
            "This token is not known, or not any more. POST /v1/accounts makes an account with a new one."
        )
        raise Problem(401, "unauthenticated", detail, headers=_REFUSED)
    return found


def secret_of_request() -> str | None:
    """What the request has for a token; None without one. Raises a 401 problem for another scheme."""
    header: Any = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer":
        detail = "Send the token as `Authorization: Bearer rut_...`."
        raise Problem(401, "unauthenticated", detail, headers=_CHALLENGE)
    return str(secret.strip())


def asking() -> Account | None:
    """The account that sent this request; None without a token. Raises a 401 problem for a bad one."""
    found = token()
    return found.account if found else None


def permitted() -> Token:
    """The token of this request. Raises a 401 problem if there is none."""
    found = token()
    if found is None:
        detail = "This needs a token: `Authorization: Bearer rut_...`. POST /v1/accounts gives one."
        raise Problem(401, "unauthenticated", detail, headers=_CHALLENGE)
    return found


def signed_in(*scopes: str, game: str | None = None) -> Account:
    """The account that sent this request, with a token for all these *scopes*, of *game* if that is named.

    Raises problems: 401 without a token, 403 for one that is not for this.
    """
    found = permitted()
    insist(found, scopes)
    if scopes and found.games is not None and (game or "").lower() not in found.games:
        detail = "This token is for certain games only, and not for this. Use another token."
        raise Problem(403, "other_games_only", detail, more={"games": sorted(found.games)})
    return found.account


def insist(held: Token, scopes: Iterable[str]) -> None:
    """Raise a 403 problem unless a token has all these scopes."""
    for scope in scopes:
        if scope not in held.scopes:
            detail = f"This needs a token with the scope {scope}. POST /v1/me/tokens makes one."
            raise Problem(403, "missing_scope", detail, more={"scope": scope})


def known_as(game_id: str) -> Account | None:
    """Who may know of *game_id* by the token of this request: nobody, where that is for other games only."""
    found = token()
    if found is None or (found.games is not None and game_id not in found.games):
        return None
    return found.account


def looking(game_id: str, scope: str = "game:read") -> Account | None:
    """The account through whose eyes this request may see *game_id*; None for a spectator's."""
    found = token()
    return known_as(game_id) if found is not None and scope in found.scopes else None
