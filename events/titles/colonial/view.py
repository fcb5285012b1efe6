"""The state as a seat may see it: all but the cards not yet revealed and a battle's first answer."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.rules.bounds import BySeat, Seats, limit_items, limit_number
from events.rules.fact import Seat
from events.rules.kit.overseas.piles import Pile, controller, monopolies_by_seat
from events.rules.kit.values import remove_present
from events.titles.colonial.data import CARDS, RULES, SPACES, TERRITORIES, WORLD
from events.titles.colonial.derived import (
    abolition,
    capacity_left,
    circumnavigation_required,
    colonies,
    controllers,
    count_askable,
    count_required_successes,
    is_explored,
    is_sea_open,
    list_shippable,
    loans_of,
    monopoly_counts,
    native_power,
    payments,
    ranking,
    seat_name,
    shipments_left,
    trader_capacity,
)
from events.titles.colonial.imagine import count_shown
from events.titles.colonial.options import Options, Variant
from events.titles.colonial.parts import Casualty, Count, Dice, Request, Spaces
from events.titles.colonial.state import (
    Battle,
    BoomingCity,
    Exploring,
    Loan,
    Phase,
    Rebelling,
    Selling,
    Shipping,
    State,
    War,
    find_revealed_card,
    list_acting,
    usable_characters,
)
from events.titles.colonial.steps.endeavour.sovereign import may_attack
from events.titles.colonial.steps.endeavour.war import sides

Cards = Annotated[tuple[str, ...], limit_items(len(CARDS) + 1, each=2)]
"""Each Nation has one card twice."""
Characters = Annotated[tuple[str, ...], limit_items(2 * RULES.rounds)]


class OwnView(msgspec.Struct, frozen=True):
    """The facts that only this seat knows of itself, and its limits now."""

    row: Cards
    """Empty before it is programmed."""
    set_aside: Cards
    usable_characters: Characters
    """Of the revealed card, in the Endeavour phase."""
    governor_payments: tuple[Count, Count] | None
    """The least and the most for a Booming City; None if none is possible."""
    circumnavigation_required: Annotated[int, limit_number(-99, 99)]
    may_attack: Seats


class PlayerView(msgspec.Struct, frozen=True):
    """The public state of a seat."""

    seat: Seat
    name: str
    colour: str
    nation: str | None
    treasury: Count
    fleets: Count
    squadrons: Count
    prestige: Annotated[int, limit_number(-99, 99)]
    market: Count
    """The seat's Goods on the Market."""
    loans: Annotated[tuple[Loan, ...], limit_items(999)]
    debt: Count
    seafaring: Annotated[int, limit_number(0, max(RULES.tracks["seafaring"]))]
    navy: Annotated[int, limit_number(0, max(RULES.tracks["navy"]))]
    logistics: Annotated[int, limit_number(0, max(RULES.tracks["logistics"]))]
    economy: Annotated[int, limit_number(0, max(RULES.tracks["economy"]))]
    diplomacy: Annotated[int, limit_number(1, WORLD.diplomacy_length)]
    """1 (leftmost) and up."""
    cards: Cards
    programme_submitted: bool
    revealed: Cards
    """The cards of this turn's row that are public."""
    card_of_round: str | None
    used_characters: Characters
    reached_six: bool
    monopolies: Annotated[tuple[str, ...], limit_items(len(SPACES), each=1)]
    """Ids of types of Resource, and of gold spaces."""
    monopoly_count: Annotated[int, limit_number(0, 99)]
    """With the bonus Monopolies of the Nation."""
    colonies: Annotated[int, limit_number(0, len(TERRITORIES))]
    trader_capacity: Count


class SpaceView(msgspec.Struct, frozen=True):
    """A Resource space."""

    id: str
    resource: str
    pile: Pile
    """Owners of the counters, bottom first."""
    controller: Seat | None


class TerritoryView(msgspec.Struct, frozen=True):
    """A Territory, and what lies there."""

    id: str
    prestige: Annotated[int, limit_number(0, 99)]
    explored: bool
    excluded: bool
    unrest: Count
    missions: Count
    colony: Seat | None
    independent: bool
    native_power: Count
    """In force: doubled in an Independent State."""
    required: Annotated[int, limit_number(-99, 99)] | None
    """The Successes that this seat needs to explore it; None if it is Explored, or for a spectator."""
    spaces: Annotated[tuple[SpaceView, ...], limit_items(max(len(place.spaces) for place in TERRITORIES))]


