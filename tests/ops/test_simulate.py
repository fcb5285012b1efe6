"""`rutter simulate`, and the recipes of the documentation over what it writes."""

import json
import re
import sys
import warnings
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from events.rules.catalogue import find_title
from ops.cli import rutter

GUIDE = Path(__file__).resolve().parents[2] / "service" / "docs" / "pages" / "analyse" / "quickstart.md"


NOTEBOOK = Path(__file__).resolve().parents[2] / "ops" / "examples" / "winners.ipynb"


def simulate(*words, status=0):
    done = CliRunner().invoke(rutter, ["simulate", *words])
    assert done.exit_code == status, done.output
    return done


def test_the_same_seed_gives_the_same_games(tmp_path):
    """Byte for byte, for any number of processes; another seed gives others."""
    paths = [tmp_path / name for name in ("one", "two", "other")]
    for path, words in zip(paths, (("a",), ("a", "--jobs", "2"), ("b",)), strict=True):
        simulate("colonial_empires", "--games", "2", "--bot", "random", "--out", str(path), "--seed", *words)
    one, two, other = (path.read_bytes() for path in paths)
    assert one == two != other


def test_its_lines_are_the_course_of_each_game():
    """Played again from the facts, each game ends as its last line says."""
    title = find_title("colonies")
    said = simulate("colonies", "--games", "2", "--seed", "s", "--bot", "random", "--bot", "steady")
    lines = [json.loads(line) for line in said.stdout.splitlines()]
    games = {line["game"] for line in lines}
    assert games == {"colonies/s/0", "colonies/s/1"}
    for game in games:
        mine = [line for line in lines if line["game"] == game]
        assert [line["seq"] for line in mine] == list(range(1, len(mine) + 1))
        opened, closed = mine[0], mine[-1]
        assert opened["type"] == "TableOpened"
        assert [bot.partition("@")[0] for bot in opened["data"]["bots"]] == ["random", "steady", "random"]
        state = title.blank(opened["data"]["seats"], title.Options())
        for line in mine[1:-1]:
            fact = msgspec.convert(
                {"type": line["type"], **line["data"]}, title.fact_type(line["type"]), str_keys=True
            )
            state = fact.fold(state)
        assert closed["type"] == "TableClosed"
        assert closed["data"]["places"] == list(title.outcome(state).places)


def test_the_summary_has_a_row_for_each_game(tmp_path):
    """Title, seats, bots, winners and places, as the events say; ids tell titles apart."""
    events, summary = tmp_path / "events.ndjson", tmp_path / "games.ndjson"
    words = ("--games", "2", "--seed", "s", "--bot", "random", "--bot", "steady")
    simulate("colonies", *words, "--out", str(events), "--summary", str(summary))
    lines = [json.loads(line) for line in events.read_bytes().splitlines()]
    rows = [json.loads(line) for line in summary.read_bytes().splitlines()]
    assert [row["game"] for row in rows] == ["colonies/s/0", "colonies/s/1"]
    for row in rows:
        mine = [line for line in lines if line["game"] == row["game"]]
        assert (row["title"], row["seats"], len(row["bots"]), row["events"]) == ("colonies", 3, 3, len(mine))
        end = mine[-1]["data"]
        assert (row["winners"], row["places"], row["scores"]) == (
            end["winners"],
            end["places"],
            end["scores"],
        )


def test_parquet_holds_the_same(tmp_path):
    """Every row of both files, with lists and numbers as such."""
    parquet = pytest.importorskip("pyarrow.parquet")
    files = {name: tmp_path / name for name in ("e.ndjson", "g.ndjson", "e.parquet", "g.parquet")}
    words = ("colonies", "--games", "2", "--seed", "s", "--bot", "random")
    for form in ("ndjson", "parquet"):
        out, summary = str(files[f"e.{form}"]), str(files[f"g.{form}"])
        simulate(*words, "--format", form, "--out", out, "--summary", summary)
    for kind, texts in (("e", ("data", "command")), ("g", ("options",))):
        lines = [json.loads(line) for line in files[f"{kind}.ndjson"].read_bytes().splitlines()]
        rows = parquet.read_table(files[f"{kind}.parquet"]).to_pylist()
        for line, row in zip(lines, rows, strict=True):
            found = {**row, **{name: row[name] and json.loads(row[name]) for name in texts}}
            assert {name: value for name, value in found.items() if name in line} == line
            assert all(value is None for name, value in found.items() if name not in line)


@pytest.mark.parametrize(
    "words",
    [
        ("chess",),
        ("colonies", "--bot", "deep_blue"),
        ("colonies", "--seats", "9"),
        ("colonies", "--options", "[]"),
    ],
)
def test_what_cannot_be_played_is_a_usage_error(words):
    simulate(*words, "--games", "1", status=2)


@pytest.mark.slow
def test_the_recipes_run(tmp_path, monkeypatch, capsys):
    """DuckDB and pandas read what is written, as the page for analysts says."""
    duckdb, _ = pytest.importorskip("duckdb"), pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    simulate("colonial_empires", "--games", "3", "--bot", "random", "--out", "events.ndjson")
    recipes = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    found: dict = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for recipe in recipes:
                exec(compile(recipe, str(GUIDE), "exec"), found)  # noqa: S102 - what the page says
        counted = duckdb.sql("SELECT count(*) FROM events WHERE type = 'TableClosed'").fetchall()
    finally:
        duckdb.sql("DROP VIEW IF EXISTS events")
    assert counted == [(3,)]
    assert duckdb.sql("SELECT count(*) FROM 'events.parquet'").fetchall() == [(len(found["events"]),)]
    assert len(found["lengths"]) == len(found["ends"]) == 3
    assert "won" in capsys.readouterr().out


def test_without_pyarrow_a_sentence_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    words = ("colonies", "--games", "1", "--bot", "random", "--format", "parquet")
    said = CliRunner().invoke(rutter, ["simulate", *words, "--out", str(tmp_path / "e.parquet")])
    assert "pyarrow is missing" in str(said.exception)


def test_the_notebook_runs(tmp_path, monkeypatch):
    """At most 20 lines of code, in order, over what the first cell says to make."""
    monkeypatch.chdir(tmp_path)
    words = ("colonies", "--games", "2", "--bot", "random")
    simulate(*words, "--out", "events.ndjson", "--summary", "games.ndjson")
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert sum(len(source.splitlines()) for source in code) <= 20
    found: dict = {}
    for source in code:
        exec(compile(source, str(NOTEBOOK), "exec"), found)  # noqa: S102 - a program of our own
    assert [row[:2] for row in found["wins"].fetchall()] == [(0, 2), (1, 2), (2, 2)]
    assert sum(row[2] for row in found["wins"].fetchall()) >= 0.99
    assert found["given"].fetchall()
