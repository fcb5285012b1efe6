"""The delivery of a live game: many listeners to one game, and the time until a bot answers."""

from __future__ import annotations

import http.client
import json
import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from statistics import median
from typing import Any, Self
from urllib.parse import urlsplit

from ops.benchmark.cpu_meter import CpuMeter
from ops.benchmark.http_commands import Connection, generate_offers, make_trading_game
from ops.benchmark.rows import Row
from ops.clients.api import ApiClient

PATIENCE = 60.0
"""Seconds after which what has not come is not waited for any more."""
BOT, ME = 0, 1
DELIVERY, FIRST_ANSWER = "delivery, 500 listeners, CPU", "bot's first answer"
WRITES = 20
"""Writes to each socket of the yardstick."""


def measure_delivery(
    address: str, token: str, position: dict[str, Any], listeners: int, commands: int, meter: CpuMeter
) -> Row:
    """Return the processor time of one event for one listener, what the command itself needs included.

    The yardstick writes the same bytes to a socket and does nothing else: the ratio is the socket's share.
    """
    connection = Connection(address, token)
    game = make_trading_game(connection, position)
    with _Listeners(address, game, listeners) as following:
        with meter.measure() as spent:
            for command, _ in zip(generate_offers(), range(commands), strict=False):
                connection.post(f"/v1/games/{game}/commands", command)
                following.hear()
        deliveries, size = following.heard, following.read // following.heard
    return Row(
        DELIVERY,
        spent.seconds * 1000 / deliveries,
        "ms",
        "write to a socket",
        _measure_socket_write(size, listeners),
        "<= 0.06",
        less=True,
    )


def _measure_socket_write(size: int, count: int) -> float:
    """Return the processor milliseconds of one write of *size* bytes, to each of so many sockets in turn."""
    data, took = bytes(size), 0.0
    with socket.create_server(("127.0.0.1", 0), backlog=count) as server:
        ends = []
        for _ in range(count):
            near = socket.create_connection(server.getsockname())
            ends += [(near, server.accept()[0])]
        for _ in range(WRITES):
            began = time.thread_time()
            for near, _far in ends:
                near.send(data)
            took += time.thread_time() - began
            for _near, far in ends:
                far.recv(2 * size)
        for pair in ends:
            for end in pair:
                end.close()
    return took * 1000 / (WRITES * count)


class _Listeners:
    """Connections that follow one game as spectators."""

    def __init__(self, address: str, game: str, count: int) -> None:
        self._selector = selectors.DefaultSelector()
        self.heard = 0
        """Events, all listeners together."""
        self.read = 0
        """Bytes since :attr:`heard` was 0."""
        netloc = urlsplit(address)
        ask = f"GET /v1/games/{game}/stream HTTP/1.1\r\nHost: {netloc.netloc}\r\n\r\n".encode()
        self._sockets = []
        self._rest: dict[Any, bytes] = {}
        """The last bytes of each connection: they may be the beginning of a word."""
        try:
            for _ in range(count):
                one = socket.create_connection((netloc.hostname, netloc.port), timeout=PATIENCE)
                self._sockets.append(one)
                one.sendall(ask)
                self._selector.register(one, selectors.EVENT_READ)
            self._read_until(b"event: game", count)
        except BaseException:
            self.close()
            raise

    def hear(self) -> None:
        """Wait until each has heard of one more event."""
        self.heard += len(self._sockets)
        self._read_until(b"event: event", len(self._sockets))

    def _read_until(self, word: bytes, count: int) -> None:
        """Read until *word* has come so often; RuntimeError where it does not come."""
        deadline = time.monotonic() + PATIENCE
        while count > 0:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{count} listeners have not heard {word.decode()}")
            for key, _ in self._selector.select(1.0):
                data = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                if b"HTTP/1.1 503" in data or not data:
                    raise RuntimeError(f"a listener was refused: {data[:200]!r}")
                self.read += len(data) if self.heard else 0
                data = self._rest.get(key.fileobj, b"") + data
                self._rest[key.fileobj] = data[-len(word) + 1 :]
                count -= data.count(word)

    def close(self) -> None:
        """Hang up all connections; the server has their places for others then."""
        for one in self._sockets:
            one.close()
        self._selector.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def measure_bot_answer(address: str, token: str, games: int) -> Row:
    """Measure the median time from a bot's turn until its answer is heard on a stream."""
    api = ApiClient(address, token)
    took = [_time_first_answer(address, api) for _ in range(games)]
    return Row(FIRST_ANSWER, median(took) * 1000, "ms")


def _time_first_answer(address: str, api: ApiClient) -> float:
    """Time the first answer in a new game with one bot, whose turn it may be at once."""
    asked = time.perf_counter()
    made = api.post("/v1/games", {"title": "colonial_empires", "seats": [{"bot": "steady"}, {"you": True}]})
    path = f"/v1/games/{made['id']}"
    now = api.get(f"{path}/decisions")
    with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)) as listening:
        listening.request("GET", f"{path}/stream?after={made['seq']}")
        events = _read_events(listening.getresponse())
        if not any(decision["seat"] == BOT for decision in now["decisions"]) and now["legal"]:
            asked = time.perf_counter()
            api.post(f"{path}/commands", {"seat": ME, **now["legal"][0]["command"]})
        for event in events:
            if event["by"] == f"p{BOT}":
                return time.perf_counter() - asked
    raise RuntimeError(f"the bot does not answer in {path}")


def _read_events(answer: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream, as long as something comes at least each :data:`PATIENCE` seconds."""
    kind = ""
    while line := answer.readline().decode():
        if line.startswith("event: "):
            kind = line[7:].strip()
        elif line.startswith("data: ") and kind == "event":
            yield json.loads(line[6:])
