"""The state as a seat may see it, with values that follow from it (REV-028).

Only the sealed answers of others are hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from events.rules.bounds import BySeat, Seats, limit_items, limit_number
from events.rules.fact import Seat
from events.rules.kit.overseas.piles import counts
from events.titles.colonial_revised.data import (
    CARDS,
    CONSTANTS,
    DIPLOMACY,
    SPACES,
    TABLES,
    TERRITORIES,
    TRACKS,
)
from events.titles.colonial_revised.derived import (
    america_penalty,
    city_values_free,
    colonies,
    compute_net_pp,
    count_deployed,
    counters,
    diversity_needed,
    end_threshold,
    fleet_limit,
    half_up,
    interest,
    loan_penalty,
    maintenance,
    mission_limit,
    native_power,
    privateers_in_box,
    rebellion_dice,
    resources,
    standings,
    trade_limit,
)
from events.titles.colonial_revised.options import Options
from events.titles.colonial_revised.parts import Losses, Markers, SeatCount, SeatSpaces, Spaces, Territories
from events.titles.colonial_revised.state import (
    SOURCES,
    Action,
    Battle,
    CardState,
    Controllers,
    Escalation,
    Exploration,
    PrivateerWar,
    Rebellion,
    Shipment,
    Standing,
    State,
    Trade,
    War,
    controllers,
)
from events.titles.colonial_revised.steps.explorer import target_number
from events.titles.colonial_revised.steps.sovereign import war_targets

T = TypeVar("T")


Amount = Annotated[int, limit_number(0, 9_999)]
"""Money and pieces, of which the rules have no most."""
Points = Annotated[int, limit_number(-999, 999)]
Small = Annotated[int, limit_number(0, 99)]
CityValue = Annotated[int, limit_number(0, max(TABLES.city_values))]


class PlayerView(msgspec.Struct, frozen=True, kw_only=True):
    """The public state of a player; tracks hold the value of the space reached."""

    treasury: Amount
    merchant_fleets: Amount
    squadrons: Amount
    privateers: BySeat[Annotated[int, limit_number(0, CONSTANTS.privateers_in_box_max)]]
    """The player's own in the Merchant Fleet box of each seat."""
    economy: Annotated[int, limit_number(0, max(TRACKS["economy"]))]
    seafaring: Annotated[int, limit_number(0, max(TRACKS["seafaring"]))]
    navy: Annotated[int, limit_number(0, max(TRACKS["navy"]))]
    logistics: Annotated[int, limit_number(0, max(TRACKS["logistics"]))]
    diplomacy: Annotated[int, limit_number(0, DIPLOMACY)]
    cards: dict[str, CardState]
    """By card; hands and played cards are public (REV-028)."""
    escrow: Amount
    """Treasury promised to an Ally."""
    loans: Amount
    market_goods: Amount
    steps_bought: Annotated[int, limit_number(0, 99)]
    """Progress steps, for the award (REV-092)."""
    navy_step_bought_this_turn: bool
    navy_step_by_escalation: bool
    war_pp: Points
    war_victories: Amount
    empire_achieved: bool
    missions_placed: Amount
    """All Missions that the player ever placed, for the award (REV-093)."""
    america_free: bool
    """True if the player explores the Americas without penalty (REV-141)."""
    set_aside_chosen: bool
    set_aside_choice: str | UnsetType | None = UNSET
    """Only for the player who chose, until all have chosen (REV-057)."""
    prestige: dict[str, Points]
    """By source, as it follows from the position now."""
    monopolies: Annotated[tuple[str, ...], limit_items(len(SPACES), each=1)]
    """Ids of Resources, and of single spaces that are a Monopoly (REV-063), as they are now."""
    prestige_points: Points
    """As last settled, like `net_prestige`."""
    loan_penalty: Amount
    net_prestige: Points
    interest_next: Amount
    """The amount that phase 6 would add to the Loan now."""
    maintenance: Amount
    """The amount that phase 4 would cost now."""
    resources_controlled: Annotated[int, limit_number(0, len(SPACES))]
    colonies: Territories
    colony_markers_left: Annotated[int, limit_number(0, CONSTANTS.colony_markers)]
    fleet_limit: Annotated[int, limit_number(0, 99)]
    trade_limit: Amount
    privateers_deployed: Annotated[int, limit_number(0, CONSTANTS.privateers_deployed_max)]
    privateers_in_box: Annotated[int, limit_number(0, CONSTANTS.privateers_in_box_max)]
    war_targets: Seats
    """The seats that the player may declare war on."""


