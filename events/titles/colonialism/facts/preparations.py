"""Preparations, and what is new in each segment: order, cubes, natives, rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from events.rules.draw_binding import accept_any_draw, bind_deal, bind_each, bind_unless_chosen, dice
from events.rules.fact import NOBODY, Fact, Who
from events.rules.kit.values import put, remove_each
from events.rules.kit.words import format_count, format_list
from events.titles.colonialism.data import (
    CARD_IDS,
    COLORS,
    D3,
    INTEREST_IDS,
    NAMES,
    PIECES,
    REGION_IDS,
)
from events.titles.colonialism.derived import region
from events.titles.colonialism.knowledge import discard_chosen
from events.titles.colonialism.options import Options
from events.titles.colonialism.parts import NO_CUBES, Region, SeatCards, Ship, TileInUse
from events.titles.colonialism.state import (
    State,
    add_natives,
    discard_cards,
    draw_into_hand,
    regions_with,
    take_from_deck,
)
from events.titles.colonialism.words import DRAWS_CARDS, Data, cubes_named, format_by_seat, format_dice, says


class GameBegan(Fact, frozen=True):
    """The players' colours by seat, and the options.

    Pieces are handed out; every card is still in its owner's deck (CSM-032, CSM-035, CSM-036).
    """

    colors: tuple[str, ...]
    options: Options

    def fold(self, state: State) -> State:
        seats = len(self.colors)
        return replace(
            state,
            options=self.options,
            colors=self.colors,
            bag=(PIECES.cubes_per_color,) * len(COLORS),
            native_supply=PIECES.natives,
            mercenary_supply=PIECES.mercenaries,
            reserve=(PIECES.discs,) * seats,
            decks=(CARD_IDS,) * seats,
            undealt_interests=INTEREST_IDS,
        )

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        players = format_list(who(seat) for seat in range(len(data["colors"])))
        variant = " with quick starting hands" if data["options"]["quick_start_hands"] else ""
        return f"The game begins{variant}: {players}."


class RegionOrderDetermined(Fact, frozen=True):
    """The order tiles of a segment (CSM-018, CSM-030)."""

    drawn: ClassVar = {"order": bind_deal(REGION_IDS)}
    order: tuple[str, ...]
    turn: int
    segment: int
    tell = says("Region order for turn {turn}, segment {segment}: {order:names}.")

    def fold(self, state: State) -> State:
        return replace(state, region_order=self.order)


class RegionLimitTilesPlaced(Fact, frozen=True):
    """The limit tiles of the actual player count (CSM-031)."""

    tiles: tuple[TileInUse, ...]

    def fold(self, state: State) -> State:
        """Nothing else lies on the regions yet."""
        zeros, none = (0,) * state.seats, ((),) * state.seats
        tiles = {t.region: t for t in self.tiles}
        regions = tuple(
            Region(tiles[key].value, tiles[key].limit, NO_CUBES, 0, zeros, zeros, none) for key in REGION_IDS
        )
        return replace(state, regions=regions)

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        tiles = format_list(f"{NAMES[t['region']]} {t['limit']} (value {t['value']})" for t in data["tiles"])
        return f"Region limits are placed: {tiles}."


class ResourcesDrawn(Fact, frozen=True):
    """Cubes drawn from the bag for a region; *cause* is setup, segment or end_of_turn."""

    # Each cube is a draw of its own from what the bag still holds.
    drawn: ClassVar = {color: bind_each(accept_any_draw, range) for color in COLORS}
    region: str
    black: int
    brown: int
    yellow: int
    cause: str

    def fold(self, state: State) -> State:
        drawn = (self.black, self.brown, self.yellow)
        lying = tuple(map(int.__add__, region(state, self.region).cubes, drawn))
        return replace(
            state,
            bag=tuple(map(int.__sub__, state.bag, drawn)),
            regions=regions_with(state, self.region, cubes=lying),
        )

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        return f"{NAMES[data['region']]} receives {cubes_named(data)} from the bag."


class NativesRolled(Fact, frozen=True):
    """Dice for the natives of a region; *cause* is setup or end_of_turn."""

    drawn: ClassVar = {"dice": dice(D3)}
    region: str
    dice: tuple[int, ...]
    placed: int
    cause: str

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        natives, total = format_count(data["placed"], "native"), sum(data["dice"])
        short = f" of {total}, no more are left" if data["placed"] < total else ""
        return f"{NAMES[data['region']]} receives {natives} (dice {format_dice(data['dice'])}{short})."

    def fold(self, state: State) -> State:
        return add_natives(state, self.region, self.placed)


class NativeAdded(Fact, frozen=True):
    """A native for an empty region between the segments of a turn (CSM-209)."""

    region: str
    placed: int
    cause: str
    tell = says("{region:name}, without natives, receives {placed:natives}.")

    def fold(self, state: State) -> State:
        return add_natives(state, self.region, self.placed)


class TurnOrderRolled(Fact, frozen=True):
    """The dice for the choice of rows, by seat, and the order of choosing (CSM-037).

    The first of the *rounds* holds everybody's dice, further ones those of the tied who roll again.
    """

    drawn: ClassVar = {"rounds": bind_each(bind_each(dice(D3), dict.values))}
    rounds: tuple[dict[int, tuple[int, ...]], ...]
    order: tuple[int, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        rounds = [
            format_list(f"{who(int(seat))} {format_dice(dice)}" for seat, dice in rolls.items())
            for rolls in data["rounds"]
        ]
        order = format_list(map(who, data["order"]))
        return f"Dice for the turn order: {'; equal, so again: '.join(rounds)}. {order} choose in this order."


class TurnOrderChoiceOpened(Fact, frozen=True):
    """The order in which players choose rows; *collected* is by seat, this turn's cubes."""

    order: tuple[int, ...]
    collected: tuple[int, ...]

    def fold(self, state: State) -> State:
        step = "turn_order_choice" if any(state.rows) else "setup_turn_order"
        return replace(state, step=step, choosers=self.order)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        order = format_list(f"{who(seat)} ({data['collected'][seat]})" for seat in data["order"])
        return f"Rows of the turn order are chosen by {order}; in brackets the cubes collected this turn."


