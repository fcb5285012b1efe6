"""A pytest plugin that measures what each test costs, in CPU seconds, and fails what costs far too much.

A test is billed for this process and all processes below it, children that have ended included. What
fixtures of the session take is billed to the session. Tiers, by mark:

- none: 2 CPU s; part of ``ops/test`` and everything above;
- ``whole``: 30 CPU s, at most twelve of them; part of ``ops/test`` and everything above;
- ``slow``: 30 CPU s; part of ``ops/test --all``;
- ``campaign``: no budget; part of ``ops/test --campaigns`` alone.

A test over its budget is named at the end; one over three times its budget fails. CPU seconds grow by half
on a busy machine, hence the factor. A budget is meant for an ordinary machine: before a test fails, a fixed
piece of work is measured, and a slower machine is allowed more in proportion.

With ``--cpu-limit SECONDS`` or ``--wall-limit SECONDS`` a run that takes more ends itself;
``--record-costs FILE`` writes what each test took, and fails none for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

TICK = os.sysconf("SC_CLK_TCK")
BUDGET, WHOLE = 2.0, 30.0
FACTOR = 3
STEPS, ORDINARY = 1_000_000, 0.03
"""A fixed piece of work, and the CPU seconds that an ordinary machine takes for it."""
DEAREST = 10
MOST_WHOLE = 12
GROUP = pytest.StashKey[str]()
"""The group of a test (tests/grouping.py)."""


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of all below it, those that have ended included."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime
    return total + sum(_ticks(pid) for pid in _below(os.getpid())) / TICK


def measure_slowness() -> float:
    """Return how many times longer than an ordinary machine this one takes for some work; at least 1."""
    took = []
    for _ in range(3):
        began = time.process_time()
        for _step in range(STEPS):
            pass
        took.append(time.process_time() - began)
    return max(1.0, sorted(took)[1] / ORDINARY)


def _below(pid: int) -> Iterator[int]:
    for child in _children(pid):
        yield child
        yield from _below(child)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):  # it has ended, or this system does not tell
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 # read thousands of times a run
            found += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
    return found


def _read(path: str) -> bytes:
    """Return what a small file of the kernel holds, in few calls."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 65536)
    finally:
        os.close(file)


def _ticks(pid: int) -> int:
    try:
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15]))  # user, system, and those of children that have ended


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of this plugin."""
    group = parser.getgroup("budget", "what tests may cost")
    group.addoption("--cpu-limit", type=float, metavar="SECONDS", help="end a run that takes more CPU")
    group.addoption("--wall-limit", type=float, metavar="SECONDS", help="end a run that takes longer")
    group.addoption("--record-costs", metavar="FILE", help="write what each test took as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """Measure in whatever runs tests, and report in whatever the user sees."""
    config.pluginmanager.register(Meter(config), "budget-meter")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Report(config), "budget-report")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse more dear tests in the ordinary run than there is room for."""
    whole = sum(item.get_closest_marker("whole") is not None for item in items)
    if whole > MOST_WHOLE:
        raise pytest.UsageError(f"{whole} tests are marked `whole`; at most {MOST_WHOLE} may be.")


def budget(item: pytest.Item) -> float | None:
    """Return the CPU seconds that a test may take; None where there is no bound."""
    if item.get_closest_marker("campaign"):
        return None
    return WHOLE if item.get_closest_marker("slow") or item.get_closest_marker("whole") else BUDGET


