"""Live streams: server-sent events that end with their client, their token, or this process."""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Iterator
from typing import Any, Protocol

import msgspec
from flask import Response, request

from events.base.timestamps import parse_timestamp
from service.application.container import Services
from service.application.request_context import get_account, get_services
from service.application.throttling import get_client, get_concurrency_limit, raise_too_many_requests
from service.base.rate_limits import Lease
from service.http.problems import DATABASE_AWAY, Problem, invalid_parameters
from service.streaming.stream_hub import FullHub, StreamListener

POLL_SECONDS = 1.0
"""Seconds between two looks into the log while no hints come from other processes."""
ANYTHING: frozenset[str] = frozenset()
"""The words of no hint: anything may be new."""


class StreamContent(Protocol):
    """The content of one live stream: of a game, of a tournament, or of an account."""

    def first_messages(self) -> Iterator[bytes]:
        """Yield what a stream begins with."""

    def is_allowed(self, heard: frozenset[str]) -> bool:
        """Return True if the viewer may see more; asked before each look."""

    def new_messages(self, heard: frozenset[str]) -> Iterator[bytes]:
        """Yield what is new. *heard* are the words of the hints since the last look."""

    def wait(self) -> Generator[bytes, None, frozenset[str]]:
        """Wait until there may be something new; return the words of the hints (:func:`wait_for_news`)."""


def stream_messages(content: StreamContent, listener: StreamListener, lease: Lease | None) -> Iterator[bytes]:
    """Yield the text of a stream: what is new as it comes, until its reader is gone or may see no more."""
    with listener:
        yield b"retry: 2000\n\n"
        yield from content.first_messages()
        heard = ANYTHING
        while not listener.closing and content.is_allowed(heard):
            yield from content.new_messages(heard)
            heard = yield from content.wait()
            if lease:
                lease.renew_if_due()
        yield encode_message("closing", {"replaced": True} if listener.replaced else {})


def wait_for_news(
    services: Services, listener: StreamListener, due: str | None = None
) -> Generator[bytes, None, frozenset[str]]:
    """Wait until there may be something new; yield a sign of life where that takes long.

    With *due*, the known time of that, nothing else is waited for, and the log is not read meanwhile.
    Return the words of the hints; an empty set where anything may be new.
    """
    heartbeat = services.settings.heartbeat
    deadline = time.monotonic() + heartbeat
    while (left := deadline - time.monotonic()) > 0:
        if due is not None:
            ahead = (parse_timestamp(due) - parse_timestamp(services.games.now())) / 1_000_000
            if ahead <= 0 or listener.closing:
                return frozenset()
            listener.wait(min(left, ahead, POLL_SECONDS))
            continue
        hinted = services.hints.hearing
        heard = listener.wait(left if hinted else min(left, POLL_SECONDS))
        if heard or not hinted or listener.closing:
            return heard if hinted else frozenset()
    yield b": here\n\n"
    return frozenset()


def open_stream(services: Services, *words: str) -> tuple[Lease | None, StreamListener]:
    """Open one more stream, which follows *words*. Raises problems: 429, 503 where all places are taken."""
    lease = _take_lease(services)
    try:
        try:
            return lease, services.stream_hub.listen(*words)
        except FullHub:
            services.disconnects.poll()  # a client may have gone this very moment
            return lease, services.stream_hub.listen(*words)
    except FullHub:
        if lease:
            lease.close()
        detail = "The server has too many open streams. Try again in a moment, or send single requests."
        # Another process may have places, and a new connection may come to it.
        headers = {"Retry-After": "5", "Connection": "close"}
        raise Problem(503, "too_many_streams", detail, headers=headers) from None


def make_stream_response(
    messages: Iterator[bytes], lease: Lease | None, listener: StreamListener
) -> Response:
    """Return the response that streams *messages*."""
    answer = Response(messages, content_type="text/event-stream; charset=utf-8")
    answer.headers.update({"Cache-Control": "no-store", "Vary": "Authorization", "X-Accel-Buffering": "no"})
    answer.call_on_close(listener.close)
    if lease:
        answer.call_on_close(lease.close)
    _watch_disconnect(answer, listener)
    return answer


def _watch_disconnect(answer: Response, listener: StreamListener) -> None:
    """End the stream, and give its lease back, as soon as its client has gone."""
    connection = request.environ.get("gunicorn.socket")
    if connection is None:  # no server of ours
        return
    watcher = get_services().disconnects

    def end_stream() -> None:
        listener.closing = True
        listener.close()
        listener.wake()

    watcher.watch(connection, end_stream)
    answer.call_on_close(lambda: watcher.unwatch(connection))


def _take_lease(services: Services) -> Lease | None:
    """Take a lease for one more stream of this client; None without limits. Raises a 429 problem."""
    if not services.limits.on:
        return None
    client = get_client(get_account())
    allowed = get_concurrency_limit(services.limits.streams, client)
    lease = services.stream_leases.take(client, allowed)
    if lease is None:
        raise_too_many_requests(
            "streams", f"You have {allowed} open streams, the most allowed. Close one of them, or wait.", 5
        )
    return lease


def read_last_event_id(after: int | None) -> int | None:
    """Return the seq after which the stream goes on: that of the header, else *after*. Raises 400."""
    header = request.headers.get("Last-Event-ID")
    if header is None:
        return after
    if not re.fullmatch(r"[0-9]{1,16}", header):
        raise invalid_parameters({"Last-Event-ID": ["Send the number of an event."]}, status=400)
    return int(header)


def is_token_valid(services: Services, secret: str | None) -> bool:
    """Return True if the token *secret*, if any, is not revoked, or if the database cannot be asked."""
    try:
        return secret is None or services.tokens.find(secret) is not None
    except DATABASE_AWAY:
        return True


def encode_message(event: str, data: Any, seq: int | None = None) -> bytes:
    """Return one message, with *seq* as its id if a stream can resume after it."""
    identity = b"" if seq is None else b"id: %d\n" % seq
    return b"event: %s\n%sdata: %s\n\n" % (event.encode(), identity, msgspec.json.encode(data))
