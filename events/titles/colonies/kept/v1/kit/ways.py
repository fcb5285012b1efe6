"""Commands said word by word: each word that may come next leads to a legal command.

A :class:`Way` is a place in that choice. Titles build ways for the commands whose legal list is only a
selection (`ways.py` beside their steps); for all others the list itself is the way (:func:`choose_one`).
Words are those of :func:`words`: `events/research/simulation.py` numbers them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

Words = tuple[str, ...]
T = TypeVar("T")
H = TypeVar("H", bound=Hashable)

NOTHING, FALSE, TRUE, MINUS = "?null", "?false", "?true", "?minus"
OPEN, CLOSE, BEGIN, END = "?[", "?]", "?{", "?}"
SIGNS = (NOTHING, FALSE, TRUE, MINUS, OPEN, CLOSE, BEGIN, END)
BASE = 100
"""Numbers are said in this base: ``+1 +23 #45`` is 12,345, so that few words say all of them."""


def number(value: int) -> Words:
    """The words for an integer.

    >>> number(7), number(12345), number(-1)
    (('#7',), ('+1', '+23', '#45'), ('?minus', '#1'))
    """
    if value < 0:
        return (MINUS, *number(-value))
    said = [f"#{value % BASE}"]
    while value := value // BASE:
        said.append(f"+{value % BASE}")
    return tuple(reversed(said))


def words(value: object) -> Words:
    """Return the words for a value of a command.

    A struct's are those of its fields in order, a list and a map stand in brackets, a text is a word.
    """
    if value is None:
        return (NOTHING,)
    if isinstance(value, bool):
        return (TRUE if value else FALSE,)
    if isinstance(value, int):
        return number(value)
    if isinstance(value, str):
        return (value,)
    if isinstance(value, msgspec.Struct):
        return tuple(word for name in value.__struct_fields__ for word in words(getattr(value, name)))
    if isinstance(value, Mapping):
        return (BEGIN, *(word for pair in value.items() for part in pair for word in words(part)), END)
    if isinstance(value, tuple | list):
        return (OPEN, *(word for item in value for word in words(item)), CLOSE)
    raise TypeError(f"no words for {value!r}")


class Way:
    """A place in a command that is being said: the words that may come next, and where each leads.

    Without any next word the command is complete: no command is the beginning of another.
    """

    def __init__(self, follow: Callable[[], Mapping[str, Way]]) -> None:
        self._follow = follow

    @cached_property
    def next(self) -> Mapping[str, Way]:
        """The words that may come next, in a stable order; each leads to a legal command."""
        return self._follow()


DONE = Way(dict)
"""The end of a command."""
Then = Callable[[T], Way]
"""A function that gives the way on from a value that has been said."""


def say(said: Words, then: Way) -> Way:
    """Just these words, then *then*."""
    if not said:
        return then
    return Way(lambda: {said[0]: say(said[1:], then)})


def field(value: object, then: Way) -> Way:
    """Just this value."""
    return say(words(value), then)


def choose_one(values: Iterable[T], then: Then[T] = lambda _value: DONE) -> Way:
    """One of *values*; what follows may depend on which."""
    return _tree([(words(_spelling(value)), value) for value in values], 0, then)


def _spelling(value: object) -> object:
    return value.item if isinstance(value, _Lot) else value


def commands(given: Iterable[msgspec.Struct]) -> Way:
    """One of these commands, all of one type."""
    return choose_one(given)


def _tree(leaves: Sequence[tuple[Words, T]], depth: int, then: Then[T]) -> Way:
    """The way through *leaves*, which share their first *depth* words."""
    if len(leaves) and len(leaves[0][0]) == depth:
        return then(leaves[0][1])

    def follow() -> dict[str, Way]:
        groups: dict[str, list[tuple[Words, T]]] = {}
        for leaf in leaves:
            groups.setdefault(leaf[0][depth], []).append(leaf)
        return {word: _tree(group, depth + 1, then) for word, group in groups.items()}

    return Way(follow)


def choose_several(
    more: Callable[[tuple[T, ...]], Iterable[T]],
    enough: Callable[[tuple[T, ...]], bool],
    then: Then[tuple[T, ...]],
) -> Way:
    """Say a list, item by item.

    *more* gives what may come after those chosen, each of which must lead to an end. *enough* says if the
    list may end there.
    """
    return Way(lambda: {OPEN: _item((), more, enough, then)})


