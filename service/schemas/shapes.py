"""The answers that clients rely on: made of these Structs, from which the API description is generated."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from events.canonical import LARGEST
from events.title import Outcome

Seq = Annotated[int, Meta(ge=0, le=LARGEST)]
Uuid = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Time = Annotated[str, Meta(description="RFC 3339, UTC", extra_json_schema={"format": "date-time"})]
SeatNumber = Annotated[int, Meta(ge=0, le=99)]
Status = Literal["open", "running", "finished", "abandoned"]
HEX32 = "[0-9a-f]{64}"
Hex32 = Annotated[str, Meta(pattern=f"^{HEX32}$")]
WHO = "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$"
"""The base64 of 32 bytes."""
Who = Annotated[str, Meta(pattern=WHO)]
Salt = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Object = dict[str, Any]


class Account(Struct, frozen=True):
    """A person, or a program of somebody's."""

    id: Uuid
    name: str


class AccountMade(Struct, frozen=True):
    """A new account. The token is shown this once."""

    account: Account
    token: Annotated[str, Meta(description="Send it as `Authorization: Bearer <token>`.")]


class Seat(Struct, frozen=True, kw_only=True):
    """A seat: an account's (`account`, `name`), a bot's (`bot`) or open (`open`)."""

    seat: SeatNumber
    label: Annotated[str, Meta(description="What the seat is called in this title, such as its empire.")]
    you: bool
    account: Uuid | UnsetType = UNSET
    name: str | UnsetType = UNSET
    bot: str | UnsetType = UNSET
    open: bool | UnsetType = UNSET


class Summary(Struct, frozen=True, kw_only=True):
    """A game at a glance."""

    id: Uuid
    title: str
    version: int
    status: Status
    seats: list[Seat]
    seq: Seq
    analysis: bool
    created_at: Time
    waiting_for: list[SeatNumber]
    outcome: Outcome | None


class BeaconTerms(Struct, frozen=True):
    """A public source of randomness that contributes."""

    chain: Hex32
    after: int


class Opening(Struct, frozen=True, kw_only=True):
    """What leads to the beginning of a game that has not begun."""

    key: Annotated[
        str | None, Meta(description="What stands for the id in commitments, where a seed repeats it.")
    ]
    contributions: Literal["open", "required"]
    director: Annotated[Hex32 | None, Meta(description="The commitment of a director who contributes.")]
    beacon: BeaconTerms | None
    invited: Annotated[list[Who | None] | None, Meta(description="By seat for whom it is kept, or null.")]
    reveal_by_ms: Annotated[
        int | None, Meta(description="How long one may reveal after the last seat is taken.")
    ]
    committed: Annotated[list[SeatNumber], Meta(description="Seats that committed to a contribution.")]
    revealed: Annotated[list[SeatNumber], Meta(description="Those of them that revealed it.")]
    closed: Annotated[bool, Meta(description="Whether no seat can reveal any more: the director is awaited.")]
    due: Annotated[Time | None, Meta(description="When the house goes on by itself; null: seats are open.")]


_REPEAT = "Only in the answer that made a seeded game: what a request sends as `repeat` to make it again."


_RECEIPT = (
    "rutter/receipt@v1\nrutter.example/log\n019a9f00-0000-7000-8000-000000000001\n1\n"
    "dCww0j7tJ73cIpCtlOzS+PLqzHKYLzGYycmynsgcj2M=\n0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90\n"
    "1795201200\n1795201260\n\n"
    "\u2014 rutter.example/log I2s5/Qqs6MKwEdFHa7399VJZjOXPE+If30q2tt7z546YwxGkrdxB0+85e0HMoLTRJwCgv9WejGCWY"
    "6gGP86fegLMVwE=\n"
)
_ACKNOWLEDGES = "A signed note: event n of this game has this hash, as have all before it. Keep it."
Receipt = Annotated[str, Meta(description=_ACKNOWLEDGES, examples=[_RECEIPT])]


