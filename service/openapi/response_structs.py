"""The answers that clients rely on: from these Structs the API description is generated."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from events.clocks.absence_policy import Absence
from events.clocks.clock import Correspondence, Live
from events.proof.canonical import MAX_INTEGER
from events.rules.kit.pointing import Hint
from events.rules.title import Outcome
from events.table.record import Draws, Signature
from events.table.terms import Delay, Seating
from events.table.tournament_link import Reference
from projections.read_models.notices import NoticeType
from service.base.visibility import Visibility

Seq = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
Uuid = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Time = Annotated[str, Meta(description="RFC 3339, UTC", extra_json_schema={"format": "date-time"})]
SeatNumber = Annotated[int, Meta(ge=0, le=99)]
Status = Literal["open", "running", "finished"]
HEX32 = "[0-9a-f]{64}"
NO_NUL = "^[^\\x00]*$"
Hex32 = Annotated[str, Meta(pattern=f"^{HEX32}$")]
WHO = "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$"
"""The base64 of 32 bytes."""
Who = Annotated[str, Meta(pattern=WHO)]
Salt = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Object = dict[str, Any]
Scalar = bool | int | str | None
Row = dict[str, Scalar | list[Scalar] | dict[str, Scalar | list[Scalar]]]
"""Words and numbers by their names, as they are stored."""


def component_meta(component: str) -> Meta:
    """Return the mark of a member that is described by hand, or title by title.

    See :mod:`service.openapi.title_components`.
    """
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/{component}"})


Options = Annotated[Object, component_meta("Options")]
View = Annotated[Object, component_meta("View")]
Given = Annotated[Object, component_meta("Command")]
Recorded = Annotated[Object, component_meta("RecordedCommand")]
Data = Annotated[Object, component_meta("Data")]
Position = Annotated[Object, component_meta("Position")]
Board = Annotated[Object, component_meta("Board")]
Schema = Annotated[Object, component_meta("JsonSchema")]
TableOf = Annotated[Object, component_meta("Reference")]
ForkOf = Annotated[Object, component_meta("Origin")]


Kind = Literal["personal", "service"]


Percent = Annotated[int, Meta(ge=0, le=100)]
_RELIABILITY = (
    "Of a hundred decisions that were due where time is counted so many it answered in time: of the last"
    " ninety days, and of the newest thousand; 100 where fewer than twenty were due."
)


class Account(Struct, frozen=True):
    """A person (`personal`), or a program of somebody's (`service`, of the account `owner`)."""

    id: Uuid
    """The id of the account."""
    name: Annotated[str, Meta(description="Anybody may have the same; in NFKC.", examples=["Vasco da Gama"])]
    handle: Annotated[str | None, Meta(description="Nobody else has it.", examples=["vasco"])]
    kind: Kind
    """`personal` for a person, `service` for a program."""
    owner: Uuid | None
    """The id of the account that owns a service account, else null."""
    reliability: Annotated[Percent | UnsetType, Meta(description=_RELIABILITY)] = UNSET


POOL = r"^[a-z][a-z0-9_]{0,39}[.](2|3-4|5-6|7[+])[.](live|correspondence)$"
Pool = Annotated[str, Meta(pattern=POOL, examples=["colonial_empires.3-4.live"])]


class Rating(Struct, frozen=True):
    """The strength of a player in one pool: a title, a number of seats, a tempo."""

    pool: Pool
    """The pool: a title, a number of seats and a tempo."""
    rating: Annotated[int, Meta(description="1500 + 40 (mu - 25).", examples=[1612])]
    deviation: Annotated[int, Meta(ge=0, description="How far off it may be: 40 sigma.", examples=[140])]
    provisional: Annotated[bool, Meta(description="Whether it says little yet: few games, or uncertain.")]
    games: Annotated[int, Meta(ge=0, description="How many count.", examples=[31])]


class RatingsPage(Struct, frozen=True):
    """The ratings of an account."""

    ratings: list[Rating]
    """The ratings, one for each pool."""


class Leader(Struct, frozen=True):
    """A place of a leaderboard."""

    rank: Annotated[int, Meta(ge=1)]
    """The rank, from 1."""
    account: Uuid
    """The id of the account."""
    name: str
    """The display name."""
    handle: str | None
    """The unique handle, or null without one."""
    kind: Kind
    """The kind of the account."""
    rating: int
    """The rating."""
    deviation: int
    """The uncertainty of the rating."""
    games: int
    """The number of games that count."""


class Leaderboard(Struct, frozen=True):
    """The best of a pool."""

    pool: Pool
    """The pool: a title, a number of seats and a tempo."""
    ratings: list[Leader]
    """The best players, in order."""
    next: Annotated[str | None, Meta(description="The address of the next part; null: that was all.")]


class RatingAt(Struct, frozen=True):
    """A rating before a game, or after it."""

    rating: int
    """The rating."""
    deviation: int
    """The uncertainty of the rating."""
    games: int
    """The number of games that count."""


class RatingChange(Struct, frozen=True):
    """The change that a game made to the rating of one of its players."""

    seat: Annotated[int, Meta(ge=0, le=99)]
    """The number of the seat: 0, 1, 2 and so on."""
    place: Annotated[int, Meta(ge=1, description="Among the people; bots are left out.")]
    before: RatingAt
    """The rating before the game."""
    after: RatingAt
    """The rating after the game."""


RatingStatus = Literal["pending", "rated", "unrated", "void"]
_UNRATED = (
    "Why it does not count: `abandoned`, `analysis`, `unrated` (its maker did not want it to), `untimed`,"
    " `too_short`, `too_few_people`, `one_player` (with several seats), `fault` (of ours)."
)


class GameRating(Struct, frozen=True):
    """The changes that a game made to ratings; `void`: a ruling of its tournament has taken it out."""

    game: Uuid
    """The id of the game."""
    status: RatingStatus
    """Whether the game counts for ratings."""
    why: Annotated[str | None, Meta(description=_UNRATED)]
    pool: Pool | None
    """The pool in which the game counts, or null."""
    changes: list[RatingChange]
    """What the game changed, seat by seat."""


