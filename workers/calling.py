"""One request to a receiver: to a vetted address, in a few seconds; nothing that it answers is followed."""

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

from projections.receivers import BadAddress, Target, is_public, read
from projections.webhooks import Outcome

SECONDS = 5.0
"""In which a receiver is found, called and has answered."""
LARGEST_ANSWER = 4096
"""Bytes of an answer that are read."""


class _TooLate(Exception):
    """The time is over."""


class _Clock:
    """The time that is left of a call."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds. Raises :class:`_TooLate`."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise _TooLate
        return left


def call(url: str, headers: Mapping[str, str], body: bytes, *, private: bool = False) -> Outcome:
    """POST *body* to *url*; what came of it. *private*: see :func:`projections.receivers.read`."""
    clock = _Clock(SECONDS)
    try:
        target = read(url, private=private)
        addresses = _addresses(target, clock, private=private)
        with _connected(target, addresses, clock) as connection:
            connection.settimeout(clock.left())
            connection.sendall(_request(target, headers, body))
            return _answer(_received(connection, clock))
    except BadAddress as bad:
        return Outcome(error=str(bad), hopeless=True)
    except (_TooLate, TimeoutError):
        return Outcome(error=f"No answer within {SECONDS:g} seconds.")
    except ssl.SSLCertVerificationError as bad:
        return Outcome(error=f"The certificate cannot be trusted: {bad.verify_message}.")
    except (OSError, HTTPException) as failed:
        return Outcome(error=f"{type(failed).__name__} while it was called.")


def _addresses(target: Target, clock: _Clock, *, private: bool) -> list[str]:
    """All addresses of the host. Raises :class:`BadAddress` if one of them is not public."""
    found = _looked_up(target, clock)
    if not private and not all(is_public(ipaddress.ip_address(address)) for address in found):
        raise BadAddress("The name leads to an address that is not public.")
    return found


def _looked_up(target: Target, clock: _Clock) -> list[str]:
    """The resolver knows no time-out, so it is asked in a thread that nobody waits for."""
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
        answer = answers.get(timeout=clock.left())
    except Empty:
        raise _TooLate from None
    if isinstance(answer, OSError):
        raise answer
    return answer


def _connected(target: Target, addresses: list[str], clock: _Clock) -> socket.socket:
    """A connection to the first of the *addresses* that takes one, each with its share of the time."""
    failed: OSError = OSError("no address")
    for number, address in enumerate(addresses):
        share = clock.left() / (len(addresses) - number)
        try:
            plain = socket.create_connection((address, target.port), timeout=share)
        except OSError as error:
            failed = error
            continue
        return _secured(plain, target, clock) if target.tls else plain
    raise failed


def _secured(plain: socket.socket, target: Target, clock: _Clock) -> socket.socket:
    with contextlib.ExitStack() as undo:
        undo.callback(plain.close)
        plain.settimeout(clock.left())
        secured = ssl.create_default_context().wrap_socket(plain, server_hostname=target.host)
        undo.pop_all()
        return secured


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
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


def _received(connection: socket.socket, clock: _Clock) -> bytes:
    """The head of the answer, or as much of it as is read."""
    data = b""
    while b"\r\n\r\n" not in data and len(data) < LARGEST_ANSWER:
        connection.settimeout(clock.left())  # anew for each piece: who sends slowly gets no more time
        piece = connection.recv(LARGEST_ANSWER - len(data))
        if not piece:
            break
        data += piece
    return data


class _Read:
    """What was received, as :class:`HTTPResponse` wants it."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, _mode: str) -> BytesIO:
        return BytesIO(self._data)


def _answer(data: bytes) -> Outcome:
    answer = HTTPResponse(_Read(data))  # type: ignore[arg-type]  # all that it needs of a socket
    answer.begin()
    error = None if 200 <= answer.status < 300 else f"The answer was {answer.status}."
    return Outcome(answer.status, error, retry_after=_seconds(answer.getheader("Retry-After")))


def _seconds(text: str | None) -> float | None:
    """A Retry-After in seconds; None where there is none that can be read."""
    if text is None:
        return None
    if text.strip().isascii() and text.strip().isdigit():
        return float(text.strip()[:9])
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (at.astimezone(UTC) - datetime.now(UTC)).total_seconds())
