"""The parts of a view as a page shows them: what :mod:`events.rules.kit.panels` builds."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

Tone = Annotated[
    int | str | None, Meta(description="A seat's number (drawn in its colour), or a word such as `good`.")
]
Role = Annotated[
    Literal["board", "hand", "seats", "status", "table"],
    Meta(description="The place on the page that it belongs to."),
]
Ref = Annotated[
    str,
    Meta(
        description="The id of the drawn thing, such as `area:canada` or `card:tea`. `legal` names it if a"
        " command uses it."
    ),
]


class Toned(Struct, frozen=True):
    """A text with a tone, and an explanation that a page shows on demand."""

    text: str
    """The text to show."""
    tone: Tone
    detail: str
    """A longer explanation."""
    ref: Ref | UnsetType = UNSET


Cell = str | int | Toned


class LabelledCell(Struct, frozen=True):
    """A value and its name."""

    label: str
    """The name of the value."""
    value: Cell
    """The value to show beside the label."""


class CardShown(Struct, frozen=True):
    """One card, or `count` equal ones: its name, its kind (small print above) and its text."""

    name: str
    """The name of the card."""
    kind: str
    """The kind of card, printed above its name."""
    text: str
    """The text of the card."""
    count: int
    """The number of equal cards."""
    tone: Tone
    key: str
    """The key of the card in the title's data."""
    ref: Ref
    band: Annotated[str | UnsetType, Meta(description="A colour for its top, `#rrggbb`.")] = UNSET
    coin: Annotated[int | UnsetType, Meta(description="The income of the card.")] = UNSET


class Mat(Struct, frozen=True):
    """The mat of one seat, with the cards in front of it."""

    seat: int
    """The number of the seat: 0, 1, 2 and so on."""
    name: str
    """The name of the seat."""
    items: list[CardShown]
    """The cards on the mat."""
    note: str
    """A remark below the mat, or an empty text."""
    ref: Ref


class PlayerShown(Struct, frozen=True):
    """One seat at a glance."""

    seat: int
    """The number of the seat: 0, 1, 2 and so on."""
    name: str
    """The name of the seat."""
    ref: Ref
    score: Cell
    """The score of the player now."""
    facts: list[LabelledCell]
    """More values of the seat."""
    state: str
    """A word for the state of the seat, or an empty text."""


class Piece(Struct, frozen=True):
    """A piece on a map or a track."""

    text: str
    """The text on the piece."""
    tone: Tone
    shape: Literal["disc", "square", "ship", "flag", "triangle", "cross"]
    """The shape of the piece."""
    detail: str
    """A longer explanation."""
    ref: Ref | UnsetType = UNSET
    main: Annotated[
        bool | UnsetType, Meta(description="True for the piece that controls the space it lies on.")
    ] = UNSET


class Slot(Struct, frozen=True):
    """A space for pieces on an area."""

    x: float
    """The place from the left, in the units of the map."""
    y: float
    """The place from the top, in the units of the map."""
    text: str
    """The text on the space."""
    detail: str
    """A longer explanation."""
    tokens: list[Piece]
    """The pieces on the space."""
    ref: Ref | UnsetType = UNSET


class Area(Struct, frozen=True):
    """A place on a map: drawn as `path` (SVG path data), by the map's chart, or as a label at (x, y)."""

    key: str
    """The key of the area in the title's data."""
    ref: Ref
    name: str
    """The name of the area."""
    x: float
    """The place from the left, in the units of the map."""
    y: float
    """The place from the top, in the units of the map."""
    path: str
    """The shape as SVG path data, or an empty text."""
    tone: Tone
    lines: list[str]
    """Lines of text on the area."""
    tokens: list[Piece]
    """The pieces on the area."""
    slots: list[Slot] | UnsetType = UNSET
    """The spaces for pieces."""
    borders: Annotated[list[str] | UnsetType, Meta(description="The areas whose shapes touch it.")] = UNSET
    neighbours: Annotated[
        list[str] | UnsetType, Meta(description="The names of the adjacent areas, where shapes may mislead.")
    ] = UNSET
    gauge: Annotated[
        list[int] | UnsetType, Meta(description="The level of the area and its maximum, as two numbers.")
    ] = UNSET
    radius: Annotated[
        float | UnsetType, Meta(description="The radius, if the area is drawn as a disc, such as a planet.")
    ] = UNSET


