"""The steps in the order of the turn."""

from __future__ import annotations

from events.rules.steps import Step
from events.titles.colonies.kept.v1.derived import primitive_under_way
from events.titles.colonies.kept.v1.state import Phase, State
from events.titles.colonies.kept.v1.steps import deck_choice, fingers, fulfilment, income, police, vote
from events.titles.colonies.kept.v1.steps.actions import ACTIONS
from events.titles.colonies.kept.v1.steps.deck_choice import FIRST_DECK, SECOND_DECK
from events.titles.colonies.kept.v1.steps.effects import EFFECT, REWARD
from events.titles.colonies.kept.v1.steps.fingers import FINGERS
from events.titles.colonies.kept.v1.steps.fulfilment import FULFILMENT
from events.titles.colonies.kept.v1.steps.income import INCOME
from events.titles.colonies.kept.v1.steps.police import POLICE
from events.titles.colonies.kept.v1.steps.sealing import Sealing
from events.titles.colonies.kept.v1.steps.vote import TIE, VOTE

STEPS: tuple[Step[State], ...] = (
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
_NOW: dict[Phase, tuple[Step[State], ...]] = {
    "setup_fingers": (FINGERS,),
    "setup_deck_choice": (FIRST_DECK,),
    "income_colonists": (INCOME,),
    "event_vote": (VOTE,),
    "event_tie": (TIE,),
    "event_resupply": (SECOND_DECK,),
    "actions": (ACTIONS,),
    "upkeep_police": (POLICE,),
    "upkeep_fulfil": (FULFILMENT,),
}
SEALINGS: dict[Phase, Sealing] = {
    "setup_fingers": fingers.SEALING,
    "setup_deck_choice": deck_choice.FIRST_SEALING,
    "income_colonists": income.SEALING,
    "event_vote": vote.SEALING,
    "event_resupply": deck_choice.SECOND_SEALING,
    "upkeep_police": police.SEALING,
    "upkeep_fulfil": fulfilment.SEALING,
}
"""The phases in which all answer covered."""


def find_steps(state: State) -> tuple[Step[State], ...]:
    """Return the step under way; none where nobody decides (before the lots, after the end)."""
    if state.phase == "event_effects":
        return (REWARD,) if primitive_under_way(state) is None else (EFFECT,)
    return _NOW.get(state.phase, ())
