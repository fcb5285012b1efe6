"""Making and joining games over the API with contributions, invitations, directors and beacons."""

from __future__ import annotations

import base64
import hashlib
import json
import uuid
from dataclasses import replace

import pytest

from events.proof.beacon import QUICKNET
from events.proof.randomness import commit
from events.store.games import new_id
from events.verify import verify
from ops.server.wsgi import create_app
from tests.contributing import Contribution
from tests.service.client import Api
from tests.service.factories import Bot, GameRequest, Open, You

pytestmark = pytest.mark.integration
BEACON = {"chain": QUICKNET, "after": 30}


def contributing(ada, *others, **more):
    """A game that *ada* makes with a commitment at seat 0, and their contribution."""
    gift, game_id = Contribution(), new_id()
    mine = {"you": True, "commitment": gift.commitment(game_id, 0)}
    body = GameRequest(id=game_id, seats=[mine, *others], **more)
    return ada.post("/v1/games", body, status=201), gift


def path(game, what=""):
    return f"/v1/games/{game['id']}{what}"


def types(api, game):
    return [event["type"] for event in api.get(path(game, "/events"))["events"]]


def audit(api, game):
    """The bundle's verdict."""
    answer = api.send("GET", path(game, "/audit"))
    return verify(answer.data.splitlines(keepends=True))


def named(account, salt, origin):
    told = json.dumps({"account": account, "origin": origin}, separators=(",", ":"))
    return base64.b64encode(
        hashlib.sha256(b"bg/who/1\0" + bytes.fromhex(salt) + told.encode()).digest()
    ).decode()


def origin(api):
    return api.get("/v1/keys")["origin"]


def test_a_maker_who_commits_reveals_before_the_game_begins(ada):
    """The creation holds the commitment; the game waits, and begins in the request that completes it."""
    game, gift = contributing(ada, Bot())
    assert types(ada, game) == ["TableOpened", "SeatTaken", "SeatCommitted", "SeatTaken"]
    assert game["status"] == "open"
    assert game["opening"]["committed"] == [0]
    assert game["opening"]["key"] is None, "the id stands for itself"
    begun = ada.post(path(game, "/reveal"), gift.reveal(0))
    assert (begun["status"], begun["opening"]) == ("running", None)
    assert types(ada, game)[4:6] == ["SeatRevealed", "TableBegun"]


def test_who_begins_a_game_waits_for_a_drop_box_that_does_not_answer(ada, clock, process, monkeypatch):
    """A reveal may lie there: the game does not begin without it, while others wait for the witness."""
    game, gift = contributing(ada, Bot())
    monkeypatch.setattr(process.drop_boxes, "_urls", ("http://127.0.0.1:1",))
    clock.wait(61)
    assert ada.refused("POST", path(game, "/start")) == (409, "reveals_open")
    monkeypatch.setattr(process.drop_boxes, "_urls", ())
    assert ada.post(path(game, "/start"))["status"] == "running"
    assert gift.secret.hex() not in json.dumps(ada.get(path(game, "/events")))


def test_everybody_contributes(ada, bob):
    """Two people and their commitments: the second reveal begins the game."""
    game, mine = contributing(ada, Open())
    theirs = Contribution()
    joined = bob.post(path(game, "/join"), {"commitment": theirs.commitment(game["id"], 1)})
    assert (joined["status"], joined["opening"]["committed"]) == ("open", [0, 1])
    assert ada.post(path(game, "/reveal"), mine.reveal(0))["opening"]["revealed"] == [0]
    assert bob.post(path(game, "/reveal"), theirs.reveal(1))["status"] == "running"


