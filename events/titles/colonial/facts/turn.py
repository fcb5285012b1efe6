"""Set-up, programming, rounds with the course of any play in them, Treasury, and phases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from events.rules.draw_binding import index
from events.rules.fact import Fact, Telling, Who
from events.rules.kit.overseas.words import format_number
from events.rules.kit.values import change_player, gain, put, remove_each
from events.rules.kit.words import capital
from events.titles.colonial.data import TERRITORY, StartOf
from events.titles.colonial.derived import is_sea_open
from events.titles.colonial.options import Variant
from events.titles.colonial.parts import LoanGrown
from events.titles.colonial.state import Action, Exploring, Selling, Shipping, State, resize_loan
from events.titles.colonial.words import (
    Data,
    card_name,
    card_names,
    colour_of,
    nation_name,
    says,
    territory_names,
)

_BOXES: Mapping[str, str] = {"fleets": "merchant_fleets"}
"""Starting holdings by the field of a player, where its word is longer."""

# --- set-up --------------------------------------------------------------------------------------


class GameBegan(Fact, frozen=True):
    """The game begins with its seats and colours (COL-03-03 to COL-03-05)."""

    seats: int
    colours: tuple[str, ...]
    variant: Variant
    tell = says("{seats} players begin {variant:variant}.")

    def fold(self, state: State) -> State:
        return state if self.variant == "basic" else replace(state, phase="nation_choice")


class FirstPlayerDrawn(Fact, frozen=True):
    """The First Player is drawn (COL-03-06)."""

    drawn: ClassVar = {"seat": index}
    seat: int
    tell = says("{seat:who} is the First Player.")

    def fold(self, state: State) -> State:
        return replace(state, first_player=self.seat)


class NationChosen(Fact, frozen=True):
    """A seat chooses a Nation (COL-25-02).

    *start* overrides starting holdings (empty in the present data).
    """

    seat: int
    nation: str
    start: dict[StartOf, int]

    def fold(self, state: State) -> State:
        start = {_BOXES.get(name, name): amount for name, amount in self.start.items()}
        return change_player(state, self.seat, nation=self.nation, **start)

    @staticmethod
    def tell(data: Data, _who: Who) -> str:  # from now on the seat itself is called by its Nation
        return f"{colour_of(data['seat'])} chooses {nation_name(data['nation'])}."


class ExtraCardTaken(Fact, frozen=True):
    """A seat takes the extra card of its Nation (COL-25-04)."""

    seat: int
    card: str
    tell = says("{seat:who} takes the extra card {card:card}.")

    def fold(self, state: State) -> State:
        return change_player(state, self.seat, cards=(*state.players[self.seat].cards, self.card))


class ExtraCardRemoved(Fact, frozen=True):
    """A seat gives back its extra card (COL-25-10)."""

    seat: int
    card: str
    tell = says("{seat:who} gives back the extra card {card:card}.")

    def fold(self, state: State) -> State:
        # The copy taken last goes, so that the hand keeps its order.
        backwards = remove_each(state.players[self.seat].cards[::-1], [self.card])
        return change_player(state, self.seat, cards=backwards[::-1])


class TerritoriesExcluded(Fact, frozen=True):
    """Territories are left out of the game (COL-25-41, COL-25-45, COL-25-46)."""

    territories: tuple[str, ...]
    america_discovered: bool
    circumnavigation_in_use: bool

    def fold(self, state: State) -> State:
        lands = zip(TERRITORY, state.lands, strict=True)
        return replace(
            state,
            lands=tuple(replace(land, excluded=name in self.territories) for name, land in lands),
            america_discovered=self.america_discovered,
        )

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        america = " America counts as discovered." if data["america_discovered"] else ""
        return f"Not in this game: {territory_names(data['territories'])}.{america}"


class BoardPrepared(Fact, frozen=True):
    """Prestige is laid on the map and in the discovery box (COL-03-01, COL-03-02)."""

    prestige: dict[str, int]
    discovery_box: int

    def fold(self, state: State) -> State:
        named = zip(TERRITORY, state.lands, strict=True)
        lands = tuple(replace(land, prestige=self.prestige.get(name, 0)) for name, land in named)
        return replace(state, lands=lands, discovery_box=self.discovery_box)

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        lies = sum(data["prestige"].values())
        return f"{lies} Prestige lie on the map, {data['discovery_box']} in the Discovery of America box."


# --- programming and rounds ----------------------------------------------------------------------


class TurnBegan(Fact, frozen=True):
    """A new turn, beginning with the programming step."""

    turn: int
    first_player: int
    tell = says("Turn {turn} begins; {first_player:who} is First Player.")

    def fold(self, state: State) -> State:
        return replace(
            state,
            phase="programming",
            turn=self.turn,
            round=0,
            active=None,
            discovered_this_round=False,
            played=None,
            players=tuple(replace(player, used_characters=()) for player in state.players),
            programmes=((),) * state.seats,
        )


class CardsProgrammed(Fact, frozen=True):
    """A seat has programmed its cards; others see only that it has submitted (COL-04-03)."""

    secrets: ClassVar = {"row": ("seat",), "set_aside": ("seat",)}
    seat: int
    row: tuple[str, ...]
    set_aside: tuple[str, ...]

    def fold(self, state: State) -> State:
        return replace(state, programmes=put(state.programmes, self.seat, self.row))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        if "row" not in data:
            return capital(f"{who(data['seat'])} has programmed a row.")
        row, aside = card_names(data["row"]), card_names(data["set_aside"])
        return capital(f"{who(data['seat'])} programmes {row}; aside: {aside}.")


class ProgrammingClosed(Fact, frozen=True):
    """All have submitted."""

    turn: int
    tell = says("All rows of turn {turn} are fixed.")

    def fold(self, state: State) -> State:
        return replace(state, phase="endeavour")


class CardsRevealed(Fact, frozen=True):
    """The cards of the round are revealed, by seat (COL-04-06)."""

    discloses = True
    round: int
    cards: tuple[str, ...]

    def fold(self, state: State) -> State:
        return replace(state, round=self.round, active=None, discovered_this_round=False)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        shown = [f"{who(seat)} {card_name(card)}" for seat, card in enumerate(data["cards"])]
        return f"Round {data['round']}: revealed are {', '.join(shown)}."


class RoundBegan(Fact, frozen=True):
    """A seat's turn in a round begins."""

    round: int
    seat: int
    tell = says("Round {round}: it is the turn of {seat:who}.")

    def fold(self, state: State) -> State:
        return replace(state, active=self.seat, played=None)


