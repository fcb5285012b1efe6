"""How fast commands are taken over HTTP, against a trivial validated POST to the same server."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import threading
import time
from collections.abc import Callable
from statistics import quantiles
from typing import Any
from urllib.parse import urlsplit

import msgspec

CONNECTIONS = 16
SEATS = 10
OFFERS = 20
"""Offers that a player may make in one Trade Phase: each is one command that needs no look at the game."""


class Http(msgspec.Struct, frozen=True):
    """Requests a second, and how long one took (milliseconds)."""

    rate: float
    p50: float
    p99: float


class Connection:
    """One keep-alive connection."""

    def __init__(self, address: str, token: str) -> None:
        self._http = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The decoded answer; RuntimeError unless it is a success."""
        self._http.request("POST", path, json.dumps(body), self._headers)
        answer = self._http.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{path}: {answer.status} {text[:300]!r}")
        return json.loads(text)


def measure(address: str, token: str, position: dict[str, Any], seconds: float) -> tuple[Http, Http]:
    """(trivial POST, command), each on several connections for *seconds*."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    measured = []
    for kind in ("echo", "command"):
        child = context.Process(target=_client, args=(kind, address, token, position, seconds, results))
        child.start()
        measured.append(results.get(timeout=seconds + 120))
        child.join()
    return measured[0], measured[1]


def _client(
    kind: str, address: str, token: str, position: dict[str, Any], seconds: float, results: Any
) -> None:
    """All connections of one measurement, in a process of their own."""
    make = _echo if kind == "echo" else _offers
    senders = [make(address, token, position, seconds) for _ in range(CONNECTIONS)]
    for send in senders:
        send()
    took: list[float] = []
    started = time.perf_counter()

    def work(send: Callable[[], None]) -> None:
        while (before := time.perf_counter()) - started < seconds:
            send()
            took.append(time.perf_counter() - before)

    threads = [threading.Thread(target=work, args=(send,)) for send in senders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cuts = quantiles(took, n=100)
    rate = len(took) / (time.perf_counter() - started)
    results.put(Http(rate, cuts[49] * 1000, cuts[98] * 1000))


def _echo(address: str, token: str, _position: dict[str, Any], _seconds: float) -> Callable[[], None]:
    connection = Connection(address, token)
    body = {"type": "offer_trade", "card": "china_tea", "target_player": 3}
    return lambda: connection.post("/bench/echo", body) and None


def _offers(address: str, token: str, position: dict[str, Any], seconds: float) -> Callable[[], None]:
    """Offers in games of this connection's own: enough of them are made before the clock starts."""
    connection = Connection(address, token)
    commands = iter(
        [
            (game, seat, number)
            for game in [_trading_game(connection, position) for _ in range(max(1, int(seconds)))]
            for number in range(OFFERS)
            for seat in range(SEATS)
        ]
    )

    def send() -> None:
        game, seat, number = next(commands)
        connection.post(
            f"/v1/games/{game}/commands",
            {
                "seat": seat,
                "type": "offer_trade",
                "to": (seat + 1 + number % (SEATS - 1)) % SEATS,
                "give": {"fortunes": 1, "hand_cards": [], "in_play_cards": []},
                "ask": {"fortunes": 0, "hand_cards": ["china_tea"], "in_play_cards": []},
            },
        )

    return send


def _trading_game(connection: Connection, position: dict[str, Any]) -> str:
    game: str = connection.post(
        "/v1/games",
        {"title": "colonial_empires", "seats": [{"you": True}] * SEATS, "position": position},
    )["id"]
    return game
