"""Playing influence cards: requirements and the action cards."""

from __future__ import annotations

import pytest

from events.titles.colonialism import TITLE
from events.titles.colonialism import facts as f
from events.titles.colonialism.data import CARD, CARDS
from tests.titles.colonialism.given import (
    NO_CUBES,
    at,
    before_colonization,
    do,
    given,
    last_action,
    of,
    refused,
    stack,
)

EAST = {0: {0: {"sea_zone": "south_china_sea", "fresh": True}}}


def holding(card, seats=2, **changes):
    """Blue holds one card, has a fresh ship at China and one disc there."""
    hands = [[card]] + [[]] * (seats - 1)
    decks = [["treaty"], *[["trade", "plague"]] * (seats - 1)]
    base = {"hands": hands, "decks": decks, "ships": EAST, "regions": {"china": {"discs": {0: 1}}}}
    return given(seats, **{**base, **changes})


def test_set_of_cards():
    """CSM-020: the 24 cards of a player, 17 policy and 7 action cards, one of each; every player has the
    same.
    """
    assert sum(card.kind == "policy" for card in CARDS) == 17
    assert sum(card.kind == "action" for card in CARDS) == 7
    assert len(CARD) == 24


def test_card_comes_from_the_hand():
    """CSM-070: only a card of the hand can be played, at a region of the board."""
    state = holding("army")
    assert (
        refused(state, 0, "play_policy_card", card="fleet", region="china", ship="blue_ship_1")
        == "card_not_in_hand"
    )
    assert (
        refused(state, 0, "play_policy_card", card="army", region="atlantis", ship="blue_ship_1")
        == "unknown_region"
    )
    assert refused(state, 0, "play_missionaries", region="china") == "card_not_in_hand"


def test_action_card_is_no_policy_card():
    """CSM-070, CSM-075: an action card cannot be laid at a region; the ship is looked at first."""
    state = holding("plague")
    assert (
        refused(state, 0, "play_policy_card", card="plague", region="china", ship="blue_ship_1")
        == "not_a_policy_card"
    )
    assert (
        refused(state, 0, "play_policy_card", card="plague", region="india", ship="blue_ship_1")
        == "ship_not_adjacent"
    )


def test_policy_card_needs_a_ship_but_no_presence():
    """CSM-014, CSM-071, CSM-074: a policy card uses the ship; own influence in the region is not needed."""
    state = holding("army", regions={})
    draft = do(state, 0, "play_policy_card", card="army", region="china", ship="blue_ship_1")
    assert of(draft, f.ShipUsed) == [f.ShipUsed(seat=0, ship="blue_ship_1", sea_zone="south_china_sea")]
    assert not draft.state.ships[0][0].fresh
    assert draft.state.hands[0] == ()


@pytest.mark.parametrize("card", [card.id for card in CARDS if card.kind == "action" and card.id != "trade"])
def test_seal_needs_presence(card):
    """CSM-073: every action card needs own influence in the region; mercenaries count."""
    fields = {"region": "china"}
    fields |= {"ship": "blue_ship_1"} if CARD[card].ship else {}
    fields |= {"faction": 0} if card in {"diplomacy", "military_campaign"} else {}
    absent = holding(card, regions={"china": {"discs": {0: 0}}})
    assert refused(absent, 0, f"play_{card}", **fields) == "no_presence_in_region"
    hired = holding(card, regions={"china": {"discs": {0: 0}, "mercenaries": {0: 2}}})
    assert do(hired, 0, f"play_{card}", **fields).facts


@pytest.mark.parametrize("card", ["diplomacy", "military_campaign", "missionaries"])
def test_three_cards_need_no_ship(card):
    """CSM-072: these cards use no ship, even if there is a fresh one."""
    fields = {"faction": 0} if card != "missionaries" else {}
    after = do(holding(card), 0, f"play_{card}", region="china", **fields).state
    assert after.ships[0][0].fresh
    assert after.discards[0] == (card,)


