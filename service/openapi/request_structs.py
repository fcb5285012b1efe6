"""The bodies that clients send: of these Structs the schemas are made that check and describe them.

What depends on what is installed is declared in the schemas of :mod:`service.application`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from events.clocks.absence_policy import Absence
from events.clocks.clock import ClockSettings
from events.proof.canonical import MAX_INTEGER
from events.table.terms import MAX_DIRECTORS, MAX_REVEAL_MS, MIN_REVEAL_MS, Delay, Seating, Talk, Undo
from events.talk.content import MAX_TEXT_LENGTH
from events.tournament import settings as tournament
from projections.read_models.notices import NoticeType
from service.base.display_names import HANDLE_PATTERN, MAX_NAME_LENGTH, NAME_PATTERN
from service.base.plain_text import LINE_PATTERN, TEXT_PATTERN, TITLE_PATTERN
from service.base.scopes import Scope
from service.base.text_limits import MAX_NOTE_LENGTH, MAX_NOTES
from service.base.visibility import Visibility
from service.openapi.response_structs import Hex32, Object, Position, Salt, SeatNumber, Uuid, Who

ANY_UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"


class Request(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A body that a client sends."""


_NAMED = (
    "The name that others see, stored in NFKC. Use one alphabet, with at least one letter that looks like no"
    " letter of another, and no invisible characters."
)
Name = Annotated[
    str, Meta(min_length=1, max_length=MAX_NAME_LENGTH, pattern=NAME_PATTERN, description=_NAMED)
]
Handle = Annotated[
    str, Meta(pattern=HANDLE_PATTERN, description="A unique name by which others can find you.")
]
Scopes = Annotated[list[Scope], Meta(min_length=1, max_length=20)]
Milliseconds = Annotated[int, Meta(ge=1000, le=315_360_000_000)]
Moment = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""A time in RFC 3339; it is loaded as events record it."""


class NewAccount(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new account."""

    name: Name | None = None
    handle: Handle | None = None
    invitation: Annotated[str, Meta(pattern="^[!-~]{1,200}$")] | None = None
    """An invitation to a tournament: more people at one address can then make accounts for it."""


class ChangeAccount(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The changes to an account; members that you leave out stay unchanged."""

    name: Name | None = None
    handle: Handle | None = None


class ConfirmDeletion(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The confirmation that you want to delete your account."""

    confirm: Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH, pattern=LINE_PATTERN)]


