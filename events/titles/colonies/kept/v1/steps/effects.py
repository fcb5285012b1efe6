"""The event phase: carrying out the effects of the card, in player order (§2, Event cards)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Draft, Move, Step
from events.titles.colonies.kept.v1 import words
from events.titles.colonies.kept.v1.commands import ChooseEventReward, ResolveEventEffect
from events.titles.colonies.kept.v1.data import BOARD
from events.titles.colonies.kept.v1.derived import effect_of, primitive_under_way
from events.titles.colonies.kept.v1.effects import interpreter
from events.titles.colonies.kept.v1.facts import EventCardResolved, EventEffectApplied, EventRewardChosen
from events.titles.colonies.kept.v1.primitives import AnyPrimitive
from events.titles.colonies.kept.v1.state import State
from events.titles.colonies.kept.v1.steps.actions import start_actions
from events.titles.colonies.kept.v1.steps.deck_choice import reveal_card

REWARDS = (ChooseEventReward("effect"), ChooseEventReward("credits"))


def resolve(draft: Draft[State]) -> None:
    """Carry out primitives up to the next decision, or to the end of the card (CLN-060 to CLN-062)."""
    while draft.state.resolution and draft.state.resolution.queue:
        primitive, seat = primitive_under_way(draft.state), draft.state.resolution.queue[0].seat
        if primitive is None or interpreter.asks(draft.state, seat, primitive):
            return
        apply(draft, seat, primitive, None)
    finish(draft)


def apply(
    draft: Draft[State], seat: Seat, primitive: AnyPrimitive, choice: ResolveEventEffect | None
) -> None:
    """Carry out one primitive, recorded even if it changes nothing (CLN-072, CLN-177)."""
    state = draft.state
    resolution = state.resolution
    if resolution is None:
        return
    effect, index = resolution.queue[0].effect, resolution.primitive
    changes = interpreter.changes(state, seat, primitive, choice)
    op = type(primitive).__struct_config__.tag
    last = index + 1 >= len(effect_of(state, effect))
    draft.emit(EventEffectApplied(seat, effect, index, str(op), choice, changes, last))


def finish(draft: Draft[State]) -> None:
    """Put the card aside and reveal the next one, except in turns 5 and 10 (CLN-066, CLN-067)."""
    turn = draft.state.turn
    draft.emit(EventCardResolved(draft.state.current_card or ""))
    if turn == BOARD.resupply_turn:
        return
    if turn < BOARD.turns:
        reveal_card(draft, turn + 1)
    start_actions(draft)


# --- the winner's choice -----------------------------------------------------------------------------


def _list_asked(state: State) -> tuple[Seat, ...]:
    resolution = state.resolution
    return (resolution.queue[0].seat,) if resolution and resolution.queue else ()


def choose_reward(draft: Draft[State], seat: Seat, command: ChooseEventReward) -> None:
    """Take the effect or 4 €, always possible (CLN-055)."""
    credits = BOARD.reward_credits if command.choice == "credits" else 0
    draft.emit(EventRewardChosen(seat, command.choice, credits))
    resolve(draft)


def _reward_label(state: State, seat: Seat, command: ChooseEventReward) -> str:
    if command.choice == "credits":
        return f"Take {BOARD.reward_credits} € instead of the effect"
    return f"Take the effect: {words.format_effect(effect_of(state, 'official'), state.levels[seat])}"


REWARD = Step[State](
    kind="choose_event_reward",
    asked=_list_asked,
    default=lambda _state, _seat: ChooseEventReward("credits"),
    sample=lambda _state, _seat, chance: chance.pick(REWARDS),
    moves=(
        Move(
            command=ChooseEventReward,
            take=choose_reward,
            legal=lambda _state, _seat: REWARDS,
            label=_reward_label,
        ),
    ),
)


# --- the choice inside an effect ---------------------------------------------------------------------


def answer(draft: Draft[State], seat: Seat, command: ResolveEventEffect) -> None:
    """Check and apply the player's answer to the primitive under way, then go on with the resolution."""
    primitive = primitive_under_way(draft.state)
    if primitive is not None:
        interpreter.check(draft.state, seat, primitive, command)
        apply(draft, seat, primitive, command)
    resolve(draft)


def _default(state: State, seat: Seat) -> Command:
    primitive = primitive_under_way(state)
    return interpreter.default(state, seat, primitive) if primitive else ResolveEventEffect(decline=True)


def _legal(state: State, seat: Seat) -> Iterator[Command]:
    primitive = primitive_under_way(state)
    if primitive is not None:
        yield from interpreter.legal(state, seat, primitive)


def _complete(state: State, seat: Seat) -> bool:
    primitive = primitive_under_way(state)
    return primitive is None or interpreter.complete(state, seat, primitive)


def _sample(state: State, seat: Seat, chance: Chance) -> Command:
    primitive = primitive_under_way(state)
    if primitive is None:
        return ResolveEventEffect(decline=True)
    return interpreter.sample(state, seat, primitive, chance)


def _label(state: State, seat: Seat, command: ResolveEventEffect) -> str:
    return interpreter.label(state, seat, primitive_under_way(state), command)


EFFECT = Step[State](
    kind="resolve_event_effect",
    asked=_list_asked,
    default=_default,
    sample=_sample,
    moves=(Move(command=ResolveEventEffect, take=answer, legal=_legal, complete=_complete, label=_label),),
)
