"""Forks: analysis games that begin at any event of a game."""

from __future__ import annotations

from flask import Response

from events.proof.randomness import Seed
from events.store.games import IdentityRecorder, SeatPlan
from events.table.game import Game
from service.api.games import make_created_response
from service.application.bot_capacity import check_bot_capacity
from service.application.game_context import (
    GameContext,
    load_earlier_game,
    load_game_context,
    load_visible_game,
)
from service.application.game_creation import create_game_once
from service.application.game_request import make_fork_seed, read_reserved_seats, read_seats
from service.application.request_context import get_services, require_scopes
from service.application.schemas.game_schemas import make_fork
from service.application.tournament_context import get_allowed_aids
from service.base.visibility import VISIBILITIES, Visibility
from service.http.blueprint import IDEMPOTENCY_KEY, Blueprint
from service.http.problems import Problem
from service.http.request_data import build_struct, load_request, read_json_body
from service.openapi import request_structs

blp = Blueprint(
    "forks", __name__, url_prefix="/v1", description="Analysis games that begin at an event of another game."
)


@blp.route("/games/<id>/forks", methods=["POST"])
@blp.doc(operationId="fork_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Fork", "The event to begin from, and the seats (default: you at every seat).", required=False)
@blp.answers(
    201,
    "Game",
    "The new game.",
    Location="The address of the game.",
    Idempotency_Replayed="`true` if the request had been carried out before.",
)
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def fork_game(id: str) -> Response:
    """Make an analysis game that begins at the state of this game after event `at` (default: now).

    Only its players can fork a running game, and only from what they may know: hidden parts are drawn again
    at random. A finished game is forked unchanged. The new game is in no list but yours. People who know its
    address can see it if they can see this game. If it begins at an event that spectators of this game do not
    see yet, only you can see it.
    """
    account = require_scopes("game:create")
    context = load_game_context(id)
    body = read_json_body(required=False)
    bots = get_services().bot_catalogue.names_for_title(context.game.title_id)
    fork = build_struct(load_request(body, make_fork(bots)), request_structs.Fork)
    plans, mine = _plan_seats(fork, len(context.game.seats))
    then = load_earlier_game(context.game, fork.at)
    _require_allowed(context)
    drawn = make_fork_seed()

    def make(*, game_id: str, command_id: str, seated: IdentityRecorder, seed: Seed | None) -> Game:
        check_bot_capacity(get_services(), (plan.bot for plan in plans))
        get_services().visibility.narrow(game_id, command_id, _choose_visibility(context.newest, then.seq))
        get_services().reservations.reserve(game_id, command_id, read_reserved_seats(fork.seats or []))
        return get_services().games.fork(
            then.id,
            then.seq,
            context.viewer.mine,
            plans,
            seed or drawn,
            new_game_id=game_id,
            command_id=command_id,
            seated=seated,
            ended=context.game.has_ended,
        )

    get_services().receipts.require_signer()
    founded = create_game_once(
        get_services(), account, ["fork", context.game.id, body], mine, make, seed=drawn
    )
    return make_created_response(founded.game, account, before=founded.before)


def _plan_seats(fork: request_structs.Fork, count: int) -> tuple[tuple[SeatPlan, ...], tuple[int, ...]]:
    """Return the plans of the *count* seats of a fork, and the seats that its maker takes: all by default.

    Raises a 409 problem for another number of seats.
    """
    if fork.seats is None:
        return tuple(SeatPlan() for _ in range(count)), tuple(range(count))
    plans, mine = read_seats(fork.seats)
    if len(plans) != count:
        raise Problem(
            409,
            "invalid_seats",
            f"The game has {count} seats. Send `seats` with {count} entries, or leave it out.",
        )
    return plans, mine


def _require_allowed(context: GameContext) -> None:
    """Raise a 409 problem for a player of a running game whose tournament allows no forks."""
    aids = get_allowed_aids(get_services(), context.game)
    if aids is not None and not aids.forks and context.viewer.mine and not context.game.has_ended:
        detail = (
            "This tournament does not allow its players to fork a running game. Wait until the game has"
            " ended."
        )
        raise Problem(409, "not_allowed", detail)


@blp.route("/games/<id>", methods=["DELETE"])
@blp.doc(operationId="delete_fork")
@blp.response(204, description="The fork is deleted.")
@blp.problems(401, 403, 404, 409, 503)
def delete_fork(id: str) -> Response:
    """Delete one of your forks: afterwards nobody finds it.

    Its log stays unchanged, and so does the original game. Only its creator can do this, and only for an
    analysis game: 409 `not_a_fork`. Needs `game:create`. If you repeat the request, you get 404.
    """
    account = require_scopes("game:create", game=id)
    game = load_visible_game(id, scopes=("game:create",))
    if game.origin is None or not game.analysis:
        raise Problem(
            409,
            "not_a_fork",
            "This game is not a fork, so it cannot be deleted. To stop playing, leave it with `table_leave`.",
        )
    if get_services().seat_claims.owner(game) != account.id:
        detail = "Another account made this fork, so you cannot delete it. Ask its creator."
        raise Problem(403, "not_a_director", detail)
    get_services().visibility.narrow(game.id, game.opened, "hidden")
    return Response(status=204)


def _choose_visibility(game: Game, seq: int) -> Visibility:
    """Return the visibility of a fork of *game* from event *seq*: it reveals nothing that a delay hides.

    A fork is one reader's analysis: no list shows it to others, but its address can be shared.
    """
    if get_services().spectator_delay.visible_seq(game, get_services().games.now()) < seq:
        return "private"
    return min(get_services().visibility.get(game), "unlisted", key=VISIBILITIES.index)
