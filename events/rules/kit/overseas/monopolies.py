"""Monopolies, from the controllers of all Resource spaces (by space number; None: uncontrolled)."""

from __future__ import annotations

from collections.abc import Sequence

from events.rules.kit.overseas.world import World

Controllers = Sequence[int | None]


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
