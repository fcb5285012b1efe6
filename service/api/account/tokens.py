"""Your tokens, and the codes that recover your account without one."""

from __future__ import annotations

from flask import Response
from msgspec import to_builtins

from service.application.request_context import (
    check_scopes,
    get_services,
    read_idempotency_key,
    require_scopes,
    require_token,
)
from service.application.throttling import mark_credential_attempt
from service.base.people import Account
from service.base.scopes import SCOPES
from service.http.blueprint import IDEMPOTENCY_KEY, Blueprint, path_parameter
from service.http.request_data import read_body
from service.http.responses import NO_STORE_HEADERS, PRIVATE_HEADERS, json_response
from service.openapi import request_structs, response_structs
from service.openapi.request_fields import UUID_REGEX
from service.stores.one_time_secrets import make_idempotent_secret
from service.stores.tokens import TokenInfo, TokenRequest, UnknownToken, is_well_formed

blp = Blueprint(
    "tokens", __name__, url_prefix="/v1", description="Tokens, which act in your name, and recovery codes."
)

TOKEN_ID = path_parameter(
    "token",
    "The id of one of your tokens (not its secret), or `current` for the token that you send.",
    {"anyOf": [{"type": "string", "format": "uuid"}, {"const": "current"}]},
)
CODE_EXAMPLES = {
    "without one": {"value": {}},
    "with one": {"value": {"code": "7QK2M-0XR9T-B4HNE-5ZVJA"}},
}
TOKEN_WRITE = "token:write"  # noqa: S105 - the name of a scope


@blp.route("/me/tokens")
@blp.doc(operationId="list_tokens")
@blp.answers(200, "TokenList", "Your tokens.")
@blp.problems(401, 403, 503)
def list_tokens() -> Response:
    """List your tokens, oldest first, with their scopes and last uses. Needs `token:write`."""
    account = require_scopes(TOKEN_WRITE)
    return json_response({"tokens": get_services().tokens.list(account)}, headers=PRIVATE_HEADERS)


