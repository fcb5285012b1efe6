"""What accounts are told: turns, notices, one live stream for all games, and what to do in a game's own."""

import json
from dataclasses import replace

import pytest

from events.base.timestamps import add_milliseconds
from ops.server.wsgi import create_app
from projections.health import failed_tasks
from projections.read_models import notices
from projections.read_models.catalogue import PROJECTIONS
from projections.rebuild import rebuild
from tests.cluster_sql import record_statements
from tests.service.client import Api
from tests.service.factories import TITLE, GameRequest, Open, You, join_all
from tests.service.streams.test_stream import Stream, move
from tests.waiting import until

pytestmark = pytest.mark.integration


class Feed(Stream):
    """The live stream of an account."""

    def __init__(self, api, query="", **headers):
        self.turns = True
        self.answer = api.send("GET", f"/v1/me/stream{query}", **headers)
        assert self.answer.status_code == 200, self.answer.text
        self._chunks = self.answer.iter_encoded()
        self.comments = 0


def told(one, type_=None):
    """What an account was told, perhaps only of one type."""
    found = one.get("/v1/me/notices?limit=1000")["notices"]
    return [notice for notice in found if type_ in (None, notice["type"])]


def awaited(one, game_id):
    """The seats of which the game awaits a decision."""
    return {d["seat"] for d in one.get(f"/v1/games/{game_id}/decisions")["decisions"] if not d["free"]}


@pytest.fixture
def fresh(api):
    """Makes accounts that have been told nothing."""
    return lambda *names: [api.account(name) for name in names]


def test_the_turns_of_all_games(fresh):
    """Games in which I am awaited, and none in which I am not."""
    one, other = fresh("One", "Other")
    games = [join_all(one, other) for _ in range(3)]
    for game, mine in zip(games, (True, False, True), strict=True):
        while (0 in awaited(one, game)) != mine:
            move((one, other), game)
    expected = {games[0], games[2]}
    one.project()
    found = one.get("/v1/me/turns")
    assert {turn["game"] for turn in found["turns"]} == expected
    assert found["next"] is None
    for turn in found["turns"]:
        assert (turn["title"], turn["seat"], turn["deadline"], turn["tournament"]) == (TITLE, 0, None, None)
        kinds = one.get(f"/v1/games/{turn['game']}/decisions")["decisions"]
        assert set(turn["kinds"]) == {d["kind"] for d in kinds if d["seat"] == 0 and not d["free"]}


def test_turns_with_a_deadline_come_first_and_page_by_page(fresh):
    one, other = fresh("One", "Other")
    slow = {"kind": "correspondence", "per_decision_ms": 86_400_000}
    quick = {"kind": "correspondence", "per_decision_ms": 3_600_000}
    made = []
    for clock in (None, slow, quick):
        request = GameRequest(seats=[You(), Open()], **({"clock": clock} if clock else {}))
        made.append(one.post("/v1/games", request, status=201)["id"])
        other.post(f"/v1/games/{made[-1]}/join", {})
    one.project()
    mine = [game for game in made if 0 in awaited(one, game)]
    expected = [game for game in reversed(made) if game in mine]
    pages, address = [], "/v1/me/turns?limit=1"
    while address:
        page = one.get(address)
        pages += page["turns"]
        address = page["next"]
    assert [turn["game"] for turn in pages] == expected
    assert one.refused("GET", "/v1/me/turns?after=yesterday") == (400, "invalid_parameters")


def test_it_is_told_once_that_it_is_my_turn(fresh):
    """A seat that stays awaited through commands of others is told once, and again after it has answered."""
    people = fresh("One", "Other", "Third")
    game_id = join_all(*people)
    for _ in range(60):
        people[0].project()
        waiting = awaited(people[0], game_id)
        if not waiting:
            break
        seat = min(waiting)
        move(people[seat], game_id)
    people[0].project()
    for one in people:
        turns = [notice["seq"] for notice in told(one, "game.your_turn")]
        assert len(turns) == len(set(turns))
    log = people[0].app.extensions["rutter"].games
    seat_of = {one.me["id"]: number for number, one in enumerate(people)}
    expected = {number: [] for number in range(3)}
    before, records = set(), log.records(game_id)
    for record, following in zip(records, [*records[1:], None], strict=True):
        if following is None or following.command_id != record.command_id:
            game = log.load(game_id, record.seq)
            now = {d.seat for d in game.title.awaited(game.state)} if game.status == "running" else set()
            for seat in now - before:
                if seat is not None:
                    expected[seat].append(record.seq)
            before = now
    found = {seat_of[one.me["id"]]: [n["seq"] for n in told(one, "game.your_turn")] for one in people}
    assert found == expected


