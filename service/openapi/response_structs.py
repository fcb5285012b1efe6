"""The answers that clients rely on: from these Structs the API description is generated."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from events.clocks.absence_policy import Absence
from events.clocks.clock import CorrespondenceClock, LiveClock
from events.proof.canonical import MAX_INTEGER
from events.rules.kit.pointing import Hint
from events.rules.title import Outcome
from events.table.record import Draws, Signature
from events.table.terms import Delay, Seating, Talk, Undo
from events.table.tournament_link import Reference
from projections.read_models.notices import NoticeType
from service.base.visibility import Visibility

Seq = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
Uuid = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Time = Annotated[
    str, Meta(description="A time in RFC 3339, in UTC.", extra_json_schema={"format": "date-time"})
]
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
Members = Annotated[Object, component_meta("Members")]
Position = Annotated[Object, component_meta("Position")]
Board = Annotated[Object, component_meta("Board")]
Schema = Annotated[Object, component_meta("JsonSchema")]
TableOf = Annotated[Object, component_meta("Reference")]
ForkOf = Annotated[Object, component_meta("Origin")]


Kind = Literal["personal", "service"]


Percent = Annotated[int, Meta(ge=0, le=100)]
_RELIABILITY = (
    "The percentage of decisions in games with a clock that the account answered in time. It covers the "
    "newest 1000 decisions of the last 90 days. With fewer than 20 decisions it is 100."
)


class Account(Struct, frozen=True):
    """The account of a person (`personal`), or of a program (`service`) of the account `owner`."""

    id: Uuid
    """The id of the account."""
    name: Annotated[
        str,
        Meta(
            description="The display name, in NFKC. Several accounts can have the same.",
            examples=["Vasco da Gama"],
        ),
    ]
    handle: Annotated[
        str | None, Meta(description="The unique handle, or null without one.", examples=["vasco"])
    ]
    kind: Kind
    """`personal` for a person, `service` for a program."""
    owner: Uuid | None
    """The id of the account that owns a service account, otherwise null."""
    reliability: Annotated[Percent | UnsetType, Meta(description=_RELIABILITY)] = UNSET


POOL = r"^[a-z][a-z0-9_]{0,39}[.](2|3-4|5-6|7[+])[.](live|correspondence)$"
Pool = Annotated[str, Meta(pattern=POOL, examples=["colonial_empires.3-4.live"])]


RatingPoints = Annotated[int, Meta(description="1500 + 40 (mu - 25).", examples=[1612])]
Deviation = Annotated[int, Meta(ge=0, description="The uncertainty of the rating: 40 sigma.", examples=[140])]
Provisional = Annotated[
    bool, Meta(description="True if the rating says little yet, because of few games or a large deviation.")
]
CountedGames = Annotated[int, Meta(ge=0, description="The number of games that count.", examples=[31])]


class Rating(Struct, frozen=True):
    """The strength of a player in one pool: a title, a number of seats, a tempo."""

    pool: Pool
    """The pool: a title, a number of seats and a tempo."""
    rating: RatingPoints
    deviation: Deviation
    provisional: Provisional
    games: CountedGames


class RatingsPage(Struct, frozen=True):
    """The ratings of an account."""

    ratings: list[Rating]
    """The ratings, one for each pool."""


class BotRating(Struct, frozen=True):
    """The strength of a version of a bot, from its games with people."""

    bot: Annotated[str, Meta(description="The name of the bot or the engine.", examples=["strong"])]
    version: int
    """The version of the bot. Each version has a rating of its own."""
    seats: Annotated[str, Meta(description="The numbers of seats: `2`, `3-4`, `5-6` or `7+`.")]
    rating: RatingPoints
    deviation: Deviation
    provisional: Provisional
    games: CountedGames


class BotRatings(Struct, frozen=True):
    """The ratings of the bots of a title."""

    title: str
    """The id of the title."""
    bots: list[BotRating]
    """The ratings by number of seats, the best first. Versions without a game that counts are left out."""


class Leader(Struct, frozen=True):
    """A place of a leaderboard."""

    rank: Annotated[int, Meta(ge=1)]
    """The rank, from 1. Equal players share it."""
    account: Uuid
    """The id of the account."""
    name: str
    """The display name."""
    handle: str | None
    """The unique handle, or null without one."""
    kind: Kind
    """The kind of the account."""
    rating: int
    """The rating that the list is sorted by."""
    deviation: int
    """The uncertainty of the rating."""
    games: int
    """The number of games that count."""


class Leaderboard(Struct, frozen=True):
    """The best players of a pool."""

    pool: Pool
    """The pool: a title, a number of seats and a tempo."""
    ratings: list[Leader]
    """The best players, in order."""
    next: Annotated[str | None, Meta(description="The address of the next page, or null on the last page.")]


class RatingAt(Struct, frozen=True):
    """A rating before a game, or after it."""

    rating: int
    """The rating at that time."""
    deviation: int
    """The uncertainty of the rating."""
    games: int
    """The number of games that count."""


class RatingChange(Struct, frozen=True):
    """The change that a game made to the rating of one of its players."""

    seat: Annotated[int, Meta(ge=0, le=99)]
    """The number of the seat: 0, 1, 2 and so on."""
    place: Annotated[int, Meta(ge=1, description="The place among the people; bots do not count.")]
    before: RatingAt
    """The rating before the game."""
    after: RatingAt
    """The rating after the game."""


RatingStatus = Literal["pending", "rated", "unrated", "void"]
_UNRATED = (
    "The reason if it does not count: `abandoned`, `analysis`, `unrated` (by its creator), `untimed` (and in "
    "no tournament), `too_short`, `too_few_people` or `one_player` (with several seats)."
)


class GameRating(Struct, frozen=True):
    """The changes that a game made to ratings. `void` means that a ruling of its tournament excluded it."""

    game: Uuid
    """The id of the game."""
    status: RatingStatus
    """The state of the game for ratings."""
    why: Annotated[str | None, Meta(description=_UNRATED)]
    pool: Pool | None
    """The pool in which the game counts, or null."""
    changes: list[RatingChange]
    """The changes, seat by seat."""


class ModelLevel(Struct, frozen=True):
    """The strength of a player in the rating model: mean and standard deviation."""

    mu: float
    """The mean of the strength."""
    sigma: float
    """The standard deviation."""


class RatedGame(Struct, frozen=True):
    """A game that counts: a line of the export. Lists are in the order of seats."""

    position: Annotated[
        int, Meta(ge=1, description="The place of its end in the log of all games, which orders the games.")
    ]
    game: Annotated[Uuid | None, Meta(description="The id of the game, or null if it is unlisted.")]
    head: Annotated[str | None, Meta(description="The hash of the last event of the game.")]
    at: Time
    pool: Pool
    """The pool: a title, a number of seats and a tempo."""
    model: Annotated[str, Meta(examples=["pl-1"])]
    """The name of the rating model."""
    subjects: Annotated[list[Uuid], Meta(description="Pseudonyms of the players.")]
    places: list[int]
    """The place of each seat."""
    months: Annotated[
        list[int], Meta(description="For each player, the whole months of 30 days since the last game.")
    ]
    before: list[ModelLevel]
    """The level of each seat before the game."""
    after: list[ModelLevel]
    """The level of each seat after the game."""
    recounted: Annotated[
        int, Meta(ge=0, description="Position of the newest ruling that voided a game of the pool; 0: none.")
    ]


class TitleResults(Struct, frozen=True):
    """The results of a player's public games of one title, as far as everybody can see their end."""

    title: str
    """The id of the title."""
    finished: Annotated[int, Meta(ge=0, description="The number of games that the rules have ended.")]
    won: Annotated[
        int, Meta(ge=0, description="The number of these games that the player won, alone or with others.")
    ]
    abandoned: Annotated[int, Meta(ge=0)]
    """The number of games that ended without a result."""


