"""The odds of a war, for titles that have wars: simulated by a worker."""

from __future__ import annotations

from typing import Any

from flask import Response

from events.base.installation import qualified_name
from service.api.blueprint import Blueprint
from service.asking import signed_in
from service.one_game import meet
from service.process import process
from service.schemas import shapes
from service.seats import not_a_player
from service.simulated import result
from service.tournaments import aids_of
from service.wire import queries
from service.wire.answers import PRIVATE, json_answer
from service.wire.problems import Problem

blp = Blueprint("odds", __name__, url_prefix="/v1", description="Simulated by workers.")

QUEUE = "odds"
FUNCTION = qualified_name("workers.jobs.odds")


@blp.route("/games/<id>/wars/odds")
@blp.doc(operationId="get_war_odds")
@blp.query(queries.OddsQuery)
@blp.answers(200, "WarOdds", "The odds.")
@blp.answers(202, "OddsPending", "Being simulated; ask again.", Retry_After="Seconds to wait.")
@blp.problems(400, 401, 403, 404, 409, 503)
def get_war_odds(query: dict[str, Any], id: str) -> Response:
    """How a war of mine against `target` might end, from what I may know."""
    signed_in("game:read", game=id)
    met = meet(id, query["seat"])
    game, seat, target = met.game, met.viewer.seat, query["target"]
    if game.title.odds is None:
        raise Problem(404, "no_wars", f"{game.title.name} has no wars whose odds could be told.")
    if seat is None:
        raise not_a_player()
    if game.status != "running":
        raise Problem(409, "game_not_running", "Odds are told while a game runs.")
    aids = aids_of(process(), game)
    if aids is not None and not aids.odds:
        raise Problem(409, "not_allowed", "In this tournament nobody is told odds while he plays.")
    if target >= len(game.seats) or target == seat:
        raise Problem(409, "unknown_seat", "Name another seat of this game as the target.")
    arguments = (game.id, game.seq, seat, target, query["simulations"])
    told = result(process(), QUEUE, FUNCTION, arguments)
    if told is not None and "rejected" in told:
        raise Problem(409, told["rejected"], told["detail"])
    if told is None:
        return json_answer(shapes.OddsPending("pending"), 202, {"Retry-After": "1", **PRIVATE})
    return json_answer(shapes.WarOdds("ready", game.seq, seat, target, told), headers=PRIVATE)
