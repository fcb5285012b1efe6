"""Every clause of every title's RULES.md is named by at least one test or vector."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from events.rules.catalogue import packages, title_ids
from tests.titles.table import tried_titles

TESTS = Path(__file__).parent.parent
CLAUSE = re.compile(r"^- \*\*([A-Z]{3}-\d+(?:-\d+)?)\*\*", re.MULTILINE)


def clauses(title_id: str) -> list[str]:
    """The clause ids that a title's RULES.md states, in order."""
    return CLAUSE.findall(files(packages()[title_id]).joinpath("RULES.md").read_text(encoding="utf-8"))


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