class Profile(Account, frozen=True, kw_only=True):
    """The public profile of an account."""

    ratings: list[Rating]
    """The ratings, one for each pool."""
    results: Annotated[list[TitleResults], Meta(description="The results, by title.")]


class Note(Struct, frozen=True):
    """A note, on an event or on the game as a whole."""

    event: Annotated[
        int | None, Meta(description="The event that the note is about, or null for the game as a whole.")
    ]
    text: str
    """The text of the note."""


class NoteList(Struct, frozen=True):
    """Your notes to a game."""

    version: Annotated[int, Meta(ge=0, description="The number of changes to the notes.")]
    notes: list[Note]
    """Your notes on this game."""
    changed_at: Time | None
    """The time of the last change, or null without notes."""


class AccountsFound(Struct, frozen=True):
    """The account that has a handle, if there is one."""

    accounts: list[Account]
    """The account, or an empty list."""
    next: str | None
    """Always null: there is one page only."""


Secret = Annotated[
    str,
    Meta(
        description="Send it as `Authorization: Bearer <token>`. It is shown only once.",
        examples=["rut_5q3wVnT0yLrPzXh8kJd2GmBcFs7aEuN9tQoRiYv4W1K0x2mK9b"],
    ),
]
Within = Annotated[
    int,
    Meta(
        description="Milliseconds until every process refuses the old token: 1000, or 30000 without Redis.",
        examples=[1000],
    ),
]


class AccountMade(Struct, frozen=True):
    """A new account. Its token is shown only once."""

    account: Account
    """The account that you made."""
    token: Secret


class ServiceAccounts(Struct, frozen=True):
    """Your service accounts."""

    accounts: list[Account]
    """The service accounts."""


class Token(Struct, frozen=True, kw_only=True):
    """One of your tokens. The server does not store its secret."""

    id: Uuid
    """The id of the token, by which you revoke it."""
    label: Annotated[str, Meta(examples=["my phone"])]
    """The label that you gave it."""
    kind: Kind
    """The kind of the account that the token belongs to."""
    scopes: Annotated[list[str], Meta(examples=[["game:read", "game:play"]])]
    """The scopes of the token."""
    games: Annotated[
        list[Uuid] | None,
        Meta(description="The only games that the token is valid for, or null for all games."),
    ]
    created_at: Time
    last_used_at: Annotated[
        str | None, Meta(description="The last use, to the minute, or null if it was not used yet.")
    ]
    expires_at: str | None
    """The time when the token expires, or null if it does not."""


class TokenList(Struct, frozen=True):
    """Your tokens, oldest first."""

    tokens: list[Token]
    """The tokens of the account that are valid, oldest first."""


class TokenMade(Token, frozen=True, kw_only=True):
    """A new token with its secret, which is shown only once."""

    token: Secret


class TokenRotated(TokenMade, frozen=True, kw_only=True):
    """The new token that replaces another one. The old one stops working when its overlap is over."""

    effective_within_ms: Within


