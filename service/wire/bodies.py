"""The bodies that clients send: read strictly, checked and described by schemas of these Structs."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import marshmallow as ma
from flask import request
from gunicorn.http.errors import ParseException
from msgspec import Meta, Struct
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from events.absence import Absence
from events.canonical import LARGEST
from events.moments import micros, moment
from events.terms import DIRECTORS, LEAST_MS, MOST_MS
from service.access import Visibility
from service.names import HANDLE, LONGEST, NAME, complaint, normal
from service.schemas import from_structs
from service.schemas.shapes import Hex32, Object, Salt, SeatNumber, Who
from service.wire import strict_json
from service.wire.problems import Problem, invalid

S = TypeVar("S", bound=Struct)

# No control characters, and none of those that turn the direction of writing; no space at the ends.
_BAD = r"\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
LABEL = rf"^[^\s{_BAD}]([^{_BAD}]{{0,38}}[^\s{_BAD}])?$"
ANY_UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"


class Request(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A body that a client sends."""


_NAMED = (
    "What others see. Kept in NFKC; in one alphabet, without invisible characters, and not one that could be"
    " taken for another: the pattern has the alphabets."
)
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST, pattern=NAME, description=_NAMED)]
Handle = Annotated[str, Meta(pattern=HANDLE, description="By which others find me; nobody else has it.")]
Scope = Literal[
    "game:read",
    "game:play",
    "game:create",
    "game:direct",
    "tournament:enter",
    "tournament:direct",
    "account:write",
    "webhook:write",
    "token:write",
]
Scopes = Annotated[list[Scope], Meta(min_length=1, max_length=20)]
Milliseconds = Annotated[int, Meta(ge=1000, le=315_360_000_000)]


