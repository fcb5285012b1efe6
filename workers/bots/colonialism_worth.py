"""What counts in Colonialism: cubes of all colours, and the regions that will bring more of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from events.fact import Seat
from events.titles.colonialism.data import INTEREST, REGION_IDS, REGION_INDEX, TRACK
from events.titles.colonialism.derived import has_most, influences, segment
from events.titles.colonialism.parts import Faction, Region
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.conflict import fight
from events.titles.colonialism.steps.policy_values import policy_value
from events.titles.colonialism.steps.scoring import best_score
from workers.bots.worth import Worth

SCORE, CUBE, RIVALS = 3000, 800, 3
"""A point of score and a cube, in thousandths; of a rival's worth so many tenths count against the seat."""
HOPE, FUTURE = 1200, 150
"""What influence is worth where nothing can be collected yet, for a cube there and for later ones."""

Gains = list[list[int]]
"""By seat: cubes by colour."""


# --- a region that is colonized ------------------------------------------------------------------------


def colonized(state: State, index: int, at: Region) -> Gains | None:
    """What each seat would collect if that region, as *at*, were colonized now; None where nothing."""
    own = list(influences(at))
    if not any(at.policy) and at.natives + sum(own) <= at.limit:
        return None
    protected = _placed(state, index, at, own)
    factions: dict[Faction, int] = {"natives": at.natives, **dict(enumerate(own))}
    present = {faction: count for faction, count in factions.items() if count}
    if len(present) > 1 and sum(present.values()) > at.limit:
        present = fight(present, at.limit, protected).after
    if present.get("natives") or not any(at.cubes):
        return None
    there = {seat: present.get(seat, 0) for seat in range(len(own))}
    order = sorted((seat for seat in there if there[seat]), key=lambda seat: (-there[seat], state.rows[seat]))
    return _collected(state, at, order) if order else None


def _placed(state: State, index: int, at: Region, own: list[int]) -> list[Faction]:
    """Lay the policy cards, adding to *own*; who is protected by a Treaty."""
    protected: list[Faction] = []
    for seat, stack in enumerate(at.policy):
        wanted = 0
        for played in stack:
            if played.card == "treaty":
                protected.append(seat)
            elif played.card != "unrest_at_home":
                wanted += policy_value(state, seat, REGION_IDS[index], played.card)
        own[seat] += min(wanted, state.reserve[seat])
    return protected


def _collected(state: State, at: Region, order: Sequence[Seat]) -> Gains:
    """In order each takes all cubes of the colour that is worth most to him."""
    gains: Gains = [[0, 0, 0] for _ in state.rows]
    left = [colour for colour in range(3) if at.cubes[colour]]
    for pick in range(len(left)):
        seat = order[pick % len(order)]
        held = [count + more for count, more in zip(state.collected[seat], gains[seat], strict=True)]
        colour = max(left, key=lambda each: (at.cubes[each] if len(order) > 1 else 0) * 10 - held[each])
        left.remove(colour)
        gains[seat][colour] += at.cubes[colour]
    return gains


def cubes_worth(counts: Sequence[int]) -> int:
    """Of so many cubes by colour, in thousandths."""
    return SCORE * best_score(tuple(counts)) + CUBE * sum(counts)


