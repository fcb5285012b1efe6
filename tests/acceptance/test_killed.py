"""SIGKILL in mid-game: every accepted command stands in the log once, and everything goes on."""

from __future__ import annotations

import json
import subprocess
import threading
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from events.store.games import new_id
from events.verify import verify
from tests import installation
from tests.acceptance.client import Client, events_of
from tests.acceptance.up import OWN_TITLES, RutterUp
from tests.contributing import Contribution
from tests.servers import reachable_folder, ready_data
from tests.waiting import PATIENCE, ClockFile, until

pytestmark = [pytest.mark.integration, pytest.mark.slow]
TITLE = "colonial_empires"
MINUTE_MS = 60_000
AHEAD = 10
"""Commands that a player gives beyond those that a test waits for: they are under way when something dies."""


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> ClockFile:
    """What is added to the time of the service."""
    folder = reachable_folder(tmp_path_factory.mktemp("clock"))
    return ClockFile(folder / "clock")


@pytest.fixture(scope="module")
def rutter(tmp_path_factory: pytest.TempPathFactory, clock: ClockFile) -> Iterator[RutterUp]:
    """The service; what is killed is started again at once."""
    settings = {**clock.settings, **OWN_TITLES, "RUTTER_RESTART_PAUSE": "0.1"}
    running = RutterUp(ready_data(tmp_path_factory.mktemp("up") / "data"), settings=settings)
    try:
        running.start()
        yield running
    finally:
        running.discard()


class Persistent(threading.Thread):
    """A client that plays all its seats, sends every command until it is answered, and keeps the answers."""

    def __init__(self, client: Client, seats: list[dict[str, Any]]) -> None:
        super().__init__(daemon=True)
        self.client = client
        self.seats = seats
        self.games: list[str] = []
        self.accepted: list[tuple[str, str, Any, Any]] = []
        """(game, key, body, answer)"""
        self.refused = 0
        self.replayed = 0
        self.failure: BaseException | None = None
        self._enough = threading.Event()
        self._asked_for = threading.Condition()
        self._most = AHEAD
        self._begin()

    def _begin(self) -> None:
        body = {"title": TITLE, "seats": self.seats}
        made = self.client.insist("/v1/games", body, str(uuid.uuid4()), status=201)
        self.games.append(made.json["id"])

    def run(self) -> None:
        try:
            while not self._enough.is_set():
                with self._asked_for:
                    self._asked_for.wait_for(self._has_more_to_do)
                if now := until(self._asked, "the game waits for this player"):
                    self._move(now)
        except BaseException as failure:  # noqa: BLE001 - told to the test's own thread
            self.failure = failure

    def _has_more_to_do(self) -> bool:
        return self._enough.is_set() or len(self.accepted) < self._most

    def _asked(self) -> Any:
        """Return what the game asks; None while it asks nothing. Begins another one after its end."""
        path = f"/v1/games/{self.games[-1]}"
        now = self.client.patiently(f"{path}/decisions")
        if now["legal"] or self._enough.is_set():
            return now
        if self.client.patiently(path)["status"] == "finished":
            self._begin()
        return None

    def _move(self, now: Any) -> None:
        """Give the first command that is offered."""
        if not now["legal"]:
            return
        path = f"/v1/games/{self.games[-1]}"
        body = {**now["legal"][0]["command"], "seat": now["legal"][0]["seat"]}
        key = str(uuid.uuid4())
        answer = self.client.insist(f"{path}/commands", body, key, status=(200, 409))
        if answer.status == 409:
            self.refused += 1  # a bot was faster
            return
        self.replayed += "idempotency-replayed" in answer.headers
        self.accepted.append((self.games[-1], key, body, answer.json))

    def stop(self) -> None:
        """Give no more commands."""
        with self._asked_for:
            self._enough.set()
            self._asked_for.notify_all()

    def finish(self) -> None:
        """Stop; raises what went wrong."""
        self.stop()
        self.join(PATIENCE)
        assert not self.is_alive()
        if self.failure:
            raise self.failure

    def goes_on(self, commands: int = 3) -> None:
        """Wait until some more commands have been accepted."""
        wanted = len(self.accepted) + commands
        with self._asked_for:
            self._most = wanted + AHEAD
            self._asked_for.notify_all()
        until(lambda: len(self.accepted) >= wanted or self.failure is not None, "the game goes on")
        assert self.failure is None, self.failure


@pytest.fixture
def clients(rutter: RutterUp) -> Iterator[list[Persistent]]:
    """Three games in full swing: one account at all seats, and twice beside a bot."""
    nobody = Client(rutter.address)
    tables: list[list[dict[str, Any]]] = [[{"you": True}] * 3, *[[{"you": True}, {"bot": "random"}]] * 2]
    started = [Persistent(nobody.account(f"Player {n}"), seats) for n, seats in enumerate(tables)]
    for one in started:
        one.start()
    yield started
    for one in started:
        one.stop()


