"""Gifts of Treasury, at any time (COL-12)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Move, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import TransferTreasury
from events.titles.colonial.offers import MOST
from events.titles.colonial.state import State
from events.titles.colonial.words import seat_said


def transfer_treasury(draft: Draft, seat: Seat, command: TransferTreasury) -> None:
    """Give Treasury to another player (COL-12-01 to COL-12-03)."""
    checks.require_seat(draft.state, command.to)
    checks.can_pay(draft.state.players[seat], command.amount)
    if command.to == seat:
        raise Rejected("transfer_to_self", "Give Treasury to another player.")
    draft.emit(f.TreasuryGiven(seat, command.to, command.amount))


def _gifts(state: State, seat: Seat) -> Iterator[TransferTreasury]:
    for amount in range(1, state.players[seat].treasury + 1):
        for to in range(state.seats):
            if to != seat:
                yield TransferTreasury(to, amount)


def _small_gift(state: State, seat: Seat, chance: Chance) -> TransferTreasury:
    to = chance.pick([other for other in range(state.seats) if other != seat])
    return TransferTreasury(to, 1 + chance.pick(range(min(3, state.players[seat].treasury))))


def _label(state: State, seat: Seat, command: TransferTreasury) -> str:
    return f"Give {command.amount} Treasury to {seat_said(state, command.to)}"


TRANSFER_TREASURY = Step[State](
    kind="transfer_treasury",
    asked=lambda state: [seat for seat, player in enumerate(state.players) if player.treasury],
    moves=(
        Move(
            command=TransferTreasury,
            take=transfer_treasury,
            legal=_gifts,
            most=MOST,
            target=lambda command: command.to,
            label=_label,
            sample=_small_gift,
            own_words=True,
        ),
    ),
    default=lambda state, seat: TransferTreasury((seat + 1) % state.seats, 1),
    free=True,
)
