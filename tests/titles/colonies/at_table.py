"""Setting up a table for a test: a position after the set-up, changed where the test needs it."""

from __future__ import annotations

from typing import Any

import msgspec

from events.rules import vectors
from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance
from events.rules.scripted_chance import ScriptedChance
from events.rules.steps import Draft

TITLE = find_title("colonies")
LOTS = {
    3: ["green", "purple", "blue", "yellow", 0],
    4: ["green", "blue", "yellow", "purple", 0],
    5: ["blue", "green", "yellow", "purple", 0],
}
"""Seat 0 is blue and first player; green (and purple) are neutral where planets are."""


def opened(seats: int = 5, seed: int = 1, **options: Any) -> Draft:
    """A game before its first decision."""
    chosen = msgspec.convert({"first_player_method": "random", **options}, TITLE.Options)
    script = LOTS[seats] if chosen.first_player_method == "random" else LOTS[seats][:-1]
    return TITLE.open(seats, chosen, ScriptedChance(script, FastChance(seed)))


def table(seats: int = 5, options: dict[str, Any] | None = None, **changed: Any) -> Any:
    """Turn 1 after production, with *changed* merged into the position."""
    state = opened(seats, **(options or {})).state
    chance = FastChance(2)
    while TITLE.in_setup(state):
        decision = TITLE.awaited(state)[0]
        state = TITLE.decide(state, decision.seat, TITLE.default(state, decision), chance).state
    return TITLE.from_position(vectors.merge(TITLE.position(state), changed)) if changed else state


def acting(seat: int = 0, seats: int = 5, **changed: Any) -> Any:
    """A table in the first round of actions, with *seat* to act."""
    return table(seats, phase="actions", action_round=1, active=seat, **changed)


def give(state: Any, seat: int | None, kind: str, seed: int = 3, **fields: Any) -> Draft:
    """The draft of one command."""
    command = msgspec.convert({"type": kind, **fields}, TITLE.command_type(kind))
    return TITLE.decide(state, seat, command, FastChance(seed))


def names(draft: Draft) -> list[str]:
    """The types of the facts, in order."""
    return [type(fact).__name__ for fact in draft.facts]


def waiting(state: Any) -> list[tuple[int, str]]:
    """Who is waited for, and for what."""
    return [(d.seat, d.kind) for d in TITLE.decisions(state)]


def answer_all(state: Any, kind: str, **fields: Any) -> Draft:
    """Everybody who is waited for gives the same answer; the draft of the last one."""
    draft = None
    for seat, _ in waiting(state):
        draft = give(state, seat, kind, **fields)
        state = draft.state
    assert draft is not None
    return draft