class Barrier(Struct, frozen=True):
    """A bar between two areas whose shapes touch, but which are not adjacent."""

    ends: list[str]
    """The keys of the two areas."""
    line: str
    """The line along which the shapes touch, as SVG path data."""
    detail: str
    """A longer explanation."""


class Route(Struct, frozen=True):
    """A route between two areas. Each end has its own width and tone."""

    ends: list[str]
    """The keys of the two areas."""
    weights: list[int]
    """The width at each end."""
    tones: list[Tone]
    """The colour at each end."""
    detail: str
    """A longer explanation."""
    tokens: list[Piece]
    """The pieces on the route."""
    ref: Ref | UnsetType = UNSET


class Marker(Struct, frozen=True):
    """A piece on a space of a track."""

    at: int
    """The number of the space, from 0."""
    token: Piece
    """The piece that marks the place."""


class FactsPanel(Struct, frozen=True, tag_field="kind", tag="facts"):
    """A short list of labelled values."""

    role: Role
    title: str
    """The heading of the panel."""
    items: list[LabelledCell]
    """The values to show, each with a label."""


class TablePanel(Struct, frozen=True, tag_field="kind", tag="table"):
    """Rows and columns."""

    role: Role
    title: str
    """The heading of the panel."""
    columns: list[str]
    """The headings of the columns."""
    rows: list[list[Cell]]
    """The rows, each with a cell for each column."""
    note: str
    """A remark below the table, or an empty text."""


class CardsPanel(Struct, frozen=True, tag_field="kind", tag="cards"):
    """A row of cards."""

    role: Role
    title: str
    """The heading of the panel."""
    items: list[CardShown]
    """The cards to show, in order."""
    note: str
    """A remark below the cards, or an empty text."""


class MatsPanel(Struct, frozen=True, tag_field="kind", tag="mats"):
    """A panel of mats, one for each seat."""

    role: Role
    title: str
    """The heading of the panel."""
    items: list[Mat]
    """The mats, one for each seat."""


class MeasureShown(Struct, frozen=True):
    """A number of every seat, to draw as a curve over the game."""

    key: str
    """The key of the measure. `score` decides the game."""
    name: str
    """The name of the measure."""
    values: list[int | None]
    """The value of each seat, or null where it is hidden from you."""


class SeatsPanel(Struct, frozen=True, tag_field="kind", tag="seats"):
    """All seats at a glance."""

    role: Role
    title: str
    """The heading of the panel."""
    items: list[PlayerShown]
    """The seats of the game, in order."""
    measures: list[MeasureShown] | UnsetType = UNSET
    """The measures of the title, in the order to offer them."""


class MapPanel(Struct, frozen=True, tag_field="kind", tag="map"):
    """A map; `links` join areas by key, `chart` is empty or names one of the title's `board.charts`."""

    role: Role
    title: str
    """The heading of the panel."""
    width: float
    """The width of the map in its own units."""
    height: float
    """The height of the map in its own units."""
    areas: list[Area]
    """The areas of the map, each with its shape and pieces."""
    links: list[list[str]]
    """Pairs of keys of areas that are joined."""
    routes: list[Route]
    """The routes between areas."""
    chart: str
    """The name of one of the title's charts, or an empty text."""
    scene: str
    """A word for the scene behind the map, or an empty text."""
    legend: list[Piece]
    """The pieces that a legend explains."""
    barriers: Annotated[
        list[Barrier] | UnsetType, Meta(description="The bars between areas that touch and are not adjacent.")
    ] = UNSET


class TrackPanel(Struct, frozen=True, tag_field="kind", tag="track"):
    """A track of spaces with pieces on it."""

    role: Role
    title: str
    """The heading of the panel."""
    spaces: list[Cell]
    """The labels of the spaces."""
    markers: list[Marker]
    """The pieces on the track."""


Panel = FactsPanel | TablePanel | CardsPanel | MatsPanel | SeatsPanel | MapPanel | TrackPanel
PANELS = get_args(Panel)
