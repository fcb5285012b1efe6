"""First Player, Loan Interest, Flamboyance and the end of the turn (COL-04, COL-25)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Move, Rejected, Step
from events.titles.colonial import facts as f
from events.titles.colonial.commands import DecideFlamboyance
from events.titles.colonial.data import RULES
from events.titles.colonial.derived import list_acting, nation, ranking
from events.titles.colonial.draft import Draft
from events.titles.colonial.offers import draw_percent
from events.titles.colonial.parts import LoanGrown
from events.titles.colonial.state import State


def loan_interest(draft: Draft) -> None:
    """Add 1 counter to every Loan pile (COL-04-20)."""
    grown = tuple(
        LoanGrown(seat, loan.loan_id, loan.size + RULES.loan_interest)
        for seat, player in enumerate(draft.state.players)
        for loan in player.loans
    )
    if grown:
        draft.emit(f.InterestAdded(grown))


def end_of_turn(draft: Draft) -> None:
    """Settle Flamboyance, forced where it cannot be paid, then end the turn (COL-25-24, COL-25-25)."""
    for seat, player in enumerate(draft.state.players):
        card = nation(player)
        if card and card.flamboyance and player.prestige:
            if player.treasury >= player.prestige:
                draft.emit(f.PhaseBegan("end_of_turn", seat))
                return
            draft.emit(f.FlamboyancePrestigeLost(seat, 1, forced=True))
    _end(draft)


def decide_flamboyance(draft: Draft, seat: Seat, command: DecideFlamboyance) -> None:
    """Pay Treasury equal to the Prestige, or lose 1 Prestige (COL-25-24)."""
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


def _flamboyance(state: State, seat: Seat) -> Iterator[DecideFlamboyance]:
    """Yield the choices: to pay, if that is possible, and to lose Prestige."""
    if state.players[seat].treasury >= state.players[seat].prestige:
        yield DecideFlamboyance("pay")
    yield DecideFlamboyance("lose_prestige")


def _sample_flamboyance(state: State, seat: Seat, chance: Chance) -> DecideFlamboyance | None:
    """Return the choice to lose 1 Prestige now and then; mostly None."""
    return DecideFlamboyance("lose_prestige") if draw_percent(chance, 20) else None


DECIDE_FLAMBOYANCE = Step[State](
    kind="decide_flamboyance",
    asked=list_acting,
    moves=(
        Move(
            command=DecideFlamboyance,
            take=decide_flamboyance,
            legal=_flamboyance,
            label=lambda state, seat, command: (
                f"Pay {state.players[seat].prestige} Treasury for Flamboyance"
                if command.choice == "pay"
                else "Lose 1 Prestige to Flamboyance"
            ),
            sample=_sample_flamboyance,
        ),
    ),
    default=lambda state, seat: next(_flamboyance(state, seat)),
)


def _end(draft: Draft) -> None:
    """End the turn: cards return and a new turn begins (COL-04-13).

    Portugal's extra card may leave (COL-25-10).
    """
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
