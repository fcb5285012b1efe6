"""The answers about invitations and clubs."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.openapi.response_structs.accounts import Account
from service.openapi.response_structs.fields import SeatNumber, Time, Uuid


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
