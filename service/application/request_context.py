"""A request as its route meets it: the services that answer it, and authentication.

The account of a request is that behind `Authorization: Bearer <token>`; its token says what it may do.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import EllipsisType
from typing import Any, cast

from flask import current_app, g, request

from service.application.container import Services
from service.base.people import Account
from service.http.problems import Problem
from service.stores.tokens import Token

READING: tuple[str, ...] = ("game:read",)
"""The scopes of which a token needs one to see what is not public."""
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="rutter"'}
_REFUSED = {"WWW-Authenticate": 'Bearer realm="rutter", error="invalid_token"'}


def get_services() -> Services:
    """Return the services of the application that answers now."""
    return cast("Services", current_app.extensions["rutter"])


def get_token() -> Token | None:
    """Return the token of this request; None without one. Raises a 401 problem for a bad one."""
    found: Token | EllipsisType | None = g.get("token", ...)  # asked several times by each request
    if found is ...:
        found = g.token = _find_token()
    return found


def _find_token() -> Token | None:
    secret = read_bearer_secret()
    if secret is None:
        return None
    found = get_services().tokens.find(secret)
    if found is None:
        detail = (
            "This token is unknown, expired or revoked. Use another one, or make an account with POST"
            " /v1/accounts."
        )
        raise Problem(401, "unauthenticated", detail, headers=_REFUSED)
    return found


def read_bearer_secret() -> str | None:
    """Return the token that the request sends; None without one. Raises a 401 problem for another scheme."""
    header: Any = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer":
        detail = "The Authorization header has the wrong form. Send `Authorization: Bearer rut_...`."
        raise Problem(401, "unauthenticated", detail, headers=_CHALLENGE)
    return str(secret.strip())


def get_account() -> Account | None:
    """Return the account that sent this request; None without a token. Raises a 401 problem for a bad one."""
    found = get_token()
    return found.account if found else None


def require_token() -> Token:
    """Return the token of this request. Raises a 401 problem if there is none."""
    found = get_token()
    if found is None:
        detail = (
            "This request needs a token. Send `Authorization: Bearer rut_...`; POST /v1/accounts makes"
            " a token."
        )
        raise Problem(401, "unauthenticated", detail, headers=_CHALLENGE)
    return found


def require_scopes(*scopes: str, game: str | None = None) -> Account:
    """Return the account that sent this request, with a token for all these *scopes*.

    The token is for *game* too, if that is named. Raises problems: 401 without a token, 403 for one that is
    not for this.
    """
    found = require_token()
    if not scopes:
        return found.account
    check_scopes(found, scopes)
    if found.games is not None and (game or "").lower() not in found.games:
        detail = "This token is limited to other games. Use another token."
        raise Problem(403, "other_games_only", detail, more={"games": sorted(found.games)})
    return found.account


def check_scopes(held: Token, scopes: Iterable[str]) -> None:
    """Raise a 403 problem unless a token has all these scopes."""
    for scope in scopes:
        if scope not in held.scopes:
            detail = f"This needs a token with the scope {scope}. Make one with POST /v1/me/tokens."
            raise Problem(403, "missing_scope", detail, more={"scope": scope})


def viewing_account(game_id: str, scopes: tuple[str, ...] = READING) -> Account | None:
    """Return the account through whose eyes this request may see *game_id*; None for a spectator's.

    Its token is for that game, and has one of these *scopes*.
    """
    found = get_token()
    if found is None or (found.games is not None and game_id not in found.games):
        return None
    return None if found.scopes.isdisjoint(scopes) else found.account


def browsing_account(scopes: tuple[str, ...] = READING) -> Account | None:
    """Return the account through whose eyes this request may see whatever is not one certain game.

    None for a spectator's: without a token, with one for certain games, or with none of these *scopes*.
    """
    found = get_token()
    if found is None or found.games is not None or found.scopes.isdisjoint(scopes):
        return None
    return found.account
