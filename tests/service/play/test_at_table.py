"""Commands of the table over the API: leaving, returning, agreeing, directing, taking over."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from events.verify import verify
from tests.service.factories import Bot, GameRequest, Open, You, join_all
from workers import jobs

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def people(api):
    return [api.account(name) for name in ("Ada", "Bob", "Cid", "Dan")]


def path(game, what=""):
    return f"/v1/games/{game if isinstance(game, str) else game['id']}{what}"


def give(api, game, kind, **members):
    """A command of the table."""
    return api.post(path(game, "/commands"), {"type": f"table_{kind}", **members})


def refused(api, game, kind, **members):
    return api.refused("POST", path(game, "/commands"), {"type": f"table_{kind}", **members})


def types(happened):
    return [event["type"] for event in happened["events"]]


def seats(api, game):
    return api.get(path(game))["seats"]


def tomorrow(games):
    return (datetime.fromisoformat(games.now()) + timedelta(days=1)).isoformat()


def audit(api, game, **settings):
    return verify(api.send("GET", path(game, "/audit")).data.splitlines(keepends=True), **settings)


def play(games, game_id, moves=10_000):
    """People at random, bots by themselves, until the end."""
    from tests.playing import play_to_the_end

    if moves == 10_000:
        return play_to_the_end(games, games.load(game_id))
    from tests.playing import advance

    return advance(games, games.load(game_id), moves)


def test_who_resigns_is_replaced_and_the_game_goes_on(people, games):
    """The seat is a bot's from then on; the game ends by its rules and its bundle holds."""
    ada, bob, *_ = people
    game = join_all(*people)
    done = give(bob, game, "leave", resign=True)
    assert types(done) == ["SeatVacated", "SeatGiven"]
    assert done["receipt"]
    assert done["events"][0]["data"] == {"seat": 1, "reason": "resigned"}
    seat = seats(ada, game)[1]
    assert (seat["bot"], seat["tenure"], seat["you"]) == ("steady", 2, False)
    play(games, game)
    shown = ada.get(path(game))
    assert (shown["status"], shown["ended_by"]) == ("finished", "rules")
    assert audit(ada, game).status == "finished"


def test_who_left_is_a_spectator_and_keeps_what_they_knew(people, games):
    """They give no commands; by their seat they see up to their last event, and nothing later."""
    _, bob, cid, _ = people
    game = join_all(*people)
    play(games, game, 6)
    mine = bob.get(path(game))["view"]
    left = give(bob, game, "leave")["events"][0]["seq"]
    play(games, game, 12)
    assert bob.refused("POST", path(game, "/commands"), {"type": "choose_empire"}) == (403, "not_a_player")
    assert refused(bob, game, "leave") == (403, "not_a_player")
    assert bob.get(path(game, f"?seat=1&at={left}"))["view"] == mine
    assert bob.get(path(game, "?seat=1"))["view"] == mine
    assert bob.get(path(game, "?seat=1"))["last"] == left
    assert bob.refused("GET", path(game, f"?seat=1&at={left + 1}")) == (404, "no_such_event")
    assert bob.get(path(game, "/events?seat=1&limit=1000"))["events"][-1]["seq"] == left
    assert bob.get(path(game, "/history?seat=1&limit=1000"))["history"][-1]["seq"] == left
    anybody = cid.get(path(game, "?seat=spectator"))
    assert bob.get(path(game))["view"] == anybody["view"]
    assert cid.refused("GET", path(game, "?seat=1")) == (403, "not_your_seat")
    for what in ("/audit", "/decisions", "/stream"):
        assert bob.refused("GET", path(game, what + "?seat=1")) == (403, "not_your_seat")


