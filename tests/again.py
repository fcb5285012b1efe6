"""A pytest plugin that repeats each test in one session: `--times N`.

Before each repetition all fixtures below the session end, and are made again: databases and what Redis
holds, applications, servers, pages. Tests on the live service leave their traces in it, so that the session's
fixtures end as well. This process stays, with the modules that it has imported, and for other tests one
Postgres and one Redis: as between two files of an ordinary run. It spares to start Python and to collect.

With `--share-fixtures` the fixtures of session and module stay too, as between two tests of one file: most
tests spend more on them than on themselves. Ids differ from one repetition to the next, secrets do not.
Tests that need fresh ones are marked in `once_failed.txt`, with the reason.

A test that fails is not repeated, and the next one comes; a line for each says how often it passed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

LIST = Path(__file__).with_name("once_failed.txt")
FRESH = "  # fresh: "
"""Stands in the list between a test and the reason for which its fixtures are not shared."""
REPETITION = pytest.StashKey[int]()
"""How often a test has been run before on the same fixtures."""


def read_once_failed() -> dict[str, str]:
    """Return the tests that once failed without a fault, each with the reason for fresh fixtures, or none."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    rows = (line.partition(FRESH) for line in lines if line and not line.startswith("#"))
    return {name: reason for name, _, reason in rows}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of this plugin."""
    group = parser.getgroup("again", "repetitions")
    group.addoption("--times", type=int, default=0, metavar="N", help="run each test so many times")
    group.addoption("--share-fixtures", action="store_true", help="those of session and module, with --times")


def pytest_configure(config: pytest.Config) -> None:
    """Repeat tests only where the option says so."""
    if times := config.getoption("times"):
        if config.getoption("numprocesses", None):
            raise pytest.UsageError("`--times` repeats tests in one process. Leave out `-n`.")
        config.pluginmanager.register(Repeater(config, times), "again-repeater")


class Elsewhere(pytest.Item):
    """A test that is never run: before it all fixtures of others end, but those of what both stand in."""

    def runtest(self) -> None:
        """Do nothing; nobody runs it."""


class Repeater:
    """Runs each test so many times, and tells how often it passed."""

    def __init__(self, config: pytest.Config, times: int) -> None:
        self._config = config
        self._times = times
        self._fresh: set[str] | None = None
        if config.getoption("share_fixtures"):
            self._fresh = {name for name, reason in read_once_failed().items() if reason}
        self._worst = "passed"
        self._why = ""
        self._took = 0.0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run all tests, each until it has run so many times or has not passed."""
        if session.testsfailed or self._config.option.collectonly:
            return None  # pytest says so
        elsewhere = Elsewhere.from_parent(session, name="elsewhere")
        for item in session.items:
            beside = Elsewhere.from_parent(item.parent, name="beside")
            if self._fresh is None:
                own = None if "live_server" in item.fixturenames else elsewhere
                self._repeat(item, own, own)
            else:
                own = elsewhere if self._fresh & {item.nodeid, item.nodeid.partition("[")[0]} else beside
                self._repeat(item, own, elsewhere)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
            if session.shouldstop:
                raise session.Interrupted(session.shouldstop)
        return True

    def _repeat(self, item: pytest.Item, between: pytest.Item | None, after: pytest.Item | None) -> None:
        """Run *item*, as if *between* came next, and *after* at last."""
        self._worst, self._why, self._took, ended = "passed", "", 0.0, 0
        try:
            while self._worst == "passed" and ended < self._times:
                item.stash[REPETITION] = ended if between is not after else 0
                ended += 1
                following = between if ended < self._times else after
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        finally:  # who interrupts it wants to know how far it came
            item.session._setupstate.teardown_exact(after)  # where it failed, the next test comes sooner
            often = f"{ended} times" if self._worst == "passed" else f"at time {ended} of {self._times}"
            each = f"{self._took / max(ended, 1):6.2f} CPU s each"
            terminal = self._config.pluginmanager.get_plugin("terminalreporter")
            terminal.ensure_newline()
            terminal.write_line(f"{self._worst} {often}, {each}: {item.nodeid}")
            if self._why:  # the whole of it comes at the end, after hours perhaps
                terminal.write_line(self._why)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hear how one phase of one repetition ended, and what it took."""
        if not report.passed:
            self._worst = report.outcome
        if report.failed:
            self._why = str(getattr(report.longrepr, "reprcrash", report.longrepr))
        took, _session, _allowed = getattr(report, "cost", (0.0, 0.0, None))
        self._took += took

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Draw no letters: the lines of the tests tell more."""
        if report.passed and report.when != "call":
            return "", "", ""
        return ("error" if report.failed and report.when != "call" else report.outcome), "", ""