def test_positions_are_dense_and_pages_follow_on_each_other(fresh):
    one, other = fresh("One", "Other")
    for _ in range(3):
        join_all(one, other)
    one.project()
    everything = told(one)
    assert [notice["position"] for notice in everything] == list(range(1, len(everything) + 1))
    assert {notice["type"] for notice in everything} >= {"game.begun"}
    pages, address = [], "/v1/me/notices?limit=2"
    while address:
        page = one.get(address)
        pages += page["notices"]
        address = page["next"]
    assert pages == everything
    lines = one.send("GET", "/v1/me/notices?after=1", Accept="application/x-ndjson").text.splitlines()
    assert [json.loads(line) for line in lines] == everything[1:]


def test_a_rebuild_tells_nothing_twice_and_adds_what_is_missing(fresh, pool):
    """It takes nothing back and numbers nothing again."""
    one, other = fresh("One", "Other")
    join_all(one, other)
    one.project()
    before = told(one)
    log = one.app.extensions["rutter"].games.log
    assert all(result.equal for result in rebuild(log, ["notice"]))
    assert told(one) == before
    with pool.connection() as connection:
        connection.execute("DELETE FROM notice WHERE account_id = %s AND number = 1", (one.me["id"],))
    assert not any(result.equal for result in rebuild(log, ["notice"]))
    after = told(one)
    assert after[:-1] == before[1:]
    assert {**after[-1], "position": 1} == before[0]
    assert after[-1]["position"] == len(before) + 1


def find_game(one, game_id):
    return one.app.extensions["rutter"].games.load(game_id)


def tell(pool, game, *several):
    """Write notices of a game by the claims of its seats: each is the seq, the seat and the data."""
    pending = [
        notices.GameNotice(game.id, seq, "game.paused", seat, game.claims[seat], data, game.at)
        for seq, seat, data in several
    ]
    with record_statements() as asked, pool.connection() as connection:
        return notices.write(connection, pending), len(asked)


def test_notices_that_are_told_together_are_dense_in_their_order_and_told_once(fresh, pool):
    """Of equal ones the first, in one batch as in several; each account has numbers of its own."""
    one, other = fresh("One", "Other")
    game = find_game(one, join_all(one, other))
    one.project()
    before = len(told(one)), len(told(other))
    batch = [(9, 1, {"a": 1}), (7, 0, {"b": 1}), (9, 0, {"c": 1}), (7, 0, {"b": 2}), (8, 1, {"d": 1})]
    accounts, _ = tell(pool, game, *batch)
    assert sorted(accounts) == sorted([one.me["id"], other.me["id"]] * 2)
    assert tell(pool, game, *batch)[0] == []
    assert tell(pool, game, (8, 0, {"e": 1}), *batch)[0] == [one.me["id"]]
    mine, theirs = told(one)[before[0] :], told(other)[before[1] :]
    assert [notice["data"] for notice in mine] == [{"b": 1}, {"c": 1}, {"e": 1}]
    assert [notice["data"] for notice in theirs] == [{"a": 1}, {"d": 1}]
    for account in (one, other):
        assert [notice["position"] for notice in told(account)] == list(range(1, len(told(account)) + 1))


def test_many_notices_take_as_many_statements_as_one(fresh, pool):
    """To tell of many games takes no round trip for each."""
    one, other = fresh("One", "Other")
    game = find_game(one, join_all(one, other))
    _, single = tell(pool, game, (100, 0, {}))
    accounts, many = tell(pool, game, *((seq, seq % 2, {}) for seq in range(200, 300)))
    assert len(accounts) == 100
    assert many == single


def test_what_is_older_than_ninety_days_goes(fresh, pool):
    one, other = fresh("One", "Other")
    join_all(one, other)
    one.project()
    with pool.connection() as connection:
        connection.execute(
            "UPDATE notice SET at = at - interval '91 days' WHERE account_id = %s", (one.me["id"],)
        )
    before = told(other)
    assert notices.forget_old(pool)
    assert (told(one), told(other)) == ([], before)


def test_the_stream_begins_with_turns_and_goes_on_with_notices(fresh):
    """All games of an account on one connection; the ids are positions, after which it is resumed."""
    one, other = fresh("One", "Other")
    stream = Feed(one)
    event, position, data = stream.next()
    assert (event, position, data) == ("turns", "0", {"turns": [], "next": None})
    games = {join_all(one, other), join_all(one, other)}
    one.project()
    expected = told(one)
    found = [stream.next() for _ in expected]
    assert found == [(notice["type"], str(notice["position"]), notice) for notice in expected]
    assert {notice["game"] for notice in expected} == games
    stream.close()
    again = Feed(one, Last_Event_ID="1")
    assert again.next()[:2] == ("turns", "1")
    assert [again.next()[2] for _ in expected[1:]] == expected[1:]
    again.close()


