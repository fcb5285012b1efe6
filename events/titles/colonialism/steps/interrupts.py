"""Choices in the middle of an action or of a colonization, often by players who are not active.

A choice is answered, then what it interrupted goes on: further choices first, then the action card or the
region.
"""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.kit.words import format_count, format_list
from events.rules.steps import Draft, Move, Step
from events.titles.colonialism.commands import ChooseMercenaryLosses, CollectResourceColor
from events.titles.colonialism.data import COLOR_INDEX
from events.titles.colonialism.derived import collector, due_bounds, list_offered
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.carrying_out import discard_action_card, finish_action_card
from events.titles.colonialism.steps.collection import go_on_collecting, take_color
from events.titles.colonialism.steps.colonization import colonize
from events.titles.colonialism.steps.losses import split_loss
from events.titles.colonialism.words import mercenaries_counted

# --- losses ------------------------------------------------------------------------------------


def choose_mercenary_losses(draft: Draft[State], _seat: int, command: ChooseMercenaryLosses) -> None:
    """Split the loss as the player chose: so many mercenaries, the rest own discs (CSM-105)."""
    split_loss(draft, command.mercenaries)
    if draft.state.losses:
        return
    if draft.state.action_card is not None:
        finish_action_card(draft)
    else:
        colonize(draft)


def _splits(state: State, _seat: int) -> Iterator[ChooseMercenaryLosses]:
    """Return the possible splits, as many mercenaries as possible first."""
    least, most = due_bounds(state, state.losses[0])
    return (ChooseMercenaryLosses(mercenaries=m) for m in range(most, least - 1, -1))


def _label_losses(state: State, _seat: int, command: ChooseMercenaryLosses) -> str:
    loss = state.losses[0].loss if state.losses else command.mercenaries
    discs = max(0, loss - command.mercenaries)
    parts = [mercenaries_counted(command.mercenaries)] if command.mercenaries else []
    return f"Lose {format_list([*parts, *([format_count(discs, 'disc')] if discs else [])])}"


CHOOSE_MERCENARY_LOSSES: Move[State] = Move(
    command=ChooseMercenaryLosses, take=choose_mercenary_losses, legal=_splits, label=_label_losses
)
MERCENARY_LOSSES: Step[State] = Step(
    kind="mercenary_losses",
    asked=lambda state: tuple(due.seat for due in state.losses[:1]),
    moves=(CHOOSE_MERCENARY_LOSSES,),
    default=lambda state, _seat: ChooseMercenaryLosses(mercenaries=due_bounds(state, state.losses[0])[1]),
    sample=CHOOSE_MERCENARY_LOSSES.one,
)


# --- collecting --------------------------------------------------------------------------------


def collect_resource_color(draft: Draft[State], _seat: int, command: CollectResourceColor) -> None:
    """Give all cubes of a colour to the collector (CSM-192)."""
    take_color(draft, command.color)
    go_on_collecting(draft)
    if draft.state.collection is not None:
        return
    if draft.state.action_card is not None:
        discard_action_card(draft)
    else:
        colonize(draft)


def _colors(state: State, _seat: int) -> Iterator[CollectResourceColor]:
    return (CollectResourceColor(color=color) for color in list_offered(state))


def _scarcest(state: State, seat: int) -> CollectResourceColor:
    """Return, of the colours offered, the one that the collector has least of."""
    mine = state.collected[seat]
    return CollectResourceColor(color=min(list_offered(state), key=lambda color: mine[COLOR_INDEX[color]]))


COLLECT_RESOURCE_COLOR: Move[State] = Move(
    command=CollectResourceColor,
    take=collect_resource_color,
    legal=_colors,
    label=lambda _state, _seat, command: f"Collect all {command.color} cubes",
)
RESOURCE_COLOR: Step[State] = Step(
    kind="resource_color",
    asked=lambda state: (collector(state.collection),) if state.collection else (),
    moves=(COLLECT_RESOURCE_COLOR,),
    default=_scarcest,
    sample=COLLECT_RESOURCE_COLOR.one,
)