class ModelLevel(Struct, frozen=True):
    """The strength of a player as the rating model has it: mean and standard deviation."""

    mu: float
    """The mean."""
    sigma: float
    """The standard deviation."""


class RatedGame(Struct, frozen=True):
    """A game that counts: a line of the export. Lists are in the order of seats."""

    position: Annotated[int, Meta(ge=1, description="Of its end in the log of all games: their order.")]
    game: Annotated[Uuid | None, Meta(description="Null where it is unlisted.")]
    head: Annotated[str | None, Meta(description="The hash of its last event.")]
    at: Time
    pool: Pool
    """The pool: a title, a number of seats and a tempo."""
    model: Annotated[str, Meta(examples=["pl-1"])]
    """The name of the rating model."""
    subjects: Annotated[list[Uuid], Meta(description="Names that say nothing of whom they stand for.")]
    places: list[int]
    """The place of each seat."""
    months: Annotated[list[int], Meta(description="Whole months of 30 days since the last game of each.")]
    before: list[ModelLevel]
    """The level of each seat before the game."""
    after: list[ModelLevel]
    """The level of each seat after the game."""
    recounted: Annotated[
        int, Meta(ge=0, description="Position of the newest ruling that voided a game of the pool; 0: none.")
    ]


class TitleResults(Struct, frozen=True):
    """The results of a player's public games of one title, of those whose end everybody may know."""

    title: str
    """The id of the title."""
    finished: Annotated[int, Meta(ge=0, description="So many the rules have ended.")]
    won: Annotated[int, Meta(ge=0, description="So many of them were won, alone or with others.")]
    abandoned: Annotated[int, Meta(ge=0)]
    """How many games ended without a result."""


class Profile(Account, frozen=True, kw_only=True):
    """An account with what it has played, as everybody may see it."""

    ratings: list[Rating]
    """The ratings, one for each pool."""
    results: Annotated[list[TitleResults], Meta(description="By title.")]


class Note(Struct, frozen=True):
    """A note, on an event or on the game as a whole."""

    event: Annotated[int | None, Meta(description="To which event; null: to the game as a whole.")]
    text: str
    """The text of the note."""


class NoteList(Struct, frozen=True):
    """Your notes to a game."""

    version: Annotated[int, Meta(ge=0, description="How often they were changed.")]
    notes: list[Note]
    """The notes."""
    changed_at: Time | None
    """When they were last changed, or null without any."""


class AccountsFound(Struct, frozen=True):
    """The account that has a handle, if there is one."""

    accounts: list[Account]
    """The account, or an empty list."""
    next: None
    """Always null."""


Secret = Annotated[
    str,
    Meta(
        description="Send it as `Authorization: Bearer <token>`. It is shown this once.",
        examples=["rut_5q3wVnT0yLrPzXh8kJd2GmBcFs7aEuN9tQoRiYv4W1K0x2mK9b"],
    ),
]
Within = Annotated[
    int,
    Meta(
        description="Within how many milliseconds no process takes the old one: 1000, without Redis 30000.",
        examples=[1000],
    ),
]


class AccountMade(Struct, frozen=True):
    """A new account. The token is shown this once."""

    account: Account
    """The account."""
    token: Secret


class ServiceAccounts(Struct, frozen=True):
    """Your service accounts."""

    accounts: list[Account]
    """The service accounts."""


class Token(Struct, frozen=True, kw_only=True):
    """One of your tokens; the secret itself is not kept."""

    id: Uuid
    """The id of the token, by which you revoke it."""
    label: Annotated[str, Meta(examples=["my phone"])]
    """The label that you gave it."""
    kind: Kind
    """The kind of the account that the token belongs to."""
    scopes: Annotated[list[str], Meta(examples=[["game:read", "game:play"]])]
    """What the token may do."""
    games: Annotated[list[Uuid] | None, Meta(description="The only games that it is good for; null: all.")]
    created_at: Time
    last_used_at: Annotated[str | None, Meta(description="To the minute; null: not yet.")]
    expires_at: str | None
    """When the token expires, or null if it does not."""


class TokenList(Struct, frozen=True):
    """Your tokens, oldest first."""

    tokens: list[Token]
    """The tokens."""


class TokenMade(Token, frozen=True, kw_only=True):
    """A new token with its secret, which is shown this once."""

    token: Secret


class TokenRotated(TokenMade, frozen=True, kw_only=True):
    """The new token in place of one, whose end counts when its overlap is over."""

    effective_within_ms: Within


class Tested(Struct, frozen=True):
    """The properties of a token; the other members are null where it is not valid."""

    well_formed: Annotated[bool, Meta(description="Whether it could be a token: no typing error.")]
    valid: bool
    """True if the token is known, not revoked and not expired."""
    id: Uuid | None = None
    """The id of the token."""
    account: Uuid | None = None
    """The id of the account that the token belongs to."""
    scopes: list[str] | None = None
    """What the token may do."""
    games: list[Uuid] | None = None
    """The only games that the token is good for, or null for all."""


class TokensTested(Struct, frozen=True):
    """The tokens in the order in which they were sent."""

    tokens: list[Tested]
    """The answers, in the order of the tokens that you sent."""


class RecoveryCodes(Struct, frozen=True):
    """Ten codes that open the account once each when its tokens are lost. They are shown this once."""

    id: Uuid
    """The id of this set of codes."""
    codes: Annotated[list[str], Meta(examples=[["7QK2M-0XR9T-B4HNE-5ZVJA"]])]
    """The codes, each good for one use."""


class Recovery(Struct, frozen=True):
    """The state of your recovery codes."""

    id: Annotated[Uuid | None, Meta(description="Of the ten that were shown last; null without any.")]
    left: Annotated[int, Meta(description="How many of them can still be used.")]
    made_at: str | None
    """When the codes were made, or null without any."""


class Recovered(Struct, frozen=True):
    """An account that is open again; all tokens that it had are revoked."""

    account: Account
    """The account."""
    id: Annotated[Uuid, Meta(description="Of the token.")]
    token: Secret
    codes_left: int
    """The number of codes that can still be used."""
    effective_within_ms: Within


