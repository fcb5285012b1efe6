"""A whole tournament over REST: its house is killed meanwhile, its standings are counted again by a program
that knows the rules of scoring only from the guide, and its file is verified, and then forged.
"""

from __future__ import annotations

import json
import random
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from events.table.record import Record
from events.tlog.notes import SigningKey
from events.tournament import bundle
from events.tournament.folding import fold
from events.tournament.state import initial_tournament
from ops.cli import rutter
from tests.acceptance.client import Client
from tests.acceptance.up import RutterUp
from tests.servers import ready_data
from tests.tournament.test_verify import forged
from tests.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.slow]

ENTRANTS, ROUNDS = 7, 3
SETTINGS = {
    "title": "example",
    "name": "Harbour Open",
    "table": {"size": 2, "least": 2},
    "stages": [{"format": "swiss_pods", "rounds": ROUNDS}],
    "entry": {"contributions": False},
    "absence": {"least_people": 1},
    "schedule": {"starts_at": "2026-01-01T00:00:00Z", "gap_ms": 2000},
    "tie_breaks": ["wins"],
    "protest_ms": 0,
}
UNIT, BYE = 2520, 3


class Event:
    """A tournament of duels, played at random."""

    def __init__(self, service: RutterUp) -> None:
        self.service, self.random = service, random.Random(11)
        nobody = Client(service.address)
        self.host = nobody.account("Host")
        self.players = [nobody.account(f"Player {number}") for number in range(1, ENTRANTS + 1)]
        self.id = self.host.post("/v1/tournaments", SETTINGS, status=201)["id"]
        self.path = f"/v1/tournaments/{self.id}"
        self.left: set[str] = set()
        self.do("open_entry")
        for player in self.players:
            self.do("enter", player)
        self.do("close_entry")

    def do(self, type_: str, by: Client | None = None, **members: Any) -> Any:
        """Give a command."""
        return (by or self.host).post(f"{self.path}/commands", {"type": type_, **members})

    def get(self, what: str = "") -> Any:
        """Something of it."""
        return self.host.patiently(self.path + what)

    def tables(self) -> list[Any]:
        """The tables of the newest round."""
        rounds = self.get("/rounds")["rounds"]
        return rounds[-1]["tables"] if rounds else []

    def begun(self, number: int) -> None:
        """Wait until a round is being played, or has been."""

        def holds() -> bool:
            rounds = self.get("/rounds")["rounds"]
            there = len(rounds) >= number and rounds[number - 1]["status"] != "paired"
            return there and all(one["status"] != "starting" for one in rounds[number - 1]["tables"])

        until(holds, f"round {number} begins")

    def play(self, table: Any, most: int = 5000) -> None:
        """The people at a table give at most so many commands at random."""
        path = f"/v1/games/{table['game']}"
        people = [self.players[int(name[1:]) - 1] for name in table["holders"] if name not in self.left]
        for _ in range(most):
            if self.host.patiently(path)["status"] != "running":
                return
            for player in people:
                now = player.patiently(f"{path}/decisions")
                asked = {kind for one in now["decisions"] if not one["free"] for kind in one["commands"]}
                moves = [one["command"] for one in now["legal"] if one["command"]["type"] in asked]
                if moves:
                    move = self.random.choice(moves)
                    player.insist(f"{path}/commands", move, str(uuid.uuid4()), status=(200, 409))

    def round(self, number: int, *, withdraws: str | None = None) -> None:
        """Play a round; its steward is killed as it begins, in the middle and at its end."""
        self.begun(number)
        self.service.kill("worker-dispatcher")
        tables = [one for one in self.tables() if one["status"] == "playing"]
        for table in tables:
            self.play(table, 3)
        if withdraws is not None:
            self.do("withdraw", self.players[int(withdraws[1:]) - 1])
            self.left.add(withdraws)
        self.service.kill("worker-dispatcher")
        for table in tables:
            self.play(table)
        self.service.kill("worker-dispatcher")


