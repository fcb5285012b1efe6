"""An action card from its announcement to the discard pile (CSM-070 to CSM-075)."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonialism.checks import check_in_hand, check_presence, require_region, ship_for_card
from events.titles.colonialism.data import CARD, D3
from events.titles.colonialism.facts import ActionCardDiscarded, ActionCardPlayed, DieRolled, InfluenceAdded
from events.titles.colonialism.parts import Faction
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.actions import complete_action, use_ship
from events.titles.colonialism.steps.collection import collect_resources
from events.titles.colonialism.steps.decks import settle_deck


def check_card(state: State, seat: int, card: str, key: str, ship: str | None = None) -> None:
    """The region, the card in hand, a fresh adjacent ship if it needs one, presence (CSM-070 to CSM-073)."""
    require_region(key)
    check_in_hand(state, seat, card)
    if ship is not None:
        ship_for_card(state, seat, ship, key)
    check_presence(state, seat, key)


def begin_action_card(
    draft: Draft[State],
    seat: int,
    card: str,
    *regions: str,
    ship: str | None = None,
    target: Faction | None = None,
) -> None:
    """Lay the card on the table and use its ship."""
    draft.emit(ActionCardPlayed(seat=seat, card=card, regions=regions, ship=ship, target=target))
    if ship is not None:
        use_ship(draft, seat, ship)


def roll(draft: Draft[State], seat: int, card: str) -> int:
    """Roll the die, after the faction was chosen, and return it with the card's bonus."""
    face: int = draft.chance.roll(1, D3)[0]
    draft.emit(DieRolled(seat=seat, purpose=card, face=face))
    return face + CARD[card].number


def add_influence(draft: Draft[State], faction: Faction, key: str, wanted: int, cause: str) -> None:
    """Add discs from the faction's reserve or supply, as far as they go (CSM-008, CSM-011)."""
    placed = min(wanted, count_available(draft.state, faction))
    draft.emit(InfluenceAdded(faction=faction, region=key, wanted=wanted, placed=placed, cause=cause))


def count_available(state: State, faction: int | str) -> int:
    """Return the discs left in the faction's reserve or supply; 0 for a faction that does not play."""
    if isinstance(faction, str):
        return state.native_supply
    return state.reserve[faction] if 0 <= faction < state.seats else 0


def finish_action_card(draft: Draft[State]) -> None:
    """Carry out the rest of the card when its losses are settled.

    Then the card is discarded and the action is complete (CSM-075).
    """
    playing = draft.state.action_card
    if playing is None or draft.state.losses:
        return
    if playing.card == "missionaries":
        add_influence(draft, playing.seat, playing.region, playing.removed, "missionaries")
    elif playing.card == "military_campaign" and playing.target == "natives":
        # The last native is gone: the cubes are collected at once (CSM-097).
        collect_resources(draft, playing.region, "military_campaign")
        if draft.state.collection is not None:
            return
    discard_action_card(draft)


def discard_action_card(draft: Draft[State]) -> None:
    """Put the card on its owner's discard pile; the next player is active."""
    playing = draft.state.action_card
    if playing is None:
        return
    draft.emit(ActionCardDiscarded(seat=playing.seat, card=playing.card))
    settle_deck(draft, playing.seat)
    complete_action(draft, playing.seat)
