"""The answers about talk and presence at a table."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from events.proof.canonical import MAX_INTEGER
from events.table.terms import Talk
from service.openapi.response_structs.fields import SeatNumber, Seq, Time, Uuid
from service.openapi.response_structs.games import Receipt


class Message(Struct, frozen=True, kw_only=True):
    """Something that was said at a table."""

    n: Annotated[int, Meta(ge=2, le=MAX_INTEGER, description="The number of the message in the talk.")]
    seat: SeatNumber
    """The seat that spoke."""
    to: list[SeatNumber] | None
    """The seats to which it was whispered, or null if it was said to all."""
    at: Time
    at_event: Seq
    """The newest event of the game when it was said."""
    text: str | None
    """The words, or null where they are `hidden`."""
    phrase: Annotated[str | UnsetType, Meta(description="The id of the phrase, where it is one.")] = UNSET
    slots: Annotated[
        dict[str, int | str] | UnsetType,
        Meta(description="The seats and areas in the slots of the phrase, by their names."),
    ] = UNSET
    hidden: Annotated[
        Literal["whisper", "erased", "muted"] | UnsetType,
        Meta(description="The reason why you do not see the words: a whisper of others, erased, or muted."),
    ] = UNSET
    you: bool
    """True if you said it."""
    signed: bool
    """True if the seat has a key and signed it."""
    digest: str
    """The salted digest (base64) that the log holds."""
    game: Annotated[Uuid | UnsetType, Meta(description="The id of the game, in live streams.")] = UNSET


class MessagesPage(Struct, frozen=True, kw_only=True):
    """Messages of a game, oldest first."""

    messages: list[Message]
    """The messages, oldest first."""
    next: str | None
    """The address of the next page, or null on the last page."""
    talk: Talk
    """The way of talking that the game has: `all`, `public`, `phrases` or `none`."""
    open: bool
    """True if its players can write now."""
    closes_at: Time | None
    """The time at which the talk closes, or null while the game goes on."""


class MessageSaid(Struct, frozen=True, kw_only=True):
    """Something that you said, with a receipt."""

    message: Message
    """The message as it was recorded."""
    receipt: Receipt


class PhraseOffered(Struct, frozen=True):
    """A phrase of a title."""

    id: str
    """The id of the phrase."""
    text: str
    """The sentence, with each slot in braces."""
    slots: dict[str, Literal["seat", "area"]]
    """The kind of each slot, by its name: a seat number, or the id of an area."""


class PhrasesPage(Struct, frozen=True):
    """The phrases of a title."""

    phrases: list[PhraseOffered]
    """The sentences that players can say, in the order of the title's list."""
    areas: dict[str, str]
    """The names of the areas that slots can hold, by id."""


class Muted(Struct, frozen=True):
    """An account that you muted."""

    account: Uuid
    """The id of the account."""


class MuteList(Struct, frozen=True):
    """The accounts that you muted."""

    mutes: list[Muted]
    """The accounts, the newest first."""


class Presence(Struct, frozen=True):
    """A message of a live stream: the people who have the game open now. It is in no log."""

    seats: Annotated[list[SeatNumber], Meta(description="The seats whose players have the game open.")]
    spectators: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description="The number of the others who watch.")]
