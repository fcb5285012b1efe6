"""Calls to webhooks: handed out by the dispatcher, made by a worker of their own.

So a slow receiver delays neither bots nor the server.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

import msgspec
import structlog
from redis import Redis
from rq import Queue
from standardwebhooks import Webhook

from events.base.installation import qualify_name
from events.base.settings import RUTTER_WEBHOOKS_PRIVATE
from events.store.event_log import Pool
from projections.health.process_registry import DELIVER
from projections.messages import webhook_calls
from projections.messages.hints import Hints
from projections.messages.webhook_calls import UNDER_WAY, WebhookCall
from projections.read_models.notices import get_subject_kind
from workers import connections, webhook_request
from workers.periodic_tasks import CONNECTION_ERRORS, RECONNECT_PAUSE

MOST = 100
"""Calls that lie in Redis at the most."""

log = structlog.get_logger()


class DeliveryDispatcher:
    """Hands out the calls that are due. A second one does no harm: a call is taken by one worker."""

    def __init__(self, pool: Pool, redis: Redis) -> None:
        self._pool = pool
        self._queue = Queue(DELIVER, connection=redis, serializer="json")
        self._given: dict[str, float] = {}

    def __call__(self) -> int:
        """Hand out what is due; how many calls."""
        now = time.monotonic()
        self._given = {name: at for name, at in self._given.items() if now - at < UNDER_WAY}
        room = MOST - self._queue.count
        given = 0
        for webhook, number, tries in webhook_calls.find_due(self._pool, room) if room > 0 else ():
            name = f"hook-{webhook}-{number}-{tries + 1}"
            if name not in self._given:  # else it waits there, or was lost, and is given again in a while
                self._queue.enqueue(
                    qualify_name("workers.webhook_delivery.deliver"),
                    args=(webhook, number, tries),
                    job_id=name,
                    job_timeout=UNDER_WAY,
                    result_ttl=0,
                    failure_ttl=60,
                )
                self._given[name] = now
                given += 1
        return given


def deliver(webhook: str, number: int, tries: int) -> bool:
    """Make a call that was tried *tries* times; whether it arrived."""
    pool = connections.get_games().log.pool
    try:
        call = webhook_calls.take(pool, webhook, number, tries)
        if call is None:
            return False
        body = make_body(call)
        outcome = webhook_request.post_webhook(
            call.url, sign_headers(call, body), body, private=RUTTER_WEBHOOKS_PRIVATE.read()
        )
        disabled = webhook_calls.settle(pool, call, outcome)
    except CONNECTION_ERRORS as error:
        log.warning("server_away", kind=DELIVER, webhook=webhook, error=type(error).__name__)
        time.sleep(RECONNECT_PAUSE)
        return False
    if disabled is not None:
        Hints(connections.connect_redis()).publish_notice(disabled)
    log.info("called", webhook=webhook, notice=number, tries=call.tries, answer=outcome.status)
    return outcome.is_delivered


def make_body(call: WebhookCall) -> bytes:
    """Return the body that a receiver is sent: type, timestamp and data, as JSON."""
    data = {get_subject_kind(call.type): call.stream, "seq": call.seq, **call.data}
    timestamp = call.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return msgspec.json.encode({"type": call.type, "timestamp": timestamp, "data": data})


def sign_headers(call: WebhookCall, body: bytes) -> dict[str, str]:
    """Return the fields by which a receiver knows where a call is from, as Standard Webhooks has them."""
    now = datetime.now(UTC).replace(microsecond=0)
    secrets = [call.secret, *([call.previous] if call.previous else [])]
    return {
        "webhook-id": call.id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(Webhook(one).sign(call.id, now, body.decode()) for one in secrets),
    }
