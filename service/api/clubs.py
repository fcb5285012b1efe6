"""Clubs: who belongs to one, who is invited, what is played there."""

from __future__ import annotations

import uuid
from typing import Any

from flask import Response
from msgspec import to_builtins

from events.store.games import new_id
from service import game_list, invitations, present
from service.accounts import Account, unknown_account
from service.api.blueprint import ACCOUNT_ID, IDEMPOTENCY_KEY, Blueprint, in_path
from service.api.games import games_page
from service.api.invitations import EXAMPLES, INVITATION_ID, listed, made, revoked
from service.asking import signed_in
from service.clubs import Club, Member, insist_on_managing, unknown_club
from service.invitations import Wish
from service.process import process
from service.schemas import shapes
from service.throttle import guessing
from service.wire import bodies, queries
from service.wire.answers import PRIVATE, json_answer
from service.wire.bodies import read_body, read_named
from service.wire.preconditions import idempotency_key
from service.wire.queries import UUID

blp = Blueprint("clubs", __name__, url_prefix="/v1", description="People who play among themselves.")

CLUB_ID = in_path("club", "The id of the club.")
DIRECT = "game:direct"


@blp.route("/clubs", methods=["POST"])
@blp.doc(operationId="create_club")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("NewClub", "What it is called.", examples={"club": {"value": {"name": "Lisbon Navigators"}}})
@blp.answers(201, "Club", "The club, which I own.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_club() -> Response:
    """Make a club. Needs `game:direct`.

    Owners say who manages it and may delete it; managers say who belongs to it, invite, and direct its games.
    An account owns at most 20: 409 `too_many_clubs`.
    """
    account, wish = signed_in(DIRECT), read_named(bodies.NewClub)
    key = idempotency_key()
    club = process().seats.claim_id(account, account.id, f"club {key}") if key else new_id()
    process().clubs.make(account, wish.name, club)
    return json_answer(_club(process().clubs.of_member(club, account)), 201, PRIVATE)


@blp.route("/clubs")
@blp.doc(operationId="list_clubs")
@blp.answers(200, "ClubsPage", "My clubs, oldest first.")
@blp.problems(401, 503)
def list_clubs() -> Response:
    """The clubs that I belong to."""
    found = process().clubs.of_account(signed_in())
    return json_answer(shapes.ClubsPage([_club(one) for one in found]), headers=PRIVATE)


@blp.route("/clubs/<club>", parameters=[CLUB_ID])
@blp.doc(operationId="get_club")
@blp.answers(200, "Club", "The club.")
@blp.problems(401, 404, 503)
def get_club(club: str) -> Response:
    """A club that I belong to. For all others there is none: 404 `unknown_club`."""
    found, _ = _mine(club)
    return json_answer(_club(found), headers=PRIVATE)


@blp.route("/clubs/<club>", methods=["DELETE"], parameters=[CLUB_ID])
@blp.doc(operationId="delete_club")
@blp.response(204, description="It is gone.")
@blp.problems(401, 403, 404, 503)
def delete_club(club: str) -> Response:
    """End a club that I own. Needs `game:direct`.

    Its games stay, private, to those who sit in them, made or direct them.
    """
    found, account = _mine(club, DIRECT)
    process().clubs.delete(found.id, account)
    return Response(status=204)


@blp.route("/clubs/<club>/games", parameters=[CLUB_ID])
@blp.doc(operationId="list_club_games")
@blp.query(queries.OneList)
@blp.answers(200, "GamesPage", "Its games, newest first.")
@blp.problems(400, 401, 404, 503)
def list_club_games(query: dict[str, Any], club: str) -> Response:
    """The games of a club that I belong to. The list follows the log within a moment."""
    found, account = _mine(club)
    wanted = game_list.Filter(**query, club=found.id)
    return games_page(f"/v1/clubs/{found.id}/games", account, wanted)


@blp.route("/clubs/<club>/members", parameters=[CLUB_ID])
@blp.doc(operationId="list_members")
@blp.answers(200, "MembersPage", "Who belongs to it.")
@blp.problems(401, 404, 503)
def list_members(club: str) -> Response:
    """Who belongs to a club of mine, for the longest time first."""
    found, _ = _mine(club)
    members = [_member(one) for one in process().clubs.members(found.id)]
    return json_answer(shapes.MembersPage(members), headers=PRIVATE)


@blp.route("/clubs/<club>/members/<account>", parameters=[CLUB_ID, ACCOUNT_ID])
@blp.doc(operationId="get_member")
@blp.answers(200, "Member", "What somebody is there.")
@blp.problems(401, 404, 503)
def get_member(club: str, account: str) -> Response:
    """Somebody who belongs to a club of mine; 404 `unknown_account` for who does not."""
    found, _ = _mine(club)
    return json_answer(_member(process().clubs.member(found.id, _account_id(account))), headers=PRIVATE)


@blp.route("/clubs/<club>/members/<account>", methods=["PUT"], parameters=[CLUB_ID, ACCOUNT_ID])
@blp.doc(operationId="put_member")
@blp.body(
    "GiveRole", "What the account is to be.", required=False, examples={"one": {"value": {"role": "manager"}}}
)
@blp.answers(200, "Member", "What it is now.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def put_member(club: str, account: str) -> Response:
    """Let an account belong to a club, or give it another role. Needs `game:direct`.

    Managers take members in, only owners say who manages or owns: 403 `not_a_manager`. The last owner stays
    one: 409 `last_owner`.
    """
    found, by = _mine(club, DIRECT)
    wish = read_body(bodies.GiveRole, required=False)
    clubs = process().clubs
    clubs.put(found.id, by, _account_id(account), wish.role)
    return json_answer(_member(clubs.member(found.id, _account_id(account))), headers=PRIVATE)


@blp.route("/clubs/<club>/members/<account>", methods=["DELETE"], parameters=[CLUB_ID, ACCOUNT_ID])
@blp.doc(operationId="remove_member")
@blp.response(204, description="It does not belong to the club any more.")
@blp.problems(401, 403, 404, 409, 503)
def remove_member(club: str, account: str) -> Response:
    """Take an account out of a club, or go myself. Needs `game:direct`.

    Seats that it holds in games of the club it keeps. The last owner stays: 409 `last_owner`.
    """
    found, by = _mine(club, DIRECT)
    process().clubs.remove(found.id, by, _account_id(account))
    return Response(status=204)


@blp.route("/clubs/<club>/join", methods=["POST"], parameters=[CLUB_ID])
@blp.doc(operationId="join_club")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("JoinClub", "An invitation to it.")
@blp.answers(200, "Club", "The club.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def join_club(club: str) -> Response:
    """Become a member with an invitation. Needs `game:play`. Who is one already uses nothing of it.

    What is no invitation to the club is a 404 `unknown_club` for those who do not belong to it.
    """
    account, wish = signed_in("game:play"), read_body(bodies.JoinClub)
    idempotency_key()
    guessing()
    here, club_id = process(), _club_id(club)
    held = here.invitations.find(club_id, wish.invitation)
    if held is None:
        here.clubs.of_member(club_id, account)
        raise invitations.unknown()
    here.clubs.join(held, account, here.games.now())
    return json_answer(_club(here.clubs.of_member(club_id, account)), headers=PRIVATE)


@blp.route("/clubs/<club>/invitations", methods=["POST"], parameters=[CLUB_ID])
@blp.doc(operationId="invite_to_club")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Invite", "How often, and how long.", required=False, examples=EXAMPLES)
@blp.answers(201, "InvitationMade", "The invitation; its secret is shown this once.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def invite_to_club(club: str) -> Response:
    """Make an invitation to a club that I manage. Needs `game:direct`.

    Sent again with its Idempotency-Key it is a 409 `already_shown` with the `id` to revoke.
    """
    found, account = _managed(club)
    wish = read_body(bodies.Invite, required=False)
    return made(found.id, account, Wish(wish.uses, wish.expires_in_ms))


@blp.route("/clubs/<club>/invitations", parameters=[CLUB_ID])
@blp.doc(operationId="list_invitations_to_club")
@blp.answers(200, "InvitationsPage", "The invitations, oldest first.")
@blp.problems(401, 403, 404, 503)
def list_invitations_to_club(club: str) -> Response:
    """The invitations to a club that I manage. Needs `game:direct`."""
    found, _ = _managed(club)
    return listed(found.id)


@blp.route("/clubs/<club>/invitations/<invitation>", methods=["DELETE"], parameters=[CLUB_ID, INVITATION_ID])
@blp.doc(operationId="revoke_invitation_to_club")
@blp.response(204, description="Nobody joins with it any more.")
@blp.problems(401, 403, 404, 503)
def revoke_invitation_to_club(club: str, invitation: str) -> Response:
    """Revoke an invitation; who has joined with it stays. Needs `game:direct`."""
    found, _ = _managed(club)
    return revoked(found.id, invitation)


def _mine(club: str, *scopes: str) -> tuple[Club, Account]:
    """The club of that id, to which whoever asks belongs. Raises problems: 401, 403, 404."""
    account = signed_in(*scopes)
    return process().clubs.of_member(_club_id(club), account), account


def _managed(club: str) -> tuple[Club, Account]:
    found, account = _mine(club, DIRECT)
    insist_on_managing(found.role)
    return found, account


def _club_id(text: str) -> str:
    if not UUID.fullmatch(text):
        raise unknown_club()
    return str(uuid.UUID(text))


def _account_id(text: str) -> str:
    if not UUID.fullmatch(text):
        raise unknown_account()
    return str(uuid.UUID(text))


def _club(one: Club) -> shapes.Club:
    return shapes.Club(**to_builtins(one))


def _member(one: Member) -> shapes.Member:
    return shapes.Member(account=present.account(one.account), role=one.role, since=one.since)