class Export(Struct, frozen=True, kw_only=True):
    """All that is stored about an account."""

    account: Row
    """The account itself."""
    handles: list[Row]
    """The handles that it has and had."""
    tokens: list[Token]
    """The tokens, without their secrets."""
    recovery: Recovery
    """The state of its recovery codes."""
    service_accounts: list[Account]
    """The service accounts that it owns."""
    seats: Annotated[list[Row], Meta(description="What it holds, or claimed; seat -1: it made the game.")]
    directs: Annotated[list[Row], Meta(description="Which games it directs.")]
    entries: Annotated[list[Row], Meta(description="Which tournaments it entered.")]
    runs: Annotated[list[Row], Meta(description="Which tournaments it runs.")]
    reservations: Annotated[list[Row], Meta(description="Which seats are kept for it.")]
    invitations: Annotated[list[Row], Meta(description="Those that it made, to games and clubs.")]
    clubs: Annotated[list[Row], Meta(description="To which it belongs, and as what.")]
    texts: Annotated[list[Row], Meta(description="What it wrote beside commands.")]
    vacations: list[Row]
    """Its vacations."""
    reliability: Annotated[list[Row], Meta(description="Its decisions where time is counted.")]
    notes: Annotated[list[Row], Meta(description="What it noted to games.")]
    bans: Annotated[list[Row], Meta(description="Whether the operator has banned it, and why.")]
    subjects: Annotated[list[Row], Meta(description="Under which name it is rated.")]
    ratings: Annotated[list[Row], Meta(description="What its games changed in its ratings.")]
    requests: Annotated[list[Row], Meta(description="The Idempotency-Keys that made games.")]
    notices: Annotated[list[Row], Meta(description="What it was told in the last 90 days.")]
    webhooks: Annotated[list[Row], Meta(description="Whom the service calls for it.")]
    deliveries: Annotated[list[Row], Meta(description="The calls, and what came of them.")]
    secrets_shown: Annotated[list[Row], Meta(description="The Idempotency-Keys that made secrets.")]


_INVITED = "An open seat that is kept: for `me`, or for `somebody` else who is or has an invitation."
_FREE = "True where somebody new may take it over: `table_seat`."
_LEFT = "True where you have left it and may come back: `table_return`."


class Seat(Struct, frozen=True, kw_only=True):
    """A seat: an account's (`account`, `name`, `handle`, `kind`), a bot's (`bot`), `open`, or `vacant`.

    Vacant is a seat of a game that runs. Whose account was deleted has a `name` only.
    """

    seat: SeatNumber
    """The number of the seat: 0, 1, 2 and so on."""
    label: Annotated[str, Meta(description="What the seat is called in this title, such as its empire.")]
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
    open: bool | UnsetType = UNSET
    """True if the seat can still be taken."""
    invited: Annotated[Literal["me", "somebody"] | UnsetType, Meta(description=_INVITED)] = UNSET
    vacant: bool | UnsetType = UNSET
    """True if the game runs and nobody holds the seat."""
    tenure: Annotated[int | UnsetType, Meta(description="How many have held it, one after the other.")] = (
        UNSET
    )
    free: Annotated[bool | UnsetType, Meta(description=_FREE)] = UNSET
    left: Annotated[bool | UnsetType, Meta(description=_LEFT)] = UNSET


_FROZEN = (
    "Only of a game in which nothing can follow, because the log of all games that held it was lost: the "
    "last event that a log vouches for, 0 for none."
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
    deadline: Annotated[Time | None, Meta(description="Until when the first seat must answer.")]
    visibility: Visibility
    """Who can see it."""
    tournament: Annotated[TableOf | None, Meta(description="Of which it is a game, or null.")] = None
    origin: Annotated[ForkOf | None, Meta(description="Of a fork; else null.")] = None
    frozen: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description=_FROZEN)] | UnsetType = UNSET


class BeaconTerms(Struct, frozen=True):
    """A public source of randomness that contributes."""

    chain: Hex32
    """The hash of the drand chain."""
    after: int
    """Seconds from the close of the reveals to the round that counts."""


class Opening(Struct, frozen=True, kw_only=True):
    """The terms and contributions that lead to the beginning of a game that has not begun."""

    key: Annotated[
        str | None, Meta(description="What stands for the id in commitments, where a seed repeats it.")
    ]
    contributions: Literal["open", "required"]
    """`open`: a contribution that is not revealed counts as empty. `required`: the game needs all."""
    director: Annotated[Hex32 | None, Meta(description="The commitment of a director who contributes.")]
    beacon: BeaconTerms | None
    """The public randomness that contributes, or null."""
    invited: Annotated[list[Who | None] | None, Meta(description="By seat for whom it is kept, or null.")]
    reveal_by_ms: Annotated[
        int | None, Meta(description="How long one may reveal after the last seat is taken.")
    ]
    committed: Annotated[list[SeatNumber], Meta(description="Seats that committed to a contribution.")]
    revealed: Annotated[list[SeatNumber], Meta(description="Those of them that revealed it.")]
    closed: Annotated[bool, Meta(description="Whether no seat can reveal any more: the director is awaited.")]
    due: Annotated[Time | None, Meta(description="When the server goes on by itself; null: seats are open.")]


class Paused(Struct, frozen=True):
    """A pause: until when at the latest, by whose command (as in events), why."""

    until: Time
    by: str
    """Who caused the pause, as in events."""
    cause: str
    """The cause of the pause."""


class OpenOffer(Struct, frozen=True):
    """A proposal of a seat to the others that stands open: `table_answer` answers it."""

    offer: int
    """The number of the proposal."""
    what: str
    """What is proposed."""
    by: Annotated[str, Meta(description="As in events: `p0`.")]
    until: Time | None
    """The time until which a proposed pause lasts, else null."""
    yes: Annotated[list[SeatNumber], Meta(description="Seats that want it so far.")]


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


