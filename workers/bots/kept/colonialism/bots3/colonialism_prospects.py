"""The gains that the regions of Colonialism would bring if they were colonized now.

The cards, the conflict and the collection of one region follow from a few figures, with the usual choices.
So they are computed from those alone, in a small part of the time that carrying them out would take;
conflicts and collections that come up again and again are remembered.

Worth and shares are whole numbers, in thousandths: a move is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isqrt

from msgspec.structs import replace

from events.rules.fact import Seat
from events.rules.kit.values import put
from events.titles.colonialism.data import CARD, REGION_IDS
from events.titles.colonialism.derived import influences
from events.titles.colonialism.parts import Cubes, Faction, Region
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.conflict import fight
from events.titles.colonialism.steps.policy_resolution import UNREST
from events.titles.colonialism.steps.policy_values import VALUES
from events.titles.colonialism.steps.scoring import best_score

SCORE, CUBE, RIVALS = 3000, 800, 300
"""The worth of a point of score and of a cube, and the weight of the best rival's worth against them."""
HOPE, FUTURE, DISC = 1200, 150, 10
"""The weights of a region's cubes and of its later cubes in hopes, and of a disc in reserve."""
TWICE_PLACED = 7
"""Roughly how many discs two policy cards will place."""
COLLECTED = 300
"""The share of the hope that is left where something is collected."""
HELD = 100
"""By so much is a colour worth less for each cube of it that a player holds."""
STEPS = ("dominion", "simultaneous", "consolidate_holdings")
"""The steps in which policy cards place discs, one after another (CSM-126 to CSM-128)."""

TREATY = "treaty"
NOBODY: tuple[Seat, ...] = ()

Gains = tuple[Cubes, ...]
"""By seat: cubes by colour."""


def gains(state: State, index: int) -> Gains | None:
    """Return the gain of each seat if that region were colonized now; None where nobody would collect."""
    at = state.regions[index]
    if not any(at.cubes):
        return None
    own, protected = influences(at), NOBODY
    if any(at.policy):
        own, protected = _resolve_policies(state, index, at, own)
    elif at.natives + sum(own) <= at.limit:
        return None
    if at.natives and at.natives >= max(own):
        return None  # the faction that has the most is never driven out
    left = _resolve_conflict(at.natives, own, at.limit, protected)
    if left is None or not any(left):
        return None
    there = [(-count, state.rows[seat], seat) for seat, count in enumerate(left) if count]
    order = tuple(seat for _, _, seat in sorted(there))
    return _collect_cubes(order, at.cubes, state.collected)


