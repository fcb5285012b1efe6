"""`decisions=true`: an answer to a command says what comes next, so that one call a move is enough."""

import pytest

from ops.database.distribution import Distribution
from tests.cluster_sql import list_asking_all, record_statements
from tests.service.factories import GameRequest, Open, You, join_all
from tests.service.play.test_at_table import path

pytestmark = pytest.mark.integration


def act(api, game, body, **more):
    return api.post(path(game, "/commands?decisions=true"), body, **more)


def test_a_game_is_played_with_one_call_a_move(ada, bob):
    """Both seats play to the end by what the answers say; each is what `GET .../decisions` says as well."""
    game = join_all(ada, bob, title="example")
    asked, moves = ada.get(path(game, "/decisions")), 0
    while asked["decisions"]:
        seat = next(one["seat"] for one in asked["decisions"] if not one["free"])
        one = (ada, bob)[seat]
        if not any(entry["seat"] == seat for entry in asked["legal"]):
            asked = one.get(path(game, "/decisions"))  # the other's turn: their own answer has said so
        told = act(one, game, asked["legal"][0]["command"])
        moves += 1
        same = ("title", "decisions", "legal", "replaceable", "complete", "undo")
        asked = {"seq": told["decisions_seq"]} | {name: told[name] for name in same}
        assert asked == one.get(path(game, "/decisions"))
        assert all(entry["seat"] == seat for entry in asked["legal"])
    assert moves > 8
    assert ada.get(path(game))["status"] == "finished"


def test_a_move_asks_only_the_machine_of_its_game(ada, bob):
    """Nor do a look at the game and at its decisions: on a cluster each machine costs something."""
    game = join_all(ada, bob, title="example")
    asked = ada.get(path(game, "/decisions"))
    one = (ada, bob)[asked["decisions"][0]["seat"]]
    legal = one.get(path(game, "/decisions"))["legal"]
    with record_statements() as statements:
        act(one, game, legal[0]["command"])
        one.get(path(game))
        one.get(path(game, "/decisions"))
    assert any("INSERT INTO es.event" in text for text in statements)
    assert list_asking_all(statements, Distribution.load()) == []


def test_it_tells_a_seat_what_it_may_know_and_no_more(api, ada, bob, games):
    """Only the seat that acted has a list; it says which seat acts where one holds several; a token that may
    not read is refused before anything is done; without the parameter nothing is added.
    """
    mine = ada.post("/v1/games", GameRequest(hotseat=3), status=201)["id"]
    first = ada.get(path(mine, "/decisions"))["legal"][0]
    told = act(ada, mine, first["command"])
    assert {one["seat"] for one in told["legal"]} <= {first["seat"]}
    assert all("seat" in one["command"] for one in told["legal"])
    second = ada.get(path(mine, "/decisions"))["legal"][0]["command"]
    assert not {"decisions", "legal", "replaceable", "complete"} & set(
        ada.post(path(mine, "/commands"), second)
    )
    player = ada.again()
    wish = {"label": "plays", "scopes": ["game:play"]}
    player.token = ada.post("/v1/me/tokens", wish, status=201)["token"]
    before = games.load(mine).seq
    body = ada.get(path(mine, "/decisions"))["legal"][0]["command"]
    assert player.refused("POST", path(mine, "/commands?decisions=true"), body) == (403, "missing_scope")
    assert games.load(mine).seq == before
    assert player.refused("POST", path(mine, "/commands?decisions=1"), body) == (400, "invalid_parameters")


def test_who_leaves_is_told_nothing_more(ada, bob):
    """Neither of a game that goes on without them nor of a private one that they may know of no more."""
    game = join_all(ada, bob, title="example")
    told = act(bob, game, {"type": "table_leave"})
    assert told["legal"] == []
    private = ada.post(
        "/v1/games", GameRequest(seats=[You(), Open(), Open()], visibility="private"), status=201
    )["id"]
    made = ada.post(path(private, "/invitations"), {}, status=201)
    bob.post(path(private, "/join"), {"invitation": made["invitation"]})
    assert "legal" not in act(bob, private, {"type": "table_leave"})
    assert bob.refused("GET", path(private)) == (404, "unknown_game")


def test_a_repetition_tells_what_comes_next_now(ada):
    """The events are those of the first time; what the game waits for is asked again."""
    game = ada.post("/v1/games", GameRequest(title="example", hotseat=2), status=201)["id"]
    body = ada.get(path(game, "/decisions"))["legal"][0]["command"]
    first = act(ada, game, body, Idempotency_Key="k")
    other = ada.get(path(game, "/decisions"))["legal"][0]["command"]
    ada.post(path(game, "/commands"), other)
    again = act(ada, game, body, Idempotency_Key="k")
    assert (again["seq"], again["events"]) == (first["seq"], first["events"])
    assert again["decisions_seq"] > first["decisions_seq"]
