"""Bots that were fitted again: what they played before can still be thought again."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from events.rules.catalogue import find_title
from events.table import bundle
from tests.workers.test_thinkers_at_tables import SIGNER, made
from workers import connections, jobs

pytestmark = pytest.mark.integration
ROOT = Path(__file__).parents[2]
PROGRAM = ("events", "projections", "service", "workers", "ops")
TITLE = "colonial"
WEIGHTS = f"workers/bots/weights/{TITLE}.toml"
MOST = 500
"""Rounds of jobs that a game takes at the most."""


class Copy:
    """A copy of the program, in which bots may be changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in PROGRAM:
            shutil.copytree(ROOT / name, root / name)  # compiled files too: that is dear

    def python(self, *words: str, status: int = 0) -> str:
        """What Python says in it; it must end so."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RUTTER_")}
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.root,
            env={**environment, "PYTHONPATH": str(self.root)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def fit(self) -> None:
        """Fit the title's bots to a few games: other weights than those of the project."""
        self.python("-m", "ops", "fit", TITLE, "--games", "10", "--seed", "other")
        assert (self.root / WEIGHTS).read_bytes() != (ROOT / WEIGHTS).read_bytes()

    def verified(self, file: Path, status: int = 0) -> str:
        """What `rutter verify --bots` says of a file; its key is pinned."""
        return self.python("-m", "ops", "verify", str(file), "--bots", "--key", SIGNER.vkey, status=status)

    def bots(self) -> list[str]:
        """Version and weights of the newest bot that thinks, and of the first one."""
        text = (
            "from workers.bots import find_bot\n"
            f"for name in ('brisk', 'brisk@1', 'strong@2'): print(find_bot('{TITLE}', name))"
        )
        return re.findall(r"version=(\d+).*weights='(\w+)'", self.python("-c", text))


@pytest.fixture
def changed(tmp_path):
    return Copy(tmp_path / "rutter")


@pytest.fixture(scope="module")
def game(games, tmp_path_factory):
    """The bundle of a game of one that thinks, to its end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "get_games", lambda: games)
        ended = made(games, TITLE, "brisk", "random")
        for _ in range(MOST):
            if ended.status == "finished":
                break
            jobs.house(ended.id, 0)
            jobs.play(ended.id, 0, 0)
            jobs.think(ended.id, 0, 0)
            ended = games.load(ended.id)
    file = tmp_path_factory.mktemp("played") / "game.ndjson"
    file.write_bytes(b"".join(bundle.write_lines(ended, games.records(ended.id), None, SIGNER)))
    return file


@pytest.mark.campaign
def test_an_old_game_is_thought_again_after_its_bots_were_fitted_again(changed, game):
    """Without a kept copy its bot is not installed; with one every move comes out as it was."""
    changed.fit()
    assert "of seat 0: brisk 1 is not installed here" in changed.verified(game, status=3)
    shutil.copy(ROOT / WEIGHTS, changed.root / WEIGHTS)
    before = changed.verified(game)
    assert "seat 0 brisk 1: 0 moves" not in before
    assert "seat 0 brisk 1: " in before
    said = changed.python("-m", "ops", "keep", "--bots", TITLE)
    assert "version 1 of the thinking bots is kept" in said
    changed.fit()
    assert changed.verified(game) == before
    (newest, fitted), (first, old), (strong, other) = changed.bots()
    assert (newest, first, strong) == ("2", "1", "2")
    assert fitted == other != old


@pytest.mark.slow
def test_what_cannot_be_kept_is_said(changed):
    """Twice the same version; a title that is not there."""
    changed.python("-m", "ops", "keep", "--bots", "chess", status=2)
    changed.python("-m", "ops", "keep", "--bots", TITLE)
    budgets = changed.root / "workers/bots/budgets.toml"
    once, before = budgets.read_text(), (ROOT / "workers/bots/budgets.toml").read_text()
    assert raised(before, 2) == tomllib.loads(once)
    changed.python("-m", "ops", "keep", "--bots", TITLE)
    assert raised(before, 3) == tomllib.loads(budgets.read_text())
    kept = changed.root / "workers/bots/kept" / TITLE
    assert sorted(path.name for path in kept.iterdir() if path.name.startswith("bots")) == ["bots1", "bots2"]
    budgets.write_text(once)
    assert "is kept already" in changed.python("-m", "ops", "keep", "--bots", TITLE, status=1)


def raised(text: str, version: int) -> dict:
    """The budgets in *text*, with the bots of the title in another version."""
    budgets = tomllib.loads(text)
    budgets[TITLE] = {name: own | {"version": version} for name, own in budgets[TITLE].items()}
    return budgets


@pytest.mark.slow
def test_a_kept_title_keeps_what_its_bots_think_with(changed):
    """Other weights and budgets later: those that play under the kept rules think as before."""
    changed.python("-m", "ops", "keep", TITLE)
    weights, budgets = changed.root / WEIGHTS, changed.root / "workers/bots/budgets.toml"
    weights.write_text(weights.read_text() + "# another file\n")
    budgets.write_text(budgets.read_text().replace("simulations = 60,", "simulations = 61,"))
    text = (
        "from events.rules.catalogue import versions\n"
        "from workers.bots import find_bot\n"
        f"newest, kept, *_ = versions('{TITLE}')\n"
        f"for title in (newest, kept): print(title.version, find_bot('{TITLE}', 'brisk', title))"
    )
    found = re.findall(r"^(\d) .*budget=(\d+),.*weights='(\w+)'", changed.python("-c", text), re.MULTILINE)
    (_, budget, digest), (version, before, old) = found
    assert (version, budget, before) == (str(find_title(TITLE).version), "61", "60")
    assert old == hashlib.sha256((ROOT / WEIGHTS).read_bytes()).hexdigest() != digest
