"""Forks: another course from any event of a game."""

from __future__ import annotations

from flask import Response

from events.proof.randomness import Seed
from events.store.games import IdentityRecorder, SeatPlan
from events.table.game import Game
from service.access import WIDTH, Visibility
from service.api.blueprint import IDEMPOTENCY_KEY, Blueprint
from service.api.games import created
from service.asking import signed_in
from service.new_game import make_once
from service.one_game import earlier, meet, seen
from service.process import process
from service.thinkers import check_room
from service.tournaments import aids_of
from service.wire import bodies
from service.wire.bodies import json_body, read
from service.wire.problems import Problem
from service.wishes import fork_seed, kept_seats, read_seats

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
    anew, at random. A game that has ended is forked as it was. The new game stands in nobody else's list.
    Whoever knows its address sees it if this one may be seen, and nobody does where it begins at an event
    that spectators of this one do not see yet.
    """
    account = signed_in("game:create")
    met = meet(id)
    body = json_body(required=False)
    wish = read(body, bodies.Fork)
    count = len(met.game.seats)
    if wish.seats is None:
        plans, mine = tuple(SeatPlan() for _ in range(count)), tuple(range(count))
    else:
        plans, mine = read_seats(wish.seats, process().offered.at(met.game.title_id))
    if len(plans) != count:
        raise Problem(409, "invalid_seats", f"The game has {count} seats; a fork has as many.")
    then = earlier(met.game, wish.at)
    aids = aids_of(process(), met.game)
    if aids is not None and not aids.forks and met.viewer.mine and not met.game.has_ended:
        detail = "While this game of a tournament runs, those who play it may not fork it."
        raise Problem(409, "not_allowed", detail)

    drawn = fork_seed()

    def make(*, game_id: str, command_id: str, seated: IdentityRecorder, seed: Seed | None) -> Game:
        check_room(process(), (plan.bot for plan in plans))
        process().access.settle(game_id, command_id, _visibility(met.newest, then.seq))
        process().reservations.settle(game_id, command_id, kept_seats(wish.seats or []))
        return process().games.fork(
            then.id,
            then.seq,
            met.viewer.mine,
            plans,
            seed or drawn,
            new_game_id=game_id,
            command_id=command_id,
            seated=seated,
            ended=met.game.has_ended,
        )

    process().receipts.ready()
    founded = make_once(process(), account, ["fork", met.game.id, body], mine, make, seed=drawn)
    return created(founded.game, account, before=founded.before)


@blp.route("/games/<id>", methods=["DELETE"])
@blp.doc(operationId="delete_fork")
@blp.response(204, description="It is put away.")
@blp.problems(401, 403, 404, 409, 503)
def delete_fork(id: str) -> Response:
    """Put away an analysis game that I took from another: there is none any more, for nobody.

    Its log stays as it was, and so does the game that it was taken from. Only whoever made it may do that,
    and only with a game for analysis: 409 `not_a_fork`. Needs `game:create`. Sent again it is a 404.
    """
    account = signed_in("game:create", game=id)
    game = seen(id)
    if game.origin is None or not game.analysis:
        raise Problem(409, "not_a_fork", "Only a course taken from another game can be put away. Leave it.")
    if process().seats.owner(game) != account.id:
        detail = "Only who made this course may put it away. Take one of your own."
        raise Problem(403, "not_a_director", detail)
    process().access.settle(game.id, game.opened, "hidden")
    return Response(status=204)


def _visibility(game: Game, seq: int) -> Visibility:
    """Who may see a fork of *game* from event *seq*: nobody learns by it what a delay keeps from him.

    It is one reader's thought about a game: no list shows it to others, by its address it can be shared.
    """
    if process().spectators.visible_seq(game, process().games.now()) < seq:
        return "private"
    return min(process().access.of(game), "unlisted", key=WIDTH.index)
