"""The odds of a war: asked for, simulated by a worker, told."""

import pytest
from rq import Queue, SimpleWorker

from service.api.analysis.war_odds import QUEUE
from tests.service.factories import GameRequest
from tests.service.openapi.test_described import validator
from workers import connections

pytestmark = pytest.mark.integration


def test_odds_are_told_once_a_worker_has_simulated_them(ada, games, process, monkeypatch):
    """First that they are being simulated and when to ask again, then the odds, each as described."""
    monkeypatch.setattr(connections, "get_games", lambda: games)
    game = ada.post("/v1/games", GameRequest(title="colonial", hotseat=4), status=201)
    path = f"/v1/games/{game['id']}/wars/odds?seat=0&target=1&simulations=20"
    pending = ada.send("GET", path)
    assert (pending.status_code, pending.headers["Retry-After"]) == (202, "1")
    validator("OddsPending").validate(pending.get_json())
    redis = process.hints.redis
    queue = Queue(QUEUE, connection=redis, serializer="json")
    SimpleWorker([queue], connection=redis, serializer="json").work(burst=True, logging_level="CRITICAL")
    told = ada.get(path)
    validator("WarOdds").validate(told)
    assert (told["status"], told["odds"]["simulations"]) == ("ready", 20)
