"""The tie-breaks between entrants who have the same points: keys in the order settled, each exact.

A key is higher for an entrant who stands better. Entrants equal in all of them share the rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

import msgspec

from events.tournament.settings import TieBreak

Key = int | tuple[int, ...]


class TableScore(msgspec.Struct, frozen=True):
    """The result of an entrant at one table."""

    round: int
    table: int
    seat: int
    place: int
    points: int
    """The points, in units of 1/2520."""
    share: int
    """The share of all scores at the table, in millionths."""
    score: int
    alone_or_shared: bool
    """True if they won there, alone or shared."""
    opponents: tuple[int, ...]
    forfeit: bool
    """True if they left the game, or were given nothing by a ruling."""


class ScoreSheet(msgspec.Struct, frozen=True):
    """The scores of everybody from which standings are made."""

    lines: Mapping[int, Sequence[TableScore]]
    """The tables played, by entrant, by round."""
    points: Mapping[int, int]
    """The total points of each entrant, in units of 1/2520."""
    rounds: Mapping[int, Sequence[int]]
    """By entrant the points of each round, byes and missed rounds included."""
    size: int
    """The size of the largest tables."""
    lots: Mapping[int, int]
    """By entrant their place in the drawn order; the first is the best."""


TieBreakKey = Callable[[ScoreSheet, int, Sequence[int]], Key]
"""A function ``(sheet, entrant, equal)``; *equal* are the entrants with the same keys so far."""


def wins(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Return the number of tables won, alone or shared."""
    return sum(line.alone_or_shared for line in sheet.lines[entrant])


def share(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Return the sum of the shares of what was scored, in millionths."""
    return sum(line.share for line in sheet.lines[entrant])


def opponents_average(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Return the mean of the points of all opponents, each as often as they were met; a bye has none."""
    met = [other for line in sheet.lines[entrant] for other in line.opponents]
    return sum(sheet.points.get(other, 0) for other in met) // len(met) if met else 0


def head_to_head(sheet: ScoreSheet, entrant: int, equal: Sequence[int]) -> int:
    """Return the points from tables where those who are equal met; 0 unless all of them have met."""
    others = set(equal) - {entrant}
    for one in equal:
        met = {other for line in sheet.lines[one] for other in line.opponents}
        if not set(equal) - {one} <= met:
            return 0
    return sum(line.points for line in sheet.lines[entrant] if others & set(line.opponents))


def places(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> tuple[int, ...]:
    """Return the number of second places, then of third places, and so on."""
    reached = [line.place for line in sheet.lines[entrant]]
    return tuple(reached.count(place) for place in range(2, sheet.size + 1))


def score_sum(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Return the sum of the scores in the games."""
    return sum(line.score for line in sheet.lines[entrant])


def middle_rounds(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Return the points without the best and the worst round."""
    return sum(sorted(sheet.rounds[entrant])[1:-1])


def seat(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Return the sum of the seats: an entrant who sat later stands better."""
    return sum(line.seat for line in sheet.lines[entrant])


def lot(sheet: ScoreSheet, entrant: int, _equal: Sequence[int]) -> int:
    """Return the lot, negated: the first of the drawn order stands best."""
    return -sheet.lots.get(entrant, len(sheet.lots))


KEYS: dict[TieBreak, TieBreakKey] = {
    "wins": wins,
    "share": share,
    "opponents_average": opponents_average,
    "head_to_head": head_to_head,
    "places": places,
    "score_sum": score_sum,
    "middle_rounds": middle_rounds,
    "seat": seat,
    "lot": lot,
}


class RankedEntrant(msgspec.Struct):
    """An entrant in the order of the standings."""

    rank: int
    entrant: int
    keys: dict[TieBreak, Key]


def rank_entrants(
    groups: Iterable[Sequence[int]], sheet: ScoreSheet, keys: Sequence[TieBreak]
) -> list[RankedEntrant]:
    """Return everybody in order, from *groups* of those equal before any tie-break, best first."""
    order: list[RankedEntrant] = []
    for group in groups:
        for equal in _break_ties(sorted(group), sheet, keys, {entrant: {} for entrant in group}):
            rank = len(order) + 1
            order += [RankedEntrant(rank, entrant, values) for entrant, values in equal]
    return order


Values = dict[TieBreak, Key]


def _break_ties(
    equal: Sequence[int], sheet: ScoreSheet, keys: Sequence[TieBreak], values: Mapping[int, Values]
) -> list[list[tuple[int, Values]]]:
    """Return those who are *equal*, in groups that no key tells apart, best first."""
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
