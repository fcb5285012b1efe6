"""SIGKILL of each process in turn: `readyz` tells which is missing, people play on, all gets well again."""

from __future__ import annotations

import subprocess
import sys
import threading
import uuid

import pytest

from ops.runtime.processes import live_process
from tests.acceptance.client import Client, Stream
from tests.ops.loose_processes import DUTIES, ROOT, LooseProcesses
from tests.waiting import beside, until

pytestmark = [pytest.mark.integration, pytest.mark.slow]
TITLE = "colonial_empires"


@pytest.fixture(scope="module")
def processes(tmp_path_factory):
    running = LooseProcesses(tmp_path_factory.mktemp("processes") / "data")
    try:
        running.start("api", *DUTIES)
        yield running
    finally:
        running.discard()


@pytest.fixture
def whole(processes):
    """Everything is at work."""
    until(processes.is_ready, f"all are at work: {processes.readiness()}")
    return processes


@pytest.fixture
def player(whole):
    return Client(whole.address).account("Ada")


def found(player, *seats, title=TITLE):
    body = {"title": title, "seats": list(seats)}
    return player.insist("/v1/games", body, str(uuid.uuid4()), status=201).json["id"]


def move(player, game):
    """One command of one's own; whether there was one to give."""
    now = player.patiently(f"/v1/games/{game}/decisions")
    if not now["legal"]:
        return False
    body = {**now["legal"][0]["command"], "seat": now["legal"][0]["seat"]}
    answer = player.insist(f"/v1/games/{game}/commands", body, str(uuid.uuid4()), status=(200, 409))
    return answer.status == 200


def bots_move(player, processes):
    """A new game of two bots, a short one, is played."""
    game = found(player, {"bot": "random"}, {"bot": "random"}, title="example")
    until(lambda: player.patiently(f"/v1/games/{game}")["status"] == "finished", "the bots move")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ai", "worker_missing"),
        ("think", "worker_missing"),
        ("house", "worker_missing"),
        ("dispatcher", "dispatcher_missing"),
    ],
)
def test_a_killed_worker_or_dispatcher_is_told(whole, player, name, code):
    """Degraded, never not ready: a person's commands are carried out."""
    game = found(player, {"you": True}, {"you": True})
    whole.kill(name)
    until(lambda: code in whole.lacks(), "its absence is told")
    assert whole.readiness()[0] == 200
    assert move(player, game)
    if name == "dispatcher":
        until(lambda: "sequencer_stuck" in whole.lacks(), "nobody numbers")
        assert whole.readiness()[0] == 200
    whole.start(name)
    until(whole.is_ready, "nothing is lacking any more")
    bots_move(player, whole)


def test_a_dispatcher_that_lives_and_does_nothing_is_told(whole, player):
    """What it should number waits, and says so; people play on, and it catches up."""
    game = found(player, {"you": True}, {"you": True})
    with whole.stopped("dispatcher"):
        assert move(player, game)
        until(lambda: {"sequencer_stuck", "dispatcher_missing"} <= {*whole.lacks()}, "it is told")
        assert whole.readiness()[0] == 200
        assert move(player, game)
    until(whole.is_ready, "nothing is lacking any more")
    bots_move(player, whole)


def test_a_killed_redis_is_told(whole, player):
    """People play on without it; once it is back the bots do too."""
    game = found(player, {"you": True}, {"you": True})
    whole.kill("redis")
    until(lambda: "redis_away" in whole.lacks(), "its absence is told")
    status, shown = whole.readiness()
    assert (status, shown["status"], shown["redis"]) == (200, "degraded", "away")
    assert move(player, game)
    assert not {"dispatcher_missing", "sequencer_stuck"} & set(whole.lacks())
    until(lambda: whole.servers.watch() == ["redis"], "it is started again")
    until(whole.is_ready, "nothing is lacking any more")
    bots_move(player, whole)


def test_a_killed_database_means_not_ready(whole, player):
    """The one thing without which nothing goes."""
    whole.kill("postgres")
    until(lambda: whole.readiness()[0] == 503, "it is not ready")
    assert "database_away" in whole.lacks()
    until(lambda: "postgres" in whole.servers.watch(), "it is started again")
    until(whole.is_ready, "nothing is lacking any more")
    bots_move(player, whole)


def test_rebuild_while_commands_are_given(whole, player):
    """`rutter rebuild` compares each game at one event: play beside it makes no difference."""
    stop = threading.Event()
    game = found(player, {"you": True}, {"bot": "random"})
    found(player, {"bot": "random"}, {"bot": "random"})
    given = []

    def play():
        for _ in beside(stop):
            given.extend([game] * move(player, game))

    def goes_on(commands):
        until(lambda: len(given) >= commands, "the game goes on")

    playing = threading.Thread(target=play)
    playing.start()
    try:
        goes_on(1)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "ops", "rebuild", "--data", str(whole.folder / "none")],
            env={
                "PYTHONPATH": str(ROOT),
                "PATH": "/usr/bin:/bin",
                "DATABASE_URL": whole.servers.database_url,
                "REDIS_URL": whole.servers.redis_url,
                "RUTTER_EXTRA_TITLES": "tests.titles.example",
            },
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "DIFFERENT" not in done.stdout
        goes_on(6)
    finally:
        stop.set()
        playing.join()


def test_no_orphan_answers_after_the_api_was_killed(whole, player):
    """Its processes end by themselves, an open stream and a silent connection notwithstanding."""
    game = found(player, {"you": True}, {"you": True})
    orphans = whole.children("api")
    assert len(orphans) >= 2
    with Stream(player, f"/v1/games/{game}/stream") as stream:
        next(iter(stream))
        whole.kill("api")
        until(lambda: not any(live_process(orphan.pid) for orphan in orphans), "the orphans are gone")
    # A process counts as ended with its first thread; the door closes with its last.
    until(lambda: not whole.listens(), "nobody accepts connections")
    whole.start("api")
    until(whole.is_ready, f"it is ready again: {whole.readiness()}\n{whole.log('api')}")