def test_a_command_by_which_one_left_can_be_sent_again(people, games):
    """Its answer was lost: the same request gets the first answer, in a game that runs and at an open table.
    A later holder's commands are not answered to who was there before.
    """
    ada, bob, cid, dan = people
    waiting = ada.post("/v1/games", GameRequest(table=True), status=201)
    running = ada.post("/v1/games", {**GameRequest(table=True), "absence": {"then": "open"}}, status=201)
    for game in (waiting, running):
        bob.post(path(game, "/join"), {})
    cid.post(path(running, "/join"), {})
    for game in (waiting, running):
        body, key = {"type": "table_leave", "resign": False}, str(uuid.uuid4())
        told = [bob.send("POST", path(game, "/commands"), body, Idempotency_Key=key) for _ in range(2)]
        assert [answer.status_code for answer in told] == [200, 200]
        assert told[0].get_json()["seq"] == told[1].get_json()["seq"]
        assert told[1].headers["Idempotency-Replayed"] == "true"
        other = {**body, "resign": True}
        assert bob.refused("POST", path(game, "/commands"), other, Idempotency_Key=key)[0] in (403, 409)
    give(dan, running, "seat", seat=1)
    body = {"type": "table_offer", "what": "end"}
    dan.call("POST", path(running, "/commands"), body, Idempotency_Key="the-same")
    again = bob.refused("POST", path(running, "/commands"), body, Idempotency_Key="the-same")
    assert again == (403, "not_a_player")


def test_a_stream_shows_no_more_of_a_seat_to_who_has_left_it(people, games, app):
    """From the event that ends their tenure they are a spectator, though the stream goes on."""
    from service.api.game_stream import _get_seat_after

    _, bob, *_ = people
    game = join_all(*people)
    give(bob, game, "leave")
    records = games.records(game)
    held = 1
    for record in records:
        held = _get_seat_after(held, record)
    assert held is None
    assert _get_seat_after(0, records[-2]) == 0


def test_who_left_comes_back(people, games):
    """While a bot plays for them; as themselves, once for one key; nobody else comes so."""
    ada, bob, cid, _ = people
    game = join_all(*people)
    assert refused(bob, game, "return") == (403, "not_a_player")
    before = bob.get(path(game, "/roster"))["seats"]
    give(bob, game, "leave")
    assert refused(cid, game, "return") == (403, "not_a_player")
    assert [seat.get("left") for seat in seats(bob, game)] == [None, True, None, None]
    assert not any("left" in seat for seat in seats(cid, game))
    key = {"Idempotency_Key": str(uuid.uuid4())}
    body = {"type": "table_return"}
    first = bob.send("POST", path(game, "/commands"), body, **key)
    again = bob.send("POST", path(game, "/commands"), body, **key)
    assert first.status_code == again.status_code == 200
    assert first.get_json() == again.get_json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert seats(bob, game)[1]["you"]
    assert bob.get(path(game, "/roster"))["seats"] == before
    assert refused(bob, game, "return") == (409, "seat_given")
    play(games, game)
    audit(ada, game)


def test_three_people_and_a_bot_pause_together(people, games, clock, app):
    """With the second yes; then nobody plays, not even the bot; at its end the server may go on."""
    ada, bob, cid, _ = people
    request = GameRequest(seats=[You(), Open(), Open(), Bot()])
    game = ada.post("/v1/games", request, status=201)["id"]
    bob.post(path(game, "/join"), {})
    cid.post(path(game, "/join"), {})
    until = tomorrow(games)
    offered = give(ada, game, "offer", what="pause", until=until)
    number = offered["events"][0]["data"]["offer"]
    assert bob.get(path(game))["offers"][0]["yes"] == [0]
    give(bob, game, "answer", offer=number, yes=True)
    assert types(give(cid, game, "answer", offer=number, yes=True)) == ["OfferAnswered", "TablePaused"]
    paused = ada.get(path(game))["paused"]
    assert datetime.fromisoformat(paused["until"]) == datetime.fromisoformat(until)
    legal = [m for who in (ada, bob, cid) for m in who.get(path(game, "/decisions"))["legal"]]
    assert legal == []
    problem = ada.send("POST", path(game, "/commands"), {"type": "choose_empire", "empire": "portugal"})
    assert (problem.status_code, problem.get_json(force=True)["code"]) == (409, "game_paused")
    assert problem.get_json(force=True)["until"] == paused["until"]
    seq = ada.get(path(game))["seq"]
    assert jobs.find_bot_decision(games.load(game)) is None
    assert ada.get(path(game))["seq"] == seq
    ada.project()
    listed = {g["id"]: g for g in ada.get("/v1/games?mine=true&limit=200")["games"]}
    assert listed[game]["waiting_for"] == []
    assert refused(ada, game, "resume") == (403, "own_table")
    give(ada, game, "offer", what="resume")
    give(bob, game, "answer", offer=2, yes=True)
    give(cid, game, "answer", offer=2, yes=True)
    assert ada.get(path(game))["paused"] is None


