"""The bodies that clients send: checked by schemas derived from these Structs, described from the same."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from service.shapes import Hex32, Object, SeatNumber
from service.strict_json import LARGEST

# No control characters, and none of those that turn the direction of writing; no space at the ends.
_BAD = r"\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
NAME = rf"^[^\s{_BAD}]([^{_BAD}]{{0,38}}[^\s{_BAD}])?$"


class Request(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A body that a client sends."""


class NewAccount(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account to be made."""

    name: Annotated[str, Meta(min_length=1, max_length=40, pattern=NAME)] | None = None


class NewGame(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to be made. Options and position are those of the title; see `GET /v1/titles/{title}`."""

    title: str
    options: Object = {}
    seats: Annotated[list[Object], Meta(min_length=1, max_length=16)]
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{2}){1,64}$")] | None = None
    position: Object | None = None


class Join(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sitting down."""

    seat: SeatNumber | None = None
    commitment: Hex32 | None = None


class Reveal(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Opening one's contribution to the randomness."""

    contribution: Annotated[str, Meta(pattern="^([0-9a-f]{2}){0,64}$")]
    seat: SeatNumber | None = None


class Start(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Beginning a game: an empty object."""


class Fork(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An analysis game from an event of another game."""

    at: Annotated[int, Meta(ge=1, le=LARGEST)] | None = None
    seats: Annotated[list[Object], Meta(min_length=1, max_length=16)] | None = None


REQUESTS = (NewAccount, Join, Reveal, Start)
