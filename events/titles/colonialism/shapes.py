"""Small objects inside facts."""

from __future__ import annotations

import msgspec

from events.titles.colonialism.state import Faction


class CubeCounts(msgspec.Struct, frozen=True):
    """Cubes by colour."""

    black: int
    brown: int
    yellow: int


class TileInUse(msgspec.Struct, frozen=True):
    """A limit tile put on its region."""

    region: str
    value: int
    limit: int


class CardValue(msgspec.Struct, frozen=True):
    """A resolved policy card and its value."""

    card: str
    value: int


class Resolution(msgspec.Struct, frozen=True):
    """What a step of policy cards does for one player."""

    seat: int
    cards: tuple[CardValue, ...]
    wanted: int
    placed: int
    removed: int = 0


class Removal(msgspec.Struct, frozen=True):
    """One removal of conflict: the factions that lost 1 at the same time, and the total after it."""

    factions: tuple[Faction, ...]
    total: int


class SeatCards(msgspec.Struct, frozen=True):
    """Cards of one seat."""

    seat: int
    cards: tuple[str, ...]


class SeatRegionCount(msgspec.Struct, frozen=True):
    """Pieces of one seat in one region."""

    seat: int
    region: str
    count: int


class Exchange(msgspec.Struct, frozen=True):
    """A conversion: three cubes of one colour for one of another."""

    from_: str = msgspec.field(name="from")
    to: str
