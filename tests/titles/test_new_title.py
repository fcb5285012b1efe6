"""`rutter title new` writes a title that is green from the first minute."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from events.rules.title import Title
from ops.base.errors import OpsError
from ops.titles.new_title import write_title

ROOT = Path(__file__).resolve().parents[2]
PYTEST = ("pytest", "-q", "-pno:cacheprovider", "-pno:schemathesis", "-pno:faker")
"""Without what others brought along: it is dear to load."""


def run(folder: Path, *words: str, status: int = 0) -> str:
    """What a Python program says that knows the title in *folder*, beside the project's."""
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "ops/base/checkout", folder)))
    titles = folder.name if folder.joinpath("pyproject.toml").exists() else ""
    environment = {**os.environ, "RUTTER_EXTRA_TITLES": titles, "PYTHONPATH": paths}
    environment.pop("PYTEST_ADDOPTS", None)  # they are meant for anyone who runs this test
    done = subprocess.run(
        [sys.executable, "-P", "-m", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout[-3000:] + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_the_second_example_is_copied_under_names_of_its_own(tmp_path):
    """Its first heading, its clauses and its package are those of the copy, and its record holds."""
    run(tmp_path, "rutter", "title", "new", "tavern", "--from", "liars_dice")
    package = tmp_path / "tavern/tavern"
    assert (package / "RULES.md").read_text(encoding="utf-8").startswith("# Tavern: the rules\n")
    texts = {path: path.read_text(encoding="utf-8") for path in package.iterdir() if path.is_file()}
    for path, text in texts.items():
        assert not re.search(r"\bLDI\b|tests\.titles|\bliars_dice\b", text), path
        assert "Liar's dice" not in text or path.name == "__init__.py"
    assert run(tmp_path / "tavern", "ops", "keep", "--check", "tavern") == "tavern: 1\n"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory) -> Path:
    """The folder of a new title, which begins as the example."""
    folder = tmp_path_factory.mktemp("titles")
    said = run(folder, "rutter", "title", "new", "harbour")
    assert (
        f"-m pytest harbour\n  export PYTHONPATH={folder / 'harbour'} RUTTER_EXTRA_TITLES=harbour\n" in said
    )
    return folder / "harbour"


def test_it_has_names_of_its_own(harbour):
    """Nothing of the example's is left, and what is the platform's is said as it is said everywhere."""
    package = harbour / "harbour"
    texts = {path: path.read_text(encoding="utf-8") for path in package.iterdir() if path.is_file()}
    for path, text in texts.items():
        assert not re.search(r"\bLFL\b|tests\.titles|\bexample\b", text), path
        assert "Landfall" not in text or path.name == "__init__.py"
        assert not re.search(r"^from (events|workers)\b", text, re.MULTILINE), path
    assert '    name="Harbour",\n' in texts[package / "__init__.py"]
    assert "- **HAR-01** " in texts[package / "RULES.md"]
    assert {path.name for path in harbour.iterdir()} >= {"pyproject.toml", "conftest.py", "test_harbour.py"}


@pytest.mark.slow
def test_everything_that_is_asked_of_it_holds(harbour):
    """In its own folder, by nothing but pytest; and a change of its rules is noticed."""
    said = run(harbour, *PYTEST)
    assert int(re.findall(r"(\d+) passed", said)[-1]) > 45
    state = harbour / "harbour/state.py"
    text = state.read_text(encoding="utf-8")
    state.write_text(text.replace("DEALT = 3", "DEALT = 4"), encoding="utf-8")
    said = run(harbour, *PYTEST, "-k", "test_vector or as_recorded or test_playthrough", status=1)
    state.write_text(text, encoding="utf-8")
    for name in ("test_vector[HAR-V-01]", "test_rules_and_data_are_as_recorded[harbour]", "test_playthrough"):
        assert f"::{name}" in said
    assert "record it: python -m rutter.tests.titles.golden harbour" in said


def test_another_title_is_copied_with_its_tests(harbour, tmp_path):
    """Under names of its own; a version that the other has come to does not count for it."""
    own = harbour / "test_harbour.py"
    before = own.read_text(encoding="utf-8")
    own.write_text(before + '\n\ndef test_own():\n    """HAR-01 of `harbour.state`."""\n', encoding="utf-8")
    run(harbour, "ops", "title", "new", "quay", "--from", "harbour", "--into", str(tmp_path))
    own.write_text(before, encoding="utf-8")
    assert '"""QUA-01 of `quay.state`."""' in (tmp_path / "quay/test_quay.py").read_text(encoding="utf-8")
    init = (tmp_path / "quay/quay/__init__.py").read_text(encoding="utf-8")
    assert '    id="quay",\n    name="Quay",\n' in init
    assert run(tmp_path / "quay", "ops", "keep", "--check", "quay") == "quay: 1\n"


REFUSED = {
    "Harbour": "cannot be the name of a title",
    "h": "cannot be the name of a title",
    "class": "cannot be the name of a title",
    "../out": "cannot be the name of a title",
    "colonies": "There is a title colonies already",
    "json": "There is a module json already",
    "events": "There is a module events already",
    "example": "There is a ",
    "liars_dice": "There is a ",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_cannot_be_taken_is_refused(tmp_path, name):
    """Before anything is written."""
    with pytest.raises(OpsError, match=REFUSED[name]):
        write_title(name, "example", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_copied_is_said(tmp_path):
    """A title of the project, whose tests stand elsewhere; one that there is not; a folder in the way."""
    with pytest.raises(OpsError, match=r"colonies cannot be copied: .* `--from example` or `--from liars"):
        write_title("harbour", "colonies", tmp_path)
    with pytest.raises(OpsError, match=r"There is no title chess. Choose from example, liars_dice, colonial"):
        write_title("harbour", "chess", tmp_path)
    (tmp_path / "harbour").mkdir()
    with pytest.raises(OpsError, match="harbour exists already"):
        write_title("harbour", "example", tmp_path)


def test_a_copy_that_does_not_work_is_taken_away(harbour, tmp_path):
    """Whatever is wrong with the title that was copied is shown."""
    state = harbour / "harbour/state.py"
    text = state.read_text(encoding="utf-8")
    state.write_text(text.replace("DEALT = 3", "DEALT = 30"), encoding="utf-8")
    said = run(harbour, "ops", "title", "new", "quay", "--from", "harbour", "--into", str(tmp_path), status=1)
    state.write_text(text, encoding="utf-8")
    assert "The copy does not work, so it was deleted" in said
    assert list(tmp_path.iterdir()) == []


def test_the_page_names_every_member_of_a_title():
    """Each member with its default, and none that there is not."""
    page = (ROOT / "events/titles/README.md").read_text(encoding="utf-8")
    text = page.split("| member of `Title` |")[1].split("\n\n")[0]
    named = set(re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in text.splitlines()[2:])))
    assert named == {f.name for f in dataclasses.fields(Title) if f.init}


def test_the_readme_tells_what_is_asked():
    """Each file of the battery has its row in the README of titles."""
    text = (
        (ROOT / "events/titles/README.md")
        .read_text(encoding="utf-8")
        .split("| what is asked |")[1]
        .split("\n\n")[0]
    )
    battery = (ROOT / "tests/titles/battery.py").read_text(encoding="utf-8")
    files = {f"{name}.py" for name in re.findall(r"^from tests\.\w+\.(\w+) import \*", battery, re.MULTILINE)}
    assert set(re.findall(r"`(test_\w+\.py)`", text)) == files
