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
    name: Annotated[str, Meta(description="Anybody may have the same; in NFKC.", examples=["Vasco da Gama"])]
    handle: Annotated[str | None, Meta(description="Nobody else has it.", examples=["vasco"])]
    kind: Kind
    owner: Uuid | None
    reliability: Annotated[Percent | UnsetType, Meta(description=_RELIABILITY)] = UNSET


POOL = r"^[a-z][a-z0-9_]{0,39}[.](2|3-4|5-6|7[+])[.](live|correspondence)$"
Pool = Annotated[str, Meta(pattern=POOL, examples=["colonial_empires.3-4.live"])]


class Rating(Struct, frozen=True):
    """The strength of a player in one pool: a title, a number of seats, a tempo."""

    pool: Pool
    rating: Annotated[int, Meta(description="1500 + 40 (mu - 25).", examples=[1612])]
    deviation: Annotated[int, Meta(ge=0, description="How far off it may be: 40 sigma.", examples=[140])]
    provisional: Annotated[bool, Meta(description="Whether it says little yet: few games, or uncertain.")]
    games: Annotated[int, Meta(ge=0, description="How many count.", examples=[31])]


class RatingsPage(Struct, frozen=True):
    """The ratings of an account."""

    ratings: list[Rating]


class Leader(Struct, frozen=True):
    """A place of a leaderboard."""

    rank: Annotated[int, Meta(ge=1)]
    account: Uuid
    name: str
    handle: str | None
    kind: Kind
    rating: int
    deviation: int
    games: int


class Leaderboard(Struct, frozen=True):
    """The best of a pool."""

    pool: Pool
    ratings: list[Leader]
    next: Annotated[str | None, Meta(description="The address of the next part; null: that was all.")]


class RatingAt(Struct, frozen=True):
    """A rating before a game, or after it."""

    rating: int
    deviation: int
    games: int


class RatingChange(Struct, frozen=True):
    """The change that a game made to the rating of one of its players."""

    seat: Annotated[int, Meta(ge=0, le=99)]
    place: Annotated[int, Meta(ge=1, description="Among the people; bots are left out.")]
    before: RatingAt
    after: RatingAt


RatingStatus = Literal["pending", "rated", "unrated", "void"]
_UNRATED = (
    "Why it does not count: `abandoned`, `analysis`, `unrated` (its maker did not want it to), `untimed`,"
    " `too_short`, `too_few_people`, `one_player` (with several seats), `fault` (of ours)."
)


class GameRating(Struct, frozen=True):
    """The changes that a game made to ratings; `void`: a ruling of its tournament has taken it out."""

    game: Uuid
    status: RatingStatus
    why: Annotated[str | None, Meta(description=_UNRATED)]
    pool: Pool | None
    changes: list[RatingChange]


class ModelLevel(Struct, frozen=True):
    """The strength of a player as the rating model has it: mean and standard deviation."""

    mu: float
    sigma: float


class RatedGame(Struct, frozen=True):
    """A game that counts: a line of the export. Lists are in the order of seats."""

    position: Annotated[int, Meta(ge=1, description="Of its end in the log of all games: their order.")]
    game: Annotated[Uuid | None, Meta(description="Null where it is unlisted.")]
    head: Annotated[str | None, Meta(description="The hash of its last event.")]
    at: Time
    pool: Pool
    model: Annotated[str, Meta(examples=["pl-1"])]
    subjects: Annotated[list[Uuid], Meta(description="Names that say nothing of whom they stand for.")]
    places: list[int]
    months: Annotated[list[int], Meta(description="Whole months of 30 days since the last game of each.")]
    before: list[ModelLevel]
    after: list[ModelLevel]


class TitleResults(Struct, frozen=True):
    """The results of a player's public games of one title, of those whose end everybody may know."""

    title: str
    finished: Annotated[int, Meta(ge=0, description="So many the rules have ended.")]
    won: Annotated[int, Meta(ge=0, description="So many of them were won, alone or with others.")]
    abandoned: Annotated[int, Meta(ge=0)]


class Profile(Account, frozen=True, kw_only=True):
    """An account with what it has played, as everybody may see it."""

    ratings: list[Rating]
    results: Annotated[list[TitleResults], Meta(description="By title.")]


