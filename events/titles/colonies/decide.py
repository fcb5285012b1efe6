"""The order of checks, and who answers a command."""

from __future__ import annotations

from events.chance import Chance
from events.fact import Seat
from events.steps import ALREADY_ANSWERED, GAME_NOT_RUNNING, NOT_YOUR_DECISION, Command, Draft, Rejected
from events.titles.colonies.evolve import FOLD
from events.titles.colonies.state import State
from events.titles.colonies.steps.order import step_of


def decide(state: State, seat: Seat | None, command: Command, chance: Chance) -> Draft[State]:
    """The facts of a command, or :class:`Rejected`: game, phase, seat, then the rules (CLN-174)."""
    step = step_of(state)
    if step is None:
        raise Rejected(GAME_NOT_RUNNING, "The game has ended; look at its scores.")
    if type(command) not in step.commands:
        wanted = " or ".join(c.__struct_config__.tag for c in step.commands)  # type: ignore[misc]
        raise Rejected(NOT_YOUR_DECISION, f"This is not the time for that; the game waits for {wanted}.")
    if step.sealed and seat is not None and seat < state.seats and state.sealed[seat] is not None:
        raise Rejected(ALREADY_ANSWERED, "You have answered; wait for the other players.")
    if seat is None or seat not in step.waiting(state):
        raise Rejected(NOT_YOUR_DECISION, "The game does not wait for you now; wait for your turn.")
    draft = Draft(state, FOLD)
    step.take(draft, seat, command, chance)
    return draft
