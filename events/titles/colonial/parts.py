"""Values that commands, facts and the state share: counters on spaces, requests, dice, Loans."""

from __future__ import annotations

from typing import Annotated

import msgspec

from events.rules.bounds import limit_items, limit_number
from events.rules.fact import Seat
from events.titles.colonial.data import RULES, SPACES

Id = Annotated[str, msgspec.Meta(max_length=40)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=9)]
Position = Annotated[int, msgspec.Meta(ge=0, le=9999)]
Amount = Annotated[int, msgspec.Meta(ge=1, le=99_999)]
AmountOrNone = Annotated[int, msgspec.Meta(ge=0, le=99_999)]
Count = Annotated[int, limit_number(0, 99_999)]
"""Money, pieces and Goods, of which the rules have no most."""
Spaces = Annotated[tuple[str, ...], limit_items(len(SPACES), each=1)]
Dice = Annotated[tuple[bool, ...], limit_items(max(RULES.war_dice, RULES.exploration_dice))]
"""Success dice, die by die (COL-01-06)."""


class Casualty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One counter on the map: *position* 0 is the bottom of the pile."""

    space: str
    owner: Seat
    position: Count


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

    owner: Seat
    spaces: Spaces


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
