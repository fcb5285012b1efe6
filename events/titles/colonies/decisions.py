"""What the game waits for, and what absent players do."""

from __future__ import annotations

from events.fact import type_name
from events.steps import Command, Decision
from events.titles.colonies.state import State
from events.titles.colonies.steps.order import STEPS, step_of

_COMMANDS = {id(step): tuple(type_name(c) for c in step.commands) for step in STEPS}


def decisions(state: State) -> tuple[Decision, ...]:
    """Everybody whom the step under way waits for; sealed answers of several seats at once."""
    step = step_of(state)
    if step is None:
        return ()
    return tuple(Decision(seat, step.kind, _COMMANDS[id(step)]) for seat in step.waiting(state))


def default(state: State, decision: Decision) -> Command:
    """The next command for an absent player: legal in every state, without any draw (CLN-179)."""
    step = step_of(state)
    if step is None or decision.seat is None:
        raise ValueError("nothing is to be decided by that seat")
    return step.default(state, decision.seat)
