"""Facts of set-up, turn sequence, phases 2-7 and the end; and of seats that are not asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from msgspec.structs import replace

from events.rules.chance import D6
from events.rules.draw_binding import Drawing, bind_deal, die
from events.rules.fact import Fact, Telling, Who
from events.rules.kit.overseas.words import character_name, format_number
from events.rules.kit.values import change_player, gain, put, remove_each
from events.rules.kit.words import format_count, format_list
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.data import CARDS, PLAIN_DICE
from events.titles.colonial_revised.options import Options
from events.titles.colonial_revised.parts import Faces, SeatCard
from events.titles.colonial_revised.state import (
    AVAILABLE,
    BARRED,
    FINISHED,
    RUNNING,
    Action,
    CardState,
    State,
    change_rebellion,
    change_shipment,
    change_war,
    gain_each,
    next_in_queue,
    require,
    turn_over,
)
from events.titles.colonial_revised.words import Data, says

# --- set-up --------------------------------------------------------------------------------------


class GameBegan(Fact, frozen=True):
    """The table is set up for so many seats."""

    seats: int
    options: Options
    tell = says("A game for {seats} players begins.")

    def fold(self, state: State) -> State:
        return replace(state, status=RUNNING, options=self.options)


def _tell_order(data: Data, who: Who) -> str:
    return f"The player order is {format_list(who(seat) for seat in data['order'])}."


class PlayerOrderDealt(Fact, frozen=True):
    """The order cards are dealt at random (REV-015)."""

    drawn: ClassVar[Mapping[str, Drawing]] = {"order": bind_deal()}
    order: tuple[int, ...]
    tell = staticmethod(_tell_order)

    def fold(self, state: State) -> State:
        return replace(state, order=self.order)


class TreasuryDiscarded(Fact, frozen=True):
    """A holder of order card 1 or 2 discards (REV-016)."""

    seat: int
    amount: int
    tell = says("{seat:who} discards {amount} T for an early order card.")

    def fold(self, state: State) -> State:
        return gain(state, self.seat, treasury=-self.amount)


# --- turn, phases, rounds ------------------------------------------------------------------------


class TurnBegan(Fact, frozen=True):
    """A turn begins."""

    turn: int
    tell = says("Turn {turn} begins.")

    def fold(self, state: State) -> State:
        return replace(state, turn=self.turn)


class PhaseBegan(Fact, frozen=True):
    """A phase begins (REV-020)."""

    turn: int
    phase: str
    tell = says("Turn {turn}: {phase:phase}.")

    def fold(self, state: State) -> State:
        return replace(state, phase=self.phase, place=0, maintenance_paid=False)


class RoundBegan(Fact, frozen=True):
    """A round of the Endeavour phase begins (REV-022)."""

    turn: int
    round: int
    tell = says("Round {round} begins.")

    def fold(self, state: State) -> State:
        return replace(state, round=self.round, place=0)


class CardPlayed(Fact, frozen=True):
    """A card lies face up; no Character where it is passed (REV-025)."""

    seat: int
    turn: int
    round: int
    card_id: str
    character: str | None

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        if data["character"] is None:
            return f"{who(data['seat'])} lays down {w.card_name(data['card_id'])}."
        return f"{who(data['seat'])} plays the {character_name(data['character'])}."

    def fold(self, state: State) -> State:
        played = CardState("played", self.round, self.character)
        cards = put(state.players[self.seat].cards, list(CARDS).index(self.card_id), played)
        action = Action(self.seat, self.card_id, self.character)
        return replace(change_player(state, self.seat, cards=cards), action=action)


class ActionPassed(Fact, frozen=True):
    """Neither Character is used; *forced* where nothing was possible (REV-026)."""

    seat: int
    card_id: str
    forced: bool

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        forced = ", since nothing is possible" if data["forced"] else ""
        return f"{who(data['seat'])} passes {w.card_name(data['card_id'])}{forced}."


class ActionCompleted(Fact, frozen=True):
    """The card and all its sub-decisions are finished."""

    seat: int
    tell = says("{seat:who} has finished the card.")

    def fold(self, state: State) -> State:
        return replace(state, action=None, exploration=None, escalation=None, place=state.place + 1)


class TurnEnded(Fact, frozen=True):
    """Flags of the turn are cleared; the cards set aside are barred (REV-059, REV-023)."""

    turn: int
    tell = says("Turn {turn} ends.")

    def fold(self, state: State) -> State:
        players = tuple(
            replace(
                mine,
                cards=tuple(BARRED if card == mine.set_aside_choice else AVAILABLE for card in CARDS),
                set_aside_choice=None,
                navy_step_bought_this_turn=False,
                navy_step_by_escalation=False,
            )
            for mine in state.players
        )
        lands = tuple(
            replace(land, rebel_marked_this_turn=False) if land.rebel_marked_this_turn else land
            for land in state.lands
        )
        protected = ((),) * len(state.protected)
        return replace(state, players=players, lands=lands, protected=protected, war_fought_this_turn=False)


# --- phases 2 to 7 -------------------------------------------------------------------------------


def _tell_built(piece: str) -> Telling:
    """Return the function that tells how many pieces were built, each for 1 T."""

    def tell(data: Data, who: Who) -> str:
        count = data["count"]
        return f"{who(data['seat'])} builds {format_number(count, piece)}" + (
            f" for {count} T." if count else "."
        )

    return tell


class MerchantFleetsBuilt(Fact, frozen=True):
    """A seat builds Merchant Fleets in phase 2 (REV-030)."""

    seat: int
    count: int
    tell = staticmethod(_tell_built("Merchant Fleet"))

    def fold(self, state: State) -> State:
        return turn_over(gain(state, self.seat, treasury=-self.count, merchant_fleets=self.count))


class TieRolled(Fact, frozen=True):
    """Dice are rolled as the last tie-break of the player order (REV-036)."""

    drawn: ClassVar[Mapping[str, Drawing]] = {"rolls": PLAIN_DICE}
    seats: tuple[int, ...]
    rolls: Faces

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        rolls = (f"{who(seat)} a {roll}" for seat, roll in zip(data["seats"], data["rolls"], strict=True))
        return f"For the tied player order, {format_list(rolls)} was rolled."


class PlayerOrderSet(Fact, frozen=True):
    """The order cards are dealt again (REV-035)."""

    order: tuple[int, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        order = format_list(who(seat) for seat in data["order"])
        return f"The player order is {order}: fewer Prestige Points come first, then fewer spaces."

    def fold(self, state: State) -> State:
        return replace(state, order=self.order)


class MaintenancePaid(Fact, frozen=True):
    """Squadrons that cannot be paid are scrapped (REV-040, REV-041)."""

    seat: int
    amount: int
    squadrons_scrapped: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        lost = data["squadrons_scrapped"]
        scrapped = f" and scraps {w.squadrons(lost)}" if lost else ""
        return f"{who(data['seat'])} pays {data['amount']} T to the Pool for maintenance{scrapped}."

    def fold(self, state: State) -> State:
        state = gain(state, self.seat, treasury=-self.amount, squadrons=-self.squadrons_scrapped)
        return replace(state, maintenance_paid=True)


class SquadronsBuilt(Fact, frozen=True):
    """A seat builds Squadrons in phase 4."""

    seat: int
    count: int
    tell = staticmethod(_tell_built("Squadron"))

    def fold(self, state: State) -> State:
        return turn_over(gain(state, self.seat, treasury=-self.count, squadrons=self.count))


class PrivateersCommissioned(Fact, frozen=True):
    """Treasury becomes Privateers in a victim's box (REV-045)."""

    seat: int
    victim: int
    count: int
    tell = says("{seat:who} sends {count:privateers} for {count} T against {victim:who}.")

    def fold(self, state: State) -> State:
        mine = state.players[self.seat]
        privateers = put(mine.privateers, self.victim, mine.privateers[self.victim] + self.count)
        return change_player(state, self.seat, treasury=mine.treasury - self.count, privateers=privateers)