def _item(
    chosen: tuple[T, ...],
    more: Callable[[tuple[T, ...]], Iterable[T]],
    enough: Callable[[tuple[T, ...]], bool],
    then: Then[tuple[T, ...]],
) -> Way:
    def follow() -> dict[str, Way]:
        found = dict(choose_one(more(chosen), lambda item: _item((*chosen, item), more, enough, then)).next)
        return {CLOSE: then(chosen), **found} if enough(chosen) else found

    return Way(follow)


def choose_some(
    items: Sequence[H], least: int, most: int, then: Then[tuple[H, ...]] = lambda _chosen: DONE
) -> Way:
    """*least* to *most* of *items* in any order, each as often as it stands there; *least* must be there."""

    def list_more(chosen: tuple[H, ...]) -> Iterator[H]:
        left = Counter(items) - Counter(chosen)
        return iter(left if len(chosen) < most else ())

    return choose_several(list_more, lambda chosen: len(chosen) >= least, then)


def join_ways(*ways: Way) -> Way:
    """Return the way that has every branch of these ways."""

    def follow() -> dict[str, Way]:
        branches: dict[str, list[Way]] = {}
        for way in ways:
            for word, branch in way.next.items():
                branches.setdefault(word, []).append(branch)
        return {word: found[0] if len(found) == 1 else join_ways(*found) for word, found in branches.items()}

    return Way(follow)


Counts = Mapping[H, int]
"""The number of each kind."""


def _end_command(_chosen: object) -> Way:
    return DONE


def allot(
    limits: Counts[H],
    least: int,
    most: int,
    item: Callable[[H, int], object],
    then: Then[Counts[H]] = _end_command,
) -> Way:
    """Say a list of *item* ``(kind, count)``: so many of each kind, *least* to *most* in all.

    The kinds come in any order and each once. Where there are fewer than *least*, all of them are meant.
    """
    return Way(lambda: {OPEN: _Lots(limits, least, most, item, CLOSE, then).next_way({})})


def allot_mapping(limits: Counts[H], least: int, most: int, then: Then[Counts[H]] = _end_command) -> Way:
    """The same as a map from kind to count."""
    return Way(lambda: {BEGIN: _Lots(limits, least, most, _Pair, END, then).next_way({})})


class _Pair(msgspec.Struct, frozen=True):
    """An entry of a map as its words go."""

    key: Any
    count: int


class _Lots(Generic[H]):
    """Numbers of each kind with bounds for their sum."""

    def __init__(
        self,
        limits: Counts[H],
        least: int,
        most: int,
        item: Callable[[H, int], object],
        end: str,
        then: Then[Counts[H]],
    ) -> None:
        there = sum(limits.values())
        self._limits, self._least, self._most = limits, min(least, there), min(most, there)
        self._item, self._end, self._then = item, end, then

    def next_way(self, chosen: Counts[H]) -> Way:
        """The way from there: another kind, if there is room, or the end, if it is enough."""

        def follow() -> dict[str, Way]:
            found = dict(
                choose_one(
                    self._lots(chosen), lambda lot: self.next_way({**chosen, lot.kind: lot.number})
                ).next
            )
            if sum(chosen.values()) >= self._least:
                return {self._end: self._then(chosen), **found}
            return found

        return Way(follow)

    def _lots(self, chosen: Counts[H]) -> Iterator[_Lot]:
        total = sum(chosen.values())
        left = {kind: limit for kind, limit in self._limits.items() if kind not in chosen}
        for kind, count in lots(left, self._least - total, self._most - total):
            yield _Lot(kind, count, self._item(kind, count))


def lots(left: Counts[H], least: int, most: int) -> Iterator[tuple[H, int]]:
    """Yield the lots, each a kind and a number, that can be taken next of what is *left*.

    A lot is so large that the other kinds can still make up *least*, and no larger than *most*.

    >>> list(lots({"a": 2, "b": 1}, 3, 3))
    [('a', 2), ('b', 1)]
    """
    there = sum(left.values())
    for kind, limit in left.items():
        for count in range(max(1, least - (there - limit)), min(limit, most) + 1):
            yield kind, count


class _Lot(NamedTuple):
    """So many of one kind, and how that is written."""

    kind: Any
    number: int
    item: object
