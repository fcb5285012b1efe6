"""Times: reading them, and computing with them: RFC 3339, from the years 2000 to 2999.

Events record times in UTC with microseconds, so they compare as texts. No result leaves these years: what
would be earlier or later becomes their first or last microsecond.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta

DAY_MS = 86_400_000
"""Milliseconds of a day."""
FIRST_YEAR, LAST_YEAR = 2000, 2999
"""The years of all times."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FIRST = (datetime(FIRST_YEAR, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND - 1
_RFC_3339 = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]|60)(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_RECORDED = re.compile(r"2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")

FIRST_TIME, LAST_TIME = f"{FIRST_YEAR}-01-01T00:00:00.000000Z", f"{LAST_YEAR}-12-31T23:59:59.999999Z"
"""The first and the last of all times, as events record them."""


class FarTime(ValueError):
    """The error for a time that is one, but of another year than 2000 to 2999."""


def read_time(at: str) -> datetime:
    """Return a time in RFC 3339 as it is in UTC. Its fraction is cut to microseconds.

    A leap second is read as the second after it. Raises ValueError for what is no time, and its kind
    :class:`FarTime` for times of other years.
    """
    if _RECORDED.fullmatch(at):  # the form of nearly all times, which Python reads in a tenth of the time
        with suppress(ValueError):  # of a day that is none, or a leap second: all is looked at one by one
            return datetime.fromisoformat(at)
    found = _RFC_3339.fullmatch(at)
    if found is None:
        raise ValueError(f"{at!r} is no time in RFC 3339")
    year, month, day, hour, minute, second, fraction, sign, hours, minutes = found.groups()
    # Calendars repeat every 400 years; datetime has no year 0, and cannot leave the year 9999.
    cycles = int(year) // 400 - 5
    read = datetime(int(year) - 400 * cycles, int(month), int(day), int(hour), int(minute), tzinfo=UTC)
    if sign is not None:
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        read += offset if sign == "-" else -offset
    if second == "60" and (read.hour, read.minute) != (23, 59):
        raise ValueError(f"{at!r} has a leap second within a day")
    read += timedelta(seconds=int(second), microseconds=int((fraction or "")[:6].ljust(6, "0")))
    if not FIRST_YEAR <= read.year + 400 * cycles <= LAST_YEAR:
        raise FarTime(f"{at!r} is of another year than {FIRST_YEAR} to {LAST_YEAR}")
    return read.replace(year=read.year + 400 * cycles)


def read_day_or_time(at: str) -> datetime:
    """Return the beginning of a day in UTC, such as 2026-03-01, or a time, as :func:`read_time` does."""
    return read_time(at if "T" in at.upper() else f"{at}T00:00:00Z")


def parse_timestamp(at: str) -> int:
    """Return the microseconds since 1970 of a time in RFC 3339. Raises ValueError, see :func:`read_time`.

    >>> parse_timestamp("2026-03-01T12:00:00.000000Z")
    1772366400000000
    """
    return count_micros(read_time(at))


def count_micros(at: datetime) -> int:
    """Return the microseconds from 1970 to *at*."""
    return (at - _EPOCH) // _MICROSECOND


def whole_seconds(at: str) -> int:
    """Return the POSIX seconds of a time, its fraction left out. Raises ValueError, see :func:`read_time`.

    >>> whole_seconds("2026-03-01T12:00:00.900000Z")
    1772366400
    """
    return parse_timestamp(at) // 1_000_000


def format_timestamp(since_1970: int) -> str:
    """Return the time so many microseconds after the beginning of 1970, as events record it.

    >>> format_timestamp(1_772_366_400_500_000)
    '2026-03-01T12:00:00.500000Z'
    """
    at = _EPOCH + timedelta(microseconds=min(max(since_1970, _FIRST), _LAST))
    return f"{at.isoformat(timespec='microseconds').removesuffix('+00:00')}Z"


def format_time(at: datetime) -> str:
    """Return a time as events record it."""
    return format_timestamp(count_micros(at))


def is_recorded_form(at: str) -> bool:
    """Return True for a time as events record it: in UTC, with microseconds.

    >>> is_recorded_form("2026-01-31T12:00:00.000000Z"), is_recorded_form("2026-01-31T12:00:00Z")
    (True, False)
    """
    try:
        return format_timestamp(parse_timestamp(at)) == at
    except ValueError:
        return False


def add_milliseconds(at: str, milliseconds: int) -> str:
    """Return the time so much after *at*.

    >>> add_milliseconds("2026-03-01T12:00:00.000000Z", 90_000)
    '2026-03-01T12:01:30.000000Z'
    """
    return format_timestamp(parse_timestamp(at) + milliseconds * 1000)
