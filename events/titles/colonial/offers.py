"""What lists of commands and random play share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from events.rules.chance import Chance

T = TypeVar("T")

MOST = 120
"""How many commands of one type are listed at most, where there are many of hardly different ones."""


def often(chance: Chance, percent: int) -> bool:
    """True that often."""
    return chance.pick(range(100)) < percent


def some(chance: Chance, options: Sequence[T]) -> T | None:
    """One of *options*, None where there is none."""
    return chance.pick(options) if options else None
