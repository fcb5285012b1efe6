"""A TCP proxy before a server that loses answers: what was asked for is done, and nobody hears of it.

It knows no protocol: an answer is what a server says first after it was asked. In its place the connection is
cut, or falls silent: it stays open, and nothing comes any more.
"""

import contextlib
import random
import selectors
import socket
import threading
from collections.abc import Callable, Iterator
from enum import Enum

CHUNK = 1 << 16
Address = tuple[str, int]


class Loss(Enum):
    """How an answer is lost."""

    CUT = "cut"
    SILENCE = "silence"


class LosingProxy:
    """Lets everything through, until it is told what to lose.

    Args:
        server: tells where the server is, asked for each connection.
    """

    def __init__(self, server: Callable[[], Address]) -> None:
        self._server = server
        self._door = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._door.getsockname()[1]
        self.lost = 0
        """How many answers were lost so far."""
        self._lock = threading.Lock()
        self._kind = Loss.CUT
        self._left = 0
        self._share = 0.0
        threading.Thread(target=self._accept, name="losing proxy", daemon=True).start()

    def lose(self, number: int, kind: Loss = Loss.CUT) -> None:
        """Lose the *number*-th answer from now, counted over all connections."""
        with self._lock:
            self._left, self._kind = number, kind

    def forget(self) -> bool:
        """Lose nothing any more; whether the answer that was to be lost was."""
        with self._lock:
            lost, self._left = self._left == 0, 0
        return lost

    @contextlib.contextmanager
    def lose_share(self, share: float, kind: Loss) -> Iterator[None]:
        """As long as the block lasts, each answer is lost with this probability."""
        with self._lock:
            self._share, self._kind = share, kind
        try:
            yield
        finally:
            with self._lock:
                self._share = 0.0

    def close(self) -> None:
        """Let nobody in any more."""
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._door.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client, socket.create_connection(self._server()) as server:
            self._pass_on(client, server)

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        """Until one of them hangs up, or an answer is lost with the connection."""
        for line in (client, server):  # what comes goes on at once, however little it is
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        asked, silent = False, False
        with selectors.DefaultSelector() as ready:
            ready.register(client, selectors.EVENT_READ)
            ready.register(server, selectors.EVENT_READ)
            while True:
                for key, _ in ready.select():
                    source = key.fileobj
                    data = (client if source is client else server).recv(CHUNK)
                    if not data:
                        return
                    if source is client:
                        asked = True
                        server.sendall(data)
                        continue
                    loss, asked = self._loss() if asked and not silent else None, False
                    if loss is Loss.CUT:
                        return
                    silent = silent or loss is Loss.SILENCE
                    if not silent:
                        client.sendall(data)

    def _loss(self) -> Loss | None:
        """How the next answer is lost; None: it is not."""
        with self._lock:
            counted = self._left == 1
            self._left = max(self._left - 1, 0) if self._left else 0
            if counted or random.random() < self._share:
                self.lost += 1
                return self._kind
        return None
