"""Playing over HTTP: whole games, time travel, many writers, repetition, conditions."""

import random
import re
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from events.rules.catalogue import find_title, title_ids
from tests.playing import play_to_the_end
from tests.service.factories import Bot, GameRequest, You, join_all
from tests.service.robot import Robot

pytestmark = pytest.mark.integration


def commands(game_id):
    return f"/v1/games/{game_id}/commands"


def first_move(api, game_id, seat=None):
    """The first legal command, with its seat."""
    now = api.get(f"/v1/games/{game_id}/decisions")
    move = next(m for m in now["legal"] if seat in (None, m["seat"]))
    return {**move["command"], "seat": move["seat"]}, now["seq"]


LONG = ("colonial", "colonial_revised")
"""Of these titles a robot plays a whole game in `tests/campaigns`, and the beginning of the first here."""
DEAR = {
    "colonies": pytest.mark.slow,
    "colonial_empires": pytest.mark.campaign,
    "colonialism": pytest.mark.campaign,
}


@pytest.mark.parametrize(
    "title_id",
    [pytest.param(t, marks=[DEAR[t]] if t in DEAR else []) for t in title_ids() if t not in LONG],
)
def test_a_robot_that_knows_only_the_description_plays_whole_games(api, title_id):
    """Several accounts; after each command the view equals the one that time travel shows later."""
    plays(api, title_id)


@pytest.mark.slow
def test_a_robot_begins_a_long_game(api):
    """The same for its first commands."""
    plays(api, LONG[0], commands_at_most=100)


def plays(api, title_id, commands_at_most=None):
    """Robots play a whole game, or so many commands of one, and look at its past."""
    seats = find_title(title_id).seats[0]
    people = [api.account(f"P{n}") for n in range(seats)]
    game_id = join_all(*people, title=title_id)
    robots = [Robot(one, n) for n, one in enumerate(people)]
    seen = {}
    ended = False
    while not ended:
        before = sum(robot.commands_sent for robot in robots)
        if commands_at_most is not None and before >= commands_at_most:
            break
        for seat, robot in enumerate(robots):
            ended = robot.play(game_id, most=20_000)
            view = robot.api.get(f"/v1/games/{game_id}")
            seen[(view["seq"], seat)] = view
            house(api, game_id)
        assert ended or sum(robot.commands_sent for robot in robots) > before, "somebody must be able to move"
    for (seq, seat), then in random.Random(1).sample(sorted(seen.items(), key=str), min(60, len(seen))):
        later = people[seat].get(f"/v1/games/{game_id}?at={seq}")
        assert {**later, "last": then["last"]} == then
    if not ended:
        return
    outcome = people[0].get(f"/v1/games/{game_id}")["outcome"]
    assert len(outcome["places"]) == seats
    assert people[0].get(f"/v1/games/{game_id}/decisions")["decisions"] == []


def house(api, game_id):
    """Let the server do what is waited for, as its worker would."""
    games = api.app.extensions["rutter"].games
    while True:
        game = games.load(game_id)
        if game.status != "running":
            return
        waiting = [d for d in game.title.awaited(game.state) if d.seat is None]
        if not waiting:
            return
        games.command(game_id, None, game.title.default(game.state, waiting[0]))


def test_views_of_the_past_stay_as_they_were(ada, bob):
    """After every command the views are kept; at the end each is asked for again, by everyone."""
    game_id = join_all(ada, bob)
    looks = [(ada, ""), (bob, ""), (ada, "&seat=spectator")]
    kept = {}
    robots = {0: ada, 1: bob}
    for step in range(25):
        for one, query in looks:
            view = one.get(f"/v1/games/{game_id}?{query}")
            kept[(view["seq"], id(one), query)] = (one, view)
        mover = next(r for r in robots.values() if r.get(f"/v1/games/{game_id}/decisions")["legal"])
        legal = mover.get(f"/v1/games/{game_id}/decisions")["legal"]
        mover.post(commands(game_id), legal[step % len(legal)]["command"])
    for (seq, _, query), (one, view) in kept.items():
        past = one.get(f"/v1/games/{game_id}?at={seq}{query}")
        assert view.pop("last") == seq
        assert past == view, "what was then, and nothing of what came later"
    assert ada.refused("GET", f"/v1/games/{game_id}?at=999999") == (404, "no_such_event")
    assert ada.refused("GET", f"/v1/games/{game_id}?at=0")[0] == 400


