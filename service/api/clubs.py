"""Clubs: their members, their invitations, their games."""

from __future__ import annotations

import uuid
from typing import Any

from flask import Response
from msgspec import to_builtins

from events.store.games import new_id
from service.api.games import make_games_response
from service.api.invitations import (
    EXAMPLES,
    INVITATION_ID,
    create_invitation,
    list_invitations,
    revoke_invitation,
)
from service.application.queries import game_queries
from service.application.request_context import get_services, read_idempotency_key, require_scopes
from service.application.throttling import mark_credential_attempt
from service.base.people import Account
from service.http import query_strings
from service.http.blueprint import ACCOUNT_ID, IDEMPOTENCY_KEY, Blueprint, path_parameter
from service.http.request_data import read_body, read_body_with_name
from service.http.responses import PRIVATE_HEADERS, json_response
from service.openapi import request_structs, response_structs
from service.openapi.request_fields import UUID_REGEX
from service.presenters import game_presenter
from service.stores import invitations
from service.stores.accounts import UnknownAccount
from service.stores.clubs import Club, Member, UnknownClub, require_manager
from service.stores.invitations import InvitationRequest

blp = Blueprint("clubs", __name__, url_prefix="/v1", description="Groups of players with private games.")

CLUB_ID = path_parameter("club", "The id of the club.")
READ, DIRECT = "game:read", "game:direct"


