"""Commands over HTTP against a trivial validated POST: as many as go, and at a fixed rate."""

from __future__ import annotations

import http.client
import itertools
import json
import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import msgspec

from ops.benchmark.cpu_meter import CpuMeter
from ops.benchmark.rows import Row

CONNECTIONS = 16
RATE = 100
"""Requests a second where the rate is fixed: far from all that goes."""
IDLE = 2.0
"""Seconds after which a connection is made again."""
SEATS = 10
OFFERS = 20
"""Offers that a player may make in one Trade Phase: each is one command that needs no look at the game."""
MOST = 250.0
"""Commands a second of one connection for which games are made."""
WARM_UP = 8
"""Requests of each connection before the clock starts, all connections at the same time.

The first ones make threads and connections to the database, and read the games into memory. Postgres plans
each of the first five uses of a statement on a connection.
"""
YARDSTICK = "trivial validated POST"
WALL, CPU = "HTTP command, wall", "HTTP command, CPU of all processes"
CPU_AT_RATE, P50_AT_RATE = f"{CPU}, at {RATE}/s", f"HTTP command, p50 at {RATE}/s"
HTTP_ROWS = (WALL, CPU, CPU_AT_RATE, P50_AT_RATE)


class RequestFigures(msgspec.Struct, frozen=True):
    """Requests a second, how many there were, and milliseconds of them."""

    rate: float
    count: int
    p50: float
    """The milliseconds that the median one took."""
    cpu: float = 0.0
    """The processor milliseconds that each cost the service."""


