"""Preparations up to the first choice (CSM-030 to CSM-038)."""

from __future__ import annotations

from itertools import groupby

from events.rules.steps import Draft
from events.titles.colonialism.data import D3, NUMBERS, REGION_IDS, tile
from events.titles.colonialism.facts import (
    GameBegan,
    RegionLimitTilesPlaced,
    TurnOrderRolled,
)
from events.titles.colonialism.options import Options, colors_of
from events.titles.colonialism.parts import TileInUse
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.region_order import determine_region_order
from events.titles.colonialism.steps.supply import draw_resources, roll_natives
from events.titles.colonialism.steps.turn_order import open_choice

Dice = dict[int, tuple[int, ...]]
"""One round of rolls, by seat."""


def opening(draft: Draft[State], seats: int, options: Options) -> None:
    """Set up the board and roll for the turn order; the first chooser is waited for."""
    draft.emit(GameBegan(colors=colors_of(seats, options), options=options))
    determine_region_order(draft, turn=1, segment=1)
    tiles = (tile(key, seats) for key in REGION_IDS)
    draft.emit(RegionLimitTilesPlaced(tuple(TileInUse(t.region, t.value, t.limit) for t in tiles)))
    _fill_regions(draft)
    rounds: list[Dice] = []
    order = _rank(draft, tuple(range(seats)), rounds)
    draft.emit(TurnOrderRolled(rounds=tuple(rounds), order=order))
    open_choice(draft, order)


def _fill_regions(draft: Draft[State]) -> None:
    """Put cubes on all regions, then natives, both in region order (CSM-033, CSM-034)."""
    order = draft.state.region_order
    for key in order:
        value = draft.state.regions[REGION_IDS.index(key)].value
        draw_resources(draft, key, value, "setup")
    for key in order:
        roll_natives(draft, key, "setup")


def _rank(draft: Draft[State], group: tuple[int, ...], rounds: list[Dice]) -> tuple[int, ...]:
    """Rank by the sum of four dice; those who tie roll again among themselves only (CSM-037, CSM-038)."""
    dice = {seat: draft.chance.roll(NUMBERS.turn_order_dice, D3) for seat in group}
    rounds.append(dice)
    ranked = sorted(group, key=lambda seat: -sum(dice[seat]))
    order: list[int] = []
    for _, equal in groupby(ranked, key=lambda seat: sum(dice[seat])):
        tied = tuple(equal)
        order += tied if len(tied) == 1 else _rank(draft, tied, rounds)
    return tuple(order)
