"""What a bot would do: asked for where nothing is secret, thought of by a worker, told."""

import pytest
from rq import Queue, SimpleWorker

from service.api.analysis.bot_advice import QUEUE
from tests.service.factories import GameRequest
from tests.service.openapi.test_described import validator
from workers import connections

pytestmark = pytest.mark.integration


@pytest.fixture
def work(games, process, monkeypatch):
    """Let a worker do what waits."""
    monkeypatch.setattr(connections, "get_games", lambda: games)
    redis = process.hints.redis

    def done():
        queue = Queue(QUEUE, connection=redis, serializer="json")
        SimpleWorker([queue], connection=redis, serializer="json").work(burst=True, logging_level="CRITICAL")

    return done


@pytest.fixture
def analysis(ada):
    """A running analysis game of Colonies, in which all seats are Ada's."""
    game = ada.post("/v1/games", GameRequest(title="colonies", hotseat=3), status=201)
    return ada.post(f"/v1/games/{game['id']}/forks", {}, status=201)["id"]


@pytest.mark.slow
def test_advice_is_told_once_a_worker_has_thought(ada, analysis, work):
    """First that it is thought about, then some candidates with chances, one of them chosen."""
    path = f"/v1/games/{analysis}/advice"
    seen = set()
    for _ in range(40):
        asked = ada.get(f"/v1/games/{analysis}/decisions")
        pending = ada.send("GET", path)
        assert (pending.status_code, pending.headers["Retry-After"]) == (202, "1")
        validator("OddsPending").validate(pending.get_json())
        work()
        told = ada.get(path)
        validator("Advice").validate(told)
        assert told["seq"] == asked["seq"]
        assert told["seat"] in {each["seat"] for each in asked["decisions"] if not each["free"]}
        assert [each["chosen"] for each in told["candidates"]].count(True) == 1
        assert told == ada.get(path)
        seen.add(bool(told["simulations"]))
        for each in told["candidates"]:
            assert (each["chance"] is None) == (each["games"] == 0)
        if told["simulations"]:
            assert told["simulations"] >= sum(each["games"] for each in told["candidates"]) > 0
        if seen == {True, False}:
            return
        chosen = next(each["command"] for each in told["candidates"] if each["chosen"])
        ada.post(f"/v1/games/{analysis}/commands", {**chosen, "seat": told["seat"]})
    pytest.fail(f"it never came to both kinds of decisions: {seen}")


def test_nobody_is_advised_in_a_running_game(ada, bob):
    """Nor a stranger in somebody's analysis game."""
    game = ada.post("/v1/games", GameRequest(title="colonies", hotseat=3), status=201)["id"]
    assert ada.refused("GET", f"/v1/games/{game}/advice") == (409, "game_running")
    fork = ada.post(f"/v1/games/{game}/forks", {}, status=201)["id"]
    assert bob.refused("GET", f"/v1/games/{fork}/advice") == (409, "game_running")


def test_advice_is_asked_for_where_somebody_decides(ada, analysis):
    """Not before the game has begun, not for who has nothing to decide, not after the newest event."""
    path = f"/v1/games/{analysis}/advice"
    asked = {each["seat"] for each in ada.get(f"/v1/games/{analysis}/decisions")["decisions"]}
    assert ada.refused("GET", f"{path}?at=1") == (409, "nothing_to_decide")
    assert ada.refused("GET", f"{path}?seat=99") == (409, "nothing_to_decide")
    assert ada.send("GET", f"{path}?seat={min(asked)}").status_code == 202
    assert ada.refused("GET", f"{path}?at=99999")[0] == 404
    assert ada.refused("GET", f"{path}?bot=steady")[0] == 400