def test_all_end_a_game_together(people):
    """It is abandoned with all its secrets; the bundle is whole and verifies."""
    game = join_all(*people)
    ada, *others = people
    give(ada, game, "offer", what="end")
    for other in others:
        last = give(other, game, "answer", offer=1, yes=True)
    assert types(last) == ["OfferAnswered", "TableAbandoned"]
    shown = ada.get(path(game))
    assert (shown["status"], shown["ended_by"], shown["outcome"]) == ("finished", "abandoned", None)
    report = audit(ada, game)
    assert (report.whole, report.reason) == (True, "agreed")
    assert refused(ada, game, "leave") == (409, "game_not_running")


def test_an_organiser_directs_a_table_where_they_do_not_play(people, games):
    """The maker of a table without directors is d0; once it has begun only without a seat there."""
    ada, bob, cid, dan = people
    request = GameRequest(seats=[Open(), Open(), Open(), Bot()])
    game = ada.post("/v1/games", request, status=201)["id"]
    for who in (bob, cid, dan):
        who.post(path(game, "/join"), {})
    assert refused(bob, game, "pause", until=tomorrow(games), cause="schedule") == (403, "not_a_director")
    assert refused(ada, game, "offer", what="end") == (403, "not_a_player")
    far = (datetime.now(UTC) + timedelta(days=40)).isoformat()
    assert refused(ada, game, "pause", until=far, cause="schedule")[1] == "invalid_parameters"
    words = "The hall closes for the night."
    done = give(ada, game, "pause", until=tomorrow(games), cause="schedule", text=words)
    assert done["events"][0]["text"] == words
    shown = bob.get(path(game, "/events?limit=1000"))["events"][-1]
    assert (shown["text"], shown["command"]["text"] == words) == (words, False)
    give(ada, game, "resume")
    give(ada, game, "remove", seat=1, cause="conduct", text="They insulted the others.")
    assert "bot" in seats(ada, game)[1]
    assert refused(cid, game, "return") == (409, "not_allowed")
    give(ada, game, "seat", seat=1, bot="random")
    assert seats(ada, game)[1]["bot"] == "random"
    assert refused(ada, game, "add_time", seat=0, add_ms=1000) == (409, "no_clock")
    assert refused(ada, game, "swap", seats=[0, 2]) == (409, "game_running")
    give(ada, game, "end", cause="technical")
    assert audit(bob, game).reason == "director"


def test_a_text_can_be_erased(people, games, app):
    """The log keeps its digest; the bundle holds as before."""
    ada, bob, *_ = people
    game = ada.post("/v1/games", GameRequest(seats=[Open(), Bot(), Bot()]), status=201)["id"]
    bob.post(path(game, "/join"), {})
    give(ada, game, "end", cause="other", text="Nobody came but Bob.")
    assert bob.get(path(game, "/events?limit=1000"))["events"][-1]["text"]
    with app.extensions["rutter"].pool.connection() as connection:
        connection.execute("DELETE FROM es.text WHERE account_id = %s", (ada.me["id"],))
    last = bob.get(path(game, "/events?limit=1000"))["events"][-1]
    assert "text" not in last
    assert len(last["command"]["text"]) == 44
    assert audit(bob, game).status == "abandoned"


