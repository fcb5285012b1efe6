"""The vocabulary in which a title tells a page how to lay out a view.

A title's ``panels(view, seat)`` builds these from the view alone, so nothing can show that
the view does not hold. One page draws them for every title; a new title needs no new page.
A *tone* is a seat number (drawn in that seat's colour) or one of TONES.
A *cell* is a text, a number, or the result of :func:`cell`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]
Cell = str | int | Json
Tone = int | str | None

TONES = ("good", "bad", "muted", "strong", "land", "sea", "closed", "gold")


def cell(text: str | int, *, tone: Tone = None, detail: str = "") -> Json:
    """A text with a tone and an explanation that shows when one points at it."""
    return {"text": str(text), "tone": tone, "detail": detail}


def facts(title: str, items: Sequence[tuple[str, Cell]]) -> Json:
    """A short list of labelled values: turn, phase, deck size."""
    return {
        "kind": "facts",
        "title": title,
        "items": [{"label": label, "value": value} for label, value in items],
    }


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, note: str = "") -> Json:
    """Rows and columns; one row a seat is the usual form."""
    return {
        "kind": "table",
        "title": title,
        "columns": list(columns),
        "rows": [list(r) for r in rows],
        "note": note,
    }


def card(
    name: str, *, kind: str = "", text: str = "", count: int = 1, tone: Tone = None, key: str = ""
) -> Json:
    """One card (or *count* equal ones): its name, its kind (small print above) and its text."""
    return {"name": name, "kind": kind, "text": text, "count": count, "tone": tone, "key": key}


def cards(title: str, items: Sequence[Json], *, note: str = "") -> Json:
    """A row of cards; *items* from :func:`card`."""
    return {"kind": "cards", "title": title, "items": list(items), "note": note}


def token(text: str | int, *, tone: Tone = None, shape: str = "disc", detail: str = "") -> Json:
    """A piece on a map or track; *shape* is ``disc``, ``square``, ``ship`` or ``flag``."""
    return {"text": str(text), "tone": tone, "shape": shape, "detail": detail}


def area(
    key: str,
    name: str,
    x: float,
    y: float,
    *,
    path: str = "",
    tone: Tone = "land",
    lines: Sequence[str] = (),
    tokens: Sequence[Json] = (),
) -> Json:
    """A place on a map at (x, y): drawn as *path* (SVG path data) if given, else as a rounded label."""
    return {
        "key": key,
        "name": name,
        "x": x,
        "y": y,
        "path": path,
        "tone": tone,
        "lines": list(lines),
        "tokens": list(tokens),
    }


def world(
    title: str,
    width: float,
    height: float,
    areas: Sequence[Json],
    *,
    links: Sequence[tuple[str, str]] = (),
    outline: str = "",
) -> Json:
    """A map: *outline* names a background that the page knows (``world``) or is empty; *links* join areas."""
    return {
        "kind": "map",
        "title": title,
        "width": width,
        "height": height,
        "areas": list(areas),
        "links": [list(pair) for pair in links],
        "outline": outline,
    }


def track(title: str, spaces: Sequence[Cell], markers: Sequence[tuple[int, Json]]) -> Json:
    """A track of spaces with tokens on it: *markers* are pairs of space index and :func:`token`."""
    return {
        "kind": "track",
        "title": title,
        "spaces": list(spaces),
        "markers": [{"at": at, "token": piece} for at, piece in markers],
    }
