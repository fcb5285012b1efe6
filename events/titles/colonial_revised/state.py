"""The state of a game, what is read off it, and its parts replaced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from events.rules.bounds import BySeat, limit_number
from events.rules.kit.overseas.piles import Pile
from events.rules.kit.values import change_item, gain, put, remember_latest
from events.titles.colonial_revised.data import CARDS, CONSTANTS, SPACE, TABLES, TERRITORY
from events.titles.colonial_revised.options import Options
from events.titles.colonial_revised.parts import Losses, Markers, SeatCount, SeatSpaces, SpaceCount

T = TypeVar("T")
Controllers = tuple[int | None, ...]
"""By space, the seat that controls it."""


def require(value: T | None) -> T:
    """A part of the state that is there whenever the flow of the game comes here."""
    if value is None:
        raise LookupError("a part of the state is missing that this step needs")
    return value


Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Seat = Annotated[int, Meta(ge=0, le=5)]
Seats = BySeat[Seat]

SETUP, RUNNING, FINISHED = "setup", "running", "finished"
PHASES = (
    "endeavour",
    "merchant_fleets",
    "first_player",
    "naval_forces",
    "privateering",
    "interest",
    "choosing_cards",
    "end_of_turn",
)
ATTACKER, DEFENDER = "attacker", "defender"
WAR_STEPS = (
    "offer_attacker",
    "offer_defender",
    "choice",
    "pick_attacker",
    "pick_defender",
    "fight",
    "battles",
    "casualties",
    "expedition",
    "expedition_battle",
    "check",
    "attacker_ally",
    "attacker",
    "defender_ally",
    "defender",
    "over",
)
"""The steps of a war; ``fight`` is the server's. In ``battles`` those of the year are still to be fought."""


class CardState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card of a player: ``available``, ``played`` this turn, or ``barred`` (set aside last turn)."""

    status: Literal["available", "played", "barred"] = "available"
    round: Annotated[int, limit_number(1, CONSTANTS.rounds_per_turn)] | None = None
    character: str | None = None


AVAILABLE = CardState()
BARRED = CardState("barred")


class Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Prestige by source and Monopolies of a player, as the last settlement recorded them."""

    monopoly: int = 0
    colony: int = 0
    city: int = 0
    war: int = 0
    progress_award: int = 0
    missions_award: int = 0
    adjacency: int = 0
    diversity: int = 0
    monopolies: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """Prestige Points before the Loan penalty (REV-090)."""
        return (
            self.monopoly
            + self.colony
            + self.city
            + self.war
            + self.progress_award
            + self.missions_award
            + self.adjacency
            + self.diversity
        )


SOURCES = ("monopoly", "colony", "city", "war", "progress_award", "missions_award", "adjacency", "diversity")


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pieces, tracks and cards of a seat. A track holds the value of the space reached: Economy 6."""

    treasury: Count
    merchant_fleets: Count
    squadrons: Count
    privateers: tuple[Count, ...]
    """Own Privateers in the Merchant Fleet box of each seat."""
    economy: int
    seafaring: int
    navy: int
    logistics: int
    diplomacy: int
    cards: tuple[CardState, ...]
    escrow: Count = 0
    loans: Count = 0
    market: Count = msgspec.field(default=0, name="market_goods")
    """The seat's Goods on the Market."""
    steps_bought: Count = 0
    navy_step_bought_this_turn: bool = False
    navy_step_by_escalation: bool = False
    set_aside_choice: str | None = None
    """Known to the owner only until all have chosen."""
    war_pp: int = 0
    war_victories: Count = 0
    empire_achieved: bool = False
    missions_placed: Count = 0
    america_free: bool = False
    standing: Standing = Standing()

    @property
    def spendable(self) -> int:
        """Treasury that is not promised to an Ally (REV-003)."""
        return self.treasury - self.escrow


