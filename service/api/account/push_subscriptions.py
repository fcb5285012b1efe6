"""Your push subscriptions: browsers that the server tells when it is your turn."""

from __future__ import annotations

from flask import Response

from projections.messages import web_push, webhook_url
from service.application.request_context import get_services, require_scopes, require_token
from service.http.blueprint import Blueprint, path_parameter
from service.http.problems import Problem, invalid_parameters
from service.http.request_data import read_body
from service.http.responses import PRIVATE_HEADERS, json_response
from service.openapi import request_structs, response_structs
from service.openapi.request_fields import UUID_REGEX
from service.stores.push_subscriptions import UnknownPushSubscription

blp = Blueprint(
    "push_subscriptions",
    __name__,
    url_prefix="/v1",
    description="Web Push to your browsers when it is your turn.",
)

WRITE = "webhook:write"
SUBSCRIPTION_ID = path_parameter("subscription", "The id of one of your push subscriptions.")


@blp.route("/me/push_subscriptions")
@blp.doc(operationId="list_push_subscriptions")
@blp.answers(200, "PushSubscriptionList", "Your push subscriptions, and the key to subscribe with.")
@blp.problems(401, 403, 503)
def list_push_subscriptions() -> Response:
    """List your push subscriptions, the oldest first. Needs `webhook:write`.

    `public_key` is null if this server sends no pushes.
    """
    account, services = require_scopes(WRITE), get_services()
    key = None
    if services.settings.push_contact:
        key = web_push.format_public_key(web_push.derive_vapid_key(services.seat_claims.claim_key()))
    found = list(services.push_subscriptions.list(account))
    return json_response(response_structs.PushSubscriptionList(key, found), headers=PRIVATE_HEADERS)


@blp.route("/me/push_subscriptions", methods=["POST"])
@blp.doc(operationId="create_push_subscription")
@blp.body(
    "NewPushSubscription",
    "The subscription as the browser gives it.",
    examples={
        "browser": {
            "value": {
                "endpoint": "https://push.example.org/send/1",
                "keys": {
                    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SR"
                    "pkNtoIAiw4",
                    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
                },
            }
        }
    },
)
@blp.answers(201, "PushSubscription", "The subscription.")
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_push_subscription() -> Response:
    """Tell a browser of yours by Web Push when it is your turn. Needs `webhook:write`.

    A push names no player, and only games that everybody may see. It is encrypted for the browser. The
    subscription ends with the token that made it, and when the push service answers 404 or 410. A second
    request with the same `endpoint` replaces the first. The address must be public, as that of a webhook. An
    account has at most 10 subscriptions (409 `too_many_push_subscriptions`). A server without pushes answers
    409 `push_off`.
    """
    account, body = require_scopes(WRITE), read_body(request_structs.NewPushSubscription)
    services = get_services()
    if not services.settings.push_contact:
        raise Problem(409, "push_off", "This server sends no pushes. Use a webhook instead.")
    try:
        webhook_url.parse_url(body.endpoint, private=services.settings.private_webhooks)
    except webhook_url.BadWebhookUrl as bad:
        raise invalid_parameters({"endpoint": [str(bad)]}) from None
    try:
        keys = web_push.read_subscription_keys(body.keys.p256dh, body.keys.auth)
    except web_push.BadPushKey as bad:
        raise invalid_parameters({"keys": [str(bad)]}) from None
    made = services.push_subscriptions.make(account, require_token().id, body.endpoint, keys)
    return json_response(made, 201, PRIVATE_HEADERS)


@blp.route("/me/push_subscriptions/<subscription>", methods=["DELETE"], parameters=[SUBSCRIPTION_ID])
@blp.doc(operationId="delete_push_subscription")
@blp.response(204, description="The subscription is deleted: no more pushes are sent to it.")
@blp.problems(401, 403, 404, 503)
def delete_push_subscription(subscription: str) -> Response:
    """Delete a push subscription. Needs `webhook:write`."""
    account = require_scopes(WRITE)
    if not UUID_REGEX.fullmatch(subscription):
        raise UnknownPushSubscription
    get_services().push_subscriptions.delete(account, subscription.lower())
    return Response(status=204)
