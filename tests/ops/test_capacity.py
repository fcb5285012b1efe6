"""What commands, events and games take: how it is measured, what follows, and that the page tells it."""

from __future__ import annotations

import json

import msgspec
import pytest
from click.testing import CliRunner

from events.rules.catalogue import title_ids
from ops.base.errors import OpsError
from ops.benchmark.capacity_figures import PARTS, SEEDS, Figure, measure
from ops.benchmark.rows import Row
from ops.cli import rutter
from ops.cli.dev.capacity import RECORDED
from tests.conftest import ROOT


def capacity(*words):
    done = CliRunner().invoke(rutter, ["capacity", *words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def out(tmp_path):
    """A file of figures that are easily reckoned with."""
    path = tmp_path / "figures.json"
    figures = [
        Figure("events a command", 3.0, "", "by hand", "2026-01-01"),
        Figure("event, all tables", 1000.0, "B", "by hand", "2026-01-01"),
        Figure("event, in its bundle", 100.0, "B", "by hand", "2026-01-01"),
        Figure("projecting an event", 0.1, "ms", "by hand", "2026-01-01"),
        Figure("HTTP command, CPU of all processes", 5.0, "ms", "by hand", "2026-01-01"),
    ]
    path.write_bytes(msgspec.json.encode(figures))
    return path


def test_the_page_tells_what_was_measured():
    """Both tables are those of the file, to the last figure: `rutter capacity` prints them."""
    page = (ROOT / "ops/deploy/README.md").read_text(encoding="utf-8")
    table, total = capacity().rstrip("\n").split("\n\n")
    assert table.count("\n") > 12
    assert table in page
    assert total in page
    told = [json.loads(line) for line in capacity("--json").splitlines()]
    assert told == json.loads(RECORDED.read_text(encoding="utf-8"))


def test_what_follows_is_reckoned(out):
    """For so many commands and games as are asked for."""
    told = capacity("--out", str(out), "--commands", "2000", "--games", "500")
    for row in (
        "| processor, all processes | 10 cores |",
        "| events | 6,000 a second |",
        "| cores for read models, of these | 0.6 |",
        "| disk, all tables | 6 MB a second, 520 GB a day |",
        "| the games, in the database | 400 MB |",
        "| the games, in their bundles | 40 MB |",
    ):
        assert row in told


def test_a_bench_takes_the_place_of_its_rows(out, tmp_path):
    """Those that are kept, with their day; the others stay as they were, and other rows are left out."""
    bench = tmp_path / "bench"
    rows = [
        Row("HTTP command, CPU of all processes", 2.5, "ms", "echo", 1.0, less=True),
        Row("commit, 1 event, 8 connections", 370.0, "commits/s", "bare", 1000.0),
        Row("delivery, 500 listeners, CPU", 0.1, "ms"),
    ]
    bench.write_text("".join(f"{row.json()}\n" for row in rows))
    told = capacity("--out", str(out), "--bench", str(bench), "--commands", "2000")
    assert "| processor, all processes | 5 cores |" in told
    assert "| commit, 1 event, 8 connections | 0.37 of bare INSERTs | `rutter bench` |" in told
    assert "delivery" not in told
    assert "| event, all tables | 1,000 B | by hand | 2026-01-01 |" in told
    assert capacity("--out", str(out), "--commands", "2000") == told, "it is kept"


def test_other_files_are_refused(out, tmp_path):
    """Nothing is overwritten."""
    notes = tmp_path / "notes"
    notes.write_text("my notes")
    with pytest.raises(OpsError, match="holds no figures"):
        capacity("--out", str(notes))
    with pytest.raises(OpsError, match="is not the output of"):
        capacity("--out", str(out), "--bench", str(notes))
    with pytest.raises(OpsError, match="There is no file"):
        capacity("--out", str(tmp_path / "none"))
    assert notes.read_text() == "my notes"


@pytest.mark.integration
def test_it_is_measured_on_games_of_all_titles():
    """Beginnings of them here. Every part is there, none is more than the whole, the bundle is the least."""
    games = []
    found = {one.row: one for one in measure("2026-01-01", games.append, most=30)}
    assert sum(games) == len(title_ids()) * len(SEEDS)
    assert {f"event, {part}" for part in PARTS} < set(found)
    parts = [found[f"event, {part}"].figure for part in PARTS]
    assert found["event, es.event"].figure > found["event, in its bundle"].figure > 0
    assert max(parts) < sum(parts) <= found["event, all tables"].figure * 1.01
    assert found["events a command"].figure >= 1
    assert {one.on for one in found.values()} == {"2026-01-01"}
