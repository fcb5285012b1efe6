"""A game that reaches beyond a log that was lost: it says so, can be read, and nothing follows in it."""

import json

import psycopg
import pytest

from projections.read_models import timers, work_queue
from tests.service.factories import GameRequest, You
from tests.service.play.test_play import commands, first_move

pytestmark = pytest.mark.integration


@pytest.fixture
def freeze(owner, app):
    """``freeze(game, last)``: as the new log does that succeeds the lost one."""

    def run(game, last):
        with psycopg.connect(owner, autocommit=True) as connection:
            connection.execute(
                "INSERT INTO es.frozen (game_id, last, former) VALUES (%s, %s, 'old')", (game["id"], last)
            )
        app.extensions["rutter"].receipts._asked = float("-inf")  # what it knows may be a second old

    return run


@pytest.fixture
def game(ada, api):
    """A game of three seats of one account, which has moved once."""
    made = ada.post("/v1/games", GameRequest(seats=[You(), You(), You()]), status=201)
    ada.post(commands(made["id"]), first_move(ada, made["id"])[0])
    api.project()
    return ada.get(f"/v1/games/{made['id']}")


def test_nothing_follows_and_all_can_be_read(ada, api, game, freeze):
    """Every command is refused with one code and a sentence; views and lists tell how far a log vouches."""
    path = f"/v1/games/{game['id']}"
    move, _ = first_move(ada, game["id"])
    last = game["seq"] - 1
    assert "frozen" not in game
    freeze(game, last)
    for command in (move, {"type": "table_leave", "seat": 0}, {"type": "dance", "seat": 0}):
        refused = ada.post(commands(game["id"]), command, status=409)
        assert refused["code"] == "game_frozen"
        assert "begin another game" in refused["detail"]
    assert ada.get(f"{path}/receipt", status=409)["code"] == "game_frozen"
    shown = ada.get(path)
    assert (shown["seq"], shown["frozen"], shown["view"]) == (game["seq"], last, game["view"])
    listed = {one["id"]: one.get("frozen") for one in ada.get("/v1/games?mine=true")["games"]}
    assert listed[game["id"]] == last
    assert ada.get(f"{path}/events")["seq"] == game["seq"]


def test_its_bundle_has_what_a_log_vouches_for(ada, game, freeze):
    """As many events as the old log holds; where it holds none there is nothing to prove."""
    path = f"/v1/games/{game['id']}/audit"
    end = game["seq"] - 1
    freeze(game, end)
    header = json.loads(ada.send("GET", path).get_data().splitlines()[0])
    assert (header["events"], header["scope"]) == (end, "seat")


def test_a_game_that_no_log_held_has_no_bundle(ada, game, freeze):
    freeze(game, 0)
    assert ada.get(f"/v1/games/{game['id']}/audit", status=409)["code"] == "game_frozen"
    assert ada.get(f"/v1/games/{game['id']}")["frozen"] == 0


def test_nobody_is_sent_to_play_it(pool, api, game, freeze):
    """Bots, house and clocks pass it over: they would try for ever."""

    def waits():
        with pool.connection() as connection:
            return sum(count for _, _, count in connection.execute(work_queue.COUNT).fetchall())

    with pool.connection() as connection:
        connection.execute(
            "UPDATE lobby SET due = '2000-01-01', bot = 1, person = true WHERE game_id = %s", (game["id"],)
        )
    before = waits()
    assert before >= 1
    assert game["id"] in {one.game_id for one in timers.find_due_games(pool, "2001-01-01T00:00:00.000000Z")}
    freeze(game, 1)
    assert waits() == before - 1
    assert game["id"] not in {
        one.game_id for one in timers.find_due_games(pool, "2001-01-01T00:00:00.000000Z")
    }
