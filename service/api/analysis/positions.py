"""Positions: the whole one of a game without secrets from the account that asks, and imagined ones."""

from __future__ import annotations

from typing import Any

from flask import Response

from events.rules.fast_chance import FastChance
from events.table.game import Game
from service.application.game_context import check_event, load_game_context, require_full_information
from service.application.request_context import get_services, require_scopes
from service.http import query_strings
from service.http.blueprint import Blueprint
from service.http.problems import Problem
from service.http.responses import PRIVATE_HEADERS, json_response, with_etag
from service.openapi import response_structs
from service.stores.seat_claims import MissingSeat

blp = Blueprint("position", __name__, url_prefix="/v1", description="Positions of games.")


@blp.route("/games/<id>/position")
@blp.doc(operationId="get_position", security=[{}, {"token": []}])
@blp.query(query_strings.EventQuery)
@blp.answers(200, "PositionTold", "The position.", ETag="The seq of the position, in quotes.")
@blp.problems(400, 401, 404, 409, 503)
def get_position(query: dict[str, Any], id: str) -> Response:
    """Return the whole position of a game that has ended, or of a running analysis game of yours alone.

    Nothing in it is hidden. For running games with other people it is refused (`game_running`). If the event
    is inside a command, you get the position after the whole command, and `seq` says so. You can send
    `title`, `version`, `options` and `position` unchanged to `POST /v1/games`, with the same number of seats.
    This begins an analysis game from there.
    """
    context = load_game_context(id)
    require_full_information(
        context, "Nobody can see the whole position of a running game. Ask again when it has ended."
    )
    at = context.game.seq if query["at"] is None else query["at"]
    check_event(context.game, at)
    then = get_services().games.load_whole_command(context.game.id, at)
    if then.state is None:
        raise Problem(409, "game_not_running", "The game had not begun at this event. Ask for a later event.")
    return with_etag(then.seq, _present_position(then, then.state))


@blp.route("/games/<id>/imagined")
@blp.doc(operationId="get_imagined")
@blp.query(query_strings.ImaginedQuery)
@blp.answers(200, "PositionTold", "A position that your seat cannot tell from the real one.")
@blp.problems(400, 401, 403, 404, 409, 503)
def get_imagined(query: dict[str, Any], id: str) -> Response:
    """Return a position to search from: everything that your seat does not know is drawn again.

    It agrees with everything that your seat has seen, and depends only on that and on `seed`. You can send
    `title`, `version`, `options` and `position` unchanged to `POST /v1/games`, with the same number of seats.
    """
    require_scopes("game:read", game=id)
    context = load_game_context(id, query["seat"])
    game, seat = context.game, context.viewer.seat
    if seat is None:
        raise MissingSeat
    if game.status != "running" or game.state is None:
        raise Problem(
            409,
            "game_not_running",
            "The game is not running. Ask for its real position with `GET .../position` once it has ended.",
        )
    imagined = game.title.imagine(game.state, seat, FastChance(f"imagined/{query['seed']}"))
    return json_response(_present_position(game, imagined), headers=PRIVATE_HEADERS)


def _present_position(then: Game, state: Any) -> response_structs.PositionTold:
    return response_structs.PositionTold(
        game=then.id,
        seq=then.seq,
        title=then.title_id,
        version=then.version,
        options=then.options,
        seats=len(then.seats),
        position=then.title.position(state),
    )
