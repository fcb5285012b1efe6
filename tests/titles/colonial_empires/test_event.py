"""The Event Phase: event turns, targets, powers."""

from __future__ import annotations

import pytest

from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.commands import PlayEventCard
from events.titles.colonial_empires.data import CARD_NAMES, EVENTS
from tests.titles.colonial_empires.scene import Places, Recorded, do, event_scene, kinds, random_game, refused

ALL_EVENTS = list(EVENTS)


def test_card_is_laid_on_the_pile_and_works_at_once():
    """There are no reactions: the same player goes on (CEM-509)."""
    draft = do(
        event_scene(["event_exploitation"], ["event_intrigue"]),
        0,
        "play_event_card",
        card="event_exploitation",
    )
    assert kinds(draft) == ["EventCardPlayed", "FortunesGained"]
    assert draft.state.discard_pile == ("event_exploitation",)
    assert [decision.seat for decision in TITLE.decisions(draft.state)] == [0]


def test_one_opponent_is_touched():
    """Intrigue takes from the named opponent only (CEM-510)."""
    state = event_scene(["event_intrigue"], ["china_tea"], ["china_silk"], treasury=[20, 20, 20])
    after = do(state, 0, "play_event_card", card="event_intrigue", target_player=2).state
    assert after.treasury == (20, 20, 10)


TARGETS = [
    ({"card": "event_intrigue"}, "target_required"),
    ({"card": "event_rebellion"}, "target_required"),
    ({"card": "event_rebellion", "target_player": 1}, "target_required"),
    ({"card": "event_exploitation", "target_player": 1}, "target_not_allowed"),
    ({"card": "event_intrigue", "target_player": 1, "target_card": "china_tea"}, "target_not_allowed"),
    ({"card": "event_intrigue", "target_player": 3}, "unknown_target"),
    ({"card": "event_intrigue", "target_player": -1}, "unknown_target"),
    ({"card": "event_intrigue", "target_player": 0}, "cannot_target_self"),
    ({"card": "event_intrigue", "target_player": 2}, "target_has_no_fortunes"),
    ({"card": "event_war_at_sea", "target_player": 2}, "target_hand_empty"),
    ({"card": "event_war_in_europe", "target_player": 2}, "target_hand_empty"),
    ({"card": "event_colonial_war", "target_card": "china_silk"}, "cannot_target_self"),
    ({"card": "event_colonial_war", "target_card": "event_intrigue"}, "not_a_colonial_resource"),
    ({"card": "event_colonial_war", "target_card": "china_gold"}, "unknown_card"),
    ({"card": "event_nothing"}, "unknown_card"),
    ({"card": "china_jade"}, "card_not_in_hand"),
    ({"card": "china_pearls"}, "not_an_event_card"),
]


@pytest.mark.parametrize(
    ("arguments", "code"), TARGETS, ids=[f"{n}-{code}" for n, (_, code) in enumerate(TARGETS)]
)
def test_wrong_plays_are_refused(arguments, code):
    """Each card names what it targets, and only what could have an effect (CEM-510, CEM-511, CEM-520)."""
    state = event_scene(
        [*ALL_EVENTS, "china_pearls"],
        ["india_rugs"],
        [],
        in_play=[["china_silk"], ["china_tea"], []],
        treasury=[10, 10, 0],
    )
    assert refused(state, 0, "play_event_card", **arguments) == code


def test_card_without_any_effect_stays_in_hand():
    """Rebellion with no Resource in play has no target and is not offered (CEM-520)."""
    state = event_scene(["event_rebellion", "event_colonial_war"], [], in_play=[["industry_banking"], []])
    assert [type(command).__name__ for command in TITLE.legal(state, 0)] == ["EndEventTurn"]


