"""Calls to webhooks: made side by side by a worker of their own, in turn by account and host.

So a receiver that never answers delays neither bots, nor the server, nor the calls of others.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import msgspec
import structlog
from standardwebhooks import Webhook

from events.base.settings import RUTTER_PUSH_CONTACT, RUTTER_WEBHOOKS_PRIVATE
from events.base.timestamps import format_time
from events.store.event_log import Pool
from projections.health import process_registry
from projections.health.process_registry import BEAT_SECONDS, DELIVER
from projections.messages import web_push, webhook_calls
from projections.messages.webhook_calls import CallOutcome, DueCall, PushKeys, WebhookCall
from projections.read_models.notices import get_subject_kind
from workers import connections, webhook_request
from workers.periodic_tasks import PeriodicTask, is_server_away, start_tasks

SIDE_BY_SIDE = 64
"""Calls that one process makes at the same time."""
OF_ACCOUNT, OF_HOST = 4, 8
"""The most of them for the webhooks of one account, and to one host."""
MOST_SEARCHED = 500
"""Calls among which those are chosen whose turn it is."""
LOOK_SECONDS = 0.25
"""Seconds between two looks for calls that are due."""
NONE_SECONDS = 2.0
"""The same while there is no webhook."""
KNOWN_SECONDS = 60.0
"""Seconds for which it is remembered that there are webhooks."""
STUCK_SECONDS = 20.0
"""Seconds without a look after which the process says no more that it is alive."""

log = structlog.get_logger()


class DeliveryWorker:
    """Makes the calls that are due. A second one does no harm: a call is taken by one of them.

    *tell* is called with each account whose webhook was disabled.
    """

    def __init__(self, pool: Pool, tell: Callable[[str], object] = lambda _account: None) -> None:
        self._pool, self._tell = pool, tell
        self._threads = ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="webhook")
        self._lock = threading.Lock()
        self._under_way: dict[str, DueCall] = {}
        """The call that is being made, by webhook."""
        self._turns: dict[str, int] = {}
        """The number of an account's last turn."""
        self._turn = 0
        self._known_until = float("-inf")
        self.pause = LOOK_SECONDS
        """Seconds until the next look, where no call ends before."""
        self._freed = threading.Event()

    def __call__(self) -> int:
        """Begin the calls that are due, as many as there is room for; return their number."""
        with self._lock:
            under_way = list(self._under_way.values())
        if not self._has_webhooks():
            self.pause = NONE_SECONDS
            return 0
        self.pause = LOOK_SECONDS
        room = SIDE_BY_SIDE - len(under_way)
        if not room:
            return 0
        found = webhook_calls.find_due(self._pool, MOST_SEARCHED, without=[one.webhook for one in under_way])
        chosen = self._choose(found, under_way, room)
        for due in chosen:
            with self._lock:
                self._under_way[due.webhook] = due
            self._threads.submit(self._make, due)
        return len(chosen)

    def _has_webhooks(self) -> bool:
        now = time.monotonic()
        if now >= self._known_until and webhook_calls.has_webhooks(self._pool):
            self._known_until = now + KNOWN_SECONDS
        return now < self._known_until

    def wait(self) -> None:
        """Wait until a call is over, or it is time for the next look."""
        self._freed.wait(self.pause)
        self._freed.clear()

    def wake(self) -> None:
        """End a :meth:`wait`."""
        self._freed.set()

    def close(self) -> None:
        """Wait for the calls that are being made; none is begun any more."""
        self._threads.shutdown()

    def _choose(self, due: Sequence[DueCall], under_way: Sequence[DueCall], room: int) -> list[DueCall]:
        """Return those of *due*, at most *room*, whose turn it is beside those *under_way*."""
        accounts = Counter(one.account for one in under_way)
        hosts = Counter(one.host for one in under_way)
        left = list(due)
        chosen: list[DueCall] = []
        while len(chosen) < room:
            left = [one for one in left if accounts[one.account] < OF_ACCOUNT and hosts[one.host] < OF_HOST]
            if not left:
                break
            # The account with the fewest calls, among these the one whose last turn was the longest ago.
            best = min(left, key=lambda one: (accounts[one.account], self._turns.get(one.account, 0)))
            left.remove(best)
            chosen.append(best)
            accounts[best.account] += 1
            hosts[best.host] += 1
            self._turn += 1
            self._turns[best.account] = self._turn
        if len(self._turns) > 100 * MOST_SEARCHED:
            self._turns.clear()
        return chosen

    def _make(self, due: DueCall) -> None:
        try:
            deliver(self._pool, due, self._tell)
        except Exception as error:
            # The call is due again when its time is over: nobody could write down what came of it.
            if is_server_away(error):
                log.warning("server_away", kind=DELIVER, webhook=due.webhook, error=type(error).__name__)
            else:
                log.exception("delivery_failed", webhook=due.webhook, notice=due.number)
        finally:
            with self._lock:
                del self._under_way[due.webhook]
            self._freed.set()


