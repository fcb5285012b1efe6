"""Sources of random outcomes for the rules: one small interface, whatever stands behind it.

What stands behind it decides the use: `events/proof/randomness.py` for recorded games,
`events/rules/fast_chance.py` for bots and tests, `events/rules/scripted_chance.py` for worked examples. The
outcome stands in the fact; replay never draws.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
Ordered = TypeVar("Ordered", int, str)
D6: tuple[int, ...] = (1, 2, 3, 4, 5, 6)


FEW_CARDS = 256
"""Of so many a list is the quickest; of more each removal would cost as much as there are cards."""


class _Remaining(Sequence[T]):
    """The cards of a great pile that remain, in their order: a binary indexed tree counts them by place."""

    def __init__(self, cards: Iterable[T]) -> None:
        self._cards = list(cards)
        self._left = len(self._cards)
        self._counts = [place & -place for place in range(self._left + 1)]
        self._step = 1 << self._left.bit_length() >> 1
        self._places: dict[T, list[int]] = {}
        for place in range(self._left - 1, -1, -1):
            self._places.setdefault(self._cards[place], []).append(place)

    def __len__(self) -> int:
        return self._left

    def __getitem__(self, index: Any) -> Any:
        """Return the card at *index* of those that remain."""
        if not 0 <= index < self._left:
            raise IndexError(index)
        place, step = 0, self._step
        while step:
            if place + step <= len(self._cards) and self._counts[place + step] <= index:
                place += step
                index -= self._counts[place]
            step >>= 1
        return self._cards[place]

    def remove(self, card: T) -> None:
        """Take away the first that is equal to *card*."""
        place = self._places[card].pop() + 1
        self._left -= 1
        while place <= len(self._cards):
            self._counts[place] -= 1
            place += place & -place


class Chance(ABC):
    """A source of random outcomes. One call is one draw, counted in order.

    The number of draws that a command makes must follow from public facts alone, since the count is public.
    """

    @abstractmethod
    def draw(self, bounds: Sequence[int], *, hidden: bool) -> list[int]:
        """Draw once: for each bound m a uniform integer in 0 .. m-1.

        Anyone can check a *hidden* draw only after the game, others at once.
        """

    def pick(self, options: Sequence[T], *, hidden: bool = False) -> T:
        """Return one of *options*, uniformly: equal options count singly.

        Use ``hidden=True`` for anything that not everybody sees, such as a card drawn into a hand. *options*
        must not be empty.
        """
        return options[self.draw((len(options),), hidden=hidden)[0]]

    def deal(self, cards: Sequence[T], count: int, *, hidden: bool = True) -> tuple[T, ...]:
        """Return *count* of *cards*, all where there are fewer, in the order of their draws.

        Each is a draw of its own from those that remain: no order of a deck exists before it is drawn.
        """
        left: list[T] | _Remaining[T] = list(cards) if len(cards) <= FEW_CARDS else _Remaining(cards)
        dealt: list[T] = []
        while left and len(dealt) < count:
            card = self.pick(left, hidden=hidden)
            left.remove(card)
            dealt.append(card)
        return tuple(dealt)

    def shuffle(self, items: Iterable[Ordered]) -> list[Ordered]:
        """*items* in a random order, as one hidden draw.

        What comes out follows from the chance alone, not from the order in which they lay: so it shuffles
        what a seat may not know, when a state is imagined.
        """
        mixed = sorted(items)
        swaps = self.draw(range(len(mixed), 0, -1), hidden=True) if mixed else []
        for place, offset in enumerate(swaps):
            mixed[place], mixed[place + offset] = mixed[place + offset], mixed[place]
        return mixed

    def roll(self, count: int = 1, faces: Sequence[T] = D6) -> tuple[T, ...]:  # type: ignore[assignment]
        """*count* dice thrown in the open as one draw. Zero dice make no draw."""
        if not count:
            return ()
        return tuple(faces[index] for index in self.draw((len(faces),) * count, hidden=False))
