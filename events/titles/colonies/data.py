"""The board and the event cards, loaded once and checked against their schemas."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated, Literal, get_args

import msgspec

from events.rules.data_files import Words, fingerprint, load
from events.titles.colonies.primitives import Colour, Effect, Technology

PACKAGE = __package__
COLOURS: tuple[Colour, ...] = get_args(Colour)
"""Ring order: clockwise round the board, beginning with blue."""
TECHNOLOGIES: tuple[Technology, ...] = get_args(Technology)

Number = Annotated[int, msgspec.Meta(ge=0, le=1000)]
CardId = Annotated[str, msgspec.Meta(pattern="^[a-z0-9_]{1,32}$")]


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of every table of a data file: unknown keys are refused."""


class Planet(_Data, frozen=True):
    """A planet of the ring and its unique resource."""

    colour: Colour
    resource: Words


class TechnologyData(_Data, frozen=True):
    """A technology: its action, its passive ability and the two resources that an upgrade costs."""

    id: Technology
    action: Words
    action_text: Words
    passive: Words
    passive_text: Words
    when: Words
    cost: tuple[Colour, Colour]


class Level(_Data, frozen=True):
    """The points of a technology level, and the cost of reaching it."""

    points: Number
    cost: Number


class Shelf(_Data, frozen=True):
    """A shelf of every market; 0 spaces are unlimited."""

    name: str
    spaces: Number
    price: Number


class TableData(_Data, frozen=True):
    """The numbers that depend on the number of players."""

    seats: Number
    neutral: Number
    credits: Number


class Board(_Data, frozen=True):
    """``board.toml``."""

    turns: Number
    resupply_turn: Number
    actions: Number
    most_fingers: Number
    cards_dealt: Number
    deck_size: Number
    foreign_resources: Number
    start_level: Number
    start_marker: Number
    lowest_marker: Number
    start_market: Number
    reward_credits: Number
    citizen_credits: Number
    hunting_credits: Number
    unilateral_fee: Number
    substitution_fee: Number
    compensation: Number
    planets: tuple[Planet, ...]
    technologies: tuple[TechnologyData, ...]
    levels: tuple[Level, ...]
    shelves: tuple[Shelf, ...]
    tables: tuple[TableData, ...]


class EventCard(_Data, frozen=True):
    """One event card: its proposals and its number of colonists."""

    id: CardId
    title: Annotated[Words, msgspec.Meta(min_length=1, max_length=60)]
    colonists: Literal[0, 5]
    official: Effect
    all: Effect
    fewest: Effect


SET_SIZE = 25
"""So many cards are in every set."""


class CardSet(_Data, frozen=True):
    """A file of ``card_sets/``: exactly 25 different cards."""

    cards: Annotated[tuple[EventCard, ...], msgspec.Meta(min_length=SET_SIZE, max_length=SET_SIZE)]

    def __post_init__(self) -> None:
        if len({card.id for card in self.cards}) != len(self.cards):
            raise ValueError("two cards have the same id")


BOARD = load(PACKAGE, "board.toml", Board)
TOP_LEVEL = len(BOARD.levels)
RESOURCE: dict[Colour, str] = {planet.colour: planet.resource for planet in BOARD.planets}
TECHNOLOGY: dict[Technology, TechnologyData] = {t.id: t for t in BOARD.technologies}
TABLE: dict[int, TableData] = {t.seats: t for t in BOARD.tables}

_SET_FILES = sorted(
    f.name for f in files(PACKAGE).joinpath("card_sets").iterdir() if f.name.endswith(".toml")
)
CARD_SETS: dict[str, dict[str, EventCard]] = {
    name.removesuffix(".toml"): {c.id: c for c in load(PACKAGE, f"card_sets/{name}", CardSet).cards}
    for name in _SET_FILES
}
CARD_TITLE: dict[str, str] = {card.id: card.title for cards in CARD_SETS.values() for card in cards.values()}
"""The title of every card of every set: an id means one card everywhere, so that sentences can name it."""
if any(CARD_TITLE[card.id] != card.title for cards in CARD_SETS.values() for card in cards.values()):
    raise ValueError("two event card sets use the same id for different cards")


def is_supplied(card_set: str) -> bool:
    """Return True if a set of event cards was made for this server: such sets have it in their name."""
    return card_set.startswith("supplied")


DATA_HASH = fingerprint(BOARD, CARD_SETS)


def _turn_ring(start: int, step: int) -> tuple[Colour, ...]:
    return tuple(COLOURS[(start + step * i) % len(COLOURS)] for i in range(1, len(COLOURS)))


CLOCKWISE: dict[Colour, tuple[Colour, ...]] = {c: _turn_ring(i, 1) for i, c in enumerate(COLOURS)}
"""The other planets in the order in which a planet pays them (CLN-133)."""
COUNTER_CLOCKWISE: dict[Colour, tuple[Colour, ...]] = {c: _turn_ring(i, -1) for i, c in enumerate(COLOURS)}
"""The other planets in the order in which pirates come to its routes (CLN-150)."""


def shelf_of(place: int) -> Shelf:
    """Return the shelf of the *place*-th resource on a market, from 1 (CLN-103)."""
    for shelf in BOARD.shelves:
        if not shelf.spaces or place <= shelf.spaces:
            return shelf
        place -= shelf.spaces
    return BOARD.shelves[-1]


_PRICES = tuple(shelf_of(place).price for place in range(1, 65))


def price(place: int) -> int:
    """Return the Credits that the *place*-th resource on a market brings or costs (CLN-103, CLN-127)."""
    return _PRICES[place - 1] if place <= len(_PRICES) else _PRICES[-1]


def points(level: int) -> int:
    """Return the victory points of a technology level (CLN-165)."""
    return BOARD.levels[level - 1].points


# --- counts of resources ---------------------------------------------------------------------------

Some = dict[Colour, int]
"""Counts of some colours; absent colours are 0."""
