"""Values that follow from the state without further rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from events.titles.colonialism.data import COLOR_NAMES, COLORS, NEIGHBOURS, REGION_INDEX, SEAS, TRACK
from events.titles.colonialism.parts import Collection, CubeColor, Faction, Loss, PolicyCard, Region, Ship
from events.titles.colonialism.state import State


def turn_order(state: State) -> tuple[int, ...]:
    """Return seats from row 1 down to row 4; empty rows are skipped (CSM-016)."""
    return _sort_seats(state.rows)


@lru_cache(1000)  # there are few orders, and each is asked for many times
def _sort_seats(rows: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(range(len(rows)), key=rows.__getitem__))


def active_seat(state: State) -> int | None:
    """Return the seat whose action it is, or None when all actions are taken.

    All first actions come in turn order, then all second, then all third (CSM-050).
    """
    return find_next(state, state.actions_taken)


def list_active(state: State) -> tuple[int, ...]:
    """Return that seat, if there is one, as those who are asked."""
    return list_only(active_seat(state))


def find_next(state: State, taken: tuple[int, ...]) -> int | None:
    """Return the seat that acts when each has taken so many actions, None when all are taken."""
    return _find_least(turn_order(state), taken)


@lru_cache(1000)  # few as well
def _find_least(order: tuple[int, ...], taken: tuple[int, ...]) -> int | None:
    seat = min(order, key=taken.__getitem__)
    return seat if taken[seat] < TRACK.actions else None


def placing_seat(state: State) -> int:
    """Return the seat that places the next ship at set-up: three passes in turn order (CSM-044)."""
    return min(turn_order(state), key=lambda seat: len(state.ships[seat]))


def choosing_seat(state: State) -> int | None:
    """Return the seat that chooses a row of the turn order now, or None."""
    return next((seat for seat in state.choosers if not state.chosen_rows[seat]), None)


def keeping_seats(state: State) -> tuple[int, ...]:
    """Return the seats that still choose the one card to keep: players with two or more (CSM-200)."""
    return tuple(s for s, hand in enumerate(state.hands) if len(hand) >= 2 and state.kept[s] is None)


def segment(state: State) -> int:
    """Return 1 or 2: the first three spaces of the phase track, or the last three (CSM-002)."""
    return 1 if TRACK.phases.index(state.phase) < len(TRACK.phases) // 2 else 2


def action_round(state: State) -> int:
    """Return the action round that the phase token shows, 1 to 4."""
    index = TRACK.phases.index(state.phase)
    return index + 1 - index // 3


def last_phase(state: State) -> bool:
    """Return True in the second colonization phase of turn 3, after which the game ends (CSM-002)."""
    return state.turn == TRACK.turns and segment(state) == 2


def region(state: State, key: str) -> Region:
    """Return the region of that id."""
    return state.regions[REGION_INDEX[key]]


def influence(at: Region, seat: int) -> int:
    """Return the number of own discs and mercenaries (CSM-004, CSM-005)."""
    return at.discs[seat] + at.mercenaries[seat]


def influences(at: Region) -> tuple[int, ...]:
    """Return the influence of every seat."""
    return tuple(map(int.__add__, at.discs, at.mercenaries))


def has_most(at: Region, seat: int) -> bool:
    """Return True if the seat has strictly more influence than all others, natives included (CSM-006)."""
    own = influences(at)
    rivals = max(at.natives, *own[:seat], *own[seat + 1 :])
    return own[seat] > rivals


def influences_at(state: State, key: str) -> dict[Faction, int]:
    """Return the influence of each faction in a region that has any: players in turn order, then natives."""
    at = region(state, key)
    own = influences(at)
    found: dict[Faction, int] = {seat: own[seat] for seat in turn_order(state) if own[seat]}
    return {**found, "natives": at.natives} if at.natives else found


def fails_limit_check(at: Region) -> bool:
    """Return True with two or more factions and more influence in total than the limit (CSM-122)."""
    own = influences(at)
    factions = sum(1 for n in own if n) + (at.natives > 0)
    return factions >= 2 and sum(own) + at.natives > at.limit


def policy_count(at: Region) -> int:
    """Return the number of policy cards in play at the region, everybody's, face-down ones included."""
    return sum(map(len, at.policy))


def adjacent_regions(state: State, key: str) -> tuple[Region, ...]:
    """Return the regions adjacent to that region; it is not adjacent to itself (CSM-012)."""
    return tuple(state.regions[i] for i in NEIGHBOURS[REGION_INDEX[key]])


def is_adjacent(ship: Ship, key: str) -> bool:
    """Return True if the ship's sea zone touches the region (CSM-012)."""
    return ship.sea_zone in SEAS[REGION_INDEX[key]]


def ship_id(state: State, seat: int, number: int) -> str:
    """Return the ship's id, such as ``blue_ship_1``: numbered in the order of placement."""
    return name_ship(state.colors[seat], number)


