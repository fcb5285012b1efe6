"""Primitives that move Credits; none of them asks anything."""

from __future__ import annotations

from events.rules.fact import Seat
from events.titles.colonies.changes import Changes, Payment
from events.titles.colonies.commands import ResolveEventEffect
from events.titles.colonies.effects.behaviour import Behaviour, quantity
from events.titles.colonies.primitives import CollectCredits, GainCredits, PayCredits
from events.titles.colonies.state import State, others_clockwise


def _payments(*payments: Payment) -> Changes:
    return Changes(credits=tuple(p for p in payments if p.amount))


def gain(state: State, seat: Seat, primitive: GainCredits, _choice: ResolveEventEffect | None) -> Changes:
    """Give Credits from the bank (CLN-074)."""
    return _payments(Payment(None, seat, quantity(state, seat, primitive.n)))


def pay(state: State, seat: Seat, primitive: PayCredits, _choice: ResolveEventEffect | None) -> Changes:
    """Take Credits to the bank, as far as the player has them (CLN-063, CLN-074)."""
    return _payments(Payment(seat, None, min(quantity(state, seat, primitive.n), state.credits[seat])))


def collect(
    state: State, seat: Seat, primitive: CollectCredits, _choice: ResolveEventEffect | None
) -> Changes:
    """Collect Credits from every other player, clockwise from the left neighbour (CLN-075)."""
    n = quantity(state, seat, primitive.n)
    return _payments(*(Payment(o, seat, min(n, state.credits[o])) for o in others_clockwise(state, seat)))


GAIN_CREDITS = Behaviour(gain)
PAY_CREDITS = Behaviour(pay)
COLLECT_CREDITS = Behaviour(collect)
