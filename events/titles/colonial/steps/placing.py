"""Placing counters and the control check that follows."""

from __future__ import annotations

from typing import Literal

from events.rules.kit.overseas.piles import (
    controller,
    find_broken_by_taking,
    find_majority_owner,
    move_to_bottom,
)
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.data import SPACES, WORLD, resource_name, space_name
from events.titles.colonial.derived import controllers, seat_name
from events.titles.colonial.state import State


def place(draft: Draft, seat: int, spaces: tuple[int, ...]) -> None:
    """Treasury in the given order; a space is judged after its last counter (COL-24-03)."""
    before = draft.state
    for index, space in enumerate(spaces):
        put_counter(draft, seat, space, "treasury")
        if space not in spaces[index + 1 :]:
            judge(draft, seat, space, before)


def put_counter(draft: Draft, seat: int, space: int, source: Literal["treasury", "fleets"]) -> None:
    """One counter on top of a pile (COL-05-02)."""
    stack = (*draft.state.piles[space], seat)
    draft.emit(f.CounterPlaced(seat, SPACES[space].id, source, stack))


def judge(draft: Draft, seat: int, space: int, before: State) -> None:
    """Settle control after placing; it costs at most 1 Diplomacy a space (COL-05-07 to COL-05-13)."""
    was = before.piles[space]
    pile = draft.state.piles[space]
    leader = find_majority_owner(pile)
    if leader is not None and leader != pile[0]:
        stack = move_to_bottom(pile, leader)
        draft.emit(f.ControlChanged(SPACES[space].id, pile[0], leader, "placed", stack))
    if controller(draft.state.piles[space]) != seat:
        return
    if was and was[0] != seat:
        draft.move_left(seat, 1, "control_taken")
    elif not was:
        _break_monopoly(draft, seat, space, before)


def consequences(state: State, seat: int, spaces: tuple[int, ...]) -> str:
    """Return the words for a button on what placing Treasury there leads to; empty for nothing.

    Such as ``, takes control of Gold in Guinea from Red, 1 left on Diplomacy``.
    """
    said, left, before = [], 0, list(state.piles)
    piles = list(state.piles)
    for space in spaces:
        piles[space] = (*piles[space], seat)
    for space in dict.fromkeys(spaces):
        was, leader = before[space], find_majority_owner(piles[space])
        victim = None if was else find_broken_by_taking(WORLD, controllers(state), space, seat)
        if was and was[0] != seat and leader == seat:
            left += 1
            said.append(f"takes control of {space_name(SPACES[space].id)} from {seat_name(state, was[0])}")
        elif victim is not None:
            left += 1
            resource = resource_name(SPACES[space].resource)
            said.append(f"breaks the {resource} Monopoly of {seat_name(state, victim)}")
    moves = min(left, state.players[seat].diplomacy - 1)
    return "".join(f", {part}" for part in [*said, *([f"{moves} left on Diplomacy"] if moves else [])])


def _break_monopoly(draft: Draft, seat: int, space: int, before: State) -> None:
    """Break another's Monopoly by taking an empty space of its type (COL-05-07, COL-05-08)."""
    victim = find_broken_by_taking(WORLD, controllers(before), space, seat)
    if victim is not None:
        draft.emit(f.MonopolyBroken(seat, victim, SPACES[space].resource, SPACES[space].id))
        draft.move_left(seat, 1, "monopoly_broken")
