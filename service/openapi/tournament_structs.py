"""The answers about tournaments, as :mod:`service.openapi.response_structs` has those about games."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from events.proof.canonical import MAX_INTEGER
from events.tournament.settings import TieBreak
from events.tournament.state import Draw, Role
from events.tournament.waiting import AwaitedKind
from service.base.visibility import Visibility
from service.openapi.response_structs import (
    Data,
    Hex32,
    Hidden,
    Object,
    Receipt,
    Recorded,
    Seq,
    Time,
    Uuid,
    component_meta,
    json_text_schema,
)

Status = Literal["draft", "open", "running", "finished", "cancelled"]
EntrantName = Annotated[
    str, Meta(pattern="^e[1-9][0-9]{0,3}$", description="The name of the entrant in the log.")
]
_AWAITED = (
    "`open_entry`, `close_entry`, `pair_round`, `start_round`: that command; `admission`: an entrant waits;"
    " `entrants`: too few of them; `result`: a table ended without one; `dispute`, `appeal`: a ruling;"
    " `server`: the rules refuse the server's next step."
)
_AWAITED_COMMAND = "The command of a director with which it goes on; for `server` the step that is refused."
_UNITS = "Points are in units of 1/2520, so that shared places are exact."
_DECIMAL = "The points as a decimal of three places at most."
_DECIMALS = "By seat, the points as decimals of three places at most"


Settings = Annotated[Object, component_meta("tournament.Settings")]
Effect = Annotated[Object, component_meta("tournament.Effect")]
Standing = Annotated[Object, component_meta("StandingsLine")]


class RunBy(Struct, frozen=True):
    """A director or an owner of a tournament."""

    director: Annotated[str, Meta(description="The name of the director in the log.", examples=["d1"])]
    role: Role
    """The role in the tournament."""
    name: str
    """The display name."""
    account: Uuid | None
    """The id of the account, or null if you may not know it."""


class MyPart(Struct, frozen=True):
    """Your part in a tournament, as entrant or director."""

    entrant: EntrantName | None
    """Your name as entrant, such as `e7`, or null."""
    director: str | None
    """Your name as director, such as `d1`, or null."""
    role: Role | None
    """Your role as director, or null."""


class Window(Struct, frozen=True):
    """The time for checking in for a round."""

    round: int
    """The number of the round, from 1."""
    opens_at: Time
    closes_at: Time


class TournamentSummary(Struct, frozen=True, kw_only=True):
    """A tournament at a glance."""

    id: Uuid
    """The id of the tournament."""
    name: str | None
    """The name of the tournament, or null without one."""
    title: str
    """The id of the title."""
    status: Status
    """The status of the tournament."""
    formats: list[str]
    """The format of each stage."""
    entrants: Annotated[int, Meta(description="The number of entrants who play.")]
    most: Annotated[int, Meta(description="The greatest number of entrants who can play.")]
    stage: int
    """The number of the stage, from 1."""
    round: Annotated[
        int, Meta(description="The number of the newest round that has started, or 0 before the first.")
    ]
    seq: Seq
    """The event number after which this holds."""
    created_at: Time
    starts_at: Time | None
    """The time when the first round starts, or null if a director starts it."""
    visibility: Visibility
    """The visibility of the game."""
    club: Uuid | None
    """The id of the club that runs it, or null."""


class TournamentsPage(Struct, frozen=True):
    """Tournaments, newest first."""

    tournaments: list[TournamentSummary]
    """The tournaments of this page."""
    next: str | None
    """The address of the next page, or null on the last page."""


class AwaitedStep(Struct, frozen=True, kw_only=True):
    """A decision of a director that the tournament waits for."""

    kind: Annotated[AwaitedKind, Meta(description=_AWAITED)]
    round: int | None
    """The round that it is about, or null."""
    table: int | None
    """The table that it is about, or null."""
    entrant: EntrantName | None
    """The entrant who waits for admission, or null."""
    dispute: int | None
    """The number of the dispute, or null."""
    ruling: int | None
    """The number of the ruling that is appealed, or null."""
    command: Annotated[str | None, Meta(description=_AWAITED_COMMAND)]


class FirstRound(Struct, frozen=True, kw_only=True):
    """The start of the first round, as the settings have it."""

    started_by: Literal["director", "server"]
    """`director`: by the command that `command` names. `server`: by itself, once the round is paired."""
    at: Annotated[Time | None, Meta(description="The earliest time at which the server starts it, or null.")]
    command: Annotated[
        Literal["start_round"] | None,
        Meta(description="The command of a director that starts it, or null."),
    ]


class Tournament(TournamentSummary, frozen=True, kw_only=True):
    """A tournament after event `seq`."""

    last: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description="The newest event that you may know of.")]
    description: str | None
    """The description, or null without one."""
    settings: Annotated[Settings, Meta(description="All settings, as the log has them: texts are digests.")]
    version: Annotated[int, Meta(description="The version of the title's rules.")]
    data_hash: str
    """The hash of the title's static data (hex)."""
    key: Annotated[
        str, Meta(description="The 16 bytes (hex) that identify the tournament in commitments and draws.")
    ]
    chance: Annotated[
        dict[str, str], Meta(description="The commitments to its randomness, made before anybody entered.")
    ]
    directors: list[RunBy]
    """The accounts that run the tournament."""
    paused: Annotated[Time | None, Meta(description="The time until which it is paused, or null.")]
    first_round: FirstRound
    """The start of the first round. Without `schedule.starts_at`, a director starts it."""
    over: Annotated[bool, Meta(description="True if the tournament is over and its secrets are disclosed.")]
    check_in: Annotated[
        Window | None,
        Meta(description="The time for checking in for the next round, or null without check-in."),
    ]
    reveal_until: Annotated[
        Time | None,
        Meta(description="The time until which contributions to the randomness are accepted, or null."),
    ]
    waits_for: list[AwaitedStep]
    """The decisions of directors that the tournament waits for; empty while it goes on by itself."""
    you: MyPart
    """Your part in the tournament."""
    receipt: Receipt | UnsetType = UNSET


