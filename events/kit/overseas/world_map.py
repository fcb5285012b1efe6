"""The map as a page shows it, and as clients get it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from events.kit import panels
from events.kit.overseas.world import Territory, World

WIDTH, HEIGHT = 1000, 500
OUTLINE = "world"
"""The outline of the continents that the page lays behind the map (equirectangular, 1000 x 500)."""

Json = dict[str, Any]


def place(territory: Territory) -> tuple[float, float]:
    """Where a Territory lies on a map of 1000 x 500."""
    return (territory.longitude + 180) / 360 * WIDTH, (90 - territory.latitude) / 180 * HEIGHT


def map_panel(title: str, world: World, area: Callable[[Territory], Json | None]) -> Json:
    """The world map; *area* gives the :func:`territory_area` of each Territory, or None to leave it out."""
    drawn = {t.number: made for t in world.territories if (made := area(t)) is not None}
    links = [
        (world.territories[one].id, world.territories[other].id)
        for one, other in world.borders
        if one in drawn and other in drawn
    ]
    return panels.world(title, WIDTH, HEIGHT, list(drawn.values()), links=links, outline=OUTLINE)


def territory_area(
    territory: Territory,
    *,
    tone: panels.Tone = "land",
    lines: Sequence[str] = (),
    tokens: Sequence[Json] = (),
) -> Json:
    """One Territory on the map, with what lies there."""
    x, y = place(territory)
    return panels.area(
        territory.id, territory.name, round(x), round(y), tone=tone, lines=lines, tokens=tokens
    )


def board(world: World) -> Json:
    """The map as public data: integers and texts only."""
    return {
        "territories": [
            {
                "id": t.id,
                "name": t.name,
                "region": t.region,
                "american": t.american,
                "difficulty": t.difficulty,
                "native_power": t.native_power,
                "spaces": [
                    {"id": s.id, "resource": s.resource, "picture": s.picture}
                    for s in (world.spaces[number] for number in t.spaces)
                ],
                "adjacent": [world.territories[n].id for n in t.neighbours],
                "x": round(place(t)[0]),
                "y": round(place(t)[1]),
            }
            for t in world.territories
        ],
        "resources": [
            {
                "id": r.id,
                "name": r.name,
                "colour": r.colour,
                "every_space_a_monopoly": r.every_space_a_monopoly,
            }
            for r in world.resources
        ],
        "regions": [{"id": r.id, "name": r.name} for r in world.regions],
        "diplomacy_length": world.diplomacy_length,
        "map": {"width": WIDTH, "height": HEIGHT, "outline": OUTLINE},
    }