def test_each_view_says_when_it_is_still_the_newest(ada):
    game = ada.post("/v1/games", GameRequest(), status=201)
    path = f"/v1/games/{game['id']}"
    answer = ada.send("GET", path)
    assert re.fullmatch(f'"{game["seq"]}-[0-9a-f]{{24}}"', answer.headers["ETag"])
    assert "Authorization" in answer.headers["Vary"]
    assert answer.headers["Cache-Control"] == "private, no-cache"
    same = ada.send("GET", path, If_None_Match=answer.headers["ETag"])
    assert (same.status_code, same.data) == (304, b"")
    move, _ = first_move(ada, game["id"])
    ada.post(commands(game["id"]), move)
    assert ada.send("GET", path, If_None_Match=answer.headers["ETag"]).status_code == 200


def test_a_command_answers_its_events(ada):
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    move, seq = first_move(ada, game["id"])
    answer = ada.send("POST", commands(game["id"]), move)
    happened = answer.get_json()
    assert answer.headers["ETag"] == f'"{happened["seq"]}"'
    assert [event["seq"] for event in happened["events"]] == list(range(seq + 1, happened["seq"] + 1))
    assert happened["events"][0]["seat"] == move["seat"]
    log = ada.get(f"/v1/games/{game['id']}/events?after={seq}&seat={move['seat']}")
    assert log["events"] == happened["events"]


def test_a_key_carries_a_command_out_once(ada):
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    move, _ = first_move(ada, game["id"])
    key = str(uuid.uuid4())
    first = ada.send("POST", commands(game["id"]), move, Idempotency_Key=key)
    again = ada.send("POST", commands(game["id"]), move, Idempotency_Key=key)
    assert first.status_code == again.status_code == 200
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert again.get_json() == first.get_json()
    other, _ = first_move(ada, game["id"], seat=None)
    if other["seat"] == move["seat"]:
        assert ada.refused("POST", commands(game["id"]), other, Idempotency_Key=key) == (
            409, "idempotency_key_reused"
        )  # fmt: skip
    else:
        assert ada.send("POST", commands(game["id"]), other, Idempotency_Key=key).status_code == 200


def is_sealed(event):
    """Whether some of it is hidden from who is told of it."""
    return any("salt" not in part for part in event["hidden"].values())


def test_after_the_end_a_repetition_is_answered_as_the_first_time(ada):
    """Everybody may see then what was hidden; what was answered once stays as it was all the same."""
    game = ada.post("/v1/games", GameRequest(title="colonial_empires", hotseat=2), status=201)
    given = []
    while not any(is_sealed(event) for _, _, answer in given for event in answer["events"]):
        move, _ = first_move(ada, game["id"])
        key = str(uuid.uuid4())
        given.append((move, key, ada.post(commands(game["id"]), move, Idempotency_Key=key)))
    offer = ada.post(commands(game["id"]), {"type": "table_offer", "what": "end", "seat": 0})
    yes = {"type": "table_answer", "offer": offer["events"][0]["data"]["offer"], "yes": True, "seat": 1}
    ada.post(commands(game["id"]), yes)
    assert ada.get(f"/v1/games/{game['id']}")["ended_by"] == "abandoned"
    for move, key, first in given:
        assert ada.post(commands(game["id"]), move, Idempotency_Key=key) == first


def test_a_key_with_another_command_is_refused(ada):
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    legal = ada.get(f"/v1/games/{game['id']}/decisions")["legal"]
    one, two = ({**m["command"], "seat": m["seat"]} for m in legal[:2])
    ada.send("POST", commands(game["id"]), one, Idempotency_Key="k")
    assert ada.refused("POST", commands(game["id"]), two, Idempotency_Key="k") == (
        409,
        "idempotency_key_reused",
    )


def test_a_command_sent_many_times_at_once_is_carried_out_once(ada):
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    move, _ = first_move(ada, game["id"])
    with ThreadPoolExecutor(12) as threads:
        answers = list(
            threads.map(
                lambda _: ada.again().send("POST", commands(game["id"]), move, Idempotency_Key="one"),
                range(12),
            )
        )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.data for answer in answers}) == 1
    assert sum("Idempotency-Replayed" not in answer.headers for answer in answers) == 1
    assert ada.get(f"/v1/games/{game['id']}")["seq"] == answers[0].get_json()["seq"]


