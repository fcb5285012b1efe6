"""What a seat can choose from now: shared by the list of legal commands, the sampler and the bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from events.titles.colonial_revised import tables
from events.titles.colonial_revised.data import (
    CONSTANTS,
    SLAVES,
    SPACES,
    TERRITORIES,
    TRACK_NAMES,
)
from events.titles.colonial_revised.derived import (
    booming_territory,
    city_values_free,
    colonies,
    counters,
    native_power,
)
from events.titles.colonial_revised.parts import SpaceCount, VictimCount
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.privateering import most_privateers, room_in_box
from events.titles.colonial_revised.steps.scientist import next_step

Split = tuple[tuple[int, int], ...]
"""Counters by space."""


def unexplored(state: State) -> tuple[int, ...]:
    """Territories that an Explorer can name."""
    return tuple(t for t, land in enumerate(state.lands) if not land.explored)


def explored(state: State) -> tuple[int, ...]:
    """Explored Territories."""
    return tuple(t for t, land in enumerate(state.lands) if land.explored)


def with_counter(state: State, seat: int) -> tuple[int, ...]:
    """Territories in which the seat has a counter."""
    return tuple(sorted({SPACES[s].territory for s, pile in enumerate(state.piles) if seat in pile}))


def unrest_to_remove(state: State, seat: int) -> tuple[int, ...]:
    """Where the Ambassador can remove Unrest (REV-146)."""
    return tuple(t for t in with_counter(state, seat) if state.lands[t].unrest)


def mission_sites(state: State, seat: int) -> tuple[int, ...]:
    """Where the Missionary can place a Mission (REV-200, REV-201)."""
    return tuple(
        t
        for t in with_counter(state, seat)
        if state.lands[t].explored and state.lands[t].missions < tables.mission_limit(native_power(state, t))
    )


def colony_sites(state: State, seat: int) -> tuple[int, ...]:
    """Where the Conqueror can found a Colony (REV-150)."""
    if len(colonies(state, seat)) >= CONSTANTS.colony_markers:
        return ()
    return tuple(t for t in with_counter(state, seat) if _is_site(state, seat, t))


def _is_site(state: State, seat: int, territory: int) -> bool:
    land, power = state.lands[territory], native_power(state, territory)
    return (
        land.explored
        and land.colony_owner is None
        and power >= 1
        and counters(state, seat, territory) >= power
        and all(state.piles[space][:1] == (seat,) for space in TERRITORIES[territory].spaces)
    )


def cities(state: State, seat: int) -> tuple[tuple[int, int], ...]:
    """Territory and value of every Booming City that the Governor can found (REV-185 to REV-188)."""
    player, booming = state.players[seat], booming_territory(state)
    most = min(player.economy, player.spendable)
    values = [v for v in city_values_free(state) if (state.booming_city or 0) < v <= most]
    return tuple((t, v) for t in colonies(state, seat) if t != booming for v in values)


def tracks(state: State, seat: int) -> tuple[str, ...]:
    """Tracks on which the Scientist can advance (REV-230, REV-231)."""
    player = state.players[seat]
    return tuple(
        name
        for name in TRACK_NAMES
        if (value := next_step(player, name)) is not None
        and value <= player.spendable
        and not (name == "navy" and player.navy_step_by_escalation)
    )


def controlled(state: State, seat: int) -> tuple[int, ...]:
    """Spaces that the seat controls."""
    return tuple(s for s, pile in enumerate(state.piles) if pile and pile[0] == seat)


def foreign(state: State, seat: int) -> tuple[int, ...]:
    """Spaces that others control."""
    return tuple(s for s, pile in enumerate(state.piles) if pile and pile[0] != seat)


def without_slaves(state: State, spaces: Sequence[int]) -> tuple[int, ...]:
    """What may be shipped without ship_slaves (REV-213)."""
    return tuple(s for s in spaces if not (state.abolition and s in SLAVES))


@lru_cache(maxsize=1024)
def splits(spaces: tuple[int, ...], count: int) -> tuple[Split, ...]:
    """All ways to put *count* counters on *spaces*.

    >>> splits((4, 7), 2)
    (((4, 2),), ((4, 1), (7, 1)), ((7, 2),))
    """
    if not count:
        return ((),)
    if not spaces:
        return ()
    first, rest = spaces[0], spaces[1:]
    found: list[Split] = []
    for here in range(count, -1, -1):
        head: Split = ((first, here),) if here else ()
        found += [head + tail for tail in splits(rest, count - here)]
    return tuple(found)


def capped_splits(held: dict[int, int], count: int) -> Iterator[Split]:
    """Those of :func:`splits` that take at most what each space holds."""
    for split in splits(tuple(held), count):
        if all(number <= held[space] for space, number in split):
            yield split


def entries(split: Split) -> tuple[SpaceCount, ...]:
    """A split as commands write it."""
    return tuple(SpaceCount(SPACES[space].id, count) for space, count in split)


def own_counters(state: State, seat: int, territory: int) -> dict[int, int]:
    """The seat's counters by space of a Territory."""
    return {
        space: count for space in TERRITORIES[territory].spaces if (count := state.piles[space].count(seat))
    }


def privateer_placements(state: State, seat: int) -> tuple[tuple[VictimCount, ...], ...]:
    """Every way to place Privateers, none first (REV-045 to REV-047)."""
    most = most_privateers(state, seat)
    rooms = {v: room for v in range(state.seats) if v != seat and (room := room_in_box(state, v))}
    found: list[tuple[VictimCount, ...]] = [()]
    for total in range(1, most + 1):
        found += [(VictimCount(v, total),) for v, room in rooms.items() if room >= total]
    if most >= CONSTANTS.privateers_per_turn:
        found += [(VictimCount(a, 1), VictimCount(b, 1)) for a, b in combinations(rooms, 2)]
    return tuple(found)