class PrivateeringCompleted(Fact, frozen=True):
    """The seat has placed all the Privateers that it wants this turn."""

    seat: int
    tell = says("{seat:who} has finished privateering.")

    def fold(self, state: State) -> State:
        return turn_over(state)


class InterestAdded(Fact, frozen=True):
    """Interest is added to Loans in phase 6 (REV-050)."""

    seat: int
    amount: int
    tell = says("{seat:who} owes {amount} more as interest.")

    def fold(self, state: State) -> State:
        return gain(state, self.seat, loans=self.amount)


class CardSetAside(Fact, frozen=True):
    """A seat sets aside a card, sealed (REV-055)."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"card_id": ("seat",)}
    seat: int
    card_id: str
    tell = says("{seat:who} sets aside {card_id:card|a card}.")

    def fold(self, state: State) -> State:
        return change_player(state, self.seat, set_aside_choice=self.card_id)


class SetAsideCardsRevealed(Fact, frozen=True):
    """All cards set aside are revealed together (REV-057)."""

    discloses = True
    card_by_player: tuple[SeatCard, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        cards = (f"{who(entry['seat'])} {w.card_name(entry['card_id'])}" for entry in data["card_by_player"])
        return f"Set aside for the next turn: {format_list(cards)}."


# --- the end -------------------------------------------------------------------------------------


class WarBoxIncreased(Fact, frozen=True):
    """The War box grows, since no war was fought this turn (REV-058)."""

    to: int
    tell = says("No war was fought: the War box grows to {to} T.")

    def fold(self, state: State) -> State:
        return replace(state, war_box=self.to)


class EndRollMade(Fact, frozen=True):
    """The end roll is made, from turn 8 on (REV-393)."""

    drawn: ClassVar[Mapping[str, Drawing]] = {"roll": die(D6)}
    turn: int
    roll: int
    threshold: int

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        ends = "the game ends" if data["roll"] <= data["threshold"] else "the game goes on"
        return (
            f"The end roll of turn {data['turn']} is {data['roll']} "
            f"(ends on {data['threshold']} or less): {ends}."
        )


END_REASONS = {"ten_points": "10 Prestige Points are reached", "end_roll": "the end roll closes the game"}


class GameEnded(Fact, frozen=True):
    """The game ends; *reason*: ``ten_points`` or ``end_roll``."""

    reason: str

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        return f"The game ends: {END_REASONS[data['reason']]}."

    def fold(self, state: State) -> State:
        # No card is barred in a turn that does not come.
        players = tuple(replace(mine, set_aside_choice=None) for mine in state.players)
        return replace(state, end_reason=self.reason, players=players)


class LoansRepaidAtEnd(Fact, frozen=True):
    """Everybody repays as much of their Loan as they can (REV-394)."""

    amount_by_player: tuple[int, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        paid = [f"{who(seat)} {amount} T" for seat, amount in enumerate(data["amount_by_player"]) if amount]
        return (
            f"Loans repaid at the end: {format_list(paid)}."
            if paid
            else "Nobody can repay a Loan at the end."
        )

    def fold(self, state: State) -> State:
        amounts = {seat: -amount for seat, amount in enumerate(self.amount_by_player)}
        return gain_each(gain_each(state, "loans", amounts), "treasury", amounts)


class LoanPenaltyApplied(Fact, frozen=True):
    """A seat has lost Prestige Points for the Loan it still has (REV-395)."""

    seat: int
    pp: int
    tell = says("{seat:who} loses {pp:points} for the Loan.")


TIE_BREAKS = {
    "": "",
    "colonies": ", ahead by Colonies",
    "monopolies": ", ahead by Monopolies",
    "resources": ", ahead by Resources",
    "war_victories": ", ahead by war victories",
    "shared": ", and share the victory",
}


class GameWon(Fact, frozen=True):
    """The winners are found; *tie_break*: the criterion that decided, or empty."""

    seats: tuple[int, ...]
    net_pp: int
    tie_break: str

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        winners = format_list(who(seat) for seat in data["seats"])
        verb = "wins" if len(data["seats"]) == 1 else "have most"
        points = format_count(data["net_pp"], "net Prestige Point")
        return f"{winners} {verb} with {points}{TIE_BREAKS[data['tie_break']]}."

    def fold(self, state: State) -> State:
        return replace(state, status=FINISHED, winners=self.seats, tie_break=self.tie_break)


# --- a seat that is not asked, since it has nothing to decide: play goes on as if it had declined ---------

WHY = {
    "play_card": "has no card to play",
    "buy_exploration": "cannot pay for the shortfall",
    "settle_exploration": "can place nothing in the new Territory",
    "confirm_shipment": "was granted no foreign Goods",
    "confirm_trade": "was granted no foreign Goods",
    "attack_merchant": "finds nothing left to attack",
    "avert_losses": "cannot pay to save counters",
    "enter_after_rebellion": "cannot enter the lost Colony",
    "offer_alliance": "has nothing to offer to an Ally",
    "accept_ally": "has no volunteer",
    "send_expedition": "has no target or no Treasury for a military expedition",
    "buy_navy_step": "can buy no Navy step",
    "buy_escalation_squadrons": "can buy no Squadron",
    "build_merchant_fleets": "builds no Merchant Fleet",
    "build_squadrons": "builds no Squadron",
    "commission_privateers": "commissions no Privateers",
}


class DecisionSkipped(Fact, frozen=True):
    """A seat had nothing to decide, so it is not awaited."""

    seat: int
    decision: str
    reason: str

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"{who(data['seat'])} {WHY[data['decision']]}."

    def fold(self, state: State) -> State:
        follow = _FOLLOWS.get(self.decision)
        return follow(state, self.seat) if follow else state


def _no_averting(state: State, seat: int) -> State:
    return change_rebellion(state, awaiting=remove_each(require(state.rebellion).awaiting, [seat]))


def _no_attack(state: State, seat: int) -> State:
    return change_shipment(state, awaiting=remove_each(require(state.shipment).awaiting, [seat]))


def _no_offer(state: State, _seat: int) -> State:
    return change_war(
        state, step="offer_defender" if require(state.war).step == "offer_attacker" else "choice"
    )


def _no_volunteer(state: State, _seat: int) -> State:
    return change_war(state, step="pick_defender" if require(state.war).step == "pick_attacker" else "fight")


_FOLLOWS: dict[str, Callable[[State, int], State]] = {
    "settle_exploration": lambda state, _seat: replace(state, exploration=None),
    "attack_merchant": _no_attack,
    "avert_losses": _no_averting,
    "enter_after_rebellion": lambda state, _seat: change_rebellion(state, step="close"),
    "offer_alliance": _no_offer,
    "accept_ally": _no_volunteer,
    "send_expedition": lambda state, _seat: change_war(state, step="check"),
    "buy_navy_step": lambda state, _seat: next_in_queue(state),
    "buy_escalation_squadrons": lambda state, _seat: next_in_queue(state),
    "play_card": lambda state, _seat: turn_over(state),
    "build_merchant_fleets": lambda state, _seat: turn_over(state),
    "build_squadrons": lambda state, _seat: turn_over(state),
    "commission_privateers": lambda state, _seat: turn_over(state),
}
"""By the decision that is skipped; another fact tells what follows from the others."""
