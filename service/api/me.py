"""My account: its games, its name, its programs, its end."""

from __future__ import annotations

from flask import Response
from msgspec import to_builtins

from service import erasing, game_list, present
from service.accounts import unknown_account
from service.acting import reliability_of
from service.api.accounts import SECRET
from service.api.blueprint import ACCOUNT_ID, IDEMPOTENCY_KEY, Blueprint
from service.api.tokens import recovery_of
from service.asking import insist, permitted, signed_in
from service.process import process
from service.schemas import shapes
from service.scopes import SCOPES
from service.shown_once import once
from service.tokens import Permission
from service.wire import bodies
from service.wire.answers import PRIVATE, json_answer
from service.wire.bodies import read_body, read_named
from service.wire.problems import Problem

blp = Blueprint("me", __name__, url_prefix="/v1", description="My account.")

ACCOUNT_WRITE = "account:write"


@blp.route("/me")
@blp.doc(operationId="me")
@blp.answers(200, "Me", "My account and games.")
@blp.problems(401, 503)
def me() -> Response:
    """My account, and the newest 100 games where I sit.

    The list of games follows the log within a moment.
    """
    account = signed_in()
    games = game_list.page(process(), account, game_list.Filter(mine=True, role="seat", limit=100))
    return json_answer(
        shapes.Me(present.account(account, reliability_of(process(), account)), games), headers=PRIVATE
    )


@blp.route("/me", methods=["PATCH"])
@blp.doc(operationId="change_me")
@blp.body(
    "ChangeAccount",
    "What is to be another.",
    examples={
        "name": {"value": {"name": "Vasco da Gama"}},
        "handle": {"value": {"handle": "vasco_da-gama"}},
    },
)
@blp.answers(200, "Account", "My account as it is now.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def change_me() -> Response:
    """Change my name or my handle. Needs `account:write`.

    A handle belongs to one account (409 `handle_taken`) and can be changed every 30 days (409
    `handle_too_young`); nobody else gets the one before for 90 days.
    """
    account, wish = signed_in(ACCOUNT_WRITE), read_named(bodies.ChangeAccount)
    changed = process().accounts.change(account, wish.name, wish.handle)
    process().changed(changed)
    return json_answer(present.account(changed), headers=PRIVATE)


@blp.route("/me", methods=["DELETE"])
@blp.doc(operationId="delete_me")
@blp.body(
    "Farewell",
    "My handle, or my name where I have no handle.",
    examples={"vasco": {"value": {"confirm": "vasco"}}},
)
@blp.response(204, description="The account is gone.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def delete_me() -> Response:
    """Delete my account for good, with its tokens, its programs' accounts and the salts that name me in logs.

    Needs `account:write`. `confirm` is my handle, or my name where I have none: else 409 `not_confirmed`.
    Seats of games that have not ended are left first (`table_leave`), save those with a key of their own:
    what they sign nobody else can. Games, bundles and results stay and stay provable; my seats show `someone
    who left`. While a game of mine is about to begin it is a 409 `reveals_open`. What is stored about me is
    told by `GET /v1/me/export`, before.
    """
    account, wish = signed_in(ACCOUNT_WRITE), read_body(bodies.Farewell)
    wanted = account.handle or account.name
    if wish.confirm != wanted:
        detail = f"Nothing was deleted. Send {wanted!r} as `confirm` if you mean it."
        raise Problem(409, "not_confirmed", detail)
    erasing.erase(process(), account, permitted().id)
    return Response(status=204)


@blp.route("/me/export")
@blp.doc(operationId="export_me")
@blp.answers(200, "Export", "All that is stored about me.")
@blp.problems(401, 403, 503)
def export_me() -> Response:
    """All that is stored about my account, salts included; of secrets only that they were made.

    Needs `account:write` and `game:read`.
    """
    account = signed_in(ACCOUNT_WRITE, "game:read")
    here = process()
    rows = erasing.stored(here, account)
    shown = shapes.Export(
        account=rows.pop("account")[0],
        tokens=[shapes.Token(**to_builtins(one)) for one in here.tokens.list(account)],
        recovery=recovery_of(account),
        service_accounts=[present.account(one) for one in here.accounts.services(account)],
        **rows,
    )
    headers = {"Content-Disposition": f'attachment; filename="{account.id}.json"', **SECRET}
    return json_answer(shown, headers=headers)


@blp.route("/me/service_accounts")
@blp.doc(operationId="list_service_accounts")
@blp.answers(200, "ServiceAccounts", "My service accounts, oldest first.")
@blp.problems(401, 403, 503)
def list_service_accounts() -> Response:
    """The accounts of my programs. Needs `account:write`."""
    found = process().accounts.services(signed_in(ACCOUNT_WRITE))
    return json_answer(shapes.ServiceAccounts([present.account(one) for one in found]), headers=PRIVATE)


@blp.route("/me/service_accounts", methods=["POST"])
@blp.doc(operationId="create_service_account")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body(
    "NewService",
    "The name of the program, and what its token may do (by default read and play).",
    examples={"bot": {"value": {"name": "Deep Rutter", "scopes": ["game:read", "game:play"]}}},
)
@blp.answers(201, "AccountMade", "The account, and its token, which is shown this once.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_service_account() -> Response:
    """Make an account for a program of mine: of kind `service` wherever it is shown, with me as `owner`.

    Needs `account:write`, `token:write` and what its token may do. At most 20: 409 `too_many_accounts`.
    It goes when my account goes. Sent again with its Idempotency-Key it is a 409 `already_shown` with the
    `id` of the account.
    """
    owner, wish = signed_in(ACCOUNT_WRITE, "token:write"), read_named(bodies.NewService)
    scopes = wish.scopes or ["game:read", "game:play"]
    held = permitted()
    insist(held, [scope for scope in SCOPES if scope in scopes])
    if owner.kind == "service":
        raise Problem(403, "forbidden", "A program's account has no programs of its own. Ask as its owner.")
    permission = Permission("first token", scopes)
    asked = once("service", wish)
    made, token = process().signup.create_service(owner, wish.name, wish.handle, permission, held, asked)
    return json_answer(shapes.AccountMade(present.account(made), token), 201, SECRET)


@blp.route("/me/service_accounts/<account>", methods=["DELETE"], parameters=[ACCOUNT_ID])
@blp.doc(operationId="delete_service_account")
@blp.response(204, description="It is gone.")
@blp.problems(401, 403, 404, 503)
def delete_service_account(account: str) -> Response:
    """Delete the account of a program of mine, as `DELETE /v1/me` would. Needs `account:write`."""
    owner = signed_in(ACCOUNT_WRITE)
    for one in process().accounts.services(owner):
        if one.id == account.lower():
            erasing.erase(process(), one, permitted().id)
            return Response(status=204)
    raise unknown_account()
