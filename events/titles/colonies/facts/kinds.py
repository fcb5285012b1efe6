"""The bases that several facts share: covered answers, and actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import astuple, replace

from events.rules.fact import Fact, Seat
from events.rules.kit.values import put
from events.titles.colonies.changes import Changes, apply
from events.titles.colonies.commands import SealedAnswer
from events.titles.colonies.data import BOARD
from events.titles.colonies.derived import player_order
from events.titles.colonies.state import State

Secrets = Mapping[str, tuple[str, ...]]


class Covered(Fact, frozen=True):
    """A sealed answer lies covered; nothing else changes (CLN-053). What follows its seat is the answer."""

    answer: ClassVar[type[SealedAnswer]]
    """The command that gives such an answer: it has the same fields."""
    seat: Seat

    def fold(self, state: State) -> State:
        return replace(state, sealed=put(state.sealed, self.seat, self.answer(*astuple(self)[1:])))


def clear_answers(state: State) -> tuple[None, ...]:
    """Return None for every seat: nobody has answered."""
    return (None,) * state.seats


class ActionTaken(Fact, frozen=True):
    """One of the three actions. As a bonus of an event it is not recorded: its changes alone are."""

    seat: Seat
    round: int

    def make_changes(self) -> Changes:
        """Return the changes of the action on the table."""
        return Changes()

    def fold(self, state: State) -> State:
        return _move_on(apply(state, self.make_changes()))


def _move_on(state: State) -> State:
    """Move on to the next player, the next round, or the upkeep (CLN-088)."""
    order = player_order(state)
    place = order.index(state.active) + 1 if state.active in order else len(order)
    if place < len(order):
        return replace(state, active=order[place])
    if state.action_round < BOARD.actions:
        return replace(state, active=order[0], action_round=state.action_round + 1)
    policing = any(any(routes.values()) for routes in state.pirates.values())
    phase = "upkeep_police" if policing else "upkeep_fulfil"
    return replace(state, active=None, action_round=0, phase=phase)
