"""Choices in the middle of an action or of a region's colonization, often by players who are not active.

A choice is answered, then what it interrupted goes on: further choices first, then the action card or the
region.
"""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft
from events.titles.colonialism.commands import ChooseMercenaryLosses, CollectResourceColor
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.action_cards import discard_action_card, finish_action_card
from events.titles.colonialism.steps.collection import go_on_collecting, take_color
from events.titles.colonialism.steps.colonization import colonize
from events.titles.colonialism.steps.losses import split_loss


def choose_mercenary_losses(
    draft: Draft[State], seat: int, command: ChooseMercenaryLosses, chance: Chance
) -> None:
    """How many mercenaries and how many own discs go (CSM-105)."""
    split_loss(draft, seat, command)
    if draft.state.losses:
        return
    if draft.state.action_card is not None:
        finish_action_card(draft, chance)
    else:
        colonize(draft, chance)


def collect_resource_color(
    draft: Draft[State], seat: int, command: CollectResourceColor, chance: Chance
) -> None:
    """All cubes of a colour for the collector (CSM-192)."""
    take_color(draft, seat, command)
    go_on_collecting(draft)
    if draft.state.collection is not None:
        return
    if draft.state.action_card is not None:
        discard_action_card(draft, chance)
    else:
        colonize(draft, chance)