class Game(Struct, frozen=True, kw_only=True):
    """A game after event `seq`, as one seat (or a spectator) sees it."""

    id: Uuid
    title: str
    version: int
    status: Status
    options: Object
    seats: list[Seat]
    seq: Annotated[int, Meta(ge=0, le=LARGEST, description="The event after which this is the view.")]
    last: Annotated[int, Meta(ge=0, le=LARGEST, description="The newest event.")]
    analysis: bool
    origin: Annotated[Object | None, Meta(description='`{"game", "seq"}` of a fork, else null.')]
    created_at: Time
    view: Annotated[Object | None, Meta(description="The title's view; null while the game is open.")]
    outcome: Outcome | None
    opening: Annotated[Opening | None, Meta(description="Null once the game has begun, or was abandoned.")]
    repeat: Annotated[str | None, Meta(description=_REPEAT)] = None
    who: Annotated[Who | None, Meta(description="In the answer to joining, see `GET .../roster`.")] = None
    salt: Annotated[Salt | None, Meta(description="In the answer to joining: proves `who` (hex).")] = None
    receipt: Receipt | UnsetType = UNSET
    """In answers to requests that changed the game: for the last event of what was asked for."""


class Named(Struct, frozen=True):
    """How the log names me at one of my seats, and the salt that proves it."""

    seat: SeatNumber
    who: Who
    salt: Salt


class Roster(Struct, frozen=True):
    """How the log names me at my seats."""

    seats: list[Named]


class Games(Struct, frozen=True):
    """Games, newest first."""

    games: list[Summary]
    next: str | None


class Me(Struct, frozen=True):
    """My account, and the games where I sit."""

    account: Account
    games: list[Summary]


class Decision(Struct, frozen=True):
    """Something that the game waits for; with `free`, something that a seat may do although it does not."""

    seat: Annotated[SeatNumber | None, Meta(description="Who decides; null for the house.")]
    kind: str
    commands: Annotated[list[str], Meta(description="The types of command that answer it.")]
    deadline: None
    free: bool


class Legal(Struct, frozen=True):
    """A legal command of one of my seats: `command` can be posted as it stands."""

    seat: SeatNumber
    label: str
    command: Object


class Decisions(Struct, frozen=True):
    """What a game waits for, and what I may do."""

    seq: Seq
    decisions: list[Decision]
    legal: list[Legal]
    complete: Annotated[bool, Meta(description="Whether `legal` is exhaustive; otherwise it is a selection.")]


class Hidden(Struct, frozen=True):
    """A hidden part of an event: its digest, and what opens it where I may know it."""

    digest: str
    salt: str | UnsetType = UNSET
    fields: list[str] | UnsetType = UNSET


class Event(Struct, frozen=True, kw_only=True):
    """One event as I may see it: secret fields that I may know are in `data`, others are absent."""

    seq: Seq
    type: str
    data: Object
    by: Annotated[SeatNumber | None, Meta(description="The seat that caused it; null for the house.")]
    at: Time
    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    hidden: dict[str, Hidden]
    command: Object | UnsetType = UNSET
    bot: Object | UnsetType = UNSET
    draws: Object | UnsetType = UNSET
    sig: Annotated[Object | UnsetType, Meta(description="`{n, s}`: what its seat signed with.")] = UNSET


class Happened(Struct, frozen=True):
    """What a command led to, acknowledged: the receipt is for its last event."""

    seq: Seq
    events: list[Event]
    receipt: Receipt


class ReceiptGiven(Struct, frozen=True):
    """A receipt for the newest event of a game."""

    receipt: Receipt


class Events(Struct, frozen=True):
    """A page of the log; `seq` is the newest event of the game."""

    events: list[Event]
    seq: Seq
    next: str | None


class Line(Struct, frozen=True):
    """One sentence of the history."""

    seq: Seq
    text: str


class History(Struct, frozen=True):
    """A page of the history; `seq` is the newest event of the game."""

    history: list[Line]
    seq: Seq
    next: str | None


class Table(Struct, frozen=True):
    """The view, laid out for a page."""

    seq: Seq
    panels: list[Object]


class SeatRange(Struct, frozen=True):
    """Least and most seats."""

    min: int
    max: int