class DeliveryProcess:
    """The process that makes the calls, until SIGTERM."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._name = process_registry.make_process_name(DELIVER)
        self._worker = DeliveryWorker(pool, connections.make_hints().publish_notice)
        self._stopping = threading.Event()
        self._looked = time.monotonic()

    def run(self) -> None:
        """Make the calls that are due until SIGTERM; then wait for those under way."""
        connections.call_on_stop(self._stop)
        start_tasks([PeriodicTask("beat", BEAT_SECONDS, self._beat)], self._stopping)
        look = PeriodicTask("webhooks", LOOK_SECONDS, self._worker)
        while not self._stopping.is_set():
            self._looked = time.monotonic()
            look.attempt()
            self._worker.wait()
        self._worker.close()
        process_registry.report_end(self._pool, self._name)

    def _stop(self) -> None:
        self._stopping.set()
        self._worker.wake()

    def _beat(self) -> None:
        """Say that this process is alive, as long as it looks for calls."""
        if time.monotonic() - self._looked < STUCK_SECONDS:
            process_registry.report_alive(self._pool, self._name, DELIVER)


def deliver(pool: Pool, due: DueCall, tell: Callable[[str], object] = lambda _account: None) -> bool:
    """Make a call; return True if it arrived. *tell*: see :class:`DeliveryWorker`.

    Whatever is raised after the call was taken is its outcome, so no call is made for ever.
    """
    call = webhook_calls.take(pool, due)
    if call is None:
        return False
    try:
        if call.push is None:
            body = make_body(call)
            headers = sign_headers(call, body)
        else:
            body, headers = make_push(pool, call, call.push)
        outcome = webhook_request.post_webhook(
            call.url, headers, body, private=RUTTER_WEBHOOKS_PRIVATE.read()
        )
    except Exception as error:
        log.exception("delivery_failed", webhook=call.webhook, notice=call.number)
        outcome = CallOutcome(error=f"{type(error).__name__} while it was called.")
    disabled = webhook_calls.settle(pool, call, outcome)
    log.info("called", webhook=call.webhook, notice=call.number, tries=call.tries, answer=outcome.status)
    if disabled is not None:
        tell(disabled)
    return outcome.is_delivered


def make_body(call: WebhookCall) -> bytes:
    """Return the body that a receiver is sent: type, timestamp and data, as JSON."""
    data = {get_subject_kind(call.type): call.stream, "seq": call.seq, **call.data}
    return msgspec.json.encode({"type": call.type, "timestamp": format_time(call.at), "data": data})


def make_push(pool: Pool, call: WebhookCall, keys: PushKeys) -> tuple[bytes, dict[str, str]]:
    """Return the body and the fields of a push, which names no person, and no game but a public one."""
    address = f"/g/{call.stream}" if webhook_calls.is_public_game(pool, call.stream) else "/"
    message = {"kind": "your_turn", "text": "It is your turn.", "address": address}
    key = web_push.derive_vapid_key(webhook_calls.read_server_secret(pool))
    now = int(datetime.now(UTC).timestamp())
    headers = web_push.make_headers(call.url, key, RUTTER_PUSH_CONTACT.read(), now)
    return web_push.encrypt(msgspec.json.encode(message), keys.point, keys.auth), dict(headers)


def sign_headers(call: WebhookCall, body: bytes) -> dict[str, str]:
    """Return the fields by which a receiver knows where a call is from, as Standard Webhooks has them."""
    now = datetime.now(UTC).replace(microsecond=0)
    secrets = [call.secret, *([call.previous] if call.previous else [])]
    return {
        "webhook-id": call.id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(Webhook(one).sign(call.id, now, body.decode()) for one in secrets),
    }