class Prospects:
    """What a seat may expect if every region were colonized now, and how one region changes it."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self._gains = [colonized(state, index, at) for index, at in enumerate(state.regions)]
        self._sums = [list(held) for held in state.collected]
        for gains in filter(None, self._gains):
            _add(self._sums, gains, 1)
        hopes = [self._hope(at, gains) for at, gains in zip(state.regions, self._gains, strict=True)]
        self._before = [self._worth(self._sums) + hope for hope in hopes]

    def change(self, index: int, at: Region) -> int:
        """By how much the seat is better off with that region as *at*, in thousandths."""
        gains = colonized(self.state, index, at)
        sums = [list(held) for held in self._sums]
        _add(sums, self._gains[index] or (), -1)
        _add(sums, gains or (), 1)
        return self._worth(sums) + self._hope(at, gains) - self._before[index]

    def _worth(self, sums: Gains) -> int:
        """The cubes of the seat, against those of the best rival."""
        worth = [cubes_worth(counts) for counts in sums]
        return worth[self.seat] - max(worth[: self.seat] + worth[self.seat + 1 :]) * RIVALS // 10

    def _hope(self, at: Region, gains: Gains | None) -> int:
        hope = _hope(at, self.seat, self.state)
        return hope * RIVALS // 10 if gains else hope


def _add(sums: Gains, gains: Sequence[Sequence[int]], times: int) -> None:
    for row, gain in zip(sums, gains, strict=False):
        for colour, count in enumerate(gain):
            row[colour] += times * count


def _gained(state: State, seat: Seat, gain: Sequence[int]) -> int:
    if not any(gain):
        return 0
    held = state.collected[seat]
    return cubes_worth([a + b for a, b in zip(held, gain, strict=True)]) - cubes_worth(held)


def _hope(at: Region, seat: Seat, state: State) -> int:
    """How far the seat is on the way to clearing the region of natives and being first there."""
    own = influences(at)
    mine = 2 * own[seat] + min(2 * state.reserve[seat], 7 * len(at.policy[seat]))
    rival = max(*own[:seat], *own[seat + 1 :], 0) if len(own) > 2 else own[1 - seat]
    needed = at.limit + at.natives if at.natives else 1 + rival
    reached = min(1200, 500 * mine // max(1, needed))
    part = reached * isqrt(1000 * reached) // 1000
    return part * (HOPE * sum(at.cubes) + FUTURE * at.value) // 1000


# --- features ---------------------------------------------------------------------------------------

NAMES = (
    "score",
    "cubes",
    "fewest",
    "middle",
    "most",
    "prospects",
    "rivals_prospects",
    "hope",
    "influence",
    "regions",
    "regions_led",
    "interests",
    "policy_cards",
    "hand",
    "reserve",
    "fresh_ships",
    "row",
)


def features(state: State) -> list[tuple[int, ...]]:
    """By seat, in the order of :data:`NAMES`; prospects and hope in tenths of a cube."""
    seats = range(state.seats)
    gains = [colonized(state, index, at) for index, at in enumerate(state.regions)]
    found: list[tuple[int, ...]] = []
    sums = [[sum(gain[seat][c] for gain in gains if gain) for c in range(3)] for seat in seats]
    promised = [_gained(state, seat, sums[seat]) // 100 for seat in seats]
    for seat in seats:
        held = state.collected[seat]
        own = [influences(at)[seat] for at in state.regions]
        fewest, middle, most = sorted(held)
        found.append(
            (
                best_score(held),
                sum(held),
                fewest,
                middle,
                most,
                promised[seat],
                max(promised[:seat] + promised[seat + 1 :]),
                sum(_hope(at, seat, state) for at in state.regions) // 100,
                sum(own),
                sum(map(bool, own)),
                sum(has_most(at, seat) for at in state.regions),
                _interests(state, seat),
                sum(len(at.policy[seat]) for at in state.regions),
                len(state.hands[seat]),
                state.reserve[seat],
                sum(ship.fresh for ship in state.ships[seat]),
                state.rows[seat],
            )
        )
    return found


def _interests(state: State, seat: Seat) -> int:
    """How many economic interests would pay now."""
    shown = (INTEREST[key].region for key in state.interests[seat])
    return sum(has_most(state.regions[REGION_INDEX[key]], seat) for key in shown)


def clock(state: State) -> int:
    """The colonization phases that are over."""
    return 2 * (state.turn - 1) + segment(state) - 1 + 2 * TRACK.turns * bool(state.standings)


def progress(state: State) -> int:
    """By the colonization phases, and the phases between them."""
    phase = TRACK.phases.index(state.phase)
    return 1000 * (len(TRACK.phases) * (state.turn - 1) + phase) // (len(TRACK.phases) * TRACK.turns)


WORTH = Worth(NAMES, features, progress, clock, horizon=1, searched=frozenset({"action"}))
