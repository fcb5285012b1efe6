"""A pytest plugin that repeats each test in one session: `--times N`.

Before each repetition all fixtures below the session end, and are made again: databases and what Redis
holds, applications, servers, pages. Tests on the live service leave their traces in it, so that the session's
fixtures end as well. This process stays, with the modules that it has imported, and for other tests one
Postgres and one Redis: as between two files of an ordinary run. It spares to start Python and to collect.

A test that fails is not repeated, and the next one comes; a line for each says how often it passed.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option of this plugin."""
    group = parser.getgroup("again", "repetitions")
    group.addoption("--times", type=int, default=0, metavar="N", help="run each test so many times")


def pytest_configure(config: pytest.Config) -> None:
    """Repeat tests only where the option says so."""
    if times := config.getoption("times"):
        if config.getoption("numprocesses", None):
            raise pytest.UsageError("`--times` repeats tests in one process. Leave out `-n`.")
        config.pluginmanager.register(Repeater(config, times), "again-repeater")


class Elsewhere(pytest.Item):
    """A test of no file: before it all fixtures of other tests end, but those of the session."""

    def runtest(self) -> None:
        """Do nothing; nobody runs it."""


class Repeater:
    """Runs each test so many times, and tells how often it passed."""

    def __init__(self, config: pytest.Config, times: int) -> None:
        self._config = config
        self._times = times
        self._worst = "passed"
        self._took = 0.0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run all tests, each until it has run so many times or has not passed."""
        if session.testsfailed or self._config.option.collectonly:
            return None  # pytest says so
        elsewhere = Elsewhere.from_parent(session, name="elsewhere")
        for item in session.items:
            live = "live_server" in item.fixturenames
            self._repeat(item, None if live else elsewhere)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)
            if session.shouldstop:
                raise session.Interrupted(session.shouldstop)
        return True

    def _repeat(self, item: pytest.Item, following: pytest.Item | None) -> None:
        self._worst, self._took, ended = "passed", 0.0, 0
        try:
            while self._worst == "passed" and ended < self._times:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                ended += 1
        finally:  # who interrupts it wants to know how far it came
            often = f"{ended} times" if self._worst == "passed" else f"at time {ended} of {self._times}"
            each = f"{self._took / max(ended, 1):6.2f} CPU s each"
            terminal = self._config.pluginmanager.get_plugin("terminalreporter")
            terminal.ensure_newline()
            terminal.write_line(f"{self._worst} {often}, {each}: {item.nodeid}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Hear how one phase of one repetition ended, and what it took."""
        if not report.passed:
            self._worst = report.outcome
        took, _session, _allowed = getattr(report, "cost", (0.0, 0.0, None))
        self._took += took

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Draw no letters: the lines of the tests tell more."""
        if report.passed and report.when != "call":
            return "", "", ""
        return ("error" if report.failed and report.when != "call" else report.outcome), "", ""
