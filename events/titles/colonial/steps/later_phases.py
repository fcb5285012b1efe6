"""The later phases: purchases (COL-04-15, COL-04-19), First Player, Interest, end of the turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.overseas.words import format_number
from events.rules.kit.values import list_clockwise
from events.rules.steps import Move, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import BuyMerchantFleets, BuySquadrons, DecideFlamboyance
from events.titles.colonial.data import RULES
from events.titles.colonial.derived import monopoly_counts, ranking
from events.titles.colonial.offers import draw_percent
from events.titles.colonial.parts import LoanGrown
from events.titles.colonial.state import State, list_acting, nation

Purchase = Literal["merchant_fleets", "naval_forces"]


def limit(state: State, seat: Seat, phase: Purchase) -> int:
    """Return the most that the seat may buy in that phase, Treasury aside (COL-04-15, COL-04-19)."""
    return monopoly_counts(state)[seat] if phase == "merchant_fleets" else state.players[seat].navy


def find_most(state: State, seat: Seat, phase: Purchase) -> int:
    """Return the most that the seat can buy, Treasury included."""
    return min(limit(state, seat, phase), state.players[seat].treasury)


def label(amount: int, piece: str) -> str:
    """Return the text of the button that buys so many pieces."""
    return f"Buy {format_number(amount, piece)}" + (f" for {amount} Treasury" if amount else "")


def move_first_player(draft: Draft) -> None:
    """Pass the First Player to strictly most Monopolies, else to the left (COL-04-17, COL-04-18)."""
    state = draft.state
    counts = monopoly_counts(state)
    leaders = [seat for seat, count in enumerate(counts) if count == max(counts)]
    if len(leaders) == 1:
        draft.emit(f.FirstPlayerMoved(state.first_player, leaders[0], "monopolies", counts))
    else:
        left = (state.first_player + 1) % state.seats
        draft.emit(f.FirstPlayerMoved(state.first_player, left, "left", counts))


def open_phase(draft: Draft, phase: Purchase, after: int | None = None) -> None:
    """The next seat that may buy, skipping those who cannot (COL-04-16); then the next phase."""
    state = draft.state
    order = list_clockwise(state.seats, state.first_player)
    for seat in order[order.index(after) + 1 :] if after is not None else order:
        if find_most(state, seat, phase):
            draft.emit(f.PhaseBegan(phase, seat))
            return
        draft.emit(f.PhaseSkipped(phase, seat))
    if phase == "merchant_fleets":
        move_first_player(draft)
        open_phase(draft, "naval_forces")
    else:
        loan_interest(draft)
        end_of_turn(draft)


# --- Merchant Fleets (COL-04-15) --------------------------------------------------------------------


def buy_merchant_fleets(draft: Draft, seat: Seat, command: BuyMerchantFleets) -> None:
    """Buy Merchant Fleets, at most one a Monopoly (COL-04-15)."""
    allowed = limit(draft.state, seat, "merchant_fleets")
    if command.amount > allowed:
        raise Rejected("too_many_fleets", f"Each Monopoly allows one Merchant Fleet; buy at most {allowed}.")
    checks.can_pay(draft.state.players[seat], command.amount)
    draft.emit(f.MerchantFleetsBought(seat, command.amount, allowed))
    open_phase(draft, "merchant_fleets", seat)


BUY_MERCHANT_FLEETS = Step[State](
    kind="buy_merchant_fleets",
    asked=list_acting,
    moves=(
        Move(
            command=BuyMerchantFleets,
            take=buy_merchant_fleets,
            legal=lambda state, seat: (
                BuyMerchantFleets(amount)
                for amount in range(find_most(state, seat, "merchant_fleets"), -1, -1)
            ),
            label=lambda _state, _seat, command: label(command.amount, "Merchant Fleet"),
        ),
    ),
    default=lambda _state, _seat: BuyMerchantFleets(0),
)


# --- Squadrons (COL-04-19) --------------------------------------------------------------------------


def buy_squadrons(draft: Draft, seat: Seat, command: BuySquadrons) -> None:
    """Buy Squadrons, at most as many as the Navy allows (COL-04-19)."""
    allowed = limit(draft.state, seat, "naval_forces")
    if command.amount > allowed:
        raise Rejected(
            "too_many_squadrons", f"Your Navy allows {allowed} Squadrons a turn; buy at most that."
        )
    checks.can_pay(draft.state.players[seat], command.amount)
    draft.emit(f.SquadronsBought(seat, command.amount, allowed))
    open_phase(draft, "naval_forces", seat)


BUY_SQUADRONS = Step[State](
    kind="buy_squadrons",
    asked=list_acting,
    moves=(
        Move(
            command=BuySquadrons,
            take=buy_squadrons,
            legal=lambda state, seat: (
                BuySquadrons(amount) for amount in range(find_most(state, seat, "naval_forces"), -1, -1)
            ),
            label=lambda _state, _seat, command: label(command.amount, "Squadron"),
            sample=lambda state, seat, chance: BuySquadrons(
                chance.pick(range(find_most(state, seat, "naval_forces") + 1))
            ),
        ),
    ),
    default=lambda _state, _seat: BuySquadrons(0),
)


# --- Loan Interest, Flamboyance and the end of the turn (COL-04, COL-25) ------------------------------


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
