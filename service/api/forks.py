"""Forks: another course from any event of a game."""

from __future__ import annotations

from flask import Response

from events.game import Game
from events.games import Seated, SeatPlan
from events.proof import Seed
from service.api.blueprint import IDEMPOTENCY_KEY, Blueprint
from service.api.games import created
from service.asking import signed_in
from service.new_game import make_once
from service.one_game import earlier, meet
from service.process import process
from service.wire import bodies
from service.wire.bodies import json_body, read
from service.wire.problems import Problem
from service.wishes import fork_seed, read_seats

blp = Blueprint("forks", __name__, url_prefix="/v1", description="Analysis games from earlier events.")


@blp.route("/games/<id>/forks", methods=["POST"])
@blp.doc(operationId="fork_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Fork", "From which event, and who sits where (default: I at every seat).", required=False)
@blp.answers(
    201, "Game", "The new game.", Location="Its address.", Idempotency_Replayed="`true` for a repetition."
)
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def fork_game(id: str) -> Response:
    """Make an analysis game that begins where this one stood after event `at` (default: now).

    Of a running game only a player may do that, and only from what he may know: hidden parts are drawn
    anew, at random. A game that has ended is forked as it was. The new game is as
    visible as this one.
    """
    account = signed_in("game:create")
    met = meet(id)
    body = json_body(required=False)
    wish = read(body, bodies.Fork)
    count = len(met.game.seats)
    if wish.seats is None:
        plans, mine = tuple(SeatPlan() for _ in range(count)), tuple(range(count))
    else:
        plans, mine = read_seats(wish.seats, process().bots)
    if len(plans) != count:
        raise Problem(409, "invalid_seats", f"The game has {count} seats; a fork has as many.")
    then = earlier(met.game, wish.at)

    drawn = fork_seed()

    def make(*, game_id: str, command_id: str, seated: Seated, seed: Seed | None) -> Game:
        process().access.settle(game_id, command_id, process().access.of(met.game))
        return process().games.fork(
            then.id,
            then.seq,
            met.viewer.mine,
            plans,
            seed or drawn,
            new_game_id=game_id,
            command_id=command_id,
            seated=seated,
        )

    process().receipts.ready()
    founded = make_once(process(), account, ["fork", met.game.id, body], mine, make, seed=drawn)
    return created(founded.game, account, before=founded.before)
