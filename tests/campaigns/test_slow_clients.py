"""Slow clients beside normal load: those who send or read a byte a second take nothing from the others."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.acceptance.client import Client
from tests.waiting import until

pytestmark = pytest.mark.integration
ROOT = Path(__file__).resolve().parents[2]
TITLE = "colonial_empires"
PLAYERS = 3
ROUNDS, TIMES = 2, 2
"""How often the slow ones come, and how often is measured while they are there or not."""
COMMANDS = 300
"""Ordinary commands of one measurement, of all players together."""


@contextlib.contextmanager
def slow_clients(address: str, count: int) -> Iterator[list[str]]:
    """*count* slow connections to the service; what their process says is added to the list."""
    command = [sys.executable, "-m", "tests.campaigns.slow_clients", urlsplit(address).netloc, str(count)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    said: list[str] = []
    lines = process.stdout

    def listen() -> None:
        said.extend(line.strip() for line in lines)

    listener = threading.Thread(target=listen)
    listener.start()
    try:
        yield said
    finally:
        process.kill()
        process.wait()
        listener.join()
        lines.close()


def command_times(address: str) -> list[float]:
    """How long each of `COMMANDS` ordinary commands took, in seconds, sorted."""
    times: list[float] = []
    threads = [threading.Thread(target=_play, args=(address, n, times)) for n in range(PLAYERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(times) >= COMMANDS
    return sorted(times)


def _play(address: str, number: int, times: list[float]) -> None:
    player = Client(address).account(f"Player {number}")
    game = ""
    while len(times) < COMMANDS:
        if not game:
            wish = {"title": TITLE, "seats": [{"you": True}] * 2}
            game = player.post("/v1/games", wish, status=201)["id"]
        legal = player.get(f"/v1/games/{game}/decisions")["legal"]
        if not legal:
            game = ""
            continue
        move = legal[number % len(legal)]
        began = time.perf_counter()
        player.post(f"/v1/games/{game}/commands", {**move["command"], "seat": move["seat"]})
        times.append(time.perf_counter() - began)


def p99(times: list[float]) -> float:
    return times[int(len(times) * 0.99)]


def test_five_hundred_slow_connections_at_most_double_the_time_of_an_ordinary_command(live_server):
    """Calm and beset in turn, in one run; an endless header is given up meanwhile.

    The best time of each is compared: what slow connections take they take always, while what else the
    machine does comes and goes.
    """
    command_times(live_server.address)  # caches, threads and plans are there
    calm: list[float] = []
    beset: list[float] = []
    given_up: list[str] = []
    for _ in range(ROUNDS):
        calm += [p99(command_times(live_server.address)) for _ in range(TIMES)]
        with slow_clients(live_server.address, 500) as said:
            beset += [p99(command_times(live_server.address)) for _ in range(TIMES)]
            until(lambda said=said: {"header", "body"} <= _kinds(said), "they are given up")
        given_up += said
    told = f"p99 in ms, calm {_shown(calm)}, beside 500 slow connections {_shown(beset)}"
    sys.stdout.write(told + "\n")  # `pytest -s` shows it
    assert min(beset) <= 2 * min(calm), told
    for line in given_up:
        kind, seconds = line.split()
        assert kind == "response" or float(seconds) < 60, line


def test_more_slow_connections_than_threads_hold_up_nobody(live_server):
    """Of 1,300 connections that never finish their requests none holds one of the 1,024 threads.

    Others are answered while all of them wait: before the first of them is given up.
    """
    with slow_clients(live_server.address, 1950) as said:
        for _ in range(20):
            Client(live_server.address).get("/v1/titles")
        assert not _kinds(said) & {"header", "body"}, said


def _kinds(given_up: list[str]) -> set[str]:
    return {line.split()[0] for line in given_up}


def _shown(seconds: list[float]) -> list[float]:
    return [round(1000 * one, 1) for one in seconds]
