"""The colonization phase: check, cards, conflict, collection."""

from __future__ import annotations

import random

import pytest

from events.rules.fast_chance import FastChance
from events.titles.colonialism import TITLE
from events.titles.colonialism import facts as f
from events.titles.colonialism.data import BOARD
from events.titles.colonialism.parts import SeatCards
from events.titles.colonialism.steps.conflict import fight
from tests.titles.colonialism.given import (
    NO_CUBES,
    REGIONS,
    at,
    before_colonization,
    do,
    last_action,
    of,
    refused,
    stack,
)

CHINA_FIRST = ["china", "india", "north_africa", "sub_saharan_africa", "middle_east", "southeast_asia"]


def china(seats=4, **changes):
    """China comes first; it holds what the changes say."""
    clear = {"natives": 0, "cubes": NO_CUBES}
    return before_colonization(seats, region_order=CHINA_FIRST, regions={"china": {**clear, **changes}})


def test_order_of_colonization_actions():
    """CSM-120, CSM-124: check, cards, conflict, collection, discards, then the next region's check."""
    state = china(
        discs=[16, 3, 0, 0],
        cubes={"black": 1, "brown": 0, "yellow": 0},
        policy={1: stack("influence_region_3")},
    )
    names = [
        type(fact).__name__
        for fact in last_action(state).facts
        if getattr(fact, "region", "china") == "china"
    ]
    start = names.index("RegionColonizationChecked")
    assert names[start : start + 10] == [
        "RegionColonizationChecked",
        "PolicyCardsRevealed",
        "PolicyCardsResolved",
        "ConflictResolved",
        "InfluenceRemoved",
        "InfluenceRemoved",
        "CollectionStarted",
        "ResourceColorCollected",
        "CollectionEnded",
        "PolicyCardsDiscarded",
    ]
    checked = [fact.region for fact in of(last_action(state), f.RegionColonizationChecked)]
    assert tuple(checked) == state.region_order


def test_face_down_cards_are_revealed_first():
    """CSM-125: all policy cards at the region become known to everybody before any resolves."""
    state = china(policy={0: stack("army", "fleet"), 2: stack("treaty")})
    draft = last_action(state)
    revealed = of(draft, f.PolicyCardsRevealed)[0]
    assert revealed.cards == (SeatCards(0, ("army", "fleet")), SeatCards(2, ("treaty",)))
    assert draft.facts.index(revealed) < draft.facts.index(of(draft, f.PolicyCardsResolved)[0])


def test_later_regions_stay_hidden():
    """CSM-125, CSM-261: cards of a later region are face-down while an earlier one waits for a choice."""
    state = before_colonization(
        3,
        region_order=CHINA_FIRST,
        regions={
            "china": {
                "natives": 0,
                "discs": [3, 2, 0],
                "cubes": {"black": 1, "brown": 1, "yellow": 1},
                "policy": {0: stack("treaty")},
            },
            "india": {"policy": {0: stack("army")}},
        },
    )
    waiting = last_action(state).state
    assert waiting.collection is not None
    view = TITLE.view_json(waiting, 1)
    assert view["regions"]["china"]["policy"][0] == [{"card": "treaty", "face_up": True}]
    assert view["regions"]["india"]["policy"][0] == [{"card": None, "face_up": False}]


def test_nothing_happens_without_cause():
    """CSM-123: without cards and within the limit not even cubes are collected."""
    draft = last_action(china(discs=[3, 0, 0, 0], cubes={"black": 2, "brown": 0, "yellow": 0}))
    assert not of(draft, f.CollectionStarted)
    assert at(draft.state, "china").cubes == (2, 0, 0)


def test_no_collector_no_collection():
    """CSM-195: where natives are gone and no player has influence, the cubes stay."""
    draft = last_action(china(cubes={"black": 2, "brown": 0, "yellow": 1}, policy={0: stack("treaty")}))
    assert not of(draft, f.CollectionStarted)
    assert at(draft.state, "china").cubes == (2, 0, 1)


def test_collection_goes_round():
    """CSM-017, CSM-191, CSM-192: ties by turn order; with three colours and two collectors the first
    picks twice.
    """
    state = china(
        discs=[0, 4, 0, 4], cubes={"black": 1, "brown": 2, "yellow": 3}, policy={1: stack("treaty")}
    )
    draft = last_action(state)
    assert of(draft, f.CollectionStarted)[0].order == (1, 3)
    draft = do(draft.state, 1, "collect_resource_color", color="yellow")
    draft = do(draft.state, 3, "collect_resource_color", color="brown")
    assert [(x.seat, x.color, x.automatic) for x in of(draft, f.ResourceColorCollected)] == [
        (3, "brown", False),
        (1, "black", True),
    ]


def test_unavailable_colour():
    """CSM-193: a collector takes a colour that lies there."""
    state = last_action(
        china(discs=[2, 4, 0, 0], cubes={"black": 1, "brown": 1, "yellow": 0}, policy={1: stack("treaty")})
    ).state
    assert refused(state, 1, "collect_resource_color", color="yellow") == "color_not_available"


def test_unrest_before_conflict_asks_for_losses():
    """CSM-105, CSM-152: the weakest power splits its loss to Unrest before conflict is computed."""
    state = china(
        natives=3, discs=[8, 9, 0, 0], mercenaries=[4, 9, 0, 0], policy={0: stack("unrest_at_home")}
    )
    draft = last_action(state)
    assert draft.state.losses[0].loss == 10
    assert not of(draft, f.ConflictResolved)
    after = do(draft.state, 0, "choose_mercenary_losses", mercenaries=3)
    assert (of(after, f.InfluenceRemoved)[0].own_discs, of(after, f.InfluenceRemoved)[0].mercenaries) == (
        7,
        3,
    )
    assert of(after, f.ConflictResolved)[0].before == {"natives": 3, 0: 2, 1: 18, 2: 0, 3: 0}


