"""Set-up (§5.2)."""

import pytest

from events.rules.fast_chance import FastChance
from events.rules.scripted_chance import ScriptedChance, ScriptMismatch
from events.rules.steps import Rejected
from events.titles.colonies.options import Options, check_options
from events.titles.colonies.state import player_order
from events.titles.colonies.steps.fingers import highest_lone
from tests.titles.colonies.at_table import TITLE, answer_all, give, names, opened, waiting


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_player_has_a_planet(seats):
    """CLN-001: three to five players, each with a planet of their own."""
    state = opened(seats).state
    assert len(set(state.planets)) == seats


@pytest.mark.parametrize("seats", [2, 6])
def test_other_numbers_of_players(seats):
    """CLN-001: no other number of players is possible."""
    with pytest.raises(Rejected, match="invalid_options"):
        check_options(seats, Options())


def test_unknown_card_set():
    """A card set that there is not cannot be played."""
    with pytest.raises(Rejected, match="supplied-25"):
        check_options(4, Options(event_card_set="printed"))


def test_lots_are_no_order_of_joining():
    """CLN-009: any planet may fall to any seat; clockwise means the ring of planets."""
    drawn = {TITLE.open(5, Options(), FastChance(seed)).state.planets for seed in range(60)}
    assert len(drawn) > 40
    state = TITLE.open(5, Options(), ScriptedChance(["red", "green", "blue", "purple"])).state
    assert state.planets == ("red", "green", "blue", "purple", "yellow")
    state = TITLE.open(
        5, Options(first_player_method="random"), _scripted(["red", "green", "blue", "purple", 0])
    ).state
    assert player_order(state) == (0, 2, 1, 4, 3)


def _scripted(entries):
    return ScriptedChance(entries, FastChance(1))


def test_neutral_planets_are_no_neighbours():
    """CLN-154: with three players any of the five pairs that are not neighbours, and no other."""
    pairs = {TITLE.open(3, Options(), FastChance(seed)).facts[1].neutral_planets for seed in range(80)}
    assert pairs == {
        ("blue", "yellow"),
        ("blue", "purple"),
        ("green", "purple"),
        ("green", "red"),
        ("yellow", "red"),
    }
    with pytest.raises(ScriptMismatch):
        TITLE.open(3, Options(), ScriptedChance(["blue", "green"]))


@pytest.mark.parametrize(
    ("shown", "first"),
    [((5, 5, 3, 3, 1), 4), ((5, 5, 4, 3, 2), 2), ((4, 4, 2, 2), None), ((0, 3, 3), 0), ((1, 2, 3), 2)],
)
def test_highest_lone_number(shown, first):
    """CLN-011, CLN-012: the highest number that exactly one player shows; without one, another round."""
    assert highest_lone(shown) == first


def test_fingers_are_zero_to_five():
    """CLN-010: no player has more than five fingers to show."""
    state = opened(first_player_method="fingers").state
    assert waiting(state) == [(seat, "show_fingers") for seat in range(5)]
    with pytest.raises(Rejected, match="fingers_out_of_range"):
        give(state, 0, "show_fingers", count=6)
    assert give(state, 0, "show_fingers", count=0).facts


def test_random_first_player_skips_fingers():
    """CLN-013: the draw is recorded and the board prepared at once."""
    draft = opened()
    assert names(draft)[:4] == ["GameBegan", "PlanetsDrawn", "FirstPlayerDetermined", "BoardPrepared"]
    assert draft.facts[2].method == "random"
    assert draft.state.phase == "setup_deck_choice"


def test_five_cards_each():
    """CLN-022: five different cards for everybody; a player sees their own only."""
    state = opened(4).state
    dealt = [card for hand in state.hands for card in hand]
    assert [len(hand) for hand in state.hands] == [5, 5, 5, 5]
    assert len(set(dealt)) == 20
    assert set(dealt) | set(state.undealt) == {f"ev{n:02}" for n in range(1, 26)}
    assert TITLE.view_json(state, 1)["hand"] == list(state.hands[1])
    assert TITLE.view_json(state, None)["hand"] == []


def test_one_card_into_the_deck():
    """CLN-023: a card of one's own hand, secretly; four stay."""
    state = opened().state
    with pytest.raises(Rejected, match="card_not_in_hand"):
        give(state, 0, "choose_deck_card", card_id=state.hands[1][0])
    mine = state.hands[0][2]
    after = give(state, 0, "choose_deck_card", card_id=mine).state
    assert TITLE.view_json(after, 1) == TITLE.view_json(after, 1) | {
        "hand_sizes": [5, 5, 5, 5, 5],
        "sealed": None,
    }
    for seat in range(1, 5):
        after = give(after, seat, "choose_deck_card", card_id=after.hands[seat][0]).state
    assert mine not in after.hands[0]
    assert [len(hand) for hand in after.hands] == [4, 4, 4, 4, 4]
    assert after.deck_cards[0] == (mine,)


def test_first_event_card():
    """CLN-025: five cards make the deck; one is revealed for turn 1, four stay in it."""
    state = opened(3).state
    for seat in range(3):
        draft = give(state, seat, "choose_deck_card", card_id=state.hands[seat][0])
        state = draft.state
    assert names(draft) == [
        "DeckCardCommitted",
        "EventDeckBuilt",
        "EventCardRevealed",
        "TurnBegan",
        "ResourcesProduced",
    ]
    assert draft.facts[1].size == 5
    assert draft.facts[2].for_turn == 1
    assert (len(state.deck), len(state.undealt)) == (4, 8)
    assert state.current_card not in state.deck


def test_any_deck_card_may_be_on_top():
    """CLN-025: the order of the deck is chance: every card can be revealed first."""
    state = opened().state
    for seat in range(4):
        state = give(state, seat, "choose_deck_card", card_id=state.hands[seat][0]).state
    last = state.hands[4][0]
    seen = {give(state, 4, "choose_deck_card", seed=s, card_id=last).state.current_card for s in range(40)}
    assert seen == {hand[0] for hand in state.hands}


def test_fruitless_rounds_end():
    """CLN-012, CLN-013: everybody absent shows 0; after ten rounds the draw decides."""
    state = opened(first_player_method="fingers").state
    rounds = 0
    while state.phase == "setup_fingers":
        draft = answer_all(state, "show_fingers", count=0)
        state, rounds = draft.state, rounds + 1
    assert rounds == 10
    assert draft.facts[2].method == "random"