def test_a_director_who_plays_at_the_table_rules_nothing_there(people, games):
    """Another one does; the table names how many there are, its log nobody."""
    ada, bob, cid, dan = people
    wanted = [ada.me["id"], dan.me["id"]]
    request = GameRequest(seats=[You(), Open(), Open()], directors=wanted)
    made = ada.post("/v1/games", request, status=201)
    game = made["id"]
    assert made["directors"] == 2
    bob.post(path(game, "/join"), {})
    cid.post(path(game, "/join"), {})
    assert refused(ada, game, "pause", until=tomorrow(games), cause="other") == (403, "own_table")
    done = give(dan, game, "pause", until=tomorrow(games), cause="other")
    assert done["events"][0]["data"]["by"] == "d2"
    assert (done["events"][0]["by"], done["events"][0]["seat"]) == ("d2", None)
    assert dan.me["id"] not in str(bob.get(path(game, "/events?limit=1000")))
    nobody = GameRequest(directors=[str(uuid.uuid4())])
    assert ada.refused("POST", "/v1/games", nobody) == (409, "unknown_account")


def test_the_maker_of_a_table_removes_a_stranger_before_it_begins(people):
    """The seat is open again, the stranger a spectator, and somebody else sits down."""
    ada, bob, cid, _ = people
    request = GameRequest(seats=[You(), Open(), Open(), Open()])
    game = ada.post("/v1/games", request, status=201)["id"]
    bob.post(path(game, "/join"), {"seat": 2})
    assert refused(bob, game, "remove", seat=0, cause="other") == (403, "not_a_director")
    assert types(give(ada, game, "remove", seat=2, cause="other")) == ["SeatFreed"]
    assert seats(ada, game)[2]["open"]
    assert not any(seat["you"] for seat in seats(bob, game))
    assert refused(bob, game, "leave") == (403, "not_a_player")
    cid.post(path(game, "/join"), {"seat": 2})
    assert seats(cid, game)[2]["you"]
    give(cid, game, "leave")
    bob.post(path(game, "/join"), {"seat": 2})
    give(ada, game, "swap", seats=[0, 2])
    assert [seat["you"] for seat in seats(bob, game)] == [True, False, False, False]
    assert [seat["you"] for seat in seats(ada, game)] == [False, False, True, False]
    assert ada.get(path(game, "/roster"))["seats"][0]["seat"] == 2
    give(ada, game, "seat", seat=1, bot="random")
    give(ada, game, "seat", seat=3, bot="random")
    assert ada.get(path(game))["status"] == "running", "with its last seat the game begins"


def test_a_vacant_seat_is_found_and_taken_over(people, games):
    """By another player: theirs is the next tenure, they see all events, the one who left nothing new."""
    ada, bob, cid, dan = people
    eve = ada.account("Eve")
    request = GameRequest(seats=[Open(), Open(), Open()])
    game = ada.post("/v1/games", request, status=201)["id"]
    for who in (eve, bob, cid):
        who.post(path(game, "/join"), {})
    play(games, game, 8)
    knew = bob.get(path(game))["view"]
    give(ada, game, "remove", seat=1, cause="absence")
    ada.project()
    assert game in [g["id"] for g in dan.get("/v1/games?seat_free=true")["games"]]
    assert seats(dan, game)[1]["free"]
    assert refused(cid, game, "seat", seat=1) == (409, "already_seated")
    assert types(give(dan, game, "seat", seat=1)) == ["SeatGiven"]
    shown = dan.get(path(game))
    assert (shown["seats"][1]["you"], shown["seats"][1]["tenure"]) == (True, 3)
    assert shown["view"] == knew
    assert dan.get(path(game, "/events?limit=1000"))["events"][0]["seq"] == 1
    assert refused(bob, game, "return") == (409, "seat_given")
    ada.project()
    assert game not in [g["id"] for g in dan.get("/v1/games?seat_free=true")["games"]]
    play(games, game)
    audit(dan, game)


