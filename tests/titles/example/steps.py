"""Set-up and the one step of Landfall: what is asked, what may be done, what follows."""

from __future__ import annotations

from typing import Annotated

import msgspec

from rutter.events.rules.steps import Command, Draft, Move, Rejected, Step
from rutter.events.rules.title import NoOptions, Outcome

from .facts import IslandSighted, SailChosen, SailsDealt, SailsShown
from .state import DEALT, State


class ChooseSail(Command, frozen=True):
    """Put down a sail of one's hand, covered (LFL-03)."""

    sealed = True
    sail: Annotated[int, msgspec.Meta(ge=1, le=99)]


def opening(draft: Draft[State], seats: int, options: NoOptions) -> None:
    """Deal the hands (LFL-01); the first island comes in sight."""
    for seat in range(seats):
        _deal(draft, seat, DEALT)
    _sight(draft)


def _deal(draft: Draft[State], seat: int, count: int) -> None:
    sails = draft.chance.deal(draft.state.deck, count)
    if sails:
        draft.emit(SailsDealt(seat, len(sails), sails))


def _sight(draft: Draft[State]) -> None:
    draft.emit(IslandSighted(draft.chance.roll()[0]))


def choose_sail(draft: Draft[State], seat: int, command: ChooseSail) -> None:
    """LFL-03; with the second sail both are shown."""
    if command.sail not in draft.state.hands[seat]:
        raise Rejected("not_in_hand", "You do not hold this sail: choose one of your hand.")
    draft.emit(SailChosen(seat, command.sail))
    (first, second), island = draft.state.chosen, draft.state.island
    if first is not None and second is not None and island is not None:
        _show(draft, first, second, island)


def _show(draft: Draft[State], first: int, second: int, island: int) -> None:
    """LFL-04 to LFL-06."""
    taker = None if first == second else int(second > first)
    draft.emit(SailsShown((first, second), taker, island))
    for seat in range(draft.state.seats):
        _deal(draft, seat, 1)
    if any(draft.state.hands):
        _sight(draft)


def outcome(state: State) -> Outcome | None:
    """LFL-06."""
    if state.island is not None:
        return None
    best = max(state.points)
    return Outcome(
        winners=tuple(seat for seat, points in enumerate(state.points) if points == best),
        places=tuple(1 if points == best else 2 for points in state.points),
        scores=state.points,
    )


CHOOSE = Step[State](
    kind="choose_sail",
    asked=lambda state: [
        seat for seat, sail in enumerate(state.chosen) if sail is None and state.island is not None
    ],
    covered=lambda state, seat: state.chosen[seat] is not None,
    moves=(
        Move(
            command=ChooseSail,
            take=choose_sail,
            legal=lambda state, seat: map(ChooseSail, dict.fromkeys(state.hands[seat])),
            label=lambda _state, _seat, command: f"Sail {command.sail}",
        ),
    ),
    default=lambda state, seat: ChooseSail(min(state.hands[seat])),  # LFL-07
)
STEPS = (CHOOSE,)
