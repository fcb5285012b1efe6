"""The review of a player: asked for when a game has ended, made by workers some moves at a time."""

from dataclasses import replace

import pytest
from rq import Queue, SimpleWorker

from service.api.analysis.game_reviews import QUEUE, find_turning_points
from service.openapi.response_structs import ReviewedMove
from tests.playing import play_to_the_end
from tests.service.factories import Bot, GameRequest, You
from tests.service.openapi.test_described import validator
from workers import bots, connections, game_review

pytestmark = pytest.mark.integration

GAMES = 12
"""The games that the bot simulates for a move here."""


@pytest.fixture
def work(games, process, monkeypatch):
    """Let a worker do what waits, with a bot that thinks little and jobs of one move."""
    find = bots.find_bot
    monkeypatch.setattr(bots, "find_bot", lambda *asked: replace(find(*asked), budget=GAMES))
    monkeypatch.setattr(connections, "get_games", lambda: games)
    monkeypatch.setattr(game_review, "SECONDS_A_JOB", 0.0)
    redis = process.hints.redis

    def done():
        queue = Queue(QUEUE, connection=redis, serializer="json")
        SimpleWorker([queue], connection=redis, serializer="json").work(burst=True, logging_level="CRITICAL")

    return done


@pytest.fixture
def ended(ada, games):
    """A game of Ada against a bot that has ended."""
    game = ada.post("/v1/games", GameRequest(title="example", seats=[You(), Bot()]), status=201)["id"]
    play_to_the_end(games, games.load(game))
    return game


def test_a_review_grows_until_all_moves_are_judged(ada, bob, ended, games, work):
    """Each beside what the bot would do; the same for all who may see the game."""
    path = f"/v1/games/{ended}/review"
    own = [
        record
        for record in games.records(ended)
        if record.type == "SailChosen" and record.envelope().by == "p0"
    ]
    seen = []
    for _ in range(len(own) + 1):
        answer = ada.send("GET", path)
        validator("Review").validate(answer.get_json())
        seen.append(answer.get_json()["reviewed"])
        if answer.status_code == 200:
            break
        assert (answer.status_code, answer.headers["Retry-After"]) == (202, "1")
        work()
    told = answer.get_json()
    assert (told["status"], told["seat"], told["bot"]) == ("ready", 0, "strong")
    assert seen == sorted(set(seen)), "it grows with each job"
    assert [move["seq"] for move in told["moves"]] == [record.seq for record in own]
    assert told["reviewed"] == told["total"] == len(own) == len(told["moves"]) > 1
    for move in told["moves"]:
        assert sum(each["chosen"] for each in move["candidates"]) == 1
        assert len(move["candidates"]) <= 4
        assert not move["chosen"] or move["lost"] in (0, None)
        assert (move["chance"] is None) == (move["simulations"] == 0)
    assert any(move["simulations"] for move in told["moves"])
    assert bob.get(f"{path}?seat=0") == told
    assert bob.send("GET", f"{path}?seat=1").status_code == 202


def test_no_review_of_a_running_game(ada, bob):
    """Nor of a seat that does not exist."""
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    for one in (ada, bob):
        assert one.refused("GET", f"/v1/games/{game}/review") == (409, "game_running")
    assert ada.refused("GET", f"/v1/games/{game}/review?seat=0&bot=steady")[0] == 400


def test_no_review_of_a_seat_that_a_game_has_not(ada, ended):
    assert ada.send("GET", f"/v1/games/{ended}/review?seat=7").status_code in (403, 404)


def test_turning_points_are_the_greatest_changes():
    """Moves without simulations say nothing; three at the most."""
    chances = [0.5, None, 0.6, 0.2, 0.25, 0.95, 0.95, None, 0.9]
    moves = [ReviewedMove(seq, "", each, None, False, 0, []) for seq, each in enumerate(chances)]
    found = find_turning_points(moves)
    assert [(each.seq, each.before, each.after) for each in found] == [
        (5, 0.25, 0.95),
        (3, 0.6, 0.2),
        (2, 0.5, 0.6),
    ]
