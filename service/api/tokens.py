"""My tokens, and the codes that open my account without one."""

from __future__ import annotations

from flask import Response
from msgspec import to_builtins

from service.accounts import Account
from service.api.accounts import SECRET
from service.api.blueprint import IDEMPOTENCY_KEY, Blueprint, in_path
from service.asking import insist, permitted, signed_in
from service.process import process
from service.schemas import shapes
from service.scopes import SCOPES
from service.shown_once import once
from service.tokens import Listed, Permission, Token, is_well_formed, unknown_token
from service.wire import bodies
from service.wire.answers import PRIVATE, json_answer
from service.wire.bodies import read_body
from service.wire.queries import UUID

blp = Blueprint("tokens", __name__, url_prefix="/v1", description="What may act in my name.")

TOKEN_ID = in_path(
    "token",
    "The id of one of my tokens (not its secret), or `current`: the one that is sent.",
    {"anyOf": [{"type": "string", "format": "uuid"}, {"const": "current"}]},
)
TOKEN_WRITE = "token:write"  # noqa: S105 - the name of a scope


@blp.route("/me/tokens")
@blp.doc(operationId="list_tokens")
@blp.answers(200, "TokenList", "My tokens.")
@blp.problems(401, 403, 503)
def list_tokens() -> Response:
    """My tokens, oldest first: what they may do, when they were used last. Needs `token:write`."""
    account = signed_in(TOKEN_WRITE)
    return json_answer({"tokens": process().tokens.list(account)}, headers=PRIVATE)


