"""The turn outside the Endeavour phase: set-up of the map, purchases, token, interest, end (COL-04)."""

from __future__ import annotations

from typing import Literal

from events.kit.values import clockwise
from events.steps import Rejected
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from events.titles.colonial.data import RULES, TERRITORIES
from events.titles.colonial.derived import monopoly_counts, nation, ranking
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import State
from events.titles.colonial.steps import guards

Purchase = Literal["merchant_fleets", "naval_forces"]


def prepare_board(draft: Draft) -> None:
    """COL-03-01, COL-03-02: Prestige on the map; then the first turn."""
    start, state = RULES.start, draft.state
    prestige = {
        land.id: start.prestige_of.get(land.id, start.territory_prestige)
        for land in TERRITORIES
        if not state.excluded[land.number]
    }
    box = 0 if state.america_discovered else start.discovery_box
    draft.emit(f.BoardPrepared(prestige, box))
    draft.emit(f.TurnBegan(1, state.first_player))


# --- Merchant Fleets and Naval Forces ----------------------------------------------------------


def limit(state: State, seat: int, phase: Purchase) -> int:
    """How much the seat may buy in that phase, Treasury aside (COL-04-15, COL-04-19)."""
    return monopoly_counts(state)[seat] if phase == "merchant_fleets" else state.players[seat].navy


def open_phase(draft: Draft, phase: Purchase, after: int | None = None) -> None:
    """The next seat that may buy, skipping those who cannot (COL-04-16); then the next phase."""
    state = draft.state
    order = clockwise(state.seats, state.first_player)
    for seat in order[order.index(after) + 1 :] if after is not None else order:
        if min(limit(state, seat, phase), state.players[seat].treasury):
            draft.emit(f.PhaseBegan(phase, seat))
            return
        draft.emit(f.PhaseSkipped(phase, seat))
    if phase == "merchant_fleets":
        _first_player_phase(draft)
        open_phase(draft, "naval_forces")
    else:
        _loan_interest(draft)
        _end_of_turn(draft)


def buy_merchant_fleets(draft: Draft, seat: int, command: c.BuyMerchantFleets) -> None:
    """COL-04-15."""
    guards.active(draft.state, seat, "merchant_fleets")
    most = limit(draft.state, seat, "merchant_fleets")
    if command.amount > most:
        raise Rejected(
            "too_many_fleets", f"You may buy one Merchant Fleet for each Monopoly: at most {most}."
        )
    guards.has_treasury(draft.state, seat, command.amount)
    draft.emit(f.MerchantFleetsBought(seat, command.amount, most))
    open_phase(draft, "merchant_fleets", seat)


def buy_squadrons(draft: Draft, seat: int, command: c.BuySquadrons) -> None:
    """COL-04-19."""
    guards.active(draft.state, seat, "naval_forces")
    most = limit(draft.state, seat, "naval_forces")
    if command.amount > most:
        raise Rejected("too_many_squadrons", f"Your Navy allows at most {most} Squadrons a turn.")
    guards.has_treasury(draft.state, seat, command.amount)
    draft.emit(f.SquadronsBought(seat, command.amount, most))
    open_phase(draft, "naval_forces", seat)


# --- automatic phases --------------------------------------------------------------------------


def _first_player_phase(draft: Draft) -> None:
    """COL-04-17, COL-04-18: to the one with strictly most Monopolies, else to the left."""
    state = draft.state
    counts = monopoly_counts(state)
    leaders = [seat for seat, count in enumerate(counts) if count == max(counts)]
    if len(leaders) == 1:
        draft.emit(f.FirstPlayerMoved(state.first_player, leaders[0], "monopolies", counts))
    else:
        left = (state.first_player + 1) % state.seats
        draft.emit(f.FirstPlayerMoved(state.first_player, left, "left", counts))


def _loan_interest(draft: Draft) -> None:
    """COL-04-20: 1 counter on every pile."""
    grown = tuple(
        f.LoanGrown(seat, loan.loan_id, loan.size + RULES.loan_interest)
        for seat, player in enumerate(draft.state.players)
        for loan in player.loans
    )
    if grown:
        draft.emit(f.InterestAdded(grown))


def _end_of_turn(draft: Draft) -> None:
    """COL-25-24, COL-25-25: Flamboyance first; it is forced if it cannot be paid."""
    for seat, player in enumerate(draft.state.players):
        card = nation(player)
        if card and card.flamboyance and player.prestige:
            if player.treasury >= player.prestige:
                draft.emit(f.PhaseBegan("end_of_turn", seat))
                return
            draft.emit(f.FlamboyancePrestigeLost(seat, 1, forced=True))
    _end(draft)


def decide_flamboyance(draft: Draft, seat: int, command: c.DecideFlamboyance) -> None:
    """COL-25-24: Treasury equal to the Prestige, or 1 Prestige."""
    guards.active(draft.state, seat, "end_of_turn")
    player = draft.player(seat)
    if command.choice == "lose_prestige":
        draft.emit(f.FlamboyancePrestigeLost(seat, min(1, player.prestige), forced=False))
    elif player.treasury < player.prestige:
        raise Rejected(
            "cannot_pay", f"Flamboyance costs {player.prestige} Treasury; lose 1 Prestige instead."
        )
    else:
        draft.emit(f.FlamboyancePaid(seat, player.prestige))
    _end(draft)


def _end(draft: Draft) -> None:
    """COL-04-13: cards return; Portugal's extra card may leave (COL-25-10); a new turn begins."""
    turn = draft.state.turn
    draft.emit(f.TurnEnded(turn))
    for seat, player in enumerate(draft.state.players):
        card = nation(player)
        if card and card.extra_card_ends and player.reached_six and player.cards.count(card.extra_card) > 1:
            draft.emit(f.ExtraCardRemoved(seat, card.extra_card))
    most = draft.state.options.turn_limit
    if most is not None and turn >= most:
        draft.emit(f.TurnLimitReached(turn, ranking(draft.state)))
    else:
        draft.emit(f.TurnBegan(turn + 1, draft.state.first_player))