@pytest.mark.parametrize("seed", range(4))
def test_listed_plays_are_all_there_are(seed):
    """In the middle of games a play is listed exactly if it is accepted (CEM-520, CEM-522)."""
    game = random_game(5, seed, additional_empires=True)
    turns = [moment.state for moment in game.moments if moment.state.step == "event_turn"]
    for state in turns[:: max(1, len(turns) // 6)]:
        seat = state.event_order[state.event_index]
        listed = {command for command in TITLE.legal(state, seat) if isinstance(command, PlayEventCard)}
        targets = [
            *({"target_player": other} for other in range(5)),
            *({"target_card": card} for card in CARD_NAMES),
            {},
        ]
        for card in EVENTS:
            for target in targets:
                play = PlayEventCard(card, **target)
                assert (play in listed) == accepted(state, seat, play), play


def accepted(state, seat, command) -> bool:
    try:
        TITLE.decide(state, seat, command, FastChance(1))
    except Rejected:
        return False
    return True


def test_event_cards_in_the_event_phase_only():
    """In the Build Phase no Event card can be played (CEM-501)."""
    state = event_scene(["event_exploitation"], [])
    after = do(state, 0, "end_event_turn").state
    assert after.phase == "build"
    assert refused(after, 0, "play_event_card", card="event_exploitation") == "not_your_decision"


def test_playing_is_never_obligatory():
    """An event turn may be ended without a play (CEM-501, CEM-506)."""
    assert do(event_scene(["event_exploitation"], []), 0, "end_event_turn").state.hand[0] == (
        "event_exploitation",
    )


def test_begun_turn_ends_by_word_only():
    """A hand that becomes empty does not end the event turn (CEM-527)."""
    state = do(event_scene(["event_exploitation"], []), 0, "play_event_card", card="event_exploitation").state
    assert state.hand[0] == ()
    assert [decision.seat for decision in TITLE.decisions(state)] == [0]


def test_player_without_event_cards_is_asked():
    """Passing them over would reveal their hand (CEM-527, CEM-906)."""
    state = do(event_scene([], ["china_tea"]), 0, "end_event_turn").state
    (decision,) = TITLE.decisions(state)
    assert (decision.seat, decision.commands) == (1, ("play_event_card", "end_event_turn"))


def test_italian_with_an_empty_hand_is_not_passed_over():
    """Their power could fill it, as long as the deck has cards (CEM-527)."""
    parts = {"additional": True, "empire": ["spanish", "italian"]}
    assert do(event_scene([], [], **parts), 0, "end_event_turn").state.phase == "event"
    assert do(event_scene([], [], deck=[], **parts), 0, "end_event_turn").state.phase == "trade"


def test_italian_power_is_the_italians():
    """Others are refused (CEM-524)."""
    assert refused(event_scene(["china_tea"], []), 0, "use_italian_power") == "no_such_power"


def test_italian_power_comes_back_every_turn():
    """It works once per Event Phase, also in the next (CEM-524)."""
    parts = {"additional": True, "empire": ["italian", "spanish"], "treasury": [0, 0], "italian_used": True}
    state = event_scene(["china_tea"], [], **parts)
    assert refused(state, 0, "use_italian_power") == "power_already_used"
    for seat, name, arguments in (
        (0, "end_event_turn", {}),
        (0, "submit_build", {"cards": []}),
        (0, "finish_trading", {}),
        (1, "finish_trading", {}),
    ):
        state = do(state, seat, name, **arguments).state
    assert (state.turn, state.phase, state.italian_used) == (2, "event", False)


def test_immunity_goes_with_the_owner():
    """The same card is a target before the Dutch, and none before the Russian (CEM-522, CEM-523)."""
    empires = {"additional": True, "empire": ["spanish", "russian", "dutch"]}
    play = {"card": "event_rebellion", "target_card": "china_tea"}
    before_russian = event_scene(["event_rebellion"], [], [], in_play=[[], ["china_tea"], []], **empires)
    before_dutch = event_scene(["event_rebellion"], [], [], in_play=[[], [], ["china_tea"]], **empires)
    assert refused(before_russian, 0, "play_event_card", **play) == "target_immune"
    assert do(before_dutch, 0, "play_event_card", **play).state.in_play[2] == ()


def test_random_card_counts_copies_singly():
    """Two Intrigue of three cards are taken in two of three cases (CEM-902)."""
    taken = []
    for place in range(3):
        state = event_scene(["event_war_at_sea"], ["india_ivory", "event_intrigue", "event_intrigue"])
        draft = do(
            state, 0, "play_event_card", card="event_war_at_sea", target_player=1, chance=Places(place)
        )
        taken.append(draft.state.hand[0][0])
    assert sorted(taken) == ["event_intrigue", "event_intrigue", "india_ivory"]


def test_equal_cards_leave_in_order_of_arrival():
    """Of two equal cards the one that came first leaves first (CEM-905)."""
    hand = ["event_intrigue", "china_tea", "event_intrigue"]
    after = do(
        event_scene(hand, ["china_silk"]), 0, "play_event_card", card="event_intrigue", target_player=1
    ).state
    assert after.hand[0] == ("china_tea", "event_intrigue")


@pytest.mark.parametrize("card", ["event_war_at_sea", "event_war_in_europe", "event_discovery"])
def test_random_cards_are_hidden_draws(card):
    """A public draw would tell the place of a card in the hand or the deck (CEM-905)."""
    chance = Recorded()
    target = {} if card == "event_discovery" else {"target_player": 1}
    do(
        event_scene([card], ["china_tea", "china_silk"]),
        0,
        "play_event_card",
        card=card,
        chance=chance,
        **target,
    )
    assert chance.draws
    assert all(hidden for _, hidden in chance.draws)
