"""The primitive that downgrades a technology."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.titles.colonies.kept.v1.changes import Changes, LevelChange
from events.titles.colonies.kept.v1.commands import ResolveEventEffect
from events.titles.colonies.kept.v1.data import BOARD, TECHNOLOGIES
from events.titles.colonies.kept.v1.effects.behaviour import Behaviour, Question
from events.titles.colonies.kept.v1.primitives import Downgrade, Technology
from events.titles.colonies.kept.v1.state import State


def _eligible(state: State, seat: Seat, primitive: Downgrade) -> tuple[Technology, ...]:
    """Return the technologies that can fall (CLN-082)."""
    levels = state.levels[seat]
    named = TECHNOLOGIES if primitive.technology == "any" else (primitive.technology,)
    return tuple(t for t in named if levels[t] > BOARD.start_level)


def _apply(state: State, seat: Seat, primitive: Downgrade, choice: ResolveEventEffect | None) -> Changes:
    """Lower a technology one level, never below the first; otherwise nothing changes (CLN-063)."""
    eligible = _eligible(state, seat, primitive)
    if not eligible:
        return Changes()
    technology = choice.technology if choice is not None and choice.technology else eligible[0]
    return Changes(levels=(LevelChange(seat, technology, state.levels[seat][technology] - 1),))


def _asks(state: State, seat: Seat, primitive: Downgrade) -> bool:
    return len(_eligible(state, seat, primitive)) > 1


def _check(state: State, seat: Seat, primitive: Downgrade, choice: ResolveEventEffect) -> None:
    """Raise Rejected unless the technology is above level 1 (CLN-082)."""
    if choice.technology not in _eligible(state, seat, primitive):
        raise Rejected("technology_not_eligible", "Choose a technology above its first level.")


def _default(state: State, seat: Seat, primitive: Downgrade) -> ResolveEventEffect:
    lowest = min(_eligible(state, seat, primitive), key=lambda t: state.levels[seat][t])
    return ResolveEventEffect(technology=lowest)


def _legal(state: State, seat: Seat, primitive: Downgrade) -> Iterator[ResolveEventEffect]:
    for technology in _eligible(state, seat, primitive):
        yield ResolveEventEffect(technology=technology)


def _sample(state: State, seat: Seat, primitive: Downgrade, chance: Chance) -> ResolveEventEffect:
    return ResolveEventEffect(technology=chance.pick(_eligible(state, seat, primitive)))


DOWNGRADE = Behaviour(
    _apply, Question(_asks, lambda _p: frozenset({"technology"}), _check, _default, _legal, _sample)
)
