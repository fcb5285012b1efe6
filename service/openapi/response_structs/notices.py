"""The answers about turns, notices, webhooks and live streams."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from events.proof.canonical import MAX_INTEGER
from projections.read_models.notices import NoticeType
from service.openapi.response_structs.fields import Row, SeatNumber, Time, Uuid, json_text_schema


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object, the data of `closing`."""


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
