"""The turn outside the Endeavour phase: set-up of the map, purchases, token, interest, end (COL-04)."""

from __future__ import annotations

from typing import Literal

from events.kit.values import clockwise
from events.steps import Rejected
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from events.titles.colonial.data import RULES, TERRITORIES
from events.titles.colonial.derived import monopoly_counts, nation, ranking
from events.titles.colonial.state import State
from events.titles.colonial.steps import guards
from events.titles.colonial.table import Table

Purchase = Literal["merchant_fleets", "naval_forces"]


def prepare_board(table: Table) -> None:
    """COL-03-01, COL-03-02: Prestige on the map; then the first turn."""
    start, state = RULES.start, table.state
    prestige = {
        land.id: start.prestige_of.get(land.id, start.territory_prestige)
        for land in TERRITORIES
        if not state.excluded[land.number]
    }
    box = 0 if state.america_discovered else start.discovery_box
    table.emit(f.BoardPrepared(prestige, box))
    table.emit(f.TurnBegan(1, state.first_player))


# --- Merchant Fleets and Naval Forces ----------------------------------------------------------


def limit(state: State, seat: int, phase: Purchase) -> int:
    """How much the seat may buy in that phase, Treasury aside (COL-04-15, COL-04-19)."""
    return monopoly_counts(state)[seat] if phase == "merchant_fleets" else state.players[seat].navy


def open_phase(table: Table, phase: Purchase, after: int | None = None) -> None:
    """The next seat that may buy, skipping those who cannot (COL-04-16); then the next phase."""
    state = table.state
    order = clockwise(state.seats, state.first_player)
    for seat in order[order.index(after) + 1 :] if after is not None else order:
        if min(limit(state, seat, phase), state.players[seat].treasury):
            table.emit(f.PhaseBegan(phase, seat))
            return
        table.emit(f.PhaseSkipped(phase, seat))
    if phase == "merchant_fleets":
        _first_player_phase(table)
        open_phase(table, "naval_forces")
    else:
        _loan_interest(table)
        _end_of_turn(table)


def buy_merchant_fleets(table: Table, seat: int, command: c.BuyMerchantFleets) -> None:
    """COL-04-15."""
    guards.active(table.state, seat, "merchant_fleets")
    most = limit(table.state, seat, "merchant_fleets")
    if command.amount > most:
        raise Rejected(
            "too_many_fleets", f"You may buy one Merchant Fleet for each Monopoly: at most {most}."
        )
    guards.has_treasury(table.state, seat, command.amount)
    table.emit(f.MerchantFleetsBought(seat, command.amount, most))
    open_phase(table, "merchant_fleets", seat)


def buy_squadrons(table: Table, seat: int, command: c.BuySquadrons) -> None:
    """COL-04-19."""
    guards.active(table.state, seat, "naval_forces")
    most = limit(table.state, seat, "naval_forces")
    if command.amount > most:
        raise Rejected("too_many_squadrons", f"Your Navy allows at most {most} Squadrons a turn.")
    guards.has_treasury(table.state, seat, command.amount)
    table.emit(f.SquadronsBought(seat, command.amount, most))
    open_phase(table, "naval_forces", seat)


# --- automatic phases --------------------------------------------------------------------------


def _first_player_phase(table: Table) -> None:
    """COL-04-17, COL-04-18: to the one with strictly most Monopolies, else to the left."""
    state = table.state
    counts = monopoly_counts(state)
    leaders = [seat for seat, count in enumerate(counts) if count == max(counts)]
    if len(leaders) == 1:
        table.emit(f.FirstPlayerMoved(state.first_player, leaders[0], "monopolies", counts))
    else:
        left = (state.first_player + 1) % state.seats
        table.emit(f.FirstPlayerMoved(state.first_player, left, "left", counts))


def _loan_interest(table: Table) -> None:
    """COL-04-20: 1 counter on every pile."""
    grown = tuple(
        f.LoanGrown(seat, loan.loan_id, loan.size + RULES.loan_interest)
        for seat, player in enumerate(table.state.players)
        for loan in player.loans
    )
    if grown:
        table.emit(f.InterestAdded(grown))


def _end_of_turn(table: Table) -> None:
    """COL-25-24, COL-25-25: Flamboyance first; it is forced if it cannot be paid."""
    for seat, player in enumerate(table.state.players):
        card = nation(player)
        if card and card.flamboyance and player.prestige:
            if player.treasury >= player.prestige:
                table.emit(f.PhaseBegan("end_of_turn", seat))
                return
            table.emit(f.FlamboyancePrestigeLost(seat, 1, forced=True))
    _end(table)


def decide_flamboyance(table: Table, seat: int, command: c.DecideFlamboyance) -> None:
    """COL-25-24: Treasury equal to the Prestige, or 1 Prestige."""
    guards.active(table.state, seat, "end_of_turn")
    player = table.player(seat)
    if command.choice == "lose_prestige":
        table.emit(f.FlamboyancePrestigeLost(seat, min(1, player.prestige), forced=False))
    elif player.treasury < player.prestige:
        raise Rejected(
            "cannot_pay", f"Flamboyance costs {player.prestige} Treasury; lose 1 Prestige instead."
        )
    else:
        table.emit(f.FlamboyancePaid(seat, player.prestige))
    _end(table)


def _end(table: Table) -> None:
    """COL-04-13: cards return; Portugal's extra card may leave (COL-25-10); a new turn begins."""
    turn = table.state.turn
    table.emit(f.TurnEnded(turn))
    for seat, player in enumerate(table.state.players):
        card = nation(player)
        if card and card.extra_card_ends and player.reached_six and player.cards.count(card.extra_card) > 1:
            table.emit(f.ExtraCardRemoved(seat, card.extra_card))
    most = table.state.options.turn_limit
    if most is not None and turn >= most:
        table.emit(f.TurnLimitReached(turn, ranking(table.state)))
    else:
        table.emit(f.TurnBegan(turn + 1, table.state.first_player))