class SeatClock(Struct, frozen=True, kw_only=True):
    """The time of one seat that a person holds."""

    seat: SeatNumber
    """The number of the seat: 0, 1, 2 and so on."""
    on: Annotated[bool, Meta(description="Whether its time runs now.")]
    left_ms: Annotated[
        int, Meta(ge=0, description="Live: all it has; else its bank. Booked when it answers.")
    ]
    deadline: Annotated[Time | None, Meta(description="When its time is up; null while it does not run.")]


_NOW = "The time of the service, to tell by how much one's own differs; absent in a view of the past."


class Clock(Struct, frozen=True, kw_only=True):
    """The clocks of a game."""

    settings: Live | Correspondence
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


_DELAY = "How much later those see it who neither play nor direct it; null: at once."


_AFTER = "The event after which it stands so: the newest that you may see, or that of `at`."


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
    origin: Annotated[ForkOf | None, Meta(description="Of a fork; else null.")]
    created_at: Time
    outcome: Outcome | None
    """The result, or null while there is none."""
    ended_by: Annotated[Literal["rules", "abandoned"] | None, Meta(description="Null while it can go on.")]
    rated: Annotated[bool, Meta(description="Whether its result counts for ratings.")]
    visibility: Visibility = "public"
    """Who can see it."""
    tournament: Annotated[TableOf | None, Meta(description="Of which it is a game, or null.")] = None


class Game(GameFacts, frozen=True, kw_only=True):
    """A game after event `seq`, as one seat (or a spectator) sees it."""

    last: Annotated[
        int | UnsetType, Meta(description="The newest event; absent in a view of the past (`at`).")
    ] = UNSET
    view: Annotated[View | None, Meta(description="The title's view; null while the game is open.")]
    clock: Annotated[Clock | None, Meta(description="Null where no time is counted.")]
    absence: Annotated[Absence | None, Meta(description="What happens when a seat's time is up.")]
    seating: Annotated[Seating | None, Meta(description="Who may take an open seat; null for anybody.")]
    opening: Annotated[Opening | None, Meta(description="Null once the game has begun, or was abandoned.")]
    expires_at: Annotated[Time | None, Meta(description="Until when its open seats must be taken.")]
    directors: Annotated[int | None, Meta(description="How many direct it; null: its maker does.")]
    paused: Annotated[Paused | None, Meta(description="While nobody plays; commands of the table go on.")]
    offers: Annotated[list[OpenOffer], Meta(description="What is proposed and waits for answers.")]
    delay: Annotated[Delay | None, Meta(description=_DELAY)]
    frozen: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description=_FROZEN)] | UnsetType = UNSET
    repeat: Annotated[str | None, Meta(description=_REPEAT)] = None
    who: Annotated[Who | None, Meta(description="In the answer to joining, see `GET .../roster`.")] = None
    salt: Annotated[Salt | None, Meta(description="In the answer to joining: proves `who` (hex).")] = None
    receipt: Receipt | UnsetType = UNSET
    """The receipt for the last event of what was asked for, in answers to requests that changed the game."""


CURSOR = "`?after=` this goes on behind this line."


class ExportedGame(GameFacts, frozen=True, kw_only=True):
    """A game of an export: what its own address tells of it, without the view."""

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


class Invitation(Struct, frozen=True, kw_only=True):
    """An invitation to a game or a club; the secret itself is not kept."""

    id: Uuid
    """The id of the invitation, by which you revoke it."""
    seat: Annotated[SeatNumber | None, Meta(description="The only seat that it is for; null: any.")]
    uses: Annotated[int, Meta(ge=1, le=100, description="How often it can be used.")]
    used: Annotated[int, Meta(ge=0, description="How often it was.")]
    made_at: Time
    expires_at: Time


class InvitationsPage(Struct, frozen=True):
    """Invitations, oldest first."""

    invitations: list[Invitation]
    """The invitations."""


class InvitationMade(Invitation, frozen=True, kw_only=True):
    """A new invitation with its secret, which is shown this once."""

    invitation: Annotated[
        str,
        Meta(
            description="A player sends it when they join. It is shown this once.",
            examples=["inv_5q3wVnT0yLrPzXh8kJd2GmBcFs7aEuN9tQoRiYv4W1K0x2mK9b"],
        ),
    ]


Role = Literal["owner", "manager", "member"]


class Club(Struct, frozen=True, kw_only=True):
    """A club that you belong to."""

    id: Uuid
    """The id of the club."""
    name: str
    """The name of the club."""
    role: Annotated[Role, Meta(description="What you are there.")]
    members: Annotated[int, Meta(description="How many belong to it.")]
    made_at: Time


class ClubsPage(Struct, frozen=True):
    """The clubs that you belong to, oldest first."""

    clubs: list[Club]
    """The clubs."""


class Member(Struct, frozen=True, kw_only=True):
    """Somebody who belongs to a club."""

    account: Account
    """The account."""
    role: Role
    """The role in the club."""
    since: Time


class MembersPage(Struct, frozen=True):
    """The members of a club, the longest-standing first."""

    members: list[Member]
    """The members."""


class GamesPage(Struct, frozen=True):
    """Games, newest first."""

    games: list[Summary]
    """The games of this page."""
    next: str | None
    """The address of the next page, or null on the last page."""


class Me(Struct, frozen=True):
    """Your account, and the games where you sit."""

    account: Account
    """Your account."""
    games: list[Summary]
    """The games in which you hold a seat."""


class Vacation(Struct, frozen=True, rename={"begins": "from"}):
    """The time of your vacation, null where you are not away, and how much of this year's is left."""

    begins: Time | None
    """When the vacation begins, or null without one."""
    until: Time | None
    """When the vacation ends, or null without one."""
    left_ms: int
    """Milliseconds of vacation that are left this year."""


class Decision(Struct, frozen=True):
    """Something that the game waits for; with `free`, something that a seat may do although it does not."""

    seat: Annotated[SeatNumber | None, Meta(description="Who decides; null for the server.")]
    kind: str
    """A stable word for the kind of decision."""
    commands: Annotated[list[str], Meta(description="The types of command that answer it.")]
    deadline: Annotated[Time | None, Meta(description="When the seat's time is up; null: no time runs.")]
    free: bool
    """True if the game does not wait for it."""
    ask: Annotated[str, Meta(description="What a player is to do, as a sentence.")] = ""