class TitleSummary(Struct, frozen=True):
    """A title at a glance."""

    id: str
    name: str
    version: int
    seats: SeatRange
    bots: list[str]


class Titles(Struct, frozen=True):
    """The titles that are served."""

    titles: list[TitleSummary]
    next: None


class Title(TitleSummary, frozen=True):
    """All that a client may need to know of a title."""

    data_hash: str
    options: Annotated[
        Object,
        Meta(
            description="JSON Schema of the options; `description` says what each one does, "
            "`clause` where the rules speak of it."
        ),
    ]
    view: Annotated[Object, Meta(description="JSON Schema of what a seat, or a spectator, sees.")]
    commands: Annotated[Object, Meta(description="JSON Schema of each command, by type.")]
    events: Annotated[Object, Meta(description="JSON Schema of each event's data, by type.")]
    position: Annotated[Object, Meta(description="JSON Schema of a position.")]
    codes: Annotated[Object, Meta(description="The rulebook's words for cases that have a common code.")]
    board: Annotated[Object, Meta(description="Static public data: names, texts, cards, maps.")]


class Key(Struct, frozen=True):
    """A public key that signs receipts and checkpoints."""

    vkey: str
    """`name+key id+base64`, as verifiers write it into their configuration."""
    since: int
    """The size of the log of all games from which on it signs."""
    until: int | None
    """The size at which it ended; null for the newest."""


class Keys(Struct, frozen=True):
    """The public keys of this installation."""

    origin: str
    """The name under which the service signs, for ever."""
    keys: list[Key]


class OddsPending(Struct, frozen=True):
    """The simulation is under way: ask again after `Retry-After` seconds."""

    status: Literal["pending"]


class Odds(Struct, frozen=True):
    """How a war might end, from what the asking seat may know."""

    status: Literal["ready"]
    seq: Seq
    seat: SeatNumber
    target: SeatNumber
    odds: Object


class StreamMessage(Struct, frozen=True, kw_only=True):
    """A message of a live stream. Only events carry an `id`, which is their seq."""

    event: Literal["game", "event", "closing"]
    data: Annotated[str, Meta(description="JSON: the game, or the event.")]
    id: str | UnsetType = UNSET


class Health(Struct, frozen=True):
    """A sign of life."""

    status: Literal["ok"]


class Lack(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is lacking; `code` is stable, `detail` a sentence for the operator."""

    code: Literal[
        "database_away",
        "not_migrated",
        "read_only",
        "disk_full",
        "cannot_sign",
        "another_key",
        "another_origin",
        "database_set_back",
        "redis_away",
        "dispatcher_missing",
        "sequencer_stuck",
        "worker_missing",
        "projection_lag",
        "projection_parked",
        "tasks_failed",
    ]
    detail: str
    seconds: Annotated[float | UnsetType, Meta(description="For how long.")] = UNSET
    count: Annotated[int | UnsetType, Meta(description="How many.")] = UNSET


class Readiness(Struct, frozen=True, kw_only=True):
    """Whether a command sent to this host would be carried out, and what else is lacking.

    `degraded`: people play, but not everything beside them works.
    """

    status: Literal["ready", "degraded", "not_ready"]
    database: Literal["ok", "away", "not_migrated", "read_only"]
    redis: Annotated[Literal["ok", "away"], Meta(description="Without it bots and live hints wait.")]
    lacking: Annotated[list[Lack], Meta(description="What is lacking, the gravest first.")]


class Problem(Struct, frozen=True, kw_only=True):
    """An error (RFC 9457). `code` is stable, `detail` says what to do, `errors` is by field."""

    type: str
    title: str
    status: int
    detail: str
    code: Annotated[str, Meta(pattern="^[a-z0-9_]+$")]
    errors: Any = UNSET
    seq: Seq | UnsetType = UNSET


ANSWERS = (
    AccountMade, Me, Games, Summary, Game, Decisions, Happened, Events, Event, History, Table,
    Titles, Title, Roster, ReceiptGiven, Keys, Odds, OddsPending, StreamMessage, Health, Readiness, Problem,
)  # fmt: skip
