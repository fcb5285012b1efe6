"""Character plays, Treasury, Loans, Diplomacy, Merchant and Trader."""

from __future__ import annotations

from typing import Literal

import msgspec

from events.fact import Fact
from events.titles.colonial.state import Dice, Request

Reason = Literal[
    "ambassador",
    "india_china",
    "monopoly_broken",
    "control_taken",
    "repression",
    "war_declared",
    "slaves_shipped",
    "sovereign",
]
"""Why a marker moves on Diplomacy."""


class CharacterUsed(Fact, frozen=True):
    """A Character play begins."""

    seat: int
    card: str
    character: str
    round: int


class ChoiceOffered(Fact, frozen=True):
    """A play or a war waits for a choice of this seat."""

    seat: int
    choice: Literal["second_roll", "settle", "circumnavigation", "reroll", "surrender"]


class ActionFinished(Fact, frozen=True):
    """A Character play is over."""

    seat: int
    character: str


class TreasuryGiven(Fact, frozen=True):
    """COL-12-01."""

    from_: int = msgspec.field(name="from")
    to: int
    amount: int


class TreasuryDiscarded(Fact, frozen=True):
    """Treasury goes to the Pool."""

    seat: int
    amount: int
    reason: Literal["first_player", "scientist", "governor", "circumnavigation"]


class LoanTaken(Fact, frozen=True):
    """COL-16-01."""

    seat: int
    loan_id: int
    amount: int


class LoanRepaid(Fact, frozen=True):
    """COL-16-03; *remaining* repeats what is left of the pile."""

    seat: int
    loan_id: int
    amount: int
    remaining: int


class DiplomacyMoved(Fact, frozen=True):
    """A marker really moved."""

    seat: int
    from_: int = msgspec.field(name="from")
    to: int
    reason: Reason


class ExplorationRolled(Fact, frozen=True):
    """COL-15-01, COL-15-02."""

    seat: int
    territory: str
    required: int
    dice: Dice
    successes: int


class AustraliaSecondRollTaken(Fact, frozen=True):
    """COL-11-09."""

    seat: int
    required: int
    dice: Dice
    successes: int


class AustraliaSecondRollDeclined(Fact, frozen=True):
    """COL-11-10."""

    seat: int


class SettleDeclined(Fact, frozen=True):
    """COL-15-07: nothing was settled."""

    seat: int


class CircumnavigationDeclined(Fact, frozen=True):
    """COL-11-05: no attempt."""

    seat: int


class CircumnavigationRolled(Fact, frozen=True):
    """COL-11-06."""

    seat: int
    required: int
    continents: tuple[str, ...]
    dice: Dice
    successes: int


class WorldCircumnavigated(Fact, frozen=True):
    """COL-11-07: the Prestige of the box."""

    seat: int


class AmericaDiscovered(Fact, frozen=True):
    """COL-11-02."""

    seat: int
    bonus: int
    to_circumnavigation: int


class TrackAdvanced(Fact, frozen=True):
    """COL-21-01; *cost* repeats what `TreasuryDiscarded` took."""

    seat: int
    track: str
    from_: int = msgspec.field(name="from")
    to: int
    cost: int


class SlaveryAbolished(Fact, frozen=True):
    """COL-06-07."""

    by: int


class SellersPaid(Fact, frozen=True):
    """COL-18-09: by seat."""

    territory: str
    amounts: tuple[int, ...]


class PirateCheckRolled(Fact, frozen=True):
    """COL-18-10."""

    seat: int
    territory: str
    unrest: int
    dice: Dice
    successes: int


class FleetLostToPirates(Fact, frozen=True):
    """COL-18-11: nothing is shipped from that Territory in this play."""

    seat: int
    territory: str


class ShipmentRequested(Fact, frozen=True):
    """Owners are asked for Goods of their spaces."""

    by: int
    requests: tuple[Request, ...]


class ShipmentAnswered(Fact, frozen=True):
    """COL-18-05."""

    owner: int
    accepted: tuple[str, ...]
    refused: tuple[str, ...]


class GoodsShipped(Fact, frozen=True):
    """COL-18-03, COL-18-04."""

    shipper: int
    space: str
    controller: int
    paid_to_controller: int
    forced: bool


class RequestsWithdrawn(Fact, frozen=True):
    """Unanswered requests count as refused."""

    by: int


class GoodsRequested(Fact, frozen=True):
    """COL-23-04: by seat, how many Goods are asked for."""

    by: int
    amounts: tuple[int, ...]


class GoodsRequestAnswered(Fact, frozen=True):
    """COL-23-04."""

    owner: int
    accepted: int
    refused: int


class OwnGoodsSold(Fact, frozen=True):
    """COL-23-02."""

    seat: int
    amount: int


class ForeignGoodsSold(Fact, frozen=True):
    """COL-23-03."""

    trader: int
    owner: int
    amount: int
