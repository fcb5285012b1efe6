"""Sentences, buttons and panels."""

from __future__ import annotations

import msgspec
import pytest

from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.commands import SubmitBuild
from events.titles.colonial_empires.data import CARD_NAMES, EMPIRES, EVENTS
from events.titles.colonial_empires.facts import GameEnded
from events.titles.colonial_empires.words import agree, explain_order
from tests.titles.colonial_empires.scene import build_scene, do, event_scene, random_game, scene, trade_scene

REBELLION = (
    "Rebellion against China Tea of the Spanish: discard it (income 2); nobody can have all of China any more"
)


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
        "The Portuguese play Privateering against the Spanish.",
        "The Portuguese take 3 Fortunes from the Spanish by Privateering.",
    ]


def test_a_build_in_sentences():
    """The reveal tells what was built, and for how much."""
    state = build_scene(["china_tea", "india_rugs"], [], build_plans=[None, []], treasury=[10, 10])
    assert told(do(state, 0, "submit_build", cards=["china_tea", "india_rugs"])) == [
        "The Portuguese submit a build list: China Tea and India Rugs.",
        "The Portuguese put China Tea and India Rugs into play for 5 Fortunes.",
        "The Spanish build nothing.",
        "The Trade Phase of turn 1 begins.",
    ]


def test_buttons():
    """Labels name cards, prices and opponents."""
    state = event_scene(["event_rebellion", "event_intrigue"], ["china_silk"], in_play=[[], ["china_tea"]])
    labels = [TITLE.label(state, 0, command) for command in TITLE.legal(state, 0)]
    assert labels == [
        REBELLION,
        "Intrigue against the Spanish: they lose 10 Fortunes",
        "End your event turn",
    ]
    state = build_scene(["china_tea", "india_rugs"], [], build_plans=[None, []], treasury=[10, 10])
    assert (
        TITLE.label(state, 0, SubmitBuild(("china_tea", "india_rugs")))
        == "Build China Tea and India Rugs (5 Fortunes)"
    )
    assert TITLE.label(state, 0, SubmitBuild(())) == "Build nothing"


def test_verbs_agree_with_empires():
    """Peoples in the plural, others and seats in the singular; what stands behind a name does not matter."""
    plays = "[plays|play] Discovery."
    for name, verb in {
        "the Dutch": "play",
        "the Russian": "plays",
        "Seat 1": "plays",
        "Dutch": "plays",
    }.items():
        assert agree(f"{name} {plays}") == f"{name} {verb} Discovery."
        assert agree(f"{name} (seat 2) {plays}") == f"{name} (seat 2) {verb} Discovery."


def history(draft) -> list[str]:
    """The sentences as a history has them: with what the table shows beside each fact."""
    found = []
    for fact in draft.facts:
        data = msgspec.to_builtins(fact, str_keys=True)
        found.append(TITLE.tell[type(fact).__name__]({**data, **fact.beside(data, draft.state)}, who))
    return found


def test_the_order_of_event_turns_is_explained():
    """Who is first has the least Fortunes; the Austrian always is (CEM-502, CEM-504)."""
    state = scene(3, treasury=[7, 3, 5], deck=["china_tea"], fate_in=[0])
    said = history(do(state, 0, "decline_extra_card"))
    assert (
        "Event turns are taken in this order: the Spanish, the English and the Portuguese: "
        "the Spanish with the least Fortunes (8), then clockwise."
    ) in said
    order = {"order": [2, 0, 1], "fortunes": (4, 6, 30), "ahead": [2]}
    reason = ": the English always, then the Portuguese with the least Fortunes (4), then clockwise"
    assert explain_order(order, who) == reason
    assert explain_order({"order": [2, 0, 1]}, who) == ""


def test_passing_is_told_apart_from_playing_a_card():
    """Where an event turn is one card, who passes plays no more in this phase (CEM-506, CEM-507)."""
    hands = [["event_exploitation", "china_tea"], ["china_silk"]]
    state = event_scene(*hands, options={"additional_empires": False, "event_turns": "one_card"})
    played = history(do(state, 0, "play_event_card", card="event_exploitation"))
    assert (
        "The event turn of the Portuguese ends with this card; another one follows in the next round."
        in played
    )
    assert "The Portuguese pass for the rest of this Event Phase." in history(do(state, 0, "end_event_turn"))


def test_offers_in_sentences():
    """A gift, a request, an offer to everybody; why an offer lapses (CEM-704, CEM-712, CEM-722)."""
    state = trade_scene(["india_rugs"], ["china_tea"], [], treasury=[9, 9, 9])
    gift = do(state, 0, "offer_trade", to=1, give={"fortunes": 4}, ask={})
    assert told(gift) == ["The Portuguese offer the Spanish 4 Fortunes as a gift (no. 1)."]
    assert told(do(gift.state, 1, "accept_trade", offer_id=1)) == [
        "The Portuguese give 4 Fortunes to the Spanish, as a gift."
    ]
    given = {"give": {"hand_card_count": 1}, "ask": {"fortunes": 3}, "unnamed_cards": ["india_rugs"]}
    draft = do(state, 0, "offer_trade", to=None, **given)
    assert told(draft) == ["The Portuguese offer everybody 1 unnamed hand card for 3 Fortunes (no. 1)."]
    labels = [TITLE.label(draft.state, 0, command) for command in TITLE.legal(draft.state, 0)]
    assert labels[-1] == "Withdraw offer 1 to everybody: 1 unnamed hand card for 3 Fortunes"
    state = do(draft.state, 1, "decline_trade", offer_id=1).state
    assert told(do(state, 2, "decline_trade", offer_id=1)) == [
        "The English decline offer no. 1 of the Portuguese.",
        "Offer no. 1 of the Portuguese to everybody lapses: all others have declined it.",
    ]


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
        "The game ends: the Spanish win with 12 Fortunes; "
        "the Portuguese have 5 Fortunes; the English have 1 Fortune."
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
