"""Programming and the five rounds of the Endeavour phase; repaying Loans; gifts (COL-04, COL-12, COL-16)."""

from __future__ import annotations

from collections import Counter

from events.kit.values import without
from events.steps import NOT_YOUR_DECISION, Rejected
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from events.titles.colonial.data import CARD_OF, RULES
from events.titles.colonial.steps import guards, turn
from events.titles.colonial.table import Table


def program_cards(table: Table, seat: int, command: c.ProgramCards) -> None:
    """COL-04-03 to COL-04-06: a secret row of five; it may be replaced until all have submitted."""
    state = table.state
    if state.phase == "nation_choice":
        raise Rejected(NOT_YOUR_DECISION, "The Nations are chosen first.")
    if state.phase != "programming":
        raise Rejected("programming_closed", "All rows are fixed for this turn; programme again next turn.")
    if len(command.row) != RULES.programmed_cards:
        raise Rejected("wrong_number_of_cards", f"Line up exactly {RULES.programmed_cards} cards.")
    hand = state.players[seat].cards
    if Counter(command.row) - Counter(hand):
        raise Rejected("card_not_in_hand", "Use each card of your hand at most once.")
    table.emit(f.CardsProgrammed(seat, command.row, without(hand, command.row)))
    if all(table.state.programmes):
        table.emit(f.ProgrammingClosed(state.turn))
        _open_round(table, 1)


def _open_round(table: Table, number: int) -> None:
    """COL-04-06, COL-04-07: all reveal a card, the First Player begins."""
    cards = tuple(row[number - 1] for row in table.state.programmes)
    table.emit(f.CardsRevealed(number, cards))
    table.emit(f.RoundBegan(number, table.state.first_player))


def _next(table: Table, seat: int) -> None:
    """The next seat, the next round, or the Merchant Fleets phase (COL-04-07, COL-04-14)."""
    number = table.state.round
    table.emit(f.RoundEnded(number, seat))
    following = (seat + 1) % table.state.seats
    if following != table.state.first_player:
        table.emit(f.RoundBegan(number, following))
    elif number < RULES.rounds:
        _open_round(table, number + 1)
    else:
        turn.open_phase(table, "merchant_fleets")


def forfeit_round(table: Table, seat: int, command: c.ForfeitRound) -> None:
    """COL-04-09."""
    guards.active(table.state, seat)
    guards.play_in_progress(table.state, seat)
    table.emit(f.RoundForfeited(table.state.round, seat))
    _next(table, seat)


def end_round(table: Table, seat: int, command: c.EndRound) -> None:
    """COL-04-12."""
    guards.active(table.state, seat)
    if table.state.played is None:
        raise Rejected("no_action_taken", "Play a Character or forfeit the round.")
    if table.state.action or table.state.war:
        raise Rejected("action_in_progress", "Finish the Character play first.")
    _next(table, seat)


def use(table: Table, seat: int, character: str) -> None:
    """A Character play begins; all its checks are done."""
    table.emit(f.CharacterUsed(seat, CARD_OF[character], character, table.state.round))


def finish(table: Table, seat: int) -> None:
    """A Character play is over; without Loans the round is over too (COL-04-12)."""
    table.emit(f.ActionFinished(seat, table.state.played or ""))
    _end_without_loans(table, seat)


def _end_without_loans(table: Table, seat: int) -> None:
    if not table.player(seat).loans:
        _next(table, seat)


def repay_loan(table: Table, seat: int, command: c.RepayLoan) -> None:
    """COL-16-03, COL-16-04: any time in one's own rounds, also within an action."""
    state = table.state
    if state.phase != "endeavour" or state.active != seat:
        raise Rejected("not_your_round", "Loans are repaid in your own rounds of the Endeavour phase.")
    size = next((loan.size for loan in state.players[seat].loans if loan.loan_id == command.loan_id), None)
    if size is None:
        raise Rejected("no_such_loan", "Name a Loan pile of yours.")
    guards.at_most(command.amount, size)
    guards.has_treasury(state, seat, command.amount)
    table.emit(f.LoanRepaid(seat, command.loan_id, command.amount, size - command.amount))
    if state.played and not (state.action or state.war):
        _end_without_loans(table, seat)


def transfer_treasury(table: Table, seat: int, command: c.TransferTreasury) -> None:
    """COL-12-01 to COL-12-03: a gift, at any time."""
    guards.player_known(table.state, command.to)
    guards.has_treasury(table.state, seat, command.amount)
    if command.to == seat:
        raise Rejected("transfer_to_self", "Give Treasury to another player.")
    table.emit(f.TreasuryGiven(seat, command.to, command.amount))
