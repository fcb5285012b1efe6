"""Positions: the whole one of a game that has no secrets left from whoever asks, and imagined ones."""

from __future__ import annotations

from typing import Any

from flask import Response

from events.rules.fast_chance import FastChance
from events.table.game import Game
from service.api.blueprint import Blueprint
from service.asking import signed_in
from service.one_game import check_event, insist_on_all_eyes, meet
from service.process import process
from service.schemas import shapes
from service.seats import not_a_player
from service.wire import queries
from service.wire.answers import PRIVATE, json_answer, tagged
from service.wire.problems import Problem

blp = Blueprint("position", __name__, url_prefix="/v1", description="Positions.")


@blp.route("/games/<id>/position")
@blp.doc(operationId="get_position", security=[{}, {"token": []}])
@blp.query(queries.Moment)
@blp.answers(200, "PositionTold", "The position.", ETag="The seq of the position, in quotes.")
@blp.problems(400, 401, 404, 409, 503)
def get_position(query: dict[str, Any], id: str) -> Response:
    """The whole position of a game that has ended, or of a running analysis game whose people are all me.

    Nothing in it is hidden; of other games that run it is refused (`game_running`). After an event amid a
    command it is the position after all of that command, and `seq` says so. `title`, `version`, `options` and
    `position` can be sent to `POST /v1/games` as they stand, with as many seats: that begins an analysis game
    from there.
    """
    met = meet(id)
    insist_on_all_eyes(
        met, "While a game runs nobody is told its whole position. Ask again when it has ended."
    )
    at = met.game.seq if query["at"] is None else query["at"]
    check_event(met.game, at)
    then = process().games.load_whole_command(met.game.id, at)
    if then.state is None:
        raise Problem(409, "game_not_running", "Ask for an event after the game has begun.")
    return tagged(then.seq, lambda: _told(then, then.state))


@blp.route("/games/<id>/imagined")
@blp.doc(operationId="get_imagined")
@blp.query(queries.Imagined)
@blp.answers(200, "PositionTold", "A position that my seat cannot tell from the real one.")
@blp.problems(400, 401, 403, 404, 409, 503)
def get_imagined(query: dict[str, Any], id: str) -> Response:
    """A position in which a player, or his program, can search: what my seat does not know is drawn anew.

    It agrees with all that my seat has seen, and depends on nothing else but `seed`. `title`, `version`,
    `options` and `position` can be sent to `POST /v1/games` as they stand, with as many seats.
    """
    signed_in("game:read", game=id)
    met = meet(id, query["seat"])
    game, seat = met.game, met.viewer.seat
    if seat is None:
        raise not_a_player()
    if game.status != "running" or game.state is None:
        raise Problem(409, "game_not_running", "Positions are imagined while a game runs.")
    imagined = game.title.imagine(game.state, seat, FastChance(f"imagined/{query['seed']}"))
    return json_answer(_told(game, imagined), headers=PRIVATE)


def _told(then: Game, state: Any) -> shapes.PositionTold:
    return shapes.PositionTold(
        game=then.id,
        seq=then.seq,
        title=then.title_id,
        version=then.version,
        options=then.options,
        seats=len(then.seats),
        position=then.title.position(state),
    )
