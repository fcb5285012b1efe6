"""My vacation: in my games over days time stands still as long as I am away."""

from __future__ import annotations

import contextlib
import re
from datetime import datetime

from flask import Response

from events.base.timestamps import format_timestamp
from events.rules.steps import Rejected
from events.store.games import StaleVersion
from events.table.commands.vacations import TableVacation
from service import game_list
from service.accounts import Account
from service.acting import acting_as
from service.api.blueprint import Blueprint
from service.asking import signed_in
from service.process import process
from service.schemas import shapes
from service.seats import mine
from service.vacations import Vacation
from service.wire import bodies
from service.wire.answers import PRIVATE, json_answer
from service.wire.bodies import read_body, read_time
from service.wire.problems import Problem

blp = Blueprint("vacation", __name__, url_prefix="/v1", description="Being away.")


_FORM = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")
"""RFC 3339, whether or not there is such a time."""


def _now() -> datetime:
    return datetime.fromisoformat(process().games.now())


def _time(text: str, field: str) -> datetime:
    """A time that was sent. Raises a 409 problem for one of another age, a 422 problem for what is none."""
    try:
        return datetime.fromisoformat(read_time(text, field))
    except (Problem, ValueError, OverflowError):
        if not _FORM.fullmatch(text):
            raise
        detail = f"`{field}` is too long ago, or too far ahead. Send a time of these years."
        raise Problem(409, "not_ahead", detail) from None


def _answer(told: Vacation) -> Response:
    shown = shapes.Vacation(_text(told.begins), _text(told.ends), max(0, told.left_ms))
    return json_answer(shown, headers=PRIVATE)


def _text(at: datetime | None) -> str | None:
    return None if at is None else format_timestamp(int(at.timestamp()) * 1_000_000 + at.microsecond)


@blp.route("/me/vacation")
@blp.doc(operationId="get_vacation")
@blp.answers(200, "Vacation", "My vacation.")
@blp.problems(401, 503)
def get_vacation() -> Response:
    """When I am away, and how much vacation I have left this year."""
    return _answer(process().vacations.of(signed_in(), _now()))


@blp.route("/me/vacation", methods=["POST"])
@blp.doc(operationId="take_vacation")
@blp.body("TakeVacation", "Until when, and perhaps from when on.")
@blp.answers(200, "Vacation", "My vacation.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def take_vacation() -> Response:
    """Be away: my time stands still in each game whose clock has `vacation_ms`, as long as these last.

    It replaces a vacation that I had planned. In a game where I give a command I am back.
    """
    account = signed_in("account:write")
    wish = read_body(bodies.TakeVacation)
    now = _now()
    ends = _time(wish.until, "until")
    begins = now if wish.from_ is None else max(now, _time(wish.from_, "from"))
    if ends <= begins:
        raise Problem(409, "not_ahead", "A vacation ends after it has begun, and after now.")
    return _answer(process().vacations.take(account, begins, ends, now))


@blp.route("/me/vacation", methods=["DELETE"])
@blp.doc(operationId="end_vacation")
@blp.answers(200, "Vacation", "What is left of this year.")
@blp.problems(401, 403, 503)
def end_vacation() -> Response:
    """Be back: my time runs again."""
    account = signed_in("account:write")
    told = process().vacations.stop(account, _now())
    _back(account)
    return _answer(told)


def _back(account: Account) -> None:
    """End the vacation in all games of *account*."""
    wanted = game_list.Filter(mine=True, status="running", limit=1000)
    for summary in game_list.page(process(), account, wanted):
        game = process().games.load(summary.id)
        for seat in mine(process().seats.holders(game), account):
            if game.seats[seat].vacation is not None:
                command = TableVacation(seat, process().games.next_time(game))
                with contextlib.suppress(Rejected, StaleVersion):  # it has ended by itself
                    process().games.table_command(
                        game.id, None, command, allowed=acting_as(process(), account, seat)
                    )