def counted(event: Event) -> list[tuple[int, str, int]]:
    """The standings, by a program of its own: from games' outcomes, who left, byes and rulings."""
    ruled = {
        (effect["result"]["round"], effect["result"]["table"]): effect["result"]["places"]
        for ruling in event.get("/disputes")["rulings"]
        for effect in ruling["effects"]
        if "result" in effect
    }
    lines = [json.loads(line) for line in event.host.send("GET", f"{event.path}/export").text.splitlines()]
    points, wins = Counter({f"e{n}": 0 for n in range(1, ENTRANTS + 1)}), Counter[str]()
    for line in lines:
        order = event.host.get(f"/v1/games/{line['game']}")["outcome"]["places"]
        if any(left is not None for left in line["left"]):  # who left is last, whatever their bot reached
            order = [2 if left is not None else 1 for left in line["left"]]
        order = ruled.get((line["round"], line["table"]), order)
        for name, place in zip(line["entrants"], order, strict=True):
            shared = order.count(place)
            points[name] += sum((5, 0)[place - 1 : place - 1 + shared]) * UNIT // shared
            wins[name] += place == 1
    for one in event.get("/rounds")["rounds"]:
        for name in one["byes"]:
            points[name] += BYE * UNIT
    keys = {name: (points[name], wins[name]) for name in points}
    return sorted(
        (1 + sum(other > key for other in keys.values()), name, key[0]) for name, key in keys.items()
    )


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    """Seven play three rounds; one withdraws in mid-round, a bot plays on; a ruling comes a round late."""
    service = RutterUp(
        ready_data(tmp_path_factory.mktemp("event") / "data"), settings={"RUTTER_RESTART_PAUSE": "0.1"}
    )
    try:
        service.start()
        made = Event(service)
        made.begun(1)
        leaver = next(one for one in made.tables() if one["status"] == "playing")["holders"][0]
        made.round(1, withdraws=leaver)
        made.begun(2)
        told = made.get("/rounds/1")
        fair = next(one for one in told["tables"] if leaver not in one["entrants"])
        turned = [2, 1] if fair["places"][0] == 1 else [1, 2]  # they may have shared the first place
        made.do(
            "rule", kind="result", text="Written down wrongly.",
            effects=[{"result": {"round": 1, "table": fair["table"], "places": turned}}],
        )  # fmt: skip
        assert made.get("/rounds/1")["standings"] != told["standings"]
        made.round(2)
        made.round(3)
        until(lambda: made.get()["over"], "it is over")
        yield made
    finally:
        service.discard()


