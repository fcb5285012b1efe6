"""What others build on: a bot of a few lines, and a receiver of webhooks, with the whole service at work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from standardwebhooks import Webhook
from urllib3 import HTTPConnectionPool

from ops.examples import bot
from tests.acceptance.client import Client
from tests.waiting import PATIENCE, each_look, until
from tests.workers.receiver import receiving

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def nobody(live_server) -> Client:
    return Client(live_server.address)


def test_a_bot_of_few_lines_plays_a_whole_game(nobody):
    """It uses the client library, and imports nothing else of ours."""
    players = [nobody.account(f"Bot {number}") for number in range(2)]
    body = {"title": "example", "seats": [{"you": True}, {"open": True}]}
    game = players[0].post("/v1/games", body, status=201)["id"]
    players[1].post(f"/v1/games/{game}/join", {})
    programs = [
        subprocess.Popen(
            [sys.executable, bot.__file__, nobody.address, game], env={**os.environ, "TOKEN": str(one.token)}
        )
        for one in players
    ]
    assert [program.wait(PATIENCE) for program in programs] == [0, 0]
    assert nobody.get(f"/v1/games/{game}")["status"] == "finished"
    assert len(Path(bot.__file__).read_text(encoding="utf-8").splitlines()) <= 30


@pytest.mark.slow
def test_a_bot_plays_on_over_a_restart_of_the_server(live_server, nobody):
    """Its stream ends and nothing answers; then it takes the turns that follow, to the end of the game."""
    one, other = nobody.account("Bot"), nobody.account("Person")
    body = {"title": "example", "seats": [{"you": True}, {"open": True}]}
    game = one.post("/v1/games", body, status=201)["id"]
    other.post(f"/v1/games/{game}/join", {})
    words, environment = [sys.executable, bot.__file__, nobody.address, game], {"TOKEN": str(one.token)}
    with live_server.restarting():
        program = subprocess.Popen(words, env={**os.environ, **environment})
    path = f"/v1/games/{game}"
    until(lambda: other.get(f"{path}/decisions")["legal"], "the bot has moved")
    with live_server.restarting():
        assert program.poll() is None, "it waits"
    for _ in each_look("the game ends"):
        now = other.get(f"{path}/decisions")
        if now["legal"]:
            other.post(f"{path}/commands", now["legal"][0]["command"])
        if other.get(path)["status"] == "finished":
            break
    assert program.wait(PATIENCE) == 0


@pytest.mark.campaign
def test_a_long_game_takes_one_call_a_move(nobody, monkeypatch):
    """Over more than 500 events the bot opens one stream, and calls for nothing but its moves."""
    one, calls = nobody.account("Patient"), []
    body = {"title": "colonial_revised", "seats": [{"you": True}, {"bot": "random"}, {"bot": "random"}]}
    game = one.post("/v1/games", body, status=201)["id"]
    usual = HTTPConnectionPool.urlopen

    def counted(pool, method, path, *words, **settings):
        calls.append(path)
        return usual(pool, method, path, *words, **settings)

    monkeypatch.setattr(HTTPConnectionPool, "urlopen", counted)
    monkeypatch.setenv("TOKEN", one.token)
    bot.main(nobody.address, game)
    last = one.get(f"/v1/games/{game}")["last"]
    assert last > 500
    told = [
        one.get(f"/v1/games/{game}/events?after={at}&limit=1000")["events"] for at in range(0, last, 1000)
    ]
    moves = sum(event["by"] == "p0" and "command" in event for page in told for event in page)
    assert len(calls) <= moves + 5


@pytest.mark.slow
def test_a_webhook_is_called_by_the_service(nobody):
    """By a worker of its own, within moments; again after a failure, under the same id."""
    with receiving((500, {}), (204, {})) as receiver:
        one = nobody.account("One")
        made = one.post("/v1/me/webhooks", {"url": receiver.url, "types": ["game.begun"]}, status=201)
        game = one.post("/v1/games", {"title": "example", "seats": [{"you": True}] * 2}, status=201)["id"]
        calls = [receiver.calls.get(timeout=PATIENCE) for _ in range(2)]
    for headers, body in calls:
        Webhook(made["secret"]).verify(body, headers)
        assert json.loads(body)["data"]["game"] == game
    assert len({headers["webhook-id"] for headers, _ in calls}) == 1
