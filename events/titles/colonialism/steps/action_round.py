"""The action step: one action of the active player, with a policy card, another one or none (CSM-050)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonialism.checks import check_in_hand, require_region, ship_for_card
from events.titles.colonialism.commands import DrawInfluenceCard, PlayPolicyCard
from events.titles.colonialism.data import POLICY_IDS
from events.titles.colonialism.derived import active_seat, list_only, region
from events.titles.colonialism.facts import PolicyCardPlayed
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.action_cards import ACTION_CARDS
from events.titles.colonialism.steps.actions import (
    DRAW_INFLUENCE_CARD,
    EXPLORE_REGION,
    MOVE_SHIP,
    WITHDRAW_INFLUENCE_DISCS,
    can_draw,
    complete_action,
    use_ship,
)
from events.titles.colonialism.steps.offers import list_reachable
from events.titles.colonialism.words import format_name, format_with_ship

# --- playing a policy card (CSM-070 to CSM-081) ------------------------------------------------


def play_policy_card(draft: Draft[State], seat: int, command: PlayPolicyCard) -> None:
    """Play a policy card: a player's first at a region face-down, further ones face-up on top (CSM-077)."""
    key = require_region(command.region)
    check_in_hand(draft.state, seat, command.card)
    ship_for_card(draft.state, seat, command.ship, key)
    if command.card not in POLICY_IDS:
        raise Rejected("not_a_policy_card", "That is an action card; play it with its own command.")
    position = len(region(draft.state, key).policy[seat]) + 1
    face_up = position > 1
    use_ship(draft, seat, command.ship)
    draft.emit(
        PolicyCardPlayed(
            seat=seat,
            region=key,
            ship=command.ship,
            position=position,
            face_up=face_up,
            card=command.card,
            shown=command.card if face_up else None,
            known_to=tuple(range(draft.state.seats)) if face_up else (seat,),
        )
    )
    complete_action(draft, seat)


def _lays(state: State, seat: int) -> Iterator[PlayPolicyCard]:
    pairs = list_reachable(state, seat)
    for card in dict.fromkeys(state.hands[seat]):
        if card in POLICY_IDS:
            yield from (PlayPolicyCard(card=card, region=key, ship=ship) for key, ship in pairs)


def lay_anywhere(state: State, seat: int, card: str, chance: Chance) -> PlayPolicyCard | None:
    """Return the card of the seat's hand at a region at random, None where no fresh ship is left."""
    pairs = list_reachable(state, seat)
    if not pairs:
        return None
    key, ship = chance.pick(pairs, hidden=True)
    return PlayPolicyCard(card=card, region=key, ship=ship)


def _label(_state: State, _seat: int, command: PlayPolicyCard) -> str:
    return f"{format_name(command.card)} at {format_name(command.region)} {format_with_ship(command.ship)}"


PLAY_POLICY_CARD: Move[State] = Move(command=PlayPolicyCard, take=play_policy_card, legal=_lays, label=_label)


# --- the action ------------------------------------------------------------------------------


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


ACTION: Step[State] = Step(
    kind="action",
    asked=lambda state: list_only(active_seat(state)),
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