@pytest.fixture(scope="module")
def file(event: Event, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that proves it."""
    made = tmp_path_factory.mktemp("bundle") / "event.ndjson"
    made.write_bytes(event.host.send("GET", f"{event.path}/audit").body)
    return made


def verify(file: Path) -> Any:
    return CliRunner().invoke(rutter, ["verify", str(file), "--jobs", "2"])


def test_it_ended_as_if_nobody_had_been_killed(event: Event) -> None:
    """Each table has one game, linked once; who withdrew is not paired again, and has no bye."""
    kinds = Counter(
        (one["type"], one["data"].get("round"), one["data"].get("table"))
        for one in event.get("/events?limit=1000")["events"]
    )
    assert all(many == 1 for (kind, *_), many in kinds.items() if kind in ("TableLinked", "ResultRecorded"))
    rounds = event.get("/rounds")["rounds"]
    games = [table["game"] for one in rounds for table in one["tables"]]
    assert len(rounds) == ROUNDS
    assert len(set(games)) == len(games) == 3 * ROUNDS
    (gone,) = event.left
    for one in rounds[1:]:
        assert gone not in {name for table in one["tables"] for name in table["entrants"]} | set(one["byes"])


def test_standings_are_those_that_anybody_counts(event: Event) -> None:
    """Ranks and points by a program of a few lines are those that the service tells."""
    told = event.get("/standings")["standings"]
    assert sorted((one["rank"], one["entrant"], one["points"]) for one in told) == counted(event)


def test_one_command_proves_it(file: Path) -> None:
    """All games are in the file, and each is compared with its result."""
    result = verify(file)
    assert f"{3 * ROUNDS} compared with their results" in result.output, result.output
    assert result.exit_code == 3  # it holds; no key was named


def turned(body: Any) -> None:
    for part in (body["data"], body["command"]):
        part["places"] = [3 - place for place in part["places"]]


def paired_otherwise(body: Any) -> None:
    first, second, *_ = body["data"]["pods"]
    first[0], second[0] = second[0], first[0]


def ruled_otherwise(body: Any) -> None:
    for part in (body["data"], body["command"]):
        part["effects"][0]["result"]["places"] = part["effects"][0]["result"]["places"][::-1]


def counted_otherwise(body: Any) -> None:
    body["data"]["standings"] = "ab" * 32


def other_start(body: Any) -> None:
    for part in (body["data"], body["command"]):
        part["head"] = "cd" * 32


FORGERIES: list[tuple[str, int, Callable[[Any], None], str]] = [
    ("ResultRecorded", 1, turned, "BAD: round 1, table "),
    ("ResultRecorded", -1, turned, "BAD: round 3, table "),
    ("RoundPaired", 0, paired_otherwise, "BAD: round 1"),
    ("RoundPaired", 2, paired_otherwise, "BAD: round 3"),
    ("Ruled", 0, ruled_otherwise, "BAD: "),
    ("RoundClosed", 0, counted_otherwise, "BAD: round 1"),
    ("TableLinked", 4, other_start, "BAD: round 2, table "),
]


@pytest.mark.parametrize(("kind", "number", "change", "named"), FORGERIES)
def test_what_is_forged_and_signed_again_is_named(
    file: Path, tmp_path: Path, kind: str, number: int, change: Callable[[Any], None], named: str
) -> None:
    """One event says something else, all events are chained again, another key has signed the last."""
    lines = file.read_bytes().splitlines(keepends=True)
    own = [json.loads(line) for line in lines[: 1 + json.loads(lines[0])["events"]]]
    records = []
    for one in own[1:]:
        body = json.loads(one["body"])
        records.append(
            Record(one["n"], body["t"], one["body"].encode(), bytes.fromhex(one["hash"]), body["cmd"])
        )

    class Known:
        id = own[0]["tournament"]

    Known.records = records  # type: ignore[attr-defined]
    made = forged(Known, kind, change, number)
    state = replace(fold(initial_tournament(Known.id), records), head=made[-1].hash)
    key = SigningKey(own[0]["origin"], bytes(range(32)))
    copy = tmp_path / "forged.ndjson"
    copy.write_bytes(b"".join([*bundle.write_lines(state, made, {}, key), *lines[len(own) + 1 :]]))
    result = verify(copy)
    assert (result.exit_code, named in result.output) == (1, True), result.output


def test_games_that_are_lacking_doubled_or_altered_are_named(file: Path, tmp_path: Path) -> None:
    """Where a game is missing, or another one stands in its place, or one event of it was changed."""
    lines = file.read_bytes().splitlines(keepends=True)
    heads = [n for n, line in enumerate(lines) if b'"kind":"header"' in line]
    first, second = lines[heads[1] : heads[2]], lines[heads[2] : heads[3]]
    copy = tmp_path / "forged.ndjson"
    changed = [*first]
    changed[len(first) // 2] = changed[len(first) // 2].replace(b'"at\\":\\"2', b'"at\\":\\"3', 1)
    assert changed != first
    for made in (
        [*lines[: heads[1]], *lines[heads[2] :]],
        [*lines[: heads[1]], *second, *second, *lines[heads[3] :]],
        [*lines[: heads[1]], *changed, *lines[heads[2] :]],
    ):
        copy.write_bytes(b"".join(made))
        result = verify(copy)
        assert result.exit_code == 1, result.output
        assert "BAD" in result.output
