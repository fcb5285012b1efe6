"""Proxies before the servers of a test: answers are lost, of Postgres those to whole statements."""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Iterator
from types import SimpleNamespace
from typing import TypeVar
from urllib.parse import urlencode, urlsplit

import pytest
from flask import has_request_context
from psycopg import OperationalError
from psycopg.errors import _WaitTimeout
from psycopg_pool import ConnectionPool, PoolTimeout

import service.base.database
from events.store.connection import TimeoutConnection
from tests.losing_proxy import LosingProxy

P = TypeVar("P", bound=LosingProxy)
ENDS_A_STATEMENT = (b"Q", b"S")
"""Messages of a client after which the server answers: a simple query, and the end of an extended one."""
READY = b"Z"
LEAVES = b"X"


class StatementProxy(LosingProxy):
    """Counts whole statements, and lets each be carried out before its answer is lost."""

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        for line in (client, server):  # message by message, without waiting for more to send with it
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        server.sendall(_first_message(client))
        _until_ready(server, client.sendall, answering=client)
        while _pass_statement(client, server):
            if self._loss():
                _until_ready(server, lambda _message: None)
                return
            _until_ready(server, client.sendall)


def _pass_statement(client: socket.socket, server: socket.socket) -> bool:
    """One statement of the client; False: it takes its leave."""
    kind = b""
    while kind not in ENDS_A_STATEMENT:
        kind, message = _message(client)
        server.sendall(message)
        if kind == LEAVES:
            return False
    return True


def _until_ready(server: socket.socket, say, answering: socket.socket | None = None) -> None:
    """Pass on what the server says until it waits for the next statement (*answering* its questions)."""
    kind = b""
    while kind != READY:
        kind, message = _message(server)
        say(message)
        if kind == b"R" and answering is not None and _asks(message):
            server.sendall(_message(answering)[1])


def _asks(message: bytes) -> bool:
    """Whether the server waits for an answer to log the client in: not after "fine" and the last of SCRAM."""
    return struct.unpack("!I", message[5:9])[0] not in (0, 12)


def _first_message(client: socket.socket) -> bytes:
    head = _exactly(client, 4)
    return head + _exactly(client, struct.unpack("!I", head)[0] - 4)


def _message(source: socket.socket) -> tuple[bytes, bytes]:
    head = _exactly(source, 5)
    return head[:1], head + _exactly(source, struct.unpack("!I", head[1:])[0] - 4)


def _exactly(source: socket.socket, length: int) -> bytes:
    parts = []
    while length:
        part = source.recv(length)
        if not part:
            raise ConnectionError("it hung up")
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


@contextlib.contextmanager
def before(server_url: str, kind: type[P] = LosingProxy, **query: str) -> Iterator[tuple[P, str]]:
    """A proxy before the server as long as the block lasts, and the URL that leads through it."""
    parts = urlsplit(server_url)
    proxy = kind(lambda: (parts.hostname, parts.port))
    netloc = f"{parts.netloc.rpartition('@')[0]}@127.0.0.1:{proxy.port}"
    try:
        yield proxy, parts._replace(netloc=netloc, query=urlencode(query)).geturl()
    finally:
        proxy.close()


@contextlib.contextmanager
def before_postgres(database_url: str, kind: type[P] = LosingProxy) -> Iterator[tuple[P, str]]:
    """The same before a database, which is spoken to in plain words: a proxy cannot read others."""
    with before(database_url, kind, sslmode="disable") as found:
        yield found


@contextlib.contextmanager
def waits_in_vain() -> Iterator[list[float]]:
    """How long, by the limits that they were given, requests of this process waited in vain for a database.

    For a connection, for an answer, or before another try. No clock is read: what a busy machine adds is not
    in it.
    """
    found: list[float] = []
    lend, wait, clock = ConnectionPool.getconn, TimeoutConnection.wait, service.base.database.time

    def getconn(pool, timeout=None):
        try:
            return lend(pool, timeout)
        except PoolTimeout:
            _note(found, pool.timeout if timeout is None else timeout)
            raise

    def wait_for(connection, gen, interval=0.1, timeout=None):
        try:
            return wait(connection, gen, interval, timeout)
        except (OperationalError, _WaitTimeout):  # that a statement was cancelled is one
            _note(found, (connection.statement_timeout if timeout is None else timeout) or 0.0)
            raise

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ConnectionPool, "getconn", getconn)
        patch.setattr(TimeoutConnection, "wait", wait_for)
        patch.setattr(
            service.base.database,
            "time",
            SimpleNamespace(
                sleep=lambda span: _note(found, span) or clock.sleep(span), monotonic=clock.monotonic
            ),
        )
        yield found


def _note(found: list[float], span: float) -> None:
    if has_request_context():
        found.append(span)