def test_requirements_hold_only_when_played():
    """CSM-081: the ship may leave and the influence may go; the card resolves all the same."""
    state = before_colonization(
        2,
        region_order=[
            "china",
            "india",
            "north_africa",
            "sub_saharan_africa",
            "middle_east",
            "southeast_asia",
        ],
        ships={0: [{"sea_zone": "atlantic_ocean", "fresh": True}] * 3},
        regions={"china": {"natives": 1, "policy": {0: stack("influence_region_4")}}},
    )
    draft = last_action(state)
    assert at(draft.state, "china").discs == (4, 0)


def test_diplomacy_names_the_faction_first():
    """CSM-009, CSM-090, CSM-091: another player's discs come from their own reserve; an absent player may
    be named.
    """
    state = holding("diplomacy", seats=3)
    draft = do(state, 0, "play_diplomacy", region="china", faction=2, chance=[3])
    assert of(draft, f.ActionCardPlayed)[0].target == 2
    assert at(draft.state, "china").discs == (1, 0, 4)
    assert draft.state.reserve == (22, 22, 18)
    assert refused(state, 0, "play_diplomacy", region="china", faction=3) == "unknown_faction"


def test_land_grab_of_nothing():
    """CSM-092: without policy cards in play the card is legal and adds nothing."""
    draft = do(holding("land_grab"), 0, "play_land_grab", region="china", ship="blue_ship_1")
    assert of(draft, f.InfluenceAdded)[0].placed == 0


def test_mercenaries_join():
    """CSM-004, CSM-005, CSM-093: the die + 1 mercenaries from the supply count as influence of their
    owner.
    """
    draft = do(holding("mercenaries"), 0, "play_mercenaries", region="china", ship="blue_ship_1", chance=[2])
    assert at(draft.state, "china").mercenaries == (3, 0)
    assert draft.state.mercenary_supply == 13
    short = holding("mercenaries", mercenary_supply=1)
    assert at(
        do(short, 0, "play_mercenaries", region="china", ship="blue_ship_1").state, "china"
    ).mercenaries == (1, 0)


def test_mercenaries_stay_until_the_influence_check():
    """CSM-094: they survive the action rounds and the region's colonization, and leave at the Influence
    Check.
    """
    state = before_colonization(
        2, hands=[["trade", "plague"], []], regions={"china": {"natives": 1, "mercenaries": {0: 3}}}
    )
    waiting = last_action(state).state
    assert at(waiting, "china").mercenaries == (3, 0)
    after = do(waiting, 0, "keep_influence_card", card="trade").state
    assert at(after, "china").mercenaries == (0, 0)


def test_military_campaign_against_oneself():
    """CSM-003, CSM-096: any faction with influence there may be the target, the acting player included."""
    state = holding("military_campaign", regions={"china": {"discs": [3, 0], "natives": 2}})
    after = do(state, 0, "play_military_campaign", region="china", faction=0, chance=[1]).state
    assert at(after, "china").discs == (1, 0)
    assert refused(state, 0, "play_military_campaign", region="china", faction=1) == "target_has_no_influence"
    assert refused(state, 0, "play_military_campaign", region="china", faction=2) == "unknown_faction"


def test_military_campaign_takes_all_there_is():
    """CSM-095, CSM-106: a faction with less loses all, and is not asked what goes."""
    state = holding("military_campaign", regions={"china": {"discs": [1, 1], "mercenaries": [0, 1]}})
    draft = do(state, 0, "play_military_campaign", region="china", faction=1, chance=[3])
    assert not of(draft, f.LossChoiceOpened)
    assert (at(draft.state, "china").discs, at(draft.state, "china").mercenaries) == ((1, 0), (0, 0))


def test_target_of_a_campaign_chooses_in_between():
    """CSM-105: the target, not the active player, chooses; the action is complete only then."""
    state = holding("military_campaign", regions={"china": {"discs": [1, 3], "mercenaries": [0, 3]}})
    draft = do(state, 0, "play_military_campaign", region="china", faction=1, chance=[1])
    assert not of(draft, f.ActionCompleted)
    assert [(d.seat, d.kind) for d in TITLE.decisions(draft.state)] == [(1, "mercenary_losses")]
    after = do(draft.state, 1, "choose_mercenary_losses", mercenaries=1)
    assert of(after, f.ActionCardDiscarded, f.ActionCompleted)
    assert (at(after.state, "china").discs, at(after.state, "china").mercenaries) == ((1, 2), (0, 2))


