"""The answers about games and their seats."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from events.clocks.absence_policy import Absence
from events.clocks.clock import CorrespondenceClock, LiveClock
from events.proof.canonical import MAX_INTEGER
from events.rules.title import Outcome
from events.table.terms import Delay, Seating, Talk, Undo
from service.base.visibility import Visibility
from service.openapi.response_structs.accounts import Account
from service.openapi.response_structs.fields import (
    CURSOR,
    ForkOf,
    Hex32,
    Kind,
    Options,
    Salt,
    SeatNumber,
    Seq,
    Status,
    TableOf,
    Time,
    Uuid,
    View,
    Who,
)

_INVITED = (
    "Set for an open seat that is reserved: `me` if for your account, `somebody` if for others or by"
    " invitation."
)
_FREE = "True if a new player can take the seat over with `table_seat`."
_LEFT = "True if you have left the seat and can return with `table_return`."
_COLOUR = (
    "The colour of the seat's pieces in the box, such as `red`. It never changes in a game, even if the label"
    " does. Absent in titles without such colours, and before the lot that deals them."
)


class Seat(Struct, frozen=True, kw_only=True):
    """A seat: of an account (`account`, `name`, `handle`, `kind`), of a bot (`bot`), `open`, or `vacant`.

    A seat of a running game can be `vacant`. If the account was deleted, the seat has only a `name`.
    """

    seat: SeatNumber
    """The number of the seat: 0, 1, 2 and so on."""
    label: Annotated[str, Meta(description="The name of the seat in this title, such as its empire.")]
    colour: Annotated[str | UnsetType, Meta(description=_COLOUR)] = UNSET
    you: bool
    """True if you hold the seat."""
    account: Uuid | UnsetType = UNSET
    """The id of the account that holds the seat."""
    name: str | UnsetType = UNSET
    """The display name of the player."""
    handle: str | UnsetType = UNSET
    """The unique handle, or null without one."""
    kind: Kind | UnsetType = UNSET
    """The kind of the account that holds the seat."""
    bot: str | UnsetType = UNSET
    """The bot that holds the seat."""
    bot_version: int | UnsetType = UNSET
    """The version in which the bot plays: fixed when it took its seat, and only raised since."""
    open: bool | UnsetType = UNSET
    """True if the seat can still be taken."""
    invited: Annotated[Literal["me", "somebody"] | UnsetType, Meta(description=_INVITED)] = UNSET
    vacant: bool | UnsetType = UNSET
    """True if the game runs and nobody holds the seat."""
    tenure: Annotated[int | UnsetType, Meta(description="The number of holders that the seat has had.")] = (
        UNSET
    )
    free: Annotated[bool | UnsetType, Meta(description=_FREE)] = UNSET
    left: Annotated[bool | UnsetType, Meta(description=_LEFT)] = UNSET


_FROZEN = (
    "Set for a game that cannot continue, because the log of all games that held it was lost. It is the last "
    "event that a log still covers, or 0 for none."
)


class Summary(Struct, frozen=True, kw_only=True):
    """A game at a glance."""

    id: Uuid
    """The id of the game."""
    title: str
    """The id of the title."""
    version: int
    """The version of the title's rules."""
    status: Status
    """The status of the game."""
    seats: list[Seat]
    """The seats of the game, in order."""
    seq: Seq
    """The event number after which this holds."""
    analysis: bool
    """True for an analysis game, which does not count."""
    created_at: Time
    waiting_for: list[SeatNumber]
    """The seats that must decide now."""
    outcome: Outcome | None
    """The result, or null while there is none."""
    deadline: Annotated[
        Time | None, Meta(description="The time until which the first seat must answer, or null.")
    ]
    visibility: Visibility
    """The visibility of the game."""
    tournament: Annotated[
        TableOf | None, Meta(description="The table of a tournament that plays this game, or null.")
    ] = None
    origin: Annotated[
        ForkOf | None, Meta(description="The game and event that this game was forked from, or null.")
    ] = None
    undo: Annotated[Undo, Meta(description="The way to take commands back.")] = "none"
    frozen: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description=_FROZEN)] | UnsetType = UNSET


class BeaconTerms(Struct, frozen=True):
    """A public source of randomness that contributes."""

    chain: Hex32
    """The hash of the drand chain."""
    after: int
    """Seconds from the close of the reveals to the round that counts."""


