"""The interpreter: one behaviour for each primitive of the vocabulary."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.offers import choose_evenly
from events.rules.kit.words import capital, format_count, format_list
from events.rules.steps import INVALID_PARAMETERS, Rejected
from events.titles.colonies import primitives as p
from events.titles.colonies import words
from events.titles.colonies.changes import Changes
from events.titles.colonies.checks import check_steps
from events.titles.colonies.commands import ResolveEventEffect
from events.titles.colonies.effects.actions import EXTRA_ACTION, action_label
from events.titles.colonies.effects.agreements import SHIFT_AGREEMENT
from events.titles.colonies.effects.behaviour import LISTED, Behaviour, list_given_fields
from events.titles.colonies.effects.colonists import (
    GAIN_COLONISTS,
    LOSE_COLONISTS,
    PLACE_PIRATES,
    REMOVE_PIRATES,
)
from events.titles.colonies.effects.credits import COLLECT_CREDITS, GAIN_CREDITS, PAY_CREDITS
from events.titles.colonies.effects.resources import FLOOD_MARKET, GAIN_RESOURCE, PAY_RESOURCE
from events.titles.colonies.effects.technologies import DOWNGRADE
from events.titles.colonies.removals import check_shape, format_removals
from events.titles.colonies.state import State

BEHAVIOUR: dict[type[p.Primitive], Behaviour] = {
    p.GainCredits: GAIN_CREDITS,
    p.PayCredits: PAY_CREDITS,
    p.CollectCredits: COLLECT_CREDITS,
    p.GainResource: GAIN_RESOURCE,
    p.PayResource: PAY_RESOURCE,
    p.GainColonists: GAIN_COLONISTS,
    p.LoseColonists: LOSE_COLONISTS,
    p.PlacePirates: PLACE_PIRATES,
    p.RemovePirates: REMOVE_PIRATES,
    p.Downgrade: DOWNGRADE,
    p.ShiftAgreement: SHIFT_AGREEMENT,
    p.FloodMarket: FLOOD_MARKET,
    p.BonusAction: EXTRA_ACTION,
    p.Upgrade: EXTRA_ACTION,
}


def changes(state: State, seat: Seat, primitive: p.Primitive, choice: ResolveEventEffect | None) -> Changes:
    """Return the changes that the primitive makes to this player now."""
    return BEHAVIOUR[type(primitive)].apply(state, seat, primitive, choice)


def asks(state: State, seat: Seat, primitive: p.Primitive) -> bool:
    """Return True if the player decides anything: a matter of public state only (CLN-176)."""
    question = BEHAVIOUR[type(primitive)].question
    return question is not None and question.asks(state, seat, primitive)


def check(state: State, seat: Seat, primitive: p.Primitive, choice: ResolveEventEffect) -> None:
    """Raise Rejected unless *choice* answers the question of the primitive under way (CLN-072)."""
    question = BEHAVIOUR[type(primitive)].question
    if question is None:
        return
    _check_form(choice)
    given = list_given_fields(choice)
    wanted = frozenset[str]() if choice.decline and question.declinable else question.fields(primitive)
    if given != wanted or (choice.decline and not question.declinable):
        names = " and ".join(sorted(question.fields(primitive)))
        other = ", or decline" if question.declinable else ""
        raise Rejected("wrong_choice_shape", f"Answer what the effect asks for: {names}{other}.")
    question.check(state, seat, primitive, choice)


def _check_form(choice: ResolveEventEffect) -> None:
    """Raise Rejected for what no answer may contain, whatever is asked; checked before everything else."""
    check_shape(choice.removals or ())
    check_steps(choice.steps or ())
    partners = choice.partners or ()
    if len(set(partners)) != len(partners):
        raise Rejected(INVALID_PARAMETERS, "Name each partner once.")


def default(state: State, seat: Seat, primitive: p.Primitive) -> ResolveEventEffect:
    """Return the answer for an absent player (CLN-179)."""
    question = BEHAVIOUR[type(primitive)].question
    return question.default(state, seat, primitive) if question else ResolveEventEffect()


def legal(state: State, seat: Seat, primitive: p.Primitive) -> Iterator[ResolveEventEffect]:
    """Yield all answers, or as many as are listed, of each aim as many as of any other."""
    question = BEHAVIOUR[type(primitive)].question
    if question is not None:
        yield from choose_evenly(question.legal(state, seat, primitive), LISTED, _aim)


def _aim(choice: ResolveEventEffect) -> Hashable:
    """Return what an answer aims at: the colour it names most, or the route it names first."""
    if isinstance(choice.resources, dict):
        return max(choice.resources, key=choice.resources.__getitem__, default=None)
    return choice.removals[0].route if choice.removals else None


def complete(state: State, seat: Seat, primitive: p.Primitive) -> bool:
    """Return True if all answers are listed."""
    question = BEHAVIOUR[type(primitive)].question
    if question is None:
        return True
    if question.complete is not None:
        return question.complete(state, seat, primitive)
    return sum(1 for _ in islice(question.legal(state, seat, primitive), LISTED + 1)) <= LISTED


def sample(state: State, seat: Seat, primitive: p.Primitive, chance: Chance) -> ResolveEventEffect:
    """Return a random answer."""
    question = BEHAVIOUR[type(primitive)].question
    return question.sample(state, seat, primitive, chance) if question else ResolveEventEffect()


def label(state: State, seat: Seat, primitive: p.Primitive | None, choice: ResolveEventEffect) -> str:
    """Return the text on the button of an answer."""
    if choice.decline:
        return "Decline"
    if isinstance(primitive, p.BonusAction | p.Upgrade):
        return action_label(state, seat, primitive, choice)
    if isinstance(choice.resources, dict):
        verb = "Give" if isinstance(primitive, p.PayResource) else "Take"
        return f"{verb} {words.resources(choice.resources)}"
    if choice.removals is not None:
        return f"Remove pirates: {format_removals(choice.removals)}"
    if choice.technology is not None:
        level = max(1, state.levels[seat][choice.technology] - 1)
        return f"Lower {choice.technology.capitalize()} to level {level}"
    if choice.partners is not None:
        return _agreements(primitive, choice.partners)
    return f"Return {format_count(choice.count, 'colonist')}" if choice.count else "Return no colonist"


def _agreements(primitive: p.Primitive | None, partners: tuple[p.Colour, ...]) -> str:
    verb = "lower" if isinstance(primitive, p.ShiftAgreement) and primitive.direction < 0 else "raise"
    if not partners:
        return f"{capital(verb)} no agreement"
    return (
        f"{capital(verb)} both markers with {format_list(words.planet(partner) for partner in partners)} by 1"
    )
