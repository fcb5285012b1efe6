"""Conflict: who loses how much where a limit is exceeded (CSM-170 to CSM-177)."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from events.rules.steps import Draft
from events.titles.colonialism.derived import fails_limit_check, influences, region, treaty_seats
from events.titles.colonialism.facts import (
    ConflictResolved,
)
from events.titles.colonialism.parts import Faction, Removal
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.losses import lose


class Conflict(msgspec.Struct, frozen=True):
    """A conflict fought out in figures."""

    after: dict[Faction, int]
    removals: tuple[Removal, ...]
    ended_by: str
    """``limit``, ``one_faction`` or, as a guard, ``no_loss_possible`` (CSM-175)."""


def fight(before: dict[Faction, int], limit: int, protected: Collection[Faction]) -> Conflict:
    """Cycles in which each faction loses 1, the lowest first, until the limit is kept or one is left.

    Equal factions lose together (CSM-172); a faction *protected* by Treaty keeps its last influence
    (CSM-174).
    """
    now = {faction: count for faction, count in before.items() if count}
    removals: list[Removal] = []
    while True:
        groups = _cycle(now, protected)
        if not groups:
            return Conflict(now, tuple(removals), "no_loss_possible")
        for group in groups:
            for faction in group:
                now[faction] -= 1
            total = sum(now.values())
            removals.append(Removal(factions=group, total=total))
            ended_by = _find_end_reason(now, total, limit)
            if ended_by:
                return Conflict(now, tuple(removals), ended_by)


def _cycle(now: dict[Faction, int], protected: Collection[Faction]) -> list[tuple[Faction, ...]]:
    """Return the factions that lose in this cycle, from the lowest up (CSM-171).

    They stand in groups of equal influence at its start.
    """
    losing = [f for f, count in now.items() if count > 1 or (count and f not in protected)]
    levels = sorted({now[f] for f in losing})
    return [tuple([f for f in losing if now[f] == level]) for level in levels]


def _find_end_reason(now: dict[Faction, int], total: int, limit: int) -> str:
    """Return the reason for which conflict stops after a removal, or "" (CSM-173)."""
    if total <= limit:
        return "limit"
    return "one_faction" if [*now.values()].count(0) == len(now) - 1 else ""


def resolve_conflict(draft: Draft[State], key: str) -> None:
    """Begin a conflict, if the region fails a limit check after the cards (CSM-108).

    Each owner chooses once for all of it.
    """
    at = region(draft.state, key)
    if not fails_limit_check(at):
        return
    before: dict[Faction, int] = {"natives": at.natives, **dict(enumerate(influences(at)))}
    fought = fight(before, at.limit, treaty_seats(at))
    after: dict[Faction, int] = {faction: fought.after.get(faction, 0) for faction in before}
    draft.emit(
        ConflictResolved(
            region=key,
            limit=at.limit,
            before=before,
            after=after,
            removals=fought.removals,
            ended_by=fought.ended_by,
        )
    )
    lose(draft, key, {faction: before[faction] - after[faction] for faction in before}, "conflict")