class Opening(Struct, frozen=True, kw_only=True):
    """The terms and contributions of a game that has not begun."""

    key: Annotated[
        str | None,
        Meta(description="The 16 bytes that replace the id in commitments, if the game has a seed."),
    ]
    contributions: Literal["open", "required"]
    """`open`: a contribution that is not revealed counts as empty. `required`: the game needs all."""
    director_commitment: Annotated[
        Hex32 | None, Meta(description="The commitment that the creator of the game reveals, or null.")
    ]
    beacon: BeaconTerms | None
    """The public randomness that contributes, or null."""
    invited: Annotated[
        list[Who | None] | None, Meta(description="By seat, the `who` that it is reserved for, or null.")
    ]
    reveal_by_ms: Annotated[
        int | None, Meta(description="The time for reveals after the last seat is taken.")
    ]
    committed: Annotated[list[SeatNumber], Meta(description="The seats that committed to a contribution.")]
    revealed: Annotated[
        list[SeatNumber], Meta(description="The seats that have revealed their contribution.")
    ]
    closed: Annotated[
        bool,
        Meta(
            description="True if the seats can reveal no more. A director or a beacon may still contribute."
        ),
    ]
    due: Annotated[
        Time | None,
        Meta(description="The time when the server continues by itself, or null while seats are open."),
    ]


class Paused(Struct, frozen=True):
    """A pause: until when at the latest, by whose command (as in events), why."""

    until: Time
    by: str
    """The actor that caused the pause, as events name it."""
    cause: str
    """The cause of the pause."""


class OpenOffer(Struct, frozen=True):
    """An open proposal of a seat to the others. Answer it with `table_answer`."""

    offer: int
    """The number of the proposal."""
    what: str
    """The kind of proposal."""
    by: Annotated[str, Meta(description="The proposer, as events name it, such as `p0`.")]
    until: Time | None
    """The time until which a proposed pause lasts, else null."""
    yes: Annotated[list[SeatNumber], Meta(description="The seats that have agreed so far.")]
    to: Annotated[Seq | None, Meta(description="The last event that is to stay, of an `undo`; else null.")]


_REPEAT = (
    "Set only in the answer that created a seeded game. Send it as `repeat` to create the same game again."
)
_RECEIPT = (
    "rutter/receipt@v1\nrutter.example/log\n019a9f00-0000-7000-8000-000000000001\n1\n"
    "dCww0j7tJ73cIpCtlOzS+PLqzHKYLzGYycmynsgcj2M=\n0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90\n"
    "1795201200\n1795201260\n\n"
    "\u2014 rutter.example/log I2s5/Qqs6MKwEdFHa7399VJZjOXPE+If30q2tt7z546YwxGkrdxB0+85e0HMoLTRJwCgv9WejGCWY"
    "6gGP86fegLMVwE=\n"
)
_ACKNOWLEDGES = "A signed note with the hash of event n, which covers all events before it. Keep it."
Receipt = Annotated[str, Meta(description=_ACKNOWLEDGES, examples=[_RECEIPT])]


class SeatClock(Struct, frozen=True, kw_only=True):
    """The time of one seat that a person holds."""

    seat: SeatNumber
    """The number of the seat: 0, 1, 2 and so on."""
    on: Annotated[bool, Meta(description="True while the clock of the seat runs.")]
    left_ms: Annotated[
        int,
        Meta(
            ge=0,
            description="The time of the seat in live games, otherwise its bank. It is updated when the seat"
            " answers.",
        ),
    ]
    deadline: Annotated[
        Time | None,
        Meta(description="The time when the clock of the seat runs out, or null while it does not run."),
    ]


_NOW = "The time of the server, to compare with your own clock. Absent in a view of the past."


class Clock(Struct, frozen=True, kw_only=True):
    """The clocks of a game."""

    settings: LiveClock | CorrespondenceClock
    """The settings of the clock."""
    seats: list[SeatClock]
    """The clock of each seat that a person holds."""
    now: Annotated[Time | UnsetType, Meta(description=_NOW)] = UNSET


class Origin(Struct, frozen=True):
    """The game and event from which a fork begins."""

    game: Uuid
    """The id of the game."""
    seq: Seq
    """The event of the other game from which the fork begins."""


_DELAY = "The delay with which spectators see the game, or null."
_AFTER = "The event number of this state: the newest event that you may see, or that of `at`."


