"""What decides between entrants who have the same points: keys in the order settled, each exact.

A key is higher for whoever stands better. Whoever is equal in all of them shares the rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

import msgspec

from events.tournament.settings import TieBreak

Key = int | tuple[int, ...]


class TableScore(msgspec.Struct, frozen=True):
    """What an entrant reached at one table."""

    round: int
    table: int
    seat: int
    place: int
    points: int
    """In units of 1/2520."""
    share: int
    """Of what was scored there, in millionths."""
    score: int
    alone_or_shared: bool
    """Whether he won there."""
    opponents: tuple[int, ...]
    forfeit: bool
    """Whether he left the game, or was given nothing by a ruling."""


class ScoreSheet(msgspec.Struct, frozen=True):
    """What is known of everybody when standings are made."""

    lines: Mapping[int, Sequence[TableScore]]
    """By entrant, by round."""
    points: Mapping[int, int]
    """All that an entrant has, in units of 1/2520."""
    rounds: Mapping[int, Sequence[int]]
    """By entrant what each round was worth, byes and rounds that he missed included."""
    size: int
    """Of the largest tables."""
    lots: Mapping[int, int]
    """By entrant his place in the drawn order; the first is the best."""


TieBreakKey = Callable[[ScoreSheet, int, Sequence[int]], Key]
"""``(sheet, entrant, those who are equal with him so far)``."""


def wins(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Tables won, alone or shared."""
    return sum(line.alone_or_shared for line in sheet.lines[entrant])


def share(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Sum of the shares of what was scored, in millionths."""
    return sum(line.share for line in sheet.lines[entrant])


def opponents(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Mean of the points of all opponents met, each as often as he was met; a bye has none."""
    met = [other for line in sheet.lines[entrant] for other in line.opponents]
    return sum(sheet.points.get(other, 0) for other in met) // len(met) if met else 0


def head_to_head(sheet: ScoreSheet, entrant: int, equal: Sequence[int]) -> int:
    """Points from tables where those who are equal met; nothing unless all of them have met."""
    others = set(equal) - {entrant}
    for one in equal:
        met = {other for line in sheet.lines[one] for other in line.opponents}
        if not set(equal) - {one} <= met:
            return 0
    return sum(line.points for line in sheet.lines[entrant] if others & set(line.opponents))


def places(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> tuple[int, ...]:
    """How often second, then how often third, and so on."""
    reached = [line.place for line in sheet.lines[entrant]]
    return tuple(reached.count(place) for place in range(2, sheet.size + 1))


def score_sum(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Sum of the scores in the games."""
    return sum(line.score for line in sheet.lines[entrant])


def median(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Points without the best and the worst round."""
    return sum(sorted(sheet.rounds[entrant])[1:-1])


def seat(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Sum of the seats: who sat later stands better."""
    return sum(line.seat for line in sheet.lines[entrant])


def lot(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """The lot: the first of the drawn order stands best."""
    return -sheet.lots.get(entrant, len(sheet.lots))


KEYS: dict[TieBreak, TieBreakKey] = {
    "wins": wins,
    "share": share,
    "opponents": opponents,
    "head_to_head": head_to_head,
    "places": places,
    "score_sum": score_sum,
    "median": median,
    "seat": seat,
    "lot": lot,
}


class Ranked(msgspec.Struct):
    """An entrant in the order of the standings."""

    rank: int
    entrant: int
    keys: dict[TieBreak, Key]


def rank_entrants(
    groups: Iterable[Sequence[int]], sheet: ScoreSheet, keys: Sequence[TieBreak]
) -> list[Ranked]:
    """Everybody in order, from *groups* of those who are equal before any tie-break, best first."""
    order: list[Ranked] = []
    for group in groups:
        for equal in _break_ties(sorted(group), sheet, keys, {entrant: {} for entrant in group}):
            rank = len(order) + 1
            order += [Ranked(rank, entrant, values) for entrant, values in equal]
    return order


Values = dict[TieBreak, Key]


def _break_ties(
    equal: Sequence[int], sheet: ScoreSheet, keys: Sequence[TieBreak], values: Mapping[int, Values]
) -> list[list[tuple[int, Values]]]:
    """Those who are *equal*, in groups that no key tells apart, best first."""
    if not keys:
        return [[(entrant, values[entrant]) for entrant in equal]]
    first, rest = keys[0], keys[1:]
    found = {entrant: KEYS[first](sheet, entrant, equal) for entrant in equal}
    for entrant in equal:
        values[entrant][first] = found[entrant]
    in_order = sorted(equal, key=lambda entrant: (_negate(found[entrant]), entrant))
    groups: list[list[tuple[int, Values]]] = []
    for _, same in groupby(in_order, key=lambda entrant: found[entrant]):
        groups += _break_ties(list(same), sheet, rest, values)
    return groups


def _negate(key: Key) -> Key:
    return tuple(-part for part in key) if isinstance(key, tuple) else -key
