"""The view of a seat, or of a spectator (CSM-260 to CSM-262)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from events.rules.bounds import BySeat, Seats, limit_items, limit_number
from events.rules.fact import Seat
from events.titles.colonialism.data import CARD_IDS, COLORS, GAME, INTEREST_IDS, REGION_IDS, TILES
from events.titles.colonialism.derived import (
    action_round,
    active_seat,
    due_bounds,
    free_rows,
    has_chosen,
    list_offered,
    placing_seat,
    segment,
    ship_id,
    turn_order,
)
from events.titles.colonialism.options import colors_of
from events.titles.colonialism.parts import (
    ActionCard,
    CubeCounts,
    Cubes,
    Loss,
    PolicyCard,
    Region,
    SeatNumber,
    Stage,
    Standing,
    StepName,
)
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.order import find_steps

Natives = Annotated[int, limit_number(0, GAME.pieces.natives)]
Mercenaries = Annotated[int, limit_number(0, GAME.pieces.mercenaries)]
Discs = Annotated[int, limit_number(0, GAME.pieces.discs)]
Row = Annotated[int, limit_number(0, GAME.track.rows)]
Cards = Annotated[tuple[str, ...], limit_items(len(CARD_IDS), each=1)]
CardCount = Annotated[int, limit_number(0, len(CARD_IDS))]


class PolicyCardView(msgspec.Struct, frozen=True):
    """A policy card in play."""

    card: str | None
    """None for another player's face-down card (CSM-079)."""
    face_up: bool


class RegionView(msgspec.Struct, frozen=True):
    """The contents of a region; lists are by seat."""

    value: Annotated[int, limit_number(0, max(tile.value for tile in TILES))]
    limit: Annotated[int, limit_number(0, max(tile.limit for tile in TILES))]
    cubes: CubeCounts
    natives: Natives
    discs: BySeat[Discs]
    mercenaries: BySeat[Mercenaries]
    policy: BySeat[Annotated[tuple[PolicyCardView, ...], limit_items(len(CARD_IDS))]]


class ShipView(msgspec.Struct, frozen=True):
    """A ship on the board."""

    ship: str
    """Such as ``blue_ship_1``."""
    sea_zone: str
    fresh: bool


class PlayerView(msgspec.Struct, frozen=True):
    """A player; what only that player knows is absent for everybody else."""

    color: str
    reserve: Discs
    ships: Annotated[tuple[ShipView, ...], limit_items(GAME.pieces.ships)]
    collected: CubeCounts
    collected_this_turn: Annotated[int, limit_number(0, GAME.pieces.cubes_per_color * len(COLORS))]
    hand_size: CardCount
    deck_size: CardCount
    discards: Cards
    interest_count: Annotated[int, limit_number(0, GAME.cards.interests)]
    has_chosen: bool
    """True if the player's sealed answer is given."""
    known_held: Cards
    """Cards that everybody knows to be in the hand or face-down."""
    hand: Cards | UnsetType = UNSET
    """Theirs alone."""
    kept: Cards | UnsetType | None = UNSET
    """Theirs alone: the sealed answer, None before it is given."""
    interests: Annotated[tuple[str, ...], limit_items(GAME.cards.interests, each=1)] | UnsetType = UNSET
    """Theirs alone until they are shown."""


class LossView(Loss, frozen=True):
    """A loss that its owner has to split, and the bounds of the split (CSM-105)."""

    fewest_mercenaries: Mercenaries
    most_mercenaries: Mercenaries


class CollectionView(msgspec.Struct, frozen=True):
    """A collection of resources under way."""

    region: str
    order: BySeat[SeatNumber]
    picks: Annotated[int, limit_number(0, GAME.pieces.cubes_per_color * len(COLORS))]
    offered: Annotated[tuple[str, ...], limit_items(len(COLORS), each=1)]
    """The colours that still lie there."""


class ColonizationView(msgspec.Struct, frozen=True):
    """The state of the colonization phase."""

    region: str
    stage: Stage


class View(msgspec.Struct, frozen=True):
    """Everything public, and what one seat alone knows; lists are by seat unless said otherwise."""

    step: StepName
    turn: Annotated[int, limit_number(1, GAME.track.turns)]
    segment: Annotated[int, limit_number(1, 2)]
    phase: str
    round: Annotated[int, limit_number(1, GAME.track.rows)] | None
    """1 to 4 in an action round."""
    active: Seat | None
    """The seat whose action it is."""
    placing: Seat | None
    """The seat that places the next ship at set-up."""
    choice: str
    """The kind of decision that is due, "" when the game has ended."""
    free_rows: Annotated[tuple[Row, ...], limit_items(GAME.track.rows)]
    """Rows of the turn order that can still be chosen, while they are."""
    you: Seat | None
    colors: Annotated[BySeat[str], limit_items(len(GAME.colors), each=1)]
    quick_start_hands: bool
    turn_order: Seats
    """Seats in turn order; empty before the first rows are chosen."""
    rows: BySeat[Row]
    actions_taken: BySeat[Annotated[int, limit_number(0, GAME.track.actions)]]
    choosers: Seats
    """Seats in the order in which they choose a row."""
    chosen_rows: BySeat[Row]
    """Rows chosen in this step, 0 for none."""
    region_order: Annotated[tuple[str, ...], limit_items(len(REGION_IDS), each=1)]
    regions: dict[str, RegionView]
    bag: CubeCounts
    native_supply: Natives
    mercenary_supply: Mercenaries
    players: BySeat[PlayerView]
    undealt_interests: Annotated[int, limit_number(0, len(INTEREST_IDS))]
    """The number of economic interest cards that nobody sees."""
    action_card: ActionCard | None
    losses: Annotated[tuple[LossView, ...], limit_items(99)]
    """Choices of losses that are due, the first of them now."""
    collection: CollectionView | None
    colonization: ColonizationView | None
    standings: BySeat[Standing]


