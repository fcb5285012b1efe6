"""What facts are made of besides numbers and names."""

from __future__ import annotations

import msgspec

from events.titles.colonial_revised.commands import SpaceCount

By = tuple[SpaceCount, ...]
Faces = tuple[int, ...]


class SeatSpaces(msgspec.Struct, frozen=True):
    """Spaces (that is, one Good of each) of a seat."""

    seat: int
    spaces: tuple[str, ...]


class SideFaces(msgspec.Struct, frozen=True):
    """The dice of a battle, face by face."""

    attacker: Faces
    defender: Faces


class SideCounts(msgspec.Struct, frozen=True):
    """A number for each side of a war."""

    attacker: int
    defender: int


class SeatChoice(msgspec.Struct, frozen=True):
    """What a seat chose in the alliance."""

    seat: int
    choice: str


class SeatCard(msgspec.Struct, frozen=True):
    """Which card a seat set aside."""

    seat: int
    card_id: str


class Markers(msgspec.Struct, frozen=True):
    """Unrest still to be placed by the same action."""

    territory: str
    count: int
    reason: str
