"""A pytest plugin that says which tests run in one process, and which groups come first.

`--dist loadgroup` hands whole groups to its workers. A group is a file, so that its fixtures are made once.
All tests on the live service of the session are a few groups, so that it starts a few times. A large file of
pure tests is no group: each of its tests goes where there is room. Groups that took longest come first
(`tests/durations.json`, which `ops/test --record` writes), after what failed the last time.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from tests.budget import NAME, own_name

HERE = Path(__file__).parent
DURATIONS = HERE / "durations.json"
"""Seconds of wall clock of each group of five seconds and more."""
SHORTEST = 5.0
"""Seconds from which a group is remembered."""
LARGE = 20.0
"""Seconds from which a file of pure tests is split."""
SERVERS = {"servers", "live_server"}
"""Fixtures that start processes."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of this plugin."""
    group = parser.getgroup("grouping", "order and repetition of tests")
    group.addoption("--again", type=int, metavar="N", default=0, help="run each test N times")
    group.addoption("--pure", action="store_true", help="only tests without servers and browsers")
    group.addoption("--served", action="store_true", help="only tests with servers or browsers")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat each test, where that is asked for."""
    if times := metafunc.config.getoption("--again"):
        metafunc.fixturenames.append("again_number")
        metafunc.parametrize("again_number", range(times))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose, group and order the tests; before xdist adds the group to the name of each."""
    if config.getoption("--pure") or config.getoption("--served"):
        wanted = [item for item in items if is_pure(item) == config.getoption("--pure")]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(wanted)])
        items[:] = wanted
    took = json.loads(DURATIONS.read_text()) if DURATIONS.exists() else {}
    failed = _failed_last(config)
    order = {}
    for place, item in enumerate(items):
        group = group_of(item, took)
        item.stash[NAME] = (item.nodeid, group or file_of(item))
        if group:
            item.add_marker(pytest.mark.xdist_group(group))
        first = item.nodeid in failed
        order[item] = (not first, -took.get(group or file_of(item), 0.0), place)
    if hasattr(config, "workerinput"):  # alone, files come in their own order
        heads = defaultdict(list)
        for item in items:
            heads[group_of(item, took) or item.nodeid].append(item)
        groups = sorted(heads.values(), key=lambda group: min(order[item] for item in group))
        items[:] = [item for group in groups for item in group]


def is_pure(item: pytest.Item) -> bool:
    """Return True for a test without servers and browsers."""
    return not (SERVERS & set(item.fixturenames) or item.get_closest_marker("browser") or
                item.get_closest_marker("integration"))  # fmt: skip


def file_of(item: pytest.Item) -> str:
    """Return the path of a test's file below the checkout."""
    return item.path.relative_to(HERE.parent).as_posix()


def group_of(item: pytest.Item, took: dict[str, float]) -> str | None:
    """Return the name of the group that a test belongs to; None for a group of its own."""
    file = file_of(item)
    if "live_server" in item.fixturenames:
        page = file.removeprefix("tests/web/test_")
        return "live_service" if page == file else "live_page_1" if page < "d" else "live_page_2"
    return None if is_pure(item) and took.get(file, 0) > LARGE else file


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Call a test by its own name, without the group that xdist adds."""
    report.nodeid = own_name(report)[0]


def _failed_last(config: pytest.Config) -> set[str]:
    cache = getattr(config, "cache", None)
    return set(cache.get("cache/lastfailed", {}) or {}) if cache else set()


def durations(costs: dict[str, tuple[float, float, str]]) -> dict[str, int]:
    """Return the seconds of each group, from ``{test: (cpu, wall, group)}``; short ones are left out."""
    seconds: dict[str, float] = defaultdict(float)
    for _cpu, wall, group in costs.values():
        seconds[group] += wall
    return {group: round(took) for group, took in sorted(seconds.items()) if took >= SHORTEST}
