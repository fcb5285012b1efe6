"""A proxy before Postgres that loses answers: a statement is carried out, and the connection breaks before
anybody hears of it.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

ENDS_A_STATEMENT = (b"Q", b"S")
"""Messages of a client after which the server answers: a simple query, and the end of an extended one."""
READY = b"Z"


class Proxy:
    """Lets everything through, until it is told which answer to lose."""

    def __init__(self, database_url: str) -> None:
        parts = urlsplit(database_url)
        self._server = (parts.hostname, parts.port)
        self._door = socket.create_server(("127.0.0.1", 0))
        port = self._door.getsockname()[1]
        login = parts.netloc.rpartition("@")[0]
        self.url = parts._replace(netloc=f"{login}@127.0.0.1:{port}", query="sslmode=disable").geturl()
        self._lock = threading.Lock()
        self._left = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def lose(self, number: int) -> None:
        """Lose the answer to the *number*-th statement from now, counted over all connections."""
        with self._lock:
            self._left = number

    def forget(self) -> bool:
        """Lose nothing any more; whether the answer was lost."""
        with self._lock:
            lost, self._left = self._left == 0, 0
        return lost

    def close(self) -> None:
        """Let nobody in any more."""
        self._door.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._door.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._server) as server, contextlib.suppress(OSError, EOFError):
            for line in (client, server):  # message by message, without waiting for more to send with it
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server.sendall(_first_message(client))
            _until_ready(server, client.sendall, answering=client)
            while True:
                lost = False
                kind = b""
                while kind not in ENDS_A_STATEMENT:
                    kind, message = _message(client)
                    server.sendall(message)
                    if kind == b"X":
                        return
                with self._lock:
                    if self._left:
                        self._left -= 1
                        lost = self._left == 0
                if lost:
                    _until_ready(server, lambda _message: None)
                    return
                _until_ready(server, client.sendall)


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
            raise EOFError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


@contextlib.contextmanager
def losing_proxy(database_url: str) -> Iterator[Proxy]:
    """A proxy as long as the block lasts."""
    proxy = Proxy(database_url)
    try:
        yield proxy
    finally:
        proxy.close()
