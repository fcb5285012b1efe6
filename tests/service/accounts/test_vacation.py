"""Vacations over the API, and the server that applies it to games."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from events.clocks import clock as clocks
from events.clocks.absence_policy import Absence
from events.rules.catalogue import find_title
from events.store.games import SeatPlan, new_id
from events.table.commands.leaving import TableLeave, TableReturn
from events.table.terms import Terms
from tests.clock import Clock
from workers import vacations

pytestmark = pytest.mark.integration

DAY = timedelta(days=1)
SLOW = clocks.parse_settings(
    {"kind": "correspondence", "per_decision_ms": 86_400_000, "vacation_ms": 14 * 86_400_000}
)


@pytest.fixture
def clock(clock):
    """It is spring: no year ends while a test runs."""
    clock.at = Clock().at
    return clock


@pytest.fixture
def ada(api):
    return api.account("Ada")


def away(ada, clock, **wanted):
    now = datetime.fromisoformat(clock())
    return ada.post(
        "/v1/me/vacation", {name: (now + DAY * days).isoformat() for name, days in wanted.items()}
    )


def test_thirty_days_a_year(ada, clock):
    """What was not used is given back; more is refused; nobody is on vacation in the past."""
    assert ada.get("/v1/me/vacation") == {"from": None, "until": None, "left_ms": 30 * 86_400_000}
    assert away(ada, clock, until=10)["left_ms"] == 20 * 86_400_000
    clock.wait(2 * 86_400)
    back = ada.call("DELETE", "/v1/me/vacation")
    assert back == {"from": None, "until": None, "left_ms": 28 * 86_400_000}
    planned = {"from": 3, "until": 8}
    assert away(ada, clock, **planned)["left_ms"] == 23 * 86_400_000
    late = (datetime.fromisoformat(clock()) + 40 * DAY).isoformat()
    assert ada.refused("POST", "/v1/me/vacation", {"until": late}) == (409, "vacation_spent")
    past = (datetime.fromisoformat(clock()) - DAY).isoformat()
    assert ada.refused("POST", "/v1/me/vacation", {"until": past}) == (409, "not_ahead")
    for body in ({"until": "soon"}, {}):
        assert ada.refused("POST", "/v1/me/vacation", body) == (422, "invalid_parameters")


def at(clock, when):
    """It is another time now."""
    clock.at = when
    return clock


def plan(ada, begins, ends, status=200):
    return ada.post("/v1/me/vacation", {"from": begins, "until": ends}, status=status)


def left(ada):
    """The days that are left of this year."""
    return ada.get("/v1/me/vacation")["left_ms"] / 86_400_000


def test_a_plan_for_next_year_gives_no_days_of_this_one(ada, clock):
    """It is planned and deleted again: what was used of this year stays used."""
    away(ada, clock, until=30)
    clock.wait(31 * 86_400)
    assert left(ada) == 0
    assert plan(ada, "2027-02-01T00:00:00Z", "2027-02-02T00:00:00Z")["left_ms"] == 0
    assert ada.call("DELETE", "/v1/me/vacation")["left_ms"] == 0
    assert left(ada) == 0
    soon = (datetime.fromisoformat(clock()) + DAY).isoformat()
    assert ada.refused("POST", "/v1/me/vacation", {"until": soon}) == (409, "vacation_spent")
    at(clock, "2027-01-05T00:00:00.000000Z")
    assert left(ada) == 30


def test_a_vacation_over_new_year_counts_for_both_years(ada, clock):
    at(clock, "2026-12-20T00:00:00.000000Z")
    assert plan(ada, "2026-12-22T00:00:00Z", "2027-01-21T00:00:00Z")["left_ms"] == 20 * 86_400_000
    at(clock, "2027-01-11T00:00:00.000000Z")
    assert left(ada) == 10
    assert ada.call("DELETE", "/v1/me/vacation")["left_ms"] == 20 * 86_400_000
    plan(ada, "2027-06-01T00:00:00Z", "2027-06-21T00:00:00Z")
    assert left(ada) == 0
    at(clock, "2026-12-31T00:00:00.000000Z")
    assert left(ada) == 20


def test_each_year_has_its_own_thirty_days(ada, clock):
    """Sixty days in a row are two years' vacation; a day more of either is too many."""
    at(clock, "2026-11-01T00:00:00.000000Z")
    whole = ("2026-12-02T00:00:00Z", "2027-01-31T00:00:00Z")
    for begins, ends, year in (
        ("2026-12-01T00:00:00Z", whole[1], 2026),
        (whole[0], "2027-02-01T00:00:00Z", 2027),
        ("2026-12-31T00:00:00Z", "2029-01-01T00:00:00Z", 2027),
    ):
        refused = plan(ada, begins, ends, status=409)
        assert (refused["code"], str(year) in refused["detail"]) == ("vacation_spent", True)
    assert left(ada) == 30
    assert plan(ada, *whole) == {
        "from": "2026-12-02T00:00:00.000000Z",
        "until": "2027-01-31T00:00:00.000000Z",
        "left_ms": 0,
    }
    assert ada.get("/v1/me/export")["vacations"] == [
        {
            "year": year,
            "used_ms": 30 * 86_400_000,
            "begins": "2026-12-02T00:00:00Z",
            "ends": "2027-01-31T00:00:00Z",
        }
        for year in (2026, 2027)
    ]
    assert ada.call("DELETE", "/v1/me/vacation")["left_ms"] == 30 * 86_400_000


def test_the_house_tells_my_games(ada, clock, process):
    """Once for each vacation, at most as long as the game has settled; who comes back early is back."""
    title = find_title("colonial_empires")
    account = process.accounts.find(ada.me["id"])
    claim = "11111111-1111-4111-8111-111111111111"

    def seated():
        process.seat_claims.claim(claim, game_id, account, [-1, 0])
        return {}

    game_id = new_id()
    plans = [SeatPlan(), SeatPlan("random"), SeatPlan("random")]
    process.games.create(
        title,
        title.Options(),
        plans,
        game_id=game_id,
        command_id=claim,
        terms=Terms(clock=SLOW, absence=Absence(least_people=0)),
        seated=seated,
    )
    away(ada, clock, until=20)
    ada.project()
    process.games.table_command(game_id, 0, TableLeave())
    process.games.table_command(game_id, 0, TableReturn(process.games.load(game_id).past[-1].who))
    assert (
        vacations.apply_vacations(
            process.games, process.pool, vacations.find_vacations(process.pool, clock())
        )
        == 0
    ), "somebody else sits there by now"
    claim = process.games.load(game_id).claims[0]
    process.seat_claims.claim(claim, game_id, account, [0])
    ada.project()
    assert (
        vacations.apply_vacations(
            process.games, process.pool, vacations.find_vacations(process.pool, clock())
        )
        == 1
    )
    assert (
        vacations.apply_vacations(
            process.games, process.pool, vacations.find_vacations(process.pool, clock())
        )
        == 0
    )
    sits = process.games.load(game_id).seats[0]
    assert sits.vacation == "2026-03-15T12:00:00.000000Z"
    clock.wait(3600)
    ada.call("DELETE", "/v1/me/vacation")
    assert process.games.load(game_id).seats[0].vacation is None
