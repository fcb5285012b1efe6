"""The answers about accounts, their tokens, notes and exports."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from service.openapi.response_structs.fields import Kind, Percent, Row, Secret, Time, Uuid, Within
from service.openapi.response_structs.ratings import Rating, TitleResults

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


class Vacation(Struct, frozen=True, rename={"begins": "from"}):
    """Your current or planned vacation, and the vacation that is left this year."""

    begins: Time | None
    """The beginning of the vacation, or null without one."""
    until: Time | None
    """The end of the vacation, or null without one."""
    left_ms: int
    """Milliseconds of vacation that are left this year."""
