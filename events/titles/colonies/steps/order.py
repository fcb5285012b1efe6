"""The steps in the order of the turn."""

from __future__ import annotations

from events.titles.colonies.derived import primitive_under_way
from events.titles.colonies.state import Phase, State
from events.titles.colonies.steps.actions import ACTIONS
from events.titles.colonies.steps.deck_choice import FIRST_DECK, SECOND_DECK
from events.titles.colonies.steps.effects import EFFECT, REWARD
from events.titles.colonies.steps.fingers import FINGERS
from events.titles.colonies.steps.fulfilment import FULFILMENT
from events.titles.colonies.steps.income import INCOME
from events.titles.colonies.steps.police import POLICE
from events.titles.colonies.steps.step import Step
from events.titles.colonies.steps.vote import TIE, VOTE

STEPS: tuple[Step, ...] = (
    FINGERS,
    FIRST_DECK,
    INCOME,
    VOTE,
    TIE,
    REWARD,
    EFFECT,
    SECOND_DECK,
    ACTIONS,
    POLICE,
    FULFILMENT,
)
_BY_PHASE: dict[Phase, Step] = {step.phase: step for step in STEPS}


def step_of(state: State) -> Step | None:
    """The step under way; None where nobody decides (before the lots, after the end)."""
    if state.phase == "event_effects":
        return REWARD if primitive_under_way(state) is None else EFFECT
    return _BY_PHASE.get(state.phase)
