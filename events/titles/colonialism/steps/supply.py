"""Cubes from the bag and natives from the supply (CSM-027, CSM-028)."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonialism.data import COLORS, D3, NUMBERS
from events.titles.colonialism.derived import region
from events.titles.colonialism.facts import NativeAdded, NativesRolled, ResourcesDrawn
from events.titles.colonialism.state import State

_ONE_BLACK, _ONE_BROWN, _ONE_YELLOW = ((color,) for color in COLORS)


def draw_resources(draft: Draft[State], key: str, count: int, cause: str) -> None:
    """Random cubes for a region; draws from an empty bag are skipped (CSM-027, CSM-033)."""
    left = list(draft.state.bag)
    drawn = [0, 0, 0]
    for _ in range(min(count, sum(left))):
        bag = _ONE_BLACK * left[0] + _ONE_BROWN * left[1] + _ONE_YELLOW * left[2]
        color = COLORS.index(draft.chance.pick(bag))
        left[color] -= 1
        drawn[color] += 1
    black, brown, yellow = drawn
    draft.emit(ResourcesDrawn(region=key, black=black, brown=brown, yellow=yellow, cause=cause))


def roll_natives(draft: Draft[State], key: str, cause: str) -> None:
    """Natives equal to the sum of as many dice as the region's value, as far as the supply goes (CSM-034)."""
    dice = draft.chance.roll(region(draft.state, key).value, D3)
    placed = min(sum(dice), draft.state.native_supply)
    draft.emit(NativesRolled(region=key, dice=dice, placed=placed, cause=cause))


def add_native(draft: Draft[State], key: str) -> None:
    """One native for an empty region between the segments of a turn (CSM-209)."""
    placed = min(NUMBERS.segment_natives, draft.state.native_supply)
    draft.emit(NativeAdded(region=key, placed=placed, cause="segment"))
