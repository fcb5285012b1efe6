"""The state of a game, what a round reads of it, its parts replaced; `derived.py` has what follows."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from events.rules.bounds import BySeat, limit_number
from events.rules.fact import Seat
from events.rules.kit.overseas.piles import Pile
from events.rules.kit.values import change_item, change_player
from events.titles.colonial.data import CARDS, NATIONS, RULES, TERRITORY, Nation
from events.titles.colonial.options import Options, Variant
from events.titles.colonial.parts import Casualty, Count, Dice, Request, Spaces

Phase = Literal[
    "setup",
    "nation_choice",
    "programming",
    "endeavour",
    "merchant_fleets",
    "first_player",
    "naval_forces",
    "loan_interest",
    "end_of_turn",
]


class Loan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One pile on the Loan display."""

    loan_id: Count
    size: Count


class BoomingCity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Booming City on the map."""

    territory: str
    value: Annotated[int, limit_number(1, RULES.booming_city_max)]
    founder: Seat


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pieces, tracks and cards of one seat."""

    colour: str
    nation: str | None
    treasury: int
    merchant_fleets: int = msgspec.field(name="fleets")
    squadrons: int
    prestige: int
    market: int
    """The seat's Goods on the Market."""
    seafaring: int
    navy: int
    logistics: int
    economy: int
    diplomacy: int
    """1 (leftmost) and up."""
    cards: tuple[str, ...]
    loans: tuple[Loan, ...] = ()
    used_characters: tuple[str, ...] = ()
    """This turn, in order."""
    last_row: tuple[str, ...] = ()
    """The row of the turn before; all of it was revealed."""
    reached_six: bool = False


class Land(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The changing part of a Territory; its counters lie on its Resource spaces."""

    prestige: int = 0
    """Above 0 while it is Unexplored."""
    unrest: int = 0
    missions: int = 0
    colony: int | None = None
    """The seat that owns the Colony here; None where there is none."""
    independent: bool = False
    excluded: bool = False
    """Not in this game."""


class Exploring(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="explorer"):
    """An Explorer play in progress."""

    circumnavigation: bool
    """True if the world might be sailed round when the play began (COL-11-04)."""
    territory: str | None = None
    step: Literal["roll", "second_roll", "settle", "circumnavigation"] = "roll"


class Shipping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="merchant"):
    """A Merchant play in progress."""

    shipped: Spaces = ()
    refused: Spaces = ()
    blocked: str | None = None
    """The Booming City's Territory, after pirates struck."""
    requests: BySeat[Request] = ()


class Selling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="trader"):
    """A Trader play in progress; amounts by seat."""

    moved: int
    asked: tuple[int, ...]
    refused: tuple[int, ...]


class Rebelling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="rebel"):
    """A rebellion whose casualties are due."""

    territory: str
    from_others: int
    from_self: int


Action = Exploring | Shipping | Selling | Rebelling


class Battle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A land battle whose casualties are due; pairs are (attacker, defender)."""

    territory: str
    due: tuple[int, int]
    """The number of casualties that each side inflicts."""
    asked: tuple[bool, bool]
    """True for each side that has a real choice of casualties."""
    chosen: tuple[tuple[Casualty, ...] | None, tuple[Casualty, ...] | None] = (None, None)


class War(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A war between exactly two players."""

    attacker: int
    defender: int
    year: int = 0
    step: Literal["fight", "casualties", "reroll", "surrender"] = "fight"
    """``fight``: the server goes on with the year."""
    year_open: bool = False
    """True while the present year is still being fought."""
    battles: tuple[str, ...] = ()
    """Territories still to be fought in this year."""
    battle: Battle | None = None
    sea: tuple[Dice, Dice] | None = None
    """The sea dice (attacker, defender) before losses."""
    deciding: int | None = None
    """The seat that decides about surrender."""


class State(msgspec.Struct, frozen=True):
    """A whole game. Tuples by seat, by Territory (map order) or by Resource space."""

    options: Options
    variant: Variant
    status: Literal["running", "finished"]
    winner: int | None
    phase: Phase
    turn: int
    round: int
    first_player: int
    active: int | None
    """The seat that acts in Endeavour, buys in a purchase phase, or decides about Flamboyance."""
    players: tuple[Player, ...]
    programmes: tuple[tuple[str, ...], ...]
    """By seat the row of this turn, empty before it is submitted. Card k is public from round k on."""
    lands: tuple[Land, ...]
    piles: tuple[Pile, ...]
    booming_city: BoomingCity | None
    discovery_box: int
    circumnavigation_box: int
    america_discovered: bool
    discovered_this_round: bool
    """True from the discovery of America to the end of its round."""
    next_loan: int
    played: str | None
    """The Character used in the present round of the active player."""
    action: Action | None
    war: War | None

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.players)


# --- the round: whose turn it is, and the card that they use ---------------------------------------


def nation(player: Player) -> Nation | None:
    """Return the player's Nation card; None in the basic game."""
    return NATIONS[player.nation] if player.nation else None


def list_acting(state: State) -> tuple[int, ...]:
    """Return the seat whose turn it is, if there is one."""
    return () if state.active is None else (state.active,)


def find_revealed_card(state: State, seat: int) -> str | None:
    """Return the card that the seat revealed this round; None if there is none."""
    row = state.programmes[seat]
    return row[state.round - 1] if 1 <= state.round <= len(row) else None


def usable_again(player: Player, character: str) -> bool:
    """Return True if the Character may be used (once more) this turn (COL-25-05, COL-25-10)."""
    if character not in player.used_characters:
        return True
    card = nation(player)
    if card is None or character not in card.repeatable:
        return False
    return not (card.extra_card_ends and player.reached_six)


def usable_characters(state: State, seat: int) -> tuple[str, ...]:
    """Return the Characters of the revealed card that the seat may use now."""
    card = find_revealed_card(state, seat)
    if card not in CARDS:
        return ()
    return tuple(name for name in CARDS[card].characters if usable_again(state.players[seat], name))


# --- parts of the state replaced, as the folds of several facts do it -----------------------------


def change_land(state: State, territory: str, **fields: Any) -> State:
    """The state with fields of a Territory replaced."""
    return replace(state, lands=change_item(state.lands, TERRITORY[territory], **fields))


def add_unrest(state: State, territory: str, count: int) -> State:
    """A Territory with so much more Unrest, less where *count* is negative."""
    return change_land(state, territory, unrest=state.lands[TERRITORY[territory]].unrest + count)


def add_missions(state: State, territory: str, count: int) -> State:
    """A Territory with so many more Missions, fewer where *count* is negative."""
    return change_land(state, territory, missions=state.lands[TERRITORY[territory]].missions + count)


def resize_loan(state: State, seat: int, loan_id: int, size: int) -> State:
    """A player with one Loan pile of that size; a pile of 0 disappears."""
    loans = (Loan(loan_id, size) if loan.loan_id == loan_id else loan for loan in state.players[seat].loans)
    return change_player(state, seat, loans=tuple(loan for loan in loans if loan.size))
