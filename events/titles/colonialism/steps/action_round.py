"""The action step: one action of the active player, with a policy card, another one or none (CSM-050)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Move, Step
from events.titles.colonialism.commands import DrawInfluenceCard, PlayPolicyCard
from events.titles.colonialism.derived import list_active
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.action_cards import ACTION_CARDS
from events.titles.colonialism.steps.actions import (
    DRAW_INFLUENCE_CARD,
    EXPLORE_REGION,
    MOVE_SHIP,
    PLAY_POLICY_CARD,
    WITHDRAW_INFLUENCE_DISCS,
    can_draw,
)
from events.titles.colonialism.steps.offers import list_reachable


def _listing(state: State, seat: int) -> Iterator[Move[State]]:
    """Cards first, action cards as they stand in the hand; withdrawing last."""
    yield PLAY_POLICY_CARD
    yield from (ACTION_CARDS[card] for card in dict.fromkeys(state.hands[seat]) if card in ACTION_CARDS)
    yield from (EXPLORE_REGION, DRAW_INFLUENCE_CARD, MOVE_SHIP, WITHDRAW_INFLUENCE_DISCS)


def _default(state: State, seat: int) -> Command:
    """Draw a card; where none is left, which cannot arise in play, move a ship."""
    if can_draw(state, seat):
        return DrawInfluenceCard()
    return next(MOVE_SHIP.list_legal(state, seat))


# --- at random ---------------------------------------------------------------------------------


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    """Return a random command: mostly a card; then exploring, drawing, moving, rarely withdrawing."""
    roll = chance.draw((100,), hidden=True)[0]
    command: Command | None = None
    if roll < 60 and state.hands[seat]:
        command = _sample_card(state, seat, chance)
    elif roll < 75:
        command = EXPLORE_REGION.one(state, seat, chance)
    elif roll < 78:
        command = WITHDRAW_INFLUENCE_DISCS.one(state, seat, chance)
    if command is None and roll < 90 and can_draw(state, seat):
        command = DrawInfluenceCard()
    return command or MOVE_SHIP.one(state, seat, chance)


def _sample_card(state: State, seat: int, chance: Chance) -> Command | None:
    card = chance.pick(state.hands[seat], hidden=True)
    if card in ACTION_CARDS:
        return ACTION_CARDS[card].one(state, seat, chance)
    return lay_anywhere(state, seat, card, chance)


def lay_anywhere(state: State, seat: int, card: str, chance: Chance) -> PlayPolicyCard | None:
    """Return the card of the seat's hand at a region at random, None where no fresh ship is left."""
    pairs = list_reachable(state, seat)
    if not pairs:
        return None
    key, ship = chance.pick(pairs, hidden=True)
    return PlayPolicyCard(card=card, region=key, ship=ship)


ACTION: Step[State] = Step(
    kind="action",
    asked=list_active,
    moves=(
        PLAY_POLICY_CARD,
        *ACTION_CARDS.values(),
        EXPLORE_REGION,
        MOVE_SHIP,
        WITHDRAW_INFLUENCE_DISCS,
        DRAW_INFLUENCE_CARD,
    ),
    default=_default,
    listing=_listing,
    sample=_sample,
)