class Land(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The changing part of a Territory."""

    explored: bool = False
    independent: bool = False
    colony_owner: Seat | None = None
    unrest: Count = 0
    missions: Count = 0
    rebel_marked_this_turn: bool = False
    cities: tuple[int, ...] = ()
    """Values of its City markers, the Booming City's included."""


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The card that is being carried out."""

    seat: Seat
    card_id: str
    character: str | None


class Exploration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """*step*: ``buy`` (a shortfall is for sale) or ``settle``."""

    territory: str
    step: Literal["buy", "settle"]
    shortfall: Count = 0
    price: Annotated[int, limit_number(0, max(TABLES.exploration_prices))] | None = None


class Shipment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Merchant's deal. *step*: ``answer``, ``confirm``, ``attack``, ``reply``."""

    own_spaces: tuple[str, ...]
    requests: tuple[SeatSpaces, ...]
    booming_spaces: tuple[str, ...]
    ship_slaves: bool
    step: str
    awaiting: Seats
    answers: tuple[tuple[str, ...] | None, ...]
    """By seat; each known to the seller only while the step is ``answer``."""
    market_counters: Count = 0
    attack: SeatCount | None = None
    """The Privateers that have just attacked, while the Merchant may reply."""


class Trade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Trader's deal. *step*: ``answer``, ``confirm``."""

    own: Count
    requests: tuple[SeatCount, ...]
    step: str
    awaiting: Seats
    answers: tuple[Count | None, ...]
    """By seat; each known to the owner only while the step is ``answer``."""


class Rebellion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """*kind*: territory, colony, automatic; *step*: allot, avert, entry, close."""

    territory: str
    kind: str
    losses: Count
    step: str
    seat: Seat | None = None
    awaiting: Seats = ()
    allotment: Losses = ()
    """The losses that are not averted."""
    removed: bool = False
    """True if counters were really lost."""


class Battle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battle on land whose casualties are being chosen; pairs are (Attacker, Defender)."""

    territory: str
    due: tuple[SeatCount, ...]
    """The number of counters that each player loses (REV-318)."""
    asked: tuple[bool, bool]
    """True for each principal who has a real choice among the enemy's counters."""
    chosen: tuple[Losses | None, Losses | None] = (None, None)
    """Each known to the chooser only until all are in."""
    expedition: bool = False


class War(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A war between two players and at most one Ally a side."""

    attacker: Seat
    defender: Seat
    step: str
    controllers: tuple[Seat | None, ...] = ()
    """The seat that controlled each space when the war began (REV-329)."""
    awaiting: Seats = ()
    choices: tuple[str | None, ...] = ()
    """By seat; each known to the chooser only while the step is ``choice``."""
    attacker_offer: Count = 0
    defender_offer: Count = 0
    attacker_ally: Seat | None = None
    defender_ally: Seat | None = None
    left: Seats = ()
    """Allies who gave up."""
    year: Count = 0
    attacker_naval_losses: Count = 0
    defender_naval_losses: Count = 0
    """In the sea battle of this year, Merchant Fleets included."""
    expedition_territory: str | None = None
    battles: tuple[str, ...] = ()
    """Territories in which this year's battles are still to be fought."""
    battle: Battle | None = None


class PrivateerWar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round against Privateers whose *hits* the Sovereign's player has to share out (REV-376)."""

    seat: Seat
    round: Annotated[int, limit_number(1, CONSTANTS.privateer_war_rounds)]
    hits: Count


class Escalation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """*part* A (Navy steps) or B (Squadrons); *queue*: who still decides in it."""

    part: str
    order: Seats
    queue: Seats
    belligerents: Seats
    loans_used: Seats = ()


class State(msgspec.Struct, frozen=True):
    """Everything."""

    options: Options
    seats: int
    status: str
    turn: Count
    phase: str
    round: Count
    place: Count
    """The number of players that have acted in this round or phase, skipped ones included."""
    order: Seats
    maintenance_paid: bool
    """Phase 4: True if the player whose turn it is has paid their maintenance."""
    players: tuple[Player, ...]
    lands: tuple[Land, ...]
    """By Territory, in map order."""
    piles: tuple[Pile, ...]
    """By space; the counters of a seat lie together, at the height of its lowest (REV-008)."""
    protected: tuple[tuple[int, ...], ...]
    """By space: how many counters of each seat are safe from Rebellions this turn; () for none."""
    booming_city: int | None = None
    """The value of the City marker that is the Booming City."""
    war_box: Count = 0
    war_fought_this_turn: bool = False
    progress_award_holder: Seat | None = None
    missions_award_holder: Seat | None = None
    america_discovered_turn: Count | None = None
    abolition: bool = False
    action: Action | None = None
    exploration: Exploration | None = None
    shipment: Shipment | None = None
    trade: Trade | None = None
    rebellion: Rebellion | None = None
    unrest_left: tuple[Markers, ...] = ()
    war: War | None = None
    escalation: Escalation | None = None
    privateer_war: PrivateerWar | None = None
    winners: Seats = ()
    end_reason: str = ""
    tie_break: str = ""


# --- whose turn it is, what they may play, who controls what ---------------------------------------


def find_next_to_play(state: State) -> int | None:
    """Return the seat whose turn it is in this round or phase; None when all have had theirs."""
    return state.order[state.place] if state.place < state.seats else None


def list_available(state: State, seat: int) -> tuple[str, ...]:
    """The cards that the seat can still play this turn (REV-023)."""
    return _list_held(state.players[seat].cards)


@lru_cache(maxsize=4096)
def _list_held(cards: tuple[CardState, ...]) -> tuple[str, ...]:
    return tuple([card for card, held in zip(CARDS, cards, strict=True) if held == AVAILABLE])


def list_playing(state: State) -> tuple[int, ...]:
    """Return the seat whose turn it is to play a card, if it has one."""
    seat = find_next_to_play(state)
    return (seat,) if seat is not None and list_available(state, seat) else ()


def controllers(state: State) -> Controllers:
    """Return the seat that controls each space: the owner of the bottom counter (REV-061)."""
    return _find_controllers(state.piles)


@remember_latest
def _find_controllers(piles: tuple[tuple[int, ...], ...]) -> Controllers:
    return tuple([pile[0] if pile else None for pile in piles])


# --- parts of the state replaced, as the folds of several facts do it -----------------------------


def gain_each(state: State, name: str, amounts: Mapping[int, int]) -> State:
    """Players, by seat, with so much more of one thing."""
    players = list(state.players)
    for seat, amount in amounts.items():
        players[seat] = replace(players[seat], **{name: getattr(players[seat], name) + amount})
    return replace(state, players=tuple(players))


def turn_over(state: State) -> State:
    """Return the state after a player has finished their part of the round or phase."""
    return replace(state, place=state.place + 1, maintenance_paid=False)


# --- the map -------------------------------------------------------------------------------------


def change_land(state: State, territory: str, **fields: Any) -> State:
    """The state with fields of a Territory replaced."""
    return replace(state, lands=change_item(state.lands, TERRITORY[territory], **fields))


def add_unrest(state: State, territory: str, count: int) -> State:
    """A Territory with so much more Unrest, less where *count* is negative."""
    return change_land(state, territory, unrest=state.lands[TERRITORY[territory]].unrest + count)


def stack_counters(pile: Pile, seat: int, count: int) -> Pile:
    """Return the pile with *count* more counters: beside the seat's own, else on top (REV-061, REV-008)."""
    if seat not in pile:
        return pile + (seat,) * count
    at = pile.index(seat)
    return pile[:at] + (seat,) * count + pile[at:]


def take_counters(pile: Pile, seat: int, count: int) -> Pile:
    """*count* counters of the seat less."""
    if not count or seat not in pile:
        return pile
    at = pile.index(seat)
    return pile[:at] + pile[at + min(count, pile.count(seat)) :]


def total(placements: Iterable[SpaceCount]) -> int:
    """Return the number of counters in these placements."""
    return sum(entry.count for entry in placements)


def place(state: State, seat: int, placements: Iterable[SpaceCount]) -> State:
    """Counters of the seat put on spaces."""
    piles = list(state.piles)
    for entry in placements:
        number = SPACE[entry.space]
        piles[number] = stack_counters(piles[number], seat, entry.count)
    return replace(state, piles=tuple(piles))


def send(state: State, seat: int, placements: tuple[SpaceCount, ...]) -> State:
    """Treasury becomes counters on spaces."""
    return place(gain(state, seat, treasury=-total(placements)), seat, placements)


def remove(state: State, seat: int, by_space: Iterable[SpaceCount]) -> State:
    """Counters of the seat taken away."""
    return remove_all(state, ((seat, entry.space, entry.count) for entry in by_space))


def remove_all(state: State, losses: Iterable[tuple[int, str, int]]) -> State:
    """Counters taken away, as (seat, space, count): unprotected ones before protected ones (REV-008)."""
    piles, protected = list(state.piles), state.protected
    for seat, space, count in losses:
        number = SPACE[space]
        piles[number] = take_counters(piles[number], seat, count)
        safe = protected[number]
        if safe and safe[seat] > (now := piles[number].count(seat)):
            protected = put(protected, number, clear_protection(put(safe, seat, now)))
    return replace(state, piles=tuple(piles), protected=protected)


def clear_protection(safe: tuple[int, ...]) -> tuple[int, ...]:
    """The protection of a space; () where nothing is protected."""
    return safe if any(safe) else ()


# --- what is in progress -------------------------------------------------------------------------


def change_shipment(state: State, **changes: Any) -> State:
    """The state with fields of the Merchant's deal replaced."""
    return replace(state, shipment=replace(require(state.shipment), **changes))


def change_trade(state: State, **changes: Any) -> State:
    """The state with fields of the Trader's deal replaced."""
    return replace(state, trade=replace(require(state.trade), **changes))


def change_rebellion(state: State, **changes: Any) -> State:
    """The state with fields of the Rebellion replaced."""
    return replace(state, rebellion=replace(require(state.rebellion), **changes))


def change_war(state: State, **changes: Any) -> State:
    """The state with fields of the war replaced."""
    return replace(state, war=replace(require(state.war), **changes))


def change_escalation(state: State, **changes: Any) -> State:
    """The state with fields of the Escalation replaced."""
    return replace(state, escalation=replace(require(state.escalation), **changes))


def next_in_queue(state: State) -> State:
    """Return the state after a player has had their turn in this part of the Escalation."""
    return change_escalation(state, queue=require(state.escalation).queue[1:])