class NewAccount(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account to be made."""

    name: Name | None = None
    handle: Handle | None = None


class ChangeAccount(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be another: what is left out stays."""

    name: Name | None = None
    handle: Handle | None = None


class Farewell(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """My handle, or my name where I have no handle: so that nobody deletes an account by mistake."""

    confirm: Annotated[str, Meta(min_length=1, max_length=LONGEST, pattern=LABEL)]


class NewService(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account for a program of mine."""

    name: Name
    handle: Handle | None = None
    scopes: Scopes | None = None


class NewToken(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token to be made."""

    label: Annotated[str, Meta(min_length=1, max_length=40, pattern=LABEL)]
    scopes: Scopes
    expires_in_ms: Annotated[
        Milliseconds | None, Meta(description="If left out, as long as the token that makes it.")
    ] = None
    games: Annotated[
        Annotated[list[Annotated[str, Meta(pattern=ANY_UUID)]], Meta(min_length=1, max_length=100)] | None,
        Meta(description="The only games that it is to be good for."),
    ] = None


class Rotate(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long the old secret works on: up to a week."""

    overlap_ms: Annotated[int, Meta(ge=0, le=604_800_000)] = 0


class Recover(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the recovery codes of an account."""

    account: Annotated[str, Meta(pattern=ANY_UUID)]
    code: Annotated[str, Meta(min_length=1, max_length=80, pattern="^[0-9A-Za-z -]+$")]


class TestTokens(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tokens that I hold."""

    tokens: Annotated[
        list[Annotated[str, Meta(max_length=200, pattern="^[!-~]*$")]], Meta(min_length=1, max_length=100)
    ]


_TAIL = "[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]"
REPEAT = f"^(([A-Za-z0-9_-]{{4}}){{1,21}}({_TAIL})?|{_TAIL})[.][0-9a-f]{{32}}$"
"""A seed in base64url, without stray bits in its last letter, and a salt."""
UUID7 = "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"


AccountId = Annotated[str, Meta(pattern="^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")]


class Beacon(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A public source of randomness that contributes."""

    chain: Hex32
    after: Annotated[int, Meta(ge=30, le=3600)]


class NewGame(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to be made. Options and position are those of the title; see `GET /v1/titles/{title}`."""

    title: str
    version: Annotated[int, Meta(ge=1, le=LARGEST)] | None = None
    options: Object = {}
    seats: Annotated[list[Object], Meta(min_length=1, max_length=16)]
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{2}){1,64}$")] | None = None
    repeat: Annotated[str, Meta(pattern=REPEAT)] | None = None
    position: Object | None = None
    id: Annotated[str, Meta(pattern=UUID7)] | None = None
    contributions: Literal["open", "required"] | None = None
    director: Hex32 | None = None
    beacon: Beacon | None = None
    invited: Annotated[list[Who | None], Meta(min_length=1, max_length=16)] | None = None
    reveal_by_ms: Annotated[int, Meta(ge=LEAST_MS, le=MOST_MS)] | None = None
    directors: Annotated[list[AccountId], Meta(min_length=1, max_length=DIRECTORS)] | None = None
    expires_at: str | None = None
    clock: Object | None = None
    absence: Absence | None = None
    visibility: Visibility | None = None


class Narrow(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may see a game from now on."""

    visibility: Visibility


_KEY = "An Ed25519 public key of my own, made for this game: from then on I sign my commands."


class Join(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sitting down."""

    seat: SeatNumber | None = None
    commitment: Hex32 | None = None
    key: Annotated[Hex32 | None, Meta(description=_KEY)] = None
    salt: Salt | None = None


class Reveal(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Opening one's contribution to the randomness: a seat's, or the director's."""

    contribution: Hex32 | None = None
    director: Hex32 | None = None
    seat: SeatNumber | None = None


Moment = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""A time in RFC 3339, see :func:`read_time`."""


class TakeVacation(Request, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """Being away, in RFC 3339; from now on where `from` is left out."""

    until: Moment
    from_: Moment | None = None


class Start(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Beginning a game: an empty object."""


class Fork(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An analysis game from an event of another game."""

    at: Annotated[int, Meta(ge=1, le=LARGEST)] | None = None
    seats: Annotated[list[Object], Meta(min_length=1, max_length=16)] | None = None


REQUESTS = (
    NewAccount, ChangeAccount, Farewell, NewService, NewToken, Rotate, Recover, TestTokens, Narrow,
    Join, Reveal, Start, TakeVacation,
)  # fmt: skip


def _raw() -> bytes:
    """The whole body, or a problem: neither half of one, nor as much of it as is allowed."""
    try:
        raw = request.get_data(cache=False)
        most, length = request.max_content_length, request.content_length
        # A body without a length is read up to the limit and no further: whether it ends there is asked here.
        if length is None and most and len(raw) >= most and request.environ["wsgi.input"].read(1):
            raise RequestEntityTooLarge
    except ParseException:  # the server reads a chunked body only now
        raise Problem(400, "malformed_request", _NOT_WHOLE) from None
    if length is not None and len(raw) != length:
        raise Problem(400, "malformed_request", _NOT_WHOLE)
    return raw


_NOT_WHOLE = "The body did not arrive as its headers announce. Send it again."


def json_body(*, required: bool = True) -> dict[str, Any]:
    """The JSON object of this request; an empty one where no body was sent and none is *required*.

    Raises problems: 415 for another type, 413 for too much, 400 for what is no JSON, 422 for no object.
    """
    raw = _raw()
    if not raw and not required:
        return {}
    kind = request.mimetype
    encoding = request.headers.get("Content-Encoding", "identity").lower()
    if kind != "application/json" or encoding != "identity":
        raise UnsupportedMediaType
    try:
        value = strict_json.parse(raw)
    except strict_json.Malformed as error:
        raise Problem(400, "malformed_json", str(error)) from None
    if not isinstance(value, dict):
        raise invalid({"_schema": ["Send a JSON object."]})
    return value


def read_time(value: Any, field: str) -> str:
    """A time in RFC 3339, as events record it. Raises a 422 problem."""
    try:
        return moment(micros(value))
    except (ValueError, TypeError, OverflowError):
        raise invalid({field: ["Send a time in RFC 3339, such as 2026-03-01T12:00:00Z."]}) from None


def read_body(struct: type[S], *, required: bool = True) -> S:
    """The body of this request as *struct*. Raises problems, see :func:`json_body`."""
    return read(json_body(required=required), struct)


def read_named(struct: type[S]) -> S:
    """The body of this request as *struct*, with its `name` in normal form. Raises problems as read_body."""
    body = json_body()
    name = body.get("name")
    if isinstance(name, str):
        body["name"] = normal(name)
        wrong = complaint(body["name"])
        if wrong:
            raise invalid({"name": [wrong]})
    return read(body, struct)


def read(value: Any, struct: type[S], place: str | None = None) -> S:
    """*value* as *struct*. Raises a 422 problem with the errors by field (below *place*)."""
    try:
        return from_structs.read(value, struct)
    except ma.ValidationError as error:
        messages: Any = error.messages
        raise invalid({place: messages} if place else messages) from None
