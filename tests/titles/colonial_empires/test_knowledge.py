"""What a seat learned about other hands, and that imagined positions respect it."""

from __future__ import annotations

from collections import Counter

import pytest

from events.rules.fast_chance import FastChance
from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.knowledge import note_empty_hand, note_shown, note_unseen_moves, take
from events.titles.colonial_empires.state import Known
from tests.titles.colonial_empires.scene import do, event_scene, random_game, trade_scene

TEA, INTRIGUE = "china_tea", "event_intrigue"


def true_of(entries, hands) -> bool:
    """Whether all entries can mean different real cards."""
    stock = [Counter(hand) for hand in hands]

    def fits(left) -> bool:
        if not left:
            return True
        entry, *rest = left
        for seat in entry.seats:
            if stock[seat][entry.card]:
                stock[seat][entry.card] -= 1
                if fits(rest):
                    stock[seat][entry.card] += 1
                    return True
                stock[seat][entry.card] += 1
        return False

    return fits(sorted(entries, key=lambda entry: len(entry.seats)))


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (10, 6)])
def test_nobody_knows_what_is_not_so(seats, seed):
    """In whole games all that a seat believes about other hands is true (CEM-203)."""
    for moment in random_game(seats, seed).moments:
        for entries in moment.state.known:
            assert true_of(entries, moment.state.hand)


@pytest.mark.parametrize(("seats", "seed"), [(3, 11), (5, 12)])
def test_imagined_hands_fit_what_is_known(seats, seed):
    """Known cards lie where they can lie, hands keep their sizes, one's own cards stay (CEM-203, CEM-205)."""
    for moment in random_game(seats, seed).some_moments(60):
        real = moment.state
        for seat in range(seats):
            other = TITLE.imagine(real, seat, FastChance(moment.facts))
            assert true_of(real.known[seat], other.hand)
            assert [len(hand) for hand in other.hand] == [len(hand) for hand in real.hand]
            assert other.hand[seat] == real.hand[seat]


def test_unseen_cards_are_dealt_uniformly():
    """One of two unseen cards lies in the other hand about half of the time (CEM-204)."""
    state = trade_scene([], [TEA], deck=["china_silk"])
    hands = Counter(TITLE.imagine(state, 0, FastChance(seed)).hand[1] for seed in range(400))
    assert set(hands) == {(TEA,), ("china_silk",)}
    assert 160 < hands[(TEA,)] < 240


def test_traded_card_is_known_to_the_giver_only():
    """Who gave a hand card away knows where it is (CEM-708)."""
    state = trade_scene(["india_rugs"], [TEA], ["china_silk"], treasury=[9, 9, 9])
    state = do(state, 0, "offer_trade", to=1, give={"hand_cards": ["india_rugs"]}, ask={"fortunes": 3}).state
    assert state.known == ((), (Known("india_rugs", (0,)),), ())
    state = do(state, 1, "accept_trade", offer_id=1).state
    assert state.known == ((Known("india_rugs", (1,)),), (), ())
    for seed in range(20):
        assert "india_rugs" in TITLE.imagine(state, 0, FastChance(seed)).hand[1]


def test_card_that_may_have_moved_lies_in_one_of_two_hands():
    """A bystander of War at Sea no longer knows which of the two holds the card (CEM-517)."""
    state = event_scene(
        ["event_war_at_sea"],
        [TEA, "china_silk"],
        ["china_jade"],
        known=[[], [], [{"card": TEA, "seats": [1]}]],
    )
    state = do(state, 0, "play_event_card", card="event_war_at_sea", target_player=1).state
    assert state.known[2] == (Known(TEA, (0, 1)),)


def test_emptied_hand_holds_nothing():
    """If the only card of a hand is taken, all know that the thief has it now (CEM-205)."""
    state = event_scene(
        ["event_war_at_sea"], [TEA], ["china_jade"], known=[[], [], [{"card": TEA, "seats": [1]}]]
    )
    state = do(state, 0, "play_event_card", card="event_war_at_sea", target_player=1).state
    assert state.known[2] == (Known(TEA, (0,)),)