_REFS = (
    "What it names among the things that `/table` draws (`ref`), a list for each thing: with any ref of it"
    " one points at that thing."
)


class Legal(Struct, frozen=True):
    """A legal command of one of your seats: `command` can be posted as it stands."""

    seat: SeatNumber
    """The seat that can give the command."""
    label: str
    """The command as a button shows it."""
    command: Given
    """The command; you can send it as it stands."""
    refs: Annotated[list[list[str]], Meta(description=_REFS)] = []
    ordered: Annotated[bool | UnsetType, Meta(description="Whether their order counts.")] = UNSET
    cost: Annotated[str | UnsetType, Meta(description="What it costs for certain.")] = UNSET
    chance: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | UnsetType, Meta(description="How likely it succeeds.")
    ] = UNSET
    grave: Annotated[bool | UnsetType, Meta(description="Whether a player is asked again first.")] = UNSET
    war: Annotated[
        SeatNumber | UnsetType, Meta(description="Against whom it begins a war, whose odds can be asked for.")
    ] = UNSET


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
    complete: Annotated[bool, Meta(description="Whether `legal` is exhaustive; otherwise it is a selection.")]


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
    complete: Annotated[bool, Meta(description="Whether `legal` is exhaustive; otherwise it is a selection.")]


class Hidden(Struct, frozen=True):
    """A hidden part of an event: its digest, and what opens it where you may know it."""

    digest: str
    """The digest of the hidden part."""
    salt: str | UnsetType = UNSET
    """The salt (hex) with which you can check the digest, where you may know the part."""
    fields: list[str] | UnsetType = UNSET
    """The members of `data` that the part holds, where you may know it."""


_TURN = (
    "The event after which `decisions` and `legal` are so: `seq`, unless the server or others have gone on."
)


class OnClocks(Struct, frozen=True, kw_only=True):
    """The changes of a command to the clocks of seats, by `p0` ...; times in milliseconds."""

    spent: Annotated[dict[str, int] | UnsetType, Meta(description="Which time was booked.")] = UNSET
    left: Annotated[dict[str, int] | UnsetType, Meta(description="What each has now.")] = UNSET
    on: Annotated[
        dict[str, Time | None] | UnsetType,
        Meta(description="Until when the seat must answer; null: it is not asked any more."),
    ] = UNSET
    still: Annotated[
        dict[str, int] | UnsetType,
        Meta(description="What it has until then where its time stands still."),
    ] = UNSET


class BotRun(Struct, frozen=True, kw_only=True):
    """The bot that thought, and the budget and simulations that it had."""

    name: str
    """The name of the bot."""
    version: int
    """The version of the bot."""
    budget: Annotated[int, Meta(description="How much it might think, in its own unit.")]
    simulations: Annotated[int, Meta(description="How many games it played out in its mind.")]
    thought_at: Annotated[Seq, Meta(description="The event after which it thought.")]
    weights: Annotated[
        str | None,
        Meta(description="SHA-256 of the weights that it thinks with; of an engine, of its files."),
    ]
    fallback: Annotated[bool | UnsetType, Meta(description="True for the title's default.")] = UNSET
    seed: Annotated[str | UnsetType, Meta(description="Once the game has ended.")] = UNSET


_BY = "Who caused it, as the log names them: `p0` ... a seat, `d0` ... a director, `sys` the server."


class Event(Struct, frozen=True, kw_only=True):
    """One event as you may see it: secret fields that you may know are in `data`, others are absent."""

    seq: Seq
    """The event number: 1, 2, 3 and so on."""
    type: str
    """The type of the event."""
    data: Data
    """The members of the event."""
    by: Annotated[str, Meta(pattern="^(sys|[pd][0-9]+)$", description=_BY)]
    seat: Annotated[SeatNumber | None, Meta(description="The seat that caused it; null for any other.")]
    at: Time
    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """The hash of the event (hex)."""
    hidden: dict[str, Hidden]
    """The hidden parts, by audience."""
    command: Annotated[Recorded | UnsetType, Meta(description="On the first event that it led to.")] = UNSET
    bot: BotRun | UnsetType = UNSET
    """The run of the bot that made the move."""
    draws: Draws | UnsetType = UNSET
    """The random draws of the command, on its first event."""
    text: Annotated[str | UnsetType, Meta(description="What a director wrote beside it.")] = UNSET
    clock: OnClocks | UnsetType = UNSET
    """What the command changed on the clocks, on its first event."""
    sig: Annotated[Signature | UnsetType, Meta(description="What its seat signed with.")] = UNSET