def test_a_table_expires(people, games, clock):
    """Five seconds ahead at the least; two weeks where nothing is said."""
    ada, bob, *_ = people
    made = ada.post("/v1/games", GameRequest(table=True), status=201)
    ahead = datetime.fromisoformat(made["expires_at"]) - datetime.fromisoformat(made["created_at"])
    assert ahead == timedelta(days=14)
    at = datetime.fromisoformat(games.now())
    soon = GameRequest(table=True, expires_at=(at + timedelta(seconds=4)).isoformat())
    assert ada.refused("POST", "/v1/games", soon) == (409, "invalid_terms")
    later = GameRequest(table=True, expires_at=(at + timedelta(seconds=60)).isoformat())
    game = ada.post("/v1/games", later, status=201)["id"]
    from events.table.commands.expiry import TableExpire

    clock.wait(61)
    games.table_command(game, None, TableExpire())
    assert bob.refused("POST", path(game, "/join"), {}) == (409, "game_not_open")
    assert audit(ada, game).reason == "not_filled"
    ada.project()
    listed = {
        query: game in {one["id"] for one in ada.get(f"/v1/games?limit=1000{query}")["games"]}
        for query in ("", "&status=open", "&status=finished", "&status=abandoned")
    }
    assert listed == {"": False, "&status=open": False, "&status=finished": False, "&status=abandoned": True}


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"type": "table_dance"}, (422, "unknown_command")),
        ({"type": "table_time_out", "seat": 0, "deadline": "x"}, (422, "unknown_command")),
        ({"type": "table_expire"}, (422, "unknown_command")),
        ({"type": "table_offer", "what": "a dance"}, (422, "invalid_parameters")),
        ({"type": "table_offer", "what": "pause", "until": "soon"}, (422, "invalid_parameters")),
        ({"type": "table_return", "who": "x"}, (422, "invalid_parameters")),
        ({"type": "table_leave", "seat": "x"}, (422, "invalid_parameters")),
        ({"type": "table_leave", "seat": 1}, (403, "not_your_seat")),
        ({"type": "table_answer", "offer": 9, "yes": True}, (409, "unknown_offer")),
        ({"type": "table_remove", "seat": 1, "cause": "mood"}, (422, "invalid_parameters")),
        ({"type": "table_end", "cause": "other", "text": ""}, (422, "invalid_parameters")),
        ({"type": "table_add_time", "seat": 1, "add_ms": 1}, (409, "no_clock")),
    ],
)
def test_what_makes_no_sense_is_refused(people, body, problem, shared):
    """Each with a stable code."""
    assert people[0].refused("POST", path(shared, "/commands"), body) == problem


@pytest.fixture(scope="module")
def shared(people):
    return join_all(*people)


def test_strangers_have_no_say(people, shared, api):
    """Without a token nobody gives commands; without a seat nobody proposes."""
    stranger = api.account("Eve")
    assert api.refused("POST", path(shared, "/commands"), {"type": "table_leave"}) == (401, "unauthenticated")
    assert refused(stranger, shared, "offer", what="end") == (403, "not_a_player")
    assert refused(stranger, shared, "end", cause="other") == (403, "not_a_director")
    assert refused(stranger, shared, "seat", seat=1) == (409, "seat_taken")


def test_a_game_waits_for_somebody_to_take_a_vacant_seat(people, games):
    """Where that was settled: it is paused, listed as free, and goes on with anyone who takes the seat."""
    ada, bob, cid, dan = people
    request = GameRequest(seats=[You(), Open(), Open()], absence={"then": "open"})
    game = ada.post("/v1/games", request, status=201)["id"]
    bob.post(path(game, "/join"), {})
    cid.post(path(game, "/join"), {})
    assert types(give(bob, game, "leave")) == ["SeatVacated", "TablePaused"]
    ada.project()
    assert game in [g["id"] for g in dan.get("/v1/games?seat_free=true")["games"]]
    assert seats(dan, game)[1]["vacant"]
    assert types(give(dan, game, "seat", seat=1)) == ["SeatGiven", "TableResumed"]
    shown = dan.get(path(game))
    assert (shown["seats"][1]["you"], shown["seats"][1]["tenure"], shown["paused"]) == (True, 2, None)
    play(games, game)
    audit(dan, game)
