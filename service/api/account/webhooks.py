"""Your webhooks: addresses that the service calls when you get a notice."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from flask import Response
from msgspec import to_builtins
from msgspec.structs import replace

from projections.messages import webhook_url
from projections.read_models.notices import TYPES
from service.application.game_context import load_visible_game
from service.application.request_context import get_services, read_idempotency_key, require_scopes
from service.application.tournament_context import load_tournament_context
from service.http import query_strings
from service.http.blueprint import IDEMPOTENCY_KEY, Blueprint, path_parameter
from service.http.problems import Problem, invalid_parameters
from service.http.request_data import read_body
from service.http.responses import NO_STORE_HEADERS, PRIVATE_HEADERS, json_response
from service.openapi import request_structs, response_structs
from service.openapi.request_fields import UUID_REGEX
from service.stores.one_time_secrets import make_idempotent_secret
from service.stores.webhooks import UnknownWebhook, WebhookFilter

blp = Blueprint(
    "webhooks", __name__, url_prefix="/v1", description="Calls to your own server when you get a notice."
)

WRITE = "webhook:write"
WEBHOOK_ID = path_parameter("webhook", "The id of one of your webhooks.")
DELIVERY_ID = path_parameter(
    "delivery",
    "The `webhook-id` of a call.",
    {"type": "string", "pattern": "^ntc_[0-9]{1,15}_[0-9a-f-]{36}$"},
)


@blp.route("/me/webhooks")
@blp.doc(operationId="list_webhooks")
@blp.answers(200, "WebhookList", "Your webhooks.")
@blp.problems(401, 403, 503)
def list_webhooks() -> Response:
    """List your webhooks, the oldest first, without their secrets. Needs `webhook:write`."""
    return json_response(
        {"webhooks": get_services().webhooks.list(require_scopes(WRITE))}, headers=PRIVATE_HEADERS
    )


@blp.route("/me/webhooks", methods=["POST"])
@blp.doc(operationId="create_webhook")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body(
    "NewWebhook",
    "The address to call, and the types of notices.",
    examples={
        "turns": {"value": {"url": "https://example.org/rutter", "types": ["game.your_turn"]}},
        "all": {"value": {"url": "https://example.org/rutter"}},
    },
)
@blp.answers(201, "WebhookMade", "The webhook; its secret is shown only once.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def create_webhook() -> Response:
    """Make a webhook: the server calls its address for your notices of these types. Needs `webhook:write`.

    A call is a POST of `{"type", "timestamp", "data"}`, signed as Standard Webhooks 1.0 describes. Check it
    with one of its libraries and the `secret`. Answer 2xx within 5 seconds. Otherwise the server tries again
    after 5 s, 1 min, 5 min, 30 min, 2 h, 8 h and 24 h. `Retry-After` in your answer delays the next attempt.
    A retry has the same `webhook-id`. A call may come twice, and calls may come out of order: use `data.seq`
    to order them. The server disables the webhook if you answer 410, or if no call arrives for five days. It
    does not follow redirects. The address must be public and use https, with port 443, or 1024 and above. An
    account has at most 10 webhooks (409 `too_many_webhooks`). If you repeat the request with its
    `Idempotency-Key`, you get 409 `already_shown` with the `id` to delete.
    """
    account, body = require_scopes(WRITE), read_body(request_structs.NewWebhook)
    services = get_services()
    try:
        webhook_url.parse_url(body.url, private=services.settings.private_webhooks)
    except webhook_url.BadWebhookUrl as bad:
        raise invalid_parameters({"url": [str(bad)]}) from None
    only = WebhookFilter()
    if body.game is not None:
        only = replace(only, game=load_visible_game(body.game, scopes=(WRITE,)).id)
    if body.tournament is not None:
        found = load_tournament_context(body.tournament, scopes=(WRITE,))
        only = replace(only, tournament=found.newest.id)
    types = list(dict.fromkeys(body.types or TYPES))
    made, secret = services.webhooks.make(
        account, body.url, types, only, make_idempotent_secret(read_idempotency_key(), "webhook", body)
    )
    return json_response({**to_builtins(made), "secret": secret}, 201, NO_STORE_HEADERS)


@blp.route("/me/webhooks/<webhook>", methods=["PATCH"], parameters=[WEBHOOK_ID])
@blp.doc(operationId="change_webhook")
@blp.body(
    "ChangeWebhook",
    "The members to change.",
    examples={"off": {"value": {"enabled": False}}, "types": {"value": {"types": ["game.begun"]}}},
)
@blp.answers(200, "Webhook", "The webhook as it is now.")
@blp.problems(400, 401, 403, 404, 413, 415, 422, 503)
def change_webhook(webhook: str) -> Response:
    """Enable or disable a webhook, or change its types. Needs `webhook:write`.

    When you enable it again, the server makes the calls that wait. While it is disabled, no new calls are
    added.
    """
    account, body = require_scopes(WRITE), read_body(request_structs.ChangeWebhook)
    types = None if body.types is None else list(dict.fromkeys(body.types))
    changed = get_services().webhooks.change(account, _read_id(webhook), body.enabled, types)
    return json_response(changed, headers=PRIVATE_HEADERS)


@blp.route("/me/webhooks/<webhook>", methods=["DELETE"], parameters=[WEBHOOK_ID])
@blp.doc(operationId="delete_webhook")
@blp.response(204, description="The webhook and its deliveries are deleted.")
@blp.problems(401, 403, 404, 503)
def delete_webhook(webhook: str) -> Response:
    """Delete a webhook. Needs `webhook:write`."""
    get_services().webhooks.delete(require_scopes(WRITE), _read_id(webhook))
    return Response(status=204)


@blp.route("/me/webhooks/<webhook>/rotate", methods=["POST"], parameters=[WEBHOOK_ID])
@blp.doc(operationId="rotate_webhook")
@blp.headers(IDEMPOTENCY_KEY)
@blp.no_body
@blp.answers(201, "WebhookMade", "The webhook; its secret is shown only once.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def rotate_webhook(webhook: str) -> Response:
    """Replace the secret. For 24 hours calls are signed with both secrets. Needs `webhook:write`.

    If you repeat the request with its `Idempotency-Key`, you get 409 `already_shown`. Rotate once more then.
    """
    account = require_scopes(WRITE)
    read_body(request_structs.Start, required=False)
    changed, secret = get_services().webhooks.rotate(
        account, _read_id(webhook), make_idempotent_secret(read_idempotency_key(), "rotate webhook", webhook)
    )
    return json_response({**to_builtins(changed), "secret": secret}, 201, NO_STORE_HEADERS)


@blp.route("/me/webhooks/<webhook>/test", methods=["POST"], parameters=[WEBHOOK_ID])
@blp.doc(operationId="test_webhook")
@blp.no_body
@blp.answers(202, "Delivery", "The call that will be made.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def test_webhook(webhook: str) -> Response:
    """Call a webhook with a `webhook.test`. Needs `webhook:write`.

    `GET .../deliveries` shows the result. For a disabled webhook you get 409 `webhook_disabled`.
    """
    account = require_scopes(WRITE)
    read_body(request_structs.Start, required=False)
    return json_response(get_services().webhooks.test(account, _read_id(webhook)), 202, PRIVATE_HEADERS)


@blp.route("/me/webhooks/<webhook>/deliveries", parameters=[WEBHOOK_ID])
@blp.doc(operationId="list_deliveries")
@blp.query(query_strings.DeliveriesQuery)
@blp.answers(200, "DeliveryList", "The calls of the webhook, the oldest first.")
@blp.problems(400, 401, 403, 404, 503)
def list_deliveries(query: dict[str, Any], webhook: str) -> Response:
    """List the calls of the last 90 days with their results. Needs `webhook:write`."""
    account, webhook = require_scopes(WRITE), _read_id(webhook)
    status, after, limit = query["status"], query["after"], query["limit"]
    found = get_services().webhooks.deliveries(account, webhook, status, after, limit)
    more = None
    if len(found) == limit:
        asked = {"limit": limit, "after": found[-1].position, **({"status": status} if status else {})}
        more = f"/v1/me/webhooks/{webhook}/deliveries?{urlencode(asked)}"
    return json_response(response_structs.DeliveryList(list(found), more), headers=PRIVATE_HEADERS)


@blp.route(
    "/me/webhooks/<webhook>/deliveries/<delivery>/redeliver",
    methods=["POST"],
    parameters=[WEBHOOK_ID, DELIVERY_ID],
)
@blp.doc(operationId="redeliver")
@blp.no_body
@blp.answers(202, "Delivery", "The call that will be made.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def redeliver(webhook: str, delivery: str) -> Response:
    """Repeat a call that arrived or was given up, with the same `webhook-id`. Needs `webhook:write`.

    For a disabled webhook you get 409 `webhook_disabled`.
    """
    account, webhook = require_scopes(WRITE), _read_id(webhook)
    read_body(request_structs.Start, required=False)
    found = re.fullmatch(rf"ntc_([0-9]{{1,15}})_{webhook}", delivery)
    if found is None:
        get_services().webhooks.get(account, webhook)
        detail = "This webhook has no such delivery. GET .../deliveries lists those of the last 90 days."
        raise Problem(404, "unknown_delivery", detail)
    return json_response(
        get_services().webhooks.redeliver(account, webhook, int(found[1])), 202, PRIVATE_HEADERS
    )


def _read_id(text: str) -> str:
    """Return the webhook id that an address names. Raises a 404 problem for what cannot be one."""
    if not UUID_REGEX.fullmatch(text):
        raise UnknownWebhook
    return text.lower()
