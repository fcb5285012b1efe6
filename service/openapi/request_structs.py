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
from events.tournament import settings as tournament
from projections.read_models.notices import NoticeType
from service.base.display_names import HANDLE_PATTERN, MAX_NAME_LENGTH, NAME_PATTERN
from service.base.scopes import Scope
from service.base.text_limits import MAX_NOTE_LENGTH, MAX_NOTES
from service.base.visibility import Visibility
from service.openapi.response_structs import Hex32, Object, Position, Salt, SeatNumber, Uuid, Who

# No control characters, and none of those that turn the direction of writing; no space at the ends.
_BAD = r"\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
LABEL = rf"^[^\s{_BAD}]([^{_BAD}]{{0,38}}[^\s{_BAD}])?$"
ANY_UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"


class Request(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A body that a client sends."""


_NAMED = (
    "What others see. Kept in NFKC; in one alphabet, without invisible characters, and not one that could be"
    " taken for another: the pattern has the alphabets."
)
Name = Annotated[
    str, Meta(min_length=1, max_length=MAX_NAME_LENGTH, pattern=NAME_PATTERN, description=_NAMED)
]
Handle = Annotated[
    str, Meta(pattern=HANDLE_PATTERN, description="By which others find me; nobody else has it.")
]
Scopes = Annotated[list[Scope], Meta(min_length=1, max_length=20)]
Milliseconds = Annotated[int, Meta(ge=1000, le=315_360_000_000)]
Moment = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""A time in RFC 3339; it is loaded as events record it."""


class NewAccount(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account to be made."""

    name: Name | None = None
    handle: Handle | None = None


class ChangeAccount(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The changes to an account; what is left out stays."""

    name: Name | None = None
    handle: Handle | None = None


class ConfirmDeletion(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """My handle, or my name where I have no handle: so that nobody deletes an account by mistake."""

    confirm: Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH, pattern=LABEL)]


class NewService(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account for a program of mine."""

    name: Name
    handle: Handle | None = None
    scopes: Scopes | None = None


class NewToken(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token to be made."""

    label: Annotated[str, Meta(min_length=1, max_length=40, pattern=LABEL)]
    scopes: Scopes
    expires_in_ms: Annotated[
        Milliseconds | None, Meta(description="If left out, as long as the token that makes it.")
    ] = None
    games: Annotated[
        Annotated[list[Annotated[str, Meta(pattern=ANY_UUID)]], Meta(min_length=1, max_length=100)] | None,
        Meta(description="The only games that it is to be good for."),
    ] = None


class Rotate(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time for which the old secret of a token works on: up to a week."""

    overlap_ms: Annotated[int, Meta(ge=0, le=604_800_000)] = 0


class Recover(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the recovery codes of an account."""

    account: Annotated[str, Meta(pattern=ANY_UUID)]
    code: Annotated[str, Meta(min_length=1, max_length=80, pattern="^[0-9A-Za-z -]+$")]


NoticeTypes = Annotated[list[NoticeType], Meta(min_length=1, max_length=50)]


class NewWebhook(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An address that is to be called when I am told something."""

    url: Annotated[str, Meta(min_length=1, max_length=2000, description="https, and public.")]
    types: Annotated[NoticeTypes | None, Meta(description="If left out, all.")] = None
    game: Annotated[
        Annotated[str, Meta(pattern=ANY_UUID)] | None, Meta(description="Only what this game tells.")
    ] = None
    tournament: Annotated[
        Annotated[str, Meta(pattern=ANY_UUID)] | None, Meta(description="Only what this tournament tells.")
    ] = None


class ChangeWebhook(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The changes to a webhook; what is left out stays."""

    enabled: bool | None = None
    types: NoticeTypes | None = None


class TestTokens(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tokens that I hold."""

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


_VERSION = "Of the `position`, which it is read by; other games begin under the newest."
_SEED = "Hex digits that the randomness follows from: a repeatable analysis game."
_REPEAT = "What the creation of a seeded game answered: makes the same game again."
_POSITION = "Where play begins: makes it an analysis game."
_ID = "The id of the game, a new UUIDv7: what I commit to depends on it."
_CONTRIBUTIONS = "`open`: what is not revealed counts as empty; `required`: without it the game cannot begin."
_DIRECTOR = "The commitment of a director who contributes to the randomness."
_BEACON = "A round of drand that contributes, so many seconds after the reveals are closed."
_INVITED = "By seat the `who` of the only account that may take it, or null."
_REVEAL_BY = "How long one may reveal after the last seat is taken. Left out: a day, live games a minute."
_DIRECTORS = "The accounts that direct the table, d1, d2, ... in its log; left out: whoever makes it."
_EXPIRES = "Until when open seats must be taken. Left out: in two weeks; in half a year, if it is not public."
_CLOCK = "How time is counted. Left out: it is not."
_ABSENCE = "What happens when a seat's time is up. What is left out depends on the clock."
_RATED = "Whether the result counts for ratings, as it does if left out unless the game is private."
_SEATING = "Who may take an open seat. Left out: anybody."
_VISIBILITY = "Who may see it: everybody, whoever knows the id, or only those who have to do with it."
_DELAY = "How much later those see it who neither play nor direct it; left out: at once."
_UNDO = "How commands can be taken back: only `none` for now, not at all."
_TALK = "How those at the table can write to each other: only `none` for now, not at all."
_CLUB = "The club of mine whose game it is: private to it, and directed by its managers."


class NewGame(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game to be made.

    What depends on the title, and on what is installed, is declared in
    :mod:`service.application.game_schemas`: title, version, options, seats, those invited, beacon, clock.
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
    director: Annotated[Hex32 | None, Meta(description=_DIRECTOR)] = None
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
    undo: Annotated[Undo, Meta(description=_UNDO)] = "none"
    talk: Annotated[Talk, Meta(description=_TALK)] = "none"


class ChangeVisibility(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The visibility of a game from now on."""

    visibility: Visibility


INVITATION = "^[!-~]{1,200}$"
Invitation = Annotated[
    str, Meta(pattern=INVITATION, description="What whoever invited me gave me: `inv_...`.")
]
_KEY = "An Ed25519 public key of my own, made for this game: from then on I sign my commands."


class Join(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sitting down."""

    seat: SeatNumber | None = None
    commitment: Hex32 | None = None
    key: Annotated[Hex32 | None, Meta(description=_KEY)] = None
    salt: Salt | None = None
    invitation: Invitation | None = None


class Invite(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An invitation to be made: for one use within a week, if nothing else is said."""

    uses: Annotated[int, Meta(ge=1, le=100)] = 1
    expires_in_ms: Annotated[int, Meta(ge=1000, le=31_536_000_000)] = 604_800_000


class InviteToGame(Invite, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An invitation to a game, to one seat of it if that is named."""

    seat: SeatNumber | None = None


class NewClub(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A club to be made."""

    name: Name


class GiveRole(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The role that a member is to have in a club."""

    role: Literal["owner", "manager", "member"] = "member"


class JoinClub(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Becoming a member."""

    invitation: Invitation


class OneNote(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A note on an event, or on the game as a whole."""

    text: Annotated[str, Meta(min_length=1, max_length=MAX_NOTE_LENGTH)]
    event: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_INTEGER)] | None,
        Meta(description="The event that it is about; left out: the game as a whole."),
    ] = None


class WriteNotes(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that I have to note to a game."""

    notes: Annotated[list[OneNote], Meta(max_length=MAX_NOTES)]


class Reveal(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Opening one's contribution to the randomness: a seat's, or the director's. Exactly one is given."""

    contribution: Hex32 | None = None
    director: Hex32 | None = None
    seat: SeatNumber | None = None


class TakeVacation(Request, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """Being away, in RFC 3339; from now on where `from` is left out."""

    until: Moment
    from_: Moment | None = None


class Start(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Beginning a game: an empty object."""


class Fork(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An analysis game from an event of another game."""

    at: Annotated[int, Meta(ge=1, le=MAX_INTEGER)] | None = None
    seats: list[Object] | None = None


MAX_TOURNAMENT_NAME, MAX_TOURNAMENT_DESCRIPTION = 100, 4000
"""Characters of what a tournament is called, and of what is said about it."""
_OWN = "`[{account, role}]`: who runs it beside me."
_PLACES = 'By the size of a table what its places are worth, such as `{"4": [5, 3, 2, 1]}`.'
_FROM = "From which every table starts; left out: the title's set-up."


class NamedDirector(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody who is to run a tournament."""

    account: AccountId
    role: Literal["owner", "director", "assistant"] = "director"


class NewTournament(Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament to be made. Options and position are those of the title; see `GET /v1/titles/{title}`."""

    # Title, options and clock are declared in service.application.tournament_schemas.

    title: str
    table: tournament.TableSize
    stages: Annotated[list[tournament.Stage], Meta(min_length=1, max_length=8)]
    name: Annotated[str, Meta(min_length=1, max_length=MAX_TOURNAMENT_NAME)] | None = None
    description: Annotated[str, Meta(min_length=1, max_length=MAX_TOURNAMENT_DESCRIPTION)] | None = None
    options: Object = {}
    position: Annotated[Position | None, Meta(description=_FROM)] = None
    entry: tournament.Entry | None = None
    points: Annotated[tournament.Points, Meta(description=_PLACES)] = {}
    bye_points: Annotated[int, Meta(ge=0, le=1000)] = 3
    forfeit: Literal["last", "substitute", "zero"] = "last"
    tie_breaks: list[tournament.TieBreak] | None = None
    clock: Object | None = None
    absence: Absence | None = None
    delay: tournament.Delay | None = None
    schedule: tournament.Schedule | None = None
    protest_ms: Annotated[int, Meta(ge=0, le=2_592_000_000)] = 600_000
    rated: bool = True
    aids: tournament.Aids | None = None
    undo: Annotated[Undo, Meta(description=_UNDO)] = "none"
    talk: Annotated[Talk, Meta(description=_TALK)] = "none"
    directors: Annotated[list[NamedDirector], Meta(max_length=MAX_DIRECTORS - 1, description=_OWN)] = []
    visibility: Visibility | None = None
    club: AccountId | None = None
    id: Annotated[str, Meta(pattern=UUID7)] | None = None


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
    NewAccount, ChangeAccount, ConfirmDeletion, NewService, NewToken, Rotate, Recover, TestTokens,
    ChangeVisibility, Join, Start, WriteNotes, TakeVacation, InviteToGame, Invite, NewClub,
    GiveRole, JoinClub, NewWebhook, ChangeWebhook,
)  # fmt: skip
