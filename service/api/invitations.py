"""Invitations to a game: secrets that let their bearer sit down."""

from __future__ import annotations

from flask import Response
from msgspec import to_builtins

from events.table.game import Game
from events.table.vacancies import may_be_taken
from service.api.account.accounts import NO_STORE_HEADERS
from service.application.authentication import require_scopes
from service.application.authorization import get_permissions
from service.application.container import get_services
from service.application.game_context import load_visible_game
from service.http.blueprint import IDEMPOTENCY_KEY, Blueprint, path_parameter
from service.http.problems import Problem, invalid_parameters
from service.http.request_bodies import read_body
from service.http.responses import PRIVATE_HEADERS, json_response
from service.openapi import request_structs
from service.openapi.request_fields import UUID_REGEX
from service.stores.accounts import Account
from service.stores.invitations import InvitationInfo, InvitationRequest, unknown_invitation_problem
from service.stores.one_time_secrets import make_idempotent_secret

blp = Blueprint("invitations", __name__, url_prefix="/v1", description="Who is invited to a game.")

INVITATION_ID = path_parameter("invitation", "The id of the invitation (not its secret).")
EXAMPLES = {"friends": {"value": {"uses": 3, "expires_in_ms": 86400000}}}


@blp.route("/games/<id>/invitations", methods=["POST"])
@blp.doc(operationId="invite_to_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("InviteToGame", "How often, how long, for which seat.", required=False, examples=EXAMPLES)
@blp.answers(201, "InvitationMade", "The invitation; its secret is shown this once.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def invite_to_game(id: str) -> Response:
    """Make an invitation to a game that you made or direct. Needs `game:direct`.

    Who has it can see the game and join it, `uses` times, until it expires; with a `seat` there only.
    Before the game begins with `join`; later, as long as a seat may be taken over, with `table_seat`.
    At most 100 are good at a time: 409 `too_many_invitations`. Sent again with its Idempotency-Key it is a
    409 `already_shown` with the `id` to revoke.
    """
    game, account = _require_inviter(id)
    wish = read_body(request_structs.InviteToGame, required=False)
    if wish.seat is not None and wish.seat >= len(game.seats):
        raise invalid_parameters({"seat": [f"This game has the seats 0 to {len(game.seats) - 1}."]})
    seats = range(len(game.seats)) if wish.seat is None else (wish.seat,)
    if game.status != "open" and not any(may_be_taken(game, seat) for seat in seats):
        raise Problem(
            409, "game_not_open", "Nobody can join this game any more, nor is there a seat to take over."
        )
    return create_invitation(game.id, account, InvitationRequest(wish.uses, wish.expires_in_ms, wish.seat))


@blp.route("/games/<id>/invitations")
@blp.doc(operationId="list_invitations_to_game")
@blp.answers(200, "InvitationsPage", "The invitations, oldest first.")
@blp.problems(401, 403, 404, 503)
def list_invitations_to_game(id: str) -> Response:
    """List the invitations to a game, for those who may make them. Needs `game:direct`."""
    game, _ = _require_inviter(id)
    return list_invitations(game.id)


@blp.route("/games/<id>/invitations/<invitation>", methods=["DELETE"], parameters=[INVITATION_ID])
@blp.doc(operationId="revoke_invitation_to_game")
@blp.response(204, description="Nobody can join with it any more.")
@blp.problems(401, 403, 404, 503)
def revoke_invitation_to_game(id: str, invitation: str) -> Response:
    """Revoke an invitation; players who sat down with it stay. Needs `game:direct`."""
    game, _ = _require_inviter(id)
    return revoke_invitation(game.id, invitation)


def _require_inviter(id: str) -> tuple[Game, Account]:
    account = require_scopes("game:direct", game=id)
    game = load_visible_game(id)
    if get_services().seat_claims.owner(game) != account.id and "direct" not in get_permissions(
        get_services(), account, game
    ):
        raise Problem(403, "not_a_director", "Only who made or directs this game may do that.")
    return game, account


def create_invitation(subject: str, account: Account, wish: InvitationRequest) -> Response:
    """Make an invitation to *subject*; return the answer with it."""
    services = get_services()
    asked = make_idempotent_secret("invitation", subject, wish)
    one, secret = services.invitations.make(subject, account, wish, services.games.now(), asked)
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
        raise unknown_invitation_problem()
    get_services().invitations.revoke(subject, invitation)
    return Response(status=204)
