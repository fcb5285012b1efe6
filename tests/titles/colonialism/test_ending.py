"""Ending a colonization phase and a turn."""

from __future__ import annotations

import pytest

from events.titles.colonialism import TITLE
from events.titles.colonialism import facts as f
from events.titles.colonialism.parts import SeatCards
from tests.titles.colonialism.given import (
    NO_CUBES,
    REGIONS,
    at,
    before_colonization,
    do,
    given,
    last_action,
    of,
    refused,
)
from tests.titles.table import Table, play

KEEPING = {"step": "keep_one_card", "phase": "colonization_1"}


def test_cards_are_kept_together():
    """CSM-200, CSM-201: all are asked, nothing shows before all have chosen, a second answer counts."""
    hands = [["army", "fleet", "trade"], ["army", "fleet"]]
    state = given(2, **KEEPING, hands=hands)
    assert [d.seat for d in TITLE.decisions(state)] == [0, 1]
    before = TITLE.view_json(state, 1)["players"][0]
    draft = do(state, 0, "keep_influence_card", card="fleet")
    assert draft.facts == [f.InfluenceCardKept(seat=0, kept="fleet", discarded=("army", "trade"))]
    assert TITLE.view_json(draft.state, 1)["players"][0] == {**before, "has_chosen": True}
    assert TITLE.view_json(draft.state, 0)["players"][0]["kept"] == ["fleet"]
    other = do(draft.state, 0, "keep_influence_card", card="army").state
    assert do(other, 0, "keep_influence_card", card="fleet").state == draft.state
    assert refused(draft.state, 1, "keep_influence_card", card="trade") == "card_not_in_hand"
    last = do(draft.state, 1, "keep_influence_card", card="army")
    assert of(last, f.InfluenceCardsDiscarded)[0].discards == (
        SeatCards(0, ("army", "trade")),
        SeatCards(1, ("fleet",)),
    )


def test_nobody_to_ask():
    """CSM-200: with at most one card in each hand the phase goes on by itself."""
    draft = last_action(before_colonization(2, hands=[["trade"], []]))
    assert not of(draft, f.InfluenceCardsDiscarded)
    assert len(of(draft, f.HandRefilled)) == 2
    assert draft.state.step == "turn_order_choice"


def test_influence_check_after_refilling():
    """CSM-203, CSM-204, CSM-205: hands first, then mercenaries everywhere, then surplus region by region."""
    state = given(
        2,
        **KEEPING,
        hands=[["army", "fleet"], []],
        regions={
            "china": {"natives": 0, "discs": [9, 0], "mercenaries": [2, 0]},
            "india": {"natives": 0, "discs": [9, 0], "mercenaries": [0, 1]},
        },
    )
    draft = do(state, 0, "keep_influence_card", card="army")
    kinds = [type(fact).__name__ for fact in draft.facts]
    assert (
        kinds.index("HandRefilled")
        < kinds.index("MercenariesRemoved")
        < kinds.index("ExcessInfluenceRemoved")
    )
    assert {(x.region, x.count) for x in of(draft, f.ExcessInfluenceRemoved)} == {("china", 1), ("india", 1)}
    assert draft.state.reserve[0] == 24


def test_surplus_stays_where_others_are():
    """CSM-205: natives never lose discs, and only a sole colonial power is trimmed."""
    regions = {"china": {"natives": 9, "discs": [0, 0]}, "india": {"natives": 1, "discs": [9, 0]}}
    draft = do(
        given(2, **KEEPING, hands=[["army", "fleet"], []], regions=regions),
        0,
        "keep_influence_card",
        card="army",
    )
    assert not of(draft, f.ExcessInfluenceRemoved)


def between(seats=2, **changes):
    """The last row of the step is still to be chosen."""
    order = list(range(seats))
    base = {
        "step": "turn_order_choice",
        "phase": "colonization_1",
        "choosers": order,
        "chosen_rows": [*order[1:], 0],
    }
    return given(seats, **{**base, **changes})


def test_old_order_counts_until_all_have_chosen():
    """CSM-017, CSM-206: the rows change when the last is chosen."""
    state = between(rows=[2, 3])
    assert state.rows == (2, 3)
    assert do(state, 1, "choose_turn_order_position", row=4).state.rows == (1, 4)


