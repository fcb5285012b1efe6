"""The odds of a war, for titles that have wars: simulated by a worker."""

from __future__ import annotations

from typing import Any

from flask import Response

from events.base.installation import qualify_name
from service.api.analysis.pending import make_pending_response
from service.application.game_context import load_game_context
from service.application.job_results import get_job_result
from service.application.request_context import get_services, require_scopes
from service.application.tournament_context import get_allowed_aids
from service.http import query_strings
from service.http.blueprint import Blueprint
from service.http.problems import Problem
from service.http.responses import PRIVATE_HEADERS, json_response
from service.openapi import response_structs
from service.stores.seat_claims import MissingSeat

blp = Blueprint("odds", __name__, url_prefix="/v1", description="Odds and advice, which workers simulate.")

QUEUE = "odds"
FUNCTION = qualify_name("workers.jobs.odds")


@blp.route("/games/<id>/wars/odds")
@blp.doc(operationId="get_war_odds")
@blp.query(query_strings.OddsQuery)
@blp.answers(200, "WarOdds", "The odds.")
@blp.answers(202, "OddsPending", "The simulation is running; ask again.", Retry_After="Seconds to wait.")
@blp.problems(400, 401, 403, 404, 409, 503)
def get_war_odds(query: dict[str, Any], id: str) -> Response:
    """Return the odds of a war of your seat against `target`, simulated from what you may know."""
    require_scopes("game:read", game=id)
    context = load_game_context(id, query["seat"])
    game, seat, target = context.game, context.viewer.seat, query["target"]
    if game.title.odds is None:
        raise Problem(
            404, "no_wars", f"{game.title.name} has no wars. Ask for odds only in titles with wars."
        )
    if seat is None:
        raise MissingSeat
    if game.status != "running":
        raise Problem(
            409, "game_not_running", "The game is not running. Ask for odds only in a running game."
        )
    aids = get_allowed_aids(get_services(), game)
    if aids is not None and not aids.odds:
        raise Problem(
            409,
            "not_allowed",
            "This tournament does not allow its players to ask for odds. Decide without them.",
        )
    if target >= len(game.seats) or target == seat:
        raise Problem(
            409, "unknown_seat", "This seat cannot be the target. Send another seat of this game as `target`."
        )
    arguments = (game.id, game.seq, seat, target, query["simulations"])
    result = get_job_result(get_services(), QUEUE, FUNCTION, arguments)
    if result is not None and "rejected" in result:
        raise Problem(409, result["rejected"], result["detail"])
    if result is None:
        return make_pending_response()
    return json_response(
        response_structs.WarOdds("ready", game.seq, seat, target, result), headers=PRIVATE_HEADERS
    )