def test_an_id_is_for_one_request(ada, bob, api):
    """The same request again is the same game; another one, or another account's, is refused."""
    body = GameRequest(id=new_id(), table=True)
    first = ada.send("POST", "/v1/games", body)
    again = ada.send("POST", "/v1/games", body)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.get_json() == again.get_json()
    key = {"Idempotency_Key": str(uuid.uuid4())}
    assert ada.send("POST", "/v1/games", body, **key).get_json()["id"] == body["id"]
    other = {**body, "seats": [You(), Bot()]}
    assert ada.refused("POST", "/v1/games", other) == (409, "game_known")
    assert ada.refused("POST", "/v1/games", other, **key) == (409, "idempotency_key_reused")
    assert bob.refused("POST", "/v1/games", body) == (409, "game_known")
    taken = ada.post("/v1/games", GameRequest(table=True), status=201)["id"]
    assert ada.refused("POST", "/v1/games", GameRequest(id=taken)) == (409, "game_known")


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"id": str(uuid.UUID(int=7))}, 422, "invalid_parameters"),
        ({"id": "ffffffff-ffff-7000-8000-000000000000"}, 409, "id_in_future"),
        ({"seats": [{"you": True, "commitment": "00" * 32}, {"open": True}]}, 409, "id_required"),
        ({"seats": [{"you": True, "commitment": "00"}, {"open": True}]}, 422, "invalid_parameters"),
        ({"seats": [{"open": True, "commitment": "00" * 32}, {"you": True}]}, 422, "invalid_parameters"),
        ({"contributions": "some"}, 422, "invalid_parameters"),
        ({"contributions": "required"}, 422, "commitment_required"),
        ({"reveal_by_ms": 59_999}, 422, "invalid_parameters"),
        ({"director_commitment": "ab"}, 422, "invalid_parameters"),
        ({"director_commitment": "ab" * 32, "seed": "00"}, 409, "invalid_terms"),
        ({"beacon": BEACON}, 422, "invalid_parameters"),
        ({"invited": ["x", None]}, 422, "invalid_parameters"),
        ({"invited": [None, None, "A" * 43 + "="]}, 409, "invalid_terms"),
        ({"invited": ["A" * 43 + "=", None]}, 409, "invalid_terms"),
        ({"undo": "all"}, 422, "invalid_parameters"),
        ({"talk": "loud"}, 422, "invalid_parameters"),
    ],
)
def test_what_a_table_cannot_be_is_refused(ada, change, status, code):
    body = GameRequest(table=True, hotseat=2) | change
    assert ada.refused("POST", "/v1/games", body) == (status, code)


def test_a_beacon_is_taken_where_one_is_to_be_had(settings):
    """And the description says which it is."""
    app = create_app(replace(settings, beacon_url="http://127.0.0.1:9"))
    api = Api(app)
    try:
        game = api.account().post("/v1/games", GameRequest(seats=[You(), You()], beacon=BEACON), status=201)
        assert (game["status"], game["opening"]["closed"]) == ("open", True)
        assert game["opening"]["beacon"] == BEACON
        assert game["opening"]["due"] > game["created_at"]
    finally:
        app.extensions["rutter"].close()


def test_a_seed_is_told_again(ada):
    """The request sent again gets the same `repeat`, which stands nowhere in the log."""
    key = {"Idempotency_Key": str(uuid.uuid4())}
    body = GameRequest(analysis=True)
    first, again = (ada.send("POST", "/v1/games", body, **key).get_json() for _ in range(2))
    assert first["repeat"] == again["repeat"]
    seed, _, salt = first["repeat"].partition(".")
    assert seed == base64.urlsafe_b64encode(bytes.fromhex(body["seed"])).decode().rstrip("=")
    assert salt not in ada.send("GET", path(first, "/events?limit=1000")).text
    same = ada.post("/v1/games", {**body, "seed": None, "repeat": first["repeat"]}, status=201)
    other = ada.post("/v1/games", body, status=201)
    opened = [ada.get(path(game, "/events?limit=1"))["events"][0]["data"] for game in (first, same, other)]
    assert opened[0]["key"] == opened[1]["key"] != opened[2]["key"]
    assert opened[0]["chance"]["s_0"] == opened[1]["chance"]["s_0"] != opened[2]["chance"]["s_0"]


