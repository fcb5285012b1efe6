"""Your vacation: in your games over days, your clock stops while you are away."""

from __future__ import annotations

import contextlib
from datetime import datetime
from functools import partial

from flask import Response

from events.base.timestamps import format_time, read_time
from events.rules.steps import Rejected
from events.store.games import StaleVersion
from events.table.commands.vacations import TableVacation
from service.application.authorization import check_may_act
from service.application.queries import game_queries
from service.application.request_context import get_services, require_scopes
from service.base.people import Account
from service.http.blueprint import Blueprint
from service.http.problems import Problem
from service.http.request_data import read_body
from service.http.responses import PRIVATE_HEADERS, json_response
from service.openapi import request_structs, response_structs
from service.stores.seat_claims import get_own_seats
from service.stores.vacations import Vacation

blp = Blueprint("vacation", __name__, url_prefix="/v1", description="Vacations.")


def _get_now() -> datetime:
    return read_time(get_services().games.now())


def _make_response(vacation: Vacation) -> Response:
    shown = response_structs.Vacation(
        _format_time(vacation.begins), _format_time(vacation.ends), vacation.left_ms
    )
    return json_response(shown, headers=PRIVATE_HEADERS)


def _format_time(at: datetime | None) -> str | None:
    return None if at is None else format_time(at)


@blp.route("/me/vacation")
@blp.doc(operationId="get_vacation")
@blp.answers(200, "Vacation", "Your vacation.")
@blp.problems(401, 503)
def get_vacation() -> Response:
    """Return your current or planned vacation, and the vacation that you have left this year."""
    return _make_response(get_services().vacations.get(require_scopes(), _get_now()))


@blp.route("/me/vacation", methods=["POST"])
@blp.doc(operationId="take_vacation")
@blp.body("TakeVacation", "The end of the vacation, and optionally its beginning.")
@blp.answers(200, "Vacation", "Your vacation.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def take_vacation() -> Response:
    """Take a vacation: your clock stops in games with `vacation_ms`, as long as these milliseconds last.

    It replaces a planned vacation. If you give a command in a game, your vacation ends in that game.
    """
    account = require_scopes("account:write")
    body = read_body(request_structs.TakeVacation)
    now = _get_now()
    ends = read_time(body.until)
    begins = now if body.from_ is None else max(now, read_time(body.from_))
    if ends <= begins:
        raise Problem(
            409, "not_ahead", "The vacation ends before it begins, or before now. Send a later `until`."
        )
    return _make_response(get_services().vacations.take(account, begins, ends, now))


@blp.route("/me/vacation", methods=["DELETE"])
@blp.doc(operationId="end_vacation")
@blp.answers(200, "Vacation", "The vacation that is left this year.")
@blp.problems(401, 403, 503)
def end_vacation() -> Response:
    """End your vacation: your clocks run again."""
    account = require_scopes("account:write")
    vacation = get_services().vacations.stop(account, _get_now())
    _end_in_games(account)
    return _make_response(vacation)


def _end_in_games(account: Account) -> None:
    """End the vacation in all games of *account*."""
    wanted = game_queries.GameFilter(mine=True, status="running", limit=1000)
    for summary in game_queries.list_games(get_services(), account, wanted):
        game = get_services().games.load(summary.id)
        for seat in get_own_seats(get_services().seat_claims.holders(game), account):
            if game.seats[seat].vacation is not None:
                command = TableVacation(seat, get_services().games.next_time(game))
                with contextlib.suppress(Rejected, StaleVersion):  # it has ended by itself
                    get_services().games.table_command(
                        game.id, None, command, allowed=partial(check_may_act, get_services(), account, seat)
                    )