def test_conflict_losses_are_chosen_before_the_next_region():
    """CSM-107, CSM-108: owners choose once for the whole conflict, in turn order, before the next check."""
    state = china(discs=[8, 8, 0, 0], mercenaries=[3, 4, 0, 0])
    draft = last_action(state)
    assert [fact.region for fact in of(draft, f.RegionColonizationChecked)] == ["china"]
    assert [(loss.seat, loss.loss) for loss in draft.state.losses] == [(0, 4), (1, 3)]
    draft = do(draft.state, 0, "choose_mercenary_losses", mercenaries=0)
    assert not of(draft, f.RegionColonizationChecked)
    draft = do(draft.state, 1, "choose_mercenary_losses", mercenaries=3)
    assert len(of(draft, f.RegionColonizationChecked)) == 5


def test_conflict_ends_where_nobody_can_lose():
    """CSM-175: with all factions protected at one disc each, the guard ends conflict."""
    fought = fight({0: 1, 1: 1, 2: 1}, 2, (0, 1, 2))
    assert (fought.ended_by, fought.removals) == ("no_loss_possible", ())


def reference(before, limit, protected):
    """Conflict as the rule book tells it, disc by disc."""
    now = dict(before)
    while True:
        start = dict(now)
        for level in sorted({count for count in start.values() if count}):
            tied = [k for k in start if start[k] == level and not (level == 1 and k in protected)]
            for k in tied:
                now[k] -= 1
            total, left = sum(now.values()), [k for k in now if now[k]]
            if tied and (total <= limit or len(left) == 1):
                return now
        if now == start:
            return now


def test_conflict_agrees_with_a_plain_reading():
    """CSM-171, CSM-172, CSM-173, CSM-174: any mixture of factions, limit and Treaties gives what the
    plain rule gives.
    """
    rng = random.Random(4)
    for _ in range(3000):
        before = {k: rng.randrange(0, 12) for k in ("natives", 0, 1, 2, 3)}
        limit = rng.randrange(5, 17)
        if sum(before.values()) <= limit or sum(1 for n in before.values() if n) < 2:
            continue
        protected = [k for k in (0, 1, 2, 3) if rng.random() < 0.3]
        assert {**dict.fromkeys(before, 0), **fight(before, limit, protected).after} == reference(
            before, limit, protected
        )


def test_rulebook_conflict_step_by_step():
    """CSM-171, CSM-173: the rulebook's example, 22 removals from 38 down to 16."""
    fought = fight({"natives": 7, 0: 14, 1: 12, 2: 5}, 16, ())
    assert [r.total for r in fought.removals] == list(range(37, 15, -1))
    assert [r.factions[0] for r in fought.removals[:4]] == [2, "natives", 1, 0]
    assert [r.factions[0] for r in fought.removals[-2:]] == ["natives", 1]


@pytest.mark.parametrize("region", REGIONS)
def test_other_lands_have_no_function(region):
    """CSM-012, CSM-025: the board knows six regions and five sea zones; each region's neighbours are of
    these.
    """
    data = next(r for r in BOARD.regions if r.id == region)
    assert set(data.neighbours) < set(REGIONS)
    assert set(data.seas) <= {zone.id for zone in BOARD.sea_zones}
    assert len(BOARD.regions) == 6
    assert len(BOARD.sea_zones) == 5


def test_placing_is_not_optional():
    """CSM-131: the sum of a player's cards is placed in full, or the whole reserve."""
    state = china(natives=1, policy={0: stack("influence_region_4", "influence_region_5")})
    for reserve, placed in ((22, 9), (6, 6), (0, 0)):
        position = {**TITLE.position(state), "reserve": [reserve, 22, 22, 22]}
        result = of(last_action(TITLE.from_position(position)), f.PolicyCardsResolved)[0].results[0]
        assert (result.wanted, result.placed) == (9, placed)


def test_unrest_without_colonial_powers():
    """CSM-153: natives are never affected; with no colonial power present nothing happens."""
    draft = last_action(china(natives=5, policy={2: stack("unrest_at_home")}))
    assert of(draft, f.PolicyCardsResolved)[0].results == ()
    assert at(draft.state, "china").natives == 5


def test_each_segment_starts_face_down():
    """CSM-076, CSM-078: cards stay until their region resolves; the next segment starts face-down."""
    ships = {0: [{"sea_zone": "south_china_sea", "fresh": True}] * 3}
    hands = [["army"], [], ["trade", "plague"]]
    state = before_colonization(
        3, hands=hands, ships=ships, regions={"china": {"policy": {0: stack("fleet", "empire")}}}
    )
    draft = last_action(state)
    assert at(draft.state, "china").policy == ((), (), ())
    draft = do(draft.state, 2, "keep_influence_card", card="trade")
    while (decision := TITLE.decisions(draft.state)[0]).kind == "turn_order_position":
        draft = TITLE.decide(draft.state, decision.seat, TITLE.default(draft.state, decision), FastChance(1))
    state = TITLE.from_position({**TITLE.position(draft.state), "rows": [1, 2, 3]})
    draft = do(state, 0, "play_policy_card", card="army", region="china", ship="blue_ship_1")
    assert of(draft, f.PolicyCardPlayed)[0].position == 1
