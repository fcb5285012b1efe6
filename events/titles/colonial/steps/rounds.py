"""Programming and the five rounds of the Endeavour phase; repaying Loans; gifts (COL-04, COL-12, COL-16)."""

from __future__ import annotations

from collections import Counter

from events.kit.values import without
from events.steps import NOT_YOUR_DECISION, Rejected
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from events.titles.colonial.data import CARD_OF, RULES
from events.titles.colonial.draft import Draft
from events.titles.colonial.steps import guards, turn


def program_cards(draft: Draft, seat: int, command: c.ProgramCards) -> None:
    """COL-04-03 to COL-04-06: a secret row of five; it may be replaced until all have submitted."""
    state = draft.state
    if state.phase == "nation_choice":
        raise Rejected(NOT_YOUR_DECISION, "The Nations are chosen first.")
    if state.phase != "programming":
        raise Rejected("programming_closed", "All rows are fixed for this turn; programme again next turn.")
    if len(command.row) != RULES.programmed_cards:
        raise Rejected("wrong_number_of_cards", f"Line up exactly {RULES.programmed_cards} cards.")
    hand = state.players[seat].cards
    if Counter(command.row) - Counter(hand):
        raise Rejected("card_not_in_hand", "Use each card of your hand at most once.")
    draft.emit(f.CardsProgrammed(seat, command.row, without(hand, command.row)))
    if all(draft.state.programmes):
        draft.emit(f.ProgrammingClosed(state.turn))
        _open_round(draft, 1)


def _open_round(draft: Draft, number: int) -> None:
    """COL-04-06, COL-04-07: all reveal a card, the First Player begins."""
    cards = tuple(row[number - 1] for row in draft.state.programmes)
    draft.emit(f.CardsRevealed(number, cards))
    draft.emit(f.RoundBegan(number, draft.state.first_player))


def _next(draft: Draft, seat: int) -> None:
    """The next seat, the next round, or the Merchant Fleets phase (COL-04-07, COL-04-14)."""
    number = draft.state.round
    draft.emit(f.RoundEnded(number, seat))
    following = (seat + 1) % draft.state.seats
    if following != draft.state.first_player:
        draft.emit(f.RoundBegan(number, following))
    elif number < RULES.rounds:
        _open_round(draft, number + 1)
    else:
        turn.open_phase(draft, "merchant_fleets")


def forfeit_round(draft: Draft, seat: int, command: c.ForfeitRound) -> None:
    """COL-04-09."""
    guards.active(draft.state, seat)
    guards.play_in_progress(draft.state, seat)
    draft.emit(f.RoundForfeited(draft.state.round, seat))
    _next(draft, seat)


def end_round(draft: Draft, seat: int, command: c.EndRound) -> None:
    """COL-04-12."""
    guards.active(draft.state, seat)
    if draft.state.played is None:
        raise Rejected("no_action_taken", "Play a Character or forfeit the round.")
    if draft.state.action or draft.state.war:
        raise Rejected("action_in_progress", "Finish the Character play first.")
    _next(draft, seat)


def use(draft: Draft, seat: int, character: str) -> None:
    """A Character play begins; all its checks are done."""
    draft.emit(f.CharacterUsed(seat, CARD_OF[character], character, draft.state.round))


def finish(draft: Draft, seat: int) -> None:
    """A Character play is over; without Loans the round is over too (COL-04-12)."""
    draft.emit(f.ActionFinished(seat, draft.state.played or ""))
    _end_without_loans(draft, seat)


def _end_without_loans(draft: Draft, seat: int) -> None:
    if not draft.player(seat).loans:
        _next(draft, seat)


def repay_loan(draft: Draft, seat: int, command: c.RepayLoan) -> None:
    """COL-16-03, COL-16-04: any time in one's own rounds, also within an action."""
    state = draft.state
    if state.phase != "endeavour" or state.active != seat:
        raise Rejected("not_your_round", "Loans are repaid in your own rounds of the Endeavour phase.")
    size = next((loan.size for loan in state.players[seat].loans if loan.loan_id == command.loan_id), None)
    if size is None:
        raise Rejected("no_such_loan", "Name a Loan pile of yours.")
    guards.at_most(command.amount, size)
    guards.has_treasury(state, seat, command.amount)
    draft.emit(f.LoanRepaid(seat, command.loan_id, command.amount, size - command.amount))
    if state.played and not (state.action or state.war):
        _end_without_loans(draft, seat)


def transfer_treasury(draft: Draft, seat: int, command: c.TransferTreasury) -> None:
    """COL-12-01 to COL-12-03: a gift, at any time."""
    guards.player_known(draft.state, command.to)
    guards.has_treasury(draft.state, seat, command.amount)
    if command.to == seat:
        raise Rejected("transfer_to_self", "Give Treasury to another player.")
    draft.emit(f.TreasuryGiven(seat, command.to, command.amount))
