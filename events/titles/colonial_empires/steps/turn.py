"""The turn: its phases in order, and what lies between two turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from events.chance import Chance
from events.titles.colonial_empires.checks import Drafting
from events.titles.colonial_empires.facts import GameEnded, PhaseBegan, TurnBegan, TurnEnded
from events.titles.colonial_empires.state import Phase, State
from events.titles.colonial_empires.steps import build, event, fate, revenue, trade

PHASES: Mapping[Phase, Callable[[Drafting, Chance], bool]] = {
    "fate": fate.begin,
    "revenue": revenue.begin,
    "event": event.begin,
    "build": build.begin,
    "trade": trade.begin,
}
"""The phases in their order (CEM-301), and how each begins; True says that it is over at once."""

_ORDER = tuple(PHASES)
_AFTER: Mapping[Phase, Phase] = dict(pairwise(_ORDER))


def go_on(draft: Drafting, chance: Chance) -> None:
    """The phase is over: begin the next ones until one waits for somebody, or the game has ended."""
    over = True
    while over:
        phase = _AFTER.get(draft.state.phase)
        if phase is None:
            _between_turns(draft)
            if draft.state.phase == "ended":
                return
            phase = _ORDER[0]
        draft.emit(PhaseBegan(draft.state.turn, phase))
        over = PHASES[phase](draft, chance)


def _between_turns(draft: Drafting) -> None:
    """Turn 1 after the set-up; after a turn the next one, or the end (CEM-112, CEM-801, CEM-803)."""
    state = draft.state
    if state.phase == "setup":
        draft.emit(TurnBegan(1, state.lead_seat))
        return
    draft.emit(TurnEnded(state.turn, len(state.deck)))
    if state.deck:
        draft.emit(TurnBegan(state.turn + 1, (state.lead_seat + 1) % state.seats))
    else:
        draft.emit(_ending(state))


def _ending(state: State) -> GameEnded:
    """Most Fortunes win; equal Fortunes share a place (CEM-804 to CEM-806)."""
    treasuries = dict(enumerate(state.treasury))
    places = {seat: 1 + sum(other > own for other in state.treasury) for seat, own in treasuries.items()}
    winners = tuple(seat for seat, place in places.items() if place == 1)
    return GameEnded(state.turn, treasuries, places, winners)
