"""Folds of set-up, turn sequence, phases 2-7 and the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.fact import Fact
from events.kit.values import put
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import CARDS
from events.titles.colonial_revised.fold.values import by_seat, player
from events.titles.colonial_revised.state import (
    AVAILABLE,
    BARRED,
    FINISHED,
    RUNNING,
    Action,
    CardState,
    State,
)


def _game_started(s: State, e: f.GameBegan) -> State:
    return replace(s, status=RUNNING, options=e.options)


def _order_set(s: State, e: f.PlayerOrderDealt | f.PlayerOrderSet) -> State:
    return replace(s, order=e.order)


def _treasury_discarded(s: State, e: f.TreasuryDiscarded) -> State:
    return player(s, e.seat, treasury=s.players[e.seat].treasury - e.amount)


def _turn_started(s: State, e: f.TurnBegan) -> State:
    return replace(s, turn=e.turn)


def _phase_started(s: State, e: f.PhaseBegan) -> State:
    return replace(s, phase=e.phase, place=0, maintenance_paid=False)


def _round_started(s: State, e: f.RoundBegan) -> State:
    return replace(s, round=e.round, place=0)


def _card_played(s: State, e: f.CardPlayed) -> State:
    cards = put(s.players[e.seat].cards, CARDS.index(e.card_id), CardState("played", e.round, e.character))
    return replace(player(s, e.seat, cards=cards), action=Action(e.seat, e.card_id, e.character))


def _unchanged(s: State, e: object) -> State:
    return s


def _action_completed(s: State, e: f.ActionCompleted) -> State:
    return replace(s, action=None, exploration=None, escalation=None, place=s.place + 1)


def _fleets_built(s: State, e: f.MerchantFleetsBuilt) -> State:
    mine = s.players[e.seat]
    s = player(s, e.seat, treasury=mine.treasury - e.count, merchant_fleets=mine.merchant_fleets + e.count)
    return replace(s, place=s.place + 1, maintenance_paid=False)


def _maintenance_paid(s: State, e: f.MaintenancePaid) -> State:
    mine = s.players[e.seat]
    left = mine.squadrons - e.squadrons_scrapped
    s = player(s, e.seat, treasury=mine.treasury - e.amount, squadrons=left)
    return replace(s, maintenance_paid=True)


def _squadrons_built(s: State, e: f.SquadronsBuilt) -> State:
    mine = s.players[e.seat]
    s = player(s, e.seat, treasury=mine.treasury - e.count, squadrons=mine.squadrons + e.count)
    return replace(s, place=s.place + 1, maintenance_paid=False)


def _privateers_commissioned(s: State, e: f.PrivateersCommissioned) -> State:
    mine = s.players[e.seat]
    fleet = put(mine.privateers, e.victim, mine.privateers[e.victim] + e.count)
    return player(s, e.seat, treasury=mine.treasury - e.count, privateers=fleet)


def place_done(s: State, e: object) -> State:
    """A player has finished his part of the phase."""
    return replace(s, place=s.place + 1, maintenance_paid=False)


def _interest_added(s: State, e: f.InterestAdded) -> State:
    return player(s, e.seat, loans=s.players[e.seat].loans + e.amount)


def _card_set_aside(s: State, e: f.CardSetAside) -> State:
    return player(s, e.seat, set_aside_choice=e.card_id)


def _loan_taken(s: State, e: f.LoanTaken) -> State:
    mine = s.players[e.seat]
    s = player(s, e.seat, loans=mine.loans + e.loan, treasury=mine.treasury + e.treasury)
    if e.emergency and s.escalation:
        s = replace(s, escalation=replace(s.escalation, loans_used=(*s.escalation.loans_used, e.seat)))
    return s


def _loan_repaid(s: State, e: f.LoanRepaid) -> State:
    mine = s.players[e.seat]
    return player(s, e.seat, loans=mine.loans - e.amount, treasury=mine.treasury - e.amount)


def _loans_repaid(s: State, e: f.LoansRepaidAtEnd) -> State:
    amounts = {seat: -amount for seat, amount in enumerate(e.amount_by_player)}
    return by_seat(by_seat(s, "loans", amounts), "treasury", amounts)


def _war_box_increased(s: State, e: f.WarBoxIncreased) -> State:
    return replace(s, war_box=e.to)


def turn_ended(s: State, e: f.TurnEnded) -> State:
    """Per-turn flags are cleared; the cards set aside are barred (REV-059, REV-023)."""
    players = []
    for mine in s.players:
        cards = tuple(BARRED if card == mine.set_aside_choice else AVAILABLE for card in CARDS)
        players.append(
            replace(
                mine,
                cards=cards,
                set_aside_choice=None,
                navy_step_bought_this_turn=False,
                navy_step_by_escalation=False,
            )
        )
    lands = tuple(
        replace(land, rebel_marked_this_turn=False) if land.rebel_marked_this_turn else land
        for land in s.territories
    )
    return replace(
        s,
        players=tuple(players),
        territories=lands,
        protected=((),) * len(s.protected),
        war_fought_this_turn=False,
    )


def _game_ended(s: State, e: f.GameEnded) -> State:
    return replace(s, end_reason=e.reason)


def _game_won(s: State, e: f.GameWon) -> State:
    return replace(s, status=FINISHED, winners=e.seats, tie_break=e.tie_break)


FOLD: dict[type[Fact], Callable[[Any, Any], State]] = {
    f.GameBegan: _game_started,
    f.PlayerOrderDealt: _order_set,
    f.PlayerOrderSet: _order_set,
    f.TieRolled: _unchanged,
    f.TreasuryDiscarded: _treasury_discarded,
    f.TurnBegan: _turn_started,
    f.PhaseBegan: _phase_started,
    f.RoundBegan: _round_started,
    f.CardPlayed: _card_played,
    f.ActionPassed: _unchanged,
    f.ActionCompleted: _action_completed,
    f.MerchantFleetsBuilt: _fleets_built,
    f.MaintenancePaid: _maintenance_paid,
    f.SquadronsBuilt: _squadrons_built,
    f.PrivateersCommissioned: _privateers_commissioned,
    f.PrivateeringCompleted: place_done,
    f.InterestAdded: _interest_added,
    f.CardSetAside: _card_set_aside,
    f.SetAsideCardsRevealed: _unchanged,
    f.LoanTaken: _loan_taken,
    f.LoanRepaid: _loan_repaid,
    f.LoansRepaidAtEnd: _loans_repaid,
    f.LoanPenaltyApplied: _unchanged,
    f.WarBoxIncreased: _war_box_increased,
    f.EndRollMade: _unchanged,
    f.TurnEnded: turn_ended,
    f.GameEnded: _game_ended,
    f.GameWon: _game_won,
}