def _resolve_policies(
    state: State, index: int, at: Region, own: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
    """Return the influence of every seat when the policy cards are resolved, and who is protected then."""
    cards = [(seat, CARD[played.card]) for seat, stack in enumerate(at.policy) for played in stack]
    reserve, before = state.reserve, own
    steps = {card.step for _, card in cards}
    for step in STEPS:
        if step not in steps:
            continue
        if own is not before:
            state = _replace_influence(state, index, own, reserve)
        wanted = [0] * len(own)
        for seat, card in cards:
            if card.step == step:
                wanted[seat] += VALUES[card.rule](state, seat, REGION_IDS[index], card.id)
        if any(wanted):
            placed = tuple(map(min, wanted, reserve))
            own = tuple(map(int.__add__, own, placed))
            reserve = tuple(map(int.__sub__, reserve, placed))
    if UNREST in steps:
        least = min(filter(None, own), default=0)
        return tuple(n - min(n, CARD[UNREST].number) if n == least else n for n in own), ()
    return own, tuple(seat for seat, card in cards if card.id == TREATY)


def _replace_influence(state: State, index: int, own: tuple[int, ...], reserve: tuple[int, ...]) -> State:
    """Return the state with that influence of every seat in one region."""
    at = state.regions[index]
    discs = tuple(map(int.__sub__, own, at.mercenaries))
    return replace(state, regions=put(state.regions, index, replace(at, discs=discs)), reserve=reserve)


@lru_cache(20_000)
def _resolve_conflict(
    natives: int, own: tuple[int, ...], limit: int, protected: tuple[Seat, ...]
) -> tuple[int, ...] | None:
    """Return the influence of every seat after the conflict, if there is one; None where natives are left."""
    there: dict[Faction, int] = {"natives": natives, **dict(enumerate(own))}
    if sum(map(bool, there.values())) > 1 and sum(there.values()) > limit:
        there = fight(there, limit, protected).after
    return None if there.get("natives") else tuple(there.get(seat, 0) for seat in range(len(own)))


@lru_cache(20_000)
def _collect_cubes(order: tuple[Seat, ...], cubes: Cubes, collected: tuple[Cubes, ...]) -> Gains:
    """Share the cubes out: in *order*, again and again, each takes the colour that is worth most to them."""
    held = [list(counts) for counts in collected]
    left = [colour for colour in range(3) if cubes[colour]]
    pick = 0
    while left:
        mine = held[order[pick % len(order)]]
        colour = best_colour(mine, cubes, left)
        mine[colour] += cubes[colour]
        left.remove(colour)
        pick += 1
    return tuple(
        (now[0] - was[0], now[1] - was[1], now[2] - was[2]) for now, was in zip(held, collected, strict=True)
    )


def best_colour(held: Sequence[int], cubes: Sequence[int], left: Iterable[int]) -> int:
    """Return the colour of *left* that is worth most to a player who holds *held*; the first of equals."""

    def worth(colour: int) -> int:
        now = list(held)
        now[colour] += cubes[colour]
        return cubes_worth((now[0], now[1], now[2])) - HELD * held[colour]

    return max(left, key=worth)


@lru_cache(20_000)
def cubes_worth(counts: Cubes) -> int:
    """Return the worth of so many cubes by colour: the score that they make, and each of them."""
    return SCORE * best_score(counts) + CUBE * sum(counts)


# --- a seat's outlook --------------------------------------------------------------------------


class Outlook:
    """The prospects of a seat in a state, and in states that differ from it in a few regions."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self._gains = [gains(state, index) for index in range(len(state.regions))]
        self._sums = [list(counts) for counts in state.collected]
        for gain in self._gains:
            _add(self._sums, gain, 1)
        self._cubes = self._lead(self._sums)
        self._hopes = [
            hope(at, seat, state.reserve[seat], gain)
            for at, gain in zip(state.regions, self._gains, strict=True)
        ]
        self.now = self._total(self._cubes, self._hopes, state)
        """The worth of the state for the seat."""

    def value_after(self, state: State) -> int:
        """Return the value of another state; regions that are the same objects keep their gains."""
        reserve = state.reserve[self.seat]
        other_reserve = reserve != self.state.reserve[self.seat]
        hopes, changed = list(self._hopes), []
        for index, (at, before) in enumerate(zip(state.regions, self.state.regions, strict=True)):
            gain = self._gains[index]
            if at is not before:
                gain = gains(state, index)
                changed.append((self._gains[index], gain))
            elif not (other_reserve and at.policy[self.seat]):
                continue
            hopes[index] = hope(at, self.seat, reserve, gain)
        return self._total(self._cubes_after(state, changed), hopes, state)

    def _cubes_after(self, state: State, changed: Sequence[tuple[Gains | None, Gains | None]]) -> int:
        collected = state.collected is not self.state.collected
        if not collected and all(old == new for old, new in changed):
            return self._cubes
        sums = [list(row) for row in self._sums]
        if collected:
            _add(sums, self.state.collected, -1)
            _add(sums, state.collected, 1)
        for old, new in changed:
            _add(sums, old, -1)
            _add(sums, new, 1)
        return self._lead(sums)

    def _lead(self, sums: Sequence[Sequence[int]]) -> int:
        """Return the seat's cubes, against those of the best rival."""
        worth = [cubes_worth((row[0], row[1], row[2])) for row in sums]
        return worth[self.seat] - RIVALS * max(worth[: self.seat] + worth[self.seat + 1 :]) // 1000

    def _total(self, cubes: int, hopes: Sequence[int], state: State) -> int:
        return cubes + sum(hopes) + DISC * state.reserve[self.seat]


class Glance:
    """The change in a seat's position in the regions that an action touches, as if there were no others.

    It takes a fraction of the time.
    """

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self._known: dict[int, int] = {}

    def change(self, after: State) -> int:
        """Return the change from the state to another, in the regions that are other objects there."""
        better = 0
        for index, (at, before) in enumerate(zip(after.regions, self.state.regions, strict=True)):
            if at is not before:
                if index not in self._known:
                    self._known[index] = self._worth(self.state, index)
                better += self._worth(after, index) - self._known[index]
        return better + DISC * (after.reserve[self.seat] - self.state.reserve[self.seat])

    def _worth(self, state: State, index: int) -> int:
        """Return the worth of the region to the seat: its gain against the best rival's, and its hope."""
        gain, seat = gains(state, index), self.seat
        worth = [cubes_worth(held) for held in state.collected]
        if gain:
            worth = [
                cubes_worth((held[0] + more[0], held[1] + more[1], held[2] + more[2]))
                for held, more in zip(state.collected, gain, strict=True)
            ]
        rival = max(worth[:seat] + worth[seat + 1 :])
        return (
            hope(state.regions[index], seat, state.reserve[seat], gain) + worth[seat] - RIVALS * rival // 1000
        )


def _add(sums: Sequence[list[int]], gain: Sequence[Cubes] | None, times: int) -> None:
    for row, cubes in zip(sums, gain or (), strict=False):
        for colour, count in enumerate(cubes):
            row[colour] += times * count


def hope(at: Region, seat: Seat, reserve: int, gain: Gains | None = None) -> int:
    """Return the worth of the seat's hope to be the one who collects in a region.

    The seat needs enough influence to clear the region of natives; where there are none, more than anybody
    else. Where there is a *gain* the region is colonized soon, and less is left to hope for.
    """
    own = influences(at)
    twice = 2 * own[seat] + min(2 * reserve, TWICE_PLACED * len(at.policy[seat]))
    needed = at.limit + at.natives if at.natives else 1 + max(*own[:seat], *own[seat + 1 :], 0)
    reached = min(1200, 500 * twice // needed)
    part = reached * isqrt(1000 * reached) // 1000
    hoped = part * (HOPE * sum(at.cubes) + FUTURE * at.value) // 1000
    return hoped * COLLECTED // 1000 if gain else hoped
