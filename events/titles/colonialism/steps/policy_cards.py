"""Playing a policy card (CSM-070 to CSM-081)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Draft, Move, Rejected
from events.titles.colonialism.checks import check_in_hand, require_region, ship_for_card
from events.titles.colonialism.commands import PlayPolicyCard
from events.titles.colonialism.data import POLICY_IDS
from events.titles.colonialism.derived import region
from events.titles.colonialism.facts import PolicyCardPlayed
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.actions import complete_action
from events.titles.colonialism.steps.offers import list_reachable
from events.titles.colonialism.steps.ships import use_ship
from events.titles.colonialism.words import format_name, format_with_ship


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
