"""The answers about events, decisions and history of a game."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from events.table.record import Draws, Signature
from service.openapi.response_structs.fields import (
    CURSOR,
    Data,
    Given,
    Members,
    Object,
    Recorded,
    SeatNumber,
    Seq,
    Time,
    Uuid,
    component_meta,
)
from service.openapi.response_structs.games import Game, Receipt


class Decision(Struct, frozen=True):
    """A decision that the game waits for; with `free`, one that a seat can make at any time."""

    seat: Annotated[SeatNumber | None, Meta(description="The seat that decides, or null for the server.")]
    kind: str
    """A stable word for the kind of decision."""
    commands: Annotated[list[str], Meta(description="The types of the commands that answer it.")]
    deadline: Annotated[
        Time | None, Meta(description="The time when the clock of the seat runs out, or null if none runs.")
    ]
    free: bool
    """True if the game does not wait for it."""
    ask: Annotated[str, Meta(description="The task of the player, as a sentence.")] = ""


_REFS = (
    "The drawn things of `/table` that the command names, by `ref`: a list for each thing. Any `ref` of a "
    "list points at that thing. Set only if you ask for it."
)


class Legal(Struct, frozen=True, gc=False):
    """A legal command of one of your seats. Post its `command` unchanged."""

    seat: SeatNumber
    """The seat that can give the command."""
    label: str
    """The command as a button shows it."""
    command: Given
    """The command; you can send it unchanged."""
    refs: Annotated[list[list[str]] | UnsetType, Meta(description=_REFS)] = UNSET
    ordered: Annotated[bool | UnsetType, Meta(description="True if the order of `refs` matters.")] = UNSET
    cost: Annotated[str | UnsetType, Meta(description="The certain cost of the command.")] = UNSET
    chance: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | UnsetType,
        Meta(description="The probability that the command succeeds."),
    ] = UNSET
    grave: Annotated[
        bool | UnsetType, Meta(description="True if a page should ask the player for confirmation.")
    ] = UNSET
    war: Annotated[
        SeatNumber | UnsetType,
        Meta(
            description="The seat against which the command begins a war. You can ask for the odds of that"
            " war."
        ),
    ] = UNSET
    bot_next: Annotated[
        bool | UnsetType,
        Meta(
            description="True if a bot may act right after the command, so that you cannot take it back then."
            " Told only with `refs`."
        ),
    ] = UNSET
    given: Annotated[
        bool | UnsetType,
        Meta(description="True for the one of `replacements` that is your answer now."),
    ] = UNSET


class Undoable(Struct, frozen=True):
    """Commands that you can take back, or propose to, with `table_undo`."""

    to: Seq
    """The last event that stays. Send it in the command."""
    seat: SeatNumber
    """The seat of yours that can take them back."""
    by: SeatNumber
    """The seat that gave the first of them."""


_REPLACEABLE = (
    "The decisions that seats have answered covered. Nobody waits for these seats. They may replace their"
    " answers until the last seat has answered."
)


class DecisionsPage(Struct, frozen=True):
    """The decisions that a game waits for, and the commands that you may give."""

    title: str
    """The id of the title."""
    seq: Seq
    """The event number after which this holds."""
    decisions: list[Decision]
    """The decisions that the game waits for."""
    legal: list[Legal]
    """The commands that you can give."""
    replaceable: Annotated[list[Decision], Meta(description=_REPLACEABLE)]
    complete: Annotated[
        bool,
        Meta(description="True if `legal` and `replacements` list all commands, false for a selection."),
    ]
    undo: Annotated[list[Undoable], Meta(description="The commands that you can take back, newest first.")]
    replacements: Annotated[
        list[Legal] | UnsetType,
        Meta(description="The commands that can replace your covered answers. Set only if you ask for them."),
    ] = UNSET


class Turn(Struct, frozen=True):
    """A message of a live stream: the decisions a game now waits for, and what one of your seats may do."""

    game: Uuid
    """The id of the game."""
    title: str
    """The id of the title."""
    seat: SeatNumber
    """Your seat that must decide, or could."""
    seq: Seq
    """The event number after which this holds."""
    decisions: list[Decision]
    """The decisions that the game waits for."""
    legal: list[Legal]
    """The commands that you can give."""
    replaceable: Annotated[list[Decision], Meta(description=_REPLACEABLE)]
    complete: Annotated[
        bool, Meta(description="True if `legal` lists all legal commands, false if it is a selection.")
    ]
    undo: Annotated[list[Undoable], Meta(description="The commands that you can take back, newest first.")]


class Hidden(Struct, frozen=True):
    """A hidden part of an event: its digest, and the salt that opens it if you may know it."""

    digest: str
    """The digest of the hidden part."""
    salt: str | UnsetType = UNSET
    """The salt (hex) with which you can check the digest. Set if you may know the part."""
    fields: list[str] | UnsetType = UNSET
    """The members of `data` that the part holds. Set if you may know the part."""


_TURN = (
    "The event after which `decisions` and `legal` apply: `seq`, or later if the server or others have"
    " continued."
)


class OnClocks(Struct, frozen=True, kw_only=True):
    """The changes of a command to the clocks of seats, by `p0` ...; times in milliseconds."""

    spent: Annotated[dict[str, int] | UnsetType, Meta(description="The time that each seat spent.")] = UNSET
    left: Annotated[dict[str, int] | UnsetType, Meta(description="The time that each seat has left.")] = UNSET
    on: Annotated[
        dict[str, Time | None] | UnsetType,
        Meta(description="The time until which the seat must answer, or null if it need not answer."),
    ] = UNSET
    still: Annotated[
        dict[str, int] | UnsetType,
        Meta(description="The time that a seat has left while its clock is stopped."),
    ] = UNSET


class BotRun(Struct, frozen=True, kw_only=True):
    """The bot that made the move, with its budget and simulations."""

    name: str
    """The name of the bot."""
    version: int
    """The version of the bot."""
    budget: Annotated[int, Meta(description="The thinking budget of the bot, in its own unit.")]
    simulations: Annotated[int, Meta(description="The number of games that the bot simulated.")]
    thought_at: Annotated[Seq, Meta(description="The event after which the bot decided.")]
    weights: Annotated[
        str | None,
        Meta(description="SHA-256 of the weights of the bot, or of the files of an engine."),
    ]
    fallback: Annotated[bool | UnsetType, Meta(description="True if the move is the title's default.")] = (
        UNSET
    )
    seed: Annotated[
        str | UnsetType, Meta(description="The seed of the simulation. Set once the game has ended.")
    ] = UNSET


_BY = "The actor that caused it: `p0`, `p1` ... a seat, `d0`, `d1` ... a director, `sys` the server."


class Event(Struct, frozen=True, kw_only=True):
    """One event as you may see it. `data` has the secret fields that you may know; others are absent."""

    seq: Seq
    """The event number: 1, 2, 3 and so on."""
    type: str
    """The type of the event."""
    data: Data
    """The members of the event."""
    by: Annotated[str, Meta(pattern="^(sys|[pd][0-9]+)$", description=_BY)]
    seat: Annotated[SeatNumber | None, Meta(description="The seat that caused it, or null if no seat did.")]
    at: Time
    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """The hash of the event (hex)."""
    hidden: dict[str, Hidden]
    """The hidden parts, by audience."""
    command: Annotated[
        Recorded | UnsetType,
        Meta(description="The command that led to the event. Only on the first event of a command."),
    ] = UNSET
    bot: BotRun | UnsetType = UNSET
    """The run of the bot that made the move."""
    draws: Draws | UnsetType = UNSET
    """The random draws of the command, on its first event."""
    text: Annotated[str | UnsetType, Meta(description="The text that a director wrote with the command.")] = (
        UNSET
    )
    clock: OnClocks | UnsetType = UNSET
    """The changes that the command made to the clocks, on its first event."""
    sig: Annotated[Signature | UnsetType, Meta(description="The signature of the seat.")] = UNSET


class ExportedEvent(Event, frozen=True, kw_only=True):
    """A line of an export of events. Without `game` and `cursor` it is an `Event` of its title."""

    game: Uuid
    """The id of the game."""
    data: Members
    """The members of the event."""
    cursor: Annotated[str, Meta(description=CURSOR)]


class Happened(Struct, frozen=True, kw_only=True):
    """The acknowledged result of a command. The receipt is for its last event.

    With `decisions=true` it also has the new decisions, and the legal commands of your seat.
    """

    title: str
    """The id of the title."""
    seq: Seq
    """The number of the last event of the command."""
    events: list[Event]
    """The events that the command led to."""
    receipt: Receipt
    decisions: list[Decision] | UnsetType = UNSET
    """The decisions that the game waits for."""
    legal: list[Legal] | UnsetType = UNSET
    """The commands that you can give."""
    replaceable: Annotated[list[Decision] | UnsetType, Meta(description=_REPLACEABLE)] = UNSET
    complete: bool | UnsetType = UNSET
    """True if `legal` is exhaustive."""
    undo: list[Undoable] | UnsetType = UNSET
    """The commands that you can take back, newest first."""
    decisions_seq: Annotated[Seq | UnsetType, Meta(description=_TURN)] = UNSET


class ReceiptGiven(Struct, frozen=True):
    """A receipt for the newest event of a game."""

    receipt: Receipt


class EventsPage(Struct, frozen=True):
    """A page of the log; `seq` is the newest event of the game."""

    title: str
    """The id of the title."""
    events: list[Event]
    """The events, in order."""
    seq: Seq
    """The number of the newest event."""
    next: str | None
    """The address of the next page, or null on the last page."""


class Line(Struct, frozen=True):
    """One sentence of the history."""

    seq: Seq
    """The number of the event that the sentence describes."""
    text: str
    """The sentence that tells the event to players."""
    by: Annotated[str | UnsetType, Meta(description=_BY)] = UNSET
    command: Annotated[
        str | UnsetType, Meta(description="The id of the command, equal for all its events.")
    ] = UNSET
    begins: Annotated[str | UnsetType, Meta(description="`turn` if a turn of the game begins here.")] = UNSET
    at: Time | UnsetType = UNSET
    taken_back: Annotated[
        bool | UnsetType, Meta(description="True if the event was taken back by a later one.")
    ] = UNSET
    undoes: Annotated[
        Seq | UnsetType,
        Meta(description="The last event that stays, where this one takes back all that came after it."),
    ] = UNSET


class HistoryPage(Struct, frozen=True):
    """A page of the history; `seq` is the newest event of the game."""

    history: list[Line]
    """The sentences of this page."""
    seq: Seq
    """The number of the newest event of the game."""
    next: str | None
    """The address of the next page, or null on the last page."""


class Table(Struct, frozen=True):
    """The view, arranged for a page."""

    seq: Seq
    """The event number after which this holds."""
    panels: list[Annotated[Object, component_meta("Panel")]]
    """The panels of the page, in order."""
    game: Annotated[
        Game | UnsetType, Meta(description="The game without its view. Only if you sent `after`.")
    ] = UNSET
    decisions: Annotated[DecisionsPage | UnsetType, Meta(description="Set only if you sent `after`.")] = UNSET
    history: Annotated[HistoryPage | UnsetType, Meta(description="Set only if you sent `after`.")] = UNSET
