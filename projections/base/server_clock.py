"""The time of the server: the `at` of its events, and the time by which time-outs are due.

Tests may set it ahead or back: where ``RUTTER_TEST_CLOCK`` names a file, the number in it is how many
milliseconds are added. Nothing else is changed by it, so signs of life keep true time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from events.base.settings import RUTTER_TEST_CLOCK
from events.base.timestamps import add_milliseconds
from events.store.games import utc_now


def make_clock(environment: Mapping[str, str] | None = None) -> Callable[[], str]:
    """Return the function that tells the time. Raises :class:`WrongSetting`."""
    file = RUTTER_TEST_CLOCK.read(environment)
    return utc_now if file is None else lambda: add_milliseconds(utc_now(), read_offset(file))


def read_offset(file: Path) -> int:
    """Return the milliseconds that stand in *file*; 0 where there is none or it is just being written."""
    try:
        return int(file.read_text() or 0)
    except FileNotFoundError:
        return 0