class LandView(msgspec.Struct, frozen=True):
    """A Territory."""

    explored: bool
    independent: bool
    colony_owner: Seat | None
    unrest: Small
    missions: Small
    rebel_marked_this_turn: bool
    cities: Annotated[tuple[CityValue, ...], limit_items(len(TABLES.city_values))]
    """Values of its City markers, the Booming City's included."""
    piles: dict[str, BySeat[tuple[Seat, Amount]]]
    """By Resource: seat and counters, the controller first."""
    protected: dict[str, BySeat[Amount]]
    """By Resource, where any are: counters of each seat that are safe this turn (REV-270)."""
    native_power: Small
    """In force: doubled in an Independent State."""
    controllers: dict[str, Seat | None]
    """By Resource."""
    counters: BySeat[Amount]
    """By seat."""
    mission_limit: Small
    rebellion_dice: Amount
    """Dice of a Rebellion that a Rebel would spark now."""
    colony_minimum: Small
    """Counters without which its owner loses a Colony here (REV-113)."""
    exploration_targets: BySeat[Annotated[int, limit_number(-99, 99)]]
    """The number that the die of each seat must reach; none where the Territory is explored."""
    america_penalties: BySeat[Small]
    """By seat."""


class ShipmentView(msgspec.Struct, frozen=True):
    """The Merchant's deal. *step*: ``answer``, ``confirm``, ``attack``, ``reply``."""

    own_spaces: Spaces
    requests: BySeat[SeatSpaces]
    booming_spaces: Spaces
    ship_slaves: bool
    step: str
    awaiting: Seats
    answers: BySeat[Spaces | None]
    """By seat. While others are asked, a player sees only their own (REV-209)."""
    market_counters: Amount
    attack: SeatCount | None
    """The Privateers that have just attacked, while the Merchant may reply (REV-224)."""


class TradeView(msgspec.Struct, frozen=True):
    """The Trader's deal. *step*: ``answer``, ``confirm``."""

    own: Amount
    requests: BySeat[SeatCount]
    step: str
    awaiting: Seats
    answers: BySeat[Amount | None]
    """By seat. While others are asked, a player sees only their own (REV-238)."""


class BattleView(msgspec.Struct, frozen=True):
    """A battle on land whose casualties are being chosen; pairs are (Attacker, Defender)."""

    territory: str
    due: BySeat[SeatCount]
    """The number of counters that each player loses (REV-318)."""
    asked: tuple[bool, bool]
    """True for each principal who has a real choice among the enemy's counters."""
    chosen: tuple[Losses | None, Losses | None]
    """A player sees only their own (REV-317)."""
    expedition: bool
    """True for the battle of a military expedition."""


class WarView(msgspec.Struct, frozen=True):
    """A war between two players and at most one Ally a side."""

    attacker: Seat
    defender: Seat
    step: str
    controllers: Annotated[tuple[Seat | None, ...], limit_items(len(SPACES))]
    """The seat that controlled each space when the war began (REV-329)."""
    awaiting: Seats
    choices: BySeat[str | None]
    """By seat. While others choose, a player sees only their own (REV-305)."""
    attacker_offer: Annotated[int, limit_number(0, CONSTANTS.alliance_offer_max)]
    defender_offer: Annotated[int, limit_number(0, CONSTANTS.alliance_offer_max)]
    attacker_ally: Seat | None
    defender_ally: Seat | None
    left: Seats
    """Allies who gave up."""
    year: Small
    attacker_naval_losses: Amount
    defender_naval_losses: Amount
    expedition_territory: str | None
    battles: Territories
    """Territories in which this year's battles are still to be fought."""
    battle: BattleView | None


