"""Clients of the library play on over kills of every program; over a change of the key in campaigns."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from events.verify import verify
from rutter.client import Turn
from tests.acceptance.client import Client, events_of
from tests.acceptance.up import RutterUp
from tests.clients.javascript import JavaScriptPlayer
from tests.clients.library import KINDS
from tests.waiting import PATIENCE, until
from tests.web.key_changes import running_service

pytestmark = [pytest.mark.integration, pytest.mark.slow]
PROGRAMS = ("api", "postgres", "redis", "worker-house", "worker-ai", "worker-dispatcher")


@pytest.fixture(scope="module")
def rutter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RutterUp]:
    """The service; what is killed is started again at once."""
    with (
        pytest.MonkeyPatch.context() as patch,
        running_service(tmp_path_factory.mktemp("up") / "data", patch) as running,
    ):
        yield running


AHEAD = 10
"""Commands that a client gives beyond those that a test waits for: they are under way when something dies."""


class Enough(Exception):
    """The test has seen what it wanted."""


def check_accepted(address: str, token: str | None, accepted: list[tuple[str, Any]]) -> None:
    """What was accepted stands in the log as it was answered, once, and nothing else does."""
    nobody = Client(address, token)
    for game in {game for game, _ in accepted}:
        copy = nobody.send("GET", f"/v1/games/{game}/audit").body
        verify(copy.splitlines(keepends=True), partial=True)
        lines = events_of(copy)
        bodies = [json.loads(line["body"]) for line in lines]
        told = [answer for where, answer in accepted if where == game]
        mine = {body["cmd"] for body in bodies if body["by"] == "p0" and body["t"] != "SeatRevealed"}
        assert len(mine) == len(told)
        for event in (event for answer in told for event in answer["events"]):
            assert event["hash"] == lines[event["seq"] - 1]["hash"]


class Untiring(threading.Thread):
    """Plays one game after the other beside a bot, and notes what was accepted."""

    def __init__(self, client: Any) -> None:
        super().__init__(daemon=True)
        self.client, self.enough, self.random = client, threading.Event(), random.Random(1)
        self.accepted: list[tuple[str, Any]] = []
        self.asked_for, self.most = threading.Condition(), AHEAD
        self.failure: BaseException | None = None
        act = client.core.act

        async def noted(game: str, move: Any) -> Any:
            told = await act(game, move)
            self.accepted.append((game, told))
            return told

        client.core.act = noted

    def run(self) -> None:
        try:
            self.client.sign_up("Untiring")
            while True:
                game = self.client.create("colonial_empires", [{"you": True}, {"bot": "random"}])
                self.client.play(self.choose, game)
        except Enough:
            pass
        except BaseException as failure:  # noqa: BLE001 - told to the test's own thread
            self.failure = failure

    def choose(self, turn: Turn) -> Any:
        """Return a random command that the game waits for."""
        with self.asked_for:
            self.asked_for.wait_for(lambda: self.enough.is_set() or len(self.accepted) < self.most)
        if self.enough.is_set():
            raise Enough
        return self.random.choice(turn.asked) if turn.asked else None

    def goes_on(self) -> None:
        """Wait until some more commands have been accepted."""
        wanted = len(self.accepted) + 3
        with self.asked_for:
            self.most = wanted + AHEAD
            self.asked_for.notify_all()
        until(lambda: len(self.accepted) >= wanted or self.failure, "the client goes on")
        assert self.failure is None, self.failure

    def stop(self) -> None:
        """Give no more commands."""
        with self.asked_for:
            self.enough.set()
            self.asked_for.notify_all()

    def finish(self, address: str) -> None:
        """Stop; what was accepted is what stands in the log."""
        self.stop()
        self.join(PATIENCE)
        assert not self.is_alive()
        assert self.failure is None, self.failure
        check_accepted(address, self.client.token, self.accepted)
        self.client.close()


class UntiringInJavaScript(JavaScriptPlayer):
    """The same in Node."""

    def __init__(self, address: str, folder: Path) -> None:
        seats = [{"you": True}, {"bot": "random"}]
        super().__init__(address, folder, "colonial_empires", seats, games=10_000, pause=0.5)

    def stop(self, address: str) -> None:
        """Stop; what was accepted is what stands in the log."""
        self.tell()
        self.finish()
        token = str(self.said[0]["token"])
        check_accepted(address, token, [(line["game"], line) for line in self.accepted])


@pytest.fixture
def in_javascript(rutter: RutterUp, tmp_path: Path) -> Iterator[UntiringInJavaScript]:
    """One in mid-game."""
    one = UntiringInJavaScript(rutter.address, tmp_path / "javascript")
    one.goes_on()
    yield one
    one.discard()


@pytest.fixture
def clients(rutter: RutterUp, tmp_path) -> Iterator[list[Untiring]]:
    """One of each kind, in mid-game, with receipts and contributions."""
    made = [Untiring(kind(rutter.address, folder=tmp_path / name, pause=0.5)) for name, kind in KINDS.items()]
    for one in made:
        one.start()
    for one in made:
        one.goes_on()
    yield made
    for one in made:
        one.stop()


@pytest.mark.campaign
def test_clients_play_on_when_one_program_is_killed(rutter, clients, in_javascript):
    """One program after the other."""
    for name in PROGRAMS:
        rutter.kill(name)
        for one in (*clients, in_javascript):
            one.goes_on()
    in_javascript.stop(rutter.address)
    for one in clients:
        one.finish(rutter.address)


def test_clients_play_on_when_all_programs_are_killed_at_once(rutter, clients, in_javascript):
    """And what they were answered before and after stands in the log; one after the other in campaigns."""
    rutter.kill_everything()
    rutter.start()
    in_javascript.goes_on()
    in_javascript.stop(rutter.address)
    for one in clients:
        one.goes_on()
        one.finish(rutter.address)
