"""A picture of a board for links that are shared: what a spectator may see of it, without scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

WIDTH, HEIGHT = 1200, 630
"""The size in pixels that previews of links usually have."""
_STYLE = "font-family:Georgia,serif;fill:#1b2733"
_SEA, _LAND, _OWNED = "#bfd7df", "#f0e6cb", "#d9b65f"
_NAME, _LINE = 26, 34
"""Sizes of the title and of a line of text."""
_TOP = 60
"""Above the board, for the title."""


def draw_board(name: str, panels: Sequence[Mapping[str, Any]], charts: Mapping[str, Any]) -> str:
    """Return an SVG of the first map among *panels*, with the shapes of *charts*; else the seats' names."""
    board = next((panel for panel in panels if panel["kind"] == "map"), None)
    inner = _draw_seats(panels) if board is None else _draw_map(board, charts.get(board.get("chart", ""), {}))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}"><rect width="{WIDTH}" height="{HEIGHT}" fill="{_SEA}"/>'
        f'<text x="24" y="42" font-size="{_NAME}" style="{_STYLE}">Rutter: {escape(name)}</text>{inner}</svg>'
    )


def _draw_map(board: Mapping[str, Any], chart: Mapping[str, Any]) -> str:
    scale = min(WIDTH / board["width"], (HEIGHT - _TOP) / board["height"])
    shapes = chart.get("areas", {})
    land = f'<path d="{escape(chart["land"])}" fill="{_LAND}" opacity=".5"/>' if "land" in chart else ""
    areas = "".join(_draw_area(area, area.get("path") or shapes.get(area["key"])) for area in board["areas"])
    return f'<g transform="translate(0 {_TOP}) scale({scale:.4f})">{land}{areas}</g>'


def _draw_area(area: Mapping[str, Any], path: str | None) -> str:
    """Return an area in its shape, or as a disc.

    It is darker where a seat owns it, whose number stands at its name.
    """
    owner = area["tone"] if isinstance(area.get("tone"), int) else None
    look = f'fill="{_LAND if owner is None else _OWNED}" stroke="#5a6570"'
    place = f'x="{area["x"]}" y="{area["y"]}"'
    body = (
        f'<path d="{escape(path)}" {look}/>'
        if path
        else f'<circle cx="{area["x"]}" cy="{area["y"]}" r="{area.get("radius") or 18}" {look}/>'
    )
    text = area["name"] if owner is None else f"{area['name']} {owner}"
    return f'{body}<text {place} font-size="14" text-anchor="middle" style="{_STYLE}">{escape(text)}</text>'


def _draw_seats(panels: Sequence[Mapping[str, Any]]) -> str:
    items = [item for panel in panels if panel["kind"] == "seats" for item in panel["items"]]
    return "".join(
        f'<text x="48" y="{_TOP + _LINE * (index + 1)}" font-size="{_NAME}" style="{_STYLE}">'
        f"{escape(item['name'])}</text>"
        for index, item in enumerate(items)
    )