class Note(Struct, frozen=True):
    """A note of mine, on an event or on the game as a whole."""

    event: Annotated[int | None, Meta(description="To which event; null: to the game as a whole.")]
    text: str


class NoteList(Struct, frozen=True):
    """My notes to a game."""

    version: Annotated[int, Meta(ge=0, description="How often they were changed.")]
    notes: list[Note]
    changed_at: Time | None


class AccountsFound(Struct, frozen=True):
    """The account that has a handle, if there is one."""

    accounts: list[Account]
    next: None


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
    token: Secret


class ServiceAccounts(Struct, frozen=True):
    """My service accounts."""

    accounts: list[Account]


class Token(Struct, frozen=True, kw_only=True):
    """One of my tokens; the secret itself is not kept."""

    id: Uuid
    label: Annotated[str, Meta(examples=["my phone"])]
    kind: Kind
    scopes: Annotated[list[str], Meta(examples=[["game:read", "game:play"]])]
    games: Annotated[list[Uuid] | None, Meta(description="The only games that it is good for; null: all.")]
    created_at: Time
    last_used_at: Annotated[str | None, Meta(description="To the minute; null: not yet.")]
    expires_at: str | None


class TokenList(Struct, frozen=True):
    """My tokens, oldest first."""

    tokens: list[Token]


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
    id: Uuid | None = None
    account: Uuid | None = None
    scopes: list[str] | None = None
    games: list[Uuid] | None = None


class TokensTested(Struct, frozen=True):
    """The tokens in the order in which they were sent."""

    tokens: list[Tested]


class RecoveryCodes(Struct, frozen=True):
    """Ten codes that open the account once each when its tokens are lost. They are shown this once."""

    id: Uuid
    codes: Annotated[list[str], Meta(examples=[["7QK2M-0XR9T-B4HNE-5ZVJA"]])]


class Recovery(Struct, frozen=True):
    """The state of my recovery codes."""

    id: Annotated[Uuid | None, Meta(description="Of the ten that were shown last; null without any.")]
    left: Annotated[int, Meta(description="How many of them can still be used.")]
    made_at: str | None


class Recovered(Struct, frozen=True):
    """An account that is open again; all tokens that it had are revoked."""

    account: Account
    id: Annotated[Uuid, Meta(description="Of the token.")]
    token: Secret
    codes_left: int
    effective_within_ms: Within


class Export(Struct, frozen=True, kw_only=True):
    """All that is stored about an account."""

    account: Row
    handles: list[Row]
    tokens: list[Token]
    recovery: Recovery
    service_accounts: list[Account]
    seats: Annotated[list[Row], Meta(description="What it holds, or claimed; seat -1: it made the game.")]
    directs: Annotated[list[Row], Meta(description="Which games it directs.")]
    entries: Annotated[list[Row], Meta(description="Which tournaments it entered.")]
    runs: Annotated[list[Row], Meta(description="Which tournaments it runs.")]
    reservations: Annotated[list[Row], Meta(description="Which seats are kept for it.")]
    invitations: Annotated[list[Row], Meta(description="Those that it made, to games and clubs.")]
    clubs: Annotated[list[Row], Meta(description="To which it belongs, and as what.")]
    texts: Annotated[list[Row], Meta(description="What it wrote beside commands.")]
    vacations: list[Row]
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
_LEFT = "True where I have left it and may come back: `table_return`."


class Seat(Struct, frozen=True, kw_only=True):
    """A seat: an account's (`account`, `name`, `handle`, `kind`), a bot's (`bot`), `open`, or `vacant`.

    Vacant is a seat of a game that runs. Whose account was deleted has a `name` only.
    """

    seat: SeatNumber
    label: Annotated[str, Meta(description="What the seat is called in this title, such as its empire.")]
    you: bool
    account: Uuid | UnsetType = UNSET
    name: str | UnsetType = UNSET
    handle: str | UnsetType = UNSET
    kind: Kind | UnsetType = UNSET
    bot: str | UnsetType = UNSET
    open: bool | UnsetType = UNSET
    invited: Annotated[Literal["me", "somebody"] | UnsetType, Meta(description=_INVITED)] = UNSET
    vacant: bool | UnsetType = UNSET
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
    title: str
    version: int
    status: Status
    seats: list[Seat]
    seq: Seq
    analysis: bool
    created_at: Time
    waiting_for: list[SeatNumber]
    outcome: Outcome | None
    deadline: Annotated[Time | None, Meta(description="Until when the first seat must answer.")]
    visibility: Visibility
    tournament: Annotated[TableOf | None, Meta(description="Of which it is a game, or null.")] = None
    origin: Annotated[ForkOf | None, Meta(description="Of a fork; else null.")] = None
    frozen: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description=_FROZEN)] | UnsetType = UNSET


