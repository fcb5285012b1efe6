"""Sentences, buttons and panels."""

from __future__ import annotations

import msgspec
import pytest

from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.commands import SubmitBuild
from events.titles.colonial_empires.data import CARD_NAMES, EMPIRES, EVENTS
from events.titles.colonial_empires.facts import GameEnded
from tests.titles.colonial_empires.scene import build_scene, do, event_scene, random_game, scene, trade_scene


def who(seat: int) -> str:
    return f"the {['Portuguese', 'Spanish', 'English'][seat]}"


def told(draft) -> list[str]:
    return [
        TITLE.tell[type(fact).__name__](msgspec.to_builtins(fact, str_keys=True), who) for fact in draft.facts
    ]


def test_a_play_in_sentences():
    """A play reads like a report."""
    state = event_scene(["event_privateering"], ["china_tea"], treasury=[10, 3])
    assert told(do(state, 0, "play_event_card", card="event_privateering", target_player=1)) == [
        "The Portuguese played Privateering against the Spanish.",
        "The Portuguese took 3 Fortunes from the Spanish by Privateering.",
    ]


def test_a_build_in_sentences():
    """The reveal tells what was built, and for how much."""
    state = build_scene(["china_tea", "india_rugs"], [], build_plans=[None, []], treasury=[10, 10])
    assert told(do(state, 0, "submit_build", cards=["china_tea", "india_rugs"])) == [
        "The Portuguese submitted a build list: China Tea and India Rugs.",
        "The Portuguese put China Tea and India Rugs into play for 5 Fortunes.",
        "The Spanish built nothing.",
        "The Trade Phase of turn 1 began.",
    ]


def test_buttons():
    """Labels name cards, prices and opponents."""
    state = event_scene(["event_rebellion", "event_intrigue"], ["china_silk"], in_play=[[], ["china_tea"]])
    labels = [TITLE.label(state, 0, command) for command in TITLE.legal(state, 0)]
    assert labels == [
        "Rebellion against China Tea of the Spanish: discard it (income 2)",
        "Intrigue against the Spanish: they lose 10 Fortunes",
        "End your event turn",
    ]
    state = build_scene(["china_tea", "india_rugs"], [], build_plans=[None, []], treasury=[10, 10])
    assert (
        TITLE.label(state, 0, SubmitBuild(("china_tea", "india_rugs")))
        == "Build China Tea and India Rugs (5 Fortunes)"
    )
    assert TITLE.label(state, 0, SubmitBuild(())) == "Build nothing"


def test_trade_buttons():
    """An answer shows what changes hands."""
    state = trade_scene(["india_rugs"], [], treasury=[9, 9])
    state = do(state, 0, "offer_trade", to=1, give={"hand_cards": ["india_rugs"]}, ask={"fortunes": 3}).state
    labels = [TITLE.label(state, 1, command) for command in TITLE.legal(state, 1)]
    assert labels[:3] == [
        "Accept offer 1 of the Portuguese: India Rugs from the hand for 3 Fortunes",
        "Decline offer 1 of the Portuguese: India Rugs from the hand for 3 Fortunes",
        "Finish trading",
    ]


def test_event_buttons_say_what_they_bring():
    """Each Event card with what changes, as far as it is public: never more than there is."""
    hand = [card for card in EVENTS if card not in {"event_rebellion", "event_intrigue"}]
    parts = {"in_play": [[], ["china_tea"]], "treasury": [10, 3], "deck": ["india_rugs"]}
    state = event_scene(hand, ["china_silk"], **parts)
    assert [TITLE.label(state, 0, command) for command in TITLE.legal(state, 0)] == [
        "Colonial War against China Tea of the Spanish: take it (income 2)",
        "Privateering against the Spanish: take 3 Fortunes",
        "Exploitation: gain 10 Fortunes",
        "Discovery: draw 1 card",
        "War at Sea against the Spanish: take 1 random hand card",
        "War in Europe against the Spanish: they discard 1 random hand card",
        "End your event turn",
    ]


