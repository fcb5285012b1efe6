"""Invitations to a game: secrets with which their bearer takes a seat."""

from __future__ import annotations

from flask import Response
from msgspec import to_builtins

from events.table.game import Game
from events.table.vacancies import may_be_taken
from service.application.authorization import get_permissions
from service.application.game_context import load_visible_game
from service.application.request_context import get_services, read_idempotency_key, require_scopes
from service.base.people import Account
from service.http.blueprint import IDEMPOTENCY_KEY, Blueprint, path_parameter
from service.http.problems import Problem, invalid_parameters
from service.http.request_data import read_body
from service.http.responses import NO_STORE_HEADERS, PRIVATE_HEADERS, json_response
from service.openapi import request_structs
from service.openapi.request_fields import UUID_REGEX
from service.stores.invitations import InvitationInfo, InvitationRequest, UnknownInvitation
from service.stores.one_time_secrets import make_idempotent_secret

blp = Blueprint("invitations", __name__, url_prefix="/v1", description="Invitations to games.")

INVITATION_ID = path_parameter("invitation", "The id of the invitation (not its secret).")
EXAMPLES = {"friends": {"value": {"uses": 3, "expires_in_ms": 86400000}}}


@blp.route("/games/<id>/invitations", methods=["POST"])
@blp.doc(operationId="invite_to_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body(
    "InviteToGame",
    "The number of uses, the time until it expires, and optionally a seat.",
    required=False,
    examples=EXAMPLES,
)
@blp.answers(201, "InvitationMade", "The invitation; its secret is shown only once.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def invite_to_game(id: str) -> Response:
    """Make an invitation to a game that you created or direct. Needs `game:direct`.

    With it, people can see the game and join it, `uses` times, until it expires; with a `seat`, only at that
    seat. They send it with `join` before the game begins. Later they send it with `table_seat`, while a seat
    can be taken over. A game has at most 100 valid invitations: 409 `too_many_invitations`. If you repeat the
    request with its `Idempotency-Key`, you get 409 `already_shown` with the `id` to revoke.
    """
    game, account = _require_inviter(id)
    wanted = read_body(request_structs.InviteToGame, required=False)
    if wanted.seat is not None and wanted.seat >= len(game.seats):
        raise invalid_parameters(
            {"seat": [f"This game has no such seat. Send a number from 0 to {len(game.seats) - 1}."]}
        )
    seats = range(len(game.seats)) if wanted.seat is None else (wanted.seat,)
    if game.status != "open" and not any(may_be_taken(game, seat) for seat in seats):
        raise Problem(
            409,
            "game_not_open",
            "This game has no seat to join or take over. Invite people once a seat is free.",
        )
    return create_invitation(
        game.id, account, InvitationRequest(wanted.uses, wanted.expires_in_ms, wanted.seat)
    )


@blp.route("/games/<id>/invitations")
@blp.doc(operationId="list_invitations_to_game")
@blp.answers(200, "InvitationsPage", "The invitations, oldest first.")
@blp.problems(401, 403, 404, 503)
def list_invitations_to_game(id: str) -> Response:
    """List the invitations to a game that you created or direct. Needs `game:direct`."""
    game, _ = _require_inviter(id)
    return list_invitations(game.id)


@blp.route("/games/<id>/invitations/<invitation>", methods=["DELETE"], parameters=[INVITATION_ID])
@blp.doc(operationId="revoke_invitation_to_game")
@blp.response(204, description="The invitation is revoked.")
@blp.problems(401, 403, 404, 503)
def revoke_invitation_to_game(id: str, invitation: str) -> Response:
    """Revoke an invitation; players who joined with it stay. Needs `game:direct`."""
    game, _ = _require_inviter(id)
    return revoke_invitation(game.id, invitation)


def _require_inviter(id: str) -> tuple[Game, Account]:
    account = require_scopes("game:direct", game=id)
    game = load_visible_game(id, scopes=("game:direct",))
    if get_services().seat_claims.owner(game) != account.id and "direct" not in get_permissions(
        get_services(), account, game
    ):
        raise Problem(
            403, "not_a_director", "Only the creator or a director of this game may do that. Ask one of them."
        )
    return game, account


def create_invitation(subject: str, account: Account, wanted: InvitationRequest) -> Response:
    """Make an invitation to *subject*; return the answer with it."""
    services = get_services()
    asked = make_idempotent_secret(read_idempotency_key(), "invitation", subject, wanted)
    one, secret = services.invitations.make(subject, account, wanted, services.games.now(), asked)
    return json_response({**_present_invitation(one), "invitation": secret}, 201, NO_STORE_HEADERS)


def list_invitations(subject: str) -> Response:
    """Return the answer with all invitations to *subject*."""
    found = get_services().invitations.list(subject)
    return json_response(
        {"invitations": [_present_invitation(one) for one in found]}, headers=PRIVATE_HEADERS
    )


def _present_invitation(one: InvitationInfo) -> dict[str, object]:
    return dict(to_builtins(one))


def revoke_invitation(subject: str, invitation: str) -> Response:
    """Revoke an invitation to *subject*; return the answer. Raises a 404 problem."""
    if not UUID_REGEX.fullmatch(invitation):
        raise UnknownInvitation
    get_services().invitations.revoke(subject, invitation)
    return Response(status=204)