class NewService(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new account for one of your programs."""

    name: Name
    handle: Handle | None = None
    scopes: Scopes | None = None
    """The scopes of its token. Default: reading and playing games."""


class NewToken(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new token."""

    label: Annotated[str, Meta(min_length=1, max_length=40, pattern=LINE_PATTERN)]
    scopes: Scopes
    expires_in_ms: Annotated[
        Milliseconds | None,
        Meta(description="The time until the token expires. Default: the expiry of the token that makes it."),
    ] = None
    games: Annotated[
        Annotated[list[Annotated[str, Meta(pattern=ANY_UUID)]], Meta(min_length=1, max_length=100)] | None,
        Meta(description="The only games that the token is valid for. Default: all games."),
    ] = None


class Rotate(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time for which the old secret of a token still works: up to a week."""

    overlap_ms: Annotated[int, Meta(ge=0, le=604_800_000)] = 0
    """Milliseconds for which the old secret still works."""


class Recover(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the recovery codes of an account."""

    account: Annotated[str, Meta(pattern=ANY_UUID)]
    code: Annotated[str, Meta(min_length=1, max_length=80, pattern="^[0-9A-Za-z -]+$")]


class EndCodes(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of your recovery codes: with it, earlier codes end at once."""

    code: Annotated[str, Meta(min_length=1, max_length=80, pattern="^[0-9A-Za-z -]+$")] | None = None
    """One of your recovery codes that is still good. Without it, earlier codes stay good for 14 days."""


NoticeTypes = Annotated[list[NoticeType], Meta(min_length=1, max_length=50)]


class NewWebhook(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An address that the server calls when you get a notice."""

    url: Annotated[
        str, Meta(min_length=1, max_length=2000, description="A public address that begins with https.")
    ]
    types: Annotated[
        NoticeTypes | None, Meta(description="The types of notices to send. Default: all types.")
    ] = None
    game: Annotated[
        Annotated[str, Meta(pattern=ANY_UUID)] | None, Meta(description="Send only notices about this game.")
    ] = None
    tournament: Annotated[
        Annotated[str, Meta(pattern=ANY_UUID)] | None,
        Meta(description="Send only notices about this tournament."),
    ] = None


class PushKeys(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of a browser that takes pushes, in base64url."""

    p256dh: Annotated[
        str, Meta(max_length=200, pattern="^[A-Za-z0-9_-]*=*$", description="The public key of the browser.")
    ]
    auth: Annotated[
        str, Meta(max_length=200, pattern="^[A-Za-z0-9_-]*=*$", description="The secret of the browser.")
    ]


class NewPushSubscription(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A browser that the server tells when it is your turn: the subscription as the browser gives it."""

    endpoint: Annotated[
        str, Meta(min_length=1, max_length=2000, description="The address of the push service.")
    ]
    keys: PushKeys
    """The keys with which the server encrypts."""


class ChangeWebhook(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The changes to a webhook; members that you leave out stay unchanged."""

    enabled: bool | None = None
    """True to enable the webhook, false to disable it."""
    types: NoticeTypes | None = None
    """The new types of notices."""


class TestTokens(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tokens to check."""

    tokens: Annotated[
        list[Annotated[str, Meta(max_length=200, pattern="^[!-~]*$")]], Meta(min_length=1, max_length=100)
    ]


_TAIL = "[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]"
REPEAT = f"^(([A-Za-z0-9_-]{{4}}){{1,21}}({_TAIL})?|{_TAIL})[.][0-9a-f]{{32}}$"
"""A seed in base64url, without stray bits in its last letter, and a salt."""
UUID7 = "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"


AccountId = Annotated[str, Meta(pattern="^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")]


class Beacon(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A public source of randomness that contributes."""

    chain: Hex32
    after: Annotated[int, Meta(ge=30, le=3600)]


_VERSION = "The version that reads the `position`. Games without a position begin with the newest."
_SEED = "A seed for the randomness (hex): it makes a repeatable analysis game."
_REPEAT = "The `repeat` of an earlier seeded game: it makes the same game again."
_POSITION = "The position from which play begins: it makes an analysis game."
_ID = "The id of the game, a new UUIDv7. Your commitment depends on it."
_CONTRIBUTIONS = (
    "`open`: contributions that are not revealed count as empty. `required`: the game needs all of them."
)
_DIRECTOR = "The commitment to a contribution without a seat. Only the creator of the game can reveal it."
_BEACON = "A round of drand that contributes, some seconds after the reveals are closed."
_INVITED = "By seat, the `who` of the only account that may take it, or null."
_REVEAL_BY = "The time for reveals after the last seat is taken. Default: a day, or a minute in live games."
_DIRECTORS = "The accounts that direct the game, d1, d2, ... in its log. Default: the creator."
_EXPIRES = (
    "The time until which open seats must be taken. Default: in two weeks, or in half a year if it is"
    " not public."
)
_CLOCK = "The clock of the game. Default: none."
_ABSENCE = "The consequences when a seat's time is up. The defaults depend on the clock."
_RATED = "True if the result counts for ratings. Default: true, or false for private games."
_SEATING = "The requirements for taking an open seat. Default: none."
_VISIBILITY = (
    "`public`: everybody can see the game. `unlisted`: people who know its id. `private`: people"
    " who take part."
)
_DELAY = "The delay with which spectators see the game. Default: none."
_TALK = (
    "The way in which players can talk. `all`: aloud and in whispers. `public`: aloud only. `phrases`: aloud,"
    " and only phrases of the title. `none`: not at all."
)
_UNDO = (
    "The way to take commands back. `own`: you take back your own. `ask`: any, if all who play agree. `none`:"
    " nothing is taken back."
)
_NO_UNDO = "The way to take commands back: only `none`, for nothing is taken back in tournaments."
_CLUB = "A club of yours: the game is private to its members, and its managers direct it."


class NewGame(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new game.

    What depends on the title, and on what is installed, is declared in
    :mod:`service.application.schemas.game_schemas`: title, version, options, seats,
    those invited, beacon, clock.
    """

    title: str
    version: Annotated[int | None, Meta(description=_VERSION)] = None
    options: Object = {}
    seats: list[Object]
    seed: Annotated[Annotated[str, Meta(pattern="^([0-9a-f]{2}){1,64}$")] | None, Meta(description=_SEED)] = (
        None
    )
    repeat: Annotated[Annotated[str, Meta(pattern=REPEAT)] | None, Meta(description=_REPEAT)] = None
    position: Annotated[Position | None, Meta(description=_POSITION)] = None
    id: Annotated[Annotated[str, Meta(pattern=UUID7)] | None, Meta(description=_ID)] = None
    contributions: Annotated[Literal["open", "required"] | None, Meta(description=_CONTRIBUTIONS)] = None
    director_commitment: Annotated[Hex32 | None, Meta(description=_DIRECTOR)] = None
    beacon: Annotated[Beacon | None, Meta(description=_BEACON)] = None
    invited: Annotated[list[Who | None] | None, Meta(description=_INVITED)] = None
    reveal_by_ms: Annotated[
        Annotated[int, Meta(ge=MIN_REVEAL_MS, le=MAX_REVEAL_MS)] | None, Meta(description=_REVEAL_BY)
    ] = None
    directors: Annotated[
        Annotated[list[Uuid], Meta(min_length=1, max_length=MAX_DIRECTORS)] | None,
        Meta(description=_DIRECTORS),
    ] = None
    expires_at: Annotated[Moment | None, Meta(description=_EXPIRES)] = None
    clock: Annotated[ClockSettings | None, Meta(description=_CLOCK)] = None
    absence: Annotated[Absence | None, Meta(description=_ABSENCE)] = None
    rated: Annotated[bool | None, Meta(description=_RATED)] = None
    seating: Annotated[Seating | None, Meta(description=_SEATING)] = None
    visibility: Annotated[Visibility | None, Meta(description=_VISIBILITY)] = None
    delay: Annotated[Delay | None, Meta(description=_DELAY)] = None
    club: Annotated[Uuid | None, Meta(description=_CLUB)] = None
    undo: Annotated[Undo, Meta(description=_UNDO)] = "own"
    talk: Annotated[Talk, Meta(description=_TALK)] = "all"


class ChangeVisibility(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The new visibility of a game."""

    visibility: Visibility


INVITATION = "^[!-~]{1,200}$"
Invitation = Annotated[
    str, Meta(pattern=INVITATION, description="The invitation that you received: `inv_...`.")
]
_KEY = "A new Ed25519 public key for this game. You must then sign your commands with it."


class Join(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The seat that you take, and your contribution to the randomness."""

    seat: SeatNumber | None = None
    """The number of the seat. Default: a seat that is reserved for you, otherwise the lowest open seat."""
    commitment: Hex32 | None = None
    """The commitment to your contribution to the randomness (hex). It needs `seat`."""
    key: Annotated[Hex32 | None, Meta(description=_KEY)] = None
    salt: Salt | None = None
    """The salt (hex) of the reservation, if the seat is reserved for a `who`."""
    invitation: Invitation | None = None


class Invite(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new invitation: by default for one use within a week."""

    uses: Annotated[int, Meta(ge=1, le=100)] = 1
    """The number of times that the invitation can be used."""
    expires_in_ms: Annotated[int, Meta(ge=1000, le=31_536_000_000)] = 604_800_000
    """Milliseconds until the invitation expires."""


class InviteToGame(Invite, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new invitation to a game, or to one of its seats."""

    seat: SeatNumber | None = None
    """The only seat that the invitation is for. Default: any seat."""


class NewMessage(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that you say at a table: exactly one of `text` and `phrase`."""

    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT_LENGTH, pattern=LINE_PATTERN)] | None = None
    """The words, one line."""
    phrase: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,39}$")] | None = None
    """The id of a phrase of the title, see `GET /v1/titles/{title}/phrases`."""
    slots: dict[str, int | str] | None = None
    """The seats and areas in the slots of the phrase, by their names."""
    to: Annotated[list[SeatNumber], Meta(min_length=1, max_length=16)] | None = None
    """The seats to which you whisper. Leave it out to speak to all."""
    seat: SeatNumber | None = None
    """The seat of yours that speaks. Needed only if you hold several."""


class ReportMessage(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A report of a message to the operator."""

    reason: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT_LENGTH, pattern=LINE_PATTERN)] | None = None
    """A note for the operator."""


class NewClub(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new club."""

    name: Name


class GiveRole(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The role of a member in a club."""

    role: Literal["owner", "manager", "member"] = "member"
    """The role of the member."""


class JoinClub(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The invitation with which you join a club."""

    invitation: Invitation


class OneNote(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A note on an event, or on the game as a whole."""

    text: Annotated[str, Meta(min_length=1, max_length=MAX_NOTE_LENGTH)]
    event: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_INTEGER)] | None,
        Meta(description="The event that the note is about. Default: the game as a whole."),
    ] = None


class WriteNotes(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All your notes on a game."""

    notes: Annotated[list[OneNote], Meta(max_length=MAX_NOTES)]


class Reveal(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A revealed contribution to the randomness: either a seat's or the director's."""

    contribution: Hex32 | None = None
    director_contribution: Hex32 | None = None
    seat: SeatNumber | None = None


class TakeVacation(Request, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A vacation, with times in RFC 3339. Without `from` it begins now."""

    until: Moment
    from_: Moment | None = None
    """The beginning of the vacation. Default: now."""


class Start(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An empty object."""


class Fork(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An analysis game from an event of another game."""

    at: Annotated[int, Meta(ge=1, le=MAX_INTEGER)] | None = None
    """The event to begin from. Default: the newest."""
    seats: list[Object] | None = None


MAX_TOURNAMENT_NAME, MAX_TOURNAMENT_DESCRIPTION = 100, 4000
"""Characters of what a tournament is called, and of what is said about it."""
_OWN = "Other accounts that run it, each with a role."
_PLACES = 'The points for each place, by the size of the table, such as `{"4": [5, 3, 2, 1]}`.'
_FROM = "The position from which every table starts. Default: the title's set-up."


class NamedDirector(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account that runs a tournament, with its role."""

    account: AccountId
    role: Literal["owner", "director", "assistant"] = "director"
    """The role of the director."""


class NewTournament(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new tournament. For `options` and `position`, see `GET /v1/titles/{title}`."""

    # Title, options and clock are declared in service.application.schemas.tournament_schemas.

    title: str
    table: tournament.TableSize
    stages: Annotated[list[tournament.Stage], Meta(min_length=1, max_length=8)]
    name: Annotated[str, Meta(min_length=1, max_length=MAX_TOURNAMENT_NAME, pattern=TITLE_PATTERN)] | None = (
        None
    )
    """The name of the tournament."""
    description: (
        Annotated[str, Meta(min_length=1, max_length=MAX_TOURNAMENT_DESCRIPTION, pattern=TEXT_PATTERN)] | None
    ) = None
    """A description for players."""
    options: Object = {}
    position: Annotated[Position | None, Meta(description=_FROM)] = None
    entry: tournament.Entry | None = None
    """The conditions of entry."""
    points: Annotated[tournament.Points, Meta(description=_PLACES)] = {}
    bye_points: Annotated[int, Meta(ge=0, le=1000)] = 3
    """The points for a bye."""
    forfeit: Literal["last", "substitute", "zero"] = "last"
    """The place of an entrant who leaves a game."""
    tie_breaks: list[tournament.TieBreak] | None = None
    """The tie-breaks, in order. Default: those that suit the title."""
    clock: Object | None = None
    absence: Absence | None = None
    delay: tournament.Delay | None = None
    """The delay with which spectators see the games. Default: none."""
    schedule: tournament.Schedule | None = None
    """The times of the rounds."""
    protest_ms: Annotated[int, Meta(ge=0, le=2_592_000_000)] = 600_000
    """Milliseconds in which entrants can dispute a result, or appeal against a ruling."""
    rated: bool = True
    """True if the games count for ratings."""
    aids: tournament.Aids | None = None
    """The aids that players may use while their game runs."""
    undo: Annotated[tournament.Undo, Meta(description=_NO_UNDO)] = "none"
    talk: Annotated[Talk, Meta(description=_TALK)] = "none"
    directors: Annotated[list[NamedDirector], Meta(max_length=MAX_DIRECTORS - 1, description=_OWN)] = []
    visibility: Visibility | None = None
    """The visibility of the tournament and its games. Default: public, or private with a `club`."""
    club: AccountId | None = None
    """A club of yours that runs the tournament. It is then private to the members."""
    id: Annotated[str, Meta(pattern=UUID7)] | None = None
    """The id of the tournament, a new UUIDv7. Default: one that the server makes."""


TOURNAMENTS = {
    "swiss": {
        "value": {
            "name": "Lisbon Open",
            "title": "colonial_empires",
            "table": {"size": 4, "least": 3},
            "stages": [{"format": "swiss_pods", "rounds": 4, "look_ahead": True}],
            "points": {"4": [5, 3, 2, 1], "3": [5, 3, 1]},
            "entry": {"least": 8, "most": 64},
        }
    }
}
TOURNAMENT_COMMANDS = {
    "enter": {"value": {"type": "enter"}},
    "open": {"value": {"type": "open_entry"}},
    "withdraw": {"value": {"type": "withdraw"}},
    "rule": {
        "value": {
            "type": "rule",
            "kind": "result",
            "effects": [{"result": {"table": 2, "places": [1, 2, 3, 4]}}],
            "text": "The players agree that the game was decided.",
        }
    },
}


REQUESTS = (
    NewAccount, ChangeAccount, ConfirmDeletion, NewService, NewToken, Rotate, Recover, EndCodes, TestTokens,
    ChangeVisibility, Join, Start, WriteNotes, TakeVacation, InviteToGame, Invite, NewClub,
    GiveRole, JoinClub, NewWebhook, ChangeWebhook, NewPushSubscription, NewMessage, ReportMessage,
)  # fmt: skip
