"""A clock that tests set: what depends on the hour is tried without waiting for it."""

from __future__ import annotations

from events.base.timestamps import add_milliseconds, format_timestamp, parse_timestamp

SECOND = 1000


class Clock:
    """Tells the time as events record it."""

    def __init__(self, at: str = "2026-03-01T12:00:00.000000Z") -> None:
        self.at = at

    def __call__(self) -> str:
        """Now."""
        return self.at

    def wait(self, seconds: float) -> str:
        """Let so much time pass."""
        self.at = add_milliseconds(self.at, int(seconds * SECOND))
        return self.at

    def go_to(self, at: str) -> str:
        """Let it be *at*, which is not before now."""
        assert at >= self.at
        self.at = format_timestamp(parse_timestamp(at))
        return self.at
