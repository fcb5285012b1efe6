"""Structs of the lines of audit bundles, as the description of the API shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.openapi.response_structs import Members, SeatNumber, Uuid

_N = Meta(ge=1, description="The number of the event.")
EventNumber = Annotated[int, _N]
_HASH = "The hash of the event, 64 hex digits."
_BODY = "The canonical JSON that is hashed, as a text."


class GameHeader(Struct, frozen=True, tag="header", tag_field="kind"):
    """The first line of the bundle of a game."""

    format: str
    """The format: `rutter-bundle/2`."""
    game: Uuid
    """The id of the game."""
    title: str
    """The id of the title."""
    version: int
    """The version of the title."""
    scope: Literal["whole", "seat"]
    """`whole` after the end of the game; `seat` for what one seat may know."""
    seat: Annotated[
        SeatNumber | None, Meta(description="The seat that may know it, or null for all or none of them.")
    ]
    events: int
    """The number of events."""
    origin: str
    """The name of the server."""


class HiddenPart(Struct, frozen=True):
    """A hidden part of an event."""

    salt: str
    """The salt of its digest, in base64."""
    body: Members
    """The members that were hidden."""


class GameEventLine(Struct, frozen=True, tag="event", tag_field="kind"):
    """An event of a game."""

    n: EventNumber
    hash: Annotated[str, Meta(description=_HASH)]
    body: Annotated[str, Meta(description=_BODY)]
    parts: Annotated[
        dict[str, HiddenPart] | UnsetType, Meta(description="The hidden parts that are open, by audience.")
    ] = UNSET


class ReceiptLine(Struct, frozen=True, tag="receipt", tag_field="kind"):
    """The receipt for the last event."""

    note: str
    """The receipt: a signed note."""


class ProofLine(Struct, frozen=True, tag="proof", tag_field="kind"):
    """A proof that the log of all games holds an event."""

    n: EventNumber
    proof: str
    """The proof of inclusion, as a text."""


class TimestampLine(Struct, frozen=True, tag="timestamp", tag_field="kind"):
    """A timestamp (RFC 3161) of the proof of an event."""

    n: EventNumber
    token: str
    """The timestamp, in base64."""


class TalkHeader(Struct, frozen=True, tag="header", tag_field="kind"):
    """The first line of the bundle of a talk."""

    format: str
    """The format: `rutter-talk/1`."""
    talk: Uuid
    """The id of the talk."""
    table: Uuid
    """The id of the game at whose table it is."""
    seats: list[SeatNumber]
    """The seats whose holders may read these words."""
    events: int
    """The number of events."""
    origin: str
    """The name of the server."""


class SaidWords(Struct, frozen=True):
    """The words of a message."""

    content: Members
    """The text, and the phrase that it was made of."""
    salt: str
    """The salt of their digest, in base64."""


class TalkEventLine(Struct, frozen=True, tag="event", tag_field="kind"):
    """An event of a talk."""

    n: EventNumber
    hash: Annotated[str, Meta(description=_HASH)]
    body: Annotated[str, Meta(description=_BODY)]
    said: Annotated[SaidWords | UnsetType, Meta(description="The words, if you may read them.")] = UNSET


class FollowLine(Struct, frozen=True, tag="follow", tag_field="kind"):
    """The entry of the game that followed on a message, with its proof."""

    n: EventNumber
    entry: str
    """The entry in the log of all games."""
    proof: str
    """The proof of inclusion, as a text."""


class TournamentHeader(Struct, frozen=True, tag="header", tag_field="kind"):
    """The first line of the bundle of a tournament."""

    format: str
    """The format: `rutter-tournament/2`."""
    tournament: Uuid
    """The id of the tournament."""
    version: int
    """The version of the rules of tournaments."""
    scope: Literal["whole", "running"]
    """`whole` after the end of the tournament, else `running`."""
    events: int
    """The number of events."""
    games: int
    """The number of bundles of games that follow."""
    origin: str
    """The name of the server."""


class TextWords(Struct, frozen=True):
    """A text of a tournament."""

    salt: str
    """The salt of its digest, in base64."""
    text: str
    """The words of the text."""


class TournamentEventLine(Struct, frozen=True, tag="event", tag_field="kind"):
    """An event of a tournament."""

    n: EventNumber
    hash: Annotated[str, Meta(description=_HASH)]
    body: Annotated[str, Meta(description=_BODY)]
    texts: Annotated[
        dict[str, TextWords] | UnsetType, Meta(description="The texts of the event, by digest.")
    ] = UNSET


LINES: dict[str, tuple[str, tuple[type[Any], ...]]] = {
    "GameBundleLine": (
        "A line of the bundle of a game.",
        (GameHeader, GameEventLine, ReceiptLine, ProofLine, TimestampLine),
    ),
    "TalkBundleLine": (
        "A line of the bundle of a talk.",
        (TalkHeader, TalkEventLine, ReceiptLine, ProofLine, FollowLine),
    ),
    "TournamentBundleLine": (
        "A line of the bundle of a tournament, before the bundles of its games.",
        (TournamentHeader, TournamentEventLine, ReceiptLine, ProofLine),
    ),
}
"""The choices between lines, by their names as components, each with what it is."""