def test_if_match_makes_a_command_conditional(ada):
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    move, seq = first_move(ada, game["id"])
    stale = ada.send("POST", commands(game["id"]), move, If_Match=f'"{seq - 1}"')
    assert (stale.status_code, stale.get_json()["code"]) == (412, "version_conflict")
    assert stale.get_json()["seq"] == seq
    assert ada.refused("POST", commands(game["id"]), move, If_Match=f'"{seq + 5}"')[0] == 412
    assert ada.refused("POST", commands(game["id"]), move, If_Match=f'W/"{seq}"')[0] == 412
    assert ada.refused("POST", commands(game["id"]), move, If_Match='"abc"')[0] == 412
    for junk in ("x12", '"', '"1" "2"', "\xff", '"1",', "W/12"):
        assert ada.refused("POST", commands(game["id"]), move, If_Match=junk)[0] == 400, junk
    assert ada.get(f"/v1/games/{game['id']}")["seq"] == seq, "nothing has changed"
    assert ada.send("POST", commands(game["id"]), move, If_Match=f'"{seq}"').status_code == 200
    move, seq = first_move(ada, game["id"])
    assert ada.send("POST", commands(game["id"]), move, If_Match=f'"1", "{seq}"').status_code == 200
    move, _ = first_move(ada, game["id"])
    assert ada.send("POST", commands(game["id"]), move, If_Match="*").status_code == 200


def test_the_tag_of_a_view_says_on_which_event_a_command_is_to_follow(ada):
    """A client that sends back the ETag that it was given need not know what stands in it."""
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    tag = ada.send("GET", f"/v1/games/{game['id']}").headers["ETag"]
    move, _ = first_move(ada, game["id"])
    assert ada.refused("POST", commands(game["id"]), move, If_Match=f"W/{tag}")[0] == 412
    assert ada.send("POST", commands(game["id"]), move, If_Match=tag).status_code == 200
    move, _ = first_move(ada, game["id"])
    assert ada.refused("POST", commands(game["id"]), move, If_Match=tag) == (412, "version_conflict")
    new = ada.send("GET", f"/v1/games/{game['id']}").headers["ETag"]
    assert ada.send("POST", commands(game["id"]), move, If_Match=f"{tag}, {new}").status_code == 200


def test_a_repetition_is_answered_even_where_its_condition_no_longer_holds(ada):
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    move, seq = first_move(ada, game["id"])
    headers = {"If_Match": f'"{seq}"', "Idempotency_Key": "once"}
    first = ada.send("POST", commands(game["id"]), move, **headers)
    again = ada.send("POST", commands(game["id"]), move, **headers)
    assert (again.status_code, again.data) == (200, first.data)


def test_sealed_answers_of_several_at_once_do_not_make_each_other_fail(api):
    """Each of six players answers at the same moment, round after round; no answer is refused."""
    people = [api.account(f"P{n}") for n in range(6)]
    game_id = join_all(*people)
    rounds = 0
    for _ in range(400):
        waiting = {}
        for one in people:
            now = one.get(f"/v1/games/{game_id}/decisions")
            awaited = {d["seat"] for d in now["decisions"] if not d["free"]}
            moves = [m for m in now["legal"] if m["seat"] in awaited]
            if moves:
                waiting[one.me["id"]] = (one, moves[0]["command"])
        with ThreadPoolExecutor(6) as threads:
            answers = list(
                threads.map(
                    lambda pair: pair[0].again().send("POST", commands(game_id), pair[1]), waiting.values()
                )
            )
        assert [answer.status_code for answer in answers] == [200] * len(answers), [a.text for a in answers]
        rounds += len(waiting) > 2
        if rounds >= 6:
            return
    pytest.fail("six rounds of simultaneous answers were not reached")


def test_32_threads_write_to_one_game(api):
    """Whatever they do, the log has no gap, no double answer, and every 200 stands in it."""
    people = [api.account(f"P{n}") for n in range(4)]
    game_id = join_all(*people)
    done, failures = [], []

    def work(number):
        one = people[number % 4].again()
        rng = random.Random(number)
        for _ in range(8):
            legal = one.get(f"/v1/games/{game_id}/decisions")["legal"]
            if legal:
                answer = one.send(
                    "POST", commands(game_id), rng.choice(legal)["command"], Idempotency_Key=uuid.uuid4().hex
                )
                (done if answer.status_code == 200 else failures).append(answer)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done
    assert {answer.status_code for answer in failures} <= {409}, [f.text for f in failures][:3]
    events = people[0].get(f"/v1/games/{game_id}/events?limit=1000&seat=spectator")
    assert [event["seq"] for event in events["events"]] == list(range(1, len(events["events"]) + 1))
    assert events["next"] is None
    answered = sorted(seq for answer in done for seq in [e["seq"] for e in answer.get_json()["events"]])
    assert len(answered) == len(set(answered)), "no event belongs to two commands"
    hashes = {event["seq"]: event["hash"] for event in events["events"]}
    for answer in done:
        assert all(hashes[e["seq"]] == e["hash"] for e in answer.get_json()["events"])


