"""Helpers shared by lists of commands and random play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from events.rules.chance import Chance

T = TypeVar("T")

MOST = 120
"""The most commands of one type to list, where there are many that hardly differ."""


def draw_percent(chance: Chance, percent: int) -> bool:
    """True that often."""
    return chance.pick(range(100)) < percent


def pick_any(chance: Chance, options: Sequence[T]) -> T | None:
    """One of *options*, None where there is none."""
    return chance.pick(options) if options else None