def test_a_second_stream_of_a_token_ends_the_first(fresh, settings):
    """In this process and in others; that of another token goes on."""
    (one,) = fresh("One")
    token = one.post("/v1/me/tokens", {"label": "two", "scopes": ["game:read"]}, status=201)["token"]
    app = create_app(replace(settings, heartbeat=60.0))
    hub, here = app.extensions["hub"], one.app.extensions["rutter"]
    first, apart = Feed(one), Feed(Api(one.app, token))
    assert (first.next()[0], apart.next()[0]) == ("turns", "turns")
    until(lambda: here.hints.hearing, "hints are heard")
    second = Feed(Api(app, one.token))
    assert second.next()[0] == "turns"
    assert first.next() == ("closing", None, {"replaced": True})
    third = Feed(Api(app, one.token))
    assert third.next()[0] == "turns"
    assert second.next() == ("closing", None, {"replaced": True})
    third.close()
    second.close()
    apart.wait_for_comment()
    apart.close()
    assert hub.count == 0
    app.extensions["rutter"].close()


def test_a_stream_ends_with_its_token(fresh):
    (one,) = fresh("One")
    made = one.post("/v1/me/tokens", {"label": "two", "scopes": ["game:read"]}, status=201)
    stream = Feed(Api(one.app, made["token"]))
    assert stream.next()[0] == "turns"
    one.call("DELETE", f"/v1/me/tokens/{made['id']}", status=204)
    assert stream.next() == ("closing", None, {})


def test_who_may_not_read_is_told_nothing(fresh, api):
    (one,) = fresh("One")
    token = one.post("/v1/me/tokens", {"label": "play", "scopes": ["game:play"]}, status=201)["token"]
    for path in ("/v1/me/turns", "/v1/me/notices", "/v1/me/stream"):
        assert Api(one.app, token).refused("GET", path) == (403, "missing_scope")
        assert api.refused("GET", path) == (401, "unauthenticated")
    assert one.refused("GET", "/v1/me/stream", Last_Event_ID="x") == (400, "invalid_parameters")


def test_the_stream_of_a_game_says_what_to_do(fresh):
    """After the events of each command, for the seat that listens; a spectator is told nothing of it."""
    one, other = fresh("One", "Other")
    game_id = join_all(one, other)
    streams = {seat: Stream(who, game_id, turns=True) for seat, who in enumerate((one, other))}
    watching = Stream(Api(one.app), game_id, turns=True)
    assert watching.next()[0] == "game"
    for seat, stream in streams.items():
        assert stream.next()[0] == "game"
        _check_turn(stream.next(), seat, (one, other)[seat], game_id)
    for _ in range(6):
        happened = move((one, other), game_id)
        assert watching.events(happened["seq"])[-1]["seq"] == happened["seq"]
        for seat, stream in streams.items():
            assert stream.events(happened["seq"])[-1]["seq"] == happened["seq"]
            _check_turn(stream.next(), seat, (one, other)[seat], game_id)
    resumed = Stream(one, game_id, turns=True, Last_Event_ID=str(happened["seq"]))
    _check_turn(resumed.next(), 0, one, game_id)
    resumed.wait_for_comment()  # and no second time
    for stream in (*streams.values(), watching, resumed):
        stream.close()


def _check_turn(message, seat, one, game_id):
    event, position, turn = message
    assert (event, position) == ("turn", None)
    now = one.get(f"/v1/games/{game_id}/decisions")
    legal = [{**move, "command": {**move["command"], "seat": seat}} for move in now["legal"]]
    assert turn == {"game": game_id, "seat": seat, **now, "legal": legal}


def test_one_stream_is_enough_to_play_all_games(fresh):
    """Twenty of them. With `legal=true` it says what to do in each, once after a command that awaits me."""
    people = tuple(fresh("One", "Other"))
    games = [join_all(*people) for _ in range(20)]
    people[0].project()
    seat = min(awaited(people[0], games[0]))
    me = people[seat]
    stream = Feed(me, "?legal=true")
    event, _, data = stream.next()
    mine = {turn["game"] for turn in data["turns"]}
    assert (event, mine) == ("turns", {game for game in games if seat in awaited(me, game)})
    found = [stream.next() for _ in mine]
    assert {data["game"] for _, _, data in found} == mine
    for message in found:
        _check_turn(message, seat, me, message[2]["game"])
    for _ in range(12):
        happened = move(people, games[0])
        if seat in awaited(me, games[0]):
            event, position, data = stream.next()
            assert data["seq"] == happened["seq"]
            _check_turn((event, position, data), seat, me, games[0])
    stream.close()


