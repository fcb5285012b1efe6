"""Buying Merchant Fleets and Squadrons (COL-04-15, COL-04-19), and the phases that follow by themselves."""

from __future__ import annotations

from typing import Literal

from events.fact import Seat
from events.kit.values import clockwise
from events.steps import Move, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.commands import BuyMerchantFleets, BuySquadrons
from events.titles.colonial.derived import acting, monopoly_counts
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import State
from events.titles.colonial.steps.end_of_turn import end_of_turn, first_player_phase, loan_interest
from events.titles.colonial.words import some

Purchase = Literal["merchant_fleets", "naval_forces"]


def limit(state: State, seat: Seat, phase: Purchase) -> int:
    """How much the seat may buy in that phase, Treasury aside (COL-04-15, COL-04-19)."""
    return monopoly_counts(state)[seat] if phase == "merchant_fleets" else state.players[seat].navy


def _most(state: State, seat: Seat, phase: Purchase) -> int:
    """How much the seat can buy."""
    return min(limit(state, seat, phase), state.players[seat].treasury)


def _label(amount: int, piece: str) -> str:
    return f"Buy {some(amount, piece)}" + (f" for {amount} Treasury" if amount else "")


def open_phase(draft: Draft, phase: Purchase, after: int | None = None) -> None:
    """The next seat that may buy, skipping those who cannot (COL-04-16); then the next phase."""
    state = draft.state
    order = clockwise(state.seats, state.first_player)
    for seat in order[order.index(after) + 1 :] if after is not None else order:
        if _most(state, seat, phase):
            draft.emit(f.PhaseBegan(phase, seat))
            return
        draft.emit(f.PhaseSkipped(phase, seat))
    if phase == "merchant_fleets":
        first_player_phase(draft)
        open_phase(draft, "naval_forces")
    else:
        loan_interest(draft)
        end_of_turn(draft)


def buy_merchant_fleets(draft: Draft, seat: Seat, command: BuyMerchantFleets) -> None:
    """COL-04-15."""
    most = limit(draft.state, seat, "merchant_fleets")
    if command.amount > most:
        raise Rejected(
            "too_many_fleets", f"You may buy one Merchant Fleet for each Monopoly: at most {most}."
        )
    checks.has_treasury(draft.state, seat, command.amount)
    draft.emit(f.MerchantFleetsBought(seat, command.amount, most))
    open_phase(draft, "merchant_fleets", seat)


BUY_MERCHANT_FLEETS = Step[State](
    kind="buy_merchant_fleets",
    asked=acting,
    moves=(
        Move(
            command=BuyMerchantFleets,
            take=buy_merchant_fleets,
            legal=lambda state, seat: (
                BuyMerchantFleets(amount) for amount in range(_most(state, seat, "merchant_fleets"), -1, -1)
            ),
            label=lambda _state, _seat, command: _label(command.amount, "Merchant Fleet"),
        ),
    ),
    default=lambda _state, _seat: BuyMerchantFleets(0),
)


def buy_squadrons(draft: Draft, seat: Seat, command: BuySquadrons) -> None:
    """COL-04-19."""
    most = limit(draft.state, seat, "naval_forces")
    if command.amount > most:
        raise Rejected("too_many_squadrons", f"Your Navy allows at most {most} Squadrons a turn.")
    checks.has_treasury(draft.state, seat, command.amount)
    draft.emit(f.SquadronsBought(seat, command.amount, most))
    open_phase(draft, "naval_forces", seat)


BUY_SQUADRONS = Step[State](
    kind="buy_squadrons",
    asked=acting,
    moves=(
        Move(
            command=BuySquadrons,
            take=buy_squadrons,
            legal=lambda state, seat: (
                BuySquadrons(amount) for amount in range(_most(state, seat, "naval_forces"), -1, -1)
            ),
            label=lambda _state, _seat, command: _label(command.amount, "Squadron"),
            sample=lambda state, seat, chance: BuySquadrons(
                chance.pick(range(_most(state, seat, "naval_forces") + 1))
            ),
        ),
    ),
    default=lambda _state, _seat: BuySquadrons(0),
)
