"""The turn as a whole: its steps in order, which is under way, what goes on by itself, and the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from events.rules.steps import Draft, Step
from events.rules.title import Outcome
from events.titles.colonial_empires.facts import PhaseBegan
from events.titles.colonial_empires.state import Phase, State
from events.titles.colonial_empires.steps import build, event, fate, hand_limit, revenue, trade, turn
from events.titles.colonial_empires.steps.choose_empires import CHOOSE_EMPIRES

STEPS: tuple[Step[State], ...] = (
    CHOOSE_EMPIRES,
    fate.FATE_EXTRA,
    event.EVENT_TURN,
    event.ITALIAN_DISCARD,
    build.BUILD,
    trade.TRADING,
    hand_limit.HAND_LIMIT,
    trade.WITHDRAWING,
)
_UNDER_WAY = {each.kind: tuple(step for step in STEPS if step.kind == each.kind) for each in STEPS}
"""By the word that the state has for what the game waits for."""

_BEGIN: Mapping[Phase, Callable[[Draft[State]], None]] = {
    "fate": fate.begin,
    "revenue": revenue.begin,
    "event": event.begin,
    "build": build.begin,
    "trade": trade.begin,
}
"""The phases in their order (CEM-301), and what happens by itself when they begin."""
_AFTER: Mapping[Phase, Phase] = dict(pairwise(_BEGIN))


def find_steps(state: State) -> tuple[Step[State], ...]:
    """Return the steps under way, from public facts only (CEM-906); none when the game has ended."""
    return _UNDER_WAY[state.step] if state.step else ()


def waits(state: State) -> bool:
    """Return True if the game waits for somebody."""
    steps = find_steps(state)
    return bool(steps and steps[0].asked(state))  # what is free comes last


def has_ended(state: State) -> bool:
    """Return True if nobody decides any more."""
    return state.phase == "ended"


def outcome(state: State) -> Outcome | None:
    """Return None while the game runs; then Fortunes decide (CEM-804)."""
    if state.result is None:
        return None
    return Outcome(state.result.winners, state.result.places, state.treasury, "deck_empty")


def follow(draft: Draft[State]) -> None:
    """Move the turn on while nobody is asked, until somebody is or the game has ended."""
    while not has_ended(draft.state) and not waits(draft.state):
        _go_on(draft)


def _go_on(draft: Draft[State]) -> None:
    """The hand limit after the trading, the next phase (CEM-301), or the next turn."""
    if draft.state.step == "trading":
        hand_limit.begin(draft)
    elif draft.state.phase in _AFTER:
        _begin(draft, _AFTER[draft.state.phase])
    elif turn.begin(draft):
        _begin(draft, "fate")


def _begin(draft: Draft[State], phase: Phase) -> None:
    draft.emit(PhaseBegan(draft.state.turn, phase))
    _BEGIN[phase](draft)
