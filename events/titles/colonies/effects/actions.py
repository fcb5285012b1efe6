"""Primitives that give an action or an upgrade outside the three actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Rejected
from events.titles.colonies.actions.kind import ActionKind
from events.titles.colonies.actions.kinds import ACTION_OF
from events.titles.colonies.actions.upgrade import UPGRADE, find_discounted
from events.titles.colonies.changes import Changes
from events.titles.colonies.commands import ResolveEventEffect, UpgradeTechnology
from events.titles.colonies.effects.behaviour import DECLINE, Behaviour, Question
from events.titles.colonies.primitives import BonusAction, Upgrade
from events.titles.colonies.state import State, is_neutral

Extra = BonusAction | Upgrade


def kind_of(primitive: Extra) -> ActionKind:
    """Return the action that the primitive gives."""
    return ACTION_OF[primitive.kind] if isinstance(primitive, BonusAction) else UPGRADE


def strength(state: State, seat: Seat, primitive: Extra) -> int:
    """Return the raised level (CLN-085), or the discount (CLN-086)."""
    if isinstance(primitive, BonusAction):
        return state.levels[seat][primitive.kind] + primitive.plus
    return primitive.discount


def as_command(primitive: Extra, choice: ResolveEventEffect) -> Command:
    """Return the action's command that the answer stands for."""
    command: Any = kind_of(primitive).command
    return cast("Command", command(**{name: getattr(choice, name) for name in command.__struct_fields__}))


def as_choice(command: Command) -> ResolveEventEffect:
    """Return the answer that stands for an action's command."""
    values: dict[str, Any] = {name: getattr(command, name) for name in command.__struct_fields__}
    return ResolveEventEffect(**values)


def _touches_neutral(state: State, choice: ResolveEventEffect) -> bool:
    return any(is_neutral(state, step.partner) for step in choice.steps or ())


def _apply(state: State, seat: Seat, primitive: Extra, choice: ResolveEventEffect | None) -> Changes:
    """Return the action's changes; none where the player declines (CLN-176)."""
    if choice is None or choice.decline:
        return Changes()
    command, level = as_command(primitive, choice), strength(state, seat, primitive)
    return kind_of(primitive).plan(state, seat, command, level).make_changes()


def _asks(_state: State, _seat: Seat, _primitive: Extra) -> bool:
    """Return True always, even if only declining is possible: no question may betray Credits (CLN-176)."""
    return True


def _fields(primitive: Extra) -> frozenset[str]:
    return frozenset(kind_of(primitive).command.__struct_fields__)


def _check_players(state: State, choice: ResolveEventEffect) -> None:
    """Raise Rejected if an agreement with a neutral planet is to move (CLN-087)."""
    if _touches_neutral(state, choice):
        raise Rejected(
            "neutral_excluded", "Events never move agreements with neutral planets; choose players."
        )


def _check(state: State, seat: Seat, primitive: Extra, choice: ResolveEventEffect) -> None:
    if choice.decline:
        return
    if isinstance(choice.resources, dict):
        raise Rejected("wrong_choice_shape", "Say how many resources of your own colour you take.")
    _check_players(state, choice)
    kind_of(primitive).plan(state, seat, as_command(primitive, choice), strength(state, seat, primitive))


def _legal(state: State, seat: Seat, primitive: Extra) -> Iterator[ResolveEventEffect]:
    commands = kind_of(primitive).legal(state, seat, strength(state, seat, primitive))
    return _choices(state, commands)


def plainest_answers(state: State, seat: Seat, primitive: Extra) -> Iterator[ResolveEventEffect]:
    """Return the selection that is worth looking at, and declining."""
    commands = kind_of(primitive).plainest(state, seat, strength(state, seat, primitive))
    return _choices(state, commands)


def _choices(state: State, commands: Iterable[Command]) -> Iterator[ResolveEventEffect]:
    for command in commands:
        choice = as_choice(command)
        if not _touches_neutral(state, choice):
            yield choice
    yield DECLINE


def _complete(state: State, seat: Seat, primitive: Extra) -> bool:
    return kind_of(primitive).complete(state, seat, strength(state, seat, primitive))


def _sample(state: State, seat: Seat, primitive: Extra, chance: Chance) -> ResolveEventEffect:
    command = kind_of(primitive).sample(state, seat, strength(state, seat, primitive), chance)
    choice = as_choice(command) if command is not None else DECLINE
    return DECLINE if _touches_neutral(state, choice) else choice


def action_label(state: State, seat: Seat, primitive: Extra, choice: ResolveEventEffect) -> str:
    """Return the action's button text as in the action phase, an upgrade with its lower price."""
    command = as_command(primitive, choice)
    if isinstance(command, UpgradeTechnology):
        return find_discounted(state, seat, command, strength(state, seat, primitive))
    return kind_of(primitive).label(state, seat, command)


_QUESTION = Question(
    _asks,
    _fields,
    _check,
    lambda _state, _seat, _primitive: DECLINE,
    _legal,
    _sample,
    complete=_complete,
    declinable=True,
)
EXTRA_ACTION = Behaviour(_apply, _QUESTION)
