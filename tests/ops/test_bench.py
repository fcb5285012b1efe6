"""The benchmark: its rows and their form, what fills a database, what it compares with; never a figure."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest
import structlog
from click.testing import CliRunner

from events.proof import canonical
from events.rules.catalogue import title_ids
from events.table.engine import fold
from events.table.game import initial_game
from ops import cli
from ops.benchmark import simulations
from ops.benchmark.cpu_meter import CpuMeter
from ops.benchmark.database_filler import fill_database
from ops.benchmark.environments import LEDUC_POKER, OPENSPIEL, PETTINGZOO, measure_environments
from ops.benchmark.peers import PEERS, Peer, measure_peers
from ops.benchmark.rows import Row, complete_rows, pair_with_earlier, pair_with_empty, read_figures
from ops.benchmark.simulations import measure_simulations
from projections.read_models import history, lobby
from projections.runner import Runner
from tests.waiting import until

OF_THE_SERVICE = [
    "any event of 5,000",
    "verify",
    "event on disk",
    "HTTP command, wall",
    "HTTP command, CPU of all processes",
    "HTTP command, CPU of all processes, at 100/s",
    "HTTP command, p50 at 100/s",
    "delivery, 500 listeners, CPU",
    "bot's first answer",
    "idle service, CPU a second",
    *(
        f"{commit}, 1 event, {number}"
        for commit in ("commit", "append")
        for number in ("1 connection", "8 connections", "32 connections")
    ),
]
OF_A_TITLE = (
    *("fold, decoded", "fold, from the log", "random play", "decisions", "simulations/s"),
    *(PETTINGZOO, OPENSPIEL),
)


def check_rows(rows, beside=False):
    """Each has its name and its form; tests/campaigns/test_bench.py runs them."""
    wanted = {
        *OF_THE_SERVICE,
        "start and stop of rutter up, CPU",
        *(f"{kind}, {title}" for kind in OF_A_TITLE for title in title_ids()),
    }
    assert sorted(row["row"] for row in rows) == sorted(wanted)
    for row in rows:
        assert {"row", "figure", "unit", "yardstick", "ratio", "goal"} <= row.keys()
        assert row["figure"] > 0 or "CPU" in row["row"], row
        served = row["row"] in OF_THE_SERVICE or row["row"].startswith("fold, from")
        assert ("empty" in row) == (beside and served), row


def test_its_options_are_told():
    """What says how long, how much and beside what it measures."""
    told = CliRunner().invoke(cli.rutter, ["bench", "--help"]).output
    assert all(
        option in told for option in ("--seconds", "--quick", "--json", "--filled", "--peers", "--compare")
    )


def test_a_ratio_says_how_good_it_is():
    """Of rates the part of the yardstick that is reached, of costs the part that the yardstick needs."""
    fast = Row("commit", 500.0, "commits/s", "bare", 1000.0)
    cheap = Row("CPU", 4.0, "ms", "echo", 1.0, less=True)
    assert (fast.ratio, cheap.ratio) == (0.5, 0.25)
    assert json.loads(fast.json())["yardstick"] == "bare: 1,000.0 commits/s"
    assert json.loads(Row("alone", 4.0, "ms").json())["ratio"] is None


def test_simulations_of_each_title(monkeypatch):
    """A row for each, in games that a thinking bot plays out in a second; few do here."""
    find = simulations.find_bot
    monkeypatch.setattr(simulations, "find_bot", lambda of, name: replace(find(of, name), budget=8))
    rows = list(measure_simulations(1))
    assert [row.row for row in rows] == [f"simulations/s, {title_id}" for title_id in title_ids()]
    assert all(row.figure > 1 and row.unit == "games/s" for row in rows)


def test_what_has_grown_is_above_one():
    """Whatever is measured: more time, fewer in a second, or more CPU in a second, which is no rate."""
    slower = Row("look", 30.0, "ms")
    fewer = Row("commit", 500.0, "commits/s")
    busier = Row("idle", 12.0, "ms/s", goal="<= 10")
    empty = [Row("look", 20.0, "ms"), Row("commit", 1000.0, "commits/s"), Row("idle", 8.0, "ms/s")]
    rows = list(pair_with_empty([slower, fewer, busier], empty))
    assert [json.loads(row.json())["grown"] for row in rows] == [1.5, 2.0, 1.5]
    assert json.loads(rows[0].json())["empty"] == 20.0
    assert "empty" not in json.loads(slower.json())


def test_titles_stand_beside_games_of_the_libraries(monkeypatch):
    """Each title has a figure in PettingZoo and in OpenSpiel; a yardstick that lacks a module says which."""
    pytest.importorskip("pyspiel")
    pytest.importorskip("pettingzoo")
    monkeypatch.setattr("ops.benchmark.environments.title_ids", lambda: ("colonies",))
    monkeypatch.setitem(sys.modules, "pygame", None)
    zoo, spiel = measure_environments(0.01)
    assert (zoo.row, spiel.row) == (f"{PETTINGZOO}, colonies", f"{OPENSPIEL}, colonies")
    assert (zoo.against, zoo.yardstick) == (None, "connect_four_v3 needs the module pygame")
    assert json.loads(zoo.json())["yardstick"] == zoo.yardstick
    assert (spiel.against or 0) > spiel.figure > 0
    assert spiel.yardstick == LEDUC_POKER
    assert zoo.figure > 0


def test_a_library_that_is_missing_is_told(monkeypatch):
    """Its rows say what to install, have no figure and are no failure."""
    monkeypatch.setattr("ops.benchmark.environments.title_ids", lambda: ("colonies",))
    for name in ("pettingzoo", "pyspiel", "events.research.adapters.pettingzoo_env"):
        monkeypatch.setitem(sys.modules, name, None)
    for row in measure_environments(0.01):
        assert "ops/install research" in row.text()
        assert (json.loads(row.json())["figure"], row.failed) == (None, "")
        assert read_figures([row.json()]) == {}


def test_a_change_shows_beside_an_earlier_run():
    """In one line, as the earlier run printed its rows; a row that it did not have stands alone."""
    earlier = read_figures([Row("CPU", 4.0, "ms").json(), "", Row("gone", 1.0, "ms").json()])
    changed, new = pair_with_earlier([Row("CPU", 3.0, "ms"), Row("new", 1.0, "ms")], earlier)
    assert changed.text().endswith("before        4.000, now 0.750 of it")
    assert json.loads(changed.json())["change"] == 0.75
    assert "before" not in new.text() + new.json()


def test_a_row_that_cannot_be_measured_says_so():
    """Under its name, with the reason; those before it stand, and no later run is compared with it."""

    def measure():
        yield Row("first", 1.0, "ms")
        raise RuntimeError("a listener was refused\nby all")

    rows = list(complete_rows(["first", "second", "third"], measure))
    assert [(row.row, row.failed) for row in rows] == [
        ("first", ""),
        *((name, "RuntimeError: a listener was refused") for name in ("second", "third")),
    ]
    assert rows[1].text().split(maxsplit=2)[:2] == ["second", "failed"]
    assert json.loads(rows[1].json())["failed"] == rows[1].failed
    assert read_figures(row.json() for row in rows) == {"first": 1.0}
    assert [row.empty for row in pair_with_empty([Row("second", 2.0, "ms")], rows)] == [None]


def test_only_rows_are_printed_where_rows_are_read(monkeypatch):
    """What a supervisor says meanwhile goes to standard error; a failed row ends the command with 1."""

    def measure(*_arguments, **_more):
        structlog.get_logger().warning("process_ended", program="api")
        sys.stdout.write("Postgres is ready\n")
        yield Row("first", 1.0, "ms")
        yield Row("second", 0.0, "", failed="RuntimeError: gone")

    monkeypatch.setattr("ops.cli.dev.bench.measure_all", measure)
    done = CliRunner().invoke(cli.rutter, ["bench", "--json"])
    assert [json.loads(line)["row"] for line in done.stdout.splitlines()] == ["first", "second"]
    assert "Postgres is ready" in done.stderr
    assert done.exit_code == 1
    assert "1 of the rows failed" in str(done.exception)


def test_a_file_that_no_run_printed_is_refused(tmp_path):
    """Before anything is measured."""
    file = tmp_path / "rows"
    file.write_text("row  figure\n")
    done = CliRunner().invoke(cli.rutter, ["bench", "--compare", str(file)])
    assert done.exit_code == 1
    assert "holds no rows" in str(done.exception)


@pytest.mark.integration
@pytest.mark.slow
def test_a_filled_database_holds_games_like_any_other(games, owner, pool):
    """Each copy is an unbroken chain of its own, is listed as it stands, and can be read and folded."""
    told = []
    count, events = fill_database(games, owner, 3000, told.append)
    with pool.connection() as connection:
        ids = [
            one
            for (one,) in connection.execute(
                "SELECT game_id::text FROM lobby WHERE owner = %s", [lobby.NOBODY]
            )
        ]
        size = connection.execute("SELECT count(*), max(position) FROM es.log").fetchone()
    assert size == (events, events)
    assert len(ids) == count
    assert sum(told) > 2000
    running = []
    for game_id in ids:
        records, head = games.records(game_id), canonical.genesis(game_id)
        for record in records:
            head = canonical.link(head, record.body)
            assert record.hash == head
        game = fold(initial_game(game_id), records)
        running += [game_id] if game.status == "running" else []
        with pool.connection() as connection:
            stands = lobby.read_rows(connection, game_id)[0]
            said = history.read_rows(connection, game_id)
        assert stands[3] == game.status
        assert stands[10] == game.seq == said[-1][1]
    assert len(running) > len(ids) // 2
    assert games.log.sequence() == 0
    assert Runner(games.log).step() == 0


def test_processor_time_is_that_of_children_too():
    """A process that ends what it does in a child has spent it."""
    work = "import time\nwhile time.process_time() < 0.5: pass"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {work!r}]); input()"
    child = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        meter = object.__new__(CpuMeter)
        meter._roots = lambda: [child.pid]
        until(lambda: meter._total() > 0.3, "the child's child has worked")
    finally:
        child.communicate(b"\n")
    assert meter._total() == 0


def test_processor_time_is_finer_than_the_steps_of_the_system():
    """Many processes of an idle service take less than one step of ten milliseconds in a whole row."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        meter = object.__new__(CpuMeter)
        meter._roots = lambda: [child.pid]
        until(lambda: meter._total() * 1000 % 10 > 0.001, "the child has worked for a part of a step")
        child.communicate(b"\n")


def test_a_peer_that_cannot_be_had_is_told(monkeypatch, tmp_path):
    """One line says what failed; the others are measured all the same."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(
        "ops.benchmark.peers.PEERS", (Peer("broken", "broken", "raise ValueError('no board')"),)
    )
    monkeypatch.setattr("ops.benchmark.peers._make_environment", lambda _peer: sys.executable)
    said = []
    assert list(measure_peers(0.01, said.append)) == []
    assert said == ["broken cannot be measured here: ValueError: no board"]


def test_a_peer_plays(monkeypatch):
    """Its moves a second are a row."""
    monkeypatch.setattr("ops.benchmark.peers.PEERS", (Peer("dice", "dice", "def play():\n    return 3\n"),))
    monkeypatch.setattr("ops.benchmark.peers._make_environment", lambda _peer: sys.executable)
    (row,) = measure_peers(0.01, pytest.fail)
    assert (row.row, row.unit, row.figure > 0) == ("random play, dice", "moves/s", True)
    assert {peer.name for peer in PEERS} == {"catanatron", "python-chess", "OpenSpiel"}
