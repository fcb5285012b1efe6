"""The printed map, typed: Territories, Resource spaces, borders."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated

import msgspec

from events.rules.data_files import SHOWN, Words, load
from events.titles.colonial_revised.kept.v1.kit.values import remove_each

PACKAGE = __package__
MAP_FILE = "map.toml"
"""The data file."""


class Resource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A type of Resource, known by the colour of its edge."""

    id: str
    name: Words
    colour: Words
    mark: Words
    every_space_a_monopoly: bool = False
    """True for gold: each space is a Monopoly by itself and cannot be broken."""


class Region(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A continent, or the Near East."""

    id: str
    name: Words


class _Picture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    resource: str
    picture: str


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    region: str
    native_power: int
    longitude: float
    latitude: float
    mark: str
    difficulty: int | None = None
    spaces: tuple[_Picture, ...] = ()


class _Border(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    between: tuple[str, str]
    mark: str


class _Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    unused: tuple[str, ...] = ()
    difficulty: dict[str, int] = {}


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    diplomacy_length: int
    diplomacy_start: int
    resources: tuple[Resource, ...]
    regions: tuple[Region, ...]
    territories: tuple[_Row, ...]
    borders: tuple[_Border, ...]
    editions: dict[str, _Edition]


class Space(msgspec.Struct, frozen=True):
    """A Resource space: ``west_africa.gold``."""

    id: str
    number: int
    territory: int
    resource: str
    picture: Words


class Territory(msgspec.Struct, frozen=True):
    """A Territory of the map; numbers follow the map order."""

    id: str
    number: int
    name: Words
    region: str
    native_power: int
    difficulty: int | None
    spaces: tuple[int, ...]
    """The numbers of its Resource spaces."""
    neighbours: tuple[int, ...]
    """The numbers of the adjacent Territories."""
    longitude: Annotated[float, SHOWN]
    latitude: Annotated[float, SHOWN]

    @property
    def american(self) -> bool:
        """True if the Territory lies in the Americas."""
        return self.region == "americas"


class World(msgspec.Struct, frozen=True):
    """The map as one edition uses it."""

    territories: tuple[Territory, ...]
    spaces: tuple[Space, ...]
    resources: tuple[Resource, ...]
    regions: tuple[Region, ...]
    territory_number: Mapping[str, int]
    space_number: Mapping[str, int]
    spaces_of_resource: Mapping[str, tuple[int, ...]]
    resource_named: Mapping[str, Resource]
    borders: tuple[tuple[int, int], ...]
    diplomacy_length: int
    diplomacy_start: int

    def territory_name(self, territory: str) -> str:
        """The name of a Territory, by id; a word that names none stands as it is."""
        number = self.territory_number.get(territory)
        return territory if number is None else self.territories[number].name

    def resource_name(self, resource: str) -> str:
        """The name of a type of Resource, by id; a word that names none stands as it is."""
        found = self.resource_named.get(resource)
        return resource if found is None else found.name

    def space_name(self, space: str) -> str:
        """Such as ``Gold in West Africa``, by id; a word that names none stands as it is."""
        number = self.space_number.get(space)
        if number is None:
            return space
        found = self.spaces[number]
        return f"{self.resource_name(found.resource)} in {self.territories[found.territory].name}"


@cache
def load_world(edition: str) -> World:
    """The map of that edition; KeyError if the data know none, ValueError if a row names nothing known."""
    file = load(PACKAGE, MAP_FILE, _File)
    changes = file.editions[edition]
    rows = [row for row in file.territories if row.id not in changes.unused]
    number = {row.id: index for index, row in enumerate(rows)}
    spaces = _spaces(rows)
    borders = _borders(file, number, changes.unused)
    return World(
        territories=tuple(_territory(row, number, spaces, borders, changes) for row in rows),
        spaces=spaces,
        resources=file.resources,
        regions=file.regions,
        territory_number=number,
        space_number={space.id: space.number for space in spaces},
        spaces_of_resource={
            resource.id: tuple(space.number for space in spaces if space.resource == resource.id)
            for resource in file.resources
        },
        resource_named={resource.id: resource for resource in file.resources},
        borders=borders,
        diplomacy_length=file.diplomacy_length,
        diplomacy_start=file.diplomacy_start,
    )


def _spaces(rows: list[_Row]) -> tuple[Space, ...]:
    found: list[Space] = []
    for number, row in enumerate(rows):
        for printed in row.spaces:
            name = f"{row.id}.{printed.resource}"
            found.append(Space(name, len(found), number, printed.resource, printed.picture))
    return tuple(found)


def _borders(file: _File, number: Mapping[str, int], unused: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """All borders in map order; those of unused Territories are gone with them."""
    known = {*number, *unused}
    strange = [border.between for border in file.borders if not known.issuperset(border.between)]
    if strange:
        raise ValueError(f"{MAP_FILE}: borders of unknown Territories: {strange}")
    pairs = [border.between for border in file.borders if number.keys() >= set(border.between)]
    return tuple((number[one], number[other]) for one, other in pairs)


def _territory(
    row: _Row,
    number: Mapping[str, int],
    spaces: tuple[Space, ...],
    borders: tuple[tuple[int, int], ...],
    changes: _Edition,
) -> Territory:
    mine = number[row.id]
    beside = {remove_each(pair, [mine])[0] for pair in borders if mine in pair}
    return Territory(
        id=row.id,
        number=mine,
        name=row.name,
        region=row.region,
        native_power=row.native_power,
        difficulty=changes.difficulty.get(row.id, row.difficulty),
        spaces=tuple(space.number for space in spaces if space.territory == mine),
        neighbours=tuple(sorted(beside)),
        longitude=row.longitude,
        latitude=row.latitude,
    )