class TurnOrderPositionChosen(Fact, frozen=True):
    """A row is taken; *automatic* where only one was left (CSM-047)."""

    seat: int
    row: int
    automatic: bool

    def fold(self, state: State) -> State:
        """The old order counts until the last row is chosen (CSM-206)."""
        chosen = put(state.chosen_rows, self.seat, self.row)
        if all(chosen):
            return replace(state, rows=chosen, chosen_rows=(0,) * len(chosen), choosers=())
        return replace(state, chosen_rows=chosen)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        if data["automatic"]:
            return f"{who(data['seat'])} receives row {data['row']}, the last one left."
        return f"{who(data['seat'])} chooses row {data['row']} of the turn order."


class EconomicInterestCardsDealt(Fact, frozen=True):
    """A player's economic interest cards (CSM-040)."""

    secrets: ClassVar = {"cards": ("seat",)}
    seat: int
    cards: tuple[str, ...]
    tell = says("{seat:who} receives {cards:interests|three economic interest cards}.")

    def fold(self, state: State) -> State:
        return replace(
            state,
            interests=put(state.interests, self.seat, self.cards),
            undealt_interests=remove_each(state.undealt_interests, self.cards),
        )


class UndealtEconomicInterestSetAside(Fact, frozen=True):
    """The economic interest cards that nobody sees (CSM-040)."""

    secrets: ClassVar = {"cards": NOBODY}
    count: int
    cards: tuple[str, ...]
    tell = says("Economic interest cards put aside unseen: {count}.")


class InfluenceDeckShuffled(Fact, frozen=True):
    """A player's full deck stands ready; its order exists for nobody (CSM-262)."""

    seat: int
    count: int
    tell = says("{seat:who} shuffles a deck of {count} influence cards.")


class StartingCardsDrawn(Fact, frozen=True):
    """The starting cards: twelve to choose from, or the hand of six (CSM-041, CSM-043)."""

    secrets: ClassVar = {"cards": ("seat",)}
    seat: int
    count: int
    cards: tuple[str, ...]
    tell = DRAWS_CARDS

    def fold(self, state: State) -> State:
        step = "setup_ships" if state.options.quick_start_hands else "setup_starting_hands"
        return replace(draw_into_hand(state, self.seat, self.cards), step=step)


class StartingHandKept(Fact, frozen=True):
    """A sealed choice of the starting hand (CSM-042)."""

    secrets: ClassVar = {"kept": ("seat",), "discarded": ("seat",)}
    seat: int
    kept: tuple[str, ...]
    discarded: tuple[str, ...]
    tell = says("{seat:who} has chosen a starting hand{kept:these|}.")

    def fold(self, state: State) -> State:
        """The other cards stay with the hand until everybody has chosen (CSM-042)."""
        return replace(state, kept=put(state.kept, self.seat, self.kept))


def _discard_from_decks(state: State, discards: Sequence[SeatCards]) -> State:
    for mine in discards:
        state = discard_cards(take_from_deck(state, mine.seat, mine.cards), mine.seat, mine.cards)
    return state


class StartingDiscardsRevealed(Fact, frozen=True):
    """The first discards of every player, chosen or with quick starting hands drawn (CSM-042, CSM-043)."""

    discloses = True
    drawn: ClassVar = {
        "discards": bind_unless_chosen(
            bind_each(bind_deal(CARD_IDS), lambda discards: [mine["cards"] for mine in discards])
        )
    }
    discards: tuple[SeatCards, ...]

    def fold(self, state: State) -> State:
        """The hands are settled, ships come next."""
        take = _discard_from_decks if state.options.quick_start_hands else discard_chosen
        return replace(take(state, self.discards), step="setup_ships")

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"Discards are shown: {format_by_seat(data['discards'], who)}."


class ShipPlaced(Fact, frozen=True):
    """A ship enters the board, fresh (CSM-044)."""

    seat: int
    ship: str
    sea_zone: str
    tell = says("{seat:who} places {ship:ship} in {sea_zone:name}.")

    def fold(self, state: State) -> State:
        fleet = (*state.ships[self.seat], Ship(self.sea_zone))
        return replace(state, ships=put(state.ships, self.seat, fleet))
