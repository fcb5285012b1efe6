"""Engines that an operator has listed: offered where they play; where it counts only those that promise."""

import pytest

from events.rules.bot_names import BOTS, ENGINE
from ops.server.wsgi import create_app
from tests.service.client import Api
from tests.workers.engines import listing, script, with_moves
from tests.workers.test_engines import GOOD

pytestmark = pytest.mark.integration
FREE, SURE = f"{ENGINE}free", f"{ENGINE}sure"


@pytest.fixture
def api(settings, tmp_path, monkeypatch):
    """An account of a service that lists two engines of one title, one of which is reproducible."""
    entries = [script(tmp_path, "free", GOOD), script(tmp_path, "sure", GOOD, **with_moves("sure"))]
    listing(tmp_path, monkeypatch, *entries)
    app = create_app(settings)
    yield Api(app).account("Ada")
    app.extensions["rutter"].close()


def made(api, engine, *, title="example", status=201, **more):
    """What is answered to those who make a game with that engine."""
    body = {"title": title, "seats": [{"you": True}, {"bot": engine}], **more}
    return api.post("/v1/games", body, status=status)


def test_they_stand_beside_the_bots(api):
    """Of each title those that play it, and in the description all of them."""
    offered = {title["id"]: title["bots"] for title in api.get("/v1/titles")["titles"]}
    assert offered["example"] == [*BOTS, FREE, SURE]
    assert offered["colonies"] == list(BOTS)
    assert api.get("/v1/titles/example")["bots"] == [*BOTS, FREE, SURE]
    schemas = api.get("/openapi.json")["components"]["schemas"]
    seats = [
        form["properties"]["bot"] for form in schemas["SeatWish"]["oneOf"] if "bot" in form["properties"]
    ]
    assert [seat["enum"] for seat in seats] == [[*BOTS, FREE, SURE]]
    assert schemas["table.TableSeat"]["properties"]["bot"]["anyOf"][0] == {"enum": [*BOTS, FREE, SURE]}


def test_one_sits_down_where_it_plays(api):
    """Under its name, which is told to everybody; at another title there is no such bot."""
    assert [seat.get("bot") for seat in made(api, SURE)["seats"]] == [None, SURE]
    refused = made(api, SURE, title="colonial", status=422)
    assert SURE not in refused["errors"]["seats"]["1"]["bot"][0]
    made(api, f"{ENGINE}unknown", status=422)


def test_who_promises_nothing_sits_at_no_table_that_counts(api):
    """At creation, and where a director seats it; at an unrated table, and for analysis, it may."""
    assert made(api, FREE, status=409)["code"] == "not_reproducible"
    assert made(api, FREE, status=409, rated=True)["code"] == "not_reproducible"
    assert made(api, FREE, rated=False)["seats"][1]["bot"] == FREE
    assert made(api, FREE, visibility="private")["seats"][1]["bot"] == FREE
    assert made(api, FREE, seed="00" * 16)["seats"][1]["bot"] == FREE


@pytest.mark.parametrize(
    ("rated", "engine", "status"), [(True, FREE, 409), (False, FREE, 200), (True, SURE, 200)]
)
def test_a_director_seats_one(api, rated, engine, status):
    """By the same rule."""
    body = {"title": "example", "seats": [{"open": True}, {"open": True}], "rated": rated}
    game = api.post("/v1/games", body, status=201)["id"]
    command = {"type": "table_seat", "seat": 1, "bot": engine}
    told = api.post(f"/v1/games/{game}/commands", command, status=status)
    if status == 409:
        assert told["code"] == "not_reproducible"
    else:
        assert api.get(f"/v1/games/{game}")["seats"][1]["bot"] == engine


def test_another_title_s_engine_is_not_seated(api):
    """Though its name could be one."""
    game = api.post("/v1/games", {"title": "colonial", "seats": [{"open": True}] * 2}, status=201)["id"]
    command = {"type": "table_seat", "seat": 1, "bot": SURE}
    told = api.post(f"/v1/games/{game}/commands", command, status=422)
    assert SURE not in told["errors"]["bot"][0]


def test_a_fork_may_be_played_against_it(api):
    """An analysis game counts for nothing."""
    game = made(api, "random")["id"]
    fork = api.post(f"/v1/games/{game}/forks", {"seats": [{"you": True}, {"bot": FREE}]}, status=201)
    assert fork["seats"][1]["bot"] == FREE
