"""Playing a policy card (CSM-070 to CSM-081)."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonialism.commands import PlayPolicyCard
from events.titles.colonialism.data import POLICY_IDS
from events.titles.colonialism.facts import PolicyCardPlayed
from events.titles.colonialism.state import State, region, seat_count
from events.titles.colonialism.steps.actions import complete_action
from events.titles.colonialism.steps.ships import known_region, usable_ship, use_ship


def play_policy_card(draft: Draft[State], seat: int, command: PlayPolicyCard, chance: Chance) -> None:
    """The first card of a player at a region lies face-down, further ones face-up on top (CSM-077)."""
    key = known_region(command.region)
    require_card(draft.state, seat, command.card)
    usable_ship(draft.state, seat, command.ship, key)
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
            known_to=tuple(range(seat_count(draft.state))) if face_up else (seat,),
        )
    )
    complete_action(draft, seat, chance)


def require_card(state: State, seat: int, card: str) -> None:
    """Only cards from the hand can be played (CSM-070)."""
    if card not in state.hands[seat]:
        raise Rejected("card_not_in_hand", "You do not hold that card; play one from your hand.")
