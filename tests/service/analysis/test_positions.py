"""Whole positions: of games that have no secrets left, and back into a new game."""

import jsonschema
import pytest

from events.rules.catalogue import find_title, title_ids
from tests.playing import advance, play_to_the_end, three_or_so
from tests.service.factories import TITLE, GameRequest, You, join_all

pytestmark = pytest.mark.integration


def position(api, game_id, query=""):
    return api.get(f"/v1/games/{game_id}/position{query}")


def begin_from(api, told):
    """A game from a position, made of what the answer says and nothing else."""
    named = {name: told[name] for name in ("title", "version", "options", "position")}
    return api.post("/v1/games", {**named, "seats": [{"you": True}] * told["seats"]}, status=201)


@pytest.mark.parametrize("title_id", title_ids())
def test_a_position_comes_back(ada, games, title_id):
    """Amid a game of any title: the game that begins from a position has that position."""
    request = GameRequest(title=title_id, seats=[You()] * three_or_so(title_id), seed="0a")
    game = ada.post("/v1/games", request, status=201)
    advance(games, games.load(game["id"]), 5 if title_id == "example" else 20)  # the example is soon over
    told = position(ada, game["id"])
    game = games.load(game["id"])
    assert game.title.from_position(told["position"]) == game.state
    again = begin_from(ada, told)
    assert again["analysis"]
    assert position(ada, again["id"])["position"] == told["position"]


def test_an_ended_game_tells_everybody(api, ada, games):
    """Its position at the end, and after any event: amid a command that after the whole of it.

    A game can begin from one that leaves something to play.
    """
    game = ada.post("/v1/games", GameRequest(title="example", hotseat=2), status=201)
    path = f"/v1/games/{game['id']}/position"
    assert ada.refused("GET", path) == (409, "game_running")
    play_to_the_end(games, games.load(game["id"]))
    ended = position(api, game["id"])
    assert ended["seq"] == games.load(game["id"]).seq
    records = games.records(game["id"])
    last_of = {r.command_id: r.seq for r in records}
    for record in records:
        if games.load(game["id"], last_of[record.command_id]).state is None:
            assert api.refused("GET", f"{path}?at={record.seq}") == (409, "game_not_running")
            continue
        told = position(api, game["id"], f"?at={record.seq}")
        assert told["seq"] == last_of[record.command_id]
    over = {
        **{name: ended[name] for name in ("title", "version", "options", "position")},
        "seats": [You()] * 2,
    }
    assert ada.refused("POST", "/v1/games", over) == (422, "game_over")
    half = position(api, game["id"], f"?at={ended['seq'] // 2}")
    assert begin_from(ada, half)["status"] == "running"
    assert api.refused("GET", f"{path}?at={ended['seq'] + 1}") == (404, "no_such_event")
    answer = api.send("GET", path)
    assert api.send("GET", path, If_None_Match=answer.headers["ETag"]).status_code == 304


def test_a_running_game_tells_nobody_what_they_may_not_know(api, ada):
    """Neither a player of an ordinary game, nor one of several people at an analysis game, nor strangers."""
    bob = api.account("Bob")
    path = f"/v1/games/{join_all(ada, bob)}/position"
    assert {who.refused("GET", path) for who in (api, ada, bob)} == {(409, "game_running")}
    shared = ada.post("/v1/games", GameRequest(seats=[You(), {"open": True}], seed="0b"), status=201)
    path = f"/v1/games/{shared['id']}/position"
    assert ada.refused("GET", path) == (409, "game_not_running")
    bob.post(f"/v1/games/{shared['id']}/join", {})
    assert {who.refused("GET", path) for who in (api, ada, bob)} == {(409, "game_running")}
    alone = ada.post("/v1/games", GameRequest(seats=[You(), {"bot": "steady"}], seed="0c"), status=201)
    path = f"/v1/games/{alone['id']}/position"
    assert {who.refused("GET", path) for who in (api, bob)} == {(409, "game_running")}
    assert ada.get(path)["seats"] == 2


def test_the_example_in_the_description_can_be_sent(api, ada):
    """It is a real answer, as described, and begins a game."""
    description = api.get("/openapi.json")
    schema = description["components"]["schemas"]["PositionTold"]
    (example,) = schema["examples"]
    jsonschema.validate(
        example, {**schema, "components": description["components"]}, cls=jsonschema.Draft202012Validator
    )
    game = begin_from(ada, example)
    assert position(ada, game["id"])["position"] == example["position"]


def test_only_a_position_asks_for_another_version(ada):
    """New games begin under the newest version; versions that there are not are refused by name."""
    newest = find_title(TITLE).version
    assert ada.post("/v1/games", {**GameRequest(), "version": newest}, status=201)["version"] == newest
    assert ada.refused("POST", "/v1/games", {**GameRequest(), "version": 7}) == (422, "invalid_parameters")


def test_a_position_of_great_size_is_refused_at_once(ada):
    """A quarter of a megabyte of one card: refused by name, before anything is computed from it."""
    game = ada.post("/v1/games", GameRequest(seats=[You(), {"bot": "steady"}], seed="0d"), status=201)
    told = position(ada, game["id"])
    hand = [["event_privateering"] * 9_000, *told["position"]["hand"][1:]]
    wish = {name: told[name] for name in ("title", "version", "options")}
    great = {**wish, "position": {**told["position"], "hand": hand}, "seats": [You(), You()]}
    assert ada.refused("POST", "/v1/games", great) == (409, "invalid_position")
