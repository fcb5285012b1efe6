"""The rooms of the packages: few entries in each folder, so that a reader finds a module by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MOST_AT_TOP, MOST_BELOW = 14, 24
TOPS = ("events", "projections", "service", "ops")
SHELL = {"environment.sh", "install", "lock", "rutter", "test", "up"}
"""The files of `ops` that start it: people call them."""
EXCEPTED = {"ops/database/migrations": "each migration adds a file"}
"""Folders with more entries, and why."""
NOT_READ = {"__pycache__", "kept", "static", "titles"}
"""Copies, the page, and the titles, which have the parts of their rulebooks."""


def count_entries(folder: Path) -> int:
    """The entries of a folder, but for the sentence that says what it holds."""
    names = {path.name for path in folder.iterdir() if path.name[0] != "."} - {"__init__.py", "__pycache__"}
    return len(names - SHELL if folder.name == "ops" else names)


def find_rooms(top: Path) -> list[Path]:
    """All folders below *top*."""
    return [
        path
        for path in sorted(top.rglob("*"))
        if path.is_dir() and not NOT_READ & {*path.relative_to(top).parts}
    ]


@pytest.mark.parametrize("name", TOPS)
def test_a_package_has_few_rooms(name):
    assert count_entries(ROOT / name) <= MOST_AT_TOP


@pytest.mark.parametrize("name", TOPS)
def test_a_room_has_few_modules(name):
    crowded = [
        room.relative_to(ROOT).as_posix()
        for room in find_rooms(ROOT / name)
        if count_entries(room) > MOST_BELOW
    ]
    assert [room for room in crowded if room not in EXCEPTED] == []


def test_an_exception_is_needed():
    assert all(count_entries(ROOT / name) > MOST_BELOW for name in EXCEPTED)


def test_a_crowded_room_is_noticed(tmp_path):
    for number in range(MOST_BELOW + 1):
        (tmp_path / "room").mkdir(exist_ok=True)
        (tmp_path / "room" / f"module_{number}.py").touch()
    (tmp_path / "room" / "__init__.py").touch()
    assert [count_entries(room) for room in find_rooms(tmp_path)] == [MOST_BELOW + 1]
