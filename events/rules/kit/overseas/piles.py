"""Piles of counters on Resource spaces, and the Monopolies of those who control the spaces.

A pile is a tuple of seats, bottom counter first. The owner of the bottom counter controls the Resource.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

from events.rules.bounds import limit_items
from events.rules.fact import Seat
from events.rules.kit.overseas.world import World

Pile = Annotated[tuple[Seat, ...], limit_items(999)]
Controllers = Sequence[int | None]
"""The controllers of all Resource spaces, by the number of the space; None: uncontrolled."""


def controller(pile: Pile) -> int | None:
    """Return the owner of the bottom counter; None on an empty space."""
    return pile[0] if pile else None


def counts(pile: Pile) -> dict[int, int]:
    """Return the number of counters of each owner, in the order of their lowest counters.

    >>> counts((2, 0, 0, 2))
    {2: 2, 0: 2}
    """
    found: dict[int, int] = {}
    for owner in pile:
        found[owner] = found.get(owner, 0) + 1
    return found


def find_majority_owner(pile: Pile) -> int | None:
    """Return the owner with more counters than each other owner; None on a tie or an empty space.

    >>> find_majority_owner((1, 0, 0))
    0
    """
    best, leader = 0, None
    for owner, count in counts(pile).items():
        if count > best:
            best, leader = count, owner
        elif count == best:
            leader = None
    return leader


def find_most_or_lowest(pile: Pile) -> int | None:
    """Return the owner with most counters; None on an empty space.

    Among equals it is the one whose lowest counter lies lowest.

    >>> find_most_or_lowest((2, 0, 0, 1, 1))
    0
    """
    held = counts(pile)
    return max(held, key=lambda owner: held[owner]) if held else None


def move_to_bottom(pile: Pile, owner: int) -> Pile:
    """All counters of *owner* moved to the bottom; the order of the others is unchanged.

    >>> move_to_bottom((1, 0, 2, 0), 0)
    (0, 0, 1, 2)
    """
    return (*(o for o in pile if o == owner), *(o for o in pile if o != owner))


def remove_counters(pile: Pile, positions: Collection[int]) -> Pile:
    """The pile less the counters at *positions* (0 is the bottom).

    >>> remove_counters((1, 0, 2), {0})
    (0, 2)
    """
    return tuple(owner for at, owner in enumerate(pile) if at not in positions)


def find_highest(pile: Pile, owner: int, taken: Collection[int] = ()) -> int | None:
    """The position of the owner's highest counter that is not among *taken*; None if there is none.

    >>> find_highest((0, 1, 0), 0)
    2
    """
    for at in range(len(pile) - 1, -1, -1):
        if pile[at] == owner and at not in taken:
            return at
    return None


# --- Monopolies ------------------------------------------------------------------------------------


def monopolist(world: World, controllers: Controllers, resource: str) -> int | None:
    """Return the seat that alone controls spaces of the type; None if none or several do.

    Uncontrolled spaces do not matter. None for gold, whose spaces are Monopolies one by one.
    """
    if world.resource_named[resource].every_space_a_monopoly:
        return None
    sole: int | None = None
    for space in world.spaces_of_resource[resource]:
        owner = controllers[space]
        if owner is not None and owner != sole:
            if sole is not None:
                return None
            sole = owner
    return sole


def monopolies_by_seat(world: World, controllers: Controllers, seats: int) -> tuple[tuple[str, ...], ...]:
    """Return the Monopolies of every seat: ids of types, and ids of gold spaces, each one Monopoly."""
    held: list[list[str]] = [[] for _ in range(seats)]
    for resource, spaces in world.spaces_of_resource.items():
        if world.resource_named[resource].every_space_a_monopoly:
            for space in spaces:
                owner = controllers[space]
                if owner is not None and owner < seats:
                    held[owner].append(world.spaces[space].id)
            continue
        sole = monopolist(world, controllers, resource)
        if sole is not None and sole < seats:
            held[sole].append(resource)
    return tuple(tuple(names) for names in held)


def find_broken_by_taking(world: World, controllers: Controllers, space: int, seat: int) -> int | None:
    """Return the seat whose Monopoly *seat* breaks by taking the empty *space*; None if it breaks none.

    *controllers* are those just before.
    """
    victim = monopolist(world, controllers, world.spaces[space].resource)
    return None if victim == seat else victim
