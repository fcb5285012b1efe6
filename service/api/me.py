"""Accounts: making one, and my own with its games."""

from __future__ import annotations

from flask import Response

from service import game_list, present
from service.api.blueprint import Blueprint
from service.asking import signed_in
from service.process import process
from service.schemas import shapes
from service.wire import bodies
from service.wire.answers import json_answer
from service.wire.bodies import read_body

blp = Blueprint("accounts", __name__, url_prefix="/v1", description="Accounts and tokens.")


@blp.route("/accounts", methods=["POST"])
@blp.doc(security=[], operationId="create_account")
@blp.body("NewAccount", "The name that others see.", examples={"named": {"value": {"name": "Ada"}}})
@blp.answers(201, "AccountMade", "The account, and its token, which is shown this once.")
@blp.problems(400, 413, 415, 422, 503)
def create_account() -> Response:
    """Make an account.

    No password, no address: the token is all there is. Keep it.
    """
    wish = read_body(bodies.NewAccount)  # a page elsewhere cannot send JSON without being asked first
    account, token = process().accounts.create(wish.name)
    return json_answer(
        shapes.AccountMade(present.account(account), token), 201, {"Cache-Control": "no-store"}
    )


@blp.route("/me")
@blp.doc(operationId="me")
@blp.answers(200, "Me", "My account and games.")
@blp.problems(401, 503)
def me() -> Response:
    """My account, and the newest 100 games where I sit.

    The list of games follows the log within a moment.
    """
    account = signed_in()
    games = game_list.page(process(), account, game_list.Filter(mine=True, limit=100))
    return json_answer(
        shapes.Me(present.account(account), games), headers={"Cache-Control": "private, no-cache"}
    )