class Connection:
    """One keep-alive connection."""

    def __init__(self, address: str, token: str) -> None:
        self._http = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
        self._used = time.monotonic()
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Return the decoded answer; RuntimeError unless it is a success."""
        if time.monotonic() - self._used > IDLE:
            self._http.close()  # the server hangs up on anyone who is silent; it opens again by itself
        self._http.request("POST", path, json.dumps(body), self._headers)
        answer = self._http.getresponse()
        text = answer.read()
        self._used = time.monotonic()
        if answer.status >= 300:
            raise RuntimeError(f"{path}: {answer.status} {text[:300]!r}")
        return json.loads(text)


def measure_http(
    address: str,
    token: str,
    position: dict[str, Any],
    seconds: float,
    rounds: int,
    meter: CpuMeter,
    clean_up: Callable[[], None],
) -> Iterator[Row]:
    """Measure all rows about a command over HTTP, in rounds of *seconds*, in turn with the yardstick.

    *clean_up* lets Postgres tidy what tens of thousands of commands have left; then a thousand are measured.
    """

    def measure(rate: int | None) -> tuple[RequestFigures, RequestFigures]:
        found: dict[str, list[RequestFigures]] = {"echo": [], "command": []}
        for _, kind in itertools.product(range(rounds), found):
            found[kind].append(_measure(kind, address, token, position, seconds, rate, meter))
        return _join(found["echo"]), _join(found["command"])

    echo, command = measure(None)
    yield Row(WALL, command.rate, "commands/s", YARDSTICK, echo.rate, ">= 0.5")
    yield Row(CPU, command.cpu, "ms", YARDSTICK, echo.cpu, ">= 0.45", less=True)
    clean_up()
    echo, command = measure(RATE)
    yield Row(CPU_AT_RATE, command.cpu, "ms", YARDSTICK, echo.cpu, ">= 0.45", less=True)
    yield Row(P50_AT_RATE, command.p50, "ms", YARDSTICK, echo.p50, less=True)


def _join(rounds: list[RequestFigures]) -> RequestFigures:
    """Return the figures of all rounds as those of one: of the medians the middle one."""
    count = sum(one.count for one in rounds)
    return RequestFigures(
        rate=count / sum(one.count / one.rate for one in rounds),
        count=count,
        p50=median(one.p50 for one in rounds),
        cpu=sum(one.cpu * one.count for one in rounds) / count,
    )


def _measure(
    kind: str,
    address: str,
    token: str,
    position: dict[str, Any],
    seconds: float,
    rate: int | None,
    meter: CpuMeter,
) -> RequestFigures:
    """Return the figures of a client in its own process.

    All that a command leads to counts, until read models and the log of all games have seen it.
    """
    context = multiprocessing.get_context("spawn")
    said, begin = context.Queue(), context.Event()
    child = context.Process(
        target=_run_client, args=(kind, address, token, position, seconds, rate, said, begin)
    )
    child.start()
    said.get(timeout=seconds + 300)  # it has its games, and the service knows them
    with meter.measure() as spent:
        begin.set()
        found: RequestFigures = said.get(timeout=2 * seconds + 120)
    child.join()
    return msgspec.structs.replace(found, cpu=spent.seconds * 1000 / found.count)


def _run_client(
    kind: str,
    address: str,
    token: str,
    position: dict[str, Any],
    seconds: float,
    rate: int | None,
    said: Any,
    begin: Any,
) -> None:
    """All connections of one measurement, in a process of their own."""
    make = _prepare_echo if kind == "echo" else _prepare_offers
    senders = [make(address, token, position, seconds) for _ in range(CONNECTIONS)]
    _run_threads([partial(_warm_up, send) for send in senders])
    said.put("ready")
    begin.wait()
    took: list[float] = []
    started = time.perf_counter()
    work = _send_at_full_speed if rate is None else partial(_send_at_rate, rate=rate)
    _run_threads([partial(work, send, place, started, seconds, took) for place, send in enumerate(senders)])
    ran = time.perf_counter() - started
    said.put(RequestFigures(len(took) / ran, len(took), median(took) * 1000))


def _run_threads(tasks: Sequence[Callable[[], None]]) -> None:
    """Carry out all tasks at the same time, and wait for their end."""
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _warm_up(send: Callable[[], None]) -> None:
    for _ in range(WARM_UP):
        send()


def _send_at_full_speed(
    send: Callable[[], None], _place: int, started: float, seconds: float, took: list[float]
) -> None:
    while True:
        before = time.perf_counter()
        send()
        after = time.perf_counter()
        took.append(after - before)
        if after - started >= seconds:
            return


def _send_at_rate(
    send: Callable[[], None], place: int, started: float, seconds: float, took: list[float], *, rate: int
) -> None:
    """Send each request at its due time; a sender that comes late to it has waited since then."""
    due = started + place / rate
    while True:
        time.sleep(max(0.0, due - time.perf_counter()))
        send()
        took.append(time.perf_counter() - due)
        due += CONNECTIONS / rate
        if due - started >= seconds:
            return


def _prepare_echo(address: str, token: str, _position: dict[str, Any], _seconds: float) -> Callable[[], None]:
    connection = Connection(address, token)
    body = {"type": "offer_trade", "card": "china_tea", "target_player": 3}
    return lambda: connection.post("/bench/echo", body) and None


def _prepare_offers(address: str, token: str, position: dict[str, Any], seconds: float) -> Callable[[], None]:
    """Prepare offers in games of this connection's own: enough are made before the clock starts."""
    connection = Connection(address, token)
    needed = 2 + int((WARM_UP + seconds * MOST) / (OFFERS * SEATS))
    commands = iter(
        [
            (game, offer)
            for game in [make_trading_game(connection, position) for _ in range(needed)]
            for offer in generate_offers()
        ]
    )

    def send() -> None:
        game, offer = next(commands)
        connection.post(f"/v1/games/{game}/commands", offer)

    return send


def generate_offers() -> Iterator[dict[str, Any]]:
    """Yield the commands that one game in a Trade Phase takes one after the other."""
    for number in range(OFFERS):
        for seat in range(SEATS):
            yield {
                "seat": seat,
                "type": "offer_trade",
                "to": (seat + 1 + number % (SEATS - 1)) % SEATS,
                "give": {"fortunes": 1, "hand_cards": [], "in_play_cards": []},
                "ask": {"fortunes": 0, "hand_cards": ["china_tea"], "in_play_cards": []},
            }


def make_trading_game(connection: Connection, position: dict[str, Any]) -> str:
    """Return the id of a new game in which one account holds all seats and may trade."""
    game: str = connection.post(
        "/v1/games",
        {"title": "colonial_empires", "seats": [{"you": True}] * SEATS, "position": position},
    )["id"]
    return game
