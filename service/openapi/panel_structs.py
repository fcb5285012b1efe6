"""The parts of a view as it is laid out for a page: what :mod:`events.rules.kit.panels` builds."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

Tone = Annotated[
    int | str | None, Meta(description="A seat's number (drawn in its colour), or a word such as `good`.")
]
Role = Annotated[
    Literal["board", "hand", "seats", "status", "table"], Meta(description="Where on the page it belongs.")
]
Ref = Annotated[
    str, Meta(description="What is drawn: `area:canada`, `card:tea`; `legal` names it where one may use it.")
]


class Toned(Struct, frozen=True):
    """A text with a tone, and an explanation that shows when one points at it."""

    text: str
    tone: Tone
    detail: str
    ref: Ref | UnsetType = UNSET


Cell = str | int | Toned


class LabelledCell(Struct, frozen=True):
    """A value and what it is."""

    label: str
    value: Cell


class CardShown(Struct, frozen=True):
    """One card, or `count` equal ones: its name, its kind (small print above) and its text."""

    name: str
    kind: str
    text: str
    count: int
    tone: Tone
    key: str
    ref: Ref
    band: Annotated[str | UnsetType, Meta(description="A colour for its top, `#rrggbb`.")] = UNSET
    coin: Annotated[int | UnsetType, Meta(description="What it brings.")] = UNSET


class Mat(Struct, frozen=True):
    """The mat of one seat: what lies before it."""

    seat: int
    name: str
    items: list[CardShown]
    note: str
    ref: Ref


class PlayerShown(Struct, frozen=True):
    """One seat at a glance."""

    seat: int
    name: str
    ref: Ref
    score: Cell
    facts: list[LabelledCell]
    state: str


class Piece(Struct, frozen=True):
    """A piece on a map or a track."""

    text: str
    tone: Tone
    shape: Literal["disc", "square", "ship", "flag", "triangle", "cross"]
    detail: str
    ref: Ref | UnsetType = UNSET


class Slot(Struct, frozen=True):
    """A space for pieces on an area."""

    x: float
    y: float
    text: str
    detail: str
    tokens: list[Piece]
    ref: Ref | UnsetType = UNSET


class Area(Struct, frozen=True):
    """A place on a map: drawn as `path` (SVG path data), by the map's chart, or as a label at (x, y)."""

    key: str
    ref: Ref
    name: str
    x: float
    y: float
    path: str
    tone: Tone
    lines: list[str]
    tokens: list[Piece]
    slots: list[Slot] | UnsetType = UNSET
    borders: Annotated[list[str] | UnsetType, Meta(description="The areas whose shapes touch it.")] = UNSET
    gauge: Annotated[list[int] | UnsetType, Meta(description="How much of how much fills it.")] = UNSET
    radius: Annotated[float | UnsetType, Meta(description="It is a disc: a planet.")] = UNSET


class Route(Struct, frozen=True):
    """A way between two areas, drawn at each end as wide as its weight there, in its tone."""

    ends: list[str]
    weights: list[int]
    tones: list[Tone]
    detail: str
    tokens: list[Piece]
    ref: Ref | UnsetType = UNSET


class Marker(Struct, frozen=True):
    """A piece on a space of a track."""

    at: int
    token: Piece


class FactsPanel(Struct, frozen=True, tag_field="kind", tag="facts"):
    """A short list of labelled values."""

    role: Role
    title: str
    items: list[LabelledCell]


class TablePanel(Struct, frozen=True, tag_field="kind", tag="table"):
    """Rows and columns."""

    role: Role
    title: str
    columns: list[str]
    rows: list[list[Cell]]
    note: str


class CardsPanel(Struct, frozen=True, tag_field="kind", tag="cards"):
    """A row of cards."""

    role: Role
    title: str
    items: list[CardShown]
    note: str


class MatsPanel(Struct, frozen=True, tag_field="kind", tag="mats"):
    """A panel of mats: what lies before each seat."""

    role: Role
    title: str
    items: list[Mat]


class SeatsPanel(Struct, frozen=True, tag_field="kind", tag="seats"):
    """All seats at a glance."""

    role: Role
    title: str
    items: list[PlayerShown]


class MapPanel(Struct, frozen=True, tag_field="kind", tag="map"):
    """A map; `links` join areas by key, `chart` is empty or names one of the title's `board.charts`."""

    role: Role
    title: str
    width: float
    height: float
    areas: list[Area]
    links: list[list[str]]
    routes: list[Route]
    chart: str
    scene: str
    legend: list[Piece]


class TrackPanel(Struct, frozen=True, tag_field="kind", tag="track"):
    """A track of spaces with pieces on it."""

    role: Role
    title: str
    spaces: list[Cell]
    markers: list[Marker]


Panel = FactsPanel | TablePanel | CardsPanel | MatsPanel | SeatsPanel | MapPanel | TrackPanel
PANELS = get_args(Panel)
