"""Reckoning with the times that events record: RFC 3339 in UTC with microseconds, which compare as texts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

DAY_MS = 86_400_000
"""Milliseconds of a day."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_timestamp(at: str) -> int:
    """Microseconds since 1970. Raises ValueError for what is no time."""
    return (datetime.fromisoformat(at) - _EPOCH) // timedelta(microseconds=1)


def whole_seconds(at: str) -> int:
    """The POSIX seconds of a time, its fraction left out. Raises ValueError for what is no time."""
    return parse_timestamp(at) // 1_000_000


def format_timestamp(since_1970: int) -> str:
    """The time that is so many microseconds after the beginning of 1970."""
    return (_EPOCH + timedelta(microseconds=since_1970)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def add_milliseconds(at: str, milliseconds: int) -> str:
    """The time so much after *at*."""
    return format_timestamp(parse_timestamp(at) + milliseconds * 1000)
