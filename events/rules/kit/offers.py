"""The selection of choices to offer where there are more than a list can show."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def spread(items: Sequence[T], count: int) -> list[T]:
    """At most *count* of *items*, evenly spread, the first among them.

    >>> spread("abcdef", 3)
    ['a', 'c', 'e']
    """
    if len(items) <= count:
        return list(items)
    return [items[number * len(items) // count] for number in range(count)]


def choose_evenly(choices: Iterable[T], most: int, target: Callable[[T], Hashable]) -> tuple[T, ...]:
    """Return at most *most* of *choices*, in their order, spread over their targets.

    Each target has as many as any other, as far as it has so many, spread over what it has. So no target is
    hidden while there is room for one of each.

    >>> choose_evenly(["a1", "a2", "a3", "a4", "b1", "c1", "c2"], 5, lambda name: name[0])
    ('a1', 'a3', 'b1', 'c1', 'c2')
    """
    found = tuple(choices)
    if len(found) <= most:
        return found
    places: dict[Hashable, list[int]] = {}
    for place, of in enumerate(map(target, found)):
        if of in places:
            places[of].append(place)
        else:
            places[of] = [place]
    groups = spread(tuple(places.values()), most)
    kept: set[int] = set()
    for left, group in enumerate(sorted(groups, key=len)):  # what small groups leave goes to the larger ones
        kept.update(spread(group, (most - len(kept)) // (len(groups) - left)))
    return tuple([found[place] for place in sorted(kept)])
