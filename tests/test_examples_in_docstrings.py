"""The examples in docstrings: each prints what stands below it."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("events", "projections", "service", "workers", "ops")
LEAST_EXAMPLES = 110


def find_modules() -> list[str]:
    """The modules with an example, by their names; kept versions aside."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in paths
        if "kept" not in path.parts and ">>> " in path.read_text(encoding="utf-8")
    ]


MODULES = find_modules()


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_stands_below_them(name):
    found = doctest.testmod(import_module(name))
    assert found.attempted
    assert found.failed == 0


def test_there_are_examples_of_what_titles_and_verifiers_call():
    """Rules, proofs, times and trees: where readers begin."""
    assert set(MODULES) >= {
        *("events.rules.title", "events.rules.steps", "events.rules.fact", "events.rules.fast_chance"),
        *("events.proof.canonical", "events.proof.randomness"),
        *("events.base.timestamps", "events.tlog.tree", "events.research.encoding"),
    }
    finder = doctest.DocTestFinder()
    tests = [one for name in MODULES for one in finder.find(import_module(name))]
    assert sum(len(one.examples) for one in tests) >= LEAST_EXAMPLES
