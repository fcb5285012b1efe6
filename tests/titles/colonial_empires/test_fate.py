"""Drawing and buying cards."""

from __future__ import annotations

from events.titles.colonial_empires import TITLE
from tests.titles.colonial_empires.scene import Places, Recorded, do, event_scene, refused, scene


def test_second_answer_replaces_the_first():
    """Until the last answer of the round is in, an answer can be replaced (CEM-309)."""
    state = do(scene(2), 0, "request_extra_card").state
    assert do(state, 0, "decline_extra_card").state == do(scene(2), 0, "decline_extra_card").state


def test_answers_are_sealed():
    """The others see that an answer was given, not which (CEM-309)."""
    views = [
        TITLE.view_json(do(scene(2), 0, name).state, 1)
        for name in ("request_extra_card", "decline_extra_card")
    ]
    assert views[0] == views[1]
    assert views[0]["fate_answered"] == [True, False]


def test_buying_and_declining_draw_alike():
    """The last answer of a round draws a card only for buyers, whom the round then names (CEM-311)."""
    chance = Recorded()
    state = do(scene(2), 0, "request_extra_card", chance=chance).state
    assert chance.draws == []
    size = len(state.deck)
    do(state, 1, "decline_extra_card", chance=chance)
    assert chance.draws == [((size,), True)]


def test_stopping_is_final():
    """Who has stopped is not asked again in this Fate Phase (CEM-310)."""
    state = do(do(scene(2), 0, "decline_extra_card").state, 1, "request_extra_card").state
    assert [decision.seat for decision in TITLE.decisions(state)] == [1]
    assert refused(state, 0, "request_extra_card") == "not_your_decision"


def test_no_hand_limit_while_buying():
    """A hand of twenty may grow further (CEM-313)."""
    state = scene(2, hand={0: ["event_intrigue"] * 20}, fate_in=[0])
    assert len(do(state, 0, "request_extra_card").state.hand[0]) == 21


def test_copies_count_singly():
    """Of three Intrigue and one Tea the Tea is drawn in one of four cases (CEM-204)."""
    drawn = []
    for place in range(4):
        state = event_scene(["event_discovery"], [], deck=["china_tea", *["event_intrigue"] * 3])
        draft = do(state, 0, "play_event_card", card="event_discovery", chance=Places(place, 0))
        drawn.append(draft.state.hand[0][0])
    assert sorted(drawn) == ["china_tea", "event_intrigue", "event_intrigue", "event_intrigue"]


def test_french_price_holds_for_extra_cards_only():
    """A paid build costs the French 5 like everybody (CEM-307)."""
    state = scene(
        2,
        phase="build",
        step="build",
        empire=["french", "dutch"],
        treasury=[3, 10],
        hand=[["china_tea", "india_rugs"], []],
        build_plans=[None, []],
    )
    assert refused(state, 0, "submit_build", cards=["china_tea", "india_rugs"]) == "insufficient_fortunes"
