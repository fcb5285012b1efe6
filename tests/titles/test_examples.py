"""The two titles that authors read and copy: all that is asked of a title, and the walk through one rule."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from events.base.settings import RUTTER_EXTRA_TITLES, RUTTER_TEST_TITLES
from ops.titles.new_title import EXAMPLES

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
PAGE = ROOT / "events/titles/README.md"
FILES = ("RULES.md", "facts.py", "steps.py", "view.py", "vectors.yaml")
BATTERY = re.findall(r"^from tests\.(\w+)\.(\w+) import \*", (HERE / "battery.py").read_text(), re.MULTILINE)
NEW = "liars_dice"
"""The one that tests of all titles leave out: they play the other."""


def run(*words: str) -> str:
    """What a Python program says that has this title beside the project's."""
    environment = {
        **os.environ,
        RUTTER_EXTRA_TITLES.name: f"tests.titles.{NEW}",
        RUTTER_TEST_TITLES.name: NEW,
    }
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return done.stdout


@pytest.mark.slow
def test_all_that_is_asked_of_a_title_holds():
    """The battery of the page, for the example that other tests leave out."""
    files = [f"tests/{room}/{name}.py" for room, name in BATTERY]
    said = run("pytest", "-q", "-p", "no:cacheprovider", *files)
    assert int(re.findall(r"(\d+) passed", said)[-1]) > 80


def test_the_commands_of_the_page_work():
    """Its record, its examples, its bots, and games in the form that analysts read."""
    assert run("ops", "keep", "--check", NEW) == f"{NEW}: 1\n"
    assert run("ops", "vectors", f"tests/titles/{NEW}/vectors.yaml").endswith("7 passed, 0 failed\n")
    assert "refused        0 moves" in run("ops", "arena", NEW, "--bots", "steady,random", "--deals", "5")


def test_the_walk_shows_the_files_as_they_stand():
    """Each of its five pieces is in the file that it names, in this order, and they name one clause."""
    walk = PAGE.read_text(encoding="utf-8").partition("## One rule, from clause to test\n")[2]
    pieces = re.findall(r"^   ```\w+\n(.*?)^   ```$", walk.partition("\n## ")[0], re.MULTILINE | re.DOTALL)
    assert len(pieces) == len(FILES)
    for name, piece in zip(FILES, pieces, strict=True):
        text = (HERE / NEW / name).read_text(encoding="utf-8")
        shown = re.sub(r"^   ", "", piece, flags=re.MULTILINE)
        assert shown in text, name
        assert "LDI-02" in textwrap.dedent(shown) or name == "view.py"


def test_the_page_names_both_examples():
    """With the folder that a reader opens, and the word that copies it."""
    text = PAGE.read_text(encoding="utf-8")
    for name in EXAMPLES:
        assert f"](../../tests/titles/{name})" in text
        assert (HERE / name / "RULES.md").is_file()
    assert f"--from {NEW}" in text
