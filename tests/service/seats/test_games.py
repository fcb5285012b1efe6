"""Making, finding, joining and beginning games; forks and positions."""

import hashlib
import threading
import uuid

import pytest

from tests.service.factories import TITLE, Bot, GameRequest, Open, You, join_all
from tests.service.robot import Robot
from workers.bots import find_bot

pytestmark = pytest.mark.integration


def test_a_game_with_no_open_seat_begins_at_once(ada):
    answer = ada.send("POST", "/v1/games", GameRequest(seats=[You(), Bot()]))
    game = answer.get_json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/games/{game['id']}"
    assert answer.headers["ETag"] == f'"{game["seq"]}"'
    assert game["status"] == "running"
    assert (game["seats"][0]["you"], game["seats"][0]["name"]) == (True, "Ada")
    assert (game["seats"][1]["you"], game["seats"][1]["bot"]) == (False, "steady")
    assert game["seats"][1]["bot_version"] == find_bot(TITLE, "steady").version
    assert "bot_version" not in game["seats"][0]
    assert game["analysis"] is False
    assert game.pop("receipt")
    assert ada.get(answer.headers["Location"]) == game


def test_an_open_game_waits_for_players_and_begins_with_the_last(ada, bob, api):
    game = ada.post("/v1/games", GameRequest(table=True, hotseat=2), status=201)
    assert (game["status"], game["view"]) == ("open", None)
    assert game["seats"][1]["open"] is True
    assert ada.get(f"/v1/games/{game['id']}/decisions") == {
        "title": game["title"], "seq": game["seq"], "decisions": [], "legal": [], "complete": True,
        "undo": [], "replaceable": [],
    }  # fmt: skip
    assert ada.get(f"/v1/games/{game['id']}/table")["panels"] == []
    joined = bob.post(f"/v1/games/{game['id']}/join")
    assert joined["status"] == "running"
    assert [seat["you"] for seat in joined["seats"]] == [False, True]
    assert [seat["name"] for seat in joined["seats"]] == ["Ada", "Bob"]


def test_a_seat_is_taken_once(ada, bob, api):
    game = ada.post("/v1/games", GameRequest(table=True), status=201)
    path = f"/v1/games/{game['id']}/join"
    assert bob.refused("POST", path, {"seat": 0}) == (409, "seat_taken")
    assert bob.refused("POST", path, {"seat": 3}) == (409, "unknown_seat")
    bob.post(path, {"seat": 2})
    assert bob.refused("POST", path, {"seat": 2}) == (409, "seat_taken")
    assert bob.refused("POST", path) == (409, "already_seated")
    eve = api.account("Eve")
    assert eve.post(path)["status"] == "running"
    assert api.account().refused("POST", path) == (409, "game_not_open")


def test_many_come_at_once_and_each_seat_gets_one(ada, api):
    game = ada.post("/v1/games", GameRequest(table=True, hotseat=6), status=201)
    people = [api.account(f"P{n}") for n in range(12)]
    answers = []

    def come(one):
        answers.append((one, one.send("POST", f"/v1/games/{game['id']}/join")))

    threads = [threading.Thread(target=come, args=(one,)) for one in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seated = [one.me["id"] for one, answer in answers if answer.status_code == 200]
    assert len(seated) == 5
    assert {answer.status_code for _, answer in answers} == {200, 409}
    now = ada.get(f"/v1/games/{game['id']}")
    assert now["status"] == "running"
    assert {seat["account"] for seat in now["seats"]} == {*seated, ada.me["id"]}


def test_only_who_belongs_to_a_game_begins_it(ada, bob):
    game = ada.post("/v1/games", GameRequest(seats=[Open(), Open()]), status=201)
    path = f"/v1/games/{game['id']}/start"
    assert ada.refused("POST", path) == (409, "seats_open")
    assert bob.refused("POST", path) == (403, "not_a_player")
    bob.post(f"/v1/games/{game['id']}/join", {"seat": 1})
    ada.post(f"/v1/games/{game['id']}/join", {"seat": 0})
    assert ada.post(path, {})["status"] == "running", "harmless once the game has begun"


def test_contributions_are_committed_to_and_revealed(ada, bob):
    """A seat that committed reveals before the start, and nobody begins without it by accident."""
    game = ada.post("/v1/games", GameRequest(table=True, hotseat=2), status=201)
    contribution = "ab" * 32
    commitment = _commitment(game["id"], 1, contribution)
    joined = bob.post(f"/v1/games/{game['id']}/join", {"commitment": commitment})
    assert joined["status"] == "open"
    path = f"/v1/games/{game['id']}/reveal"
    assert bob.refused("POST", path, {"contribution": "cd" * 32}) == (409, "commitment_mismatch")
    assert ada.refused("POST", path, {"contribution": contribution}) == (409, "nothing_committed")
    assert bob.refused("POST", path, {"contribution": contribution, "seat": 0}) == (403, "not_your_seat")
    start = f"/v1/games/{game['id']}/start"
    assert ada.refused("POST", start) == (409, "reveals_open")
    assert bob.post(path, {"contribution": contribution})["status"] == "running", "nobody else is awaited"
    assert bob.refused("POST", path, {"contribution": contribution}) == (409, "game_not_open")
    assert ada.post(start)["status"] == "running", "harmless once it has begun"


def _commitment(game_id, seat, contribution):
    from events.proof.randomness import seat_commitment

    return seat_commitment(uuid.UUID(game_id).bytes, f"p{seat}", bytes.fromhex(contribution)).hex()


def test_creation_with_a_key_happens_once(ada, bob):
    request, key = GameRequest(table=True), str(uuid.uuid4())
    first = ada.send("POST", "/v1/games", request, Idempotency_Key=key)
    again = ada.send("POST", "/v1/games", request, Idempotency_Key=key)
    assert again.status_code == 201
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert first.get_json() == again.get_json()
    other = GameRequest(table=True, hotseat=4)
    assert ada.refused("POST", "/v1/games", other, Idempotency_Key=key) == (409, "idempotency_key_reused")
    theirs = bob.send("POST", "/v1/games", request, Idempotency_Key=key).get_json()
    assert theirs["id"] != first.get_json()["id"], "keys of different accounts never meet"


def test_creation_with_a_key_sent_many_times_at_once_happens_once(ada):
    request, key = GameRequest(), str(uuid.uuid4())
    answers = []

    def send():
        answers.append(ada.again().send("POST", "/v1/games", request, Idempotency_Key=key))

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.get_json()["id"] for answer in answers}) == 1


