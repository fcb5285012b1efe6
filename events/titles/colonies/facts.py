"""What happens in a game: its events, with their secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from events.fact import NOBODY, Fact, Seat
from events.titles.colonies.changes import Changes, Some
from events.titles.colonies.commands import Marker, Removal, ResolveEventEffect, Side, StepKind
from events.titles.colonies.options import Options
from events.titles.colonies.primitives import Colour, Technology
from events.titles.colonies.state import EffectName, Score, Vote

Secrets = Mapping[str, tuple[str, ...]]


# --- set-up ------------------------------------------------------------------------------------------


class GameBegan(Fact, frozen=True):
    """The table and its options."""

    player_count: int
    options: Options


class PlanetsDrawn(Fact, frozen=True):
    """The lots (CLN-009, CLN-154)."""

    planets: tuple[Colour, ...]
    """By seat."""
    neutral_planets: tuple[Colour, ...]
    player_order: tuple[Seat, ...]
    """Seats in clockwise order of their planets."""


class FingersCommitted(Fact, frozen=True):
    """A player shows fingers, covered (CLN-010)."""

    secrets: ClassVar[Secrets] = {"count": ("seat",)}
    seat: Seat
    count: int


class FingersRevealed(Fact, frozen=True):
    """All fingers of a round, by seat."""

    round: int
    counts: tuple[int, ...]


class FingerRoundRepeated(Fact, frozen=True):
    """No number was shown by exactly one player; *round* begins (CLN-012)."""

    round: int


class FirstPlayerDetermined(Fact, frozen=True):
    """Who begins (CLN-011, CLN-013)."""

    seat: Seat
    method: Literal["fingers", "random"]


class BoardPrepared(Fact, frozen=True):
    """The start of everything: the same number of Credits for everybody is known to all (CLN-020)."""

    marker: int
    """The value of every trade marker."""
    market: int
    """The resources on every market."""
    level: int
    """The level of every technology of every player."""
    stocks: tuple[Some, ...]
    credits: int


class EventCardsDealt(Fact, frozen=True):
    """The cards of one hand, in the order dealt (CLN-022)."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: Seat
    cards: tuple[str, ...]
    hand_size: int
    undealt_count: int


class DeckCardCommitted(Fact, frozen=True):
    """A player puts a card into the event deck; which one stays his secret (CLN-023)."""

    secrets: ClassVar[Secrets] = {"card": ("seat",)}
    seat: Seat
    card: str


class EventDeckBuilt(Fact, frozen=True):
    """The cards put in, completed at random (CLN-024, CLN-069)."""

    secrets: ClassVar[Secrets] = {"fillers": NOBODY}
    turn: int
    """0 at set-up."""
    size: int
    filler_count: int
    fillers: tuple[str, ...]


class EventCardRevealed(Fact, frozen=True):
    """The next event card (CLN-025, CLN-029)."""

    card: str
    for_turn: int
    deck_size_left: int


# --- income ------------------------------------------------------------------------------------------


class TurnBegan(Fact, frozen=True):
    """A turn begins."""

    turn: int
    first_player: Seat


class Production(msgspec.Struct, frozen=True):
    """What one player produces (CLN-032)."""

    seat: Seat
    colour: Colour
    export_total: int
    industry: int
    amount: int


class ResourcesProduced(Fact, frozen=True):
    """Every player's production."""

    production: tuple[Production, ...]


class ColonistChoiceCommitted(Fact, frozen=True):
    """A player decides how to receive his colonists, covered."""

    secrets: ClassVar[Secrets] = {"reject": ("seat",), "citizens": ("seat",)}
    seat: Seat
    reject: int
    citizens: int


class ColonistsReceived(Fact, frozen=True):
    """A player's arrivals (CLN-037)."""

    seat: Seat
    arrivals: int
    rejected: int
    citizens: int
    colonists_gained: int
    credits_gained: int


# --- event -------------------------------------------------------------------------------------------


class VoteCommitted(Fact, frozen=True):
    """A player has voted, covered (CLN-049)."""

    secrets: ClassVar[Secrets] = {"side": ("seat",), "resources": ("seat",)}
    seat: Seat
    side: Side
    resources: Some


class VotesRevealed(Fact, frozen=True):
    """All votes; the resources are spent (CLN-046)."""

    votes: tuple[Vote, ...]
    yes_sum: int
    no_sum: int


class VoteTied(Fact, frozen=True):
    """Equal sums: the first player decides (CLN-052)."""

    seat: Seat


class TiedVoteDecided(Fact, frozen=True):
    """The first player's decision."""

    seat: Seat
    side: Side


class MotionCarried(Fact, frozen=True):
    """Which motion is carried, and the top yes voters or the players with fewest votes, in player order."""

    side: Side
    affected: tuple[Seat, ...]


class EventRewardChosen(Fact, frozen=True):
    """A winner takes the effect or the Credits (CLN-055)."""

    seat: Seat
    choice: Literal["effect", "credits"]
    credits_gained: int


class EventEffectApplied(Fact, frozen=True):
    """One primitive carried out on one player, with its exact changes."""

    seat: Seat
    effect: EffectName
    primitive_index: int
    op: str
    choice: ResolveEventEffect | None
    """The player's answer; None where nothing was asked."""
    changes: Changes
    last: bool
    """Whether the effect on this player is complete with it."""


class EventCardResolved(Fact, frozen=True):
    """The card is put aside (CLN-066)."""

    card: str


# --- actions -----------------------------------------------------------------------------------------


