"""Accounts: making one, finding others, recovering one whose tokens are lost."""

from __future__ import annotations

from typing import Any

from flask import Response
from msgspec.structs import asdict

from service.application.authorization import get_reliability
from service.application.event_accounts import find_event
from service.application.request_context import get_services, read_idempotency_key
from service.application.throttling import admit_new_account
from service.http import query_strings
from service.http.blueprint import ACCOUNT_ID, IDEMPOTENCY_KEY, Blueprint
from service.http.request_data import read_body, read_body_with_name
from service.http.responses import NO_STORE_HEADERS, PUBLIC_HEADERS, json_response
from service.openapi import request_structs, response_structs
from service.openapi.request_fields import UUID_REGEX
from service.presenters import game_presenter
from service.stores.accounts import UnknownAccount
from service.stores.one_time_secrets import make_idempotent_secret

blp = Blueprint("accounts", __name__, url_prefix="/v1", description="Accounts and tokens.")


@blp.route("/accounts", methods=["POST"])
@blp.doc(security=[], operationId="create_account")
@blp.body(
    "NewAccount",
    "The name that others see, and a unique handle.",
    examples={"named": {"value": {"name": "Ada"}}, "called": {"value": {"name": "Ada", "handle": "ada_l"}}},
)
@blp.answers(201, "AccountMade", "The account and its token, which is shown only once.")
@blp.problems(400, 409, 413, 415, 422, 503)
def create_account() -> Response:
    """Make an account.

    There is no password and no mail address: the token is your only key. Keep it, and make recovery codes
    (`POST /v1/me/recovery`). It has all scopes; `POST /v1/me/tokens` makes tokens that can do less. An
    `Idempotency-Key` has no effect here, because a secret is shown only once. Code of a 409: `handle_taken`.

    One address can make 60 accounts an hour. With an organiser's `invitation` to a tournament there can be
    more: up to twice the places of the event, and 200 a day for each organiser. The organiser's account must
    be older than a day. Other invitations change nothing.
    """
    body = read_body_with_name(
        request_structs.NewAccount
    )  # a page elsewhere cannot send JSON without being asked first
    services = get_services()
    admit_new_account(None if body.invitation is None else find_event(services, body.invitation))
    account, token = services.signup.create(body.name, body.handle)
    return json_response(
        response_structs.AccountMade(game_presenter.present_account(account), token), 201, NO_STORE_HEADERS
    )


@blp.route("/accounts")
@blp.doc(security=[], operationId="find_account")
@blp.query(query_strings.HandleQuery)
@blp.answers(200, "AccountsFound", "A list with the account, or an empty list.")
@blp.problems(400, 503)
def find_account(query: dict[str, Any]) -> Response:
    """Find the account that has a handle."""
    found = get_services().accounts.find_by_handle(query["handle"])
    accounts = (
        [game_presenter.present_account(found, get_reliability(get_services(), found))] if found else []
    )
    return json_response(response_structs.AccountsFound(accounts, None), headers=PUBLIC_HEADERS)


@blp.route("/accounts/<account>", parameters=[ACCOUNT_ID])
@blp.doc(security=[], operationId="get_account")
@blp.answers(200, "Profile", "The account.")
@blp.problems(404, 503)
def get_account(account: str) -> Response:
    """Return the public profile of an account: its reliability, its ratings, its results by title.

    Only games whose end everybody can see count; private and unlisted games do not. `GET /v1/games?player=`
    lists them. For a deleted account the answer is 404 `unknown_account`.
    """
    found = get_services().accounts.find(account.lower()) if UUID_REGEX.fullmatch(account) else None
    if found is None:
        raise UnknownAccount
    answer, services = (
        game_presenter.present_account(found, get_reliability(get_services(), found)),
        get_services(),
    )
    now = services.games.now()
    profile = response_structs.Profile(
        **asdict(answer),
        ratings=services.ratings.list_for_account(found.id, now),
        results=services.ratings.results(found.id, now),
    )
    return json_response(profile, headers=PUBLIC_HEADERS)


@blp.route("/accounts/recover", methods=["POST"])
@blp.doc(security=[], operationId="recover_account")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body(
    "Recover",
    "The account and one of its recovery codes.",
    examples={
        "lost": {
            "value": {"account": "019a9f00-0000-7000-8000-00000000000a", "code": "7QK2M-0XR9T-B4HNE-5ZVJA"}
        }
    },
)
@blp.answers(201, "Recovered", "The account and a new token for it, which is shown only once.")
@blp.problems(400, 403, 409, 413, 415, 422, 503)
def recover_account() -> Response:
    """Recover an account whose tokens are lost, with one of its recovery codes.

    Each code works once. All earlier tokens of the account are revoked, and all codes that were made after
    this one. A wrong code gets 403
    `recovery_refused`, even if no such account exists; after several wrong codes your address must wait. If
    you repeat the request with its `Idempotency-Key`, you get 409 `already_shown` with the `id` of the token.
    """
    body = read_body(request_structs.Recover)
    asked = make_idempotent_secret(read_idempotency_key(), "recover", body.account.lower(), body.code)
    signup = get_services().signup
    account, listed, token, within = signup.recover(body.account.lower(), body.code, asked)
    left = signup.get_remaining_codes(account)
    shown = response_structs.Recovered(
        game_presenter.present_account(account), listed.id, token, left.left if left else 0, within
    )
    return json_response(shown, 201, NO_STORE_HEADERS)