class ExplorerView(msgspec.Struct, frozen=True, tag_field="character", tag="explorer"):
    """An Explorer play in progress."""

    circumnavigation: bool
    """True if America was discovered before the play began."""
    territory: str | None
    step: Literal["roll", "second_roll", "settle", "circumnavigation"]


class MerchantView(msgspec.Struct, frozen=True, tag_field="character", tag="merchant"):
    """A Merchant play in progress."""

    shipped: Spaces
    refused: Spaces
    blocked: str | None
    """The Booming City's Territory, after pirates struck."""
    requests: BySeat[Request]
    shipments_left: Count
    shippable: Spaces


class TraderView(msgspec.Struct, frozen=True, tag_field="character", tag="trader"):
    """A Trader play in progress; amounts by seat."""

    moved: Count
    asked: BySeat[Count]
    refused: BySeat[Count]
    capacity_left: Count
    askable: BySeat[Count]


class RebelView(msgspec.Struct, frozen=True, tag_field="character", tag="rebel"):
    """A rebellion whose casualties are due."""

    territory: str
    from_others: Count
    from_self: Count
    casualties_due: Count


ActionView = ExplorerView | MerchantView | TraderView | RebelView
Casualties = Annotated[tuple[Casualty, ...], limit_items(999)]
Choices = tuple[Casualties | None, Casualties | None]


class BattleView(msgspec.Struct, frozen=True):
    """A land battle whose casualties are due; pairs are (attacker, defender)."""

    territory: str
    due: tuple[Count, Count]
    """The number of casualties that each side inflicts."""
    asked: tuple[bool, bool]
    """True for each side that has a real choice of casualties."""
    answered: tuple[bool, bool]
    chosen: Choices
    """The chosen casualties. While the enemy still chooses, a player sees only their own."""


class WarView(msgspec.Struct, frozen=True):
    """A war between exactly two players."""

    attacker: Seat
    defender: Seat
    year: Count
    step: Literal["fight", "casualties", "reroll", "surrender"]
    year_open: bool
    battles: Annotated[tuple[str, ...], limit_items(len(TERRITORIES), each=1)]
    """Territories still to be fought in this year."""
    battle: BattleView | None
    sea: tuple[Dice, Dice] | None
    deciding: Seat | None
    """The seat that decides about surrender."""


class View(msgspec.Struct, frozen=True):
    """A game as one seat sees it."""

    variant: Variant
    options: Options
    status: Literal["running", "finished"]
    winner: Seat | None
    ranking: Seats | None
    """From first to last place; None while the game runs."""
    phase: Phase
    turn: Annotated[int, limit_number(0, 99999)]
    round: Annotated[int, limit_number(0, RULES.rounds)]
    first_player: Seat
    active: Seat | None
    """The seat that acts in Endeavour, buys in a purchase phase, or decides about Flamboyance."""
    played: str | None
    """The Character used in the present round of the active player."""
    you: Seat | None
    own: OwnView | None
    """None for a spectator."""
    players: BySeat[PlayerView]
    territories: Annotated[tuple[TerritoryView, ...], limit_items(len(TERRITORIES))]
    booming_city: BoomingCity | None
    discovery_box: Annotated[int, limit_number(0, 99)]
    circumnavigation_box: Annotated[int, limit_number(0, 99)]
    circumnavigation_open: bool
    america_discovered: bool
    abolition: bool
    action: ActionView | None
    """The Character play in progress."""
    war: WarView | None


def view(state: State, seat: Seat | None) -> View:
    """All that this seat (None: a spectator) may know."""
    return View(
        variant=state.variant,
        options=state.options,
        status=state.status,
        winner=state.winner,
        ranking=ranking(state) if state.status == "finished" else None,
        phase=state.phase,
        turn=state.turn,
        round=state.round,
        first_player=state.first_player,
        active=state.active,
        played=state.played,
        you=seat,
        own=None if seat is None else _own(state, seat),
        players=_players(state),
        territories=tuple(_territory(state, number, seat) for number in range(len(TERRITORIES))),
        booming_city=state.booming_city,
        discovery_box=state.discovery_box,
        circumnavigation_box=state.circumnavigation_box,
        circumnavigation_open=is_sea_open(state),
        america_discovered=state.america_discovered,
        abolition=abolition(state),
        action=_action(state),
        war=None if state.war is None else _war(state.war, seat),
    )


