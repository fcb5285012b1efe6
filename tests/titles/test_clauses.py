"""Every clause of every title's RULES.md is tested, and what it names in the code exists."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from events.base.installation import qualify_name
from events.rules.catalogue import find_title, packages, title_ids
from ops.titles.versions import find_folder
from tests.titles.table import tried_titles

TESTS = Path(__file__).parent.parent
CLAUSE = re.compile(r"^- \*\*([A-Z]{3}-\d+(?:-\d+)?)\*\*", re.MULTILINE)


def read_rules(title_id: str) -> str:
    """The text of a title's RULES.md."""
    return files(packages()[title_id]).joinpath("RULES.md").read_text(encoding="utf-8")


def clauses(title_id: str) -> list[str]:
    """The clause ids that a title's RULES.md states, in order."""
    return CLAUSE.findall(read_rules(title_id))


@cache
def named() -> frozenset[str]:
    """All clause ids that stand in tests and vectors."""
    found: set[str] = set()
    beside = [Path(str(files(packages()[title_id]))) for title_id in title_ids()]
    places = [TESTS.rglob("*.py"), TESTS.rglob("*.yaml")]
    places += [folder.glob("vectors.yaml") for folder in beside]
    places += [folder.parent.glob("test_*.py") for folder in beside]
    for place in places:
        for path in place:
            found |= set(re.findall(r"[A-Z]{3}-\d+(?:-\d+)?", path.read_text(encoding="utf-8")))
    return frozenset(found)


@pytest.mark.parametrize("title_id", tried_titles())
def test_every_clause_is_tested(title_id):
    """No clause is without a test or vector that names it."""
    stated = clauses(title_id)
    assert stated, "RULES.md states no clauses"
    assert len(stated) == len(set(stated))
    missing = [clause for clause in stated if clause not in named()]
    assert not missing, f"{len(missing)} of {len(stated)} clauses without a test: {missing}"


@pytest.mark.parametrize("title_id", tried_titles())
def test_every_option_is_described(title_id):
    """The rules name each option of the title."""
    text = read_rules(title_id)
    options = [field.name for field in msgspec.structs.fields(find_title(title_id).Options)]
    assert [name for name in options if not re.search(rf"`{name}\b", text)] == []


@pytest.mark.parametrize("title_id", tried_titles())
def test_every_file_that_is_named_exists(title_id):
    """In the folder of the title, or where its path leads from the root."""
    places = (Path(str(files(packages()[title_id]))), find_folder(qualify_name("events")).parent)
    named = set(re.findall(r"`([\w./]+(?:\.(?:py|toml|yaml|md)|/))`", read_rules(title_id)))
    assert sorted(path for path in named if not any((place / path).exists() for place in places)) == []