class Happened(Struct, frozen=True, kw_only=True):
    """The acknowledged result of a command: the receipt is for its last event.

    With `decisions=true` also what the game waits for after that, and what your seat may do.
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
    complete: bool | UnsetType = UNSET
    """True if `legal` is exhaustive."""
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
    """The sentence."""
    by: Annotated[str | UnsetType, Meta(description=_BY)] = UNSET
    command: Annotated[str | UnsetType, Meta(description="Equal for all events of one command.")] = UNSET
    begins: Annotated[str | UnsetType, Meta(description="`turn` where a turn of the game begins.")] = UNSET
    at: Time | UnsetType = UNSET


class HistoryPage(Struct, frozen=True):
    """A page of the history; `seq` is the newest event of the game."""

    history: list[Line]
    """The sentences of this page."""
    seq: Seq
    """The number of the newest event of the game."""
    next: str | None
    """The address of the next page, or null on the last page."""


class Table(Struct, frozen=True):
    """The view, laid out for a page."""

    seq: Seq
    """The event number after which this holds."""
    panels: list[Annotated[Object, component_meta("Panel")]]
    """The panels of the page, in order."""
    game: Annotated[Game | UnsetType, Meta(description="Without its view; only where `after` was given.")] = (
        UNSET
    )
    decisions: Annotated[DecisionsPage | UnsetType, Meta(description="Only where `after` was given.")] = UNSET
    history: Annotated[HistoryPage | UnsetType, Meta(description="Only where `after` was given.")] = UNSET


class SeatRange(Struct, frozen=True):
    """Least and most seats."""

    min: int
    """The least number of players."""
    max: int
    """The greatest number of players."""


class TitleSummary(Struct, frozen=True):
    """A title at a glance."""

    id: str
    """The id of the title, such as `colonies`."""
    name: str
    """The name of the title."""
    version: Annotated[int, Meta(description="New games begin under the newest.")]
    seats: SeatRange
    """How many players can play it."""
    bots: list[str]
    """The bots that can play it, weakest first."""
    versions: Annotated[list[int], Meta(description="Those that games can be in, the newest first.")]


class TitlesPage(Struct, frozen=True):
    """The titles that are served."""

    titles: list[TitleSummary]
    """The titles."""
    next: None
    """Always null."""


class Rung(Struct, frozen=True):
    """A level of bots at one size of table, and how strong it is there."""

    name: Annotated[str, Meta(examples=["steady"])]
    """The display name."""
    version: Annotated[int, Meta(description="Another one may move otherwise.")]
    budget: Annotated[int, Meta(ge=0, description="How many games it may play out in its mind for a move.")]
    weights: Annotated[str | None, Meta(description="SHA-256 of the fitted weights that it thinks with.")]
    games: Annotated[int, Meta(ge=0, description="In which it played.")]
    score: Annotated[float, Meta(ge=0, le=1, description="The share of opponents that it left behind.")]
    elo: Annotated[int, Meta(description="Points above `random`: 400 are odds of ten to one.")]
    low: Annotated[int, Meta(description="The lower end of the 95 % interval; deals count, not games.")]
    high: int
    """The upper end of the 95 % interval."""


class PairResult(Struct, frozen=True):
    """The results of a level that played at each seat in turn, with others of one kind at the rest."""

    challenger: Annotated[str, Meta(description="Name and version.", examples=["steady@2"])]
    other: str
    """The level of the others, as name and version."""
    deals: Annotated[int, Meta(ge=1, description="Each was played from every seat.")]
    games: Annotated[int, Meta(ge=1)]
    """The number of games."""
    won: Annotated[float, Meta(ge=0, description="By the challenger; a shared victory counts in part.")]
    share: Annotated[float, Meta(ge=0, le=1, description="Of the games that it won.")]
    low: Annotated[float, Meta(ge=0, le=1, description="The lower end of the 95 % interval of `share`.")]
    high: Annotated[float, Meta(ge=0, le=1)]
    """The upper end of the 95 % interval of `share`."""
    luck: Annotated[float, Meta(ge=0, le=1, description="The `share` of somebody as good as the others.")]
    beaten: Annotated[float, Meta(ge=0, le=1, description="The share of the others that it left behind.")]
    elo: Annotated[int, Meta(description="Points above the others, by `beaten`; at most 1200 are told.")]
    elo_low: int
    """The lower end of the 95 % interval of `elo`."""
    elo_high: int
    """The upper end of the 95 % interval of `elo`."""


class LadderTable(Struct, frozen=True):
    """The ladder at one size of table."""

    seats: Annotated[int, Meta(ge=1)]
    """The number of seats."""
    rules: Annotated[int, Meta(description="The version of the title that was played.")]
    levels: Annotated[list[Rung], Meta(description="The weakest first.")]
    pairs: list[PairResult]
    """The results of each level against the others."""


class Ladder(Struct, frozen=True):
    """The distances between the levels of a title's bots, as far as they were measured."""

    title: str
    """The id of the title."""
    tables: Annotated[list[LadderTable], Meta(description="The smallest first; none where none was played.")]


class Title(TitleSummary, frozen=True):
    """All that a client may need to know of a title."""

    data_hash: str
    """The hash of the title's static data (hex)."""
    options: Annotated[
        Schema,
        Meta(
            description="Of the options; `description` says what each does, `clause` where its rules stand."
        ),
    ]
    view: Annotated[Schema, Meta(description="Of what a seat, or a spectator, sees.")]
    commands: Annotated[dict[str, Schema], Meta(description="Of each command, by type.")]
    events: Annotated[dict[str, Schema], Meta(description="Of each event's data, by type.")]
    position: Annotated[Schema, Meta(description="Of a position.")]
    codes: Annotated[
        dict[str, str], Meta(description="The rulebook's words for cases that have a common code.")
    ]
    refusals: Annotated[list[str], Meta(description="The codes with which its rules refuse a command.")]
    board: Annotated[Board, Meta(description="Static public data: names, texts, cards, maps.")]
    guide: Annotated[list[Hint], Meta(description="For a first turn, in this order; may be empty.")]
    clauses: Annotated[
        dict[str, list[str]],
        Meta(
            description="By how the `ref` of a drawn thing begins (in small letters, with `_` for spaces), "
            "the clauses that say what it does; the longest beginning counts."
        ),
    ]


class Clause(Struct, frozen=True):
    """A clause of the rules, or a ruling on them."""

    id: Annotated[str, Meta(description="Also its anchor in the page.")]
    heading: Annotated[str, Meta(description="Under which it stands.")]
    text: Annotated[str, Meta(description="In Markdown.")]


class Rules(Struct, frozen=True):
    """The rules of a title, clause by clause."""

    title: str
    """The id of the title."""
    version: int
    """The version of the title's rules."""
    clauses: list[Clause]
    """The clauses and rulings, in order."""


class PositionTold(Struct, frozen=True, kw_only=True):
    """The whole position of a game, with what `POST /v1/games` needs to begin another one from it."""

    game: Uuid
    """The id of the game."""
    seq: Annotated[
        int, Meta(ge=1, le=MAX_INTEGER, description="The last event of the command that led to it.")
    ]
    title: str
    """The id of the title."""
    version: int
    """The version of the title's rules."""
    options: Options
    """The options of the title."""
    seats: Annotated[int, Meta(ge=1, le=100, description="How many.")]
    position: Annotated[Position, Meta(description="As the title's `position` schema describes it.")]


class Key(Struct, frozen=True):
    """A public key that signs receipts and checkpoints."""

    vkey: str
    """`name+key id+base64`, as verifiers write it into their configuration."""
    since: int
    """The size of the log of all games from which on it signs."""
    until: int | None
    """The size at which it ended; null for the newest."""


