"""Time on a running service, as a stranger meets it: its clock is set ahead, and nothing
is known of the server but what it answers.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ops.runtime.servers import Servers
from tests import installation
from tests.acceptance.client import Client
from tests.acceptance.up import OWN_TITLES, RutterUp
from tests.servers import reachable_folder, ready_data
from tests.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.slow]

HOUR = 3_600_000
DAY = 24 * HOUR
LETTERS = {
    "kind": "correspondence",
    "per_decision_ms": HOUR,
    "bank_ms": 0,
    "bank_add_ms": 0,
    "bank_cap_ms": 0,
    "first_ms": 0,
    "stretch_ms": 3 * HOUR,
    "vacation_ms": 14 * DAY,
}
ROUND = timedelta(minutes=5)
"""How late the server, or a client of a loaded machine, may be."""


class Time:
    """The time of the service, which a file sets."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "clock"
        self.file.write_text("0")

    @property
    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(milliseconds=int(self.file.read_text()))

    def go(self, when: datetime) -> None:
        """From now on it is *when*."""
        fresh = self.file.with_suffix(".new")
        fresh.write_text(str(round((when - datetime.now(UTC)).total_seconds() * 1000)))
        fresh.replace(self.file)

    def next(self, hour: int, minute: int, days: range) -> datetime:
        """The next time that it is so late on one of these days of the week (1 is Monday)."""
        when = self.now.replace(hour=hour, minute=minute, second=0, microsecond=0)
        while when <= self.now or when.isoweekday() not in days:
            when += timedelta(days=1)
        return when


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Time:
    return Time(reachable_folder(tmp_path_factory.mktemp("time")))


@pytest.fixture(scope="module")
def rutter(tmp_path_factory: pytest.TempPathFactory, clock: Time) -> Iterator[RutterUp]:
    settings = {**OWN_TITLES, "RUTTER_ENV": "test", "RUTTER_TEST_CLOCK": str(clock.file)}
    running = RutterUp(ready_data(tmp_path_factory.mktemp("up") / "data"), settings=settings)
    try:
        running.start()
        yield running
    finally:
        running.discard()


@pytest.fixture(scope="module")
def people(rutter: RutterUp) -> list[Client]:
    return [Client(rutter.address).account(name) for name in ("Ada", "Bob", "Cid")]


def table(people: list[Client], clock: dict[str, Any], **settled: Any) -> str:
    seats = [{"you": True}, {"open": True}, {"open": True}]
    wish = {"title": "colonial_empires", "seats": seats, "clock": clock, **settled}
    game = people[0].call("POST", "/v1/games", wish, status=201)["id"]
    for one in people[1:]:
        one.call("POST", f"/v1/games/{game}/join", {})
    return str(game)


def due(one: Client, game: str) -> dict[int, datetime]:
    """By seat until when it must answer."""
    asked = one.get(f"/v1/games/{game}/decisions")["decisions"]
    return {d["seat"]: datetime.fromisoformat(d["deadline"]) for d in asked if d["deadline"]}


def log(one: Client, game: str) -> list[dict[str, Any]]:
    """All events as *one* may see them."""
    page = one.get(f"/v1/games/{game}/events?limit=1000")
    assert page["next"] is None
    found: list[dict[str, Any]] = page["events"]
    return found


def told(one: Client, game: str, kind: str, seat: int) -> list[dict[str, Any]]:
    """What the log says of a seat in events of one kind."""
    return [e["data"] for e in log(one, game) if e["type"] == kind and e["data"].get("seat") == seat]


def answer(one: Client, game: str) -> dict[str, Any]:
    """The first of one's legal commands; the note on the clocks."""
    legal = one.get(f"/v1/games/{game}/decisions")["legal"][0]["command"]
    done = one.call("POST", f"/v1/games/{game}/commands", legal)
    return next(e["clock"] for e in done["events"] if "clock" in e)


def verifies(one: Client, game: str, folder: Path) -> None:
    """The copy of *one* holds, times and clocks included."""
    file = folder / f"{game}.ndjson"
    file.write_bytes(one.send("GET", f"/v1/games/{game}/audit").body)
    run = subprocess.run(
        installation.rutter("verify", "--partial", str(file)), cwd=installation.HOME, capture_output=True,
        text=True, check=False, env={**os.environ, **installation.paths()},
    )  # fmt: skip
    # No key was named, which is all that is not checked.
    assert run.stdout.startswith("INCOMPLETE (a seat's copy)"), run.stdout + run.stderr
    assert run.returncode == 3, run.stdout + run.stderr


def any_timed_out(one: Client, game: str) -> bool:
    """Return True once somebody's time is up."""
    return any(event["type"] == "SeatTimedOut" for event in log(one, game))


def was_away(data: Path, seconds: float) -> None:
    """Set the last signs of life of a stopped service back, as if it had been away for longer."""
    with (
        Servers(data, environment={}) as servers,
        psycopg.connect(servers.owner_url, autocommit=True) as connection,
    ):
        connection.execute("UPDATE house_heartbeat SET at = at - make_interval(secs => %s)", [seconds])