class BeaconTerms(Struct, frozen=True):
    """A public source of randomness that contributes."""

    chain: Hex32
    after: int


class Opening(Struct, frozen=True, kw_only=True):
    """The terms and contributions that lead to the beginning of a game that has not begun."""

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


class Paused(Struct, frozen=True):
    """A pause: until when at the latest, by whose command (as in events), why."""

    until: Time
    by: str
    cause: str


class OpenOffer(Struct, frozen=True):
    """A proposal of a seat to the others that stands open: `table_answer` answers it."""

    offer: int
    what: str
    by: Annotated[str, Meta(description="As in events: `p0`.")]
    until: Time | None
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
    on: Annotated[bool, Meta(description="Whether its time runs now.")]
    left_ms: Annotated[
        int, Meta(ge=0, description="Live: all it has; else its bank. Booked when it answers.")
    ]
    deadline: Annotated[Time | None, Meta(description="When its time is up; null while it does not run.")]


_NOW = "The time of the service, to tell by how much one's own differs; absent in a view of the past."


class Clock(Struct, frozen=True, kw_only=True):
    """The clocks of a game."""

    settings: Live | Correspondence
    seats: list[SeatClock]
    now: Annotated[Time | UnsetType, Meta(description=_NOW)] = UNSET


class Origin(Struct, frozen=True):
    """The game and event from which a fork begins."""

    game: Uuid
    seq: Seq


_DELAY = "How much later those see it who neither play nor direct it; null: at once."


_AFTER = "The event after which it stands so: the newest that I may see, or that of `at`."


class GameFacts(Struct, frozen=True, kw_only=True):
    """The members that a game and its line in an export have in common."""

    id: Uuid
    title: str
    version: int
    status: Status
    options: Options
    seats: list[Seat]
    seq: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description=_AFTER)]
    analysis: bool
    origin: Annotated[ForkOf | None, Meta(description="Of a fork; else null.")]
    created_at: Time
    outcome: Outcome | None
    ended_by: Annotated[Literal["rules", "abandoned"] | None, Meta(description="Null while it can go on.")]
    rated: Annotated[bool, Meta(description="Whether its result counts for ratings.")]
    visibility: Visibility = "public"
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
    directors: Annotated[int | None, Meta(description="How many direct it; null: whoever made it does.")]
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
    cursor: Annotated[str, Meta(description=CURSOR)]


class Named(Struct, frozen=True):
    """The name that the log has for me at one of my seats, and the salt that proves it."""

    seat: SeatNumber
    who: Who
    salt: Salt


class Roster(Struct, frozen=True):
    """The names that the log has for me at my seats."""

    seats: list[Named]


class Invitation(Struct, frozen=True, kw_only=True):
    """An invitation to a game or a club; the secret itself is not kept."""

    id: Uuid
    seat: Annotated[SeatNumber | None, Meta(description="The only seat that it is for; null: any.")]
    uses: Annotated[int, Meta(ge=1, le=100, description="How often it can be used.")]
    used: Annotated[int, Meta(ge=0, description="How often it was.")]
    made_at: Time
    expires_at: Time


class InvitationsPage(Struct, frozen=True):
    """Invitations, oldest first."""

    invitations: list[Invitation]


class InvitationMade(Invitation, frozen=True, kw_only=True):
    """A new invitation with its secret, which is shown this once."""

    invitation: Annotated[
        str,
        Meta(
            description="Whoever has it sends it when he joins. It is shown this once.",
            examples=["inv_5q3wVnT0yLrPzXh8kJd2GmBcFs7aEuN9tQoRiYv4W1K0x2mK9b"],
        ),
    ]


Role = Literal["owner", "manager", "member"]


class Club(Struct, frozen=True, kw_only=True):
    """A club that I belong to."""

    id: Uuid
    name: str
    role: Annotated[Role, Meta(description="What I am there.")]
    members: Annotated[int, Meta(description="How many belong to it.")]
    made_at: Time


