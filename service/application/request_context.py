"""A request as its route meets it: the services that answer it, authentication, and its command.

The account of a request is that behind `Authorization: Bearer <token>`; its token says what it may do. A
command is a request to change a game or a tournament, and there is one way in which it is carried out. Its
headers make that safe: If-Match, Idempotency-Key, and Rutter-Signature, with which a seat signs.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from types import EllipsisType
from typing import TypeVar, cast

import msgspec
from flask import current_app, g, request

from events.rules.fact import Seat
from events.store.games import SeatMismatch, StaleVersion
from events.table.record import Signature
from service.application.container import Services
from service.base.people import Account
from service.http.problems import Problem, invalid_parameters
from service.stores.seat_claims import ForeignSeat
from service.stores.tokens import Token

Result = TypeVar("Result")

READING: tuple[str, ...] = ("game:read",)
"""The scopes of which a token needs one to see what is not public."""
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="rutter"'}
_REFUSED = {"WWW-Authenticate": 'Bearer realm="rutter", error="invalid_token"'}
_TAG = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
_TAGS = re.compile(rf"\s*{_TAG}(?:\s*,\s*{_TAG})*\s*")
_EVENT_TAG = re.compile(r'(?<!W/)"([0-9]{1,16})(?:-[0-9a-f]{24})?"')
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
_CHOSEN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
"""A UUID of version 4 or 7 in lower case: those of other versions the service makes itself."""
_SIGNATURE = re.compile(r"([1-9][0-9]{0,15}) ([A-Za-z0-9+/]{86}==)")
_SPACE = uuid.UUID("3d3a3f0c-8f0b-5d7e-9d57-2f1f0e6d1c11")
"""Namespace of the command ids that follow from Idempotency-Keys."""


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
    # Werkzeug's map of the headers takes ten times as long to say that one is missing, and most are.
    header: str | None = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer":
        detail = "The Authorization header has the wrong form. Send `Authorization: Bearer rut_...`."
        raise Problem(401, "unauthenticated", detail, headers=_CHALLENGE)
    return secret.strip()


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


# --- commands ----------------------------------------------------------------------------------------------


class CommandRequest(msgspec.Struct, frozen=True):
    """The conditions under which an account gives a command, as the headers of its request have them."""

    account: Account
    stream: str
    """The id of the game or the tournament."""
    key: str | None
    """The Idempotency-Key."""
    expected: int | None
    """The newest event on which alone the command is carried out; None for any."""
    signature: Signature | None


def read_command_request(account: Account, stream: str, newest: Callable[[], int]) -> CommandRequest:
    """Read the headers of a request that gives a command; *newest* returns the seq of the newest event.

    Raises 400 problems, and StaleVersion if none of the tags of If-Match is the newest.
    """
    key = read_idempotency_key()
    return CommandRequest(account, stream, key, read_expected_seq(newest), read_signature())


def execute(request: CommandRequest, actor: Seat | str, give: Callable[[str | None], Result]) -> Result:
    """Call *give* with the command id that the key of the request chooses, or that follows from it.

    An id stands in the log once. So one key for commands of several who act (*actor* is a name of the one who
    does) chooses the id of the first of them alone; for the others it follows from the key. Without a key
    *give* gets None.
    """
    if request.key is None:
        return give(None)
    if chosen := get_chosen_id(request.key):
        with suppress(SeatMismatch):
            return give(chosen)
    return give(derive_command_id(request.stream, actor, request.key))


def explain_conflict(request: CommandRequest, newest: int) -> Exception:
    """Return the error for a command that was decided on a state which is not the newest any more.

    With If-Match it is StaleVersion, with the seq of the *newest* event. Without it very many write at once,
    and nothing was appended: a 503 problem.
    """
    if request.expected is not None:
        return StaleVersion(newest)
    detail = "Too many requests changed this at once. Send the request again."
    return Problem(503, "unavailable", detail, headers={"Retry-After": "1"})


def choose_seat(own: Sequence[Seat], named: Seat | None, able: Sequence[Seat] = ()) -> Seat:
    """Return the seat of *own* that acts: the *named* one, the only one, or the only one that is *able*.

    Raises problems: 409 if it has to be named, 403 for a seat of another player.
    """
    if named is not None:
        if named not in own:
            raise ForeignSeat(tuple(own))
        return named
    if len(own) == 1:
        return own[0]
    if len(able) == 1:
        return able[0]
    yours = ", ".join(map(str, able or own))
    raise Problem(409, "seat_required", f"You hold several seats. Send the one that acts as `seat`: {yours}.")


# --- the headers of a command ------------------------------------------------------------------------------


def read_expected_seq(newest: Callable[[], int]) -> int | None:
    """Return the seq that If-Match asks for; None without the header, or for ``*``.

    It is the event in the tag of an answer, or a number alone. A bare number is taken as well. Raises
    StaleVersion where none of several tags is the newest, and a 400 problem for what is no list of tags.
    """
    header: str | None = request.environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    if re.fullmatch("[0-9]{1,16}", header):
        return int(header)
    if not _TAGS.fullmatch(header):
        detail = (
            "The If-Match header has the wrong form. Send the number of the newest event that you know,"
            ' in quotes: If-Match: "12".'
        )
        raise invalid_parameters({"If-Match": [detail]}, status=400, detail=detail)
    # Weak tags never match here (RFC 9110, 13.1.1).
    wanted = {int(tag) for tag in _EVENT_TAG.findall(header)}
    if len(wanted) == 1:
        return wanted.pop()
    now = newest()
    if now in wanted:
        return now
    raise StaleVersion(now)


def read_idempotency_key() -> str | None:
    """Return the Idempotency-Key of this request. Raises a 400 problem for one that cannot be used."""
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        detail = (
            "The Idempotency-Key has the wrong form. Send 1 to 200 visible ASCII characters, such as a UUID."
        )
        raise Problem(400, "invalid_parameters", detail, errors={"Idempotency-Key": [detail]})
    return key


def derive_command_id(game_id: str, who: Seat | str, key: str) -> str:
    """Return the command id of a key.

    Keys of different games, or of different seats or persons, never meet.
    """
    return str(uuid.uuid5(_SPACE, f"{game_id}/{who}/{key}"))


def get_chosen_id(key: str) -> str | None:
    """Return the command id that a client chose, so that they can sign it; None if they chose none.

    It is their key, if that is such a UUID.
    """
    return key if _CHOSEN.fullmatch(key) else None


def read_signature() -> Signature | None:
    """Return the signature of this request's command. Raises a 400 problem for what cannot be one."""
    header: str | None = request.environ.get("HTTP_RUTTER_SIGNATURE")
    if header is None:
        return None
    found = _SIGNATURE.fullmatch(header)
    if found is None:
        detail = (
            "The Rutter-Signature header has the wrong form. Send the number of an event, a space, and"
            " 64 bytes in base64."
        )
        raise invalid_parameters({"Rutter-Signature": [detail]}, status=400, detail=detail)
    return Signature(int(found[1]), found[2])
