"""Collecting resources (CSM-190 to CSM-196)."""

from __future__ import annotations

from events.rules.steps import Draft, Rejected
from events.titles.colonialism.data import COLOR_INDEX
from events.titles.colonialism.derived import collector, collectors, influences, list_offered, region
from events.titles.colonialism.facts import (
    CollectionEnded,
    CollectionStarted,
    ResourceColorCollected,
)
from events.titles.colonialism.parts import Collection, CubeColor, CubeCounts
from events.titles.colonialism.state import State


def collect_resources(draft: Draft[State], key: str, cause: str) -> None:
    """Collect in a region, if natives are gone, cubes lie there and players have influence.

    The clauses are CSM-190 and CSM-195.
    """
    at = region(draft.state, key)
    order = collectors(draft.state, key)
    if at.natives or not any(at.cubes) or not order:
        return
    black, brown, yellow = at.cubes
    cubes = CubeCounts(black=black, brown=brown, yellow=yellow)
    own = influences(at)
    there = tuple(own[seat] for seat in order)
    draft.emit(CollectionStarted(region=key, order=order, cubes=cubes, cause=cause, influences=there))
    go_on_collecting(draft)


def go_on_collecting(draft: Draft[State]) -> None:
    """Take what needs no choice; stop where a collector has one (CSM-193, CSM-194)."""
    while (collection := draft.state.collection) is not None:
        colors = list_offered(draft.state)
        if not colors:
            draft.emit(CollectionEnded(region=collection.region))
        elif len(colors) == 1 or len(collection.order) == 1:
            _take(draft, collection, colors[0], automatic=True)
        else:
            return


def take_color(draft: Draft[State], color: CubeColor) -> None:
    """Take the cube that the collector picks; it cannot be declined (CSM-193)."""
    collection = draft.state.collection
    if collection is None or color not in list_offered(draft.state):
        raise Rejected("color_not_available", f"No {color} cube lies there; take a colour that does.")
    _take(draft, collection, color, automatic=False)


def _take(draft: Draft[State], collection: Collection, color: str, *, automatic: bool) -> None:
    count = region(draft.state, collection.region).cubes[COLOR_INDEX[color]]
    draft.emit(
        ResourceColorCollected(
            seat=collector(collection),
            region=collection.region,
            color=color,
            count=count,
            automatic=automatic,
        )
    )
