"""Advice of thinking bots on moves, given only where nothing is secret any more."""

from __future__ import annotations

from typing import Any

from flask import Response

from events.base.installation import qualify_name
from events.table.game import Game
from service.api.analysis.pending import make_pending_response
from service.application.game_context import check_event, load_game_context, require_full_information
from service.application.job_results import get_job_result
from service.application.request_context import get_services, require_scopes
from service.http import query_strings
from service.http.blueprint import Blueprint
from service.http.problems import Problem
from service.http.responses import PRIVATE_HEADERS, json_response
from service.openapi import response_structs

blp = Blueprint("advice", __name__, url_prefix="/v1", description="Odds and advice, which workers simulate.")

QUEUE = "think"
"""The queue of bots that think while a person waits: a thought takes seconds, too long for other queues."""
FUNCTION = qualify_name("workers.jobs.advice")


@blp.route("/games/<id>/advice")
@blp.doc(operationId="get_advice")
@blp.query(query_strings.AdviceQuery)
@blp.answers(200, "Advice", "The moves that the bot considers.")
@blp.answers(202, "OddsPending", "The bot is thinking; ask again.", Retry_After="Seconds to wait.")
@blp.problems(400, 401, 403, 404, 409, 503)
def get_advice(query: dict[str, Any], id: str) -> Response:
    """Return the moves that a bot would consider after an event, with the chance of each to win.

    The game must have ended, or be a running analysis game that you play alone. Other running games are
    refused (`game_running`), because a bot's advice would be unfair. The bot knows only what that seat could
    know. If the event is inside a command, the bot looks at the position after the whole command.
    """
    require_scopes("game:read", game=id)
    context = load_game_context(id)
    require_full_information(
        context, "Bots give no advice on running games. Ask again when the game has ended."
    )
    at = context.game.seq if query["at"] is None else query["at"]
    check_event(context.game, at)
    then = get_services().games.load_whole_command(context.game.id, at)
    seat = _choose_seat(then, query["seat"])
    result = get_job_result(get_services(), QUEUE, FUNCTION, (then.id, then.seq, seat, query["bot"]))
    if result is None:
        return make_pending_response()
    candidates = [response_structs.Judged(**each) for each in result["candidates"]]
    advice = response_structs.Advice("ready", then.seq, seat, query["bot"], result["simulations"], candidates)
    return json_response(advice, headers=PRIVATE_HEADERS)


def _choose_seat(then: Game, seat: int | None) -> int:
    """Return the seat that is to decide something in *then*. Raises a 409 problem where there is none."""
    runs = then.status == "running" and then.state is not None
    asked = [each for each in then.title.list_awaited_seats(then.state) if each is not None] if runs else []
    if not asked or seat not in (None, *asked):
        who = "No seat has a" if seat is None else f"Seat {seat} has no"
        detail = f"{who} decision to make after that event. Ask about another event."
        raise Problem(409, "nothing_to_decide", detail)
    return asked[0] if seat is None else seat