def test_who_makes_a_game_finds_it_among_their_own_at_once(api):
    """Although the projections have not come to it yet; they write the same line."""
    eve = api.account("Eve")
    game = eve.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    fork = eve.post(f"/v1/games/{game}/forks", {}, status=201)["id"]
    mine = eve.get("/v1/games?mine=true")
    assert [one["id"] for one in mine["games"]] == [fork, game]
    api.project()
    assert eve.get("/v1/games?mine=true") == mine


def test_the_lobby_lists_and_pages(ada, api):
    eve = api.account("Eve")
    made = [eve.post("/v1/games", GameRequest(table=True), status=201)["id"] for _ in range(5)]
    finished = eve.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    api.project()
    assert api.refused("GET", "/v1/games?mine=true") == (401, "unauthenticated")
    found, path = [], "/v1/games?mine=true&limit=2&status=open"
    while path:
        page = eve.get(path)
        assert len(page["games"]) <= 2
        found += [game["id"] for game in page["games"]]
        path = page["next"]
    assert found == made[::-1]
    summary = eve.get("/v1/games?mine=true&status=running")["games"]
    assert [game["id"] for game in summary] == [finished]
    assert summary[0]["waiting_for"]
    assert summary[0]["seats"][0]["you"]
    assert eve.get(f"/v1/games?title={TITLE}&limit=1")["games"]
    assert eve.get("/v1/games?title=nothing")["games"] == []
    assert [g["id"] for g in eve.get("/v1/me")["games"]] == [finished, *made[::-1]]


def test_lists_show_seats_in_the_colours_of_the_game(api):
    """Planets give theirs when they are drawn, and options may choose them; a list never says otherwise."""
    eve = api.account("Eve")
    drawn = eve.post("/v1/games", GameRequest(title="colonies", hotseat=3), status=201)
    assert [seat["colour"] for seat in drawn["seats"]] == [seat["label"].lower() for seat in drawn["seats"]]
    eve.post("/v1/games", GameRequest(title="colonies", hotseat=3, table=True), status=201)
    chosen = GameRequest(title="colonialism", hotseat=2, options={"colors": ["white", "green"]})
    assert [s["colour"] for s in eve.post("/v1/games", chosen, status=201)["seats"]] == ["white", "green"]
    api.project()
    listed = eve.get("/v1/games?mine=true")["games"]
    assert [[seat.get("colour") for seat in game["seats"]] for game in listed] == [
        ["white", "green"],
        [None] * 3,
        [seat["colour"] for seat in drawn["seats"]],
    ]


def test_a_seed_makes_an_analysis_game(ada):
    game = ada.post("/v1/games", GameRequest(hotseat=2, seed="ab" * 8), status=201)
    assert game["analysis"] is True, "its randomness was chosen by a player and proves nothing to others"
    again = ada.post("/v1/games", GameRequest(hotseat=2, repeat=game["repeat"]), status=201)
    other = ada.post("/v1/games", GameRequest(hotseat=2, seed="ab" * 8), status=201)
    assert again["view"] == game["view"]
    assert again["repeat"] == game["repeat"]
    assert other["repeat"] != game["repeat"], "a seed is salted, else those who guess it know every card"
    assert ada.get(f"/v1/games/{game['id']}")["repeat"] is None
    damaged = GameRequest(hotseat=2, repeat=game["repeat"][1:])
    assert ada.refused("POST", "/v1/games", damaged)[0] == 422