def name_ship(color: str, number: int) -> str:
    """Return the id of a ship of the player with that colour."""
    return f"{color}_ship_{number + 1}"


def factions(state: State) -> tuple[Faction, ...]:
    """Return the natives and every player."""
    return ("natives", *range(state.seats))


def influence_of(at: Region, faction: Faction) -> int:
    """Return the influence of a faction: gray discs for the natives, else own discs and mercenaries."""
    return at.natives if faction == "natives" else influence(at, faction)


def face_down(state: State, seat: int) -> tuple[PolicyCard, ...]:
    """Return the face-down policy cards of a seat, in table order of the regions."""
    return tuple([p for at in state.regions for p in at.policy[seat] if not p.face_up])


# --- choices -----------------------------------------------------------------------------------


def choosing_order(state: State) -> tuple[int, ...]:
    """Return seats from fewest cubes collected this turn to most, ties by old order (CSM-017, CSM-206)."""
    return tuple(sorted(turn_order(state), key=state.collected_this_turn.__getitem__))


def list_only(seat: int | None) -> tuple[int, ...]:
    """Return the seat, if there is one, as those who are asked."""
    return () if seat is None else (seat,)


def has_chosen(state: State, seat: int) -> bool:
    """Return True if the seat has given its sealed answer."""
    return 0 <= seat < state.seats and state.kept[seat] is not None


def free_rows(state: State) -> tuple[int, ...]:
    """Return rows that can still be chosen; with fewer than four players gaps may remain (CSM-039)."""
    return tuple(row for row in range(1, TRACK.rows + 1) if row not in state.chosen_rows)


def loss_bounds(at: Region, seat: int, count: int) -> tuple[int, int]:
    """Return the fewest and the most mercenaries that can be among *count* lost (CSM-105)."""
    return max(0, count - at.discs[seat]), min(count, at.mercenaries[seat])


def due_bounds(state: State, due: Loss) -> tuple[int, int]:
    """Return the same bounds for a choice that is due."""
    return loss_bounds(region(state, due.region), due.seat, due.loss)


def collectors(state: State, key: str) -> tuple[int, ...]:
    """Return seats with influence, the most first; ties by turn order (CSM-017, CSM-191)."""
    own = influences(region(state, key))
    return tuple(sorted((seat for seat in turn_order(state) if own[seat]), key=lambda seat: -own[seat]))


def collector(collection: Collection) -> int:
    """Return the seat whose pick it is: in order, and again from the first (CSM-192)."""
    return collection.order[collection.picks % len(collection.order)]


def list_offered(state: State) -> tuple[CubeColor, ...]:
    """Return the colours that still lie in the region whose cubes are collected."""
    if state.collection is None:
        return ()
    cubes = region(state, state.collection.region).cubes
    return tuple(color for color, count in zip(COLORS, cubes, strict=True) if count)


def treaty_seats(at: Region) -> tuple[int, ...]:
    """Return the protected seats: owners of a Treaty here (CSM-149).

    There are none if Unrest at Home was played here too (CSM-154).
    """
    if any(p.card == "unrest_at_home" for stack in at.policy for p in stack):
        return ()
    return tuple(s for s, stack in enumerate(at.policy) if any(p.card == "treaty" for p in stack))


# --- the table as a whole ------------------------------------------------------------------------


def count_conserved(state: State) -> Mapping[str, int]:
    """Return the counts of pieces that no command may change (CSM-026)."""
    totals = {
        "natives": state.native_supply + sum(at.natives for at in state.regions),
        "mercenaries": state.mercenary_supply + sum(sum(at.mercenaries) for at in state.regions),
        "interests": len(state.undealt_interests) + sum(map(len, state.interests)),
    }
    for index, color in enumerate(COLORS):
        lying = sum(at.cubes[index] for at in state.regions)
        totals[f"cubes_{color}"] = state.bag[index] + lying + sum(c[index] for c in state.collected)
    for seat in range(state.seats):
        totals[f"discs_{seat}"] = state.reserve[seat] + sum(at.discs[seat] for at in state.regions)
        totals[f"cards_{seat}"] = _cards(state, seat)
    return totals


def _cards(state: State, seat: int) -> int:
    playing = state.action_card
    return (
        len(state.hands[seat])
        + len(state.decks[seat])
        + len(state.discards[seat])
        + sum(len(at.policy[seat]) for at in state.regions)
        + (playing is not None and playing.seat == seat)
    )


def seat_name(state: State, seat: int) -> str:
    """Return the colour of the player."""
    return COLOR_NAMES[state.colors[seat]] if state.colors else f"Seat {seat}"


def is_in_setup(state: State) -> bool:
    """True until all ships are placed."""
    return state.step.startswith("setup_")
