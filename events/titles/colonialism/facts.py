"""What happens, in the rulebook's words, with all random outcomes.

Ships, regions, sea zones, cards and colours stand as their ids, players as seat numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from events.fact import Fact
from events.titles.colonialism.options import Options
from events.titles.colonialism.shapes import (
    CubeCounts,
    Exchange,
    Removal,
    Resolution,
    SeatCards,
    SeatRegionCount,
    TileInUse,
)
from events.titles.colonialism.state import Faction, Standing

Secrets = Mapping[str, tuple[str, ...]]


# --- preparations ------------------------------------------------------------------------------


class GameBegan(Fact, frozen=True):
    """The players' colours by seat, and the options."""

    colors: tuple[str, ...]
    options: Options


class RegionOrderDetermined(Fact, frozen=True):
    """The order tiles of a segment (CSM-018, CSM-030)."""

    order: tuple[str, ...]
    turn: int
    segment: int


class RegionLimitTilesPlaced(Fact, frozen=True):
    """The limit tiles of the actual player count (CSM-031)."""

    tiles: tuple[TileInUse, ...]


class ResourcesDrawn(Fact, frozen=True):
    """Cubes drawn from the bag for a region; *cause* is setup, segment or end_of_turn."""

    region: str
    black: int
    brown: int
    yellow: int
    cause: str


class NativesRolled(Fact, frozen=True):
    """Dice for the natives of a region; *cause* is setup or end_of_turn."""

    region: str
    dice: tuple[int, ...]
    placed: int
    cause: str


class NativeAdded(Fact, frozen=True):
    """A native for an empty region between the segments of a turn (CSM-209)."""

    region: str
    placed: int
    cause: str


class TurnOrderRolled(Fact, frozen=True):
    """The dice for the choice of rows, by seat, and the order of choosing (CSM-037).

    The first of the *rounds* holds everybody's dice, further ones those of the tied who roll again.
    """

    rounds: tuple[dict[int, tuple[int, ...]], ...]
    order: tuple[int, ...]


class TurnOrderChoiceOpened(Fact, frozen=True):
    """Who chooses rows in which order; *collected* is by seat, this turn's cubes."""

    order: tuple[int, ...]
    collected: tuple[int, ...]


class TurnOrderPositionChosen(Fact, frozen=True):
    """A row is taken; *automatic* where only one was left (CSM-047)."""

    seat: int
    row: int
    automatic: bool


class EconomicInterestCardsDealt(Fact, frozen=True):
    """A player's economic interest cards (CSM-040)."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: int
    cards: tuple[str, ...]


class UndealtEconomicInterestSetAside(Fact, frozen=True):
    """The economic interest cards that nobody sees (CSM-040)."""

    secrets: ClassVar[Secrets] = {"cards": ()}
    count: int
    cards: tuple[str, ...]


class InfluenceDeckShuffled(Fact, frozen=True):
    """A player's full deck stands ready; its order exists for nobody (CSM-262)."""

    seat: int
    count: int


class StartingCardsDrawn(Fact, frozen=True):
    """The starting cards: twelve to choose from, or the hand of six (CSM-041, CSM-043)."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: int
    count: int
    cards: tuple[str, ...]


class StartingHandKept(Fact, frozen=True):
    """A sealed choice of the starting hand (CSM-042)."""

    secrets: ClassVar[Secrets] = {"kept": ("seat",), "discarded": ("seat",)}
    seat: int
    kept: tuple[str, ...]
    discarded: tuple[str, ...]


class StartingDiscardsRevealed(Fact, frozen=True):
    """The first discards of every player (CSM-042, CSM-043)."""

    discards: tuple[SeatCards, ...]


class ShipPlaced(Fact, frozen=True):
    """A ship enters the board, fresh (CSM-044)."""

    seat: int
    ship: str
    sea_zone: str


# --- action rounds -----------------------------------------------------------------------------


class ActionRoundStarted(Fact, frozen=True):
    """An action round, 1 to 4, begins."""

    turn: int
    round: int


class ActionRoundEnded(Fact, frozen=True):
    """Everybody has taken three actions; all ships become fresh (CSM-062)."""

    turn: int
    round: int


class ActionCompleted(Fact, frozen=True):
    """A player's action, 1 to 3, is done; *next* acts then, None after the last of the round (CSM-052)."""

    seat: int
    action_number: int
    next: int | None


class InfluenceCardDrawn(Fact, frozen=True):
    """A card joins the hand (CSM-053)."""

    secrets: ClassVar[Secrets] = {"card": ("seat",)}
    seat: int
    card: str
    deck_size: int


class DiscardPileReshuffled(Fact, frozen=True):
    """The discard pile has become the deck (CSM-022)."""

    seat: int
    count: int


class ShipMoved(Fact, frozen=True):
    """A ship changes its sea zone (CSM-056)."""

    seat: int
    ship: str
    from_: str = msgspec.field(name="from")
    to: str


class ShipUsed(Fact, frozen=True):
    """A fresh ship is laid on its side (CSM-014)."""

    seat: int
    ship: str
    sea_zone: str


class RegionExplored(Fact, frozen=True):
    """One disc from the reserve enters a region (CSM-057)."""

    seat: int
    region: str


class InfluenceDiscsWithdrawn(Fact, frozen=True):
    """Discs go back to the reserve (CSM-058)."""

    seat: int
    region: str
    count: int


class PolicyCardPlayed(Fact, frozen=True):
    """A policy card at a region: a player's first there face-down, further ones face-up (CSM-077).

    *shown* is the card as it lies: its name, or None on its face-down back (CSM-079).
    """

    secrets: ClassVar[Secrets] = {"card": ("known_to",)}
    seat: int
    region: str
    ship: str
    position: int
    face_up: bool
    card: str
    shown: str | None
    known_to: tuple[int, ...]


