"""Your account: its games, its name, its programs, its end."""

from __future__ import annotations

from flask import Response
from msgspec import to_builtins

from service.api.account.tokens import present_recovery
from service.application import account_deletion
from service.application.authorization import get_reliability
from service.application.queries import game_queries
from service.application.request_context import (
    check_scopes,
    get_services,
    read_idempotency_key,
    require_scopes,
    require_token,
)
from service.base.scopes import SCOPES
from service.http.blueprint import ACCOUNT_ID, IDEMPOTENCY_KEY, Blueprint
from service.http.problems import Problem
from service.http.request_data import read_body, read_body_with_name
from service.http.responses import NO_STORE_HEADERS, PRIVATE_HEADERS, json_response
from service.openapi import request_structs, response_structs
from service.presenters import game_presenter
from service.stores.accounts import UnknownAccount
from service.stores.one_time_secrets import make_idempotent_secret
from service.stores.tokens import TokenRequest

blp = Blueprint("me", __name__, url_prefix="/v1", description="Your account.")

ACCOUNT_WRITE = "account:write"


@blp.route("/me")
@blp.doc(operationId="me")
@blp.answers(200, "Me", "Your account and games.")
@blp.problems(401, 503)
def me() -> Response:
    """Return your account, and the newest 100 games in which you hold a seat.

    The list of games is updated within a moment after each event. Without `game:read` it is empty; a token
    for certain games lists only those.
    """
    held = require_token()
    account, wanted = (
        held.account,
        game_queries.GameFilter(mine=True, role="seat", among=held.games, limit=100),
    )
    games = game_queries.list_games(get_services(), account, wanted) if "game:read" in held.scopes else []
    return json_response(
        response_structs.Me(
            game_presenter.present_account(account, get_reliability(get_services(), account)), games
        ),
        headers=PRIVATE_HEADERS,
    )


