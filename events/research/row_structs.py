"""Rows of simulated games: one for each event, and one for each game."""

from __future__ import annotations

from typing import Any

import msgspec


class SimulatedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event of a simulated game, in the form that exports have."""

    game: str
    """The id of the game: title, seed and number, such as `colonies/simulate/0`."""
    seq: int
    """The event number: 1, 2, 3 and so on."""
    type: str
    """The type of the event."""
    by: str
    """The actor that caused it: `p0`, `p1` ... a seat, `sys` the server."""
    seat: int | None
    """The seat that caused it, or null if no seat did."""
    data: dict[str, Any]
    """The members of the event. All secrets are open."""
    command: dict[str, Any] | None = None
    """The command that led to the event. Only on the first event of a command."""


class SimulatedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A simulated game in one row."""

    game: str
    """The id of the game: title, seed and number."""
    title: str
    """The id of the title."""
    version: int
    """The version of the rules."""
    seed: str
    """The seed of the run."""
    seats: int
    """The number of seats."""
    bots: list[str]
    """The bots with their versions, by seat."""
    options: dict[str, Any]
    """The options of the title."""
    winners: list[int]
    """The seats that won."""
    places: list[int]
    """The places, by seat; 1 is the first."""
    scores: list[int]
    """The scores, by seat."""
    reason: str
    """The way in which the game ended; empty if the title has only one."""
    events: int
    """The number of events."""
