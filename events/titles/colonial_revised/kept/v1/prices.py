"""The certain cost of a command and its chance of success, for a player about to choose it."""

from __future__ import annotations

from typing import Any

from events.rules.chance import D6
from events.rules.fact import Seat
from events.titles.colonial_revised.kept.v1 import commands as c
from events.titles.colonial_revised.kept.v1.data import TERRITORY
from events.titles.colonial_revised.kept.v1.state import State
from events.titles.colonial_revised.kept.v1.steps.explorer import target_number
from events.titles.colonial_revised.kept.v1.steps.scientist import next_step


def cost(state: State, seat: Seat, command: Any) -> str:
    """The Treasury that it takes; empty where it takes none or chance has a say."""
    if isinstance(command, c.AdvanceProgress):
        price = next_step(state.players[seat], command.track)
        return f"{price} T" if price else ""
    return ""


def likelihood(state: State, seat: Seat, command: Any) -> float | None:
    """Return the exact probability that an Explorer's die reaches the target, shortfalls not paid for."""
    if not isinstance(command, c.Explore):
        return None
    target = target_number(state, seat, TERRITORY[command.territory])
    return sum(face >= target for face in D6) / len(D6)
