"""The state of a game: immutable values, nothing derived but what the last settlement recorded."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from events.rules.bounds import BySeat, limit_number
from events.rules.kit.overseas.piles import Pile
from events.titles.colonial_revised.data import CONSTANTS, TABLES
from events.titles.colonial_revised.options import Options
from events.titles.colonial_revised.parts import Losses, Markers, SeatCount, SeatSpaces

T = TypeVar("T")


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