class Tested(Struct, frozen=True):
    """The properties of a token. If it is not valid, all other members are null."""

    well_formed: Annotated[
        bool, Meta(description="True if the text has the form of a token, without typing errors.")
    ]
    valid: bool
    """True if the token is known, not revoked and not expired."""
    id: Uuid | None = None
    """The id of the token."""
    account: Uuid | None = None
    """The id of the account that the token belongs to."""
    scopes: list[str] | None = None
    """The scopes of the token."""
    games: list[Uuid] | None = None
    """The only games that the token is valid for, or null for all games."""


class TokensTested(Struct, frozen=True):
    """The tokens in the order in which they were sent."""

    tokens: list[Tested]
    """The answers, in the order of the tokens that you sent."""


class RecoveryCodes(Struct, frozen=True):
    """Ten codes; each recovers the account once when its tokens are lost. They are shown only once."""

    id: Uuid
    """The id of this set of codes."""
    codes: Annotated[list[str], Meta(examples=[["7QK2M-0XR9T-B4HNE-5ZVJA"]])]
    """The codes, each good for one use."""


class Recovery(Struct, frozen=True):
    """The state of your recovery codes."""

    id: Annotated[Uuid | None, Meta(description="The id of the newest ten codes, or null without codes.")]
    left: Annotated[int, Meta(description="The number of codes that can still be used.")]
    made_at: str | None
    """The time when the codes were made, or null without codes."""
    earlier_left: int
    """The number of earlier codes that are still good, though newer ones replaced them."""
    earlier_until: str | None
    """The time when the last of the earlier codes ends, or null without any."""


class Recovered(Struct, frozen=True):
    """A recovered account; all its earlier tokens are revoked."""

    account: Account
    """The account that you recovered."""
    id: Annotated[Uuid, Meta(description="The id of the token.")]
    token: Secret
    codes_left: int
    """The number of codes that can still be used."""
    effective_within_ms: Within


class Export(Struct, frozen=True, kw_only=True):
    """Everything that is stored about an account."""

    account: Row
    """The account itself."""
    handles: list[Row]
    """The present and past handles of the account."""
    tokens: list[Token]
    """The tokens, without their secrets."""
    recovery: Recovery
    """The state of its recovery codes."""
    service_accounts: list[Account]
    """The service accounts that it owns."""
    seats: Annotated[
        list[Row],
        Meta(
            description="The seats that the account holds or claimed. Seat -1 means that it created the game."
        ),
    ]
    directs: Annotated[list[Row], Meta(description="The games that the account directs.")]
    entries: Annotated[list[Row], Meta(description="The tournaments that the account entered.")]
    runs: Annotated[list[Row], Meta(description="The tournaments that the account runs.")]
    reservations: Annotated[list[Row], Meta(description="The seats that are reserved for the account.")]
    invitations: Annotated[
        list[Row], Meta(description="The invitations that the account made, to games and clubs.")
    ]
    clubs: Annotated[list[Row], Meta(description="The clubs that the account belongs to, and its roles.")]
    texts: Annotated[
        list[Row], Meta(description="The texts that the account wrote with commands, and its messages.")
    ]
    heard: Annotated[list[Row], Meta(description="The whispers that the account may read.")]
    mutes: Annotated[list[Row], Meta(description="The accounts that the account muted.")]
    reports: Annotated[list[Row], Meta(description="The messages that the account reported.")]
    vacations: list[Row]
    """The vacations of the account."""
    reliability: Annotated[list[Row], Meta(description="The decisions of the account in games with a clock.")]
    notes: Annotated[list[Row], Meta(description="The notes of the account on games.")]
    bans: Annotated[
        list[Row], Meta(description="The bans of the account by the operator, and their reasons.")
    ]
    subjects: Annotated[list[Row], Meta(description="The pseudonym under which the account is rated.")]
    ratings: Annotated[list[Row], Meta(description="The changes that games made to its ratings.")]
    requests: Annotated[list[Row], Meta(description="The Idempotency-Keys of requests that created games.")]
    notices: Annotated[list[Row], Meta(description="The notices of the last 90 days.")]
    webhooks: Annotated[list[Row], Meta(description="The webhooks of the account.")]
    push_subscriptions: Annotated[
        list[Row], Meta(description="The browsers that get pushes, without their keys.")
    ]
    deliveries: Annotated[list[Row], Meta(description="The calls of the webhooks, and their results.")]
    secrets_shown: Annotated[
        list[Row], Meta(description="The Idempotency-Keys of requests that returned secrets.")
    ]


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


CURSOR = "Send it as `after` to continue after this line."


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


class Invitation(Struct, frozen=True, kw_only=True):
    """An invitation to a game or a club. The server does not store its secret."""

    id: Uuid
    """The id of the invitation, by which you revoke it."""
    seat: Annotated[
        SeatNumber | None, Meta(description="The only seat that the invitation is for, or null for any.")
    ]
    uses: Annotated[
        int, Meta(ge=1, le=100, description="The number of times that the invitation can be used.")
    ]
    used: Annotated[int, Meta(ge=0, description="The number of times that the invitation has been used.")]
    made_at: Time
    expires_at: Time


class InvitationsPage(Struct, frozen=True):
    """Invitations, oldest first."""

    invitations: list[Invitation]
    """The invitations that you can still revoke, oldest first."""


