"""Exact changes to the table, and applying them: the same for actions, event effects and upkeep.

A fact of an action is nothing else: its changes, and the turn that moves on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Seat
from events.rules.kit.values import add_at, add_counts
from events.titles.colonies.data import BOARD, Some
from events.titles.colonies.parts import Removal
from events.titles.colonies.primitives import Colour, Technology
from events.titles.colonies.state import State, player_order


class StockChange(msgspec.Struct, frozen=True):
    """Resources gained (positive) or given up (negative) by a player."""

    seat: Seat
    resources: Some


class Payment(msgspec.Struct, frozen=True):
    """Credits that move; None stands for the bank."""

    from_: Seat | None = msgspec.field(name="from")
    to: Seat | None
    amount: int


class ColonistChange(msgspec.Struct, frozen=True):
    """Colonists that join or leave a player's stock."""

    seat: Seat
    count: int


class PirateChange(msgspec.Struct, frozen=True):
    """Pirates that come to a route or leave it."""

    owner: Colour
    source: Colour
    count: int


class LevelChange(msgspec.Struct, frozen=True):
    """A technology's new level."""

    seat: Seat
    technology: Technology
    level: int


class MarkerChange(msgspec.Struct, frozen=True):
    """The new value of the marker of what one planet owes another."""

    from_: Colour = msgspec.field(name="from")
    to: Colour
    value: int


class Changes(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that one step changes on the table, exactly."""

    stocks: tuple[StockChange, ...] = ()
    credits: tuple[Payment, ...] = ()
    colonists: tuple[ColonistChange, ...] = ()
    pirates: tuple[PirateChange, ...] = ()
    levels: tuple[LevelChange, ...] = ()
    markers: tuple[MarkerChange, ...] = ()
    markets: Some = {}
    """By how much each market grows."""


def apply(state: State, changes: Changes, **more: Any) -> State:
    """Return the state after *changes*; *more* are fields that are set besides."""
    if changes.stocks:
        more["stocks"] = _stocks(state.stocks, changes.stocks)
    if changes.credits:
        more["credits"] = pay(state.credits, changes.credits)
    if changes.colonists:
        more["colonists"] = _colonists(state.colonists, changes.colonists)
    if changes.pirates:
        more["pirates"] = pirates_after(state.pirates, changes.pirates)
    if changes.levels:
        more["levels"] = _levels(state.levels, changes.levels)
    if changes.markers:
        more["promise"] = _promises(state.promise, changes.markers)
    if changes.markets:
        more["markets"] = add_counts(state.markets, changes.markets)
    return replace(state, **more)


def _stocks(stocks: tuple[dict[Any, int], ...], changes: Iterable[StockChange]) -> tuple[dict[Any, int], ...]:
    after = list(stocks)
    for change in changes:
        after[change.seat] = add_counts(after[change.seat], change.resources)
    return tuple(after)


def pay(credits: tuple[int, ...], payments: Iterable[Payment]) -> tuple[int, ...]:
    """Return the Credits of all seats after the payments; the bank's are not counted."""
    after = list(credits)
    for payment in payments:
        if payment.from_ is not None:
            after[payment.from_] -= payment.amount
        if payment.to is not None:
            after[payment.to] += payment.amount
    return tuple(after)


def _colonists(colonists: tuple[int, ...], changes: Iterable[ColonistChange]) -> tuple[int, ...]:
    for change in changes:
        colonists = add_at(colonists, change.seat, change.count)
    return colonists


def pirates_after(
    pirates: dict[Any, dict[Any, int]], changes: Iterable[PirateChange]
) -> dict[Any, dict[Any, int]]:
    """Return all routes after some pirates came or left."""
    after = dict(pirates)
    for change in changes:
        after[change.owner] = add_counts(after[change.owner], {change.source: change.count})
    return after


def _levels(levels: tuple[dict[Any, int], ...], changes: Iterable[LevelChange]) -> tuple[dict[Any, int], ...]:
    after = list(levels)
    for change in changes:
        after[change.seat] = {**after[change.seat], change.technology: change.level}
    return tuple(after)


def _promises(
    promise: dict[Any, dict[Any, int]], changes: Iterable[MarkerChange]
) -> dict[Any, dict[Any, int]]:
    after = dict(promise)
    for change in changes:
        after[change.from_] = {**after[change.from_], change.to: change.value}
    return after


def make_pirate_changes(removals: Iterable[Removal]) -> tuple[PirateChange, ...]:
    """Return the changes that removals of pirates make."""
    return tuple(PirateChange(r.route.owner, r.route.source, -r.count) for r in removals)


class ActionTaken(Fact, frozen=True):
    """One of the three actions. As a bonus of an event it is not recorded: its changes alone are."""

    seat: Seat
    round: int

    def make_changes(self) -> Changes:
        """Return the changes of the action on the table."""
        return Changes()

    def fold(self, state: State) -> State:
        """Return the state after the changes, and after the turn of the acting player."""
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
