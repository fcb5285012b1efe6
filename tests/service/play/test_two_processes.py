"""Two processes serve one game, and neither hears of what the other appends: the log tells them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ops.server.wsgi import create_app
from tests.service.client import Api
from tests.service.factories import GameRequest, Open, You, join_all

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def processes(settings):
    """Two applications on one database, without Redis."""
    apps = [create_app(replace(settings, redis_url=None)) for _ in range(2)]
    yield apps
    for app in apps:
        app.extensions["rutter"].close()


@pytest.fixture
def pairs(processes):
    """Two accounts, Ada and Bob, at each of the processes."""
    people = [Api(processes[0]).account(name) for name in ("Ada", "Bob")]
    return [[Api(app, one.token, one.me) for one in people] for app in processes]


def remembered(api, game_id):
    """After which event the process of *api* remembers the game."""
    return api.app.extensions["rutter"].games.replay.find_cached(game_id).seq


def turn_of(pair, game_id):
    """The player to move, by their place in the pair, and a command that they may give."""
    for who, api in enumerate(pair):
        legal = api.get(f"/v1/games/{game_id}/decisions")["legal"]
        if legal:
            return who, legal[0]["command"]
    raise AssertionError("nobody has a turn")


def test_a_command_is_decided_on_the_newest_state(pairs):
    """Each process in turn is given a command that is legal only by what the other has appended."""
    game_id = join_all(*pairs[0])
    assert pairs[1][0].get(f"/v1/games/{game_id}")["seq"] == remembered(pairs[1][0], game_id)
    ahead, behind = pairs
    for _ in range(6):
        who, command = turn_of(ahead, game_id)
        newest = ahead[who].post(f"/v1/games/{game_id}/commands", command)["seq"]
        who, command = turn_of(ahead, game_id)
        assert remembered(behind[0], game_id) < newest
        happened = behind[who].post(f"/v1/games/{game_id}/commands", command)
        assert [event["seq"] for event in happened["events"]] == [*range(newest + 1, happened["seq"] + 1)]
        assert remembered(behind[0], game_id) == happened["seq"]
        ahead, behind = behind, ahead


def test_a_refusal_tells_of_the_newest_state(pairs):
    """What was right when this process looked last is refused as every other process refuses it."""
    game_id = join_all(*pairs[0])
    ahead, behind = pairs
    who, command = turn_of(behind, game_id)
    ahead[who].post(f"/v1/games/{game_id}/commands", command)
    path = f"/v1/games/{game_id}/commands"
    refused = behind[who].send("POST", path, command)
    assert refused.status_code == 409
    assert refused.get_json()["code"] == ahead[who].send("POST", path, command).get_json()["code"]


def test_who_sat_down_elsewhere_in_a_private_game_plays_here(pairs):
    """The process that remembers the game without them asks the log before it says that there is none."""
    (ada, bob), (ada_there, bob_there) = pairs
    request = GameRequest(seats=[You(), Open()], visibility="private")
    game_id = ada.post("/v1/games", request, status=201)["id"]
    path = f"/v1/games/{game_id}"
    letter = ada.post(f"{path}/invitations", {}, status=201)["invitation"]
    assert ada_there.get(path)["status"] == "open"
    assert bob.post(f"{path}/join", {"invitation": letter})["status"] == "running"
    who, command = turn_of((ada, bob), game_id)
    if who == 0:
        ada.post(f"{path}/commands", command)
        who, command = turn_of((ada, bob), game_id)
    assert remembered(ada_there, game_id) < ada.get(path)["seq"]
    assert (ada_there, bob_there)[who].post(f"{path}/commands", command)["events"]
