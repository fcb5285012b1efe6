"""The action phase: three rounds, one action at a time (§3)."""

from __future__ import annotations

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Draft, Move, Step
from events.titles.colonies.actions.kind import ActionKind
from events.titles.colonies.actions.kinds import ACTION_OF
from events.titles.colonies.actions.upgrade import UPGRADE
from events.titles.colonies.changes import ActionTaken
from events.titles.colonies.commands import PassAction
from events.titles.colonies.facts import ActionPassed, ActionPhaseStarted
from events.titles.colonies.primitives import Technology
from events.titles.colonies.state import State, player_order
from events.titles.colonies.steps.police import start_upkeep

_LISTED_FIRST: tuple[Technology, ...] = ("influence", "commerce", "industry", "community", "military")
_TRIED = (*_LISTED_FIRST, None)
"""The actions that a random player may come upon, by technology; None is an upgrade."""


def start_actions(draft: Draft[State]) -> None:
    """Begin the actions: each player has three, one at a time, from the first player on (CLN-088)."""
    draft.emit(ActionPhaseStarted(draft.state.turn, player_order(draft.state)))


def take(draft: Draft[State], action: ActionTaken) -> None:
    """Carry out one action of any kind, or a pass; after the last one comes the upkeep (CLN-089)."""
    draft.emit(action)
    if draft.state.active is None:
        start_upkeep(draft)


def pass_action(draft: Draft[State], seat: Seat, _command: PassAction) -> None:
    """Pass: nothing but the turn moves on (CLN-091)."""
    take(draft, ActionPassed(seat, draft.state.action_round))


def _strength(state: State, seat: Seat, technology: Technology | None) -> int:
    """Return the level that limits the action; for an upgrade its discount, which is none here."""
    return state.levels[seat][technology] if technology else 0


def _move(kind: ActionKind, technology: Technology | None = None) -> Move[State]:
    """Return the move for one of a player's three actions."""

    def act(draft: Draft[State], seat: Seat, command: Command) -> None:
        strength = _strength(draft.state, seat, technology)
        take(draft, kind.plan(draft.state, seat, command, strength))

    return Move(
        command=kind.command,
        take=act,
        legal=lambda state, seat: kind.legal(state, seat, _strength(state, seat, technology)),
        complete=lambda state, seat: kind.complete(state, seat, _strength(state, seat, technology)),
        label=kind.label,
    )


def _sample(state: State, seat: Seat, chance: Chance) -> Command:
    """Return any possible kind of action; a pass now and then, or where nothing else is drawn."""
    for _ in range(3):
        technology = chance.pick(_TRIED)
        kind = ACTION_OF[technology] if technology else UPGRADE
        command = kind.sample(state, seat, _strength(state, seat, technology), chance)
        if command is not None:
            return command
    return PassAction()


ACTIONS = Step[State](
    kind="take_action",
    asked=lambda state: () if state.active is None else (state.active,),
    default=lambda _state, _seat: PassAction(),
    sample=_sample,
    moves=(
        _move(UPGRADE),
        *(_move(ACTION_OF[technology], technology) for technology in _LISTED_FIRST),
        Move(command=PassAction, take=pass_action, label="Pass this action: it is lost"),
    ),
)