class EntrantTold(Struct, frozen=True, kw_only=True):
    """An account that entered the tournament."""

    entrant: EntrantName
    name: str
    """The display name."""
    account: Uuid | None
    """The id of the account, or null if you may not know it."""
    handle: str | None
    """The unique handle, or null without one."""
    kind: Literal["personal", "service"] | None
    """The kind of the account, or null if you may not know it."""
    status: Annotated[
        Literal["awaits_admission", "playing", "reserve", "refused", "withdrawn", "disqualified"],
        Meta(description="The state of the entrant."),
    ]
    late: Annotated[int, Meta(description="The first round of a late entrant, otherwise 0.")]
    checked_in: Annotated[int, Meta(description="The newest round for which the entrant has checked in.")]
    warnings: int
    """The number of warnings."""
    ready: Annotated[bool, Meta(description="In a ladder: true if the entrant waits for a game.")]
    asked_byes: Annotated[
        list[int], Meta(description="The rounds for which the entrant asked for a bye, with half its points.")
    ]
    committed: Annotated[
        bool, Meta(description="True if the entrant committed to a contribution to the randomness.")
    ]
    revealed: Annotated[bool, Meta(description="True if the entrant has revealed the contribution.")]


class EntrantList(Struct, frozen=True):
    """The entrants, in the order of their numbers."""

    entrants: list[EntrantTold]
    """The entrants, also those who withdrew."""
    seq: Seq
    """The event number after which this holds."""


class TournamentTable(Struct, frozen=True, kw_only=True):
    """One table of a round."""

    table: int
    """The number of the table, from 1."""
    game: Annotated[Uuid | None, Meta(description="The id of the game, or null before the round starts.")]
    entrants: Annotated[
        list[EntrantName], Meta(description="The entrants as the round started, in seat order.")
    ]
    holders: Annotated[
        list[EntrantName], Meta(description="The entrants who hold the seats now, in seat order.")
    ]
    status: Annotated[
        Literal["paired", "starting", "playing", "ended", "confirmed", "disputed"],
        Meta(
            description="The status of the table. `ended` means that it waits for confirmations or, without"
            " a result, for a ruling."
        ),
    ]
    attempt: int
    """0 for the first game of the table, more for each replay."""
    colours: Annotated[
        list[str],
        Meta(
            description="By seat, the colour of the pieces in the box, such as `red`. Empty in titles without"
            " such colours."
        ),
    ]
    places: Annotated[list[int], Meta(description="By seat, the places as they count.")] | UnsetType = UNSET
    points: Annotated[list[int], Meta(description=f"By seat, the points. {_UNITS}")] | UnsetType = UNSET
    points_decimal: Annotated[list[str], Meta(description=f"{_DECIMALS}.")] | UnsetType = UNSET
    scores: list[int] | UnsetType = UNSET
    """By seat, the scores of the game."""
    confirmed_by: list[EntrantName] | UnsetType = UNSET
    """The entrants who confirmed the result."""