class Meter:
    """Measures each test, and fails those far over their budget."""

    def __init__(self, config: pytest.Config) -> None:
        self._fails = not config.getoption("--record-costs")
        self._began: float | None = None
        self._session = 0.0
        self._seen = 0.0
        self._lost = 0.0
        """What processes had taken that ended without anybody to collect them, as those of a browser do."""

    def look(self) -> float:
        """Return the CPU seconds so far, those of processes that ended uncollected among them."""
        seen = cpu_seconds()
        self._lost += max(0.0, self._seen - seen)
        self._seen = seen
        return seen + self._lost

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """Begin to measure where the last test ended: to look at all processes is dear."""
        if self._began is None:
            self._began = self.look()
        self._session = 0.0
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        """Take what a fixture of the session costs off the test that happened to come first."""
        if fixturedef.scope != "session":
            return (yield)
        before, within = self.look(), self._session
        try:
            return (yield)
        finally:
            self._session = within + self.look() - before  # those asked for within are part of it

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        """Tell what the test took, with its last report."""
        report = yield
        report.group = item.stash.get(GROUP, "")
        if call.when == "call" and item.get_closest_marker("browser"):
            self.look()  # a browser that ends with this test, or with its module, tells nothing afterwards
        if call.when == "teardown":
            now, began = self.look(), self._began or 0.0
            took, self._began = now - began - self._session, now
            allowed = budget(item)
            report.cost = (took, self._session, allowed)
            if (
                allowed is not None
                and took > FACTOR * allowed
                and report.passed
                and self._fails
                and took > FACTOR * allowed * measure_slowness()
            ):
                report.outcome = "failed"
                report.longrepr = (
                    f"{item.nodeid} took {took:.1f} CPU s; its tier allows {allowed:.0f}. "
                    "Make it cheaper, or move it to a dearer tier (tests/budget.py)."
                )
        return report


class Report:
    """Adds up what tests took, and tells it at the end."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._took: dict[str, float] = {}
        self._wall: dict[str, float] = defaultdict(float)
        self._group: dict[str, str] = {}
        self._over: dict[str, tuple[float, float]] = {}
        self._sessions = 0.0
        self._began = time.monotonic()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hear of one phase of one test."""
        self._group[report.nodeid] = getattr(report, "group", "")
        self._wall[report.nodeid] += report.duration
        if (cost := getattr(report, "cost", None)) is None:
            return
        took, session, allowed = cost
        self._took[report.nodeid] = took
        self._sessions += session
        if allowed is not None and took > allowed:
            self._over[report.nodeid] = (took, allowed)
        cpu, wall = self._config.getoption("--cpu-limit"), self._config.getoption("--wall-limit")
        if cpu and sum(self._took.values()) + self._sessions > cpu:
            pytest.exit(f"the tests took more than {cpu:.0f} CPU s; the dearest are named above", 3)
        if wall and time.monotonic() - self._began > wall:
            pytest.exit(f"the tests took longer than {wall:.0f} s; the dearest are named above", 3)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell the CPU seconds of each folder, the dearest tests, and those over their budget."""
        if path := self._config.getoption("--record-costs"):
            rows = {
                name: (round(took, 2), round(self._wall[name], 2), self._group[name])
                for name, took in sorted(self._took.items())
            }
            Path(path).write_text(json.dumps(rows, indent=0) + "\n")
        if len(self._took) < DEAREST:
            return
        line = terminalreporter.write_line
        folders: dict[str, float] = defaultdict(float)
        for name, took in self._took.items():
            folders["/".join(name.split("::")[0].split("/")[:2])] += took
        total = sum(folders.values()) + self._sessions
        each = ", ".join(f"{k} {v:.0f}" for k, v in sorted(folders.items(), key=lambda row: -row[1]) if v > 1)
        terminalreporter.section("CPU seconds, processes started by tests included")
        line(f"{total:.0f} in all, {self._sessions:.0f} of them for servers of the session; {each}")
        for name, took in sorted(self._took.items(), key=lambda row: -row[1])[:DEAREST]:
            line(f"{took:7.1f} CPU s {self._wall[name]:7.1f} s  {name}")
        for name, (took, allowed) in sorted(self._over.items(), key=lambda row: -row[1][0]):
            line(f"over its budget of {allowed:.0f} CPU s: {took:.1f}  {name}")
