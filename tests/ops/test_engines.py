"""`rutter engines`: what is listed, whether it can be started, and whether it keeps its promise."""

import json
import os
import subprocess

import pytest
from click.testing import CliRunner

from events.base.settings import RUTTER_ENGINES, WrongSetting
from ops import cli
from ops.cli.bots import engines as command
from tests.installation import HOME, paths, rutter
from tests.workers.engines import entry, listing, script, with_moves
from tests.workers.test_engines import GOOD
from tests.workers.test_engines_at_tables import FIRST, LAST, MOODY, in_mood
from workers.engines.engine_list import list_engines
from workers.engines.engine_process import is_network_refused


def said(*words, status=0):
    """What `rutter engines` prints."""
    result = CliRunner().invoke(cli.rutter, ["engines", *map(str, words)])
    problem = result.exception
    assert result.exit_code == status, result.output
    return (
        result.output if problem is None or isinstance(problem, SystemExit) else f"{result.output}{problem}"
    )


def test_nothing_is_listed(monkeypatch):
    """Then it is told how one lists some."""
    monkeypatch.delenv(RUTTER_ENGINES.name, raising=False)
    assert list_engines() == ()
    assert RUTTER_ENGINES.name in said(status=1)


def test_what_is_listed_is_told(tmp_path, monkeypatch):
    """Version, titles, budget and promise of each; and what is amiss."""
    amiss = {"sha256": "00" * 32, "version": 2}
    listing(tmp_path, monkeypatch, script(tmp_path, "one", GOOD), script(tmp_path, "two", GOOD, **amiss))
    first, *others = said("one").splitlines()
    assert first == "engine:one@1: example; 5 simulations, 10 s, 512 MiB; not reproducible"
    assert bool(others) != is_network_refused()
    told = said(status=1)
    assert "engine:two@2 cannot be used: its files have another SHA-256," in told
    assert "Not all engines are as listed" in told
    said("three", status=2)


def test_a_promise_is_recorded_and_kept(tmp_path, monkeypatch):
    """Until the moves are others, or the files: then it is told which."""
    listing(tmp_path, monkeypatch, script(tmp_path, "kept", GOOD))
    moves = tmp_path / "kept.moves"
    said("kept", "--record", moves, "--moves", 4)
    assert len(moves.read_text().splitlines()) == 5
    folder = tmp_path / "promised"
    folder.mkdir()
    (folder / "kept.moves").write_bytes(moves.read_bytes())
    listing(folder, monkeypatch, script(tmp_path, "kept", GOOD, **with_moves("kept")))
    assert "; reproducible" in said("--check")
    first, second, *others = moves.read_text().splitlines()
    changed = {**json.loads(second), "simulations": 3}
    (folder / "kept.moves").write_text("\n".join([first, json.dumps(changed), *others]) + "\n")
    assert "move 1: " in said("--check", status=1)
    said()


def test_a_promise_without_moves_is_none(tmp_path, monkeypatch):
    """Nor are the moves of other files a promise."""
    (tmp_path / "kept.moves").write_text('{"name":"kept","sha256":"00","simulations":5,"version":1}\n')
    listing(tmp_path, monkeypatch, script(tmp_path, "kept", GOOD, **with_moves("kept")))
    assert not list_engines()[0].reproducible
    assert "no recorded moves match its files" in said(status=1)


@pytest.mark.slow
def test_one_that_answers_otherwise_does_not_pass(tmp_path, monkeypatch):
    """It was in another mood when its moves were recorded."""
    moody = MOODY.format(path=str(in_mood(tmp_path, FIRST)))
    listing(tmp_path, monkeypatch, script(tmp_path, "moody", moody))
    said("moody", "--record", tmp_path / "moody.moves", "--moves", 40)
    folder = tmp_path / "promised"
    folder.mkdir()
    (folder / "moody.moves").write_bytes((tmp_path / "moody.moves").read_bytes())
    in_mood(tmp_path, LAST)
    listing(folder, monkeypatch, script(tmp_path, "moody", moody, **with_moves("moody")))
    assert "move " in said("--check", status=1)


def test_one_that_gives_no_moves_has_none_recorded(tmp_path, monkeypatch):
    """No file is left that would look like some."""
    listing(tmp_path, monkeypatch, script(tmp_path, "silent", ""))
    assert "gives no moves: it ended with status 0" in said("silent", "--record", tmp_path / "m", status=1)
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"name": "Strong"}, "name"),
        ({"cpu_seconds": 11}, "cpu_seconds"),
        ({"titles": ["chess"]}, "chess"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_list_that_is_none(changed, why, tmp_path, monkeypatch):
    """It is told where it does not fit; nothing starts with half a list."""
    listing(tmp_path, monkeypatch, entry("one", __file__, **changed))
    with pytest.raises(WrongSetting, match=why):
        list_engines()


def test_a_version_twice(tmp_path, monkeypatch):
    """Nobody could tell which of them played."""
    listing(tmp_path, monkeypatch, entry("one", __file__), entry("one", __file__))
    with pytest.raises(WrongSetting, match="twice"):
        list_engines()


def test_an_open_network_is_told(tmp_path, monkeypatch):
    """Where the system refuses it to nobody the operator hears so, in one line."""
    listing(tmp_path, monkeypatch, script(tmp_path, "one", GOOD))
    monkeypatch.setattr(command, "is_network_refused", lambda: False)
    assert "an engine could ask others for its moves" in said("one")


def test_why_it_fails_is_shown(tmp_path, monkeypatch):
    """What it says on its standard error is thrown away at tables, and shown to anyone who tries it."""
    listing(tmp_path, monkeypatch, script(tmp_path, "broken", "raise SystemExit('no weights here')\n"))
    words = rutter("engines", "broken", "--record", str(tmp_path / "m"))
    done = subprocess.run(
        words, cwd=HOME, env={**os.environ, **paths()}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "no weights here" in done.stderr
