"""Times as numbers and as people write them, without a clock."""

from __future__ import annotations

import calendar


def posix(at: str) -> int:
    """Whole POSIX seconds of an event's time (``2026-11-20T19:00:00.000000Z``)."""
    year, month, day = (int(word) for word in at[:10].split("-"))
    hour, minute, second = (int(word) for word in at[11:19].split(":"))
    return calendar.timegm((year, month, day, hour, minute, second))


def utc(time: int) -> str:
    """POSIX seconds (not negative) as ``2026-11-20T19:00:12Z``."""
    days, rest = divmod(time, 86_400)
    # Days since 1 March 0000, in eras of 400 years: so the leap day is the last of its year.
    era, day = divmod(days + 719_468, 146_097)
    year_of_era = (day - day // 1_460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year_of_era + year_of_era // 4 - year_of_era // 100
    shifted = (5 * day + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = year_of_era + era * 400 + (month <= 2)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{year:04}-{month:02}-{day - (153 * shifted + 2) // 5 + 1:02}T{clock}Z"
