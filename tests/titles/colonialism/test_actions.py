"""Action rounds and the actions without a card."""

from __future__ import annotations

from events.titles.colonialism import TITLE
from events.titles.colonialism import commands as c
from events.titles.colonialism import facts as f
from events.titles.colonialism.derived import turn_order
from events.titles.colonialism.steps.action_round import ACTION
from tests.titles.colonialism.given import at, before_colonization, do, given, last_action, of, refused


def test_round_robin():
    """CSM-016, CSM-050, CSM-052: first actions of all in turn order, then second, then third ones."""
    state = given(3, rows=[4, 1, 2])
    assert turn_order(state) == (1, 2, 0)
    acted = []
    for _ in range(9):
        seat = TITLE.decisions(state)[0].seat
        draft = do(state, seat, "draw_influence_card")
        done = of(draft, f.ActionCompleted)[0]
        acted.append((done.seat, done.action_number))
        state = draft.state
    assert acted == [(seat, action) for action in (1, 2, 3) for seat in (1, 2, 0)]


def test_one_of_five_actions_and_no_pass():
    """CSM-051: drawing, moving, playing, exploring or withdrawing; only the active player; moving is
    always possible.
    """
    state = given(2, reserve=[0, 0], decks=[[], []])
    names = TITLE.decisions(state)[0].commands
    assert len(names) == len(ACTION.moves)
    assert not [name for name in names if "pass" in name]
    assert refused(state, 1, "draw_influence_card") == "not_your_decision"
    listed = list(TITLE.legal(state, 0))
    assert listed
    assert all(isinstance(command, c.MoveShip) for command in listed)


def test_an_action_may_be_repeated():
    """CSM-051, CSM-053: a player may draw three times; a draw has no requirement."""
    state = given(2)
    for _ in range(3):
        state = do(state, 0, "draw_influence_card").state
        state = do(state, 1, "draw_influence_card").state
    assert len(state.hands[0]) == 3
    assert len(state.decks[0]) == 3


def test_hand_is_unlimited_during_rounds():
    """CSM-054: a player with many cards may draw another."""
    hand = [
        "army",
        "fleet",
        "empire",
        "treaty",
        "trade",
        "plague",
        "commerce",
        "dominion",
        "hegemony",
        "monopoly",
    ]
    state = do(given(2, hands=[hand, []]), 0, "draw_influence_card").state
    assert len(state.hands[0]) == 11


def test_nothing_to_draw():
    """CSM-055: with neither deck nor discard pile, drawing is refused; the default action is then another
    one.
    """
    state = given(2, decks=[[], []])
    assert refused(state, 0, "draw_influence_card") == "no_cards_to_draw"
    default = TITLE.default(state, TITLE.decisions(state)[0])
    assert isinstance(default, c.MoveShip)
    assert do(state, 0, "move_ship", ship=default.ship, sea_zone=default.sea_zone).facts


def test_move_needs_another_zone():
    """CSM-056: a ship goes to any other zone, whatever the distance, but not to its own."""
    state = given(2, ships={0: {0: {"sea_zone": "atlantic_ocean", "fresh": True}}})
    assert refused(state, 0, "move_ship", ship="blue_ship_1", sea_zone="atlantic_ocean") == "same_sea_zone"
    moved = do(state, 0, "move_ship", ship="blue_ship_1", sea_zone="south_china_sea").state
    assert moved.ships[0][0].sea_zone == "south_china_sea"
    assert moved.ships[0][0].fresh


def test_ships_are_named():
    """CSM-060, CSM-071: the player names which of their own ships is used; others' and unknown ones are
    refused.
    """
    state = given(
        2,
        ships={
            0: {
                0: {"sea_zone": "south_china_sea", "fresh": True},
                2: {"sea_zone": "south_china_sea", "fresh": True},
            }
        },
    )
    assert refused(state, 0, "explore_region", region="china", ship="red_ship_1") == "not_your_ship"
    assert refused(state, 0, "explore_region", region="china", ship="blue_ship_9") == "unknown_ship"
    assert refused(state, 0, "explore_region", region="atlantis", ship="blue_ship_9") == "unknown_region"
    after = do(state, 0, "explore_region", region="china", ship="blue_ship_3").state
    assert [ship.fresh for ship in after.ships[0]] == [True, True, False]


def test_explore_places_one_disc():
    """CSM-007, CSM-008, CSM-057: one disc from the reserve, without prior influence."""
    state = given(2, ships={0: {0: {"sea_zone": "south_china_sea", "fresh": True}}})
    after = do(state, 0, "explore_region", region="china", ship="blue_ship_1").state
    assert at(after, "china").discs == (1, 0)
    assert after.reserve == (21, 22)


def test_no_limit_check_in_action_rounds():
    """CSM-061: a region may exceed its limit until the colonization phase."""
    state = given(
        2,
        regions={"china": {"natives": 6, "discs": [9, 9]}},
        ships={0: {0: {"sea_zone": "south_china_sea", "fresh": True}}},
    )
    draft = do(state, 0, "explore_region", region="china", ship="blue_ship_1")
    assert not of(draft, f.ConflictResolved, f.InfluenceRemoved)
    assert at(draft.state, "china").discs == (10, 9)


def test_round_end():
    """CSM-062, CSM-063: ships become fresh, the phase advances, actions restart; after round 1 comes
    round 2.
    """
    used = [{"sea_zone": "south_china_sea", "fresh": False}] * 3
    state = given(2, actions_taken=[3, 2], ships={0: used, 1: used})
    draft = last_action(state)
    assert of(draft, f.ActionRoundEnded, f.GamePhaseAdvanced, f.ActionRoundStarted) == [
        f.ActionRoundEnded(turn=1, round=1),
        f.GamePhaseAdvanced(turn=1, phase="action_round_2"),
        f.ActionRoundStarted(turn=1, round=2),
    ]
    assert all(ship.fresh for fleet in draft.state.ships for ship in fleet)
    assert draft.state.actions_taken == (0, 0)


def test_colonization_follows_rounds_2_and_4():
    """CSM-002, CSM-063: the colonization phase follows the second action round of a segment."""
    for phase, segment in (("action_round_2", 1), ("action_round_4", 2)):
        draft = last_action(before_colonization(2, phase=phase))
        started = of(draft, f.ColonizationPhaseStarted)[0]
        assert (started.segment, started.region_order) == (segment, draft.state.region_order)
        assert draft.state.phase == f"colonization_{segment}"