class View(msgspec.Struct, frozen=True):
    """The whole table as one seat sees it, with limits and previews."""

    options: Options
    seats: Annotated[int, limit_number(0, 6)]
    status: str
    turn: Annotated[int, limit_number(0, 9999)]
    phase: str
    round: Annotated[int, limit_number(0, CONSTANTS.rounds_per_turn)]
    place: Annotated[int, limit_number(0, 6)]
    """The number of players that have acted in this round or phase."""
    maintenance_paid: bool
    booming_city: CityValue | None
    """The value of the City marker that is the Booming City."""
    war_box: Small
    war_fought_this_turn: bool
    progress_award_holder: Seat | None
    missions_award_holder: Seat | None
    america_discovered_turn: Annotated[int, limit_number(0, 9999)] | None
    abolition: bool
    action: Action | None
    """The card that is being carried out."""
    exploration: Exploration | None
    shipment: ShipmentView | None
    trade: TradeView | None
    rebellion: Rebellion | None
    unrest_left: Annotated[tuple[Markers, ...], limit_items(99)]
    war: WarView | None
    escalation: Escalation | None
    privateer_war: PrivateerWar | None
    winners: Seats
    end_reason: str
    tie_break: str
    player_order: Seats
    players: BySeat[PlayerView]
    territories: dict[str, LandView]
    you: Seat | None
    """The seat that this view is for; None for a spectator."""
    city_markers_available: Annotated[tuple[CityValue, ...], limit_items(len(TABLES.city_values))]
    end_roll_threshold: Annotated[int, limit_number(0, 6)] | None
    """The end roll of this turn ends the game on at most this; None while there is none."""
    diversity_needed: Annotated[int, limit_number(0, CONSTANTS.diversity_base)]
    """Types of Resources that give a point."""


def view(state: State, seat: int | None) -> View:
    """Return the state as *seat* may see it (None: as a spectator does)."""
    now, control = standings(state), controllers(state)
    return View(
        options=state.options,
        seats=state.seats,
        status=state.status,
        turn=state.turn,
        phase=state.phase,
        round=state.round,
        place=state.place,
        maintenance_paid=state.maintenance_paid,
        booming_city=state.booming_city,
        war_box=state.war_box,
        war_fought_this_turn=state.war_fought_this_turn,
        progress_award_holder=state.progress_award_holder,
        missions_award_holder=state.missions_award_holder,
        america_discovered_turn=state.america_discovered_turn,
        abolition=state.abolition,
        action=state.action,
        exploration=state.exploration,
        shipment=_shipment(state.shipment, seat) if state.shipment else None,
        trade=_trade(state.trade, seat) if state.trade else None,
        rebellion=state.rebellion,
        unrest_left=state.unrest_left,
        war=_war(state.war, seat) if state.war else None,
        escalation=state.escalation,
        privateer_war=state.privateer_war,
        winners=state.winners,
        end_reason=state.end_reason,
        tie_break=state.tie_break,
        player_order=state.order,
        players=tuple(_player(state, other, seat, now[other]) for other in range(state.seats)),
        territories={place.id: _land(state, place.number, control) for place in TERRITORIES},
        you=seat,
        city_markers_available=city_values_free(state),
        end_roll_threshold=end_threshold(state.turn, state.options.end_roll_bonus),
        diversity_needed=diversity_needed(state.seats),
    )


def _player(state: State, seat: int, viewer: int | None, now: Standing) -> PlayerView:
    player, owned = state.players[seat], colonies(state, seat)
    return PlayerView(
        treasury=player.treasury,
        merchant_fleets=player.merchant_fleets,
        squadrons=player.squadrons,
        privateers=player.privateers,
        economy=player.economy,
        seafaring=player.seafaring,
        navy=player.navy,
        logistics=player.logistics,
        diplomacy=player.diplomacy,
        cards=dict(zip(CARDS, player.cards, strict=True)),
        escrow=player.escrow,
        loans=player.loans,
        market_goods=player.market,
        steps_bought=player.steps_bought,
        navy_step_bought_this_turn=player.navy_step_bought_this_turn,
        navy_step_by_escalation=player.navy_step_by_escalation,
        war_pp=player.war_pp,
        war_victories=player.war_victories,
        empire_achieved=player.empire_achieved,
        missions_placed=player.missions_placed,
        america_free=player.america_free,
        set_aside_chosen=player.set_aside_choice is not None,
        set_aside_choice=player.set_aside_choice if seat == viewer else UNSET,
        prestige={source: getattr(now, source) for source in SOURCES},
        monopolies=now.monopolies,
        prestige_points=player.standing.total,
        loan_penalty=loan_penalty(player.loans),
        net_prestige=compute_net_pp(player),
        interest_next=interest(player.loans),
        maintenance=maintenance(player.squadrons),
        resources_controlled=resources(state, seat),
        colonies=tuple(TERRITORIES[territory].id for territory in owned),
        colony_markers_left=CONSTANTS.colony_markers - len(owned),
        fleet_limit=fleet_limit(state, seat),
        trade_limit=trade_limit(state, seat),
        privateers_deployed=count_deployed(player),
        privateers_in_box=privateers_in_box(state, seat),
        war_targets=war_targets(state, seat),
    )