class ClubsPage(Struct, frozen=True):
    """The clubs that I belong to, oldest first."""

    clubs: list[Club]


class Member(Struct, frozen=True, kw_only=True):
    """Somebody who belongs to a club."""

    account: Account
    role: Role
    since: Time


class MembersPage(Struct, frozen=True):
    """The members of a club, the longest-standing first."""

    members: list[Member]


class GamesPage(Struct, frozen=True):
    """Games, newest first."""

    games: list[Summary]
    next: str | None


class Me(Struct, frozen=True):
    """My account, and the games where I sit."""

    account: Account
    games: list[Summary]


class Vacation(Struct, frozen=True, rename={"begins": "from"}):
    """The time of my vacation, null where I am not away, and how much of this year's is left."""

    begins: Time | None
    until: Time | None
    left_ms: int


class Decision(Struct, frozen=True):
    """Something that the game waits for; with `free`, something that a seat may do although it does not."""

    seat: Annotated[SeatNumber | None, Meta(description="Who decides; null for the house.")]
    kind: str
    commands: Annotated[list[str], Meta(description="The types of command that answer it.")]
    deadline: Annotated[Time | None, Meta(description="When the seat's time is up; null: no time runs.")]
    free: bool
    ask: Annotated[str, Meta(description="What a player is to do, as a sentence.")] = ""


_REFS = (
    "What it names among the things that `/table` draws (`ref`), a list for each thing: with any ref of it"
    " one points at that thing."
)


class Legal(Struct, frozen=True):
    """A legal command of one of my seats: `command` can be posted as it stands."""

    seat: SeatNumber
    label: str
    command: Given
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
    """The decisions that a game waits for, and the commands that I may give."""

    title: str
    seq: Seq
    decisions: list[Decision]
    legal: list[Legal]
    complete: Annotated[bool, Meta(description="Whether `legal` is exhaustive; otherwise it is a selection.")]


class Turn(Struct, frozen=True):
    """A message of a live stream: the decisions a game now waits for, and what one of my seats may do."""

    game: Uuid
    title: str
    seat: SeatNumber
    seq: Seq
    decisions: list[Decision]
    legal: list[Legal]
    complete: Annotated[bool, Meta(description="Whether `legal` is exhaustive; otherwise it is a selection.")]


class Hidden(Struct, frozen=True):
    """A hidden part of an event: its digest, and what opens it where I may know it."""

    digest: str
    salt: str | UnsetType = UNSET
    fields: list[str] | UnsetType = UNSET