class ActionCardPlayed(Fact, frozen=True):
    """An action card, its region or regions, the ship used or None, the faction aimed at or None."""

    seat: int
    card: str
    regions: tuple[str, ...]
    ship: str | None
    target: Faction | None


class DieRolled(Fact, frozen=True):
    """The die of an action card."""

    seat: int
    purpose: str
    face: int


class InfluenceAdded(Fact, frozen=True):
    """Discs of a faction enter a region: as many as wanted, or as there are (CSM-011)."""

    faction: Faction
    region: str
    wanted: int
    placed: int
    cause: str


class MercenariesRecruited(Fact, frozen=True):
    """Mercenaries join a player's influence (CSM-093)."""

    seat: int
    region: str
    wanted: int
    placed: int


class LossChoiceOpened(Fact, frozen=True):
    """An owner of discs and mercenaries has to split a loss (CSM-105)."""

    seat: int
    region: str
    loss: int
    own_discs: int
    mercenaries: int
    cause: str


class MercenaryLossesChosen(Fact, frozen=True):
    """How an owner split his loss; InfluenceRemoved carries it out."""

    seat: int
    region: str
    mercenaries: int
    own_discs: int


class InfluenceRemoved(Fact, frozen=True):
    """A faction loses influence; *own_discs* are natives where the faction is the natives."""

    faction: Faction
    region: str
    own_discs: int
    mercenaries: int
    cause: str


class ResourcesExchanged(Fact, frozen=True):
    """Trade: one cube of each region changes places (CSM-102)."""

    seat: int
    region_a: str
    color_a: str
    region_b: str
    color_b: str


class ActionCardDiscarded(Fact, frozen=True):
    """The action card has been carried out in full (CSM-075)."""

    seat: int
    card: str


# --- colonization ------------------------------------------------------------------------------


class ColonizationPhaseStarted(Fact, frozen=True):
    """The regions will be checked in this order (CSM-120)."""

    turn: int
    segment: int
    region_order: tuple[str, ...]


class RegionColonizationChecked(Fact, frozen=True):
    """Whether colonization actions take place in a region, and why (CSM-121)."""

    region: str
    policy_cards_in_play: int
    limit_check_failed: bool
    colonization_required: bool


class PolicyCardsRevealed(Fact, frozen=True):
    """All policy cards at the region, by player (CSM-125)."""

    region: str
    cards: tuple[SeatCards, ...]


class PolicyCardsResolved(Fact, frozen=True):
    """One step of policy cards; places the discs, except that Unrest's removals follow (CSM-126..129)."""

    region: str
    step: str
    results: tuple[Resolution, ...]


class ConflictResolved(Fact, frozen=True):
    """A whole conflict in figures, by faction; InfluenceRemoved carries it out (CSM-171)."""

    region: str
    limit: int
    before: dict[Faction, int]
    after: dict[Faction, int]
    removals: tuple[Removal, ...]
    ended_by: str


class CollectionStarted(Fact, frozen=True):
    """The collectors of a region in order (CSM-191)."""

    region: str
    order: tuple[int, ...]
    cubes: CubeCounts
    cause: str


class ResourceColorCollected(Fact, frozen=True):
    """A collector takes all cubes of a colour (CSM-192)."""

    seat: int
    region: str
    color: str
    count: int
    automatic: bool


class CollectionEnded(Fact, frozen=True):
    """No cube is left in the region."""

    region: str


class PolicyCardsDiscarded(Fact, frozen=True):
    """The resolved policy cards go to their owners' discard piles (CSM-133)."""

    region: str
    cards: tuple[SeatCards, ...]


class RegionColonizationEnded(Fact, frozen=True):
    """The region's colonization actions are done."""

    region: str


class InfluenceCardKept(Fact, frozen=True):
    """A sealed choice of the one card to keep (CSM-201)."""

    secrets: ClassVar[Secrets] = {"kept": ("seat",), "discarded": ("seat",)}
    seat: int
    kept: str
    discarded: tuple[str, ...]


class InfluenceCardsDiscarded(Fact, frozen=True):
    """The discards of all who had to choose (CSM-201)."""

    discards: tuple[SeatCards, ...]


class HandRefilled(Fact, frozen=True):
    """Cards drawn up to the hand size (CSM-202)."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: int
    count: int
    cards: tuple[str, ...]


class MercenariesRemoved(Fact, frozen=True):
    """All mercenaries return to the supply (CSM-204)."""

    removed: tuple[SeatRegionCount, ...]


class ExcessInfluenceRemoved(Fact, frozen=True):
    """A sole colonial power returns its surplus (CSM-205)."""

    seat: int
    region: str
    count: int


class GamePhaseAdvanced(Fact, frozen=True):
    """The phase token moves on."""

    turn: int
    phase: str


class GameTurnEnded(Fact, frozen=True):
    """The next turn and its first phase; this turn's tallies restart (CSM-222)."""

    turn: int
    phase: str


# --- scoring -----------------------------------------------------------------------------------


class EconomicInterestRevealed(Fact, frozen=True):
    """A player's economic interests, and for each the colour it paid or None (CSM-240, CSM-241)."""

    seat: int
    cards: tuple[str, ...]
    paid: tuple[str | None, ...]


class ResourcesConverted(Fact, frozen=True):
    """A player's cubes with bonus, the conversions made, and what remains (CSM-245)."""

    seat: int
    before: CubeCounts
    conversions: tuple[Exchange, ...]
    after: CubeCounts


class GameEnded(Fact, frozen=True):
    """The result, by seat (CSM-247)."""

    standings: tuple[Standing, ...]
    winners: tuple[int, ...]