def check(clients: list[Persistent]) -> None:
    """Everything that was accepted stands in the log as it was answered, once; and nothing else does."""
    for one in clients:
        one.finish()
        assert one.accepted
        mine = {f"p{number}" for number, seat in enumerate(one.seats) if "you" in seat}
        for game in one.games:
            copy = one.client.send("GET", f"/v1/games/{game}/audit").body
            verify(copy.splitlines(keepends=True), partial=True)
            lines = events_of(copy)
            bodies = [json.loads(line["body"]) for line in lines]
            answers = [answer for where, _, _, answer in one.accepted if where == game]
            commands = {body["cmd"] for body in bodies if body["by"] in mine}
            assert len(commands) == len(answers), "as many commands as were accepted"
            told = [event for answer in answers for event in answer["events"]]
            assert len({event["seq"] for event in told}) == len(told), "each event answers one command"
            for event in told:
                assert event["hash"] == lines[event["seq"] - 1]["hash"]
        # A repetition of anything answers as the first time, and changes nothing.
        for game, key, body, first in one.accepted[-15:]:
            again = one.client.insist(f"/v1/games/{game}/commands", body, key)
            assert again.json == first
            assert again.headers["idempotency-replayed"] == "true"


@pytest.mark.parametrize("name", ["postgres", "redis", "api", "worker-ai", "worker-dispatcher"])
def test_one_killed_program_costs_a_moment_and_nothing_else(rutter, clients, name):
    for one in clients:
        one.goes_on()
    rutter.kill(name)
    for one in clients:
        one.goes_on()
    until(rutter.is_ready, "it is ready again")
    check(clients)


def test_everything_killed_and_started_again_finds_every_game(rutter, clients):
    for one in clients:
        one.goes_on()
    rutter.kill_everything()
    said = rutter.start()
    assert rutter.address in said
    for one in clients:
        one.goes_on()
    check(clients)


def test_without_its_supervisor_it_plays_on_and_the_next_one_takes_over(rutter, clients):
    rutter.kill_supervisor()
    for one in clients:
        one.goes_on()
    said = rutter.start()
    assert said.startswith("Ended processes of an earlier start: ")
    for one in clients:
        one.goes_on()
    check(clients)


def test_a_maker_who_never_reveals_holds_nothing_up_whichever_process_is_killed(rutter, clock):
    """Nobody asks: the minute that every seat has passes, dispatcher and worker die in it, the game begins
    without the contribution that never came.
    """
    ada, game, gift = Client(rutter.address).account("Ada"), new_id(), Contribution()
    seats = [{"you": True, "commitment": gift.commitment(game, 0)}, {"bot": "random"}]
    made = ada.insist(
        "/v1/games",
        {"id": game, "title": TITLE, "seats": seats, "reveal_by_ms": MINUTE_MS},
        str(uuid.uuid4()),
        status=201,
    )
    assert made.json["status"] == "open"
    for name in ("worker-dispatcher", "worker-house", "worker-dispatcher"):
        rutter.kill(name)
    assert ada.patiently(f"/v1/games/{game}")["status"] == "open"
    clock.advance(MINUTE_MS / 1000 + 1)
    until(lambda: ada.patiently(f"/v1/games/{game}")["status"] == "running", "the game begins")
    events = ada.patiently(f"/v1/games/{game}/events")["events"]
    begun = next(event for event in events if event["type"] == "TableBegun")
    assert begun["data"]["missing"] == [0]
    assert begun["at"] > events[1]["at"]


def test_after_all_that_the_read_models_are_what_the_log_says(rutter):
    """`rutter rebuild` compares them with the log while all runs, `replay` decides every game again."""
    for command in ("rebuild", "replay"):
        done = subprocess.run(
            installation.rutter(command, "--data", str(rutter.data)),
            env={**installation.paths(), "PATH": "/usr/bin:/bin"},
            cwd=installation.HOME,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    shown = json.dumps(Client(rutter.address).get("/v1/games?limit=1000"))
    assert '"status"' in shown


def test_it_stops_in_order_and_starts_with_everything(rutter):
    before = Client(rutter.address).get("/v1/games?limit=1000")
    assert rutter.stop() == 0
    rutter.start()
    after = Client(rutter.address).get("/v1/games?limit=1000")
    assert [g["id"] for g in after["games"]] == [g["id"] for g in before["games"]]
    assert all(new["seq"] >= old["seq"] for new, old in zip(after["games"], before["games"], strict=True))
