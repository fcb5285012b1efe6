"""Values that commands, facts and the state share: counters on spaces, requests, dice, Loans."""

from __future__ import annotations

from typing import Annotated

import msgspec

Id = Annotated[str, msgspec.Meta(max_length=40)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=9)]
Position = Annotated[int, msgspec.Meta(ge=0, le=9999)]
Amount = Annotated[int, msgspec.Meta(ge=1, le=99_999)]
AmountOrNone = Annotated[int, msgspec.Meta(ge=0, le=99_999)]
Dice = tuple[bool, ...]
"""Success dice, die by die (COL-01-06)."""


class Casualty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One counter on the map: *position* 0 is the bottom of the pile."""

    space: str
    owner: int
    position: int


class Company(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The counter that becomes a Merchant Fleet; without *position* the founder's highest in the space."""

    space: Id
    position: Position | None = None


class Victim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A counter that the Rebel removes; without *position* the owner's highest in the space."""

    space: Id
    owner: SeatNumber
    position: Position | None = None


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An enemy counter in a battle; without *position* the enemy's highest in the space."""

    space: Id
    position: Position | None = None


class GoodsWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number of Goods of another seat that the Trader asks for."""

    seat: SeatNumber
    amount: Amount


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Spaces that an owner is asked for."""

    owner: int
    spaces: tuple[str, ...]


class SeaLoss(msgspec.Struct, frozen=True):
    """The ships that a side loses at sea."""

    seat: int
    squadrons: int
    fleets: int


class LoanGrown(msgspec.Struct, frozen=True):
    """A pile after interest."""

    seat: int
    loan_id: int
    size: int