def test_fourth_player_is_not_asked_again():
    """CSM-047: also after a colonization phase the last of four gets the only row left."""
    state = between(4, chosen_rows=[1, 4, 0, 0])
    draft = do(state, 2, "choose_turn_order_position", row=2)
    assert [(x.seat, x.row, x.automatic) for x in of(draft, f.TurnOrderPositionChosen)] == [
        (2, 2, False),
        (3, 3, True),
    ]
    assert draft.state.step == "action_round"


def test_empty_bag():
    """CSM-027: draws are made in region order until the bag is empty; the rest is skipped."""
    state = between(bag={"black": 0, "brown": 1, "yellow": 1})
    draft = do(state, 1, "choose_turn_order_position", row=4)
    assert [x.black + x.brown + x.yellow for x in of(draft, f.ResourcesDrawn)] == [1, 1, 0, 0, 0, 0]
    assert draft.state.bag == (0, 0, 0)


def test_short_supply_of_natives():
    """CSM-028: regions are served in region order, each as far as the supply goes."""
    regions = {key: {"natives": 0, "cubes": NO_CUBES} for key in REGIONS}
    state = between(native_supply=4, bag=NO_CUBES, regions=regions, phase="colonization_2")
    dice = [[1, 2], [1, 1, 3], [1, 1], [2, 2, 2], [3, 3], [1, 2, 3]]
    draft = do(state, 1, "choose_turn_order_position", row=4, chance=[*REGIONS, *dice])
    assert [fact.placed for fact in of(draft, f.NativesRolled)] == [3, 1, 0, 0, 0, 0]
    assert draft.state.native_supply == 0


def test_natives_only_for_empty_regions():
    """CSM-209, CSM-221: regions with natives receive none."""
    regions = {key: {"natives": 2} for key in REGIONS}
    for phase in ("colonization_1", "colonization_2"):
        draft = do(between(regions=regions, phase=phase), 1, "choose_turn_order_position", row=4)
        assert not of(draft, f.NativeAdded, f.NativesRolled)
        assert all(at(draft.state, key).natives == 2 for key in REGIONS)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bag_through_the_game(seats):
    """CSM-V-21 (CSM-027, CSM-033, CSM-209, CSM-220): 48, 42, 27, 21, 6 and exactly 0 cubes are left in
    the bag.
    """
    game = play(Table("colonialism", seats), seed=5)
    state, left = game.title.blank(seats, game.options), []
    for fact in game.facts:
        state = fact.fold(state)
        if isinstance(fact, f.ResourcesDrawn):
            left.append(sum(state.bag))
    assert len(left) == 36
    assert left[5::6] == [48, 42, 27, 21, 6, 0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_course_of_the_game(seats):
    """CSM-002, CSM-050, CSM-211, CSM-222: 3 turns, 12 action rounds, 6 colonization phases, 36 actions
    each, two ends of turn.
    """
    facts = play(Table("colonialism", seats), seed=3).facts
    rounds = [(x.turn, x.round) for x in facts if isinstance(x, f.ActionRoundStarted)]
    assert rounds == [(turn, number) for turn in (1, 2, 3) for number in (1, 2, 3, 4)]
    phases = [(x.turn, x.segment) for x in facts if isinstance(x, f.ColonizationPhaseStarted)]
    assert phases == [(turn, half) for turn in (1, 2, 3) for half in (1, 2)]
    assert [x.turn for x in facts if isinstance(x, f.GameTurnEnded)] == [2, 3]
    for seat in range(seats):
        assert sum(isinstance(x, f.ActionCompleted) and x.seat == seat for x in facts) == 36


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pieces_never_get_lost(seats):
    """CSM-009, CSM-010, CSM-026: after every single fact all pieces are there; discs go between reserve
    and region only.
    """
    game = play(Table("colonialism", seats), seed=11)
    state, started = game.title.blank(seats, game.options), False
    for fact in game.facts:
        before, state = state, fact.fold(state)
        started = started or isinstance(fact, f.RegionLimitTilesPlaced)
        if not started or isinstance(fact, f.RegionLimitTilesPlaced):
            continue
        totals = game.title.conserved(state)
        assert (totals["natives"], totals["mercenaries"], totals["interests"]) == (45, 16, 12)
        assert [totals[f"cubes_{color}"] for color in ("black", "brown", "yellow")] == [21, 21, 21]
        for seat in range(seats):
            assert (totals[f"discs_{seat}"], totals[f"cards_{seat}"]) == (22, 24)
            moved = [
                b.discs[seat] != a.discs[seat] for b, a in zip(before.regions, state.regions, strict=True)
            ]
            assert sum(moved) <= 1
