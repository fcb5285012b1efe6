"""The map as a page shows it, and as clients get it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import log, pi, radians, tan
from typing import Any

import msgspec

from events.rules.data_files import load
from events.rules.kit import panels
from events.rules.kit.overseas.world import Territory, World

Json = dict[str, Any]


class Border(msgspec.Struct, frozen=True):
    """Two Territories whose outlines touch, and the line along which they do (SVG path data)."""

    between: tuple[str, str]
    line: str


class Chart(msgspec.Struct, frozen=True):
    """The outlines of the Territories on a sheet of *width* x *height*, and the land that belongs to none."""

    width: int
    height: int
    land: str
    borders: tuple[Border, ...]
    areas: dict[str, str]


CHART = load(__package__, "chart.toml", Chart)
NAME = "world"
WIDTH, HEIGHT = CHART.width, CHART.height
WEST, EAST, NORTH = -135, 180, 72
"""The sheet begins at 135 W and 72 N; its right edge is the antimeridian."""
_SCALE = WIDTH / radians(EAST - WEST)
_TOUCHING = {pair for border in CHART.borders for pair in (border.between, border.between[::-1])}
_NUDGED: Mapping[str, tuple[int, int]] = {
    "canada": (20, 8),
    "new_england": (4, -4),
    "new_france": (2, -6),
    "wild_west": (4, -12),
    "california": (0, -8),
    "new_spain": (-8, -6),
    "west_indies": (26, -14),
    "guyanas": (-22, -8),
    "amazonia": (0, -8),
    "brazil": (0, -8),
    "peru": (0, -10),
    "rio_de_la_plata": (-2, -8),
    "barbary": (-6, -2),
    "egypt": (-2, 2),
    "west_africa": (-2, -12),
    "congo": (2, -10),
    "east_africa": (0, -8),
    "levant": (0, -16),
    "arabia": (10, 2),
    "persia": (2, -4),
    "india": (0, -14),
    "indochina": (0, -8),
    "china": (-10, -10),
    "japan": (6, -14),
    "east_indies": (4, -6),
    "australia": (0, -8),
}
"""Offsets of names from their places, so that pieces below a name lie on its Territory."""
_BELOW = 17
_APART = 21


def place(territory: Territory) -> tuple[float, float]:
    """Return the place of the name of a Territory on the sheet."""
    dx, dy = _NUDGED.get(territory.id, (0, 0))
    x = radians(territory.longitude - WEST) * _SCALE
    y = (_mercator(NORTH) - _mercator(territory.latitude)) * _SCALE
    return x + dx, y + dy


def _mercator(latitude: float) -> float:
    return log(tan(pi / 4 + radians(latitude) / 2))


def map_panel(
    title: str, world: World, area: Callable[[Territory], Json | None], legend: Sequence[Json] = ()
) -> Json:
    """The world map; *area* gives the :func:`territory_area` of each Territory, or None to leave it out."""
    drawn = {t.number: made for t in world.territories if (made := area(t)) is not None}
    links = [
        (world.territories[one].id, world.territories[other].id)
        for one, other in world.borders
        if one in drawn and other in drawn
    ]
    areas = list(drawn.values())
    names = {t.id: t.name for t in world.territories if t.number in drawn}
    for made in areas:
        pairs = [pair for pair in links if made["key"] in pair]
        beside = [names[other] for pair in pairs for other in pair if other != made["key"]]
        made["neighbours"] = sorted(beside)
    panel = panels.world(title, WIDTH, HEIGHT, areas, links=links, chart=NAME, legend=legend)
    return {**panel, "barriers": _barriers(links, names)}


def _barriers(links: Sequence[tuple[str, str]], names: Mapping[str, str]) -> list[Json]:
    """Return a bar for each pair on the map whose outlines touch although it is not adjacent."""
    adjacent = {frozenset(pair) for pair in links}
    return [
        {
            "ends": [one, other],
            "line": border.line,
            "detail": f"{names[one]} and {names[other]} are not adjacent.",
        }
        for border in CHART.borders
        for one, other in (border.between,)
        if one in names and other in names and frozenset(border.between) not in adjacent
    ]


def territory_area(
    territory: Territory,
    *,
    tone: panels.Tone = "land",
    lines: Sequence[str] = (),
    tokens: Sequence[Json] = (),
    slots: Sequence[Callable[[float, float], Json]] = (),
) -> Json:
    """One Territory on the map, with what lies there; each of *slots* is made at its place on the sheet."""
    x, y = place(territory)
    left = x - (len(slots) + len(tokens) - 1) * _APART / 2
    return panels.area(
        territory.id,
        territory.name,
        round(x),
        round(y),
        tone=tone,
        lines=lines,
        tokens=tokens,
        slots=[slot(round(left + at * _APART), round(y + _BELOW)) for at, slot in enumerate(slots)],
        borders=[other for one, other in sorted(_TOUCHING) if one == territory.id],
    )


PIECES_LEGEND = (
    panels.token("C", tone="muted", shape="flag", detail="a Colony"),
    panels.token("I", tone="strong", shape="flag", detail="an Independent State"),
    panels.token("1", tone="brown", shape="triangle", detail="Unrest"),
    panels.token("1", tone="black", shape="cross", detail="Missions"),
)
"""The legend of what :func:`pieces` draws."""


def list_goods(world: World) -> list[Json]:
    """Return the legend of the codes of goods: the first letters of each Resource."""
    return [panels.token(each.name[:2], tone="muted", detail=each.name) for each in world.resources]


def pieces(land: Json, colony: int | None, owner: str) -> list[Json]:
    """Return the tokens on a Territory beside its spaces; a *colony* is of that seat, named *owner*."""
    tokens: list[Json] = []
    if colony is not None:
        tokens.append(panels.token("C", tone=colony, shape="flag", detail=f"Colony of {owner}"))
    if land["independent"]:
        tokens.append(panels.token("I", tone="strong", shape="flag", detail="Independent State"))
    if land["unrest"]:
        tokens.append(panels.token(land["unrest"], tone="brown", shape="triangle", detail="Unrest"))
    if land["missions"]:
        tokens.append(panels.token(land["missions"], tone="black", shape="cross", detail="Missions"))
    return tokens


def land_tone(land: Json, colony: int | None, owners: Collection[int]) -> panels.Tone:
    """The colour of the player who alone holds a *colony* or all its spaces; hatched while unexplored."""
    if not land["explored"]:
        return "closed"
    if colony is not None:
        return colony
    return next(iter(owners)) if len(owners) == 1 else "land"


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
        "map": {"width": WIDTH, "height": HEIGHT, "chart": NAME},
    }


CHARTS: Json = {NAME: {"width": WIDTH, "height": HEIGHT, "land": CHART.land, "areas": CHART.areas}}
"""The value of a title's ``board["charts"]``."""