_TURN = (
    "The event after which `decisions` and `legal` are so: `seq`, unless the house or others have gone on."
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
    version: int
    budget: Annotated[int, Meta(description="How much it might think, in its own unit.")]
    simulations: Annotated[int, Meta(description="How many games it played out in its mind.")]
    thought_at: Annotated[Seq, Meta(description="The event after which it thought.")]
    weights: Annotated[
        str | None,
        Meta(description="SHA-256 of the weights that it thinks with; of an engine, of its files."),
    ]
    fallback: Annotated[bool | UnsetType, Meta(description="True for the title's default.")] = UNSET
    seed: Annotated[str | UnsetType, Meta(description="Once the game has ended.")] = UNSET


_BY = "Who caused it, as the log names him: `p0` ... a seat, `d0` ... a director, `sys` the house."


class Event(Struct, frozen=True, kw_only=True):
    """One event as I may see it: secret fields that I may know are in `data`, others are absent."""

    seq: Seq
    type: str
    data: Data
    by: Annotated[str, Meta(pattern="^(sys|[pd][0-9]+)$", description=_BY)]
    seat: Annotated[SeatNumber | None, Meta(description="The seat that caused it; null for any other.")]
    at: Time
    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    hidden: dict[str, Hidden]
    command: Annotated[Recorded | UnsetType, Meta(description="On the first event that it led to.")] = UNSET
    bot: BotRun | UnsetType = UNSET
    draws: Draws | UnsetType = UNSET
    text: Annotated[str | UnsetType, Meta(description="What a director wrote beside it.")] = UNSET
    clock: OnClocks | UnsetType = UNSET
    sig: Annotated[Signature | UnsetType, Meta(description="What its seat signed with.")] = UNSET


class Happened(Struct, frozen=True, kw_only=True):
    """The acknowledged result of a command: the receipt is for its last event.

    With `decisions=true` also what the game waits for after that, and what my seat may do.
    """

    title: str
    seq: Seq
    events: list[Event]
    receipt: Receipt
    decisions: list[Decision] | UnsetType = UNSET
    legal: list[Legal] | UnsetType = UNSET
    complete: bool | UnsetType = UNSET
    decisions_seq: Annotated[Seq | UnsetType, Meta(description=_TURN)] = UNSET


class ReceiptGiven(Struct, frozen=True):
    """A receipt for the newest event of a game."""

    receipt: Receipt


class EventsPage(Struct, frozen=True):
    """A page of the log; `seq` is the newest event of the game."""

    title: str
    events: list[Event]
    seq: Seq
    next: str | None


class Line(Struct, frozen=True):
    """One sentence of the history."""

    seq: Seq
    text: str
    by: Annotated[str | UnsetType, Meta(description=_BY)] = UNSET
    command: Annotated[str | UnsetType, Meta(description="Equal for all events of one command.")] = UNSET
    begins: Annotated[str | UnsetType, Meta(description="`turn` where a turn of the game begins.")] = UNSET
    at: Time | UnsetType = UNSET


class HistoryPage(Struct, frozen=True):
    """A page of the history; `seq` is the newest event of the game."""

    history: list[Line]
    seq: Seq
    next: str | None


class Table(Struct, frozen=True):
    """The view, laid out for a page."""

    seq: Seq
    panels: list[Annotated[Object, component_meta("Panel")]]
    game: Annotated[Game | UnsetType, Meta(description="Without its view; only where `after` was given.")] = (
        UNSET
    )
    decisions: Annotated[DecisionsPage | UnsetType, Meta(description="Only where `after` was given.")] = UNSET
    history: Annotated[HistoryPage | UnsetType, Meta(description="Only where `after` was given.")] = UNSET


class SeatRange(Struct, frozen=True):
    """Least and most seats."""

    min: int
    max: int


class TitleSummary(Struct, frozen=True):
    """A title at a glance."""

    id: str
    name: str
    version: Annotated[int, Meta(description="New games begin under the newest.")]
    seats: SeatRange
    bots: list[str]
    versions: Annotated[list[int], Meta(description="Those that games can be in, the newest first.")]


class TitlesPage(Struct, frozen=True):
    """The titles that are served."""

    titles: list[TitleSummary]
    next: None


class Rung(Struct, frozen=True):
    """A level of bots at one size of table, and how strong it is there."""

    name: Annotated[str, Meta(examples=["steady"])]
    version: Annotated[int, Meta(description="Another one may move otherwise.")]
    budget: Annotated[int, Meta(ge=0, description="How many games it may play out in its mind for a move.")]
    weights: Annotated[str | None, Meta(description="SHA-256 of the fitted weights that it thinks with.")]
    games: Annotated[int, Meta(ge=0, description="In which it played.")]
    score: Annotated[float, Meta(ge=0, le=1, description="The share of opponents that it left behind.")]
    elo: Annotated[int, Meta(description="Points above `random`: 400 are odds of ten to one.")]
    low: Annotated[int, Meta(description="The lower end of the 95 % interval; deals count, not games.")]
    high: int


class PairResult(Struct, frozen=True):
    """The results of a level that played at each seat in turn, with others of one kind at the rest."""

    challenger: Annotated[str, Meta(description="Name and version.", examples=["steady@2"])]
    other: str
    deals: Annotated[int, Meta(ge=1, description="Each was played from every seat.")]
    games: Annotated[int, Meta(ge=1)]
    won: Annotated[float, Meta(ge=0, description="By the challenger; a shared victory counts in part.")]
    share: Annotated[float, Meta(ge=0, le=1, description="Of the games that it won.")]
    low: Annotated[float, Meta(ge=0, le=1, description="The lower end of the 95 % interval of `share`.")]
    high: Annotated[float, Meta(ge=0, le=1)]
    luck: Annotated[float, Meta(ge=0, le=1, description="The `share` of somebody as good as the others.")]
    beaten: Annotated[float, Meta(ge=0, le=1, description="The share of the others that it left behind.")]
    elo: Annotated[int, Meta(description="Points above the others, by `beaten`; at most 1200 are told.")]
    elo_low: int
    elo_high: int


class LadderTable(Struct, frozen=True):
    """The ladder at one size of table."""

    seats: Annotated[int, Meta(ge=1)]
    rules: Annotated[int, Meta(description="The version of the title that was played.")]
    levels: Annotated[list[Rung], Meta(description="The weakest first.")]
    pairs: list[PairResult]


class Ladder(Struct, frozen=True):
    """The distances between the levels of a title's bots, as far as they were measured."""

    title: str
    tables: Annotated[list[LadderTable], Meta(description="The smallest first; none where none was played.")]


class Title(TitleSummary, frozen=True):
    """All that a client may need to know of a title."""

    data_hash: str
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
    version: int
    clauses: list[Clause]


class PositionTold(Struct, frozen=True, kw_only=True):
    """The whole position of a game, with what `POST /v1/games` needs to begin another one from it."""

    game: Uuid
    seq: Annotated[
        int, Meta(ge=1, le=MAX_INTEGER, description="The last event of the command that led to it.")
    ]
    title: str
    version: int
    options: Options
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


class OddsPending(Struct, frozen=True):
    """The simulation is under way: ask again after `Retry-After` seconds."""

    status: Literal["pending"]


class Judged(Struct, frozen=True):
    """A command that a bot has thought about."""

    command: Given
    label: str
    games: Annotated[int, Meta(ge=0, description="That it played out in its mind with this command.")]
    chance: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        Meta(description="To win, in those games; null where it played none out."),
    ]
    chosen: Annotated[bool, Meta(description="Whether the bot would do this.")]