def test_a_night_and_a_weekend_do_not_count(clock, people, tmp_path):
    """Half past nine at offset +1, quiet from ten to seven: an hour ends at half past seven, and until then
    nobody's time is up. Friday eight o'clock and a day, weekends quiet: Monday eight o'clock; who answers an
    hour before has spent 23 hours.
    """
    ada = people[0]
    evening = clock.next(20, 30, range(1, 5))
    clock.go(evening)
    night = {"offset_min": 60, "from_min": 1320, "to_min": 420, "days": []}
    game = table(people, {**LETTERS, "quiet": night})
    asked = due(ada, game)
    assert asked
    assert all(timedelta() <= when - evening - timedelta(hours=10) < ROUND for when in asked.values())
    seat = min(asked)
    for early in (timedelta(minutes=130), timedelta(minutes=10)):
        beside = table(people, LETTERS)
        clock.go(asked[seat] - early)
        until(lambda: any_timed_out(ada, beside), "the server came by")  # noqa: B023 - called at once
    assert not told(ada, game, "SeatTimedOut", seat)
    clock.go(asked[seat] + timedelta(seconds=1))
    until(lambda: told(ada, game, "SeatTimedOut", seat), "the time of the seat is up")
    verifies(ada, game, tmp_path)
    friday = clock.next(19, 0, range(5, 6))
    clock.go(friday)
    weekend = {"offset_min": 60, "from_min": 0, "to_min": 0, "days": [6, 7]}
    game = table(people, {**LETTERS, "per_decision_ms": DAY, "stretch_ms": 3 * DAY, "quiet": weekend})
    asked = due(ada, game)
    assert all(timedelta() <= when - friday - timedelta(days=3) < ROUND for when in asked.values())
    seat = min(asked)
    clock.go(friday + timedelta(days=2, hours=23))
    spent = answer(people[seat], game)["spent"][f"p{seat}"]
    assert abs(spent - 23 * HOUR) < ROUND / timedelta(milliseconds=1)


def test_what_goes_beyond_a_decision_comes_from_the_bank(clock, people):
    """A day for each and three days in the bank: after thirty hours 66 are left."""
    longer = {"per_decision_ms": DAY, "stretch_ms": 3 * DAY, "bank_ms": 3 * DAY, "bank_cap_ms": 3 * DAY}
    game = table(people, {**LETTERS, **longer})
    seat = min(due(people[0], game))
    clock.go(clock.now + timedelta(hours=30))
    left = answer(people[seat], game)["left"][f"p{seat}"]
    assert abs(left - 66 * HOUR) < ROUND / timedelta(milliseconds=1)
    shown = people[seat].get(f"/v1/games/{game}")["clock"]["seats"][seat]
    assert shown["left_ms"] == left


def test_on_vacation_time_stands_still(clock, people, tmp_path):
    """As long as its holder is away, or the table allows; who comes back has what they had."""
    ada = people[0]
    game = table(people, LETTERS)
    asked = due(ada, game)
    seat, began = min(asked), clock.now
    one = people[seat]
    one.call("POST", "/v1/me/vacation", {"until": (began + timedelta(days=5)).isoformat()})
    until(lambda: told(ada, game, "SeatOnVacation", seat), "the game is told of the vacation")
    clock.go(began + timedelta(days=3))
    others = set(asked) - {seat}
    until(lambda: all(told(ada, game, "SeatTimedOut", s) for s in others), "the time of the others is up")
    assert not told(ada, game, "SeatTimedOut", seat)
    one.send("DELETE", "/v1/me/vacation")
    until(lambda: len(told(ada, game, "SeatOnVacation", seat)) == 2, "the player is back")
    assert abs(due(one, game)[seat] - began - timedelta(days=3, hours=1)) < ROUND
    verifies(one, game, tmp_path)
    short = table(people, {**LETTERS, "vacation_ms": 2 * DAY})
    seat, began = min(due(ada, short)), clock.now
    one = people[seat]
    one.call("POST", "/v1/me/vacation", {"until": (began + timedelta(days=9)).isoformat()})
    until(lambda: told(ada, short, "SeatOnVacation", seat), "the game is told of the second one")
    ends = datetime.fromisoformat(told(ada, short, "SeatOnVacation", seat)[0]["until"])
    assert abs(ends - began - timedelta(days=2)) < ROUND
    clock.go(ends + timedelta(seconds=1))
    until(lambda: len(told(ada, short, "SeatOnVacation", seat)) == 2, "what the table allows is over")
    clock.go(due(one, short)[seat] + timedelta(seconds=1))
    until(lambda: told(ada, short, "SeatTimedOut", seat), "the time is up")
    one.send("DELETE", "/v1/me/vacation")


def test_an_outage_costs_nobody_time(rutter, clock, people, tmp_path):
    """The service was down for ten minutes: before anything else they are given back to who was asked."""
    ada, minutes = people[0], timedelta(minutes=10)
    game = table(people, LETTERS)
    before, seq = due(ada, game), ada.get(f"/v1/games/{game}")["seq"]
    rutter.stop()
    clock.go(clock.now + 2 * minutes)  # ten minutes in which nothing happened, then those of the outage
    was_away(rutter.data, minutes.total_seconds())
    rutter.start()
    until(rutter.is_ready, "it is ready again")
    until(lambda: [e for e in log(ada, game) if e["type"] == "ClockAdjusted"], "time is given back")
    first = next(e for e in log(ada, game) if e["seq"] == seq + 1)
    assert (first["type"], first["data"]["cause"], first["by"]) == ("ClockAdjusted", "outage", "sys")
    assert minutes <= timedelta(milliseconds=first["data"]["add_ms"]) < minutes + ROUND
    after = due(ada, game)
    assert all(minutes <= after[seat] - before[seat] < minutes + ROUND for seat in before)
    verifies(ada, game, tmp_path)