def test_lapsed_offer_tells_where_its_card_went():
    """The recipient of an offer that lapses for its one card knows that the partner has it (CEM-712)."""
    state = trade_scene(["india_rugs"], [TEA], ["china_silk"], treasury=[9, 9, 9])
    for to in (1, 2):
        state = do(
            state, 0, "offer_trade", to=to, give={"hand_cards": ["india_rugs"]}, ask={"fortunes": 3}
        ).state
    state = do(state, 1, "accept_trade", offer_id=1).state
    assert state.known[2] == (Known("india_rugs", (1,)),)


def test_built_card_is_no_longer_in_a_hand():
    """What is put into play is accounted for (CEM-601)."""
    state = event_scene([], ["china_silk"], known=[[{"card": "china_silk", "seats": [1]}], []])
    for seat, name, arguments in (
        (0, "end_event_turn", {}),
        (1, "end_event_turn", {}),
        (1, "submit_build", {"cards": ["china_silk"]}),
    ):
        state = do(state, seat, name, **arguments).state
    assert state.known == ((), ())


def test_the_narrowest_entry_is_taken():
    """A copy seen to leave is the one known for certain, if there is one (CEM-202)."""
    entries = (Known(INTRIGUE, (1, 2)), Known(INTRIGUE, (1,)))
    assert take(entries, INTRIGUE, 1) == (Known(INTRIGUE, (1, 2)),)


def test_another_copy_may_have_been_meant():
    """Of two vague entries one goes, and the other covers both (CEM-202)."""
    entries = (Known(INTRIGUE, (1, 2)), Known(INTRIGUE, (1, 3)))
    assert take(entries, INTRIGUE, 1) == (Known(INTRIGUE, (1, 2, 3)),)


def test_shown_cards_are_certain():
    """A card seen in a hand replaces what was vaguely known of it (CEM-705)."""
    assert note_shown((Known(TEA, (1, 2)),), (TEA,), 2) == (Known(TEA, (2,)),)
    assert note_shown((Known(TEA, (2,)),), (TEA,), 2) == (Known(TEA, (2,)),)
    assert note_shown((), (INTRIGUE, INTRIGUE), 2) == (Known(INTRIGUE, (2,)), Known(INTRIGUE, (2,)))


def test_both_directions_of_a_trade():
    """Cards that went both ways may be in either hand (CEM-708)."""
    entries = (Known(TEA, (0,)), Known(INTRIGUE, (1,)))
    assert note_unseen_moves(entries, [(0, 1), (1, 0)]) == (Known(TEA, (0, 1)), Known(INTRIGUE, (0, 1)))
    assert note_empty_hand((Known(TEA, (0, 1)),), 0) == (Known(TEA, (1,)),)


def test_all_know_where_a_card_went_that_was_offered_to_all():
    """An offer to everybody names its cards aloud; unnamed ones may be anywhere (CEM-721, CEM-722)."""
    state = trade_scene(["india_rugs", INTRIGUE], [TEA], [], treasury=[9, 9, 9])
    given = {"give": {"hand_cards": ["india_rugs"], "hand_card_count": 1}, "unnamed_cards": [INTRIGUE]}
    state = do(state, 0, "offer_trade", to=None, ask={"hand_cards": [TEA]}, **given).state
    assert state.known == ((), (Known("india_rugs", (0,)),), (Known("india_rugs", (0,)),))
    state = do(state, 1, "accept_trade", offer_id=1).state
    assert state.known[2] == (Known("india_rugs", (1,)), Known(TEA, (0,)))
    assert state.known[0] == (Known("india_rugs", (1,)), Known(INTRIGUE, (1,)))


def test_unnamed_cards_are_imagined():
    """Who is offered a card without its name cannot tell which it is (CEM-721)."""
    state = trade_scene([INTRIGUE, "india_rugs"], [TEA], deck=["china_silk"], treasury=[9, 9])
    given = {"give": {"hand_card_count": 1}, "ask": {"fortunes": 2}, "unnamed_cards": [INTRIGUE]}
    state = do(state, 0, "offer_trade", to=1, **given).state
    seen = {TITLE.imagine(state, 1, FastChance(seed)).offers[0].unnamed_cards for seed in range(40)}
    assert len(seen) == 3
    assert TITLE.imagine(state, 0, FastChance(1)).offers == state.offers