def view(state: State, seat: int | None) -> View:
    """Return everything public, and what this seat alone knows."""
    choice = next((step.kind for step in find_steps(state)), "")
    return View(
        step=state.step,
        turn=state.turn,
        segment=segment(state),
        phase=state.phase,
        round=action_round(state) if state.phase.startswith("action_round") else None,
        active=active_seat(state) if state.step == "action_round" else None,
        placing=placing_seat(state) if state.step == "setup_ships" else None,
        choice=choice,
        free_rows=free_rows(state) if choice == "turn_order_position" else (),
        you=seat,
        colors=_colors(state),
        quick_start_hands=state.options.quick_start_hands,
        turn_order=turn_order(state) if any(state.rows) else (),
        rows=state.rows,
        actions_taken=state.actions_taken,
        choosers=state.choosers,
        chosen_rows=state.chosen_rows,
        region_order=state.region_order,
        regions={key: _region(at, seat) for key, at in _list_laid_out(state)},
        bag=_cubes(state.bag),
        native_supply=state.native_supply,
        mercenary_supply=state.mercenary_supply,
        players=tuple(_player(state, other, seat) for other in range(state.seats)),
        undealt_interests=len(state.undealt_interests),
        action_card=state.action_card,
        losses=tuple(_loss(state, loss) for loss in state.losses),
        collection=_collection(state),
        colonization=_colonization(state),
        standings=state.standings,
    )


def _list_laid_out(state: State) -> Iterable[tuple[str, Region]]:
    """Return the regions by their ids; none at the very first events, before their tiles lie on the board."""
    return zip(REGION_IDS, state.regions, strict=True) if state.regions else ()


def _cubes(cubes: Cubes) -> CubeCounts:
    black, brown, yellow = cubes
    return CubeCounts(black=black, brown=brown, yellow=yellow)


def _region(at: Region, seat: int | None) -> RegionView:
    return RegionView(
        value=at.value,
        limit=at.limit,
        cubes=_cubes(at.cubes),
        natives=at.natives,
        discs=at.discs,
        mercenaries=at.mercenaries,
        policy=tuple(
            tuple(_policy_card(policy, mine=owner == seat) for policy in stack)
            for owner, stack in enumerate(at.policy)
        ),
    )


def _policy_card(policy: PolicyCard, *, mine: bool) -> PolicyCardView:
    return PolicyCardView(card=policy.card if policy.face_up or mine else None, face_up=policy.face_up)


def _colors(state: State) -> tuple[str, ...]:
    """Return the colours of the seats, also before the first fact tells them."""
    return state.colors or colors_of(state.seats, state.options)


def _player(state: State, other: int, seat: int | None) -> PlayerView:
    mine = other == seat
    return PlayerView(
        color=_colors(state)[other],
        reserve=state.reserve[other],
        ships=tuple(
            ShipView(ship=ship_id(state, other, number), sea_zone=ship.sea_zone, fresh=ship.fresh)
            for number, ship in enumerate(state.ships[other])
        ),
        collected=_cubes(state.collected[other]),
        collected_this_turn=state.collected_this_turn[other],
        hand_size=len(state.hands[other]),
        deck_size=len(state.decks[other]),
        discards=state.discards[other],
        interest_count=len(state.interests[other]),
        has_chosen=has_chosen(state, other),
        known_held=state.known_held[other],
        hand=state.hands[other] if mine else UNSET,
        kept=state.kept[other] if mine else UNSET,
        interests=state.interests[other] if mine or state.interests_shown[other] else UNSET,
    )


def _loss(state: State, loss: Loss) -> LossView:
    fewest, most = due_bounds(state, loss)
    return LossView(loss.seat, loss.region, loss.loss, loss.cause, fewest, most)


def _collection(state: State) -> CollectionView | None:
    collection = state.collection
    if collection is None:
        return None
    return CollectionView(collection.region, collection.order, collection.picks, list_offered(state))


def _colonization(state: State) -> ColonizationView | None:
    cursor = state.colonization
    return None if cursor is None else ColonizationView(state.region_order[cursor.index], cursor.stage)
