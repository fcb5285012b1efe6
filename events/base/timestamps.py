"""Calculations with the times that events record: RFC 3339 in UTC with microseconds.

Such times compare as texts.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

DAY_MS = 86_400_000
"""Milliseconds of a day."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_timestamp(at: str) -> int:
    """Microseconds since 1970. Raises ValueError for what is no time.

    >>> parse_timestamp("1970-01-01T00:00:01.000000Z")
    1000000
    """
    return (datetime.fromisoformat(at) - _EPOCH) // timedelta(microseconds=1)


def whole_seconds(at: str) -> int:
    """The POSIX seconds of a time, its fraction left out. Raises ValueError for what is no time.

    >>> whole_seconds("1970-01-01T00:01:00.900000Z")
    60
    """
    return parse_timestamp(at) // 1_000_000


def format_timestamp(since_1970: int) -> str:
    """The time that is so many microseconds after the beginning of 1970.

    >>> format_timestamp(1_500_000)
    '1970-01-01T00:00:01.500000Z'
    """
    return (_EPOCH + timedelta(microseconds=since_1970)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def add_milliseconds(at: str, milliseconds: int) -> str:
    """The time so much after *at*.

    >>> add_milliseconds("2026-03-01T12:00:00.000000Z", 90_000)
    '2026-03-01T12:01:30.000000Z'
    """
    return format_timestamp(parse_timestamp(at) + milliseconds * 1000)