class GameFacts(Struct, frozen=True, kw_only=True):
    """The members that a game and its line in an export have in common."""

    id: Uuid
    """The id of the game."""
    title: str
    """The id of the title."""
    version: int
    """The version of the title's rules."""
    status: Status
    """The status of the game."""
    options: Options
    """The options of the title."""
    seats: list[Seat]
    """The seats of the game, in order."""
    seq: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description=_AFTER)]
    analysis: bool
    """True for an analysis game, which does not count."""
    origin: Annotated[
        ForkOf | None, Meta(description="The game and event that this game was forked from, or null.")
    ]
    created_at: Time
    outcome: Outcome | None
    """The result, or null while there is none."""
    ended_by: Annotated[
        Literal["rules", "abandoned"] | None,
        Meta(description="`rules` if the rules ended the game, `abandoned` if not, or null before the end."),
    ]
    rated: Annotated[bool, Meta(description="True if the result counts for ratings.")]
    visibility: Visibility = "public"
    """The visibility of the game."""
    tournament: Annotated[
        TableOf | None, Meta(description="The table of a tournament that plays this game, or null.")
    ] = None


class Game(GameFacts, frozen=True, kw_only=True):
    """A game after event `seq`, as one seat (or a spectator) sees it."""

    last: Annotated[
        int | UnsetType,
        Meta(description="The number of the newest event. Absent in a view of the past (`at`)."),
    ] = UNSET
    view: Annotated[View | None, Meta(description="The view of the title, or null while the game is open.")]
    clock: Annotated[Clock | None, Meta(description="The clock, or null without one.")]
    absence: Annotated[Absence | None, Meta(description="The consequences when a seat's time is up.")]
    seating: Annotated[
        Seating | None, Meta(description="The requirements for taking an open seat, or null without any.")
    ]
    opening: Annotated[
        Opening | None,
        Meta(description="The way to the beginning, or null once the game has begun or was abandoned."),
    ]
    expires_at: Annotated[Time | None, Meta(description="The time until which open seats must be taken.")]
    directors: Annotated[
        int | None, Meta(description="The number of directors, or null if the creator directs the game.")
    ]
    paused: Annotated[
        Paused | None,
        Meta(description="The pause, or null. While it lasts, only commands of the table are possible."),
    ]
    offers: Annotated[list[OpenOffer], Meta(description="The proposals that wait for answers.")]
    undo: Annotated[Undo, Meta(description="The way to take commands back: `own`, `ask` or `none`.")]
    talk: Annotated[
        Talk, Meta(description="The way to talk at the table: `all`, `public`, `phrases` or `none`.")
    ]
    delay: Annotated[Delay | None, Meta(description=_DELAY)]
    frozen: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description=_FROZEN)] | UnsetType = UNSET
    repeat: Annotated[str | None, Meta(description=_REPEAT)] = None
    who: Annotated[
        Who | None,
        Meta(
            description="The digest that names you in the log. Set only in the answer to joining; see"
            " `GET .../roster`."
        ),
    ] = None
    salt: Annotated[
        Salt | None, Meta(description="The salt that proves `who` (hex). Set only in the answer to joining.")
    ] = None
    receipt: Receipt | UnsetType = UNSET
    """The receipt for the last event of what was asked for, in answers to requests that changed the game."""


class ExportedGame(GameFacts, frozen=True, kw_only=True):
    """A game of an export: the same as at its own address, without the view."""

    game: Uuid
    """The id of the game."""
    cursor: Annotated[str, Meta(description=CURSOR)]


class Named(Struct, frozen=True):
    """The name that the log has for you at one of your seats, and the salt that proves it."""

    seat: SeatNumber
    """The number of the seat: 0, 1, 2 and so on."""
    who: Who
    """The name that the log has for you at this seat."""
    salt: Salt
    """The salt (hex) that proves `who`."""


class Roster(Struct, frozen=True):
    """The names that the log has for you at your seats."""

    seats: list[Named]
    """Your seats in this game."""


class GamesPage(Struct, frozen=True):
    """Games, newest first."""

    games: list[Summary]
    """The games of this page."""
    next: str | None
    """The address of the next page, or null on the last page."""


class Me(Struct, frozen=True):
    """Your account, and the games where you sit."""

    account: Account
    """The account that the token belongs to."""
    games: list[Summary]
    """The games in which you hold a seat."""
