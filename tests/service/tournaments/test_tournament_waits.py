"""What directors are told of a tournament that waits for them, and what keeps it from waiting."""

from __future__ import annotations

import pytest

from tests.service.organising import Event

pytestmark = pytest.mark.integration


def kinds(event):
    """What the tournament waits for, as its page reads it."""
    return [(one["kind"], one["round"], one["command"]) for one in event.get()["waits_for"]]


def told(who, event):
    """What *who* was told that the tournament waits for, in its order."""
    return [
        (one["kind"], one.get("round"))
        for notice in who.get("/v1/me/notices?limit=200")["notices"]
        if notice["type"] == "tournament.waiting" and notice["tournament"] == event.id
        for one in notice["data"]["waits_for"]
    ]


def test_directors_are_told_what_waits_for_them(olga, players):
    event = Event(olga, players, schedule={"round": "manual"})
    assert kinds(event) == [("open_entry", None, "open_entry")]
    event.do("open_entry")
    assert kinds(event) == [("close_entry", None, "close_entry")]
    for player in players:
        event.do("enter", by=player)
    event.do("close_entry")
    event.house()
    assert kinds(event) == [("pair_round", 1, "pair_round")]
    event.do("pair_round")
    assert kinds(event) == [("start_round", 1, "start_round")]
    event.house()
    event.do("start_round")
    event.house()
    assert kinds(event) == []
    first, second = event.tables()
    event.do("rule", kind="technical", effects=[{"end_game": {"game": first["game"]}}])
    event.house()
    event.play(second)
    event.house()
    assert kinds(event) == [("result", 1, "rule")]
    assert event.get()["waits_for"][0]["table"] == first["table"]
    places = {"table": first["table"], "round": 1, "places": [1, 2]}
    event.do("rule", kind="result", effects=[{"result": places}])
    event.house()
    assert kinds(event) == [("pair_round", 2, "pair_round")]
    assert told(olga, event) == [
        ("pair_round", 1), ("start_round", 1), ("result", 1), ("pair_round", 2)
    ]  # fmt: skip
    assert told(players[0], event) == []
    past = event.get("?at=2")
    assert [one["kind"] for one in past["waits_for"]] == ["close_entry"], "of then, not of now"


def test_a_step_that_the_rules_refuse_is_told_once(olga, players, clock):
    """The server was to pair, and there is no plan: it says so, and what it waits for."""
    settings = {"table": {"size": 2, "least": 2}, "stages": [{"format": "knockout", "advance": 0}]}
    event = Event(olga, players, **settings)
    event.do("open_entry")
    for player in players[:4]:
        event.do("enter", by=player)
    event.do("close_entry")
    clock.wait(24 * 3600)
    event.house()
    clock.wait(120)
    event.house()
    assert kinds(event) == [("server", 1, "pair_round")]
    assert told(olga, event) == [("server", 1)]


def test_who_leaves_a_table_of_two_forfeits(olga, players):
    """A bot plays on, so that the game comes to its end, where the leaver is last."""
    event = Event(olga, players[:2], stages=[{"format": "swiss_pods", "rounds": 1}])
    assert event.get()["settings"]["absence"]["least_people"] == 1
    event.begin()
    [table] = event.tables()
    event.do("withdraw", by=players[0])
    event.house()
    game = olga.get(f"/v1/games/{table['game']}")
    assert game["status"] == "running"
    [left] = [seat for seat, name in enumerate(table["holders"]) if name == "e1"]
    assert game["seats"][left]["bot"] == "steady"
    assert kinds(event) == []


def test_least_people_is_chosen_with_the_table(olga):
    def settings(**more):
        return olga.post("/v1/tournaments", {**body, **more}, status=201)

    body = {
        "title": "colonies",
        "table": {"size": 4, "least": 3},
        "stages": [{"format": "swiss_pods", "rounds": 1}],
    }
    assert settings()["settings"]["absence"] is None
    body = {**body, "title": "example", "table": {"size": 2, "least": 2}}
    assert settings(absence={"least_people": 2})["settings"]["absence"]["least_people"] == 2
    made = settings(absence={"then": "open"})
    assert made["settings"]["absence"]["least_people"] == 1
    give = f"/v1/tournaments/{made['id']}/commands"
    olga.post(give, {"type": "change_settings", "changes": {"absence": {"then": "end"}}})
    changed = olga.get(f"/v1/tournaments/{made['id']}")["settings"]["absence"]
    assert (changed["then"], changed["least_people"]) == ("end", 1)
