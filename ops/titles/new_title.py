"""Writing a new title: a copy of another under a name of its own, with tests, record and golden game."""

from __future__ import annotations

import keyword
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

from events.base.installation import qualify_name
from events.base.settings import RUTTER_EXTRA_TITLES, RUTTER_TEST_TITLES
from events.rules.catalogue import KEPT, packages, title_ids
from ops.base.errors import OpsError
from ops.titles.versions import GOLDEN, LONG, PROJECT, RECORD, find_folder

EXAMPLE = "example"
EXAMPLES = (EXAMPLE, "liars_dice")
"""Landfall and Liar's dice, the titles to read and copy: packages of `tests.titles`."""
NAME = re.compile(r"[a-z][a-z0-9_]{1,39}")
CLAUSE = re.compile(r"^- \*\*([A-Z]{3})-\d", re.MULTILINE)
TEXTS = {".json", ".md", ".py", ".toml", ".yaml"}
"""The suffixes of files in which names are changed; other files are copied as they are."""
LEFT_OUT = (KEPT, GOLDEN, RECORD, "__pycache__")
OWN = ("events", "projections", "service", "workers", "ops", "tests")

PROJECT_FILE = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "1.0"
requires-python = ">=3.11"
dependencies = ["rutter-games"]

# By this Rutter finds the title where it is installed.
[project.entry-points."rutter.titles"]
{name} = "{name}"

