"""The pairing of a round: pods from the entrants, their points, earlier meetings, and one drawn key.

Integers only, no library, no clock, no global randomness. The same inputs give the same tables on every
machine and in ten years. Points come in units of 1/2520 (`scoring.py`), and count here as whole points.

A round of *swiss pods* goes through all the steps that there are. First come the sizes of the tables
(:func:`table_sizes`), the byes, and the order (drawn, then by points). Then come exchanges that lower the
cost (:func:`_improve`), and an exact search over these sizes where two would meet again
(:func:`_search_without_repeats`). At last the rounds to come are looked at.

Each round is drawn once. Who leaves before it starts is struck from their table (:func:`strike`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import msgspec

from events.proof.randomness import UniformStream
from events.tournament.scoring import UNIT

Pods = tuple[tuple[int, ...], ...]
"""The entrants of each table of a round."""
Pair = tuple[int, int]
"""Two entrants, the lower number first."""

REPEAT_COST = 10**9
"""The cost of two who meet again, times the square of the number of times they have met."""
FORBIDDEN_COST = 10**12
"""The cost of two who meet although they may not."""
MAX_SEARCHED = 64
"""The most entrants for whom an exact search is made."""
NODES = 20_000
"""The most steps that the exact search may take."""
MAX_LOOKED_AHEAD = 32
"""The most entrants for whom the rounds to come are looked at."""
NODES_AHEAD = 3_000
"""The most steps that looking ahead may take for each round."""
ATTEMPTS = 64
"""The most orders drawn until the rounds to come can be played without repeats."""
RESTARTS = 60
"""The most plans of all rounds drawn until nobody meets anybody twice."""
PLAN_WORK = 2_000_000
"""The most that plans times rounds times the square of the entrants may be, but for the first plan."""
EXCHANGE_WORK = 1_000_000
"""The most that exchanges times entrants times seats of a table may be in one pairing."""


class MissingDesign(ValueError):
    """The error that no plan was found in which everybody meets everybody exactly once."""


class PairingField(msgspec.Struct, frozen=True, kw_only=True):
    """The entrants for whom a round is drawn, and what is known of them."""

    entrants: tuple[int, ...]
    """The entrants who are present, rising."""
    size: int
    least: int
    points: Mapping[int, int] = {}
    """The points of each entrant, in units of 1/2520; absent: none."""
    met: Mapping[Pair, int] = {}
    forbidden: frozenset[Pair] = frozenset()
    byes: Mapping[int, int] = {}
    """The number of byes that each has had without asking."""
    asked: frozenset[int] = frozenset()
    """The entrants who have had a bye at their own request."""

    def level(self, entrant: int) -> int:
        """Return the whole points of *entrant*."""
        return self.points.get(entrant, 0) // UNIT


class RoundDraw(msgspec.Struct, frozen=True):
    """The pods of a round, and how good they are."""

    pods: Pods
    byes: tuple[int, ...]
    repeats: int
    """The number of pairs at one table that have met before."""
    gap: int
    """The largest difference at one table, in whole points."""
    attempts: int


def sort_pair(entrants: Iterable[int]) -> Pair:
    """Return two entrants as they are looked up.

    >>> sort_pair((9, 3))
    (3, 9)
    """
    one, other = sorted(entrants)
    return one, other


def pairs_of(pod: Iterable[int]) -> Iterator[Pair]:
    """Return all pairs that meet at one table.

    >>> list(pairs_of((4, 1, 7)))
    [(1, 4), (1, 7), (4, 7)]
    """
    return combinations(sorted(pod), 2)


def table_sizes(entrants: int, size: int, least: int) -> tuple[int, ...]:
    """Return the sizes of the tables, largest first; entrants who are left over have a bye.

    >>> table_sizes(17, 4, 3), table_sizes(5, 4, 3)
    ((4, 4, 3, 3, 3), (4,))
    """
    for playing in range(entrants, 0, -1):
        for tables in range(-(-playing // size), playing // least + 1):
            base, extra = divmod(playing, tables)
            if base >= least and base + (extra > 0) <= size:
                return (base + 1,) * extra + (base,) * (tables - extra)
    return ()


def shuffle(stream: UniformStream, items: Sequence[int]) -> list[int]:
    """Return *items* in a drawn order (Fisher-Yates)."""
    mixed = list(items)
    for i in range(len(mixed) - 1, 0, -1):
        j = stream.draw_below(i + 1)
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return mixed


# --- swiss pods ----------------------------------------------------------------------------------------


def pair_swiss(field: PairingField, stream: UniformStream, rounds_left: int = 0) -> RoundDraw:
    """Return a round of pods. *rounds_left*: the number of rounds to come that are looked at (0: none).

    Where those cannot be played without repeats a new order is drawn, again and again. Orders by points are
    much alike. Where none helps, the cheapest tables count that were found in the drawn orders as they came,
    points left aside. Where there are none either, those of the first order count.
    """
    order = shuffle(stream, field.entrants)
    tables = table_sizes(len(order), field.size, field.least)
    byes = _choose_byes(field, order, len(order) - sum(tables))
    order = [entrant for entrant in order if entrant not in byes]
    looked_at = 0 < len(order) <= MAX_LOOKED_AHEAD and rounds_left > 0
    first: RoundDraw | None = None
    others: list[tuple[int, int, Pods]] = []
    for attempt in range(1, ATTEMPTS + 1):
        ranked = sorted(order, key=lambda entrant: -field.points.get(entrant, 0))
        drawn = _rate_pods(field, _build_pods(field, ranked, tables), byes, attempt)
        if not looked_at or (not drawn.repeats and _is_completable(field, ranked, drawn.pods, rounds_left)):
            return drawn
        found = _search_without_repeats(field, order, tables, NODES_AHEAD)
        if found is not None and _is_completable(field, order, found, rounds_left):
            others.append((_Costs(field, found).total, attempt, found))
        first = first or drawn
        order = shuffle(stream, order)
    assert first is not None  # noqa: S101 - there was an attempt
    return _rate_pods(field, min(others)[2] if others else first.pods, byes, ATTEMPTS)


def rate_pods(field: PairingField, pods: Pods, byes: Sequence[int], attempts: int = 0) -> RoundDraw:
    """Return pods that a director set or that were planned, with their repeats and their gap."""
    return _rate_pods(field, pods, byes, attempts)


def _rate_pods(field: PairingField, pods: Pods, byes: Iterable[int], attempts: int) -> RoundDraw:
    repeats = sum(field.met.get(two, 0) > 0 for pod in pods for two in pairs_of(pod))
    levels = [[field.level(entrant) for entrant in pod] for pod in pods]
    gap = max((max(pod) - min(pod) for pod in levels), default=0)
    return RoundDraw(pods, tuple(sorted(byes)), repeats, gap, attempts)


def _choose_byes(field: PairingField, order: Sequence[int], count: int) -> frozenset[int]:
    """Return the entrants who have a bye.

    First come those with the fewest byes had, then not asked before, then fewest points, then last in the
    drawn *order*.
    """
    place = {entrant: number for number, entrant in enumerate(order)}

    def worth(entrant: int) -> tuple[int, bool, int, int]:
        had, asked = field.byes.get(entrant, 0), entrant in field.asked
        return had, asked, field.points.get(entrant, 0), -place[entrant]

    return frozenset(sorted(order, key=worth)[:count])


def _fill_tables(order: Sequence[int], tables: Sequence[int]) -> Pods:
    pods, at = [], 0
    for size in tables:
        pods.append(tuple(order[at : at + size]))
        at += size
    return tuple(pods)


def _build_pods(field: PairingField, order: Sequence[int], tables: Sequence[int]) -> Pods:
    """Return the pods that follow from an *order*: filled, improved, searched where two meet again."""
    pods = _improve(field, _fill_tables(order, tables))
    if len(order) <= MAX_SEARCHED and not _is_clean(field, pods):
        found = _search_without_repeats(field, order, tables, NODES)
        if found is None and not _is_clean(without_meetings := msgspec.structs.replace(field, met={}), pods):
            found = _search_without_repeats(without_meetings, order, tables, NODES)
        if found is not None:
            pods = _improve(field, found)
    return pods


def _is_clean(field: PairingField, pods: Pods) -> bool:
    """Return True if nobody meets anybody again, or anybody they may not meet."""
    return not any(field.met.get(two, 0) or two in field.forbidden for pod in pods for two in pairs_of(pod))


# --- exchanges -----------------------------------------------------------------------------------------


class _Costs:
    """The costs of two who meet, and of each entrant at each table."""

    def __init__(self, field: PairingField, pods: Pods) -> None:
        self.pods = [list(pod) for pod in pods]
        members = [entrant for pod in pods for entrant in pod]
        level = {entrant: field.level(entrant) for entrant in members}
        self.of: dict[int, dict[int, int]] = {
            one: {other: (level[one] - level[other]) ** 2 for other in members} for one in members
        }
        for (one, other), times in field.met.items():
            self._add(one, other, REPEAT_COST * times**2)
        for one, other in field.forbidden:
            self._add(one, other, FORBIDDEN_COST)
        for one in members:
            self.of[one][one] = 0
        self.at = {one: [sum(self.of[one][other] for other in pod) for pod in self.pods] for one in members}

    @property
    def total(self) -> int:
        """The cost of all tables."""
        return sum(self.of[one][other] for pod in self.pods for one, other in pairs_of(pod))

    def _add(self, one: int, other: int, cost: int) -> None:
        if one in self.of and other in self.of:
            self.of[one][other] += cost
            self.of[other][one] += cost

    def best(self, a: int, b: int) -> tuple[int, int, int]:
        """Return the exchange of tables *a* and *b* that lowers the cost most: ``(change, i, j)``."""
        found = (0, 0, 0)
        for i, one in enumerate(self.pods[a]):
            of, at = self.of[one], self.at[one]
            for j, other in enumerate(self.pods[b]):
                there = self.at[other]
                change = there[a] - at[a] + at[b] - there[b] - 2 * of[other]
                if change < found[0]:
                    found = (change, i, j)
        return found

    def exchange(self, a: int, b: int, i: int, j: int) -> None:
        """Exchange entrant *i* of table *a* and entrant *j* of table *b*."""
        one, other = self.pods[a][i], self.pods[b][j]
        self.pods[a][i], self.pods[b][j] = other, one
        for entrant, costs in self.at.items():
            change = self.of[entrant][other] - self.of[entrant][one]
            costs[a] += change
            costs[b] -= change


def _improve(field: PairingField, pods: Pods) -> Pods:
    """Make the exchange that lowers the total cost most, until none does; of equal ones the first."""
    costs = _Costs(field, pods)
    tables = range(len(pods))
    best = {(a, b): costs.best(a, b) for a, b in combinations(tables, 2)}
    work = sum(map(len, pods)) * field.size
    for _ in range(EXCHANGE_WORK // work if best else 0):
        change, a, b = min((found[0], a, b) for (a, b), found in best.items())
        if change >= 0:
            break
        costs.exchange(a, b, *best[a, b][1:])
        for one, other in best:
            if not {a, b}.isdisjoint((one, other)):
                best[one, other] = costs.best(one, other)
    return tuple(tuple(pod) for pod in costs.pods)


# --- exact search --------------------------------------------------------------------------------------


class _Search:
    """A depth-first search for tables at which nobody meets anybody again, or anybody they may not meet."""

    def __init__(self, field: PairingField, order: Sequence[int], nodes: int) -> None:
        self._order = order
        self._nodes = nodes
        place = {entrant: number for number, entrant in enumerate(order)}
        everybody = (1 << len(order)) - 1
        self._free = [everybody & ~(1 << number) for number in range(len(order))]
        for one, other in (*(two for two, times in field.met.items() if times), *field.forbidden):
            if one in place and other in place:
                self._free[place[one]] &= ~(1 << place[other])
                self._free[place[other]] &= ~(1 << place[one])
        self._near = [
            sorted(range(len(order)), key=lambda other, at=number: (abs(other - at), other))  # type: ignore[misc]
            for number in range(len(order))
        ]
        self._pods: list[list[int]] = []

    def run(self, tables: Sequence[int]) -> Pods | None:
        """Return tables of these sizes, largest first, then by their first in the order; None: not found."""
        if not self._partition((1 << len(self._order)) - 1, tuple(sorted(tables, reverse=True))):
            return None
        return tuple(
            tuple(self._order[place] for place in sorted(pod))
            for pod in sorted(self._pods, key=lambda pod: (-len(pod), min(pod)))
        )

    def _partition(self, left: int, sizes: tuple[int, ...]) -> bool:
        """Return True if those who are *left* can be put to tables of *sizes*, which the list has then."""
        if not left:
            return True
        head, fewest = -1, len(self._order)
        for place in range(len(self._order)):
            if left >> place & 1:
                partners = (self._free[place] & left).bit_count()
                if partners < sizes[-1] - 1:
                    return False
                if partners < fewest:
                    head, fewest = place, partners
        near = [place for place in self._near[head] if self._free[head] & left & 1 << place]
        for size in dict.fromkeys(sizes):
            rest = list(sizes)
            rest.remove(size)
            fit, others = self._free[head] & left, left & ~(1 << head)
            if fewest >= size - 1 and self._fill([head], size, near, fit, others, tuple(rest)):
                return True
        return False

    def _fill(
        self, pod: list[int], size: int, near: Sequence[int], fit: int, left: int, rest: tuple[int, ...]
    ) -> bool:
        """Return True if *pod* can be filled to *size* from those *near* who *fit*, and *rest* after it."""
        if len(pod) == size:
            self._pods.append(pod)
            if self._partition(left, rest):
                return True
            self._pods.pop()
            return False
        for number, place in enumerate(near):
            if not fit >> place & 1:
                continue
            if self._nodes <= 0:
                return False
            self._nodes -= 1
            fits = fit & self._free[place]
            if self._fill([*pod, place], size, near[number + 1 :], fits, left & ~(1 << place), rest):
                return True
        return False


def _search_without_repeats(
    field: PairingField, order: Sequence[int], tables: Sequence[int], nodes: int
) -> Pods | None:
    """Return *tables* of these sizes without any repeat; None if none were found in *nodes* steps.

    The entrant with the fewest possible companions is put first, to the largest table that they can fill, and
    with them those nearest in the order.
    """
    return _Search(field, order, nodes).run(tables)


# --- looking ahead -------------------------------------------------------------------------------------


def _is_completable(field: PairingField, order: Sequence[int], pods: Pods, rounds_left: int) -> bool:
    """Return True if the rounds to come can be played without repeats, one after the other."""
    tables = [len(pod) for pod in pods]
    for _ in range(rounds_left):
        field = record_meetings(field, pods)
        found = _search_without_repeats(field, order, tables, NODES_AHEAD)
        if found is None:
            return False
        pods = found
    return True


def record_meetings(field: PairingField, pods: Pods, byes: Iterable[int] = ()) -> PairingField:
    """Return *field* after these *pods* have met and these had *byes*."""
    met = dict(field.met)
    for pod in pods:
        for two in pairs_of(pod):
            met[two] = met.get(two, 0) + 1
    had = dict(field.byes)
    for entrant in byes:
        had[entrant] = had.get(entrant, 0) + 1
    return msgspec.structs.replace(field, met=met, byes=had)


# --- all rounds at once --------------------------------------------------------------------------------


def pair_rotation(field: PairingField, stream: UniformStream, rounds: int) -> tuple[RoundDraw, ...]:
    """Return all *rounds* of a rotation, in which points mean nothing.

    Nobody meets anybody twice, or there are as few repeats as were found.
    """
    best: tuple[RoundDraw, ...] = ()
    plans = min(RESTARTS, PLAN_WORK // (rounds * len(field.entrants) ** 2 or 1))
    for attempt in range(1, max(1, plans) + 1):
        plan = _plan_rotation(msgspec.structs.replace(field, points={}), stream, rounds, attempt)
        if not best or _count_repeats(plan) < _count_repeats(best):
            best = plan
        if not _count_repeats(plan):
            break
    return best


def _plan_rotation(
    field: PairingField, stream: UniformStream, rounds: int, attempt: int
) -> tuple[RoundDraw, ...]:
    plan = []
    for _ in range(rounds):
        drawn = msgspec.structs.replace(pair_swiss(field, stream), attempts=attempt)
        plan.append(drawn)
        field = record_meetings(field, drawn.pods, drawn.byes)
    return tuple(plan)


def _count_repeats(plan: Sequence[RoundDraw]) -> int:
    return sum(drawn.repeats for drawn in plan)


def pair_round_robin(field: PairingField, stream: UniformStream) -> tuple[RoundDraw, ...]:
    """Return rounds in which everybody meets everybody once. Raises MissingDesign if none were found."""
    if field.size == 2:
        return _pair_circle(field, shuffle(stream, field.entrants))
    entrants = len(field.entrants)
    rounds, rest = divmod(entrants - 1, field.size - 1)
    if rest or entrants % field.size:
        raise MissingDesign
    plan = pair_rotation(field, stream, rounds)
    if _count_repeats(plan):
        raise MissingDesign
    return plan


def _pair_circle(field: PairingField, order: Sequence[int]) -> tuple[RoundDraw, ...]:
    """Return all rounds by the circle method.

    One entrant stays, the others go round; with an odd number each has one bye.
    """
    ring: list[int | None] = [*order, *([None] if len(order) % 2 else [])]
    plan = []
    for _ in range(len(ring) - 1):
        half = len(ring) // 2
        meetings = list(zip(ring[:half], reversed(ring[half:]), strict=True))
        pods = tuple((one, other) for one, other in meetings if one is not None and other is not None)
        byes = [one if other is None else other for one, other in meetings if None in (one, other)]
        plan.append(_rate_pods(field, pods, [bye for bye in byes if bye is not None], 1))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return tuple(plan)


# --- knockout ------------------------------------------------------------------------------------------


def pair_knockout(field: PairingField, seeded: Sequence[int]) -> RoundDraw:
    """Return the tables for a knockout, from the entrants by seed: 1, 8, 9, 16 / 2, 7, 10, 15 / ..."""
    tables = table_sizes(len(seeded), field.size, field.least)
    pods: list[list[int]] = [[] for _ in tables]
    left, row = list(seeded), 0
    while left and row < field.size:
        open_tables = [number for number, size in enumerate(tables) if size > row]
        for number in open_tables if row % 2 == 0 else reversed(open_tables):
            pods[number].append(left.pop(0))
        row += 1
    return _rate_pods(field, tuple(tuple(pod) for pod in pods), left, 1)


# --- who leaves before the start -------------------------------------------------------------------------


def strike(
    drawn: RoundDraw, gone: Container[int], table: tuple[int, int], forbidden: Container[Pair] = frozenset()
) -> tuple[Pods, tuple[int, ...]]:
    """Return the pods and the byes of a drawn round without those who are *gone*, who are struck from it.

    Tables that are then too small are dissolved, one after the other: the smallest first, of equal ones the
    last. The members of each, in the order of the draw, take a place at the smallest table that has room, of
    equal ones the first. Where there is none they have a bye. Nobody else moves.

    *table*: the sizes of tables, at most and at least. *forbidden*: pairs who are not to meet.
    """
    most, least = table
    pods = [[entrant for entrant in pod if entrant not in gone] for pod in drawn.pods]
    byes = [entrant for entrant in drawn.byes if entrant not in gone]
    while pods and min(map(len, pods)) < least:
        smallest = min(map(len, pods))
        at = max(number for number, pod in enumerate(pods) if len(pod) == smallest)
        for entrant in pods.pop(at):
            open_pods = [
                pod
                for pod in pods
                if len(pod) < most and not any(sort_pair((entrant, other)) in forbidden for other in pod)
            ]
            if open_pods:
                min(open_pods, key=len).append(entrant)
            else:
                byes.append(entrant)
    return tuple(map(tuple, pods)), tuple(sorted(byes))