def test_the_log_names_nobody_and_who_sat_can_prove_it(ada, bob):
    """The answer to joining holds what makes `who` out of my account; others get nothing of it."""
    game = ada.post("/v1/games", GameRequest(table=True, hotseat=3), status=201)
    key = {"Idempotency_Key": str(uuid.uuid4())}
    joined, again = (bob.send("POST", path(game, "/join"), {}, **key).get_json() for _ in range(2))
    assert (joined["who"], joined["salt"]) == (again["who"], again["salt"])
    assert joined["who"] == named(bob.me["id"], joined["salt"], origin(bob))
    taken = ada.get(path(game, "/events"))["events"][-1]
    assert (taken["type"], taken["data"]["who"]) == ("SeatTaken", joined["who"])
    text = ada.send("GET", path(game, "/events")).text
    assert bob.me["id"] not in text
    assert joined["salt"] not in text
    roster = ada.get(path(game, "/roster"))["seats"]
    assert [seat["seat"] for seat in roster] == [0]
    assert roster[0]["who"] == named(ada.me["id"], roster[0]["salt"], origin(ada))
    assert ada.account("Eve").refused("GET", path(game, "/roster")) == (403, "not_a_player")


def test_an_invited_seat_is_for_one_account(ada, bob, api):
    """The maker of the table makes salt and name; only that account can sit there, with that salt."""
    eve, salt = api.account("Eve"), "5a" * 16
    kept = named(bob.me["id"], salt, origin(api))
    game = ada.post("/v1/games", GameRequest(table=True, hotseat=3, invited=[None, None, kept]), status=201)
    assert game["opening"]["invited"] == [None, None, kept]
    join = path(game, "/join")
    for one, body in ((eve, {}), (eve, {"salt": salt}), (bob, {}), (bob, {"salt": "00" * 16})):
        assert one.refused("POST", join, {**body, "seat": 2}) == (403, "not_invited")
    assert eve.post(join, {})["seats"][1]["you"], "the lowest seat that is open to them"
    assert api.account("Cid").refused("POST", join, {}) == (403, "not_invited")
    joined = bob.post(join, {"salt": salt})
    assert joined["seats"][2]["you"]
    assert (joined["who"], joined["salt"]) == (kept, salt)
    assert joined["status"] == "running"


def test_where_contributions_are_required_a_join_commits(ada, bob):
    """422 without; and the game is abandoned when somebody does not reveal, with all that it hid."""
    game, mine = contributing(ada, Open(), contributions="required")
    assert bob.refused("POST", path(game, "/join"), {}) == (422, "commitment_required")
    bob.post(path(game, "/join"), {"commitment": Contribution().commitment(game["id"], 1)})
    assert ada.post(path(game, "/reveal"), mine.reveal(0))["status"] == "open"
    assert ada.refused("POST", path(game, "/start")) == (409, "contributions_missing")


def test_an_abandoned_game_is_whole_and_nothing_follows(ada, bob, clock):
    """Its status is told everywhere, its bundle discloses everything and verifies."""
    game, mine = contributing(ada, Open(), contributions="required", reveal_by_ms=60_000)
    bob.post(path(game, "/join"), {"commitment": Contribution().commitment(game["id"], 1)})
    ada.post(path(game, "/reveal"), mine.reveal(0))
    clock.wait(60)
    ended = ada.post(path(game, "/start"))
    assert (ended["status"], ended["ended_by"]) == ("finished", "abandoned")
    assert ended["view"] is ended["outcome"] is ended["opening"] is None
    assert audit(ada, game).status == "abandoned"
    assert ada.get(path(game, "/decisions"))["decisions"] == []
    assert ada.get(path(game, "/table"))["panels"] == []
    assert "abandoned" in ada.get(path(game, "/history"))["history"][-1]["text"]
    for what, body in (("/join", {"seat": 1}), ("/reveal", mine.reveal(0)), ("/start", {})):
        assert ada.refused("POST", path(game, what), body) == (409, "game_not_open")
    assert ada.refused("POST", path(game, "/commands"), {"type": "roll"})[0] in (409, 422)
    assert ada.refused("POST", path(game, "/forks"), {}) == (409, "game_not_running")
    ada.project()
    listed = ada.get("/v1/games?status=abandoned&limit=100")["games"]
    assert game["id"] in {one["id"] for one in listed}
    assert game["id"] not in {one["id"] for one in ada.get("/v1/games?status=open&limit=100")["games"]}
    finished = next(one for one in ada.get("/v1/games?limit=100")["games"] if one["id"] == game["id"])
    assert (finished["status"], finished["outcome"]) == ("finished", None)


