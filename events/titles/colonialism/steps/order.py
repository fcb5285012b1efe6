"""The steps in the order of a game, which of them is under way, and the end."""

from __future__ import annotations

from collections.abc import Mapping

from events.rules.steps import Step
from events.rules.title import Outcome
from events.titles.colonialism.parts import StepName
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.action_round import ACTION
from events.titles.colonialism.steps.hands import CARD_TO_KEEP
from events.titles.colonialism.steps.interrupts import MERCENARY_LOSSES, RESOURCE_COLOR
from events.titles.colonialism.steps.ships import SHIP_PLACEMENT
from events.titles.colonialism.steps.starting_hands import STARTING_HAND
from events.titles.colonialism.steps.turn_order import TURN_ORDER_POSITION

STEPS: tuple[Step[State], ...] = (
    TURN_ORDER_POSITION,
    STARTING_HAND,
    SHIP_PLACEMENT,
    ACTION,
    MERCENARY_LOSSES,
    RESOURCE_COLOR,
    CARD_TO_KEEP,
)
_INTERRUPTED_BY_LOSSES = (MERCENARY_LOSSES,)
_INTERRUPTED_BY_COLLECTION = (RESOURCE_COLOR,)
_UNDER_WAY: Mapping[StepName, tuple[Step[State], ...]] = {
    "setup_turn_order": (TURN_ORDER_POSITION,),
    "setup_starting_hands": (STARTING_HAND,),
    "setup_ships": (SHIP_PLACEMENT,),
    "action_round": (ACTION,),
    "keep_one_card": (CARD_TO_KEEP,),
    "turn_order_choice": (TURN_ORDER_POSITION,),
}


def find_steps(state: State) -> tuple[Step[State], ...]:
    """Return the one step under way: losses come before collecting, both before what they interrupt.

    None when the game has ended.
    """
    if state.losses:
        return _INTERRUPTED_BY_LOSSES
    if state.collection is not None:
        return _INTERRUPTED_BY_COLLECTION
    return _UNDER_WAY.get(state.step, ())


def outcome(state: State) -> Outcome | None:
    """Return None while the game runs; then the places by score and total (CSM-247, CSM-248)."""
    if state.step != "ended":
        return None
    return Outcome(
        winners=tuple(s.seat for s in state.standings if s.place == 1),
        places=tuple(s.place for s in state.standings),
        scores=tuple(s.score for s in state.standings),
    )
