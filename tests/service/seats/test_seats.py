"""Claims to seats: the log says which one holds, the others mean nothing."""

import threading
import uuid

import psycopg
import pytest

from service.base.people import Account
from tests.service.factories import GameRequest, join_all

pytestmark = pytest.mark.integration


def mine(api, game):
    return [seat["seat"] for seat in api.get(f"/v1/games/{game['id']}")["seats"] if seat["you"]]


def table(ada, hotseat=3):
    return ada.post("/v1/games", GameRequest(table=True, hotseat=hotseat), status=201)


def test_a_claim_that_no_event_names_holds_nothing(ada, bob, process):
    """Neither an open seat, nor one that another claim has won, nor the game."""
    game = table(ada)
    claim = str(uuid.uuid4())
    process.seat_claims.claim(claim, game["id"], Account(bob.me["id"], "Bob"), (-1, 0, 1))
    assert mine(bob, game) == []
    assert mine(ada, game) == [0]
    assert bob.refused("POST", f"/v1/games/{game['id']}/start") == (403, "not_a_player")
    bob.post(f"/v1/games/{game['id']}/join", {"seat": 2})
    assert mine(bob, game) == [2]


def test_a_join_that_failed_leaves_the_seat_free(ada, bob, process, monkeypatch):
    """The next to come gets it; and the one who failed too, if they are next."""
    game = table(ada)
    path = f"/v1/games/{game['id']}/join"

    def away(*_, **__):
        raise psycopg.OperationalError("the database is away")

    with monkeypatch.context() as patched:
        patched.setattr(process.games, "take_seat", away)
        assert bob.refused("POST", path, {"seat": 1}) == (503, "unavailable")
    assert mine(bob, game) == []
    other = bob.account("Cid")
    other.post(path, {"seat": 1})
    assert mine(other, game) == [1]
    assert mine(bob, game) == []


def test_a_creation_that_failed_is_made_by_its_repetition(ada, process, monkeypatch):
    """Nothing of the first attempt is in the way of the second."""
    body, key = GameRequest(table=True), str(uuid.uuid4())

    def away(*_, **__):
        raise psycopg.OperationalError("the database is away")

    with monkeypatch.context() as patched:
        patched.setattr("events.store.stream_writer.RECONNECT_DELAYS", (0.01,))
        patched.setattr(process.games.log, "append", away)
        assert ada.send("POST", "/v1/games", body, Idempotency_Key=key).status_code == 503
    made = ada.send("POST", "/v1/games", body, Idempotency_Key=key)
    assert made.status_code == 201
    assert mine(ada, made.get_json()) == [0]


def test_a_join_sent_many_times_at_once_takes_one_seat(ada, bob):
    """All are told of the same seat."""
    game = table(ada, hotseat=6)
    key = str(uuid.uuid4())
    answers = []

    def send():
        answers.append(bob.again().send("POST", f"/v1/games/{game['id']}/join", {}, Idempotency_Key=key))

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} == {200}
    assert len(mine(bob, game)) == 1


def test_a_command_without_its_seat_is_repeated_for_the_same_seat(ada):
    """Though by now it is another of my seats that could give it."""
    game = ada.post("/v1/games", GameRequest(), status=201)
    command = dict(ada.get(f"/v1/games/{game['id']}/decisions")["legal"][0]["command"])
    del command["seat"]
    key, path = str(uuid.uuid4()), f"/v1/games/{game['id']}/commands"
    first = ada.send("POST", path, command, Idempotency_Key=key)
    again = ada.send("POST", path, command, Idempotency_Key=key)
    assert first.status_code == again.status_code == 200
    assert first.get_json() == again.get_json()
    assert ada.get(f"/v1/games/{game['id']}")["seq"] == first.get_json()["seq"]


def test_my_games_are_those_where_the_log_seats_me(ada, bob, process):
    """Not those that I claimed in vain; those that I made for others, where I do not play, are too."""
    sits = join_all(ada, bob)
    claimed = table(ada)["id"]
    process.seat_claims.claim(str(uuid.uuid4()), claimed, Account(bob.me["id"], "Bob"), (-1, 0, 1))
    bots = bob.post("/v1/games", GameRequest(seats=[{"bot": "steady"}, {"open": True}]), status=201)["id"]
    bob.project()
    listed = {game["id"] for game in bob.get("/v1/games?mine=true&limit=100")["games"]}
    assert {sits, bots} <= listed
    assert claimed not in listed
    listed = {game["id"] for game in bob.get("/v1/games?mine=true&role=seat&limit=100")["games"]}
    assert sits in listed
    assert not {claimed, bots} & listed


def test_the_log_names_nobody(ada, process):
    """The id of a claim tells nothing of the account, and differs from game to game."""
    account, key = Account(ada.me["id"], "Ada"), "the same key"
    one, two = str(uuid.uuid4()), str(uuid.uuid4())
    claims = [process.seat_claims.derive_claim_id(account, game, key) for game in (one, one, two)]
    assert claims[0] == claims[1] != claims[2]
    with process.pool.connection() as connection:
        (key_kept,) = connection.execute("SELECT claim_key FROM es.service").fetchone()
    assert len(bytes(key_kept)) == 32