class KeysPage(Struct, frozen=True):
    """The public keys of this installation."""

    origin: str
    """The name under which the service signs, for ever."""
    keys: list[Key]
    """The keys, oldest first."""


class OddsPending(Struct, frozen=True):
    """The simulation is under way: ask again after `Retry-After` seconds."""

    status: Literal["pending"]
    """Always `pending`."""


class Judged(Struct, frozen=True):
    """A command that a bot has thought about."""

    command: Given
    """The command."""
    label: str
    """The command as a button shows it."""
    games: Annotated[int, Meta(ge=0, description="That it played out in its mind with this command.")]
    chance: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        Meta(description="To win, in those games; null where it played none out."),
    ]
    chosen: Annotated[bool, Meta(description="Whether the bot would do this.")]


class Advice(Struct, frozen=True):
    """The commands that a bot has thought about, the likeliest to win first."""

    status: Literal["ready"]
    """Always `ready`."""
    seq: Seq
    """The event number after which this holds."""
    seat: SeatNumber
    """The seat that was advised."""
    bot: str
    """The bot that thought, with its version."""
    simulations: Annotated[int, Meta(ge=0, description="Games that it played out in its mind in all.")]
    candidates: list[Judged]
    """The commands that the bot has considered, best first."""


class WarEnds(Struct, frozen=True, kw_only=True):
    """The outcomes of a war in so many simulations: the number of each, and the losses of both sides."""

    attacker: SeatNumber
    """The seat that attacks."""
    defender: SeatNumber
    """The seat that defends."""
    allowed: Annotated[bool, Meta(description="Whether Diplomacy permits the declaration.")]
    shared_territories: list[str]
    """The territories in which both sides have counters."""
    simulations: int
    """The number of simulations."""
    victory: int
    """How many simulations the attacker won."""
    defeat: int
    """How many simulations the attacker lost."""
    draw: int
    """How many simulations ended without a winner."""
    years: Annotated[dict[str, int], Meta(description="How often it lasted so many years.")]
    losses: Annotated[dict[str, int], Meta(description="Of both sides, in all simulations together.")]


class WarOdds(Struct, frozen=True):
    """The odds of a war, from what the asking seat may know."""

    status: Literal["ready"]
    """Always `ready`."""
    seq: Seq
    """The event number after which this holds."""
    seat: SeatNumber
    """The seat that would attack."""
    target: SeatNumber
    """The seat that would be attacked."""
    odds: Annotated[Object, component_meta("WarEnds")]
    """The outcomes of the simulations."""


def json_text_schema(*components: str) -> Object:
    """Return a text that holds JSON as one of *components* describes it."""
    forms = [{"$ref": f"#/components/schemas/{name}"} for name in components]
    return {"contentMediaType": "application/json", "contentSchema": {"anyOf": forms}}


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object: `closing` has nothing more to say."""


class StreamMessage(Struct, frozen=True, kw_only=True):
    """A message of a live stream. Only events carry an `id`, which is their seq."""

    event: Literal["game", "event", "turn", "closing"]
    """The type of the message."""
    data: Annotated[
        str,
        Meta(
            description="JSON: the game, the event, or a `Turn`.",
            extra_json_schema=json_text_schema("Game", "Event", "Turn", "Nothing"),
        ),
    ]
    id: str | UnsetType = UNSET
    """The number to send as `Last-Event-ID` when you resume."""


class Awaited(Struct, frozen=True):
    """One of your seats that its game waits for."""

    game: Uuid
    """The id of the game."""
    title: str
    """The id of the title."""
    seat: SeatNumber
    """The number of the seat: 0, 1, 2 and so on."""
    kinds: Annotated[list[str], Meta(description="Of the decisions that are awaited.")]
    deadline: Annotated[Time | None, Meta(description="When its time is up; null: no time runs.")]
    since: Annotated[Time, Meta(description="Since when it has been awaited.")]
    tournament: Annotated[Uuid | None, Meta(description="Of which it is a game, or null.")] = None


class TurnList(Struct, frozen=True):
    """Your seats that games wait for, by deadline; those without come last."""

    turns: list[Awaited]
    """Your seats that are awaited."""
    next: str | None
    """The address of the next page, or null on the last page."""


_POSITION = "Its number among all that your account was told: 1, 2, 3 ..., without a gap."
_NOTICE_DATA = "Numbers and words, such as `seat`, `deadline`, `reason`; nothing secret."


class Notice(Struct, frozen=True, kw_only=True):
    """Something that your account was told, about a `game`, a `tournament` or a `webhook`."""

    position: Annotated[int, Meta(ge=1, le=MAX_INTEGER, description=_POSITION)]
    type: NoticeType
    """The type of the notice."""
    game: Uuid | UnsetType = UNSET
    """The game that it is about."""
    tournament: Uuid | UnsetType = UNSET
    """The tournament that it is about."""
    webhook: Uuid | UnsetType = UNSET
    """The webhook that it is about."""
    seq: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description="The event that led to it.")]
    at: Time
    data: Annotated[Row, Meta(description=_NOTICE_DATA)]


class NoticeList(Struct, frozen=True):
    """The notices of your account, the oldest first."""

    notices: list[Notice]
    """The notices of this page."""
    next: str | None
    """The address of the next page, or null on the last page."""


class Webhook(Struct, frozen=True):
    """An address that is called when you are told something."""

    id: Uuid
    """The id of the webhook."""
    url: str
    """The address that is called."""
    types: list[NoticeType]
    """The types of notices that are sent."""
    game: Annotated[Uuid | None, Meta(description="Only what this game tells; null: all games.")]
    tournament: Annotated[Uuid | None, Meta(description="Only what this one tells; null: everything.")]
    enabled: bool
    """True if the webhook is called."""
    disabled_for: Annotated[
        Literal["gone", "failing"] | None,
        Meta(description="Why the service disabled it: it answered 410, or nothing arrived for five days."),
    ]
    failing_since: Annotated[Time | None, Meta(description="Null: the last call arrived.")]
    made_at: Time


class WebhookMade(Webhook, frozen=True, kw_only=True):
    """A webhook with its secret, which is shown this once."""

    secret: Annotated[str, Meta(examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="])]
    """The secret with which calls are signed. It is shown once."""


class WebhookList(Struct, frozen=True):
    """Your webhooks, the oldest first."""

    webhooks: list[Webhook]
    """The webhooks."""


class Delivery(Struct, frozen=True, kw_only=True):
    """A call to a webhook."""

    id: Annotated[str, Meta(description="The `webhook-id`, at every try the same.")]
    position: Annotated[int, Meta(ge=1, le=MAX_INTEGER, description="Of the notice.")]
    type: NoticeType
    """The type of the notice."""
    game: Uuid | UnsetType = UNSET
    """The game that the notice is about."""
    tournament: Uuid | UnsetType = UNSET
    """The tournament that the notice is about."""
    status: Annotated[Literal["waiting", "delivered", "dead"], Meta(description="`dead`: it was given up.")]
    tries: int
    """How often it was tried."""
    next_at: Annotated[Time | None, Meta(description="When it is tried next; null: not any more.")]
    answer: Annotated[int | None, Meta(description="The status of the last answer; null without one.")]
    error: Annotated[str | None, Meta(description="Why the last try failed.")]


class DeliveryList(Struct, frozen=True):
    """Calls to a webhook, the oldest first."""

    deliveries: list[Delivery]
    """The deliveries of this page."""
    next: str | None
    """The address of the next page, or null on the last page."""


class AccountMessage(Struct, frozen=True, kw_only=True):
    """A message of an account's live stream. Turns and notices carry an `id` to go on after."""

    event: Literal["turns", "turn", "closing"] | NoticeType
    """The type of the message."""
    data: Annotated[
        str,
        Meta(
            description="JSON: a `TurnList`, a `Turn`, a `Notice`, or nothing.",
            extra_json_schema=json_text_schema("TurnList", "Turn", "Notice", "Nothing"),
        ),
    ]
    id: str | UnsetType = UNSET
    """The number to send as `Last-Event-ID` when you resume."""