def _land(state: State, territory: int, control: Controllers) -> LandView:
    land, place, seats = state.lands[territory], TERRITORIES[territory], range(state.seats)
    resource = {space: SPACES[space].resource for space in place.spaces}
    power = native_power(state, territory)
    targets = () if land.explored else tuple(target_number(state, seat, territory) for seat in seats)
    return LandView(
        explored=land.explored,
        independent=land.independent,
        colony_owner=land.colony_owner,
        unrest=land.unrest,
        missions=land.missions,
        rebel_marked_this_turn=land.rebel_marked_this_turn,
        cities=land.cities,
        piles={name: tuple(counts(state.piles[space]).items()) for space, name in resource.items()},
        protected={name: safe for space, name in resource.items() if (safe := state.protected[space])},
        native_power=power,
        controllers={name: control[space] for space, name in resource.items()},
        counters=tuple(counters(state, seat, territory) for seat in seats),
        mission_limit=mission_limit(power),
        rebellion_dice=rebellion_dice(state, territory),
        colony_minimum=half_up(place.native_power),
        exploration_targets=targets,
        america_penalties=tuple(america_penalty(state, seat, territory) for seat in seats),
    )


def _list_known(answers: Sequence[T | None], viewer: int | None, *, sealed: bool) -> tuple[T | None, ...]:
    """Answers by seat; those of others stay sealed until all are in (RUL-14, RUL-15)."""
    return tuple(None if sealed and other != viewer else answer for other, answer in enumerate(answers))


def _shipment(deal: Shipment, viewer: int | None) -> ShipmentView:
    return ShipmentView(
        own_spaces=deal.own_spaces,
        requests=deal.requests,
        booming_spaces=deal.booming_spaces,
        ship_slaves=deal.ship_slaves,
        step=deal.step,
        awaiting=deal.awaiting,
        answers=_list_known(deal.answers, viewer, sealed=deal.step == "answer"),
        market_counters=deal.market_counters,
        attack=deal.attack,
    )


def _trade(deal: Trade, viewer: int | None) -> TradeView:
    return TradeView(
        own=deal.own,
        requests=deal.requests,
        step=deal.step,
        awaiting=deal.awaiting,
        answers=_list_known(deal.answers, viewer, sealed=deal.step == "answer"),
    )


def _war(war: War, viewer: int | None) -> WarView:
    return WarView(
        attacker=war.attacker,
        defender=war.defender,
        step=war.step,
        controllers=war.controllers,
        awaiting=war.awaiting,
        choices=_list_known(war.choices, viewer, sealed=war.step == "choice"),
        attacker_offer=war.attacker_offer,
        defender_offer=war.defender_offer,
        attacker_ally=war.attacker_ally,
        defender_ally=war.defender_ally,
        left=war.left,
        year=war.year,
        attacker_naval_losses=war.attacker_naval_losses,
        defender_naval_losses=war.defender_naval_losses,
        expedition_territory=war.expedition_territory,
        battles=war.battles,
        battle=_battle(war, war.battle, viewer) if war.battle else None,
    )


def _battle(war: War, battle: Battle, viewer: int | None) -> BattleView:
    return BattleView(
        territory=battle.territory,
        due=battle.due,
        asked=battle.asked,
        chosen=(
            battle.chosen[0] if viewer == war.attacker else None,
            battle.chosen[1] if viewer == war.defender else None,
        ),
        expedition=battle.expedition,
    )
