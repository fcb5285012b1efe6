"""How reliable players are, whose misses they are, and tables for reliable players only."""

from __future__ import annotations

import pytest

from events.base.timestamps import DAY_MS
from events.clocks.clock import LiveClock
from events.table.clock_updates import seat_deadline
from projections.read_models import reliability
from projections.rebuild import rebuild
from tests.clock import Clock
from tests.service.factories import GameRequest, Open, You
from tests.service.play.test_at_table import audit, give, path, refused
from tests.service.play.test_clocks import others_move, sweep

pytestmark = pytest.mark.integration

LIVE = {"kind": "live", "base_ms": 60_000, "increment_ms": 30_000}


@pytest.fixture
def house(app, monkeypatch):
    """The service's games, at a time that the test sets."""
    games = app.extensions["rutter"].games
    monkeypatch.setattr(games, "now", Clock("2026-03-01T12:00:00.000000Z"))
    return games


@pytest.fixture
def people(api):
    return [api.account(name) for name in ("Ada", "Bob", "Cid", "Dan")]


def table(people, **settled):
    """A running game of three with a clock."""
    ada, *others = people[:3]
    game = ada.post(
        "/v1/games", GameRequest(seats=[You(), Open(), Open()], clock=LIVE, **settled), status=201
    )
    for one in others:
        one.post(path(game, "/join"), {})
    return game["id"]


def answers(games, game, seat, times):
    """*seat* gives its default so often, the others play meanwhile."""
    for _ in range(times):
        now = others_move(games, game, seat)
        decision = next(d for d in now.title.awaited(now.state) if d.seat == seat)
        games.now.wait(1)
        games.command(game, seat, now.title.default(now.state, decision))


def of(api, one):
    """How reliable an account is called, and on what grounds."""
    process = api.app.extensions["rutter"]
    return reliability.read_record(process.pool, one.me["id"], process.games.now())


def miss(games, game, seat):
    """*seat* lets its time run out."""
    now = others_move(games, game, seat)
    games.now.go_to(seat_deadline(now, seat))
    sweep(games)


def test_what_was_due_and_what_was_answered_in_time(api, people, house):
    """Answers in time count for a player, time-outs and answers that came late against them; with fewer than
    twenty they count as 100, and what is older than ninety days does not count at all.
    """
    _, bob, *_ = people
    game = table(people, absence={"misses": 100, "least_people": 1})
    answers(house, game, 1, 15)
    miss(house, game, 1)
    assert bob.get("/v1/me")["account"]["reliability"] == 100
    now = others_move(house, game, 1)
    house.now.go_to(seat_deadline(now, 1))
    house.now.wait(0.001)  # late, but no time-out stands in the log
    answers(house, game, 1, 4)
    api.project()
    told = of(api, bob)
    assert (told.due, told.answered) == (20, 18)
    for where in (f"/v1/accounts/{bob.me['id']}", "/v1/me"):
        shown = bob.get(where)
        assert shown.get("account", shown)["reliability"] == 90
    house.now.wait(91 * DAY_MS // 1000)
    assert of(api, bob).due == 0
    assert bob.get("/v1/me")["account"]["reliability"] == 100


def test_the_miss_is_the_leavers_not_the_newcomers(api, people, house):
    """Bob's time runs out and Dan takes the seat: Bob's record has the miss, Dan's begins with the tenure."""
    _, bob, _, dan = people
    game = table(people, absence={"misses": 1, "then": "open", "least_people": 1})
    answers(house, game, 1, 2)
    miss(house, game, 1)
    give(dan, game, "seat", seat=1)
    assert house.load(game).seats[1].tenure == 2
    assert dan.get(path(game, "/events?limit=1"))["events"][0]["seq"] == 1
    answers(house, game, 1, 1)
    api.project()
    assert of(api, bob) == reliability.ReliabilityRecord(3, 2)
    assert of(api, dan) == reliability.ReliabilityRecord(1, 1)


def test_a_table_for_reliable_players(api, people, house, monkeypatch):
    """Those who answer too few decisions neither join it nor takes over a seat; the log says what it asked
    for, and its bundle holds.
    """
    ada, bob, cid, dan = people
    monkeypatch.setattr(reliability, "LEAST_DECISIONS", 3)
    played = table(people, absence={"misses": 100, "least_people": 1})
    answers(house, played, 1, 2)
    miss(house, played, 1)
    api.project()
    asked = GameRequest(
        seats=[You(), Open(), Open()], clock=LIVE, seating={"reliability": 67}, absence={"then": "open"}
    )
    game = ada.post("/v1/games", asked, status=201)["id"]
    assert bob.refused("POST", path(game, "/join"), {}) == (403, "not_eligible")
    for one in (cid, dan):
        assert one.post(path(game, "/join"), {})["seating"] == {"reliability": 67}
    give(cid, game, "leave")
    assert refused(bob, game, "seat", seat=1) == (403, "not_eligible")
    give(cid, game, "return")
    opened = ada.get(path(game, "/events?limit=1"))["events"][0]
    assert opened["data"]["seating"] == {"reliability": 67}
    assert audit(ada, game, partial=True).events == house.load(game).seq
    wrong = {**asked, "seating": {"reliability": 101}}
    assert ada.refused("POST", "/v1/games", wrong) == (422, "invalid_parameters")


def test_it_is_built_again_the_same_and_goes_with_the_account(api, people, house, pool):
    """From the log and the claims; who is deleted is named by no row, and others keep theirs."""
    _, bob, cid, _ = people
    game = table(people, absence={"least_people": 1})
    answers(house, game, 1, 3)
    answers(house, game, 2, 1)
    api.project()
    before = of(api, cid)
    (built,) = rebuild(house.log, ["reliability"])
    assert built.equal
    assert built.rows_after > 3
    assert len(bob.get("/v1/me/export")["reliability"]) == of(api, bob).due
    account = bob.me["id"]
    bob.send("DELETE", "/v1/me", {"confirm": "Bob"})
    with pool.connection() as connection:
        named = "SELECT count(*) FROM reliability WHERE account_id = %s"
        assert connection.execute(named, (account,)).fetchone() == (0,)
    assert of(api, cid) == before
    assert rebuild(house.log, ["reliability"])[0].equal


def test_a_list_of_games_tells_the_first_deadline(api, people, house):
    """The earliest of all who are on the clock; null where nobody is. And who may see the game."""
    ada, *_ = people
    game = table(people)
    api.project()
    now = house.load(game)
    first = min(until for seat in range(3) if (until := seat_deadline(now, seat)))
    free = ada.post("/v1/games", GameRequest(visibility="unlisted"), status=201)["id"]
    api.project()
    listed = {one["id"]: one for one in ada.get("/v1/games")["games"]}
    assert (listed[game]["deadline"], listed[game]["visibility"]) == (first, "public")
    assert (listed[free]["deadline"], listed[free]["visibility"]) == (None, "unlisted")
    assert listed[game]["tournament"] is None
    assert isinstance(now.clock, LiveClock)