@blp.route("/me", methods=["PATCH"])
@blp.doc(operationId="change_me")
@blp.body(
    "ChangeAccount",
    "The members to change.",
    examples={
        "name": {"value": {"name": "Vasco da Gama"}},
        "handle": {"value": {"handle": "vasco_da-gama"}},
    },
)
@blp.answers(200, "Account", "Your account as it is now.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def change_me() -> Response:
    """Change your name or your handle. Needs `account:write`.

    A handle belongs to one account (409 `handle_taken`). You can change it every 30 days (409
    `handle_too_young`). Your previous handle stays reserved for 90 days.
    """
    account, body = require_scopes(ACCOUNT_WRITE), read_body_with_name(request_structs.ChangeAccount)
    changed = get_services().accounts.change(account, body.name, body.handle)
    get_services().announce_account_change(changed)
    return json_response(game_presenter.present_account(changed), headers=PRIVATE_HEADERS)


@blp.route("/me", methods=["DELETE"])
@blp.doc(operationId="delete_me")
@blp.body(
    "ConfirmDeletion",
    "Your handle, or your name if you have no handle.",
    examples={"vasco": {"value": {"confirm": "vasco"}}},
)
@blp.response(204, description="The account is deleted.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def delete_me() -> Response:
    """Delete your account for good, with its tokens, its service accounts and its salts.

    Needs `account:write`. Send your handle as `confirm`, or your name if you have no handle: otherwise you
    get 409 `not_confirmed`. The server first leaves your seats in unfinished games (`table_leave`), except
    seats with a key: only you can sign for them. Games, bundles and results stay, and can still be verified;
    your seats show `someone who left`. While one of your games is about to begin, you get 409 `reveals_open`.
    `GET /v1/me/export` returns everything stored about you: call it first.
    """
    account, body = require_scopes(ACCOUNT_WRITE), read_body(request_structs.ConfirmDeletion)
    wanted = account.handle or account.name
    if body.confirm != wanted:
        detail = f"Nothing was deleted. To delete the account, send {wanted!r} as `confirm`."
        raise Problem(409, "not_confirmed", detail)
    account_deletion.delete_account(get_services(), account, require_token().id)
    return Response(status=204)


@blp.route("/me/export")
@blp.doc(operationId="export_me")
@blp.answers(200, "Export", "Everything that is stored about you.")
@blp.problems(401, 403, 503)
def export_me() -> Response:
    """Return everything stored about your account, with salts; of secrets it says only that they exist.

    Needs `account:write` and `game:read`.
    """
    account = require_scopes(ACCOUNT_WRITE, "game:read")
    services = get_services()
    rows = account_deletion.export_account(services, account)
    shown = response_structs.Export(
        account=rows.pop("account")[0],
        tokens=[response_structs.Token(**to_builtins(one)) for one in services.tokens.list(account)],
        recovery=present_recovery(account),
        service_accounts=[
            game_presenter.present_account(one) for one in services.accounts.service_accounts_of(account)
        ],
        **rows,
    )
    headers = {"Content-Disposition": f'attachment; filename="{account.id}.json"', **NO_STORE_HEADERS}
    return json_response(shown, headers=headers)


@blp.route("/me/service_accounts")
@blp.doc(operationId="list_service_accounts")
@blp.answers(200, "ServiceAccounts", "Your service accounts, oldest first.")
@blp.problems(401, 403, 503)
def list_service_accounts() -> Response:
    """List the accounts of your programs. Needs `account:write`."""
    found = get_services().accounts.service_accounts_of(require_scopes(ACCOUNT_WRITE))
    return json_response(
        response_structs.ServiceAccounts([game_presenter.present_account(one) for one in found]),
        headers=PRIVATE_HEADERS,
    )


@blp.route("/me/service_accounts", methods=["POST"])
@blp.doc(operationId="create_service_account")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body(
    "NewService",
    "The name of the program, and the scopes of its token (by default read and play).",
    examples={"bot": {"value": {"name": "Deep Rutter", "scopes": ["game:read", "game:play"]}}},
)
@blp.answers(201, "AccountMade", "The account and its token, which is shown only once.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_service_account() -> Response:
    """Make an account for one of your programs. It is shown with kind `service` and you as `owner`.

    Needs `account:write`, `token:write` and every scope that its token gets. You can have 20: 409
    `too_many_accounts`. It is deleted together with your account. If you repeat the request with its
    `Idempotency-Key`, you get 409 `already_shown` with the `id` of the account.
    """
    owner, body = (
        require_scopes(ACCOUNT_WRITE, "token:write"),
        read_body_with_name(request_structs.NewService),
    )
    scopes = body.scopes or ["game:read", "game:play"]
    held = require_token()
    check_scopes(held, [scope for scope in SCOPES if scope in scopes])
    if owner.kind == "service":
        raise Problem(
            403, "forbidden", "A service account cannot have service accounts. Use a token of its owner."
        )
    permission = TokenRequest("first token", scopes)
    asked = make_idempotent_secret(read_idempotency_key(), "service", body)
    made, token = get_services().signup.create_service(owner, body.name, body.handle, permission, held, asked)
    return json_response(
        response_structs.AccountMade(game_presenter.present_account(made), token), 201, NO_STORE_HEADERS
    )


@blp.route("/me/service_accounts/<account>", methods=["DELETE"], parameters=[ACCOUNT_ID])
@blp.doc(operationId="delete_service_account")
@blp.response(204, description="It is deleted.")
@blp.problems(401, 403, 404, 503)
def delete_service_account(account: str) -> Response:
    """Delete the account of one of your programs, as `DELETE /v1/me` does. Needs `account:write`."""
    owner = require_scopes(ACCOUNT_WRITE)
    for one in get_services().accounts.service_accounts_of(owner):
        if one.id == account.lower():
            account_deletion.delete_account(get_services(), one, require_token().id)
            return Response(status=204)
    raise UnknownAccount
