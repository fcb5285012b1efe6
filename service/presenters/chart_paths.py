"""The shapes of a title's maps in few bytes: paths in which each point follows from the one before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

STEP = 5
"""Steps to a unit of the map, on which points lie: on most screens one is a fifth of a pixel."""
_POLYGON = re.compile(r"M([-0-9.]+) ([-0-9.]+)((?:L[-0-9.]+ [-0-9.]+)+)Z")
_POINT = re.compile(r"L([-0-9.]+) ([-0-9.]+)")


def shorten_charts(charts: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return charts with the same shapes in shorter paths."""
    return {
        name: {
            **chart,
            "land": shorten_path(chart["land"]),
            "areas": {key: shorten_path(path) for key, path in chart["areas"].items()},
        }
        for name, chart in charts.items()
    }


def shorten_path(path: str) -> str:
    """Return *path* with its polygons told by steps from point to point; other shapes stay as they are.

    ```python
    shorten_path("M10 10L12.4 10L12.4 9Z")  # "M10 10l2.4 0 0-1Z"
    ```
    """
    return _POLYGON.sub(_follow, path)


def _follow(polygon: re.Match[str]) -> str:
    x, y = _count(polygon[1]), _count(polygon[2])
    steps = []
    for found in _POINT.finditer(polygon[3]):
        right, down = _count(found[1]) - x, _count(found[2]) - y
        if right or down:
            steps += [_write(right), _write(down)]
        x, y = x + right, y + down
    start = f"M{_write(_count(polygon[1]))} {_write(_count(polygon[2]))}"
    return f"{start}l{' '.join(steps).replace(' -', '-')}Z" if steps else ""


def _count(number: str) -> int:
    return round(float(number) * STEP)


def _write(steps: int) -> str:
    """Return a number of steps in units, without the zero before the point."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{steps / STEP:g}")
