"""The colonization phase, region by region (CSM-120 to CSM-124)."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonialism.derived import fails_limit_check, policy_count, region
from events.titles.colonialism.facts import RegionColonizationChecked, RegionColonizationEnded
from events.titles.colonialism.parts import Colonization
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.collection import collect_resources
from events.titles.colonialism.steps.conflict import resolve_conflict
from events.titles.colonialism.steps.hands import end_colonization
from events.titles.colonialism.steps.policy_resolution import discard_policy_cards, resolve_policy_cards


def colonize(draft: Draft[State]) -> None:
    """Go on with the phase until an owner or collector has to choose, or to the end of the phase."""
    while (cursor := draft.state.colonization) is not None:
        key = draft.state.region_order[cursor.index]
        if cursor.stage == "check":
            _check(draft, key)
        elif not _colonization_actions(draft, key, cursor):
            return
    end_colonization(draft)


def _check(draft: Draft[State], key: str) -> None:
    """Colonization actions take place if policy cards lie there or the limit check fails (CSM-121)."""
    at = region(draft.state, key)
    count, failed = policy_count(at), fails_limit_check(at)
    draft.emit(
        RegionColonizationChecked(
            region=key,
            policy_cards_in_play=count,
            limit_check_failed=failed,
            colonization_required=count > 0 or failed,
        )
    )


def _colonization_actions(draft: Draft[State], key: str, cursor: Colonization) -> bool:
    """Go on with cards, conflict and collection; return False while a choice is due (CSM-124)."""
    if cursor.stage == "cards":
        resolve_policy_cards(draft, key)
        if draft.state.losses:
            return False
    if cursor.stage in {"cards", "unrest_at_home"}:
        resolve_conflict(draft, key)
        if draft.state.losses:
            return False
    if cursor.stage != "collection":
        collect_resources(draft, key, "colonization")
        if draft.state.collection is not None:
            return False
    discard_policy_cards(draft, key)
    draft.emit(RegionColonizationEnded(region=key))
    return True