class ActionPhaseStarted(Fact, frozen=True):
    """Three rounds of actions begin."""

    turn: int
    order: tuple[Seat, ...]


class RefugeProvided(Fact, frozen=True):
    """A Community action (CLN-093)."""

    seat: Seat
    round: int
    removals: tuple[Removal, ...]
    resources_gained: Some
    to_stock: int
    to_supply: int


class PiratesHunted(Fact, frozen=True):
    """A Military action (CLN-098)."""

    seat: Seat
    round: int
    removals: tuple[Removal, ...]
    credits_received: tuple[int, ...]
    """By seat, from each opponent."""


class Sale(msgspec.Struct, frozen=True):
    """One resource sold, and the shelf it went to."""

    colour: Colour
    shelf: str
    price: int


class ResourcesSold(Fact, frozen=True):
    """A Commerce action (CLN-102)."""

    seat: Seat
    round: int
    sales: tuple[Sale, ...]
    total: int
    markets_after: Some


class StepTaken(msgspec.Struct, frozen=True):
    """One step on an agreement, its price, and both markers after it, seen from the active player."""

    partner: Colour
    kind: StepKind
    marker: Marker | None
    cost: int
    fee: int
    export_after: int
    import_after: int


class TradeAgreementsAdjusted(Fact, frozen=True):
    """An Influence action (CLN-106)."""

    seat: Seat
    round: int
    steps: tuple[StepTaken, ...]
    changes: Changes
    points_used: int


class ProductionPeaked(Fact, frozen=True):
    """An Industry action (CLN-117)."""

    seat: Seat
    round: int
    colour: Colour
    resources: int
    colonists: int


class Purchase(msgspec.Struct, frozen=True):
    """Resources of one colour bought for an upgrade, and the price of each."""

    colour: Colour
    prices: tuple[int, ...]


class TechnologyUpgraded(Fact, frozen=True):
    """A technology reaches its next level (CLN-119)."""

    seat: Seat
    round: int
    technology: Technology
    new_level: int
    paid_resources: Some
    """To the supply, bought ones included."""
    paid_colonists: int
    bought: tuple[Purchase, ...]
    credits_paid: int
    markets_after: Some


class ActionPassed(Fact, frozen=True):
    """An action forfeited (CLN-091)."""

    seat: Seat
    round: int


# --- upkeep ------------------------------------------------------------------------------------------


class PoliceCommitted(Fact, frozen=True):
    """A player decides how to police his sector, covered."""

    secrets: ClassVar[Secrets] = {"removals": ("seat",)}
    seat: Seat
    removals: tuple[Removal, ...]


class SectorPoliced(Fact, frozen=True):
    """Pirates removed from a player's own routes (CLN-130)."""

    seat: Seat
    removals: tuple[Removal, ...]


class FulfilmentCommitted(Fact, frozen=True):
    """A player decides on his substitutes, covered (CLN-143)."""

    secrets: ClassVar[Secrets] = {"substitutes": ("seat",)}
    seat: Seat
    substitutes: dict[Colour, Some]


class Delivery(msgspec.Struct, frozen=True):
    """What one planet gives another in one year."""

    payer: Colour
    partner: Colour
    own_resources: int
    substitutes: Some
    missing: int
    fees: int
    compensation: int
    intercepted: bool
    """Whether pirates took the resources to the markets (CLN-144)."""
    pirates_removed: int


class Income(msgspec.Struct, frozen=True):
    """What one player receives from his partners."""

    seat: Seat
    resources: Some
    credits: int


class TradeAgreementsFulfilled(Fact, frozen=True):
    """All deliveries of the year, payers in ring order, partners clockwise."""

    deliveries: tuple[Delivery, ...]
    markets_after: Some
    income: tuple[Income, ...]


class PiratesPlaced(Fact, frozen=True):
    """A player's colonists turn pirates (CLN-149)."""

    seat: Seat
    colonists_converted: int
    pirates_added: Some
    """By the source of the route."""


class TurnEnded(Fact, frozen=True):
    """The year is over."""

    turn: int


class FirstPlayerAdvanced(Fact, frozen=True):
    """The first-player card passes on (CLN-152)."""

    seat: Seat


class GameEnded(Fact, frozen=True):
    """The final scores, by seat (CLN-164)."""

    scores: tuple[Score, ...]
    winners: tuple[Seat, ...]


FACTS: tuple[type[Fact], ...] = (
    GameBegan,
    PlanetsDrawn,
    FingersCommitted,
    FingersRevealed,
    FingerRoundRepeated,
    FirstPlayerDetermined,
    BoardPrepared,
    EventCardsDealt,
    DeckCardCommitted,
    EventDeckBuilt,
    EventCardRevealed,
    TurnBegan,
    ResourcesProduced,
    ColonistChoiceCommitted,
    ColonistsReceived,
    VoteCommitted,
    VotesRevealed,
    VoteTied,
    TiedVoteDecided,
    MotionCarried,
    EventRewardChosen,
    EventEffectApplied,
    EventCardResolved,
    ActionPhaseStarted,
    RefugeProvided,
    PiratesHunted,
    ResourcesSold,
    TradeAgreementsAdjusted,
    ProductionPeaked,
    TechnologyUpgraded,
    ActionPassed,
    PoliceCommitted,
    SectorPoliced,
    FulfilmentCommitted,
    TradeAgreementsFulfilled,
    PiratesPlaced,
    TurnEnded,
    FirstPlayerAdvanced,
    GameEnded,
)
