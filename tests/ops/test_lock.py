"""requirements.lock: complete, checked by hash, and free of anybody's addresses."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = (ROOT / "requirements.lock").read_text()
PINNED = [Requirement(line.removesuffix("\\")) for line in LOCK.splitlines() if re.match(r"\w", line)]
WANTED = [Requirement(text) for text in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]]


@pytest.mark.parametrize("wanted", WANTED, ids=str)
def test_each_dependency_is_locked_within_its_bounds(wanted):
    """Run `ops/lock` after a change of the dependencies."""
    pins = [pin for pin in PINNED if canonicalize_name(pin.name) == canonicalize_name(wanted.name)]
    assert pins
    versions = [next(iter(pin.specifier)).version for pin in pins]
    assert all(wanted.specifier.contains(version) for version in versions)


def test_each_pin_is_exact_and_carries_hashes():
    assert all(str(pin.specifier).startswith("==") for pin in PINNED)
    blocks = re.split(r"\n(?=\w)", LOCK)
    assert [block.splitlines()[0] for block in blocks[1:] if "--hash=sha256:" not in block] == []


def test_the_lock_names_no_host_and_no_folder():
    assert not re.search(r"://|--(extra-)?index|--find-links|file:| @ |(^|\s)/", LOCK)
