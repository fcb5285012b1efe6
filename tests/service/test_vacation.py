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
    assert vacations.apply_vacations(process.games, process.pool, clock()) == 0, (
        "somebody else sits there by now"
    )
    claim = process.games.load(game_id).claims[0]
    process.seat_claims.claim(claim, game_id, account, [0])
    ada.project()
    assert vacations.apply_vacations(process.games, process.pool, clock()) == 1
    assert vacations.apply_vacations(process.games, process.pool, clock()) == 0
    sits = process.games.load(game_id).seats[0]
    assert sits.vacation == "2026-03-15T12:00:00.000000Z"
    clock.wait(3600)
    ada.call("DELETE", "/v1/me/vacation")
    assert process.games.load(game_id).seats[0].vacation is None
