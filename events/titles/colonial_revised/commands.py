"""What a seat may ask for, in the rulebook's words. The acting seat is never a field."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from events.rules.steps import Command
from events.titles.colonial_revised.parts import (
    Key,
    Loss,
    Positive,
    SeatCount,
    SeatNumber,
    SpaceCount,
    VictimCount,
)

CardId = Literal[
    "explorer_conqueror",
    "viceroy_ambassador",
    "sovereign_rebel",
    "merchant_governor",
    "trader_financier",
    "scientist_missionary",
]
Track = Literal["economy", "seafaring", "navy", "logistics"]
Choice = Literal["attacker", "defender", "none"]
Amount = Annotated[int, Meta(ge=0, le=9999)]
Spaces = Annotated[tuple[Key, ...], Meta(max_length=32)]
Placements = Annotated[tuple[SpaceCount, ...], Meta(max_length=8)]
SeatCounts = Annotated[tuple[SeatCount, ...], Meta(max_length=6)]


class PassCard(Command, frozen=True):
    """Play a card and use neither Character (REV-026)."""

    card_id: CardId


class UseAmbassador(Command, frozen=True):
    """Ambassador (REV-145, REV-146)."""

    move_marker: bool
    remove_unrest_in: Key | None = None


class FoundColony(Command, frozen=True):
    """Conqueror: *removals* are the founder's own (REV-150)."""

    territory: Key
    removals: Placements = ()


class Explore(Command, frozen=True):
    """Explorer: name an unexplored Territory (REV-160)."""

    territory: Key


class BuyExploration(Command, frozen=True):
    """Pay for the shortfall, or give the exploration up (REV-162)."""

    pay: bool


class SettleExploration(Command, frozen=True):
    """Trading post and Adventurers in the Territory just explored (REV-164, REV-165)."""

    trading_post: Key | None = None
    adventurers: Placements = ()


class TakeLoan(Command, frozen=True):
    """Financier (REV-175)."""


class FoundCity(Command, frozen=True):
    """Governor (REV-185)."""

    territory: Key
    value: Annotated[int, Meta(ge=1, le=10)]


class PlaceMission(Command, frozen=True):
    """Missionary (REV-200)."""

    territory: Key


class ShipGoods(Command, frozen=True):
    """Merchant: own Goods, and Goods asked of others (REV-205)."""

    own_spaces: Spaces
    requests: Spaces = ()
    ship_slaves: bool = False
    counterattack: bool = True


class AnswerGoodsRequest(Command, frozen=True):
    """A seller grants some of the Goods asked of him (REV-209)."""

    sealed = True
    accepted: Spaces


class ConfirmShipment(Command, frozen=True):
    """The Merchant chooses among the Goods granted (REV-209)."""

    foreign_spaces: Spaces


class AttackMerchant(Command, frozen=True):
    """An owner of Privateers attacks the shipment (REV-220)."""

    privateers: Annotated[int, Meta(ge=0, le=99)]


class AdvanceProgress(Command, frozen=True):
    """Scientist (REV-230)."""

    track: Track


class SellGoods(Command, frozen=True):
    """Trader: own Goods, and Goods of others that he would move (REV-235)."""

    own: Amount
    requests: SeatCounts = ()


class AnswerTradeRequest(Command, frozen=True):
    """An owner lets at most so many of his Goods be moved (REV-238)."""

    sealed = True
    accepted: Amount


class ConfirmTrade(Command, frozen=True):
    """The Trader chooses among the Goods granted (REV-237)."""

    goods: SeatCounts


class SendCounters(Command, frozen=True):
    """Viceroy: Treasury to spaces of one Territory (REV-246)."""

    territory: Key
    placements: Placements


class RecallCounters(Command, frozen=True):
    """Viceroy: counters of one Territory back to the Treasury (REV-250)."""

    territory: Key
    removals: Placements


class PlaceUnrest(Command, frozen=True):
    """Rebel: one Unrest in each of two Territories (REV-262)."""

    territories: Annotated[tuple[Key, ...], Meta(min_length=1, max_length=2)]


class SparkRebellion(Command, frozen=True):
    """Rebel: a Rebellion in a Territory or in another player's Colony (REV-266, REV-275)."""

    territory: Key


class AllotLosses(Command, frozen=True):
    """The Rebel's player allots the losses to counters (REV-268)."""

    losses: Annotated[tuple[Loss, ...], Meta(max_length=32)]


class AvertLosses(Command, frozen=True):
    """A victim pays to save counters (REV-269)."""

    saved: Placements


class EnterAfterRebellion(Command, frozen=True):
    """The Rebel's player moves one Treasury into the lost Colony, or not (REV-277)."""

    space: Key | None = None


class DeclareWar(Command, frozen=True):
    """Sovereign (REV-301)."""

    target: SeatNumber


class FightPrivateers(Command, frozen=True):
    """Sovereign: war against the Privateers in his own box (REV-375)."""

    sink_order: Annotated[tuple[SeatNumber, ...], Meta(max_length=6)] = ()


class OfferAlliance(Command, frozen=True):
    """A principal offers a sum to whoever becomes his Ally (REV-304)."""

    amount: Amount


class ChooseAlliance(Command, frozen=True):
    """Everybody else chooses a side in secret (REV-305)."""

    sealed = True
    side: Choice


class AcceptAlly(Command, frozen=True):
    """A principal accepts one of his volunteers, or none (REV-307)."""

    ally: SeatNumber | None = None


class FightYear(Command, frozen=True):
    """The house fights the year of war: land battles, then the sea (REV-315)."""

    house: ClassVar[bool] = True


class SendExpedition(Command, frozen=True):
    """Military expedition to an enemy Colony, or none (REV-325)."""

    territory: Key | None = None
    placements: Placements = ()


class DecideWar(Command, frozen=True):
    """After a year of war: go on, or give up (Ally) and surrender (principal) (REV-335)."""

    go_on: bool


class BuyNavyStep(Command, frozen=True):
    """Escalation, part A (REV-361)."""

    buy: bool


class BuyEscalationSquadrons(Command, frozen=True):
    """Escalation, part B (REV-363)."""

    count: Amount


class TakeEmergencyLoan(Command, frozen=True):
    """Escalation: once, before the purchase (REV-366)."""


class BuildMerchantFleets(Command, frozen=True):
    """Phase 2 (REV-030)."""

    count: Amount


class BuildSquadrons(Command, frozen=True):
    """Phase 4 (REV-042)."""

    count: Amount


class CommissionPrivateers(Command, frozen=True):
    """Phase 5 (REV-045)."""

    placements: Annotated[tuple[VictimCount, ...], Meta(max_length=5)]


class SetAsideCard(Command, frozen=True):
    """Phase 7: the card that is barred next turn (REV-055)."""

    sealed = True
    card_id: CardId


class RepayLoan(Command, frozen=True):
    """At any time (REV-176)."""

    amount: Positive
