"""The action phase: three rounds, one action at a time (§3)."""

from __future__ import annotations

from collections.abc import Iterator

from events.chance import Chance
from events.fact import Seat
from events.steps import Command, Draft
from events.titles.colonies.actions.kind import ActionKind
from events.titles.colonies.actions.kinds import ACTION_OF
from events.titles.colonies.actions.upgrade import UPGRADE
from events.titles.colonies.commands import Action, PassAction
from events.titles.colonies.facts import ActionPassed, ActionPhaseStarted
from events.titles.colonies.primitives import Technology
from events.titles.colonies.state import State, player_order
from events.titles.colonies.steps.police import start_upkeep
from events.titles.colonies.steps.step import Step

TECHNOLOGY_OF: dict[type[Command], Technology] = {kind.command: name for name, kind in ACTION_OF.items()}
"""Which technology's level limits an action."""
_LISTED_FIRST: tuple[Technology, ...] = ("influence", "commerce", "industry", "community", "military")
_TRIED = (*_LISTED_FIRST, None)
"""What a random player may come upon; None is an upgrade."""


def start_actions(draft: Draft[State]) -> None:
    """Each player has three actions, one at a time, clockwise from the first player (CLN-088)."""
    draft.emit(ActionPhaseStarted(draft.state.turn, player_order(draft.state)))


def take(draft: Draft[State], seat: Seat, command: Action, chance: Chance) -> None:
    """One action of any kind, or a pass (CLN-089, CLN-091)."""
    state = draft.state
    technology = TECHNOLOGY_OF.get(type(command))
    if isinstance(command, PassAction):
        draft.emit(ActionPassed(seat, state.action_round))
    elif technology is None:
        draft.emit(UPGRADE.plan(state, seat, command, 0))
    else:
        draft.emit(ACTION_OF[technology].plan(state, seat, command, state.levels[seat][technology]))
    if draft.state.active is None:
        start_upkeep(draft, chance)


def _kinds(state: State, seat: Seat) -> Iterator[tuple[ActionKind, int]]:
    """Every kind of action, and the player's level or discount for it."""
    yield UPGRADE, 0
    for technology in _LISTED_FIRST:
        yield ACTION_OF[technology], state.levels[seat][technology]


def _legal(state: State, seat: Seat) -> Iterator[Command]:
    for kind, strength in _kinds(state, seat):
        yield from kind.legal(state, seat, strength)
    yield PassAction()


def _complete(state: State, seat: Seat) -> bool:
    return all(kind.complete(state, seat, strength) for kind, strength in _kinds(state, seat))


def _sample(state: State, seat: Seat, chance: Chance) -> Command:
    """Any kind of action that is possible; a pass now and then, or where nothing else is drawn."""
    for _ in range(3):
        technology = chance.pick(_TRIED)
        kind = ACTION_OF[technology] if technology else UPGRADE
        strength = state.levels[seat][technology] if technology else 0
        command = kind.sample(state, seat, strength, chance)
        if command is not None:
            return command
    return PassAction()


def _active(state: State) -> tuple[Seat, ...]:
    return () if state.active is None else (state.active,)


ACTIONS = Step(
    phase="actions",
    kind="take_action",
    commands=(UPGRADE.command, *(ACTION_OF[t].command for t in _LISTED_FIRST), PassAction),
    concerned=_active,
    take=take,
    default=lambda _state, _seat: PassAction(),
    legal=_legal,
    complete=_complete,
    sample=_sample,
)