class InvitationMade(Invitation, frozen=True, kw_only=True):
    """A new invitation with its secret, which is shown only once."""

    invitation: Annotated[
        str,
        Meta(
            description="The secret that a player sends to join. It is shown only once.",
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
    role: Annotated[Role, Meta(description="Your role in the club.")]
    members: Annotated[int, Meta(description="The number of members.")]
    made_at: Time


class ClubsPage(Struct, frozen=True):
    """The clubs that you belong to, oldest first."""

    clubs: list[Club]
    """The clubs that you belong to, oldest first."""


class Member(Struct, frozen=True, kw_only=True):
    """A member of a club."""

    account: Account
    """The account that is a member."""
    role: Role
    """The role in the club."""
    since: Time


class MembersPage(Struct, frozen=True):
    """The members of a club, the oldest membership first."""

    members: list[Member]
    """The members of the club, the longest-standing first."""


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


class Vacation(Struct, frozen=True, rename={"begins": "from"}):
    """Your current or planned vacation, and the vacation that is left this year."""

    begins: Time | None
    """The beginning of the vacation, or null without one."""
    until: Time | None
    """The end of the vacation, or null without one."""
    left_ms: int
    """Milliseconds of vacation that are left this year."""


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


class SeatRange(Struct, frozen=True):
    """The least and the greatest number of players."""

    min: int
    """The least number of players."""
    max: int
    """The greatest number of players."""


class MinuteRange(Struct, frozen=True):
    """The length of a game, estimated from games of bots at 20 seconds a command."""

    min: int
    """The minutes at the smallest table."""
    max: int
    """The minutes at the largest table."""


class TitleAbout(Struct, frozen=True):
    """A title in short, for people who choose one."""

    sentence: str
    """The sentence that says what players do."""
    minutes: MinuteRange
    """The length of a game."""
    weight: Annotated[
        Literal["light", "medium", "heavy"], Meta(description="The number of its rules: few, more or many.")
    ]


class OptionWords(Struct, frozen=True):
    """An option in words for players."""

    name: str
    """The name of the option."""
    effect: str
    """The change that it makes."""
    values: Annotated[
        dict[str, str], Meta(description="The name of each value, by the value as JSON without quotes.")
    ]


class TitleSummary(Struct, frozen=True):
    """A title at a glance."""

    id: str
    """The id of the title, such as `colonies`."""
    name: str
    """The name of the title."""
    version: Annotated[int, Meta(description="The version of the rules. New games begin with the newest.")]
    seats: SeatRange
    """The possible numbers of players."""
    bots: list[str]
    """The bots that can play it, weakest first."""
    versions: Annotated[list[int], Meta(description="The versions that games can use, the newest first.")]
    about: Annotated[TitleAbout | None, Meta(description="The title in short; null if it has no such words.")]
    lesson: bool
    """True if the title has a guided first turn."""
    picture: bool
    """True if the page has a picture of the title's board."""


class TitlesPage(Struct, frozen=True):
    """The titles that the server offers."""

    titles: list[TitleSummary]
    """The titles that this server offers."""
    next: str | None
    """Always null: there is one page only."""


class Rung(Struct, frozen=True):
    """A level of bots at one size of table, and how strong it is there."""

    name: Annotated[str, Meta(examples=["steady"])]
    """The display name."""
    version: Annotated[int, Meta(description="The version of the bot. Another version may move differently.")]
    budget: Annotated[
        int, Meta(ge=0, description="The number of games that the bot may simulate for a move.")
    ]
    weights: Annotated[str | None, Meta(description="SHA-256 of the fitted weights of the bot.")]
    games: Annotated[int, Meta(ge=0, description="The number of games that it played.")]
    score: Annotated[float, Meta(ge=0, le=1, description="The share of opponents that it beat.")]
    elo: Annotated[int, Meta(description="Points above `random`; 400 points are odds of ten to one.")]
    low: Annotated[
        int, Meta(description="The lower end of the 95 % interval, computed over deals, not games.")
    ]
    high: int
    """The upper end of the 95 % interval."""
    sentence: Annotated[
        str,
        Meta(
            description="Its results against a weaker level, with a warning where they are not enough for "
            "its name. Show it where a player chooses a bot."
        ),
    ] = ""


class PairResult(Struct, frozen=True):
    """The results of a level that played at each seat in turn, with others of one kind at the rest."""

    challenger: Annotated[str, Meta(description="The level, as name and version.", examples=["steady@2"])]
    other: str
    """The level of the others, as name and version."""
    deals: Annotated[int, Meta(ge=1, description="The number of deals. Each was played from every seat.")]
    games: Annotated[int, Meta(ge=1)]
    """The number of games."""
    won: Annotated[
        float, Meta(ge=0, description="The games that the challenger won; a shared victory counts in part.")
    ]
    share: Annotated[float, Meta(ge=0, le=1, description="The share of games that the challenger won.")]
    low: Annotated[float, Meta(ge=0, le=1, description="The lower end of the 95 % interval of `share`.")]
    high: Annotated[float, Meta(ge=0, le=1)]
    """The upper end of the 95 % interval of `share`."""
    luck: Annotated[
        float, Meta(ge=0, le=1, description="The expected `share` of a level as strong as the others.")
    ]
    beaten: Annotated[
        float, Meta(ge=0, le=1, description="The share of the others that the challenger beat.")
    ]
    elo: Annotated[int, Meta(description="Points above the others, from `beaten`; at most 1200.")]
    elo_low: int
    """The lower end of the 95 % interval of `elo`."""
    elo_high: int
    """The upper end of the 95 % interval of `elo`."""


class LadderTable(Struct, frozen=True):
    """The ladder at one size of table."""

    seats: Annotated[int, Meta(ge=1)]
    """The number of seats."""
    rules: Annotated[int, Meta(description="The version of the rules that was played.")]
    levels: Annotated[list[Rung], Meta(description="The levels, the weakest first.")]
    pairs: list[PairResult]
    """The results of each level against the others."""


class Ladder(Struct, frozen=True):
    """The measured differences in strength between the levels of a title's bots."""

    title: str
    """The id of the title."""
    tables: Annotated[
        list[LadderTable], Meta(description="The sizes of table that were measured, the smallest first.")
    ]


class Title(TitleSummary, frozen=True):
    """Everything that a client needs to know about a title."""

    data_hash: str
    """The hash of the title's static data (hex)."""
    options: Annotated[
        Schema,
        Meta(
            description="The schema of the options. `description` explains each one, `clause` is the clause"
            " of its rules."
        ),
    ]
    view: Annotated[Schema, Meta(description="The schema of the view of a seat or a spectator.")]
    commands: Annotated[dict[str, Schema], Meta(description="The schema of each command, by type.")]
    events: Annotated[dict[str, Schema], Meta(description="The schema of each event's data, by type.")]
    position: Annotated[Schema, Meta(description="The schema of a position.")]
    codes: Annotated[
        dict[str, str], Meta(description="The rulebook's words for cases that share a general code.")
    ]
    refusals: Annotated[list[str], Meta(description="The codes with which its rules refuse a command.")]
    board: Annotated[Board, Meta(description="Static public data: names, texts, cards, maps.")]
    guide: Annotated[
        list[Hint], Meta(description="Hints for the first turn, in this order; the list may be empty.")
    ]
    clauses: Annotated[
        dict[str, list[str]],
        Meta(
            description="The clauses that explain a drawn thing, by the beginning of its `ref` (in lower "
            "case, with `_` for spaces). The longest beginning counts."
        ),
    ]
    option_words: Annotated[
        dict[str, OptionWords], Meta(description="The options in words for players; it may be empty.")
    ]


class Chart(Struct, frozen=True):
    """The shapes of a map, as SVG paths."""

    width: int
    """The width of the map in units."""
    height: int
    """The height of the map in units."""
    land: str
    """The land behind the areas; it may be empty."""
    areas: Annotated[dict[str, str], Meta(description="The shapes of the areas, by key.")]


class StandingAnswer(Struct, frozen=True):
    """An answer that players may choose ahead, so that their page gives it whenever it is asked."""

    key: str
    """The key of the choice within the title."""
    text: str
    """The sentence that offers it to a player."""
    until: Annotated[
        Literal["turn", "game"], Meta(description="The end of the choice: that of the turn, or of the game.")
    ]
    answers: list[
        Annotated[
            Object,
            Meta(
                description="The members that a legal command must have to be given.",
                extra_json_schema={"additionalProperties": True},
            ),
        ]
    ]
    """The commands that it gives, in the order of preference."""
    every: Annotated[
        bool, Meta(description="True if several legal commands may match, which are given one by one.")
    ]


class TitleDisplay(Struct, frozen=True):
    """The part of a title that a page needs to draw a game."""

    id: str
    """The id of the title."""
    name: str
    """The name of the title."""
    version: int
    """The version of the title's rules."""
    charts: Annotated[
        dict[str, Chart],
        Meta(description="The shapes of its maps, by the name that a map has as `chart`."),
    ]
    guide: Annotated[
        list[Hint], Meta(description="Hints for the first turn, in this order; as in the title.")
    ]
    clauses: Annotated[
        dict[str, list[str]],
        Meta(description="The clauses that explain a drawn thing; as in the title."),
    ]
    art: Annotated[
        dict[str, str],
        Meta(description="The names of drawings on cards, by how the refs of cards begin."),
    ]
    standing: Annotated[
        list[StandingAnswer],
        Meta(description="The answers that can be chosen ahead; the list may be empty."),
    ]


class LessonStep(Struct, frozen=True):
    """A command of a guided first turn, and the sentence that asks for it."""

    text: Annotated[str, Meta(description="The sentence that tells the player what to do and why.")]
    command: Annotated[
        Object,
        Meta(
            description="The members that the command has. Of the legal commands that have them, the first is"
            " meant.",
            extra_json_schema={"additionalProperties": True},
        ),
    ]
    clause: Annotated[str | None, Meta(description="The clause behind the sentence, or null.")] = None


class Lesson(Struct, frozen=True):
    """A guided first turn: a position, and the commands that the player of seat 0 gives from there."""

    title: str
    """The id of the title."""
    version: int
    """The version of the rules to which the position belongs."""
    seats: Annotated[int, Meta(description="The number of players. Bots take all seats but seat 0.")]
    position: Annotated[Position, Meta(description="The position from which the game begins.")]
    steps: Annotated[list[LessonStep], Meta(description="The steps, in this order.")]
    asides: Annotated[
        list[LessonStep], Meta(description="Answers to what other players may ask between the steps.")
    ]


class Clause(Struct, frozen=True):
    """A clause of the rules, or a ruling on them."""

    id: Annotated[str, Meta(description="The id of the clause, which is also its anchor in the page.")]
    heading: Annotated[str, Meta(description="The heading of its section.")]
    text: Annotated[str, Meta(description="The text in Markdown.")]


class Rules(Struct, frozen=True):
    """The rules of a title, clause by clause."""

    title: str
    """The id of the title."""
    version: int
    """The version of the title's rules."""
    clauses: list[Clause]
    """The clauses and rulings, in order."""


class PositionTold(Struct, frozen=True, kw_only=True):
    """The whole position of a game, ready to begin another game from it with `POST /v1/games`."""

    game: Uuid
    """The id of the game."""
    seq: Annotated[
        int, Meta(ge=1, le=MAX_INTEGER, description="The last event of the command that led to the position.")
    ]
    title: str
    """The id of the title."""
    version: int
    """The version of the title's rules."""
    options: Options
    """The options of the title."""
    seats: Annotated[int, Meta(ge=1, le=100, description="The number of seats.")]
    position: Annotated[
        Position, Meta(description="The position, as the `position` schema of the title describes it.")
    ]


_ANNOUNCED = (
    'A C2SP tlog-proof that an earlier key announced this one: the entry `{"add": vkey}` of the log, in a'
    " checkpoint that the earlier key signed. Null for the first key, and before there is such a checkpoint."
)


class Key(Struct, frozen=True):
    """A public key that signs receipts and checkpoints."""

    vkey: str
    """The key as `name+key id+base64`, for the configuration of verifiers."""
    since: int
    """The size of the log of all games at which the key begins to sign."""
    until: int | None
    """The size of the log at which the key stopped, or null for a key that signs."""
    announced: Annotated[str | None, Meta(description=_ANNOUNCED)]


class KeysPage(Struct, frozen=True):
    """The public keys of this server."""

    origin: str
    """The name under which the server signs. It never changes."""
    keys: list[Key]
    """The keys, oldest first."""


class OddsPending(Struct, frozen=True):
    """A running simulation. Ask again after `Retry-After` seconds."""

    status: Literal["pending"]
    """Always `pending`."""


class Judged(Struct, frozen=True):
    """A command that a bot has considered."""

    command: Given
    """The command that the bot considered."""
    label: str
    """The command as a button shows it."""
    games: Annotated[int, Meta(ge=0, description="The number of simulated games with this command.")]
    chance: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        Meta(description="The share of these games that the seat won, or null without simulations."),
    ]
    chosen: Annotated[bool, Meta(description="True if the bot would choose this command.")]


class Advice(Struct, frozen=True):
    """The commands that a bot has considered, the most likely to win first."""

    status: Literal["ready"]
    """Always `ready`."""
    seq: Seq
    """The event number after which this holds."""
    seat: SeatNumber
    """The seat that was advised."""
    bot: str
    """The bot that gave the advice, with its version."""
    simulations: Annotated[int, Meta(ge=0, description="The total number of games that the bot simulated.")]
    candidates: list[Judged]
    """The commands that the bot has considered, best first."""


Chance = Annotated[Annotated[float, Meta(ge=0, le=1)] | None, Meta(description="The chance to win, or null.")]


class ReviewedMove(Struct, frozen=True):
    """A move of the reviewed seat, beside the commands that a bot has considered in its place."""

    seq: Seq
    """The number of the first event of the move."""
    label: str
    """The given command as a button shows it."""
    chance: Chance
    """The chance to win with the given command. It is null where the bot does not simulate games."""
    lost: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        Meta(description="The chance to win that the bot's choice has more, or null without simulations."),
    ]
    chosen: Annotated[bool, Meta(description="True if the bot would give the same command.")]
    simulations: Annotated[int, Meta(ge=0)]
    """The number of games that the bot simulated."""
    candidates: list[Judged]
    """The first three commands that the bot considered, best first."""


