"""One request to a receiver: to a vetted address, in a few seconds; no answer is followed."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse
from io import BytesIO
from queue import Empty, SimpleQueue

from projections.messages.webhook_calls import CallOutcome
from projections.messages.webhook_url import BadWebhookUrl, WebhookTarget, is_public, parse_url

CALL_SECONDS = 5.0
"""Seconds in which a receiver is found, called and has answered."""
LARGEST_ANSWER = 4096
"""Bytes of an answer that are read."""


class _DeadlineExceeded(Exception):
    """The time is over."""


class _Deadline:
    """The time that is left of a call."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def seconds_left(self) -> float:
        """Return the seconds left. Raises :class:`_DeadlineExceeded`."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise _DeadlineExceeded
        return left


def post_webhook(url: str, headers: Mapping[str, str], body: bytes, *, private: bool = False) -> CallOutcome:
    """POST *body* to *url*; what came of it. *private*: see :func:`parse_url`."""
    clock = _Deadline(CALL_SECONDS)
    try:
        target = parse_url(url, private=private)
        addresses = _find_addresses(target, clock, private=private)
        with _connect(target, addresses, clock) as connection:
            connection.settimeout(clock.seconds_left())
            connection.sendall(_make_request(target, headers, body))
            return _parse_answer(_read_head(connection, clock))
    except BadWebhookUrl as bad:
        return CallOutcome(error=str(bad), hopeless=True)
    except (_DeadlineExceeded, TimeoutError):
        return CallOutcome(error=f"No answer within {CALL_SECONDS:g} seconds.")
    except ssl.SSLCertVerificationError as bad:
        return CallOutcome(error=f"The certificate cannot be trusted: {bad.verify_message}.")
    except (OSError, HTTPException) as failed:
        return CallOutcome(error=f"{type(failed).__name__} while it was called.")


def _find_addresses(target: WebhookTarget, clock: _Deadline, *, private: bool) -> list[str]:
    """Return all addresses of the host. Raises :class:`BadWebhookUrl` if one of them is not public."""
    found = _resolve(target, clock)
    if not private and not all(is_public(ipaddress.ip_address(address)) for address in found):
        raise BadWebhookUrl("The host name leads to an address that is not public. Send another one.")
    return found


def _resolve(target: WebhookTarget, clock: _Deadline) -> list[str]:
    """Resolve a host. The resolver knows no time-out, so it is asked in a thread that nobody waits for."""
    answers: SimpleQueue[list[str] | OSError] = SimpleQueue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as failed:
            answers.put(failed if isinstance(failed, OSError) else OSError(str(failed)))
        else:
            answers.put(list(dict.fromkeys(str(one[4][0]).partition("%")[0] for one in found)))

    threading.Thread(target=ask, name="resolver", daemon=True).start()
    try:
        answer = answers.get(timeout=clock.seconds_left())
    except Empty:
        raise _DeadlineExceeded from None
    if isinstance(answer, OSError):
        raise answer
    return answer


def _connect(target: WebhookTarget, addresses: list[str], clock: _Deadline) -> socket.socket:
    """Return a connection to the first of the *addresses* that takes one, each with its share of the time."""
    failed: OSError = OSError("no address")
    for number, address in enumerate(addresses):
        share = clock.seconds_left() / (len(addresses) - number)
        try:
            plain = socket.create_connection((address, target.port), timeout=share)
        except OSError as error:
            failed = error
            continue
        return _wrap_tls(plain, target, clock) if target.tls else plain
    raise failed


def _wrap_tls(plain: socket.socket, target: WebhookTarget, clock: _Deadline) -> socket.socket:
    with contextlib.ExitStack() as undo:
        undo.callback(plain.close)
        plain.settimeout(clock.seconds_left())
        secured = ssl.create_default_context().wrap_socket(plain, server_hostname=target.host)
        undo.pop_all()
        return secured


def _make_request(target: WebhookTarget, headers: Mapping[str, str], body: bytes) -> bytes:
    fields = {
        "Host": target.authority,
        "User-Agent": "Rutter-Webhooks",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **headers,
    }
    lines = [f"POST {target.path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + body


def _read_head(connection: socket.socket, clock: _Deadline) -> bytes:
    """Return the head of the answer, or as much of it as is read."""
    data = b""
    while b"\r\n\r\n" not in data and len(data) < LARGEST_ANSWER:
        connection.settimeout(
            clock.seconds_left()
        )  # again for each piece: who sends slowly gets no more time
        piece = connection.recv(LARGEST_ANSWER - len(data))
        if not piece:
            break
        data += piece
    return data


class _ResponseSource:
    """The bytes that were received, in the form that :class:`HTTPResponse` wants."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, _mode: str) -> BytesIO:
        return BytesIO(self._data)


def _parse_answer(data: bytes) -> CallOutcome:
    answer = HTTPResponse(_ResponseSource(data))  # type: ignore[arg-type]  # all that it needs of a socket
    answer.begin()
    error = None if 200 <= answer.status < 300 else f"The answer was {answer.status}."
    return CallOutcome(answer.status, error, retry_after=_parse_retry_after(answer.getheader("Retry-After")))


def _parse_retry_after(text: str | None) -> float | None:
    """Return a Retry-After in seconds; None where there is none that can be read."""
    if text is None:
        return None
    if text.strip().isascii() and text.strip().isdigit():
        return float(text.strip()[:9])
    try:
        at = parsedate_to_datetime(text)
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        return max(0.0, (at - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None