class RoundTold(Struct, frozen=True, kw_only=True):
    """One round."""

    stage: int
    """The number of the stage, from 1."""
    round: int
    """The number of the round, from 1."""
    status: Literal["paired", "running", "closed"]
    """The status of the round."""
    tables: list[TournamentTable]
    """The tables; before the start as they would start now, without entrants who have left."""
    byes: list[EntrantName]
    """The entrants who have a bye. Before the start: those who would have one now."""
    repeats: Annotated[int, Meta(description="The number of pairs at one table that have met before.")]
    gap: Annotated[int, Meta(description="The largest difference at one table, in whole points.")]
    draw: Draw | None
    """The random draw behind the pairing, or null where nothing was drawn. A round is drawn once."""
    paired_at: Time
    started_at: Time | None
    """The time when the round started, or null before."""
    closed_at: Time | None
    """The time when the round was closed, or null before."""
    standings: Annotated[
        Hex32 | None, Meta(description="The newest digest of the standings after this round.")
    ]


class RoundList(Struct, frozen=True):
    """All rounds that have been paired."""

    rounds: list[RoundTold]
    """The rounds that are paired, oldest first."""
    seq: Seq
    """The event number after which this holds."""


class RoundPlayed(Struct, frozen=True):
    """The result of an entrant in a round."""

    round: int
    """The number of the round, from 1."""
    table: int
    """The number of the table, from 1."""
    place: int
    """The place at the table."""
    points: int
    """The points, in units of 1/2520."""
    points_decimal: Annotated[str, Meta(description=_DECIMAL, examples=["3.333"])]


class StandingsLine(Struct, frozen=True, kw_only=True):
    """A place of the standings. It also has each tie-break of the tournament, by its name."""

    rank: int
    """The rank, from 1."""
    entrant: EntrantName
    points: int
    """The points, in units of 1/2520."""
    points_decimal: Annotated[str, Meta(description=_DECIMAL, examples=["3.333"])]
    tie_breaks_decimal: Annotated[
        dict[str, str],
        Meta(description="By tie-break, its value as people read it.", examples=[{"share": "1.25"}]),
    ]
    played: int
    """The number of games played."""
    byes: int
    """The number of byes."""
    forfeits: int
    """The number of forfeits."""
    rounds: list[RoundPlayed]
    """The result of each round."""
    name: str | UnsetType | None = UNSET
    """The display name."""
    account: Uuid | UnsetType | None = UNSET
    """The id of the account, or null if you may not know it."""


class TieBreakTold(Struct, frozen=True):
    """A tie-break of the tournament, and the way to read it."""

    name: TieBreak
    """The name in the log and in each line."""
    meaning: str
    """A sentence for people."""
    unit: Annotated[
        int, Meta(description="The number in a line counts in parts of this size.", examples=[2520])
    ]
    better: Literal["higher", "lower"]
    """The end of the scale that stands better."""


class StandingsPage(Struct, frozen=True):
    """The standings after a round. `RoundTold.standings` is their digest."""

    seq: Seq
    """The event number after which this holds."""
    stage: int
    """The number of the stage, from 1."""
    round: int
    """The number of the round, from 1."""
    provisional: Annotated[bool, Meta(description="True if results of this round are still missing.")]
    unit: Annotated[int, Meta(description=_UNITS, examples=[2520])]
    tie_breaks: list[TieBreakTold]
    """The tie-breaks in the order in which they rank."""
    standings: list[Standing]
    """The lines, best first."""


class DisputeTold(Struct, frozen=True, kw_only=True):
    """A dispute that an entrant raised."""

    dispute: int
    """The number of the dispute."""
    by: EntrantName
    against: EntrantName | None
    """The entrant it is about, or null."""
    round: int | None
    """The number of the round, from 1."""
    table: int | None
    """The number of the table, from 1."""
    open: bool
    """True until a director rules on it."""
    at: Time
    text: str | None
    """The text of the entrant, or null."""


