"""Titles of others: found by entry points, in no other title's way; no game is BAD for what is missing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from events.rules.catalogue import UnusableTitle
from ops.cli.db.replay import _choose_status, _judge
from service.http.problems import missing_rules_problem
from tests.titles import golden

ROOT = Path(__file__).resolve().parents[2]
PLAY = """
from rutter.events.rules.catalogue import list_problems, title_ids
from rutter.tests.titles.table import Table, play

print(*title_ids())
print(*list_problems(), sep="\\n")
for title_id in set(title_ids()) & {"harbour", "lighthouse"}:
    game = play(Table(title_id, 2), seed=1)
    print(title_id, game.title.outcome(game.state).places)
"""
OWN = "colonial colonial_empires colonial_revised colonialism colonies"


def add_package(folder: Path, name: str) -> Path:
    """A copy of the example as a package *name* in *folder*."""
    copy = folder / name
    shutil.copytree(
        ROOT / "tests/titles/example", copy, ignore=shutil.ignore_patterns("golden", "__pycache__")
    )
    for path in copy.rglob("*.*"):
        path.write_text(path.read_text(encoding="utf-8").replace("example", name), encoding="utf-8")
    return copy


def add_distribution(folder: Path, name: str, *points: str) -> None:
    """What pip leaves behind of a distribution with these entry points."""
    info = folder / f"{name}-1.2.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("\n".join(["[rutter.titles]", *points, ""]), encoding="utf-8")


def run(folder: Path, *words: str, titles: str = "", status: int = 0) -> str:
    """What a Python program says that has *folder* on its path, and the checkout."""
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "ops/base/checkout", folder)))
    environment = {**os.environ, "RUTTER_EXTRA_TITLES": titles, "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-P", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_distribution_brings_a_title(tmp_path):
    """Its entry point is enough: the title is listed, and a game of it is played to the end."""
    add_package(tmp_path, "harbour")
    add_distribution(tmp_path, "harbour-for-rutter", "harbour = harbour")
    said = run(tmp_path, "-c", PLAY)
    assert said.splitlines()[0] == "colonial colonial_empires colonial_revised colonialism colonies harbour"
    assert re.search(r"^harbour \(\d, \d\)$", said, re.MULTILINE)


BROKEN = {
    "missing": ("lost = lost", "there is no module lost here, which the distribution others 1.2 names"),
    "syntax": ("bent = bent", "its package bent (the distribution others 1.2) does not load (SyntaxError"),
    "no title": ("empty = empty", "AttributeError"),
    "needs": ("needy = needy", "needs the module nowhere, which is missing here"),
    "another id": ("quay = harbour", "the TITLE of harbour calls itself harbour; the two must agree"),
    "no package": ("odd = odd:make()", "which is no name of a package"),
    "own": ("colonies = harbour", "this id is that of a title of the project, which is played"),
}


def test_what_is_broken_is_left_out_and_named(tmp_path):
    """Each with its distribution and what helps; the titles that are sound are played."""
    add_package(tmp_path, "harbour")
    (tmp_path / "bent.py").write_text("TITLE = (", encoding="utf-8")
    (tmp_path / "empty.py").touch()
    (tmp_path / "needy.py").write_text("import nowhere.found", encoding="utf-8")
    add_distribution(tmp_path, "others", "harbour = harbour", *(point for point, _ in BROKEN.values()))
    said = run(tmp_path, "-c", PLAY)
    assert said.splitlines()[0] == f"{OWN} harbour"
    assert re.search(r"^harbour \(\d, \d\)$", said, re.MULTILINE)
    for name, (point, reason) in BROKEN.items():
        title_id = point.partition(" ")[0]
        begin = f"the title {title_id} cannot be used: "
        told = [line for line in said.splitlines() if line.startswith(begin)]
        assert len(told) == 2, f"{name}: listed, and logged once"
        assert reason in told[0]
        assert "others 1.2" in told[0] or "harbour" in told[0]


def test_of_two_titles_with_one_id_neither_is_played(tmp_path):
    """Which one it were would hang on the order of folders; both that claim it are named."""
    add_package(tmp_path, "harbour")
    add_package(tmp_path, "quays")
    add_package(tmp_path, "lighthouse")
    add_distribution(tmp_path, "one", "harbour = harbour", "lighthouse = lighthouse")
    add_distribution(tmp_path, "other", "harbour = quays")
    said = run(tmp_path, "-c", PLAY, titles="lighthouse")
    assert said.splitlines()[0] == f"{OWN} lighthouse", "named twice, but as one package"
    assert "the distribution one 1.2 names harbour and the distribution other 1.2 names quays" in said
    assert "Uninstall one, or leave one out" in said


@pytest.fixture
def bundle(tmp_path) -> Path:
    """The bundle of a game of the example."""
    file = tmp_path / "game.ndjson"
    file.write_bytes(b"".join(golden.bundle_of("example")))
    return file


MISSING = {
    "": "example version 1 is not installed here; there are",
    "nowhere.example": "there is no module nowhere here, which RUTTER_EXTRA_TITLES names. Install the title",
    "example": "needs the module nothing_like_it, which is missing here. Install what the title needs",
}


@pytest.mark.parametrize("titles", MISSING)
def test_a_title_that_cannot_be_imported_is_no_fault_of_the_file(bundle, tmp_path, titles):
    """Exit status 3, and a sentence that names the module and what to do."""
    (tmp_path / "example.py").write_text("import nothing_like_it", encoding="utf-8")
    said = run(tmp_path, "-m", "ops", "verify", str(bundle), "--bots", titles=titles, status=3)
    assert "CANNOT CHECK: " in said
    assert MISSING[titles] in said
    assert "BAD" not in said


def test_neither_is_an_example_of_a_title_that_cannot_be_imported(tmp_path):
    """`rutter vectors`: it did not fail, it was not tried."""
    (tmp_path / "example.py").write_text("import nothing_like_it", encoding="utf-8")
    file = ROOT / "tests/titles/example/vectors.yaml"
    said = run(tmp_path, "-m", "ops", "vectors", str(file), titles="example", status=3)
    assert "FAILED" not in said
    assert (
        "LFL-V-01: the title example cannot be used: its package example (RUTTER_EXTRA_TITLES) needs" in said
    )
    assert said.endswith("0 passed, 0 failed, 5 not checked\n")


LATE = {
    "steps.py": "    if command.sail not in draft.state.hands[seat]:",
    "bot.py": "    hand = state.hands[seat]",
}


@pytest.mark.parametrize("file", LATE)
def test_neither_is_what_is_missed_in_the_middle_of_a_game(bundle, tmp_path, file):
    """By a rule, or by a bot that thinks again."""
    path = add_package(tmp_path, "example") / file
    text = path.read_text(encoding="utf-8")
    assert LATE[file] in text
    path.write_text(text.replace(LATE[file], f"    import nothing_like_it\n{LATE[file]}"), encoding="utf-8")
    said = run(tmp_path, "-m", "ops", "verify", str(bundle), "--bots", titles="example", status=3)
    assert "CANNOT CHECK: it needs the module nothing_like_it, which cannot be imported here." in said


def test_the_release_check_calls_it_missing():
    """`rutter replay`: neither changed nor broken, whatever is not installed; its exit status says so."""

    class Stored:
        def records(self, game_id):
            raise ModuleNotFoundError("No module named 'nothing_like_it'", name="nothing_like_it")

    assert _judge(Stored(), "019a9f00-0000-7000-8000-000000000001") == (
        "missing",
        "No module named 'nothing_like_it'",
    )
    assert [_choose_status(found) for found in ({"same"}, {"same", "missing"}, {"missing", "broken"})] == [
        0,
        3,
        1,
    ]


def test_the_api_says_what_is_missing():
    """The remedy is the operator's, and no version of the program has to be put back for it."""
    problem = missing_rules_problem(UnusableTitle("harbour", "there is no module harbour here"))
    assert (problem.status, problem.code) == (503, "rules_missing")
    assert "there is no module harbour here. Ask the operator to repair that" in problem.detail
    assert "rutter keep" not in problem.detail


def test_anyone_who_starts_the_service_hears_of_it(tmp_path):
    """`rutter up` names what it leaves out, and starts; no process stumbles over a missing package."""
    text = "import os, pathlib\n\npathlib.Path(__file__).with_name('by').write_text(str(os.getpid()))\n"
    (tmp_path / "harbour.py").write_text(text, encoding="utf-8")
    program = (
        "import os, pathlib\n"
        "from ops.runtime.launcher import Identity, _warn_of_titles\n"
        "from projections.base.build_id import get_build_id\n"
        "_warn_of_titles(Identity())\n"
        "print(pathlib.Path('by').read_text() == str(os.getpid()))\n"
        "get_build_id()\n"
    )
    said = run(tmp_path, "-c", program, titles="harbour,nowhere.quay").splitlines()
    assert said[0].startswith(
        "This title cannot be played: the title harbour cannot be used: its package harbour"
    )
    assert said[1].startswith(
        "This title cannot be played: the title quay cannot be used: there is no module nowhere here"
    )
    assert said[2] == "False", "a process that may be root's loads nothing of theirs"