class Advice(Struct, frozen=True):
    """The commands that a bot has thought about, the likeliest to win first."""

    status: Literal["ready"]
    seq: Seq
    seat: SeatNumber
    bot: str
    simulations: Annotated[int, Meta(ge=0, description="Games that it played out in its mind in all.")]
    candidates: list[Judged]


class WarEnds(Struct, frozen=True, kw_only=True):
    """The outcomes of a war in so many simulations: the number of each, and the losses of both sides."""

    attacker: SeatNumber
    defender: SeatNumber
    allowed: Annotated[bool, Meta(description="Whether Diplomacy permits the declaration.")]
    shared_territories: list[str]
    simulations: int
    victory: int
    defeat: int
    draw: int
    years: Annotated[dict[str, int], Meta(description="How often it lasted so many years.")]
    losses: Annotated[dict[str, int], Meta(description="Of both sides, in all simulations together.")]


class WarOdds(Struct, frozen=True):
    """The odds of a war, from what the asking seat may know."""

    status: Literal["ready"]
    seq: Seq
    seat: SeatNumber
    target: SeatNumber
    odds: Annotated[Object, component_meta("WarEnds")]


def json_text_schema(*components: str) -> Object:
    """Return a text that holds JSON as one of *components* describes it."""
    forms = [{"$ref": f"#/components/schemas/{name}"} for name in components]
    return {"contentMediaType": "application/json", "contentSchema": {"anyOf": forms}}


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object: `closing` has nothing more to say."""


class StreamMessage(Struct, frozen=True, kw_only=True):
    """A message of a live stream. Only events carry an `id`, which is their seq."""

    event: Literal["game", "event", "turn", "closing"]
    data: Annotated[
        str,
        Meta(
            description="JSON: the game, the event, or a `Turn`.",
            extra_json_schema=json_text_schema("Game", "Event", "Turn", "Nothing"),
        ),
    ]
    id: str | UnsetType = UNSET


class Awaited(Struct, frozen=True):
    """A seat of mine that its game waits for."""

    game: Uuid
    title: str
    seat: SeatNumber
    kinds: Annotated[list[str], Meta(description="Of the decisions that are awaited.")]
    deadline: Annotated[Time | None, Meta(description="When its time is up; null: no time runs.")]
    since: Annotated[Time, Meta(description="Since when it has been awaited.")]
    tournament: Annotated[Uuid | None, Meta(description="Of which it is a game, or null.")] = None


class TurnList(Struct, frozen=True):
    """The seats of mine that games wait for, by deadline; those without come last."""

    turns: list[Awaited]
    next: str | None


_POSITION = "Its number among all that my account was told: 1, 2, 3 ..., without a gap."
_NOTICE_DATA = "Numbers and words, such as `seat`, `deadline`, `reason`; nothing secret."


class Notice(Struct, frozen=True, kw_only=True):
    """Something that my account was told, about a `game`, a `tournament` or a `webhook`."""

    position: Annotated[int, Meta(ge=1, le=MAX_INTEGER, description=_POSITION)]
    type: NoticeType
    game: Uuid | UnsetType = UNSET
    tournament: Uuid | UnsetType = UNSET
    webhook: Uuid | UnsetType = UNSET
    seq: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description="The event that led to it.")]
    at: Time
    data: Annotated[Row, Meta(description=_NOTICE_DATA)]


class NoticeList(Struct, frozen=True):
    """The notices of my account, the oldest first."""

    notices: list[Notice]
    next: str | None


class Webhook(Struct, frozen=True):
    """An address that is called when I am told something."""

    id: Uuid
    url: str
    types: list[NoticeType]
    game: Annotated[Uuid | None, Meta(description="Only what this game tells; null: all games.")]
    tournament: Annotated[Uuid | None, Meta(description="Only what this one tells; null: everything.")]
    enabled: bool
    disabled_for: Annotated[
        Literal["gone", "failing"] | None,
        Meta(description="Why the service disabled it: it answered 410, or nothing arrived for five days."),
    ]
    failing_since: Annotated[Time | None, Meta(description="Null: the last call arrived.")]
    made_at: Time


class WebhookMade(Webhook, frozen=True, kw_only=True):
    """A webhook with its secret, which is shown this once."""

    secret: Annotated[str, Meta(examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="])]


class WebhookList(Struct, frozen=True):
    """My webhooks, the oldest first."""

    webhooks: list[Webhook]


class Delivery(Struct, frozen=True, kw_only=True):
    """A call to a webhook."""

    id: Annotated[str, Meta(description="The `webhook-id`, at every try the same.")]
    position: Annotated[int, Meta(ge=1, le=MAX_INTEGER, description="Of the notice.")]
    type: NoticeType
    game: Uuid | UnsetType = UNSET
    tournament: Uuid | UnsetType = UNSET
    status: Annotated[Literal["waiting", "delivered", "dead"], Meta(description="`dead`: it was given up.")]
    tries: int
    next_at: Annotated[Time | None, Meta(description="When it is tried next; null: not any more.")]
    answer: Annotated[int | None, Meta(description="The status of the last answer; null without one.")]
    error: Annotated[str | None, Meta(description="Why the last try failed.")]


class DeliveryList(Struct, frozen=True):
    """Calls to a webhook, the oldest first."""

    deliveries: list[Delivery]
    next: str | None


class AccountMessage(Struct, frozen=True, kw_only=True):
    """A message of an account's live stream. Turns and notices carry an `id` to go on after."""

    event: Literal["turns", "turn", "closing"] | NoticeType
    data: Annotated[
        str,
        Meta(
            description="JSON: a `TurnList`, a `Turn`, a `Notice`, or nothing.",
            extra_json_schema=json_text_schema("TurnList", "Turn", "Notice", "Nothing"),
        ),
    ]
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
    detail: str
    seconds: Annotated[float | UnsetType, Meta(description="For how long.")] = UNSET
    count: Annotated[int | UnsetType, Meta(description="How many.")] = UNSET


class Readiness(Struct, frozen=True, kw_only=True):
    """The readiness of this host to carry out commands, and what else is lacking.

    `degraded`: people play, but not everything beside them works.
    """

    status: Literal["ready", "degraded", "not_ready"]
    database: Literal["ok", "away", "not_migrated", "read_only"]
    redis: Annotated[Literal["ok", "away"], Meta(description="Without it bots and live hints wait.")]
    lacking: Annotated[list[Lack], Meta(description="What is lacking, the gravest first.")]


class MissingRules(Struct, frozen=True):
    """The rules that a game was begun under, where the service does not have them."""

    title: str
    version: int | None
    data_hash: str | None


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
    errors: Annotated[Object | UnsetType, component_meta("FieldErrors")] = UNSET
    seq: Seq | UnsetType = UNSET
    clause: Annotated[str | UnsetType, Meta(description=_CLAUSE)] = UNSET
    missing: MissingRules | UnsetType = UNSET
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
