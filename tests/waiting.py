"""Waiting in tests: for a condition, never for a time.

No other module of the tests sleeps or reads a clock, campaigns excepted; a lint rule sees to that
(`[tool.ruff.lint.flake8-tidy-imports]` in pyproject.toml).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TypeVar

PATIENCE = 120.0
"""Seconds after which a condition is called unmet: long enough for a machine under any load."""
SHORTEST, LONGEST = 0.005, 0.2  # seconds between two looks; the pause doubles

T = TypeVar("T")


def until(condition: Callable[[], T], what: str) -> T:
    """Return the first true value of *condition*; fail, naming *what* was waited for, after PATIENCE."""
    end, pause = time.monotonic() + PATIENCE, SHORTEST
    while not (found := condition()):
        assert time.monotonic() < end, f"waited {PATIENCE:.0f} s in vain: {what}"
        time.sleep(pause)
        pause = min(2 * pause, LONGEST)
    return found


def each_look(what: str) -> Iterator[None]:
    """Yield again and again, with pauses; for loops that do more than look. Fails after PATIENCE."""
    end, pause = time.monotonic() + PATIENCE, SHORTEST
    while True:
        yield
        assert time.monotonic() < end, f"waited {PATIENCE:.0f} s in vain: {what}"
        time.sleep(pause)
        pause = min(2 * pause, LONGEST)


def beside(stop: threading.Event) -> Iterator[None]:
    """Yield again and again, with pauses, until *stop* is set: for what goes on beside a test."""
    while not stop.wait(LONGEST / 4):
        yield


def random_moment(chance: Random, most: float) -> None:
    """Let up to *most* seconds pass: the moment of a kill is drawn, and nothing is waited for."""
    time.sleep(chance.uniform(0, most))


class ClockFile:
    """The file of `RUTTER_TEST_CLOCK`: what is added to the time of a service that is under test."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_text("0")

    @property
    def settings(self) -> dict[str, str]:
        """The environment of a service that follows this clock."""
        return {"RUTTER_ENV": "test", "RUTTER_TEST_CLOCK": str(self.path)}

    def advance(self, seconds: float) -> None:
        """Let so much time pass for the service."""
        self._set(self._read() + int(seconds * 1000))

    @contextmanager
    def ahead(self, seconds: float) -> Iterator[None]:
        """Within it the service is so far ahead; after it as before, for those who share the service."""
        before = self._read()
        self.advance(seconds)
        try:
            yield
        finally:
            self._set(before)

    def _read(self) -> int:
        return int(self.path.read_text())

    def _set(self, milliseconds: int) -> None:
        draft = self.path.with_suffix(".draft")
        draft.write_text(str(milliseconds))
        draft.replace(self.path)


@contextmanager
def counted(owner: object, name: str) -> Iterator[list[tuple[object, ...]]]:
    """Note the arguments of each call of ``owner.name`` within; speed is asserted by counts."""
    calls: list[tuple[object, ...]] = []
    before = getattr(owner, name)

    def call(*args: object, **named: object) -> object:
        calls.append(args)
        return before(*args, **named)

    setattr(owner, name, call)
    try:
        yield calls
    finally:
        setattr(owner, name, before)