def test_the_end_tells_every_treasury():
    """The last sentence has the Fortunes of all: they are the score (CEM-804)."""
    fact = GameEnded(9, {0: 5, 1: 12, 2: 1}, {0: 2, 1: 1, 2: 3}, (1,))
    assert TITLE.tell["GameEnded"](msgspec.to_builtins(fact, str_keys=True), who) == (
        "The game ended: the Spanish won with 12 Fortunes; "
        "the Portuguese had 5 Fortunes; the English had 1 Fortune."
    )


def test_hand_limits_are_shown():
    """The players' panel has the size of each hand beside its limit (CEM-717, CEM-718)."""
    state = scene(2, empire=["ottoman", "spanish"], hand=[["china_tea"] * 3, ["china_silk"] * 8])
    rows = panel(TITLE.view_json(state, None), None, "Players")["rows"]
    assert [row[2]["text"] for row in rows] == ["3 / 12", "8 / 7"]
    assert [row[2]["tone"] for row in rows] == [None, "bad"]


def test_no_revenue_is_announced_where_none_comes(game):
    """After the last Revenue Phase nobody is promised another one (CEM-801)."""
    for state in (game.state, build_scene(["china_tea"], ["china_silk"], deck=[])):
        view = TITLE.view_json(state, None)
        assert not any(view["revenue_forecast"])
        assert "Next revenue" not in panel(view, None, "Players")["columns"]
    running = build_scene(["china_tea"], ["china_silk"])
    assert TITLE.view_json(running, None)["revenue_forecast"] == [5, 5]


@pytest.fixture(scope="module")
def game():
    """A random game with all empires."""
    return random_game(4, seed=2, additional_empires=True)


def test_no_bare_keys(game):
    """Sentences, labels and panels use names, never keys."""
    keys = {key for key in (*CARD_NAMES, *EMPIRES) if "_" in key}
    texts = [TITLE.tell[type(f).__name__](msgspec.to_builtins(f, str_keys=True), who4) for f in game.facts]
    for moment in game.some_moments(30):
        for seat in range(4):
            texts += [TITLE.label(moment.state, seat, command) for command in TITLE.legal(moment.state, seat)]
    for text in set(texts):
        assert not any(key in text for key in keys), text


def who4(seat: int) -> str:
    return f"Seat {seat}"


def panel(view, seat, title):
    return next(p for p in TITLE.panels(view, seat) if p["title"] == title)


def test_hand_is_shown_to_its_owner_only():
    """A player sees their hand as cards; a spectator sees none."""
    state = event_scene(["event_intrigue", "event_intrigue", "china_tea"], ["china_silk"])
    hand = panel(TITLE.view_json(state, 0), 0, "Your hand")
    assert [(card["name"], card["count"]) for card in hand["items"]] == [("Intrigue", 2), ("China Tea", 1)]
    assert "Your hand" not in [p["title"] for p in TITLE.panels(TITLE.view_json(state, None), None)]


def test_regions_mark_bonuses():
    """Bold for the most, green for all cards of a region."""
    china = ["china_silk", "china_jade", "china_pearls", "china_tea", "china_porcelain"]
    state = scene(2, in_play=[[*china, "india_rugs"], []])
    rows = {row[0]: row for row in panel(TITLE.view_json(state, 1), 1, "Regions")["rows"]}
    assert rows["China"][2]["tone"] == "good"
    assert rows["India"][2]["tone"] == "strong"


def test_third_party_sees_that_an_offer_is_open():
    """Its contents read as secret (CEM-708)."""
    state = trade_scene(["india_rugs"], [], [], treasury=[9, 9, 9])
    state = do(state, 0, "offer_trade", to=1, give={"hand_cards": ["india_rugs"]}, ask={"fortunes": 3}).state
    secret = panel(TITLE.view_json(state, 2), 2, "Open offers")["rows"][0]
    plain = panel(TITLE.view_json(state, 1), 1, "Open offers")["rows"][0]
    assert [cell["text"] for cell in secret[3:]] == ["secret", "secret"]
    assert plain[3:] == ["India Rugs from the hand", "3 Fortunes"]


def test_seat_names():
    """A seat is called by its empire once it has one."""
    assert TITLE.seat_name(scene(2), 1) == "the Spanish"
    assert TITLE.seat_name(TITLE.blank(2, TITLE.Options()), 1) == "Seat 1"
