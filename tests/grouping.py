"""A pytest plugin that says which tests run in one process, and which groups come first.

`--dist loadgroup` hands whole groups to its workers. A group is the pure tests of a file, or its others, so
that fixtures are made once. All tests on the live service of the session are a few groups, so that it
starts a few times. A large file of pure tests is no group: each of its tests goes where there is room. What
failed the last time comes first, then what is pure, then what has servers and browsers; in each part the
groups that took longest (`tests/durations.json`, which `ops/test --record` writes).
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from tests.budget import GROUP

HERE = Path(__file__).parent
DURATIONS = HERE / "durations.json"
"""Seconds of wall clock of each group of five seconds and more."""
SHORTEST = 5.0
"""Seconds from which a group is remembered."""
LARGE = 20.0
"""Seconds from which a file of pure tests is split."""
BOTS_PAGES = "abcl"
"""First letters of the tests of the page that look at the same games of bots, or set the clock."""
SERVERS = {"servers", "live_server"}
"""Fixtures that start processes."""


def pytest_configure(config: pytest.Config) -> None:
    """Hand groups to the workers of xdist, where `--dist loadgroup` asks for it; they share a folder."""
    if shared := getattr(config, "workerinput", {}).get("shared"):
        from tests import servers  # not before conftest.py has said which titles there are

        servers.share(Path(shared))
    if hasattr(config, "workerinput") or config.getoption("dist", "no") != "loadgroup":
        return
    config.pluginmanager.register(Controller(), "grouping-controller")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Iterator[object]:
    """In a fresh checkout, let one process compile the tests; the others wait, and find them compiled."""
    shared = getattr(session.config, "workerinput", {}).get("shared")
    if shared is None or sys.dont_write_bytecode or is_compiled():
        return (yield)
    with Path(shared, "collecting").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # another one compiles them, or has done so
            fcntl.flock(lock, fcntl.LOCK_SH)
        return (yield)


def is_compiled() -> bool:
    """Return True if pytest has compiled the tests of this checkout before."""
    return any((HERE / "__pycache__").glob("test_*-pytest-*.pyc"))


class Controller:
    """The process that hands out tests: its workers collect them, and tell it their groups by a file."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="rutter-groups-"))
        self._file = self._folder / "groups.json"

    def pytest_configure_node(self, node: WorkerController) -> None:
        """Tell a worker where to write."""
        node.workerinput["groups"] = str(self._file)
        node.workerinput["shared"] = str(self._folder)

    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Producer) -> GroupScheduling:
        """Make the scheduler; the groups are known once it has to schedule."""
        return GroupScheduling(config, log, self._file)

    def pytest_unconfigure(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self._folder, ignore_errors=True)


class GroupScheduling(LoadScopeScheduling):
    """Hands out whole groups, in the order in which they were collected."""

    def __init__(self, config: pytest.Config, log: Producer, file: Path) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False
        self._file = file
        self._groups: dict[str, str] = {}

    def _split_scope(self, nodeid: str) -> str:
        """Return the group of a test."""
        if not self._groups:
            self._groups = json.loads(self._file.read_text())
        return self._groups[nodeid]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Group and order the tests: what failed last, what is pure, what has servers and browsers."""
    took = json.loads(DURATIONS.read_text()) if DURATIONS.exists() else {}
    failed = _failed_last(config)
    order = {}
    for place, item in enumerate(items):
        group = group_of(item, took)
        item.stash[GROUP] = named = group or pure_part(item)
        first = item.nodeid in failed
        order[item] = (not first, not is_pure(item), -took.get(named, 0.0), place)
    if hasattr(config, "workerinput"):  # alone, files come in their own order
        heads = defaultdict(list)
        for item in items:
            heads[group_of(item, took) or item.nodeid].append(item)
        groups = sorted(heads.values(), key=lambda group: min(order[item] for item in group))
        items[:] = [item for group in groups for item in group]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Tell the process that hands out tests the group of each, before xdist tells it to begin."""
    file = getattr(session.config, "workerinput", {}).get("groups")
    if file is None:
        return
    took = json.loads(DURATIONS.read_text()) if DURATIONS.exists() else {}
    groups = {item.nodeid: group_of(item, took) or item.nodeid for item in session.items}
    draft = Path(f"{file}.{os.getpid()}")
    draft.write_text(json.dumps(groups))
    draft.replace(file)  # all workers write the same


def is_pure(item: pytest.Item) -> bool:
    """Return True for a test without servers and browsers."""
    return not (SERVERS & set(item.fixturenames) or item.get_closest_marker("browser") or
                item.get_closest_marker("integration"))  # fmt: skip


def file_of(item: pytest.Item) -> str:
    """Return the path of a test's file below the checkout."""
    return _below_checkout(item.path)


@cache
def _below_checkout(path: Path) -> str:
    return path.relative_to(HERE.parent).as_posix()


def pure_part(item: pytest.Item) -> str:
    """Return the name of the pure tests of a test's file."""
    return f"{file_of(item)}: pure"


def group_of(item: pytest.Item, took: dict[str, float]) -> str | None:
    """Return the name of the group that a test belongs to; None for a group of its own."""
    file = file_of(item)
    if "live_server" in item.fixturenames:
        page = file.removeprefix("tests/web/test_")
        return "live_service" if page == file else "live_page_1" if page[0] in BOTS_PAGES else "live_page_2"
    if not is_pure(item):
        return file
    return None if took.get(pure_part(item), 0) > LARGE else pure_part(item)


def _failed_last(config: pytest.Config) -> set[str]:
    cache = getattr(config, "cache", None)
    return set(cache.get("cache/lastfailed", {}) or {}) if cache else set()


def durations(costs: dict[str, tuple[float, float, str]]) -> dict[str, int]:
    """Return the seconds of each group, from ``{test: (cpu, wall, group)}``; short ones are left out."""
    seconds: dict[str, float] = defaultdict(float)
    for _cpu, wall, group in costs.values():
        seconds[group] += wall
    return {group: round(took) for group, took in sorted(seconds.items()) if took >= SHORTEST}
