"""Clocks over HTTP: asked for, shown, counted, and proved by the bundle."""

from __future__ import annotations

import pytest

from events.base.settings import WrongSetting
from events.base.timestamps import add_milliseconds
from events.table.clock_updates import seat_deadline
from projections.base.server_clock import make_clock
from projections.health import heartbeat
from projections.runner import Runner
from service.base.settings import Settings
from tests.clock import Clock
from tests.service.factories import Bot, GameRequest, Open, You
from tests.service.seats.test_opening import audit
from tests.titles.example.steps import CHOOSE, ChooseSail
from workers import jobs, timers

pytestmark = pytest.mark.integration

LIVE = {"kind": "live", "base_ms": 60_000, "increment_ms": 10_000}
SLOW = {"kind": "correspondence", "per_decision_ms": 86_400_000, "bank_ms": 259_200_000}


@pytest.fixture
def ada(api):
    return api.account("Ada")


@pytest.fixture
def house(api, monkeypatch):
    """The service's games, at a time that the test sets."""
    games = api.app.extensions["rutter"].games
    monkeypatch.setattr(games, "now", Clock())
    return games


def sweep(games):
    """The server does what is due."""
    games.log.sequence()
    runner = Runner(games.log)
    while runner.step():
        pass
    heartbeat.beat(games.log.pool)
    timers.run_due_timers(games, games.log.pool, games.now())


def others_move(games, game_id, seat):
    """All but *seat* play until it alone is asked, or the game has ended."""
    while True:
        game = games.load(game_id)
        others = [d for d in game.title.awaited(game.state) if d.seat != seat]
        if game.has_ended or not others:
            return game
        decision = others[0]
        if decision.seat is not None and game.seats[decision.seat].bot:
            jobs.make_bot_move(games, game, decision)
        else:
            games.command(game.id, decision.seat, game.title.default(game.state, decision))


def test_an_absent_seat_is_timed_out_a_bot_plays_on_and_the_bundle_holds(ada, api, house):
    """A live game over HTTP where one seat never answers: three time-outs, then a bot until the end."""
    seats = [You(), Open(), Bot(bot="random")]
    asked = GameRequest(seats=seats, clock=LIVE, absence={"least_people": 1, "then": "defaults"})
    game = ada.post("/v1/games", asked, status=201)
    path = f"/v1/games/{game['id']}"
    api.account("Bob").post(f"{path}/join", {})
    for _ in range(3):
        others_move(house, game["id"], 0)
        shown = ada.get(path)["clock"]
        assert shown["now"] == house.now()
        mine = shown["seats"][0]
        assert (mine["seat"], mine["on"]) == (0, True)
        asked_of_me = [d for d in ada.get(f"{path}/decisions")["decisions"] if d["seat"] == 0]
        assert {d["deadline"] for d in asked_of_me if not d["free"]} == {mine["deadline"]}
        house.now.go_to(mine["deadline"])
        sweep(house)
    told = ada.get(f"{path}/events?limit=1000")["events"]
    timed_out = [event for event in told if event["type"] == "SeatTimedOut"]
    assert [event["data"]["misses"] for event in timed_out] == [1, 2, 3]
    assert all(event["command"]["type"] == "table_time_out" for event in timed_out)
    assert timed_out[0]["clock"]["spent"]["p0"] == 60_000
    given = [event["data"] for event in told if event["type"] == "SeatGiven"]
    assert [(data["seat"], data["bot"], data["tenure"]) for data in given] == [(0, "defaults", 2)]
    assert others_move(house, game["id"], -1).has_ended
    report = audit(ada, ada.get(path))
    assert report.status == "finished"


def test_the_operator_is_told_of_wrong_clocks_and_of_rules_that_fail(ada, api, house):
    """How far this host's clock is behind the newest event; and how many games are stopped because the rules
    refuse their own default: the seat is vacant, the table paused, and the sweep does not try again.
    """
    given = CHOOSE.default
    seats = [You(), Bot(bot="random")]
    asked = GameRequest(title="example", seats=seats, clock=LIVE, absence={"least_people": 1, "misses": 3})
    game = ada.post("/v1/games", asked, status=201)["id"]
    house.now.go_to(seat_deadline(others_move(house, game, 0), 0))
    before = figures(ada)["rutter_tables_stuck"]
    object.__setattr__(CHOOSE, "default", lambda _state, _seat: ChooseSail(99))
    try:
        for _ in range(3):
            sweep(house)
    finally:
        object.__setattr__(CHOOSE, "default", given)
    api.project()
    told = [event["type"] for event in ada.get(f"/v1/games/{game}/events?limit=1000")["events"]]
    assert told[-3:] == ["SeatTimedOut", "SeatVacated", "TablePaused"]
    assert ada.get(f"/v1/games/{game}")["paused"]["cause"] == "error"
    now = figures(ada)
    assert (now["rutter_tables_stuck"], now["rutter_clock_behind_ms"]) == (before + 1, 0)
    house.now.at = add_milliseconds(house.load(game).at, -5000)
    assert figures(ada)["rutter_clock_behind_ms"] == 5000


