"""The answers about tournaments, as :mod:`service.openapi.response_structs` has those about games."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from events.proof.canonical import MAX_INTEGER
from events.tournament.state import Draw, Role
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
EntrantName = Annotated[str, Meta(pattern="^e[1-9][0-9]{0,3}$", description="As the log names him.")]
_UNITS = "In units of 1/2520 point, so that sharing a place is exact."


Settings = Annotated[Object, component_meta("tournament.Settings")]
Effect = Annotated[Object, component_meta("tournament.Effect")]
Standing = Annotated[Object, component_meta("StandingsLine")]


class RunBy(Struct, frozen=True):
    """Somebody who runs a tournament."""

    director: Annotated[str, Meta(description="As the log names him.", examples=["d1"])]
    role: Role
    name: str
    account: Uuid | None


class MyPart(Struct, frozen=True):
    """My part in a tournament, as entrant or director."""

    entrant: EntrantName | None
    director: str | None
    role: Role | None


class Window(Struct, frozen=True):
    """The time for checking in for a round."""

    round: int
    opens_at: Time
    closes_at: Time


class TournamentSummary(Struct, frozen=True, kw_only=True):
    """A tournament at a glance."""

    id: Uuid
    name: str | None
    title: str
    status: Status
    formats: list[str]
    entrants: Annotated[int, Meta(description="How many play.")]
    most: Annotated[int, Meta(description="How many can.")]
    stage: int
    round: Annotated[int, Meta(description="The newest that has started; 0 before the first.")]
    seq: Seq
    created_at: Time
    starts_at: Time | None
    visibility: Visibility
    club: Uuid | None


class TournamentsPage(Struct, frozen=True):
    """Tournaments, newest first."""

    tournaments: list[TournamentSummary]
    next: str | None


class Tournament(TournamentSummary, frozen=True, kw_only=True):
    """A tournament after event `seq`."""

    last: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description="The newest event that I may know of.")]
    description: str | None
    settings: Annotated[Settings, Meta(description="All of them, as the log has them: texts are digests.")]
    version: Annotated[int, Meta(description="Of the title.")]
    data_hash: str
    key: Annotated[str, Meta(description="16 bytes (hex) that stand for it in commitments and draws.")]
    chance: Annotated[
        dict[str, str], Meta(description="What its randomness was committed to before anybody entered.")
    ]
    directors: list[RunBy]
    paused: Annotated[Time | None, Meta(description="Until when it is paused.")]
    over: Annotated[bool, Meta(description="Whether nothing can follow: its secrets are disclosed.")]
    check_in: Annotated[Window | None, Meta(description="For the coming round, where one has to.")]
    reveal_until: Annotated[
        Time | None, Meta(description="Until when contributions to the randomness are waited for.")
    ]
    you: MyPart
    receipt: Receipt | UnsetType = UNSET


class EntrantTold(Struct, frozen=True, kw_only=True):
    """Somebody who entered."""

    entrant: EntrantName
    name: str
    account: Uuid | None
    handle: str | None
    kind: Literal["personal", "service"] | None
    status: Annotated[
        Literal["awaits_admission", "playing", "reserve", "refused", "withdrawn", "disqualified"],
        Meta(description="What he is now."),
    ]
    late: Annotated[int, Meta(description="His first round, where he entered late; else 0.")]
    checked_in: Annotated[int, Meta(description="The newest round that he has checked in for.")]
    warnings: int
    ready: Annotated[bool, Meta(description="Of a ladder: whether he waits for a game.")]
    committed: Annotated[bool, Meta(description="Whether he committed to a contribution to the randomness.")]
    revealed: Annotated[bool, Meta(description="Whether he has shown it.")]


class EntrantList(Struct, frozen=True):
    """The entrants, in the order of their numbers."""

    entrants: list[EntrantTold]
    seq: Seq


class TournamentTable(Struct, frozen=True, kw_only=True):
    """One table of a round."""

    table: int
    game: Annotated[Uuid | None, Meta(description="Null before the round starts.")]
    entrants: Annotated[list[EntrantName], Meta(description="In seat order, as they were paired.")]
    holders: Annotated[list[EntrantName], Meta(description="Who holds the seats now.")]
    status: Annotated[
        Literal["paired", "starting", "playing", "ended", "confirmed", "disputed"],
        Meta(description="`ended`: waits for confirmations, or, without a result, for a ruling."),
    ]
    attempt: int
    places: Annotated[list[int], Meta(description="By seat, as they count.")] | UnsetType = UNSET
    points: Annotated[list[int], Meta(description=f"By seat. {_UNITS}")] | UnsetType = UNSET
    scores: list[int] | UnsetType = UNSET
    confirmed_by: list[EntrantName] | UnsetType = UNSET


class RoundTold(Struct, frozen=True, kw_only=True):
    """One round."""

    stage: int
    round: int
    status: Literal["paired", "running", "closed"]
    tables: list[TournamentTable]
    byes: list[EntrantName]
    repeats: Annotated[int, Meta(description="Pairs at one table that have met before.")]
    gap: Annotated[int, Meta(description="The largest difference at one table, in whole points.")]
    draw: Draw | None
    paired_at: Time
    started_at: Time | None
    closed_at: Time | None
    standings: Annotated[Hex32 | None, Meta(description="The newest digest of the standings after it.")]


class RoundList(Struct, frozen=True):
    """All rounds that have been paired."""

    rounds: list[RoundTold]
    seq: Seq


class RoundPlayed(Struct, frozen=True):
    """The result of an entrant in a round."""

    round: int
    table: int
    place: int
    points: int


class StandingsLine(Struct, frozen=True, kw_only=True):
    """A place of the standings; beside these members each tie-break of the tournament by its name."""

    rank: int
    entrant: EntrantName
    points: int
    played: int
    byes: int
    forfeits: int
    rounds: list[RoundPlayed]
    name: str | UnsetType | None = UNSET
    account: Uuid | UnsetType | None = UNSET


class StandingsPage(Struct, frozen=True):
    """The standings after a round. Without `name` and `account` the lines are those of the digest."""

    seq: Seq
    stage: int
    round: int
    provisional: Annotated[bool, Meta(description="Whether results of this round are still awaited.")]
    unit: Annotated[int, Meta(description=_UNITS, examples=[2520])]
    standings: list[Standing]


class DisputeTold(Struct, frozen=True, kw_only=True):
    """A complaint of an entrant."""

    dispute: int
    by: EntrantName
    against: EntrantName | None
    round: int | None
    table: int | None
    open: bool
    at: Time
    text: str | None


class RulingTold(Struct, frozen=True, kw_only=True):
    """A ruling of a director."""

    ruling: int
    by: str
    kind: str
    effects: list[Effect]
    dispute: int | None
    appeal: Annotated[int | None, Meta(description="The ruling whose appeal it decides.")]
    appealed: bool
    at: Time
    text: str | None


class DisputesPage(Struct, frozen=True):
    """Disputes and rulings, oldest first."""

    disputes: list[DisputeTold]
    rulings: list[RulingTold]
    seq: Seq


class TableExport(Struct, frozen=True, kw_only=True):
    """A table that has ended, for programs that reckon with it."""

    stage: int
    round: int
    table: int
    game: Uuid
    entrants: list[EntrantName]
    places: list[int] | None
    scores: list[int] | None
    points: list[int] | None
    left: list[int | None]
    spent_ms: Annotated[list[int], Meta(description="By seat, where time is counted.")]
    started_at: Time
    ended_at: Time
    events: int


class TournamentEvent(Struct, frozen=True, kw_only=True):
    """One event of a tournament; all of it is public."""

    seq: Seq
    type: str
    data: Data
    by: Annotated[
        str,
        Meta(
            pattern="^(sys|[ed][0-9]+)$",
            description="Who caused it: `e7` an entrant, `d1` a director, `sys` the house.",
        ),
    ]
    seat: Annotated[None, Meta(description="As in events of games; there are no seats here.")]
    at: Time
    hash: Hex32
    hidden: Annotated[dict[str, Hidden], Meta(description="As in events of games; nothing is hidden here.")]
    command: Recorded | UnsetType = UNSET
    text: Annotated[str | UnsetType, Meta(description="What somebody wrote beside it.")] = UNSET


class TournamentEvents(Struct, frozen=True):
    """A page of the log; `seq` is the newest event that I may know of."""

    events: list[TournamentEvent]
    seq: Seq
    next: str | None


class TournamentHappened(Struct, frozen=True):
    """The acknowledged result of a command: the receipt is for its last event."""

    seq: Seq
    events: list[TournamentEvent]
    receipt: Receipt


class TournamentMessage(Struct, frozen=True, kw_only=True):
    """A message of the live stream of a tournament. Only events carry an `id`, which is their seq."""

    event: Literal["tournament", "event", "standings", "closing"]
    data: Annotated[
        str,
        Meta(
            description="JSON: the tournament, the event, or the standings.",
            extra_json_schema=json_text_schema("Tournament", "TournamentEvent", "StandingsPage", "Nothing"),
        ),
    ]
    id: str | UnsetType = UNSET


ANSWERS = (
    Tournament, TournamentsPage, EntrantList, RoundList, RoundTold, StandingsPage, StandingsLine,
    DisputesPage, TableExport,
    TournamentMessage, TournamentEvents, TournamentEvent, TournamentHappened,
)  # fmt: skip