def _own(state: State, seat: Seat) -> OwnView:
    row = state.programmes[seat]
    price = payments(state, seat)
    return OwnView(
        row=row,
        set_aside=remove_present(state.players[seat].cards, row) if row else (),
        usable_characters=usable_characters(state, seat) if state.phase == "endeavour" else (),
        governor_payments=(price[0], price[-1]) if price else None,
        circumnavigation_required=circumnavigation_required(state, seat),
        may_attack=tuple(other for other in range(state.seats) if may_attack(state, seat, other)),
    )


def _players(state: State) -> tuple[PlayerView, ...]:
    held = monopolies_by_seat(WORLD, controllers(state), state.seats)
    counts = monopoly_counts(state)
    return tuple(_player(state, seat, held[seat], counts[seat]) for seat in range(state.seats))


def _player(state: State, seat: Seat, monopolies: tuple[str, ...], count: int) -> PlayerView:
    player, row = state.players[seat], state.programmes[seat]
    return PlayerView(
        seat=seat,
        name=seat_name(state, seat),
        colour=player.colour,
        nation=player.nation,
        treasury=player.treasury,
        fleets=player.merchant_fleets,
        squadrons=player.squadrons,
        prestige=player.prestige,
        market=player.market,
        loans=player.loans,
        debt=loans_of(player),
        seafaring=player.seafaring,
        navy=player.navy,
        logistics=player.logistics,
        economy=player.economy,
        diplomacy=player.diplomacy,
        cards=player.cards,
        programme_submitted=bool(row),
        revealed=row[: count_shown(state)],
        card_of_round=find_revealed_card(state, seat) if count_shown(state) else None,
        used_characters=player.used_characters,
        reached_six=player.reached_six,
        monopolies=monopolies,
        monopoly_count=count,
        colonies=colonies(state, seat),
        trader_capacity=trader_capacity(state, seat),
    )


def _territory(state: State, number: int, seat: Seat | None) -> TerritoryView:
    place, land, known = TERRITORIES[number], state.lands[number], is_explored(state, number)
    return TerritoryView(
        id=place.id,
        prestige=land.prestige,
        explored=known,
        excluded=land.excluded,
        unrest=land.unrest,
        missions=land.missions,
        colony=land.colony,
        independent=land.independent,
        native_power=native_power(state, number),
        required=None if known or seat is None else count_required_successes(state, seat, number),
        spaces=tuple(_space(state, space) for space in place.spaces),
    )


def _space(state: State, number: int) -> SpaceView:
    space, pile = SPACES[number], state.piles[number]
    return SpaceView(id=space.id, resource=space.resource, pile=pile, controller=controller(pile))


def _action(state: State) -> ActionView | None:
    action = state.action
    if isinstance(action, Exploring):
        return ExplorerView(action.circumnavigation, action.territory, action.step)
    if isinstance(action, Shipping):
        return _merchant(state, action)
    if isinstance(action, Selling):
        return _trader(state, action)
    if isinstance(action, Rebelling):
        due = action.from_others + action.from_self
        return RebelView(action.territory, action.from_others, action.from_self, due)
    return None


def _merchant(state: State, action: Shipping) -> MerchantView:
    (shipper,) = list_acting(state)
    return MerchantView(
        shipped=action.shipped,
        refused=action.refused,
        blocked=action.blocked,
        requests=action.requests,
        shipments_left=shipments_left(state, shipper),
        shippable=tuple(SPACES[space].id for space in list_shippable(state)),
    )


def _trader(state: State, action: Selling) -> TraderView:
    (trader,) = list_acting(state)
    return TraderView(
        moved=action.moved,
        asked=action.asked,
        refused=action.refused,
        capacity_left=capacity_left(state, trader),
        askable=count_askable(state, trader),
    )


def _war(war: War, seat: Seat | None) -> WarView:
    return WarView(
        attacker=war.attacker,
        defender=war.defender,
        year=war.year,
        step=war.step,
        year_open=war.year_open,
        battles=war.battles,
        battle=None if war.battle is None else _battle(war, war.battle, seat),
        sea=war.sea,
        deciding=war.deciding,
    )


def _battle(war: War, battle: Battle, seat: Seat | None) -> BattleView:
    mine, other = battle.chosen
    attacker, defender = sides(war)
    return BattleView(
        territory=battle.territory,
        due=battle.due,
        asked=battle.asked,
        answered=(mine is not None, other is not None),
        chosen=(mine if seat == attacker else None, other if seat == defender else None),
    )