class TurningPoint(Struct, frozen=True):
    """A move by which the chance to win differs much from that of the move before."""

    seq: Seq
    """The number of the first event of the move."""
    before: Annotated[float, Meta(ge=0, le=1)]
    """The chance to win with the move before."""
    after: Annotated[float, Meta(ge=0, le=1)]
    """The chance to win with this move."""


class Review(Struct, frozen=True):
    """The moves of one seat in a finished game, beside what a bot would do."""

    status: Literal["pending", "ready"]
    """`ready` when all moves are reviewed."""
    game: Uuid
    """The id of the game."""
    seat: SeatNumber
    """The seat that is reviewed."""
    bot: str
    """The bot that thinks."""
    reviewed: Annotated[int, Meta(ge=0)]
    """The number of moves that are reviewed so far."""
    total: Annotated[int | None, Meta(description="The number of moves, or null as long as it is unknown.")]
    moves: list[ReviewedMove]
    """The moves that are reviewed so far, in order."""
    turning_points: Annotated[
        list[TurningPoint],
        Meta(description="The three greatest changes of the chance to win, the greatest first."),
    ]


class WarEnds(Struct, frozen=True, kw_only=True):
    """The outcomes of a simulated war: the number of each, and the losses of both sides."""

    attacker: SeatNumber
    """The seat that attacks."""
    defender: SeatNumber
    """The seat that defends."""
    allowed: Annotated[bool, Meta(description="True if Diplomacy permits the declaration.")]
    shared_territories: list[str]
    """The territories in which both sides have counters."""
    simulations: int
    """The number of simulations."""
    victory: int
    """The number of simulations that the attacker won."""
    defeat: int
    """The number of simulations that the attacker lost."""
    draw: int
    """The number of simulations without a winner."""
    years: Annotated[
        dict[str, int], Meta(description="The number of simulations for each length of the war, in years.")
    ]
    losses: Annotated[
        dict[str, int], Meta(description="The losses of both sides, in all simulations together.")
    ]


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
    """An empty object, the data of `closing`."""


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


