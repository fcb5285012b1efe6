"""Review of a player: each of their moves in a finished game, beside what a bot would do."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from flask import Response

from events.base.installation import qualify_name
from service.application.game_context import load_game_context
from service.application.job_results import get_job_result
from service.application.request_context import get_services, require_scopes
from service.http import query_strings
from service.http.blueprint import Blueprint
from service.http.problems import Problem
from service.http.responses import PRIVATE_HEADERS, json_response
from service.openapi import response_structs

blp = Blueprint("reviews", __name__, url_prefix="/v1", description="Odds and advice, which workers simulate.")

QUEUE = "ponder"
"""The queue of thoughts for which no game waits."""
FUNCTION = qualify_name("workers.game_review.review")
KEPT_SECONDS = 24 * 3600
"""Seconds for which a review is kept."""
TURNING_POINTS = 3


@blp.route("/games/<id>/review")
@blp.doc(operationId="get_review")
@blp.query(query_strings.ReviewQuery)
@blp.answers(200, "Review", "The review of all moves.")
@blp.answers(202, "Review", "The moves so far; ask again for more.", Retry_After="Seconds to wait.")
@blp.problems(400, 401, 403, 404, 409, 503)
def get_review(query: dict[str, Any], id: str) -> Response:
    """Return each move of a player in a finished game, beside the first three commands of a bot.

    Each has its chance to win, as the bot judges from what that seat could know then. Workers review some
    moves at a time, and only as long as you ask: repeat the request until `status` is `ready`. Running
    games are refused (`game_running`). Moves that were taken back are left out.
    """
    require_scopes("game:read", game=id)
    context = load_game_context(id, query["seat"])
    if not context.game.has_ended:
        raise Problem(
            409, "game_running", "Only a finished game can be reviewed. Ask again when the game has ended."
        )
    seat = min(context.viewer.mine, default=0) if query["seat"] is None else query["seat"]
    moves: list[response_structs.ReviewedMove] = []
    after: int | None = 0
    reviewed, total = 0, None
    while after is not None:
        wanted = (context.game.id, context.game.seq, seat, query["bot"], after)
        part = get_job_result(get_services(), QUEUE, FUNCTION, wanted, kept=KEPT_SECONDS)
        if part is None:
            break
        moves += [_read_move(move) for move in part["moves"]]
        reviewed, total, after = part["reviewed"], part["total"], part["next"]
    ready = after is None
    review = response_structs.Review(
        "ready" if ready else "pending",
        context.game.id,
        seat,
        query["bot"],
        reviewed,
        total,
        moves,
        find_turning_points(moves),
    )
    headers = PRIVATE_HEADERS if ready else {"Retry-After": "1", **PRIVATE_HEADERS}
    return json_response(review, 200 if ready else 202, headers)


def find_turning_points(moves: list[response_structs.ReviewedMove]) -> list[response_structs.TurningPoint]:
    """Return the greatest changes of the chance to win from one move to the next, the greatest first."""
    known = [(move.seq, move.chance) for move in moves if move.chance is not None]
    found = [
        response_structs.TurningPoint(seq, before, after)
        for (_, before), (seq, after) in pairwise(known)
        if before != after
    ]
    return sorted(found, key=lambda each: (-abs(each.after - each.before), each.seq))[:TURNING_POINTS]


def _read_move(move: dict[str, Any]) -> response_structs.ReviewedMove:
    candidates = [response_structs.Judged(**each) for each in move["candidates"]]
    return response_structs.ReviewedMove(**{**move, "candidates": candidates})