class Health(Struct, frozen=True):
    """A sign of life."""

    status: Literal["ok"]
    """Always `ok`."""


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
        "another_test_seed",
        "database_set_back",
        "node_away",
        "redis_away",
        "limits_local",
        "test_seed",
        "dispatcher_missing",
        "sequencer_stuck",
        "worker_missing",
        "projection_lag",
        "copy_away",
        "copy_behind",
        "copy_of_another_log",
        "projection_parked",
        "tasks_failed",
    ]
    """A stable word for what is missing."""
    detail: str
    """What is missing and what to do."""
    seconds: Annotated[float | UnsetType, Meta(description="For how long.")] = UNSET
    count: Annotated[int | UnsetType, Meta(description="How many.")] = UNSET


class Readiness(Struct, frozen=True, kw_only=True):
    """The readiness of this host to carry out commands, and what else is lacking.

    `degraded`: people play, but not everything beside them works.
    """

    status: Literal["ready", "degraded", "not_ready"]
    """`ready`, `degraded` if something beside play does not work, or `not_ready`."""
    database: Literal["ok", "away", "not_migrated", "read_only"]
    """The state of the database."""
    redis: Annotated[Literal["ok", "away"], Meta(description="Without it bots and live hints wait.")]
    lacking: Annotated[list[Lack], Meta(description="What is lacking, the gravest first.")]


class MissingRules(Struct, frozen=True):
    """The rules that a game was begun under, where the service does not have them."""

    title: str
    """The id of the title."""
    version: int | None
    """The version of the title's rules."""
    data_hash: str | None
    """The hash of the title's static data (hex)."""


_CLAUSE = "Where the rule stands that refuses it: an address under `GET /v1/titles/{title}/rules`."


class Problem(Struct, frozen=True, kw_only=True):
    """An error (RFC 9457). `code` is stable, `detail` says what to do, `errors` is by field."""

    type: str
    """The address of the description of the code, relative to the server."""
    title: str
    """The name of the status, such as `Conflict`."""
    status: int
    """The status of the answer."""
    detail: str
    """What is wrong and what to do, in a sentence for people."""
    instance: str | UnsetType = UNSET
    """The request id, as `X-Request-ID` has it. Quote it when you report the error."""
    code: Annotated[str, component_meta("ProblemCode")]
    """A stable word for the error."""
    errors: Annotated[Object | UnsetType, component_meta("FieldErrors")] = UNSET
    """What is wrong, by field."""
    seq: Seq | UnsetType = UNSET
    """With `version_conflict`: the number of the newest event."""
    clause: Annotated[str | UnsetType, Meta(description=_CLAUSE)] = UNSET
    missing: MissingRules | UnsetType = UNSET
    """With `rules_missing`: the rules that are missing."""
    id: Annotated[Uuid | UnsetType, Meta(description="With `already_shown`: what to revoke.")] = UNSET
    scope: Annotated[str | UnsetType, Meta(description="With `missing_scope`: which one.")] = UNSET
    until: Time | UnsetType = UNSET


ANSWERS = (
    AccountMade, AccountsFound, ServiceAccounts, TokenList, TokenMade, TokenRotated, TokensTested,
    RecoveryCodes, Recovery, Recovered, Export, Account,
    Me, GamesPage, Summary, Game, DecisionsPage, Happened, EventsPage, Event, HistoryPage, Table,
    ExportedGame,
    TitlesPage, Title, Ladder, Rules, PositionTold, Roster, Vacation, ReceiptGiven, KeysPage,
    InvitationMade, InvitationsPage, Club, ClubsPage, Member, MembersPage,
    Advice, Judged, WarOdds, WarEnds, OddsPending, Origin, Reference, StreamMessage, Nothing, Turn,
    AccountMessage, TurnList,
    Notice, NoticeList,
    Profile, RatingsPage, Leaderboard, GameRating, RatedGame, NoteList, Note,
    Webhook, WebhookMade, WebhookList, Delivery, DeliveryList,
    Health, Readiness, Problem,
)  # fmt: skip
