"""The steps in the order of the turn, which of them is under way, and the end."""

from __future__ import annotations

from events.rules.steps import Step
from events.rules.title import Outcome
from events.titles.colonies.derived import primitive_under_way
from events.titles.colonies.sealing import Sealing
from events.titles.colonies.state import Phase, State
from events.titles.colonies.steps import deck_choice, fingers, fulfilment, income, police, vote
from events.titles.colonies.steps.actions import ACTIONS
from events.titles.colonies.steps.deck_choice import FIRST_DECK, SECOND_DECK
from events.titles.colonies.steps.effects import EFFECT, REWARD
from events.titles.colonies.steps.fingers import FINGERS
from events.titles.colonies.steps.fulfilment import FULFILMENT
from events.titles.colonies.steps.income import INCOME
from events.titles.colonies.steps.police import POLICE
from events.titles.colonies.steps.vote import TIE, VOTE

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


def outcome(state: State) -> Outcome | None:
    """Return None while the game runs; then places and scores (CLN-167)."""
    if state.phase != "ended":
        return None
    return Outcome(
        winners=tuple(score.seat for score in state.scores if score.rank == 1),
        places=tuple(score.rank for score in state.scores),
        scores=tuple(score.total for score in state.scores),
    )
