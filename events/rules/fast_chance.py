"""A fast, seeded generator behind the interface of chance: for bots, imagination and tests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from events.rules.chance import Chance

T = TypeVar("T")


class FastChance(Chance):
    """A seeded generator of its own: for bots, imagination and tests. Proves nothing.

    >>> FastChance("any seed").draw([6, 6]) == FastChance("any seed").draw([6, 6])
    True
    >>> FastChance(1).pick("abc") in "abc"
    True
    """

    __slots__ = ("_random",)

    def __init__(self, seed: int | str | bytes) -> None:
        self._random = random.Random(seed).random

    def draw(self, bounds: Sequence[int], *, hidden: bool = False) -> list[int]:
        """See :meth:`Chance.draw`; hidden or not makes no difference here."""
        rnd = self._random
        return [int(rnd() * bound) for bound in bounds]

    def pick(self, options: Sequence[T], *, hidden: bool = False) -> T:
        """See :meth:`Chance.pick`."""
        return options[int(self._random() * len(options))]

    def draw_below(self, bound: int) -> int:
        """Return a uniform integer in 0 .. bound-1."""
        return int(self._random() * bound)