class StreamMessage(Struct, frozen=True, kw_only=True):
    """A message of a live stream. Only events carry an `id`, which is their seq."""

    event: Literal["game", "event", "turn", "message", "presence", "closing"]
    """The type of the message."""
    data: Annotated[
        str,
        Meta(
            description="JSON: the game, the event, a `Turn`, a `Message`, or a `Presence`.",
            extra_json_schema=json_text_schema("Game", "Event", "Turn", "Message", "Presence", "Nothing"),
        ),
    ]
    id: str | UnsetType = UNSET
    """The number to send as `Last-Event-ID` when you resume."""


class AwaitedSeat(Struct, frozen=True):
    """One of your seats that must decide."""

    game: Uuid
    """The id of the game."""
    title: str
    """The id of the title."""
    seat: SeatNumber
    """The number of the seat: 0, 1, 2 and so on."""
    kinds: Annotated[list[str], Meta(description="The kinds of its decisions.")]
    deadline: Annotated[
        Time | None, Meta(description="The time when its clock runs out, or null if none runs.")
    ]
    since: Annotated[Time, Meta(description="The time since when the game waits for the seat.")]
    tournament: Annotated[Uuid | None, Meta(description="The tournament of the game, or null.")] = None


class TurnList(Struct, frozen=True):
    """Your seats that must decide, by deadline; seats without one come last."""

    turns: list[AwaitedSeat]
    """Your seats that must decide."""
    next: str | None
    """The address of the next page, or null on the last page."""


