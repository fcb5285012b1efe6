"""Commands that a seat can give, in the rulebook's words. The acting seat is never a field."""

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
    """Use the Ambassador: move right on Diplomacy, remove 1 Unrest (REV-145, REV-146)."""

    move_marker: bool
    remove_unrest_in: Key | None = None


class FoundColony(Command, frozen=True):
    """Use the Conqueror: found a Colony; *removals* are the founder's own counters (REV-150)."""

    territory: Key
    removals: Placements = ()


class Explore(Command, frozen=True):
    """Use the Explorer: name an unexplored Territory (REV-160)."""

    territory: Key


class BuyExploration(Command, frozen=True):
    """Pay for the shortfall, or give the exploration up (REV-162)."""

    pay: bool


class SettleExploration(Command, frozen=True):
    """Place a trading post and Adventurers in the Territory just explored (REV-164, REV-165)."""

    trading_post: Key | None = None
    adventurers: Placements = ()


class TakeLoan(Command, frozen=True):
    """Use the Financier: take a Loan (REV-175)."""


class FoundCity(Command, frozen=True):
    """Use the Governor: found the Booming City (REV-185)."""

    territory: Key
    value: Annotated[int, Meta(ge=1, le=10)]


class PlaceMission(Command, frozen=True):
    """Use the Missionary: place a Mission (REV-200)."""

    territory: Key


class ShipGoods(Command, frozen=True):
    """Use the Merchant: ship own Goods, and Goods asked of others (REV-205)."""

    own_spaces: Spaces
    requests: Spaces = ()
    ship_slaves: bool = False


class AnswerGoodsRequest(Command, frozen=True):
    """Grant some of the Goods that the Merchant asks of the seat (REV-209)."""

    sealed = True
    accepted: Spaces


class ConfirmShipment(Command, frozen=True):
    """Choose as the Merchant among the Goods granted (REV-209)."""

    foreign_spaces: Spaces


class AttackMerchant(Command, frozen=True):
    """Attack the shipment as an owner of Privateers (REV-220)."""

    privateers: Annotated[int, Meta(ge=0, le=99)]


class ReplyToPrivateers(Command, frozen=True):
    """Strike back as the Merchant at the Privateers that have just attacked, or not (REV-224)."""

    strike: bool


class AdvanceProgress(Command, frozen=True):
    """Use the Scientist: advance on a Progress track (REV-230)."""

    track: Track


class SellGoods(Command, frozen=True):
    """Use the Trader: move own Goods, and ask to move Goods of others (REV-235)."""

    own: Amount
    requests: SeatCounts = ()


class AnswerTradeRequest(Command, frozen=True):
    """Let the Trader move at most so many of the seat's Goods (REV-238)."""

    sealed = True
    accepted: Amount


class ConfirmTrade(Command, frozen=True):
    """Choose as the Trader among the Goods granted (REV-237)."""

    goods: SeatCounts


class SendCounters(Command, frozen=True):
    """Use the Viceroy: send Treasury to spaces of one Territory (REV-246)."""

    territory: Key
    placements: Placements


class RecallCounters(Command, frozen=True):
    """Use the Viceroy: take counters of one Territory back to the Treasury (REV-250)."""

    territory: Key
    removals: Placements


class PlaceUnrest(Command, frozen=True):
    """Use the Rebel: place one Unrest in each of two Territories (REV-262)."""

    territories: Annotated[tuple[Key, ...], Meta(min_length=1, max_length=2)]


class SparkRebellion(Command, frozen=True):
    """Use the Rebel: spark a Rebellion in a Territory or another player's Colony (REV-266, REV-275)."""

    territory: Key


class AllotLosses(Command, frozen=True):
    """Allot the losses of a Rebellion to counters, as the Rebel's player (REV-268)."""

    losses: Annotated[tuple[Loss, ...], Meta(max_length=32)]


class AvertLosses(Command, frozen=True):
    """Pay to save counters, as a victim of a Rebellion (REV-269)."""

    saved: Placements


class EnterAfterRebellion(Command, frozen=True):
    """Move one Treasury into the lost Colony as the Rebel's player, or not (REV-277)."""

    space: Key | None = None


class DeclareWar(Command, frozen=True):
    """Use the Sovereign: declare war (REV-301)."""

    target: SeatNumber


class FightPrivateers(Command, frozen=True):
    """Use the Sovereign: fight the Privateers in the seat's own box (REV-375)."""


class SinkPrivateers(Command, frozen=True):
    """Choose after the roll whose Privateers are sunk (REV-376)."""

    sunk: SeatCounts


class OfferAlliance(Command, frozen=True):
    """Offer a sum to the player who becomes the principal's Ally (REV-304)."""

    amount: Amount


class ChooseAlliance(Command, frozen=True):
    """Choose a side in secret, as a seat that is no principal (REV-305)."""

    sealed = True
    side: Choice


class AcceptAlly(Command, frozen=True):
    """Accept one of the principal's volunteers as Ally, or none (REV-307)."""

    ally: SeatNumber | None = None


class FightYear(Command, frozen=True):
    """Fight the year of war: land battles, then the sea (REV-315). Only the server gives this command."""

    house: ClassVar[bool] = True


class ChooseCasualties(Command, frozen=True):
    """Choose as a principal which counters of the enemy fall in a battle on land (REV-317)."""

    sealed = True
    losses: Annotated[tuple[Loss, ...], Meta(max_length=32)]


class SendExpedition(Command, frozen=True):
    """Send a military expedition to an enemy Colony, or none (REV-325)."""

    territory: Key | None = None
    placements: Placements = ()


class DecideWar(Command, frozen=True):
    """Decide after a year of war: go on, or give up (Ally) or surrender (principal) (REV-335)."""

    go_on: bool


class BuyNavyStep(Command, frozen=True):
    """Buy a Navy step in part A of the Escalation, or not (REV-361)."""

    buy: bool


class BuyEscalationSquadrons(Command, frozen=True):
    """Buy Squadrons in part B of the Escalation, or none (REV-363)."""

    count: Amount


class TakeEmergencyLoan(Command, frozen=True):
    """Take the Emergency Loan of the Escalation: once, before the purchase (REV-366)."""


class BuildMerchantFleets(Command, frozen=True):
    """Build Merchant Fleets in phase 2, or none (REV-030)."""

    count: Amount


class BuildSquadrons(Command, frozen=True):
    """Build Squadrons in phase 4, or none (REV-042)."""

    count: Amount


class CommissionPrivateers(Command, frozen=True):
    """Place Privateers in others' Merchant Fleet boxes in phase 5, or none (REV-045)."""

    placements: Annotated[tuple[VictimCount, ...], Meta(max_length=5)]


class SetAsideCard(Command, frozen=True):
    """Set aside in phase 7 the card that is barred next turn (REV-055)."""

    sealed = True
    card_id: CardId


class RepayLoan(Command, frozen=True):
    """Repay part of the Loan, at any time (REV-176)."""

    amount: Positive