@blp.route("/me/tokens", methods=["POST"])
@blp.doc(operationId="create_token")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body(
    "NewToken",
    "A label for the token, and its scopes.",
    examples={
        "reader": {"value": {"label": "my notebook", "scopes": ["game:read"], "expires_in_ms": 2592000000}},
        "player": {"value": {"label": "my bot", "scopes": ["game:read", "game:play"]}},
    },
)
@blp.answers(201, "TokenMade", "The token; its secret is shown only once.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_token() -> Response:
    """Make a token with some of the scopes of the token that you send. Needs `token:write`.

    It cannot have more scopes than that token (403 `missing_scope`), nor expire later. An account has at most
    50 tokens: 409 `too_many_tokens`. If you repeat the request with its `Idempotency-Key`, you get 409
    `already_shown` with the `id` to revoke.
    """
    account, body = require_scopes(TOKEN_WRITE), read_body(request_structs.NewToken)
    held = require_token()
    check_scopes(held, body.scopes)
    games = None if body.games is None else sorted({game.lower() for game in body.games})
    permission = TokenRequest(body.label, body.scopes, games, body.expires_in_ms)
    made, secret = get_services().tokens.make(
        account, permission, held, make_idempotent_secret(read_idempotency_key(), "token", body)
    )
    return json_response(_add_secret(made, secret), 201, NO_STORE_HEADERS)


def _add_secret(made: TokenInfo, secret: str) -> dict[str, object]:
    return {**to_builtins(made), "token": secret}


@blp.route("/me/tokens/<token>", methods=["DELETE"], parameters=[TOKEN_ID])
@blp.doc(operationId="revoke_token")
@blp.response(
    204,
    description="The token is revoked.",
    headers={
        "Rutter-Effective-Within-Ms": {
            "description": "Milliseconds until every process refuses the token: 1000, or 30000 without"
            " Redis.",
            "schema": {"type": "string"},
        }
    },
)
@blp.problems(401, 403, 404, 503)
def revoke_token(token: str) -> Response:
    """Revoke a token. Needs `token:write`, except for `current`."""
    account = require_token().account if token == "current" else require_scopes(TOKEN_WRITE)  # noqa: S105 - a word
    within = get_services().tokens.revoke(account, only=_read_token_id(token))
    return Response(status=204, headers={"Rutter-Effective-Within-Ms": str(within), **NO_STORE_HEADERS})


@blp.route("/me/tokens/<token>/rotate", methods=["POST"], parameters=[TOKEN_ID])
@blp.doc(operationId="rotate_token")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body(
    "Rotate",
    "The time for which the old secret still works.",
    required=False,
    examples={"a minute": {"value": {"overlap_ms": 60000}}},
)
@blp.answers(201, "TokenRotated", "The new token; its secret is shown only once.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def rotate_token(token: str) -> Response:
    """Replace a token by one with a new secret and id. The old one works for another `overlap_ms`.

    Needs `token:write` and all scopes of the token. If you repeat the request with its `Idempotency-Key`, you
    get 409 `already_shown` with the `id` of the new token.
    """
    account = require_scopes(TOKEN_WRITE)
    body = read_body(request_structs.Rotate, required=False)
    tokens, token_id = get_services().tokens, _read_token_id(token)
    asked = make_idempotent_secret(read_idempotency_key(), "rotate", token_id, body)
    asked.check(get_services().pool, account.id)
    check_scopes(require_token(), tokens.get(account, token_id).scopes)  # so that nobody gains any by it
    made, secret, within = tokens.rotate(account, token_id, body.overlap_ms, asked)
    return json_response({**_add_secret(made, secret), "effective_within_ms": within}, 201, NO_STORE_HEADERS)


def _read_token_id(text: str) -> str:
    """Return the token id that an address names. Raises a 404 problem for what cannot be one."""
    if text == "current":
        return require_token().id
    if not UUID_REGEX.fullmatch(text):
        raise UnknownToken
    return text.lower()


@blp.route("/tokens/test", methods=["POST"])
@blp.doc(operationId="test_tokens", security=[])
@blp.body(
    "TestTokens",
    "Up to 100 tokens.",
    examples={"one": {"value": {"tokens": ["rut_5q3wVnT0yLrPzXh8kJd2GmBcFs7aEuN9tQoRiYv4W1K0x2mK9b"]}}},
)
@blp.answers(200, "TokensTested", "The properties of each token, in the order in which you sent them.")
@blp.problems(400, 413, 415, 422, 503)
def test_tokens() -> Response:
    """Check which of your tokens are valid, and read their scopes."""
    body = read_body(request_structs.TestTokens)
    return json_response({"tokens": [_test_token(one) for one in body.tokens]}, headers=NO_STORE_HEADERS)


def _test_token(secret: str) -> response_structs.Tested:
    found = get_services().tokens.find(secret)
    if found is None:
        return response_structs.Tested(is_well_formed(secret), valid=False)
    scopes = [scope for scope in SCOPES if scope in found.scopes]
    games = None if found.games is None else sorted(found.games)
    return response_structs.Tested(True, True, found.id, found.account.id, scopes, games)


@blp.route("/me/recovery")
@blp.doc(operationId="get_recovery")
@blp.answers(200, "Recovery", "The number of codes that are left.")
@blp.problems(401, 403, 503)
def get_recovery() -> Response:
    """Return the number of unused recovery codes. Needs `token:write`."""
    return json_response(present_recovery(require_scopes(TOKEN_WRITE)), headers=PRIVATE_HEADERS)


def present_recovery(account: Account) -> response_structs.Recovery:
    """Return the recovery codes of an account as they are shown: their number and the time they were made."""
    left = get_services().signup.get_remaining_codes(account)
    if left is None:
        return response_structs.Recovery(None, 0, None, 0, None)
    return response_structs.Recovery(left.id, left.left, left.made_at, left.earlier, left.until)


def _read_earlier_code() -> str | None:
    """Return the recovery code that the request sends to end earlier ones; None without one."""
    code = read_body(request_structs.EndCodes, required=False).code
    if code is not None:
        mark_credential_attempt()
    return code


@blp.route("/me/recovery", methods=["POST"])
@blp.doc(operationId="create_recovery_codes")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("EndCodes", "A code that is still good, if you have one.", required=False, examples=CODE_EXAMPLES)
@blp.answers(201, "RecoveryCodes", "The codes; they are shown only once.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_recovery_codes() -> Response:
    """Make ten recovery codes. Keep them apart from the token.

    Earlier codes end at once if you send one of them as `code`. Otherwise they stay good for 14 days, so that
    a stolen token cannot lock you out: if you use an earlier code, all newer codes end. Your account gets the
    notice `account.recovery_changed`.

    Each code recovers the account once (`POST /v1/accounts/recover`), so making them needs a token with all
    scopes. If you repeat the request with its `Idempotency-Key`, you get 409 `already_shown` with the `id` of
    the codes (`DELETE` revokes them).
    """
    account = require_scopes(TOKEN_WRITE, *SCOPES)
    earlier = _read_earlier_code()
    asked = make_idempotent_secret(read_idempotency_key(), "recovery", earlier)
    batch, codes = get_services().signup.make_codes(account, earlier, asked)
    get_services().hints.publish_notice(account.id)
    return json_response(response_structs.RecoveryCodes(batch, codes), 201, NO_STORE_HEADERS)


@blp.route("/me/recovery", methods=["DELETE"])
@blp.doc(operationId="revoke_recovery_codes")
@blp.body("EndCodes", "A code that is still good, if you have one.", required=False, examples=CODE_EXAMPLES)
@blp.response(204, description="All recovery codes are revoked.")
@blp.problems(400, 401, 403, 413, 415, 422, 503)
def revoke_recovery_codes() -> Response:
    """Revoke all recovery codes. Needs `token:write`.

    They end at once if you send one of them as `code`, otherwise after 14 days. Your account gets the notice
    `account.recovery_changed`.
    """
    account = require_scopes(TOKEN_WRITE)
    get_services().signup.drop_codes(account, _read_earlier_code())
    get_services().hints.publish_notice(account.id)
    return Response(status=204)
