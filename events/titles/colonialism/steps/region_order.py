"""The region order tiles (CSM-018)."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonialism.data import REGION_IDS
from events.titles.colonialism.facts import RegionOrderDetermined
from events.titles.colonialism.state import State


def determine_region_order(draft: Draft[State], *, turn: int, segment: int) -> None:
    """Lay tiles 1 to 6 on regions at random (CSM-030, CSM-208)."""
    order = draft.chance.deal(REGION_IDS, len(REGION_IDS), hidden=False)
    draft.emit(RegionOrderDetermined(order=order, turn=turn, segment=segment))