def test_who_may_act(ada, bob, api):
    game_id = join_all(ada, bob)
    waiting = ada.get(f"/v1/games/{game_id}/decisions")["decisions"][0]["seat"]
    mover, other = (ada, bob) if waiting == 0 else (bob, ada)
    move, _ = first_move(mover, game_id)
    bare = {k: v for k, v in move.items() if k != "seat"}
    assert api.refused("POST", commands(game_id), bare) == (401, "unauthenticated")
    assert api.account().refused("POST", commands(game_id), bare) == (403, "not_a_player")
    assert other.refused("POST", commands(game_id), move) == (403, "not_your_seat")
    assert other.refused("POST", commands(game_id), bare) == (409, "not_your_decision")
    assert mover.send("POST", commands(game_id), bare).status_code == 200
    for path in ("", "/table", "/decisions", "/events", "/history", "/audit", "/stream"):
        assert ada.refused("GET", f"/v1/games/{game_id}{path}?seat=1") == (403, "not_your_seat"), path
        assert api.refused("GET", f"/v1/games/{game_id}{path}?seat=0") == (403, "not_your_seat"), path


def test_who_holds_several_seats_says_which_one_acts(ada):
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    move, _ = first_move(ada, game["id"])
    seat = move.pop("seat")
    idle = {"type": "end_event_turn"}
    assert ada.refused("POST", commands(game["id"]), idle) == (409, "seat_required")
    assert ada.refused("POST", commands(game["id"]), {**move, "seat": 1 - seat}) == (409, "not_your_decision")
    for junk in (True, "0", 1.5, [], -1, 100, 2**60):
        assert ada.refused("POST", commands(game["id"]), {**move, "seat": junk})[0] in (400, 422)
    assert ada.send("POST", commands(game["id"]), move).status_code == 200, "only one of them can give it"


def test_every_listed_command_can_be_posted_as_it_stands(ada):
    """Those who hold several seats find the acting one named in each command."""
    game = ada.post("/v1/games", GameRequest(hotseat=3), status=201)
    for _ in range(30):
        now = ada.get(f"/v1/games/{game['id']}/decisions")
        listed = now["legal"][0]
        assert listed["command"]["seat"] == listed["seat"]
        happened = ada.post(commands(game["id"]), listed["command"])
        assert happened["events"][0]["seat"] == listed["seat"]


def test_commands_of_the_wrong_shape(ada):
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    path = commands(game["id"])
    unknown = ada.send("POST", path, {"type": "fly_to_the_moon", "seat": 0})
    assert (unknown.status_code, unknown.get_json()["code"]) == (422, "unknown_command")
    assert "choose_empire" in unknown.get_json()["detail"]
    assert ada.refused("POST", path, {"seat": 0}) == (422, "invalid_parameters")
    assert ada.refused("POST", path, {"type": 5, "seat": 0}) == (422, "invalid_parameters")
    wrong = ada.send("POST", path, {"type": "choose_empire", "empire": 5, "more": 1, "seat": 0})
    assert (wrong.status_code, wrong.get_json()["code"]) == (422, "invalid_parameters")
    assert set(wrong.get_json()["errors"]) == {"empire", "more"}
    before = ada.get(f"/v1/games/{game['id']}")["seq"]
    assert before == game["seq"]


def test_commands_to_games_that_do_not_run(ada, games):
    game = ada.post("/v1/games", GameRequest(table=True), status=201)
    body = {"type": "choose_empire", "empire": "french"}
    assert ada.refused("POST", commands(game["id"]), body) == (409, "game_not_running")
    ended = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    play_to_the_end(games, games.load(ended["id"]))
    assert ada.refused("POST", commands(ended["id"]), {**body, "seat": 0}) == (409, "game_not_running")


def test_every_legal_command_can_be_posted_as_it_stands(ada):
    """Along a game, every entry of some lists is tried on a fork of the game."""
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    rng = random.Random(5)
    for step in range(30):
        now = ada.get(f"/v1/games/{game['id']}/decisions")
        assert len(now["legal"]) <= 300
        if step % 6 == 0:
            for move in now["legal"][:8]:
                fork = ada.post(f"/v1/games/{game['id']}/forks", status=201)
                # A fork imagines what is hidden from seat 0, so only its own moves must hold there.
                if move["seat"] == 0:
                    ada.post(commands(fork["id"]), {**move["command"], "seat": 0})
        awaited = {d["seat"] for d in now["decisions"] if not d["free"]}
        move = rng.choice([m for m in now["legal"] if m["seat"] in awaited])
        ada.post(commands(game["id"]), {**move["command"], "seat": move["seat"]})


def test_bots_decisions_are_public_and_their_commands_are_not_offered(ada):
    game = ada.post("/v1/games", GameRequest(seats=[You(), Bot(), Bot()]), status=201)
    now = ada.get(f"/v1/games/{game['id']}/decisions")
    assert now["decisions"]
    assert all(move["seat"] == 0 for move in now["legal"])
