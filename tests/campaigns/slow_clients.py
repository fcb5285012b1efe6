"""Clients that take their time: `python -m tests.campaigns.slow_clients HOST:PORT COUNT`.

A third of the connections never ends its header, a third never ends its body, a third asks for much and
hardly reads it; each sends or reads one byte a second. A connection that the server gives up is made again.
`ready` is said when all are open; then, for each that was given up, its kind and after how many seconds.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import time
from dataclasses import dataclass

PACE = 1.0
"""Seconds between two bytes of a connection."""
HEADER = b"GET /v1/titles HTTP/1.1\r\nHost: slow\r\nX-Slow: "
BODY = b"POST /v1/games HTTP/1.1\r\nHost: slow\r\nContent-Length: 9000\r\n\r\n"
READ = b"GET /openapi.json HTTP/1.1\r\nHost: slow\r\n\r\n"
KINDS = {"header": HEADER, "body": BODY, "response": READ}


@dataclass
class Slow:
    """One connection of a kind."""

    kind: str
    connection: socket.socket
    since: float
    again_at: float


def main(address: str, count: int) -> None:
    """Keep *count* slow connections open until the process is ended."""
    host, _, port = address.partition(":")
    where = (host, int(port))
    clients = [_open(kind, where) for kind in (list(KINDS) * count)[:count]]
    _say("ready")
    while True:
        now = time.monotonic()
        for place, client in enumerate(clients):
            if now < client.again_at:
                continue
            client.again_at = now + PACE
            if _is_over(client):
                _say(client.kind, round(now - client.since, 1))
                client.connection.close()
                clients[place] = _open(client.kind, where)
        time.sleep(0.02)


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def _open(kind: str, where: tuple[str, int]) -> Slow:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.settimeout(20)
    connection.connect(where)
    connection.sendall(KINDS[kind])
    connection.setblocking(False)
    now = time.monotonic()
    return Slow(kind, connection, now, now + PACE * (now * 1000 % 1000) / 1000)


def _is_over(client: Slow) -> bool:
    """One byte more; whether the server has had enough."""
    try:
        if client.kind == "response":
            return client.connection.recv(1) == b""
        client.connection.send(b"x")
        with contextlib.suppress(BlockingIOError):
            return client.connection.recv(4096) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    return False


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
