"""Values that commands, facts and the state share: so many pieces on a space, of a seat, of a side."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from events.rules.bounds import limit_items, limit_number
from events.rules.fact import Seat
from events.titles.colonial_revised.data import SPACES, TERRITORIES

Key = Annotated[str, Meta(min_length=1, max_length=40)]
"""The id of a Territory or of a space."""
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Positive = Annotated[int, Meta(ge=1, le=9999)]
Spaces = Annotated[tuple[str, ...], limit_items(len(SPACES), each=1)]
Territories = Annotated[tuple[str, ...], limit_items(len(TERRITORIES), each=1)]
Faces = tuple[int, ...]
"""Dice, face by face; of Success dice 1 is a Success (REV-001)."""


class SpaceCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many counters on a space."""

    space: Key
    count: Positive


By = tuple[SpaceCount, ...]
"""Counters by space."""


class SeatCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many pieces of a seat."""

    seat: SeatNumber
    count: Positive


class VictimCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many Privateers in the Merchant Fleet box of a victim."""

    victim: SeatNumber
    count: Positive


class Loss(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many counters of a seat lost on a space."""

    seat: SeatNumber
    space: Key
    count: Positive


Losses = Annotated[tuple[Loss, ...], limit_items(999)]


class SeatSpaces(msgspec.Struct, frozen=True):
    """Spaces (that is, one Good of each) of a seat."""

    seat: Seat
    spaces: Spaces


class SideFaces(msgspec.Struct, frozen=True):
    """The dice of a battle."""

    attacker: Faces
    defender: Faces


class SideCounts(msgspec.Struct, frozen=True):
    """A number for each side of a war."""

    attacker: int
    defender: int


class SeatChoice(msgspec.Struct, frozen=True):
    """The choice of a seat in the alliance."""

    seat: int
    choice: str


class SeatCard(msgspec.Struct, frozen=True):
    """The card that a seat set aside."""

    seat: int
    card_id: str


class Markers(msgspec.Struct, frozen=True):
    """Unrest still to be placed by the same action."""

    territory: str
    count: Annotated[int, limit_number(0, 99)]
    reason: str