[tool.pytest.ini_options]
testpaths = ["test_{name}.py"]
markers = ["slow: takes longer; `-m 'not slow'` leaves it out"]
"""
CONFTEST = f'''\
"""The settings of the tests: they name the title, so that Rutter finds it without an installation."""

import os

others = os.environ.get("{RUTTER_EXTRA_TITLES.name}", "").split(",")
os.environ["{RUTTER_EXTRA_TITLES.name}"] = ",".join(sorted({{{{*filter(None, others), "{{name}}"}}}}))
os.environ["{RUTTER_TEST_TITLES.name}"] = "{{name}}"
'''
TESTS = '''\
"""The tests that every title must pass, for {name}. You can add tests of your own here."""

from rutter.tests.titles.battery import *  # noqa: F403
'''


def write_title(name: str, source: str, folder: Path) -> Path:
    """Write the title *name*, begun as a copy of *source*, into a new folder in *folder*; return that.

    Raises:
        OpsError: the name cannot be taken, *source* cannot be copied, or something is in the way.
    """
    _check_name(name)
    template = _find_template(source)
    project = folder / name
    if project.exists():
        raise OpsError(f"{project} exists already. Choose another name, or another folder with --into.")
    package = project / name
    try:
        shutil.copytree(find_folder(template), package, ignore=shutil.ignore_patterns(*LEFT_OUT))
        _rename(package, template, source, name)
        for file, text in (("pyproject.toml", PROJECT_FILE), ("conftest.py", CONFTEST)):
            (project / file).write_text(text.format(name=name), encoding="utf-8")
        _run(project, name, qualify_name("tests.titles.golden"), name)
        _run(project, name, qualify_name("ops"), "keep", "--record", name)
    except OSError as problem:
        raise OpsError(
            f"{project} cannot be written: {problem.strerror}. Choose another folder with --into."
        ) from problem
    except OpsError:
        shutil.rmtree(project, ignore_errors=True)
        raise
    return project


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise OpsError(
            f"{name!r} cannot be the name of a title. Use 2 to 40 of a-z, 0-9 and _, with a letter first."
        )
    if name in packages():
        raise OpsError(f"There is a title {name} already, {packages()[name]}. Choose another name.")
    if name in EXAMPLES or find_spec(name) is not None:
        raise OpsError(f"There is a module {name} already, so its name is taken. Choose another name.")


def _find_template(source: str) -> str:
    """Return the package that is copied."""
    if source in EXAMPLES:
        return qualify_name(f"tests.titles.{source}")
    package = packages().get(source)
    if package is None:
        known = dict.fromkeys([*EXAMPLES, *packages()])
        raise OpsError(f"There is no title {source}. Choose from {', '.join(known)}.")
    if package.startswith(PROJECT):
        raise OpsError(
            f"{source} cannot be copied: its bot, examples and tests are not beside its rules."
            f" Use {' or '.join(f'`--from {name}`' for name in EXAMPLES)}: they have all of them."
        )
    return package


# --- names --------------------------------------------------------------------------------------------


def _rename(package: Path, template: str, source: str, name: str) -> None:
    """Give the copy its own names: package, id, the name that players read, and the ids of its clauses."""
    rules, init = package / "RULES.md", package / "__init__.py"
    tests = package.parent / f"test_{name}.py"
    tests.write_text(_read_tests(template, source) or TESTS.format(name=name), encoding="utf-8")
    old = _find_shown_name(init)
    new = name.replace("_", " ").capitalize()
    prefixes = sorted(set(CLAUSE.findall(rules.read_text(encoding="utf-8"))))
    clauses = dict(zip(prefixes, _choose_prefixes(name, len(prefixes)), strict=True))
    for path in sorted([tests, *package.rglob("*")]):
        if path.suffix in TEXTS and path.is_file():
            text = path.read_text(encoding="utf-8")
            if source in EXAMPLES:  # whose name is no word of its rules
                text = re.sub(rf"\b{re.escape(old)}\b", new, text)
            if clauses:
                text = _rename_clauses(text, clauses)
            if path.suffix == ".py":
                text = _rename_package(text, template, name)
            path.write_text(text, encoding="utf-8")
    _replace_line(init, r'^( +id=)"\w+",$', rf'\1"{name}",')
    _replace_line(init, r'^( +name=)"[^"]*",$', rf'\1"{new}",')
    _replace_line(init, r"^ +version=\d+,\n", "", needed=False)
    _replace_line(init, r'\A""".*?"""', f'"""{new}: begun as a copy of {old}."""', needed=False)
    _replace_line(rules, r"\A# [^\n]*$", f"# {new}: the rules")
    vectors = package / "vectors.yaml"
    if vectors.is_file():
        text = vectors.read_text(encoding="utf-8")
        vectors.write_text(re.sub(rf"\btitle: {source}\b", f"title: {name}", text), encoding="utf-8")


def _read_tests(template: str, source: str) -> str:
    """Return the title's own tests, where `rutter title new` has put them; empty where there are none."""
    path = find_folder(template).parent / f"test_{source}.py"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _find_shown_name(init: Path) -> str:
    found = re.search(r'^ +name="([^"]*)",$', init.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise OpsError(f"{init} has no line `name=...,`, so this title cannot be copied. Use another --from.")
    return found[1]


def _rename_package(text: str, template: str, name: str) -> str:
    """Lead imports, and strings that name a module, to the copy; the project's own get their long names."""
    short = re.escape(template.removeprefix(LONG))
    text = re.sub(rf"(?:{re.escape(LONG)})?\b{short}(?=[.\s\"'])", name, text)
    return re.sub(rf"^( *from )(?=(?:{'|'.join(OWN)})[. ])", rf"\1{LONG}", text, flags=re.MULTILINE)


def _rename_clauses(text: str, clauses: Mapping[str, str]) -> str:
    return re.sub(
        rf"\b({'|'.join(clauses)})(?=-[A-Z0-9])", lambda found: clauses[found[1]], text
    )  # all at once: one may be new that another was


def _choose_prefixes(name: str, count: int) -> list[str]:
    """Return three letters each, from the name, that begin no clause of any other title."""
    taken = {prefix for title_id in title_ids() for prefix in _read_prefixes(packages()[title_id])}
    letters = re.sub("[^A-Z]", "", name.upper()) + "XYZ"
    candidates = dict.fromkeys("".join(each) for each in combinations(letters, 3))
    return [each for each in candidates if each not in taken][:count]


def _read_prefixes(package: str) -> Iterable[str]:
    rules = find_folder(package) / "RULES.md"
    return CLAUSE.findall(rules.read_text(encoding="utf-8")) if rules.is_file() else []


def _replace_line(path: Path, pattern: str, replacement: str, *, needed: bool = True) -> None:
    text, found = re.subn(
        pattern, replacement, path.read_text(encoding="utf-8"), count=1, flags=re.MULTILINE | re.DOTALL
    )
    if needed and not found:
        raise OpsError(f"{path} has no {pattern}, so this title cannot be copied. Use another --from.")
    path.write_text(text, encoding="utf-8")


def _run(project: Path, name: str, *words: str) -> None:
    """Run a module of Rutter that knows the new title."""
    paths = [str(project), *(path for path in sys.path if path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), RUTTER_EXTRA_TITLES.name: name}
    done = subprocess.run(
        [sys.executable, "-P", "-m", *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise OpsError(
            "The copy does not work, so it was deleted. Use another --from. The "
            f"error:\n{done.stderr.strip()}"
        )
