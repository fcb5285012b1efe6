"""What a seat may do now: all of it where that is little, some of it, or one at random."""

from __future__ import annotations

from collections.abc import Iterator

from events.chance import Chance
from events.fact import Seat
from events.steps import Command
from events.titles.colonies.labels import label
from events.titles.colonies.state import State
from events.titles.colonies.steps.order import step_of
from events.titles.colonies.steps.step import Step

__all__ = ["complete", "label", "legal", "sample"]


def _step_for(state: State, seat: Seat) -> Step | None:
    step = step_of(state)
    return step if step is not None and seat in step.waiting(state) else None


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """The seat's legal commands, most natural first."""
    step = _step_for(state, seat)
    if step is not None:
        yield from step.legal(state, seat)


def complete(state: State, seat: Seat) -> bool:
    """Whether `legal` lists all of them, but for the order of what a command lists."""
    step = _step_for(state, seat)
    return step is None or step.complete(state, seat)


def sample(state: State, seat: Seat, chance: Chance) -> Command | None:
    """One of them at random."""
    step = _step_for(state, seat)
    return step.sample(state, seat, chance) if step is not None else None