class RoundEnded(Fact, frozen=True):
    """A seat's turn in a round is over."""

    round: int
    seat: int
    tell = says("{seat:who} ends their turn in round {round}.")

    def fold(self, state: State) -> State:
        return replace(state, active=None, played=None)


class RoundForfeited(Fact, frozen=True):
    """A seat forfeits the round (COL-04-09)."""

    round: int
    seat: int
    tell = says("{seat:who} forfeits the round.")


class CharacterUsed(Fact, frozen=True):
    """A Character play begins."""

    seat: int
    card: str
    character: str
    round: int
    tell = says("{seat:who} uses the {character:character}.")

    def fold(self, state: State) -> State:
        used = (*state.players[self.seat].used_characters, self.character)
        state = change_player(state, self.seat, used_characters=used)
        return replace(state, played=self.character, action=self._begin_action(state))

    def _begin_action(self, state: State) -> Action | None:
        """Return the initial state of a play that takes several commands; None for any other play."""
        if self.character == "explorer":
            return Exploring(circumnavigation=is_sea_open(state))
        if self.character == "merchant":
            return Shipping()
        if self.character == "trader":
            nobody = (0,) * state.seats
            return Selling(0, nobody, nobody)
        return None


class ActionFinished(Fact, frozen=True):
    """A Character play is over."""

    seat: int
    character: str
    tell = says("{seat:who} is done with the {character:character}.")

    def fold(self, state: State) -> State:
        return replace(state, action=None)


# --- Treasury --------------------------------------------------------------------------------------


class TreasuryGiven(Fact, frozen=True):
    """A seat gives Treasury to another (COL-12-01)."""

    from_: int = msgspec.field(name="from")
    to: int
    amount: int
    tell = says("{from:who} gives {amount} Treasury to {to:who}.")

    def fold(self, state: State) -> State:
        return gain(gain(state, self.from_, treasury=-self.amount), self.to, treasury=self.amount)


class TreasuryDiscarded(Fact, frozen=True):
    """Treasury goes to the Pool."""

    seat: int
    amount: int
    reason: Literal["first_player", "scientist", "governor", "circumnavigation"]
    tell = says("{seat:who} pays {amount} Treasury to the Pool {reason:reason}.")

    def fold(self, state: State) -> State:
        return gain(state, self.seat, treasury=-self.amount)


# --- purchases and the end of the turn -------------------------------------------------------------


class PhaseBegan(Fact, frozen=True):
    """A seat's turn in Merchant Fleets, Naval Forces or at the end of the turn."""

    phase: Literal["merchant_fleets", "naval_forces", "end_of_turn"]
    seat: int
    tell = says("{seat:who} decides in {phase:phase}.")

    def fold(self, state: State) -> State:
        return replace(state, phase=self.phase, active=self.seat)


