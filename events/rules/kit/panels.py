"""The vocabulary in which a title tells a page how to lay out a view.

A title's ``panels(view, seat)`` builds these from the view alone, so nothing can show that
the view does not hold. One page draws them for every title; a new title needs no new page.
A *tone* is a seat number (drawn in that seat's colour) or one of TONES.
A *cell* is a text, a number, or the result of :func:`cell`.
A *ref* names what is drawn, ``kind:key``: ``area:canada``, ``card:tea``, ``seat:2``. A seat that may act
on it finds the same ref in a legal command (see :mod:`events.rules.kit.refs`), so the page lights it up.
A *role* says where on the page a panel belongs: one of ROLES.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = dict[str, Any]
Cell = str | int | Json
Tone = int | str | None

TONES = ("good", "bad", "muted", "strong", "land", "sea", "closed", "gold", "brown", "black")
ROLES = ("board", "hand", "seats", "status", "table")
"""One plays on the board, the hand lies below it; status is where the game stands, tables are read."""


def cell(text: str | int, *, tone: Tone = None, detail: str = "", ref: str = "") -> Json:
    """A text with a tone and an explanation that shows when one points at it."""
    return {"text": str(text), "tone": tone, "detail": detail, **_ref_member(ref)}


def _ref_member(ref: str) -> Json:
    return {"ref": ref} if ref else {}


def facts(title: str, items: Sequence[tuple[str, Cell]], *, role: str = "status") -> Json:
    """A short list of labelled values: turn, phase, deck size."""
    return {
        "kind": "facts",
        "role": role,
        "title": title,
        "items": [{"label": label, "value": value} for label, value in items],
    }


def table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, note: str = "", role: str = "table"
) -> Json:
    """Rows and columns; one row a seat is the usual form."""
    return {
        "kind": "table",
        "role": role,
        "title": title,
        "columns": list(columns),
        "rows": [list(r) for r in rows],
        "note": note,
    }


def card(
    name: str,
    *,
    kind: str = "",
    text: str = "",
    count: int = 1,
    tone: Tone = None,
    key: str = "",
    ref: str = "",
    band: str = "",
    coin: int | None = None,
) -> Json:
    """One card (or *count* equal ones): its name, its kind (small print above) and its text.

    *key* is that of the data; by default the ref is ``card:`` and the key, or the name where there is none.
    *band*: a colour as CSS has it (``#rrggbb``) for the stripe along its top; *coin*: what it brings.
    """
    return {
        "name": name,
        "kind": kind,
        "text": text,
        "count": count,
        "tone": tone,
        "key": key,
        "ref": ref or f"card:{key or name}",
        **({"band": band} if band else {}),
        **({} if coin is None else {"coin": coin}),
    }


def cards(title: str, items: Sequence[Json], *, note: str = "", role: str = "hand") -> Json:
    """A row of cards; *items* from :func:`card`."""
    return {"kind": "cards", "role": role, "title": title, "items": list(items), "note": note}


def mat(seat: int, name: str, items: Sequence[Json], *, note: str = "") -> Json:
    """Return the cards before one seat; *items* from :func:`card`, *note* is what they come to."""
    return {"seat": seat, "name": name, "items": list(items), "note": note, "ref": f"seat:{seat}"}


def mats(title: str, items: Sequence[Json], *, role: str = "board") -> Json:
    """The table of a game of cards: a :func:`mat` for each seat."""
    return {"kind": "mats", "role": role, "title": title, "items": list(items)}


def player(
    seat: int, name: str, *, score: Cell = "", facts: Sequence[tuple[str, Cell]] = (), state: str = ""
) -> Json:
    """One seat at a glance: what ranks it first, then a few labelled values, then what it is doing."""
    return {
        "seat": seat,
        "name": name,
        "ref": f"seat:{seat}",
        "score": score,
        "facts": [{"label": label, "value": value} for label, value in facts],
        "state": state,
    }


def seats(items: Sequence[Json], *, title: str = "Seats") -> Json:
    """All seats at a glance; *items* from :func:`player`."""
    return {"kind": "seats", "role": "seats", "title": title, "items": list(items)}


def token(
    text: str | int,
    *,
    tone: Tone = None,
    shape: str = "disc",
    detail: str = "",
    ref: str = "",
    main: bool = False,
) -> Json:
    """A piece on a map or track; *shape* is one of SHAPES. With a seat as *tone* it is that seat's.

    The *main* one of several pieces on a space, such as the counter that controls it, is drawn with a rim.
    """
    return {
        "text": str(text),
        "tone": tone,
        "shape": shape,
        "detail": detail,
        **_ref_member(ref),
        **({"main": True} if main else {}),
    }


SHAPES = ("disc", "square", "ship", "flag", "triangle", "cross")


def slot(
    x: float, y: float, text: str, *, ref: str = "", detail: str = "", tokens: Sequence[Json] = ()
) -> Json:
    """A space for pieces on an area: an empty ring with *text*, or the *tokens* that lie there."""
    return {"x": x, "y": y, "text": text, "detail": detail, "tokens": list(tokens), **_ref_member(ref)}


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
    slots: Sequence[Json] = (),
    borders: Sequence[str] = (),
    gauge: tuple[int, int] | None = None,
    radius: float = 0,
    ref: str = "",
) -> Json:
    """A place on a map, its name written at (x, y).

    It is drawn as *path* (SVG path data), as the path of this key on the map's chart, or else as a rounded
    label. *borders* are the areas whose shapes touch it, so that a link to them need not be drawn.
    *gauge* is how much of how much fills it. With a *radius* it is a disc: a planet.
    """
    return {
        "key": key,
        "ref": ref or f"area:{key}",
        "name": name,
        "x": x,
        "y": y,
        "path": path,
        "tone": tone,
        "lines": list(lines),
        "tokens": list(tokens),
        **({"slots": list(slots)} if slots else {}),
        **({"borders": list(borders)} if borders else {}),
        **({"gauge": list(gauge)} if gauge else {}),
        **({"radius": radius} if radius else {}),
    }


def route(
    ends: tuple[str, str],
    weights: tuple[int, int],
    *,
    ref: str = "",
    detail: str = "",
    tones: tuple[Tone, Tone] = (None, None),
    tokens: Sequence[Json] = (),
) -> Json:
    """A way between two areas with a *weight* at each end, drawn as wide in its tone; *tokens* lie on it."""
    return {
        "ends": list(ends),
        "weights": list(weights),
        "tones": list(tones),
        "detail": detail,
        "tokens": list(tokens),
        **_ref_member(ref),
    }


def world(
    title: str,
    width: float,
    height: float,
    areas: Sequence[Json],
    *,
    links: Sequence[tuple[str, str]] = (),
    routes: Sequence[Json] = (),
    chart: str = "",
    scene: str = "",
    legend: Sequence[Json] = (),
    role: str = "board",
) -> Json:
    """A map: *links* join areas, *routes* are links that carry something.

    *chart* names one of the title's ``board["charts"]``: paths of areas by key, and the land behind them.
    *scene*: ``space`` for a night sky; by default the sea. *legend*: a :func:`token` of each kind, whose
    detail says what it is.
    """
    return {
        "kind": "map",
        "role": role,
        "title": title,
        "width": width,
        "height": height,
        "areas": list(areas),
        "links": [list(pair) for pair in links],
        "routes": list(routes),
        "chart": chart,
        "scene": scene,
        "legend": list(legend),
    }


def track(
    title: str, spaces: Sequence[Cell], markers: Sequence[tuple[int, Json]], *, role: str = "table"
) -> Json:
    """A track of spaces with tokens on it: *markers* are pairs of space index and :func:`token`."""
    return {
        "kind": "track",
        "role": role,
        "title": title,
        "spaces": list(spaces),
        "markers": [{"at": at, "token": piece} for at, piece in markers],
    }


def whole(panels: Sequence[Json], names: Sequence[str]) -> list[Json]:
    """*panels* of a title with what every page needs: the seats, called by their *names*, and a board.

    A title that lays out no board has its first table, or else its first panel, for one.
    """
    found = list(panels)
    if found and not any(panel["role"] == "board" for panel in found):
        first = next((panel for panel in found if panel["role"] == "table"), found[0])
        found[found.index(first)] = {**first, "role": "board"}
    if found and not any(panel["kind"] == "seats" for panel in found):
        found.append(seats([player(number, name) for number, name in enumerate(names)]))
    return found


def with_measures(
    panels: Sequence[Json], names: Mapping[str, str], values: Mapping[str, Sequence[int | None]]
) -> list[Json]:
    """Return *panels* whose seats have what a page draws as curves, in the order of *names*.

    *values* are by key and seat. The measure ``score`` is what decides the game.
    """
    if not values:
        return list(panels)
    told = [{"key": key, "name": name, "values": list(values[key])} for key, name in names.items()]
    return [{**panel, "measures": told} if panel["kind"] == "seats" else panel for panel in panels]