def test_who_does_not_reveal_is_given_a_minute_and_named(ada, bob, clock):
    """Until then nobody can begin without them; afterwards anybody of the table can."""
    game, mine = contributing(ada, Open())
    bob.post(path(game, "/join"), {"commitment": Contribution().commitment(game["id"], 1)})
    ada.post(path(game, "/reveal"), mine.reveal(0))
    clock.wait(59)
    assert bob.refused("POST", path(game, "/start")) == (409, "reveals_open")
    clock.wait(1)
    assert bob.post(path(game, "/start"))["status"] == "running"
    begun = next(e for e in ada.get(path(game, "/events"))["events"] if e["type"] == "TableBegun")
    assert begun["data"]["missing"] == [1]


def test_the_director_is_who_made_the_game(api, ada, bob):
    """They reveal after the close, and not before; then the game begins. No other director can."""
    game_id, secret = new_id(), "6d" * 32
    promise = commit("director", uuid.UUID(game_id).bytes, bytes.fromhex(secret)).hex()
    eve = api.account("Eve")
    body = GameRequest(
        id=game_id, seats=[Open(), Bot()], director_commitment=promise, directors=[eve.me["id"]]
    )
    game = ada.post("/v1/games", body, status=201)
    reveal = path(game, "/reveal")
    assert ada.refused("POST", reveal, {"director_contribution": secret}) == (409, "reveals_not_closed")
    gift = Contribution()
    bob.post(path(game, "/join"), {"commitment": gift.commitment(game_id, 0)})
    closed = bob.post(reveal, gift.reveal(0))
    assert (closed["status"], closed["opening"]["closed"]) == ("open", True)
    for other in (bob, eve):
        assert other.refused("POST", reveal, {"director_contribution": secret}) == (403, "not_a_director")
    assert ada.refused("POST", reveal, {"director_contribution": "00" * 32}) == (409, "commitment_mismatch")
    for body in (
        {},
        {"director_contribution": secret, "contribution": secret},
        {"director_contribution": "6d"},
    ):
        assert ada.refused("POST", reveal, body) == (422, "invalid_parameters")
    assert ada.refused("POST", path(game, "/start")) == (409, "director_awaited")
    assert ada.post(reveal, {"director_contribution": secret})["status"] == "running"
    assert types(ada, game)[4:8] == ["SeatRevealed", "RevealsClosed", "DirectorRevealed", "TableBegun"]


def test_a_contribution_of_another_length_changes_nothing(ada):
    """31 bytes, 33 bytes, or letters that are no hex: refused, and nothing is appended."""
    game, gift = contributing(ada, Bot())
    for bad in (gift.secret.hex()[2:], gift.secret.hex() + "00", "zz" * 32):
        assert ada.refused("POST", path(game, "/reveal"), {"contribution": bad}) == (
            422,
            "invalid_parameters",
        )
    assert ada.get(path(game))["seq"] == game["seq"]


def test_a_fork_begins_after_the_beginning(ada, bob):
    """Before it there is nothing to fork: neither seats nor contributions."""
    game, gift = contributing(ada, Open())
    assert ada.refused("POST", path(game, "/forks"), {}) == (409, "game_not_running")
    bob.post(path(game, "/join"), {})
    begun = ada.post(path(game, "/reveal"), gift.reveal(0))
    assert ada.refused("POST", path(game, "/forks"), {"at": game["seq"]}) == (409, "game_not_running")
    first = types(ada, game).index("TableBegun") + 1
    fork = ada.post(path(game, "/forks"), {"at": first}, status=201)
    assert fork["origin"]["seq"] >= first
    assert begun["status"] == fork["status"] == "running"


def test_a_seat_may_bring_its_key(ada, bob):
    """It stands in the log with the seat."""
    game = ada.post(
        "/v1/games", GameRequest(seats=[{"you": True, "key": "ab" * 32}, Open(), Open()]), status=201
    )
    bob.post(path(game, "/join"), {"key": "cd" * 32})
    taken = [e["data"]["key"] for e in ada.get(path(game, "/events"))["events"] if e["type"] == "SeatTaken"]
    assert taken == ["ab" * 32, "cd" * 32]