@pytest.mark.parametrize("read_model", ["lobby", "turn", "notice"])
def test_a_stream_that_begins_while_a_turn_is_told_hears_of_it(fresh, monkeypatch, read_model):
    """In its first message or as a notice, wherever the read models are with it; and always what to do."""
    (one,) = fresh("One")
    game_id = one.post("/v1/games", GameRequest(seats=[You(), You()]), status=201)["id"]
    streams, projection = [], PROJECTIONS[read_model]

    def write(connection, rows):
        told = projection.write(connection, rows)
        if not streams:
            streams.append(Feed(one, "?legal=true"))
            streams.append(streams[0].next())
        return told

    monkeypatch.setitem(PROJECTIONS, read_model, replace(projection, write=write))
    one.project()
    stream, (event, _, listed) = streams
    found = stream.signs_of_life(1)
    stream.close()
    assert event == "turns"
    heard = [chunk.decode().partition("\n")[0] for chunk in found]
    assert "event: turn" in heard, "it says what to do"
    assert listed["turns"] or "event: game.your_turn" in heard
    assert {turn["game"] for turn in listed["turns"]} <= {game_id}


def test_little_time_left_is_told_once(fresh, pool):
    """When a tenth of the time is left, and a minute at the least; not again for the same deadline."""
    one, other = fresh("One", "Other")
    clock = {"kind": "correspondence", "per_decision_ms": 3_600_000, "bank_ms": 0, "first_ms": 0}
    game_id = one.post("/v1/games", GameRequest(seats=[You(), Open()], clock=clock), status=201)["id"]
    other.post(f"/v1/games/{game_id}/join", {})
    one.project()
    (turn,) = [turn for who in (one, other) for turn in who.get("/v1/me/turns")["turns"]][:1]
    who = (one, other)[turn["seat"]]
    assert who.me["id"] not in notices.notify_deadlines(pool, add_milliseconds(turn["deadline"], -361_000))
    assert who.me["id"] in notices.notify_deadlines(pool, add_milliseconds(turn["deadline"], -359_000))
    assert who.me["id"] not in notices.notify_deadlines(pool, turn["deadline"])
    (notice,) = told(who, "game.deadline_near")
    assert (notice["game"], notice["data"]) == (game_id, {"seat": turn["seat"], "deadline": turn["deadline"]})


def test_who_plays_directs_or_made_a_game_is_told_of_it(fresh, api):
    """Nobody else: those who only look on hear nothing of a private game nor of a public one."""
    one, other, director, stranger = fresh("One", "Other", "Director", "Stranger")
    request = GameRequest(seats=[Open(), Open()], directors=[director.me["id"]], visibility="unlisted")
    game_id = one.post("/v1/games", request, status=201)["id"]
    third = api.account("Third")
    for sits in (other, third):
        sits.post(f"/v1/games/{game_id}/join", {})
    commands = f"/v1/games/{game_id}/commands"
    offered = third.post(commands, {"type": "table_offer", "what": "end"})["seq"]
    left = third.post(commands, {"type": "table_leave"})["seq"]
    stranger.get(f"/v1/games/{game_id}")
    one.project()
    types = {
        who.me["name"]: {n["type"] for n in told(who)} for who in (one, other, third, director, stranger)
    }
    assert types["Stranger"] == set()
    staff = {"game.begun", "game.vacated", "game.finished"}
    assert types["Director"] | {"game.finished"} == staff
    assert types["One"] == types["Director"]
    assert types["Other"] >= {"game.begun", "game.offer", "game.vacated"}
    assert "game.offer" not in types["Third"]
    (offer,) = told(other, "game.offer")
    assert (offer["seq"], offer["data"]) == (
        offered,
        {"seat": 0, "offer": 1, "what": "end", "by": 1, "until": None},
    )
    for who, seat in ((other, 0), (third, 1)):
        (vacated,) = told(who, "game.vacated")
        assert (vacated["seq"], vacated["data"]) == (left, {"seat": seat, "vacated": 1, "reason": "left"})


def test_the_maker_of_a_table_that_is_stuck_is_told_once(fresh, pool):
    """When a task of its game was set aside."""
    one, other = fresh("One", "Other")
    game_id = join_all(one, other)
    one.project()
    failed_tasks.record(pool, game_id, "house", 7, "ValueError: no", final=True)
    assert notices.notify_halted(pool) == [one.me["id"]]
    assert notices.notify_halted(pool) == []
    (notice,) = told(one, "table.stuck")
    assert (notice["game"], notice["seq"], notice["data"]) == (game_id, 7, {})
    assert told(other, "table.stuck") == []