_POSITION = "The number of the notice in your account: 1, 2, 3 ..., without a gap."
_NOTICE_DATA = "Numbers and words, such as `seat`, `deadline`, `reason`; nothing secret."


class Notice(Struct, frozen=True, kw_only=True):
    """A notice to your account about a `game`, a `tournament`, a `webhook` or the `account` itself."""

    position: Annotated[int, Meta(ge=1, le=MAX_INTEGER, description=_POSITION)]
    type: NoticeType
    """The type of the notice."""
    game: Uuid | UnsetType = UNSET
    """The game that the notice is about."""
    tournament: Uuid | UnsetType = UNSET
    """The tournament that the notice is about."""
    webhook: Uuid | UnsetType = UNSET
    """The webhook that the notice is about."""
    account: Uuid | UnsetType = UNSET
    """Your account, if the notice is about it."""
    seq: Annotated[int, Meta(ge=0, le=MAX_INTEGER, description="The event that led to the notice.")]
    at: Time
    data: Annotated[Row, Meta(description=_NOTICE_DATA)]


class NoticeList(Struct, frozen=True):
    """The notices of your account, the oldest first."""

    notices: list[Notice]
    """The notices of this page."""
    next: str | None
    """The address of the next page, or null on the last page."""


class Webhook(Struct, frozen=True):
    """An address that the server calls when you get a notice."""

    id: Uuid
    """The id of the webhook."""
    url: str
    """The address that is called."""
    types: list[NoticeType]
    """The types of notices that are sent."""
    game: Annotated[Uuid | None, Meta(description="The only game that it covers, or null for all games.")]
    tournament: Annotated[
        Uuid | None, Meta(description="The only tournament that it covers, or null for all tournaments.")
    ]
    enabled: bool
    """True if the webhook is called."""
    disabled_for: Annotated[
        Literal["gone", "failing"] | None,
        Meta(
            description="The reason why the server disabled it: the address answered 410, or no call arrived"
            " for five days."
        ),
    ]
    failing_since: Annotated[
        Time | None,
        Meta(description="The time of the first of the failing calls, or null if the last call arrived."),
    ]
    made_at: Time