class RulingTold(Struct, frozen=True, kw_only=True):
    """A ruling of a director."""

    ruling: int
    """The number of the ruling."""
    by: str
    """The director who ruled, such as `d1`."""
    kind: str
    """The kind of ruling, a word that the director chose."""
    effects: list[Effect]
    """The changes that the ruling makes."""
    dispute: int | None
    """The number of the dispute that it decides, or null."""
    appeal: Annotated[int | None, Meta(description="The ruling whose appeal it decides, or null.")]
    appealed: bool
    """True if an entrant has appealed."""
    at: Time
    text: str | None
    """The text of the director, or null."""


class DisputesPage(Struct, frozen=True):
    """Disputes and rulings, oldest first."""

    disputes: list[DisputeTold]
    """The disputes that entrants raised."""
    rulings: list[RulingTold]
    """The rulings that directors gave."""
    seq: Seq
    """The event number after which this holds."""


class TableExport(Struct, frozen=True, kw_only=True):
    """A finished table, for statistics."""

    stage: int
    """The number of the stage, from 1."""
    round: int
    """The number of the round, from 1."""
    table: int
    """The number of the table, from 1."""
    game: Uuid
    """The id of the game."""
    entrants: list[EntrantName]
    """The entrants, by seat."""
    places: list[int] | None
    """By seat, the places, or null without a result."""
    scores: list[int] | None
    """By seat, the scores of the game, or null without a result."""
    points: list[int] | None
    """By seat, the points in units of 1/2520, or null without a result."""
    points_decimal: Annotated[
        list[str] | None,
        Meta(description=f"{_DECIMALS}, or null without a result.", examples=[["3.333", "0"]]),
    ]
    left: list[int | None]
    """By seat, the event with which its entrant left before the end, or null."""
    spent_ms: Annotated[
        list[int], Meta(description="By seat, the thinking time in milliseconds, if the game has a clock.")
    ]
    started_at: Time
    ended_at: Time
    events: int
    """The number of events of the game."""


class TournamentEvent(Struct, frozen=True, kw_only=True):
    """One event of a tournament; all of it is public."""

    seq: Seq
    """The event number: 1, 2, 3 and so on."""
    type: str
    """The type of the event."""
    data: Data
    """The members of the event."""
    by: Annotated[
        str,
        Meta(
            pattern="^(sys|[ed][0-9]+)$",
            description="The actor that caused it: `e7` an entrant, `d1` a director, `sys` the server.",
        ),
    ]
    seat: Annotated[int | None, Meta(description="Always null, because tournaments have no seats.")]
    at: Time
    hash: Hex32
    """The hash of the event (hex)."""
    hidden: Annotated[
        dict[str, Hidden], Meta(description="Always empty, because nothing in a tournament is hidden.")
    ]
    command: Recorded | UnsetType = UNSET
    """The command that led to it, on its first event."""
    text: Annotated[str | UnsetType, Meta(description="The text that was sent with the command.")] = UNSET


class TournamentEvents(Struct, frozen=True):
    """A page of the log; `seq` is the newest event that you may know of."""

    events: list[TournamentEvent]
    """The events, in order."""
    seq: Seq
    """The number of the newest event that you may know of."""
    next: str | None
    """The address of the next page, or null on the last page."""


class TournamentHappened(Struct, frozen=True):
    """The acknowledged result of a command. The receipt is for its last event."""

    seq: Seq
    """The number of the last event of the command."""
    events: list[TournamentEvent]
    """The events, in order."""
    receipt: Receipt


class TournamentMessage(Struct, frozen=True, kw_only=True):
    """A message of the live stream of a tournament. Only events carry an `id`, which is their seq."""

    event: Literal["tournament", "event", "standings", "closing"]
    """The type of the message."""
    data: Annotated[
        str,
        Meta(
            description="JSON: the tournament, the event, or the standings.",
            extra_json_schema=json_text_schema("Tournament", "TournamentEvent", "StandingsPage", "Nothing"),
        ),
    ]
    id: str | UnsetType = UNSET
    """The number to send as `Last-Event-ID` when you resume."""


ANSWERS = (
    Tournament, TournamentsPage, EntrantList, RoundList, RoundTold, StandingsPage, StandingsLine,
    DisputesPage, TableExport,
    TournamentMessage, TournamentEvents, TournamentEvent, TournamentHappened,
)  # fmt: skip