@blp.route("/me/tokens", methods=["POST"])
@blp.doc(operationId="create_token")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body(
    "NewToken",
    "What the token is called and what it may do.",
    examples={
        "reader": {"value": {"label": "my notebook", "scopes": ["game:read"], "expires_in_ms": 2592000000}},
        "player": {"value": {"label": "my bot", "scopes": ["game:read", "game:play"]}},
    },
)
@blp.answers(201, "TokenMade", "The token; its secret is shown this once.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_token() -> Response:
    """Make a token that may do some of what the one that is sent may. Needs `token:write`.

    It can do no more than that one (403 `missing_scope`) and ends no later. An account has at most 50: 409
    `too_many_tokens`. Sent again with its Idempotency-Key it is a 409 `already_shown` with the `id` to
    revoke.
    """
    account, wish = signed_in(TOKEN_WRITE), read_body(bodies.NewToken)
    held = permitted()
    insist(held, wish.scopes)
    games = None if wish.games is None else sorted({game.lower() for game in wish.games})
    permission = Permission(wish.label, wish.scopes, games, wish.expires_in_ms)
    made, secret = process().tokens.make(account, permission, held, once("token", wish))
    return json_answer(_with_secret(made, secret), 201, SECRET)


def _with_secret(made: Listed, secret: str) -> dict[str, object]:
    return {**to_builtins(made), "token": secret}


@blp.route("/me/tokens/<token>", methods=["DELETE"], parameters=[TOKEN_ID])
@blp.doc(operationId="revoke_token")
@blp.response(
    204,
    description="It is revoked.",
    headers={
        "Rutter-Effective-Within-Ms": {
            "description": "Within how many milliseconds no process takes it: 1000, without Redis 30000.",
            "schema": {"type": "string"},
        }
    },
)
@blp.problems(401, 403, 404, 503)
def revoke_token(token: str) -> Response:
    """Revoke a token. Needs `token:write`, save for `current`."""
    account = permitted().account if token == "current" else signed_in(TOKEN_WRITE)  # noqa: S105 - a word
    within = process().tokens.revoke(account, only=_token_id(token))
    return Response(status=204, headers={"Rutter-Effective-Within-Ms": str(within), **SECRET})


@blp.route("/me/tokens/<token>/rotate", methods=["POST"], parameters=[TOKEN_ID])
@blp.doc(operationId="rotate_token")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body(
    "Rotate",
    "How long the old secret works on.",
    required=False,
    examples={"a minute": {"value": {"overlap_ms": 60000}}},
)
@blp.answers(201, "TokenRotated", "The token that takes its place; its secret is shown this once.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def rotate_token(token: str) -> Response:
    """Get another secret for a token, with a new id; the old one works for `overlap_ms` more.

    Needs `token:write` and all that the token may do. Sent again with its Idempotency-Key it is a 409
    `already_shown` with the `id` of the new one.
    """
    account = signed_in(TOKEN_WRITE)
    wish = read_body(bodies.Rotate, required=False)
    tokens, token_id = process().tokens, _token_id(token)
    asked = once("rotate", token_id, wish)
    asked.check(process().pool, account.id)
    _insist_on_all_of(tokens.one(account, token_id), permitted())
    made, secret, within = tokens.rotate(account, token_id, wish.overlap_ms, asked)
    return json_answer({**_with_secret(made, secret), "effective_within_ms": within}, 201, SECRET)


def _token_id(text: str) -> str:
    """The id that an address names. Raises a 404 problem for what cannot be one."""
    if text == "current":
        return permitted().id
    if not UUID.fullmatch(text):
        raise unknown_token()
    return text.lower()


def _insist_on_all_of(other: Listed, held: Token) -> None:
    """Nobody gets more by a token than it may do itself."""
    insist(held, other.scopes)


@blp.route("/tokens/test", methods=["POST"])
@blp.doc(operationId="test_tokens", security=[])
@blp.body(
    "TestTokens",
    "Up to 100 tokens.",
    examples={"one": {"value": {"tokens": ["rut_5q3wVnT0yLrPzXh8kJd2GmBcFs7aEuN9tQoRiYv4W1K0x2mK9b"]}}},
)
@blp.answers(200, "TokensTested", "What they are good for, in the order in which they were sent.")
@blp.problems(400, 413, 415, 422, 503)
def test_tokens() -> Response:
    """Ask which of the tokens that I hold are valid, and what they may do."""
    wish = read_body(bodies.TestTokens)
    return json_answer({"tokens": [_tested(one) for one in wish.tokens]}, headers=SECRET)


def _tested(secret: str) -> shapes.Tested:
    found = process().tokens.find(secret)
    if found is None:
        return shapes.Tested(is_well_formed(secret), valid=False)
    scopes = [scope for scope in SCOPES if scope in found.scopes]
    games = None if found.games is None else sorted(found.games)
    return shapes.Tested(True, True, found.id, found.account.id, scopes, games)


@blp.route("/me/recovery")
@blp.doc(operationId="get_recovery")
@blp.answers(200, "Recovery", "How many codes are left.")
@blp.problems(401, 403, 503)
def get_recovery() -> Response:
    """Whether there are recovery codes, and how many are left. Needs `token:write`."""
    return json_answer(recovery_of(signed_in(TOKEN_WRITE)), headers=PRIVATE)


def recovery_of(account: Account) -> shapes.Recovery:
    """What there is to know of the recovery codes of an account."""
    left = process().signup.codes_left(account)
    return shapes.Recovery(left.id, left.left, left.made_at) if left else shapes.Recovery(None, 0, None)


@blp.route("/me/recovery", methods=["POST"])
@blp.doc(operationId="create_recovery_codes")
@blp.headers(IDEMPOTENCY_KEY)
@blp.no_body
@blp.answers(201, "RecoveryCodes", "The codes; they are shown this once.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_recovery_codes() -> Response:
    """Make ten recovery codes; earlier ones are void. Keep them apart from the token.

    Each opens the account once (`POST /v1/accounts/recover`), so it needs a token with all scopes. Sent again
    with its Idempotency-Key it is a 409 `already_shown` with the `id` of the codes (`DELETE` revokes them).
    """
    account = signed_in(TOKEN_WRITE, *SCOPES)
    read_body(bodies.Start, required=False)
    batch, codes = process().signup.make_codes(account, once("recovery"))
    return json_answer(shapes.RecoveryCodes(batch, codes), 201, SECRET)


@blp.route("/me/recovery", methods=["DELETE"])
@blp.doc(operationId="revoke_recovery_codes")
@blp.response(204, description="There are none any more.")
@blp.problems(401, 403, 503)
def revoke_recovery_codes() -> Response:
    """Revoke all recovery codes. Needs `token:write`."""
    process().signup.drop_codes(signed_in(TOKEN_WRITE))
    return Response(status=204)