class PhaseSkipped(Fact, frozen=True):
    """A seat can buy nothing in a purchase phase (COL-04-16)."""

    phase: Literal["merchant_fleets", "naval_forces"]
    seat: int
    tell = says("{seat:who} can buy nothing in {phase:phase}.")


def _tell_purchase(piece: str) -> Telling:
    """Return the function that tells how many pieces were bought, each for 1 Treasury."""

    def tell(data: Data, who: Who) -> str:
        amount = data["amount"]
        cost = f" for {amount} Treasury (at most {data['limit']})" if amount else ""
        return capital(f"{who(data['seat'])} buys {format_number(amount, piece)}{cost}.")

    return tell


class MerchantFleetsBought(Fact, frozen=True):
    """A seat buys Merchant Fleets (COL-04-15)."""

    seat: int
    amount: int
    limit: int
    tell = staticmethod(_tell_purchase("Merchant Fleet"))

    def fold(self, state: State) -> State:
        return replace(
            gain(state, self.seat, treasury=-self.amount, merchant_fleets=self.amount), active=None
        )


class SquadronsBought(Fact, frozen=True):
    """A seat buys Squadrons (COL-04-19)."""

    seat: int
    amount: int
    limit: int
    tell = staticmethod(_tell_purchase("Squadron"))

    def fold(self, state: State) -> State:
        return replace(gain(state, self.seat, treasury=-self.amount, squadrons=self.amount), active=None)


class FirstPlayerMoved(Fact, frozen=True):
    """The First Player changes (COL-04-17); *monopolies* are counts by seat."""

    from_: int = msgspec.field(name="from")
    to: int
    reason: Literal["monopolies", "left"]
    monopolies: tuple[int, ...]

    def fold(self, state: State) -> State:
        return replace(state, first_player=self.to)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        verb = "keeps" if data["from"] == data["to"] else "takes"
        most = data["reason"] == "monopolies"
        why = "with the most Monopolies" if most else "on the left of the former First Player"
        return capital(f"{who(data['to'])} {verb} the First Player token, {why}.")


class InterestAdded(Fact, frozen=True):
    """Interest is added to Loans; *loans* has the new sizes (COL-04-20)."""

    loans: tuple[LoanGrown, ...]

    def fold(self, state: State) -> State:
        for grown in self.loans:
            state = resize_loan(state, grown.seat, grown.loan_id, grown.size)
        return state

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        piles = [f"{who(loan['seat'])} owes {loan['size']}" for loan in data["loans"]]
        return f"Every Loan grows by 1: {', '.join(piles)}."


class FlamboyancePaid(Fact, frozen=True):
    """A seat pays Treasury for Flamboyance (COL-25-24)."""

    seat: int
    amount: int
    tell = says("{seat:who} pays {amount} Treasury to the Pool for Flamboyance.")

    def fold(self, state: State) -> State:
        return gain(state, self.seat, treasury=-self.amount)


class FlamboyancePrestigeLost(Fact, frozen=True):
    """A seat loses Prestige to Flamboyance (COL-25-24)."""

    seat: int
    amount: int
    forced: bool
    tell = says("{seat:who} loses {amount} Prestige to Flamboyance.")

    def fold(self, state: State) -> State:
        return gain(state, self.seat, prestige=-self.amount)


class TurnEnded(Fact, frozen=True):
    """All cards return to the hands (COL-04-13)."""

    turn: int
    tell = says("Turn {turn} is over.")

    def fold(self, state: State) -> State:
        rows = zip(state.players, state.programmes, strict=True)
        players = tuple(replace(player, last_row=row) for player, row in rows)
        return replace(state, players=players, active=None)


class TurnLimitReached(Fact, frozen=True):
    """The turn limit ends the game (option ``turn_limit``); *ranking*: seats from first to last place."""

    turn: int
    ranking: tuple[int, ...]

    def fold(self, state: State) -> State:
        return replace(state, status="finished", active=None)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"The turn limit is reached after turn {data['turn']}; {who(data['ranking'][0])} leads."


# --- Prestige ------------------------------------------------------------------------------------


class SixPrestigeReached(Fact, frozen=True):
    """A seat has reached 6 Prestige, which ends some of its rules for good (COL-25-09)."""

    seat: int
    rules_ended: tuple[str, ...]
    tell = says("{seat:who} has reached 6 Prestige; {rules_ended:ended}.")

    def fold(self, state: State) -> State:
        return change_player(state, self.seat, reached_six=True)


class GameWon(Fact, frozen=True):
    """A seat wins the game (COL-00-01)."""

    seat: int
    prestige: int
    tell = says("{seat:who} wins with {prestige} Prestige!")

    def fold(self, state: State) -> State:
        return replace(state, status="finished", winner=self.seat, action=None, war=None)
