"""Bots that think sit down only as far as their workers can follow."""

import re
from dataclasses import replace

import pytest

from ops.server.wsgi import create_app
from projections.health import process_registry
from service.base.settings import Settings
from tests.service.client import Api

pytestmark = pytest.mark.integration
STRONG, STEADY, YOU = {"bot": "strong"}, {"bot": "steady"}, {"you": True}


@pytest.fixture
def crowded(settings, pool):
    """An account where three seats may wait for each worker that thinks; nobody plays there."""
    app = create_app(replace(settings, thinking_seats=3))
    yield Api(app).account()
    app.extensions["rutter"].close()
    with pool.connection() as connection:
        connection.execute("DELETE FROM lobby")
        connection.execute("DELETE FROM es.alive")


def table(*seats):
    return {"title": "colonies", "seats": list(seats)}


def fill(api):
    """Tables of bots that think until no more may wait: at each one is asked first, no matter which."""
    while api.send("POST", "/v1/games", table(STRONG, STRONG, STRONG)).status_code == 201:
        pass


def test_beyond_capacity_it_says_what_to_do(crowded):
    """A stable code, a sentence, when to come again; bots that answer at once take seats as ever."""
    fill(crowded)
    for name in ("strong", "brisk"):
        answer = crowded.send("POST", "/v1/games", table(YOU, {"bot": name}, STEADY))
        assert (answer.status_code, answer.get_json()["code"]) == (503, "thinkers_busy")
        assert answer.headers["Retry-After"] == "60"
        assert "thinking bots (`brisk` and `strong`) are busy" in answer.get_json()["detail"]
        waits = int(re.search(r"(\d+) seats wait, 3 may", answer.get_json()["detail"])[1])
        assert f"would wait {5 * waits} seconds for a move. Choose `steady`" in answer.get_json()["detail"]
    crowded.post("/v1/games", table(YOU, STEADY, STEADY), status=201)


def test_a_table_with_more_bots_than_workers_serve_is_refused(crowded):
    """At once, though nobody waits yet; with one fewer it begins."""
    answer = crowded.send("POST", "/v1/games", table(STRONG, STRONG, STRONG, STRONG))
    assert (answer.status_code, answer.get_json()["code"]) == (503, "thinkers_busy")
    assert "4 seats for thinking bots, and the workers serve 3. Choose" in answer.get_json()["detail"]
    crowded.post("/v1/games", table(STRONG, STRONG, STRONG), status=201)


def test_more_workers_have_more_room(crowded, pool):
    """Each that is alive; workers for other things do not count."""
    fill(crowded)
    for duty in ("ai", "house", "think"):
        process_registry.report_alive(pool, f"{duty} 1", duty)
    refused = (503, "thinkers_busy")
    assert crowded.refused("POST", "/v1/games", table(STRONG, STEADY, STEADY)) == refused
    for number in range(5):
        process_registry.report_alive(pool, f"think {number}", "think")
    crowded.post("/v1/games", table(STRONG, STEADY, STEADY), status=201)


def test_what_was_made_is_answered_again(crowded):
    """A request that was carried out before there were too many is not refused now."""
    body = table(STRONG, STEADY, STEADY)
    first = crowded.post("/v1/games", body, status=201, Idempotency_Key="again")
    fill(crowded)
    assert crowded.post("/v1/games", body, status=201, Idempotency_Key="again")["id"] == first["id"]


def test_forks_and_directors_find_no_more_room_either(crowded):
    """A course of one's own with bots that think, and one put on a seat."""
    game = crowded.post("/v1/games", table(YOU, STEADY, STEADY), status=201)["id"]
    waiting = crowded.post("/v1/games", table(YOU, {"open": True}, {"open": True}), status=201)["id"]
    fill(crowded)
    fork = {"seats": [STRONG, STEADY, STEADY]}
    assert crowded.refused("POST", f"/v1/games/{game}/forks", fork) == (503, "thinkers_busy")
    seat = {"type": "table_seat", "seat": 1, "bot": "strong"}
    where = f"/v1/games/{waiting}/commands"
    assert crowded.refused("POST", where, seat) == (503, "thinkers_busy")
    crowded.post(where, {**seat, "bot": "steady"})


def test_any_number_where_nobody_counts(settings, pool):
    """0 lifts the bound; the environment names it."""
    app = create_app(replace(settings, thinking_seats=0))
    api = Api(app).account()
    for _ in range(3):
        api.post("/v1/games", table(STRONG, STRONG, STRONG), status=201)
    app.extensions["rutter"].close()
    assert Settings.from_environment({"RUTTER_THINKING_SEATS": "7"}).thinking_seats == 7
    assert Settings.from_environment({}).thinking_seats == Settings("").thinking_seats > 0