@blp.route("/clubs", methods=["POST"])
@blp.doc(operationId="create_club")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("NewClub", "The name of the club.", examples={"club": {"value": {"name": "Lisbon Navigators"}}})
@blp.answers(201, "Club", "The club, which you own.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_club() -> Response:
    """Make a club. Needs `game:direct`.

    Owners appoint managers and can delete the club. Managers add and remove members, invite, and direct its
    games. An account owns at most 20 clubs: 409 `too_many_clubs`.
    """
    account, body = require_scopes(DIRECT), read_body_with_name(request_structs.NewClub)
    key = read_idempotency_key()
    club = get_services().seat_claims.derive_claim_id(account, account.id, f"club {key}") if key else new_id()
    get_services().clubs.make(account, body.name, club)
    return json_response(
        _present_club(get_services().clubs.get_for_member(club, account)), 201, PRIVATE_HEADERS
    )


@blp.route("/clubs")
@blp.doc(operationId="list_clubs")
@blp.answers(200, "ClubsPage", "Your clubs, oldest first.")
@blp.problems(401, 403, 503)
def list_clubs() -> Response:
    """List the clubs that you belong to. Needs `game:read`."""
    found = get_services().clubs.list_for_account(require_scopes(READ))
    return json_response(
        response_structs.ClubsPage([_present_club(one) for one in found]), headers=PRIVATE_HEADERS
    )


@blp.route("/clubs/<club>", parameters=[CLUB_ID])
@blp.doc(operationId="get_club")
@blp.answers(200, "Club", "The club.")
@blp.problems(401, 403, 404, 503)
def get_club(club: str) -> Response:
    """Return a club that you belong to. Needs `game:read`.

    For others it does not exist: 404 `unknown_club`.
    """
    found, _ = _get_own_club(club)
    return json_response(_present_club(found), headers=PRIVATE_HEADERS)


@blp.route("/clubs/<club>", methods=["DELETE"], parameters=[CLUB_ID])
@blp.doc(operationId="delete_club")
@blp.response(204, description="It is deleted.")
@blp.problems(401, 403, 404, 503)
def delete_club(club: str) -> Response:
    """Delete a club that you own. Needs `game:direct`.

    Its games stay private to their players, creators and directors.
    """
    found, account = _get_own_club(club, DIRECT)
    get_services().clubs.delete(found.id, account)
    return Response(status=204)


@blp.route("/clubs/<club>/games", parameters=[CLUB_ID])
@blp.doc(operationId="list_club_games")
@blp.query(query_strings.GamePageQuery)
@blp.answers(200, "GamesPage", "The games of the club, newest first.")
@blp.problems(400, 401, 403, 404, 503)
def list_club_games(query: dict[str, Any], club: str) -> Response:
    """List the games of a club that you belong to. Needs `game:read`.

    The list is updated within a moment after each event.
    """
    found, account = _get_own_club(club)
    wanted = game_queries.GameFilter(**query, club=found.id)
    return make_games_response(f"/v1/clubs/{found.id}/games", account, wanted)


@blp.route("/clubs/<club>/members", parameters=[CLUB_ID])
@blp.doc(operationId="list_members")
@blp.answers(200, "MembersPage", "The members of the club.")
@blp.problems(401, 403, 404, 503)
def list_members(club: str) -> Response:
    """List the members of one of your clubs, the oldest membership first. Needs `game:read`."""
    found, _ = _get_own_club(club)
    members = [_present_member(one) for one in get_services().clubs.members(found.id)]
    return json_response(response_structs.MembersPage(members), headers=PRIVATE_HEADERS)


@blp.route("/clubs/<club>/members/<account>", parameters=[CLUB_ID, ACCOUNT_ID])
@blp.doc(operationId="get_member")
@blp.answers(200, "Member", "The member and their role.")
@blp.problems(401, 403, 404, 503)
def get_member(club: str, account: str) -> Response:
    """Return a member of one of your clubs. Needs `game:read`.

    For an account that is no member: 404 `unknown_account`.
    """
    found, _ = _get_own_club(club)
    return json_response(
        _present_member(get_services().clubs.member(found.id, _read_account_id(account))),
        headers=PRIVATE_HEADERS,
    )


@blp.route("/clubs/<club>/members/<account>", methods=["PUT"], parameters=[CLUB_ID, ACCOUNT_ID])
@blp.doc(operationId="put_member")
@blp.body(
    "GiveRole", "The role of the account.", required=False, examples={"one": {"value": {"role": "manager"}}}
)
@blp.answers(200, "Member", "The member with the new role.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def put_member(club: str, account: str) -> Response:
    """Add an account to a club, or give it another role. Needs `game:direct`.

    Managers can add members. Only owners can make managers and owners: 403 `not_a_manager`. The last owner
    keeps the role: 409 `last_owner`.
    """
    found, by = _get_own_club(club, DIRECT)
    body = read_body(request_structs.GiveRole, required=False)
    clubs = get_services().clubs
    clubs.put(found.id, by, _read_account_id(account), body.role)
    return json_response(
        _present_member(clubs.member(found.id, _read_account_id(account))), headers=PRIVATE_HEADERS
    )


@blp.route("/clubs/<club>/members/<account>", methods=["DELETE"], parameters=[CLUB_ID, ACCOUNT_ID])
@blp.doc(operationId="remove_member")
@blp.response(204, description="The account is no longer a member.")
@blp.problems(401, 403, 404, 409, 503)
def remove_member(club: str, account: str) -> Response:
    """Remove an account from a club, or leave the club yourself. Needs `game:direct`.

    The account keeps its seats in games of the club. The last owner cannot leave: 409 `last_owner`.
    """
    found, by = _get_own_club(club, DIRECT)
    get_services().clubs.remove(found.id, by, _read_account_id(account))
    return Response(status=204)


@blp.route("/clubs/<club>/join", methods=["POST"], parameters=[CLUB_ID])
@blp.doc(operationId="join_club")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("JoinClub", "An invitation to the club.")
@blp.answers(200, "Club", "The club.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def join_club(club: str) -> Response:
    """Join a club with an invitation. Needs `game:play`. For members the invitation is not used.

    If you are no member and the invitation is not valid for the club, you get 404 `unknown_club`.
    """
    account, body = require_scopes("game:play"), read_body(request_structs.JoinClub)
    read_idempotency_key()
    mark_credential_attempt()
    services, club_id = get_services(), _read_club_id(club)
    held = services.invitations.find(club_id, body.invitation)
    if held is None:
        services.clubs.get_for_member(club_id, account)
        raise invitations.InvalidInvitation
    services.clubs.join(held, account, services.games.now())
    return json_response(
        _present_club(services.clubs.get_for_member(club_id, account)), headers=PRIVATE_HEADERS
    )


@blp.route("/clubs/<club>/invitations", methods=["POST"], parameters=[CLUB_ID])
@blp.doc(operationId="invite_to_club")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Invite", "The number of uses, and the time until it expires.", required=False, examples=EXAMPLES)
@blp.answers(201, "InvitationMade", "The invitation; its secret is shown only once.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def invite_to_club(club: str) -> Response:
    """Make an invitation to a club that you manage. Needs `game:direct`.

    If you repeat the request with its `Idempotency-Key`, you get 409 `already_shown` with the `id` to revoke.
    """
    found, account = _get_managed_club(club)
    body = read_body(request_structs.Invite, required=False)
    return create_invitation(found.id, account, InvitationRequest(body.uses, body.expires_in_ms))


@blp.route("/clubs/<club>/invitations", parameters=[CLUB_ID])
@blp.doc(operationId="list_invitations_to_club")
@blp.answers(200, "InvitationsPage", "The invitations, oldest first.")
@blp.problems(401, 403, 404, 503)
def list_invitations_to_club(club: str) -> Response:
    """List the invitations to a club that you manage. Needs `game:direct`."""
    found, _ = _get_managed_club(club)
    return list_invitations(found.id)


@blp.route("/clubs/<club>/invitations/<invitation>", methods=["DELETE"], parameters=[CLUB_ID, INVITATION_ID])
@blp.doc(operationId="revoke_invitation_to_club")
@blp.response(204, description="The invitation is revoked.")
@blp.problems(401, 403, 404, 503)
def revoke_invitation_to_club(club: str, invitation: str) -> Response:
    """Revoke an invitation; members who joined with it stay. Needs `game:direct`."""
    found, _ = _get_managed_club(club)
    return revoke_invitation(found.id, invitation)


def _get_own_club(club: str, scope: str = READ) -> tuple[Club, Account]:
    """Return the club of that id and the account that asks, a member. Raises problems: 401, 403, 404."""
    account = require_scopes(scope)
    return get_services().clubs.get_for_member(_read_club_id(club), account), account


def _get_managed_club(club: str) -> tuple[Club, Account]:
    found, account = _get_own_club(club, DIRECT)
    require_manager(found.role)
    return found, account


def _read_club_id(text: str) -> str:
    if not UUID_REGEX.fullmatch(text):
        raise UnknownClub
    return str(uuid.UUID(text))


def _read_account_id(text: str) -> str:
    if not UUID_REGEX.fullmatch(text):
        raise UnknownAccount
    return str(uuid.UUID(text))


def _present_club(one: Club) -> response_structs.Club:
    return response_structs.Club(**to_builtins(one))


def _present_member(one: Member) -> response_structs.Member:
    return response_structs.Member(
        account=game_presenter.present_account(one.account), role=one.role, since=one.since
    )