class WebhookMade(Webhook, frozen=True, kw_only=True):
    """A webhook with its secret, which is shown only once."""

    secret: Annotated[str, Meta(examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="])]
    """The secret with which calls are signed. It is shown once."""


class WebhookList(Struct, frozen=True):
    """Your webhooks, the oldest first."""

    webhooks: list[Webhook]
    """Your webhooks, oldest first."""


class PushSubscription(Struct, frozen=True):
    """A browser that gets a push when it is your turn."""

    id: Uuid
    """The id of the subscription."""
    endpoint: str
    """The address of the push service."""
    token: Annotated[Uuid, Meta(description="The token that made it, with which it ends.")]
    made_at: Time


class PushSubscriptionList(Struct, frozen=True):
    """The browsers that get a push when it is your turn, and the key to subscribe another one."""

    public_key: Annotated[
        str | None,
        Meta(description="The `applicationServerKey` in base64url, or null if this server sends no pushes."),
    ]
    push_subscriptions: list[PushSubscription]
    """Your subscriptions, oldest first."""


class Delivery(Struct, frozen=True, kw_only=True):
    """A call to a webhook."""

    id: Annotated[str, Meta(description="The `webhook-id`, the same for every attempt.")]
    position: Annotated[int, Meta(ge=1, le=MAX_INTEGER, description="The position of the notice.")]
    type: NoticeType
    """The type of the notice."""
    game: Uuid | UnsetType = UNSET
    """The game that the notice is about."""
    tournament: Uuid | UnsetType = UNSET
    """The tournament that the notice is about."""
    status: Annotated[
        Literal["waiting", "delivered", "dead"],
        Meta(description="The status of the call; `dead` if the server gave up."),
    ]
    tries: int
    """The number of attempts."""
    next_at: Annotated[Time | None, Meta(description="The time of the next attempt, or null without one.")]
    answer: Annotated[int | None, Meta(description="The status of the last answer, or null without one.")]
    error: Annotated[str | None, Meta(description="The reason why the last attempt failed.")]


class DeliveryList(Struct, frozen=True):
    """Calls to a webhook, the oldest first."""

    deliveries: list[Delivery]
    """The deliveries of this page."""
    next: str | None
    """The address of the next page, or null on the last page."""


class AccountMessage(Struct, frozen=True, kw_only=True):
    """A message of an account's live stream. Turns and notices carry an `id` to continue after."""

    event: Literal["turns", "turn", "message", "closing"] | NoticeType
    """The type of the message."""
    data: Annotated[
        str,
        Meta(
            description="JSON: a `TurnList`, a `Turn`, a `Notice`, a `Message`, or an empty object.",
            extra_json_schema=json_text_schema("TurnList", "Turn", "Notice", "Message", "Nothing"),
        ),
    ]
    id: str | UnsetType = UNSET
    """The number to send as `Last-Event-ID` when you resume."""


class Health(Struct, frozen=True):
    """A sign of life."""

    status: Literal["ok"]
    """Always `ok`."""


class Lack(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part that is lacking. `code` is stable, `detail` is for the operator."""

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
    """The fault, and what the operator can do."""
    seconds: Annotated[float | UnsetType, Meta(description="The number of seconds since it began.")] = UNSET
    count: Annotated[int | UnsetType, Meta(description="The number of affected items.")] = UNSET


class Readiness(Struct, frozen=True, kw_only=True):
    """The readiness of this host to carry out commands, and a list of what is lacking.

    `degraded`: people can play, but some other part does not work.
    """

    status: Literal["ready", "degraded", "not_ready"]
    """`ready`, `degraded` if something beside play does not work, or `not_ready`."""
    database: Literal["ok", "away", "not_migrated", "read_only"]
    """The state of the database."""
    redis: Annotated[
        Literal["ok", "away"], Meta(description="The state of Redis. Without it, bots and live updates wait.")
    ]
    lacking: Annotated[list[Lack], Meta(description="The parts that are lacking, the most serious first.")]


class MissingRules(Struct, frozen=True):
    """The rules that a game needs and the server does not have."""

    title: str
    """The id of the title."""
    version: int | None
    """The version of the title's rules."""
    data_hash: str | None
    """The hash of the title's static data (hex)."""


_CLAUSE = "The address of the rule that refuses the command, under `GET /v1/titles/{title}/rules`."
_PROBLEM_SEQ = (
    "With `version_conflict`: the number of the newest event. With `no_leaf`: the event to ask for instead."
)


class Problem(Struct, frozen=True, kw_only=True):
    """An error (RFC 9457). `code` is stable, `detail` is for people, `errors` is by field."""

    type: str
    """The address of the description of the code, relative to the server."""
    title: str
    """The name of the status, such as `Conflict`."""
    status: int
    """The status of the answer."""
    detail: str
    """The fault, and what to do about it, in plain words."""
    instance: str | UnsetType = UNSET
    """The request id, as `X-Request-ID` has it. Quote it when you report the error."""
    code: Annotated[str, component_meta("ProblemCode")]
    """A stable word for the error."""
    errors: Annotated[Object | UnsetType, component_meta("FieldErrors")] = UNSET
    """The faults by field."""
    seq: Annotated[Seq | UnsetType, Meta(description=_PROBLEM_SEQ)] = UNSET
    clause: Annotated[str | UnsetType, Meta(description=_CLAUSE)] = UNSET
    missing: MissingRules | UnsetType = UNSET
    """With `rules_missing`: the rules that are missing."""
    id: Annotated[
        Uuid | UnsetType, Meta(description="With `already_shown`: the id of the secret, to revoke it.")
    ] = UNSET
    scope: Annotated[
        str | UnsetType, Meta(description="With `missing_scope`: the scope that is missing.")
    ] = UNSET
    games: Annotated[
        list[Uuid] | UnsetType, Meta(description="With `other_games_only`: the games of the token.")
    ] = UNSET
    partition: Annotated[
        str | UnsetType, Meta(description="With `too_many_requests`: the limit, such as `commands`.")
    ] = UNSET
    until: Annotated[
        Time | UnsetType, Meta(description="With `game_paused`: the time when the game goes on by itself.")
    ] = UNSET


ANSWERS = (
    AccountMade, AccountsFound, ServiceAccounts, TokenList, TokenMade, TokenRotated, TokensTested,
    RecoveryCodes, Recovery, Recovered, Export, Account,
    Me, GamesPage, Summary, Game, DecisionsPage, Happened, EventsPage, Event, HistoryPage, Table,
    ExportedGame, ExportedEvent,
    TitlesPage, Title, TitleDisplay, Lesson, Ladder, Rules, PositionTold, Roster, Vacation, ReceiptGiven,
    KeysPage,
    InvitationMade, InvitationsPage, Club, ClubsPage, Member, MembersPage,
    Advice, Judged, Review, ReviewedMove, TurningPoint,
    WarOdds, WarEnds, OddsPending, Origin, Reference, StreamMessage, Nothing, Turn,
    AccountMessage, TurnList,
    Notice, NoticeList,
    Profile, RatingsPage, BotRatings, Leaderboard, GameRating, RatedGame, NoteList, Note,
    Message, MessagesPage, MessageSaid, PhrasesPage, MuteList, Presence,
    Webhook, WebhookMade, WebhookList, PushSubscription, PushSubscriptionList, Delivery, DeliveryList,
    Health, Readiness, Problem,
)  # fmt: skip
