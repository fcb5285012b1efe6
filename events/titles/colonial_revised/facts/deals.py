"""Facts of the Merchant, the Trader and the Privateers that attack a shipment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from events.fact import Fact
from events.titles.colonial_revised.commands import SeatCount
from events.titles.colonial_revised.facts.parts import Faces, SeatSpaces


class GoodsRequested(Fact, frozen=True):
    """What the Merchant ships of his own and asks of others; Booming City spaces included (REV-210)."""

    seat: int
    own_spaces: tuple[str, ...]
    requests_by_owner: tuple[SeatSpaces, ...]
    booming_spaces: tuple[str, ...]
    ship_slaves: bool
    counterattack: bool


class GoodsRequestAnswered(Fact, frozen=True):
    """A sealed answer (REV-209)."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"accepted": ("seller",)}
    seller: int
    accepted: tuple[str, ...]


class GoodsAnswersRevealed(Fact, frozen=True):
    """All answers together (ruling 15)."""

    accepted_by_seller: tuple[SeatSpaces, ...]


class GoodsShipped(Fact, frozen=True):
    """The shipment is fixed (REV-206, REV-207)."""

    seat: int
    own: tuple[str, ...]
    foreign_by_seller: tuple[SeatSpaces, ...]
    market_counters: int


class SellerPaid(Fact, frozen=True):
    """1 T a Good from the Pool (REV-208)."""

    seller: int
    amount: int


class PrivateersAttacked(Fact, frozen=True):
    """An owner's attack on the shipment (REV-220, REV-221)."""

    owner: int
    merchant: int
    dice: int
    faces: Faces
    successes: int
    taken: int


class CounterattackRolled(Fact, frozen=True):
    """The Merchant's Squadrons reply (REV-224)."""

    merchant: int
    owner: int
    dice: int
    faces: Faces
    successes: int
    sunk: int


class GoodsReachedMarket(Fact, frozen=True):
    """What the Privateers left (REV-206)."""

    seat: int
    count: int


class TradeRequested(Fact, frozen=True):
    """What the Trader moves of his own and asks of others (REV-235)."""

    seat: int
    own: int
    requests: tuple[SeatCount, ...]


class TradeRequestAnswered(Fact, frozen=True):
    """A sealed answer (REV-238)."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"accepted": ("owner",)}
    owner: int
    accepted: int


class TradeAnswersRevealed(Fact, frozen=True):
    """All answers together, refusals left out (ruling 15)."""

    accepted_by_owner: tuple[SeatCount, ...]


class GoodsMoved(Fact, frozen=True):
    """Goods become Treasury (REV-236, REV-237)."""

    trader: int
    own: int
    by_owner: tuple[SeatCount, ...]
    commission: int
