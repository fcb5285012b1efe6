"""A ladder: the server alone pairs it, by the ratings at a place of their export that it names."""

import pytest

from events.store.event_log import read_log_size
from projections import ratings
from tests.clock import Clock
from tests.service.organising import Event

pytestmark = pytest.mark.integration

HOUR = 3_600_000
POOL = "example.2.correspondence"
LEVELS = (20.0, 30.0, 21.0, 29.0)


@pytest.fixture
def clock(process, monkeypatch):
    """The time of games and tournaments, as long as the test runs."""
    clock = Clock(process.games.now())
    monkeypatch.setattr(process.games, "now", clock)
    monkeypatch.setattr(process.tournaments, "now", clock)
    return clock


def give_ratings(process, players):
    """Let games have been counted that gave the players their levels; the position up to which that is."""
    with process.pool.connection() as connection:
        for player, mu in zip(players, LEVELS, strict=True):
            connection.execute(
                "INSERT INTO rating (pool, subject, mu, sigma, games, at, shown_at)"
                " VALUES (%s, %s, %s, 5, 9, now(), now())",
                (POOL, ratings.get_subject(connection, player.me["id"]), mu),
            )
        size = read_log_size(connection)
        connection.execute("UPDATE rating_state SET position = %s, model = %s", (size, ratings.MODEL))
    return size


def test_the_server_pairs_a_ladder_by_ratings(process, olga, players, clock):
    """At the end of a period those who are about as strong meet; a director can neither pair nor rate."""
    event = Event(olga, players, stages=[{"format": "ladder", "period_ms": HOUR}], tie_breaks=["wins"])
    event.do("open_entry")
    for player in players:
        event.do("enter", by=player)
    event.do("close_entry")
    event.house()
    for player in players[:3]:
        event.do("ready", by=player)
    assert event.do("pair_round", status=409)["code"] == "not_allowed"
    refused = event.do("pair_round", ratings={"e1": 2000}, status=422)
    assert refused["code"] == "invalid_parameters"
    assert event.do("pair_by_ratings", position=1, status=422)["code"] == "unknown_command"
    event.do("ready", by=players[3])
    position = give_ratings(process, players)
    clock.wait(HOUR / 1000)
    event.house()
    tables = event.get("/rounds/1")["tables"]
    assert sorted(sorted(table["entrants"]) for table in tables) == [["e1", "e3"], ["e2", "e4"]]
    paired = next(one for one in event.get("/events?limit=1000")["events"] if one["type"] == "RoundPaired")
    assert paired["data"]["position"] == position
    assert paired["command"]["ratings"] == {"e1": 1300, "e2": 1700, "e3": 1340, "e4": 1660}