@pytest.mark.parametrize("card", ["missionaries", "plague"])
def test_only_a_campaign_removes_the_last_native(card):
    """CSM-099: Missionaries spare a single native, Plague rounds down; neither starts a collection."""
    state = holding(card, regions={"china": {"natives": 1, "discs": [2, 0]}})
    fields = {"ship": "blue_ship_1"} if card == "plague" else {}
    draft = do(state, 0, f"play_{card}", region="china", **fields)
    assert at(draft.state, "china").natives == 1
    assert not of(draft, f.CollectionStarted)


def test_several_owners_choose_in_turn_order():
    """CSM-107: Plague asks everybody with a choice, one after another in turn order."""
    state = holding(
        "plague",
        seats=3,
        rows=[2, 3, 1],
        actions_taken=[0, 0, 1],
        regions={
            "china": {"natives": 0, "discs": [2, 2, 2], "mercenaries": [2, 2, 2]},
        },
    )
    draft = do(state, 0, "play_plague", region="china", ship="blue_ship_1")
    asked = []
    while draft.state.losses:
        seat = TITLE.decisions(draft.state)[0].seat
        asked.append(seat)
        others = [s for s in range(3) if s != seat]
        assert all(
            refused(draft.state, s, "choose_mercenary_losses", mercenaries=1) == "not_your_decision"
            for s in others
        )
        draft = do(draft.state, seat, "choose_mercenary_losses", mercenaries=1)
    assert asked == [2, 0, 1]
    assert at(draft.state, "china").discs == (1, 1, 1)


def test_missionaries_wait_for_all_losses():
    """CSM-100, CSM-105: the own discs are added when the owner of discs and mercenaries has chosen."""
    state = holding("missionaries", regions={"china": {"natives": 3, "discs": [1, 2], "mercenaries": [0, 1]}})
    draft = do(state, 0, "play_missionaries", region="china")
    assert not of(draft, f.InfluenceAdded)
    after = do(draft.state, 1, "choose_mercenary_losses", mercenaries=0)
    assert of(after, f.InfluenceAdded)[0].placed == 2
    assert at(after.state, "china").discs == (3, 1)


def test_action_cards_cause_no_conflict():
    """CSM-104: a card may leave a region above its limit."""
    state = holding("diplomacy", regions={"china": {"natives": 6, "discs": [2, 0]}})
    draft = do(state, 0, "play_diplomacy", region="china", faction="natives", chance=[3])
    assert at(draft.state, "china").natives == 10
    assert not of(draft, f.ConflictResolved, f.InfluenceRemoved)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"region_b": "india"}, "same_region"),
        ({"color_a": "brown"}, "no_such_resource"),
        ({"region_a": "middle_east", "color_a": "black"}, "no_presence_in_region"),
    ],
)
def test_trade_is_refused(change, code):
    """CSM-102: two different regions, influence in one of them, a cube of the named colour in each."""
    state = given(
        2,
        hands=[["trade"], []],
        decks=[["treaty"], ["plague"]],
        ships={0: {0: {"sea_zone": "western_indian_ocean", "fresh": True}}},
        regions={
            "india": {"discs": [1, 0], "cubes": {**NO_CUBES, "black": 1}},
            "middle_east": {"cubes": {**NO_CUBES, "black": 1}},
            "sub_saharan_africa": {"cubes": {**NO_CUBES, "black": 1}},
        },
    )
    good = {
        "ship": "blue_ship_1",
        "region_a": "india",
        "color_a": "black",
        "region_b": "sub_saharan_africa",
        "color_b": "black",
    }
    assert do(state, 0, "play_trade", **good).facts
    assert refused(state, 0, "play_trade", **{**good, **change}) == code
