"""Invitations to a game: secrets that let their bearer sit down."""

from __future__ import annotations

from flask import Response
from msgspec import to_builtins

from events.table.game import Game
from events.table.vacancies import may_be_taken
from service.accounts import Account
from service.api.accounts import SECRET
from service.api.blueprint import IDEMPOTENCY_KEY, Blueprint, in_path
from service.asking import signed_in
from service.invitations import Listed, Wish, no_such
from service.one_game import seen
from service.permissions import may
from service.process import process
from service.shown_once import once
from service.wire import bodies
from service.wire.answers import PRIVATE, json_answer
from service.wire.bodies import read_body
from service.wire.problems import Problem, invalid
from service.wire.queries import UUID

blp = Blueprint("invitations", __name__, url_prefix="/v1", description="Who is invited to a game.")

INVITATION_ID = in_path("invitation", "The id of the invitation (not its secret).")
EXAMPLES = {"friends": {"value": {"uses": 3, "expires_in_ms": 86400000}}}


@blp.route("/games/<id>/invitations", methods=["POST"])
@blp.doc(operationId="invite_to_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("InviteToGame", "How often, how long, for which seat.", required=False, examples=EXAMPLES)
@blp.answers(201, "InvitationMade", "The invitation; its secret is shown this once.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def invite_to_game(id: str) -> Response:
    """Make an invitation to a game: whoever made or directs it may. Needs `game:direct`.

    Who has it may know of the game and sit down, `uses` times, until it expires; with a `seat` there only.
    Before the game begins with `join`; later, as long as a seat may be taken over, with `table_seat`.
    At most 100 are good at a time: 409 `too_many_invitations`. Sent again with its Idempotency-Key it is a
    409 `already_shown` with the `id` to revoke.
    """
    game, account = _inviting(id)
    wish = read_body(bodies.InviteToGame, required=False)
    if wish.seat is not None and wish.seat >= len(game.seats):
        raise invalid({"seat": [f"This game has the seats 0 to {len(game.seats) - 1}."]})
    seats = range(len(game.seats)) if wish.seat is None else (wish.seat,)
    if game.status != "open" and not any(may_be_taken(game, seat) for seat in seats):
        raise Problem(
            409, "game_not_open", "Nobody can join this game any more, nor is there a seat to take over."
        )
    return made(game.id, account, Wish(wish.uses, wish.expires_in_ms, wish.seat))


@blp.route("/games/<id>/invitations")
@blp.doc(operationId="list_invitations_to_game")
@blp.answers(200, "InvitationsPage", "The invitations, oldest first.")
@blp.problems(401, 403, 404, 503)
def list_invitations_to_game(id: str) -> Response:
    """The invitations to a game, for those who may make them. Needs `game:direct`."""
    game, _ = _inviting(id)
    return listed(game.id)


@blp.route("/games/<id>/invitations/<invitation>", methods=["DELETE"], parameters=[INVITATION_ID])
@blp.doc(operationId="revoke_invitation_to_game")
@blp.response(204, description="Nobody sits down with it any more.")
@blp.problems(401, 403, 404, 503)
def revoke_invitation_to_game(id: str, invitation: str) -> Response:
    """Revoke an invitation; who has sat down with it stays. Needs `game:direct`."""
    game, _ = _inviting(id)
    return revoked(game.id, invitation)


def _inviting(id: str) -> tuple[Game, Account]:
    account = signed_in("game:direct", game=id)
    game = seen(id)
    if process().seats.owner(game) != account.id and "direct" not in may(process(), account, game):
        raise Problem(403, "not_a_director", "Only who made or directs this game may do that.")
    return game, account


def made(subject: str, account: Account, wish: Wish) -> Response:
    """The answer with a new invitation to *subject*."""
    here = process()
    asked = once("invitation", subject, wish)
    one, secret = here.invitations.make(subject, account, wish, here.games.now(), asked)
    return json_answer({**_told(one), "invitation": secret}, 201, SECRET)


def listed(subject: str) -> Response:
    """The answer with all invitations to *subject*."""
    found = process().invitations.list(subject)
    return json_answer({"invitations": [_told(one) for one in found]}, headers=PRIVATE)


def _told(one: Listed) -> dict[str, object]:
    return dict(to_builtins(one))


def revoked(subject: str, invitation: str) -> Response:
    """The answer when an invitation to *subject* was revoked. Raises a 404 problem."""
    if not UUID.fullmatch(invitation):
        raise no_such()
    process().invitations.revoke(subject, invitation)
    return Response(status=204)