def test_nothing_happens_by_looking(ada, house):
    """However long the time of a seat has been up: until the server acts, all say the same."""
    seats = [You(), Bot(bot="random")]
    game = ada.post("/v1/games", GameRequest(seats=seats, clock=LIVE), status=201)["id"]
    others_move(house, game, 0)
    stands = house.load(game)
    house.now.wait(10**7)
    for what in ("", "/decisions", "/table", "/events", "/history", "/roster", "/audit"):
        ada.send("GET", f"/v1/games/{game}{what}")
    for where in ("/v1/games", "/v1/games?mine=true", "/v1/me"):
        ada.get(where)
    assert house.load(game) == stands
    assert ada.get(f"/v1/games/{game}")["clock"]["seats"][0]["deadline"] < house.now()


def figures(api):
    """What /metrics says, of figures without labels."""
    lines = api.send("GET", "/metrics").text.splitlines()
    return {words[0]: float(words[1]) for line in lines if len(words := line.split()) == 2}


def test_what_is_left_out_is_settled(ada):
    """The settings are told whole, and a table without a clock says so."""
    alone = [You(), Bot(), Bot()]
    game = ada.post("/v1/games", GameRequest(clock=SLOW, seats=alone), status=201)
    told = game["clock"]["settings"]
    assert (told["stretch_ms"], told["bank_cap_ms"]) == (3 * 86_400_000, 259_200_000)
    assert (game["absence"]["excuses"], game["absence"]["misses"]) == (1, 2)
    live = ada.post("/v1/games", GameRequest(clock=LIVE, seats=alone), status=201)
    assert live["clock"]["settings"]["cap_ms"] == 120_000
    assert (live["absence"]["misses"], live["absence"]["then"]) == (3, "bot:steady")
    for none in ({"kind": "none"}, None):
        without = ada.post("/v1/games", GameRequest(clock=none), status=201)
        assert without["clock"] is None
        assert without["absence"] is None


@pytest.mark.parametrize(
    ("member", "value", "field"),
    [
        ("clock", {"kind": "hourglass"}, "kind"),
        ("clock", {"kind": "none", "base_ms": 1}, "base_ms"),
        ("clock", {"kind": "live"}, "base_ms"),
        ("clock", {"kind": "live", "base_ms": 9_999}, "base_ms"),
        ("clock", {**LIVE, "increment_ms": 600_001}, "increment_ms"),
        ("clock", {**LIVE, "lag_ms": 2_001}, "lag_ms"),
        ("clock", {**LIVE, "per_decision_ms": 1}, "per_decision_ms"),
        ("clock", {**SLOW, "per_decision_ms": 59_999}, "per_decision_ms"),
        ("clock", {**SLOW, "bank_ms": 61 * 86_400_000}, "bank_ms"),
        ("clock", {**SLOW, "quiet": {"days": [8]}}, "quiet"),
        ("clock", {**SLOW, "quiet": {"zone": "Europe/Lisbon"}}, "quiet"),
        ("absence", {"then": "bot:nobody"}, "then"),
        ("absence", {"misses": 0}, "misses"),
        ("absence", {"after_miss_ms": 999}, "after_miss_ms"),
    ],
)
def test_settings_out_of_bounds_are_named(ada, member, value, field):
    """422, with the field that is wrong."""
    answer = ada.send("POST", "/v1/games", GameRequest(**{member: value}))
    assert answer.status_code == 422, answer.text
    problem = answer.get_json()
    assert problem["code"] == "invalid_parameters"
    assert field in problem["errors"][member]


@pytest.mark.parametrize(
    "clock",
    [
        {**LIVE, "cap_ms": 59_999},
        {**SLOW, "bank_cap_ms": SLOW["bank_ms"] - 1},
        {**SLOW, "stretch_ms": SLOW["per_decision_ms"] - 1},
    ],
)
def test_settings_that_contradict_each_other_are_refused(ada, clock):
    """409, as for all that no schema can say."""
    assert ada.refused("POST", "/v1/games", GameRequest(clock=clock)) == (409, "invalid_terms")


def test_the_time_of_tests_is_for_tests(tmp_path):
    """An offset in a file, read each time; refused where no tests are run."""
    file = tmp_path / "offset"
    env = {"RUTTER_TEST_CLOCK": str(file), "RUTTER_ENV": "test"}
    now = make_clock(env)
    before = now()
    file.write_text("86400000")
    assert now() >= add_milliseconds(before, 86_400_000)
    assert Settings.from_environment(env).now() >= add_milliseconds(before, 86_400_000)
    with pytest.raises(WrongSetting):
        make_clock({"RUTTER_TEST_CLOCK": str(file)})