@pytest.mark.slow
def test_a_finished_game_is_forked_whole(ada):
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    assert Robot(ada, 7).play(game["id"])
    last = ada.get(f"/v1/games/{game['id']}")
    middle = last["seq"] // 2
    fork = ada.post(f"/v1/games/{game['id']}/forks", {"at": middle}, status=201)
    assert fork["status"] == "running"
    assert fork["analysis"] is True
    assert fork["origin"]["game"] == game["id"]
    at = fork["origin"]["seq"]
    assert at >= middle
    for seat in range(2):
        then = ada.get(f"/v1/games/{game['id']}?at={at}&seat={seat}")["view"]
        assert ada.get(f"/v1/games/{fork['id']}?seat={seat}")["view"] == then
    assert Robot(ada, 8).play(fork["id"]), "a fork is played to its end"


def test_a_running_game_is_forked_by_players_only(ada, bob, api):
    game_id = join_all(ada, bob)
    assert api.refused("POST", f"/v1/games/{game_id}/forks", {}) == (401, "unauthenticated")
    assert api.account().refused("POST", f"/v1/games/{game_id}/forks", {}) == (403, "not_a_player")
    fork = ada.post(f"/v1/games/{game_id}/forks", status=201)
    assert ada.get(f"/v1/games/{fork['id']}?seat=0")["view"] == ada.get(f"/v1/games/{game_id}")["view"]
    assert [seat["you"] for seat in fork["seats"]] == [True, True]
    bots = ada.post(f"/v1/games/{game_id}/forks", {"seats": [You(), Bot(bot="random")]}, status=201)
    assert bots["seats"][1]["bot"] == "random"
    path = f"/v1/games/{game_id}/forks"
    assert ada.refused("POST", path, {"seats": [You()]}) == (409, "invalid_seats")
    assert ada.refused("POST", path, {"at": 100_000}) == (404, "no_such_event")
    assert ada.refused("POST", path, {"at": 1}) == (409, "game_not_running")


def test_an_analysis_game_begins_from_a_position(ada, app):
    game = ada.post("/v1/games", GameRequest(hotseat=3), status=201)
    process = app.extensions["rutter"]
    now = process.games.load(game["id"])
    position = now.title.position(now.state)
    made = ada.post("/v1/games", GameRequest(hotseat=3, position=position), status=201)
    assert made["analysis"] is True
    for seat in range(3):
        path = f"/v1/games/{{}}?seat={seat}"
        assert ada.get(path.format(made["id"]))["view"] == ada.get(path.format(game["id"]))["view"]
    hidden = ada.get(f"/v1/games/{made['id']}/events?limit=2")["events"][1]
    assert hidden["type"] == "PositionSet"
    assert "position" not in hidden["data"], "a position holds everybody's secrets"
    wrong = GameRequest(hotseat=4, position=position)
    assert ada.refused("POST", "/v1/games", wrong) == (409, "invalid_position")


@pytest.mark.parametrize(
    "position",
    [
        {},
        {"seats": 3},
        {"a": []},
        {"turn": -1},
        {"options": {}, "hand": "x"},
        {"x": {"y": [1]}},
        {"An odd key": 1},
        {"seats": 1.5},
    ],
)
def test_what_is_no_position_makes_no_game(ada, position):
    request = GameRequest(hotseat=3, position=position)
    assert ada.refused("POST", "/v1/games", request) == (409, "invalid_position")


def test_refused_creations_leave_nothing_behind(ada, app):
    def rows():
        with app.extensions["rutter"].pool.connection() as connection:
            return connection.execute(
                "SELECT (SELECT count(*) FROM seat_claim), (SELECT count(*) FROM es.event)"
            ).fetchone()

    before = rows()
    assert ada.refused("POST", "/v1/games", GameRequest(hotseat=3, position={}))[0] == 409
    assert ada.refused("POST", "/v1/games", GameRequest(hotseat=1))[0] == 422
    assert rows() == before


def test_names_are_hashed_nowhere(ada, app):
    """The log names no account."""
    game = ada.post("/v1/games", GameRequest(), status=201)
    for record in app.extensions["rutter"].games.records(game["id"]):
        for word in (ada.me["id"], "Ada", ada.token, hashlib.sha256(ada.token.encode()).hexdigest()):
            assert word.encode() not in record.body
            assert not any(word.encode() in part.body for part in record.parts.values())
