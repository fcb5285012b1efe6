"""The shared turn, the deck and the money."""

from __future__ import annotations

from itertools import pairwise

import pytest

from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.data import INDUSTRIES, RESOURCES
from tests.titles.colonial_empires.scene import (
    build_scene,
    command,
    do,
    event_scene,
    kinds,
    random_game,
    scene,
    trade_scene,
)
from tests.titles.table import Table, play


@pytest.fixture(scope="module")
def game():
    """A random game of four."""
    return random_game(4, seed=3)


def test_phases_follow_each_other(game):
    """Fate, Revenue, Event, Build, Trade, turn after turn, each for all (CEM-301)."""
    phases = [fact.phase for fact in game.facts if type(fact).__name__ == "PhaseBegan"]
    assert phases == ["fate", "revenue", "event", "build", "trade"] * game.state.turn


def test_only_the_event_phase_has_an_order():
    """Fate, Build, Trade and the hand limit ask all at once; an event turn is one player's (CEM-302)."""
    nine = ["event_intrigue"] * 9
    asked = {
        "fate": scene(3),
        "event": event_scene(["china_tea"], ["china_silk"], ["china_jade"]),
        "build": build_scene(["china_tea"], ["china_silk"], ["china_jade"]),
        "trade": trade_scene([], [], []),
        "limit": scene(3, phase="trade", step="hand_limit", hand=[nine] * 3, discards_due=[2, 2, 2]),
    }
    numbers = {name: len(TITLE.awaited(state)) for name, state in asked.items()}
    assert numbers == {"fate": 3, "event": 1, "build": 3, "trade": 3, "limit": 3}


def test_nobody_is_eliminated():
    """A player without Fortunes, hand and cards in play still trades and is dealt cards (CEM-114)."""
    state = trade_scene([], [], treasury=[0, 5], trade_finished=[False, True])
    draft = do(state, 0, "finish_trading")
    assert len(draft.state.hand[0]) == 2
    assert any(decision.seat == 1 for decision in TITLE.awaited(draft.state))


def test_discard_pile_only_grows(game):
    """It is never reshuffled; a discarded card is out of the game (CEM-207)."""
    piles = [moment.state.discard_pile for moment in game.moments]
    for earlier, later in pairwise(piles):
        assert later[: len(earlier)] == earlier


def test_deck_is_only_drawn_from(game):
    """The deck never grows after the set-up (CEM-207, CEM-203)."""
    sizes = [len(moment.state.deck) for moment in game.moments]
    assert sizes == sorted(sizes, reverse=True)


def test_treasuries_are_public_and_kept():
    """Fortunes stay from turn to turn, before all eyes (CEM-210)."""
    state = trade_scene([], [], treasury=[37, 41], trade_finished=[False, True])
    after = do(state, 0, "finish_trading").state
    assert after.turn == 2
    assert TITLE.view_json(after, None)["treasury"] == TITLE.view_json(after, 1)["treasury"] == [37, 41]


def test_bank_is_unlimited():
    """A gain is paid in full however much is out already (CEM-212)."""
    state = event_scene(["event_exploitation"], [], treasury=[400_000, 400_000])
    assert do(state, 0, "play_event_card", card="event_exploitation").state.treasury[0] == 400_010


def test_treasury_never_negative(game):
    """A loss takes at most what is there (CEM-211)."""
    assert all(min(moment.state.treasury) >= 0 for moment in game.moments)


def test_hand_cards_are_not_controlled():
    """Only cards in play earn (CEM-216)."""
    state = scene(
        2, empire=["portuguese", "spanish"], hand=[["china_silk", "industry_banking"], []], fate_in=[0]
    )
    facts = do(state, 0, "decline_extra_card").facts
    revenue = next(fact for fact in facts if type(fact).__name__ == "RevenueCollected")
    assert revenue.total == 5


def test_any_number_of_cards_in_play():
    """All 66 cards may lie before one player; each earns (CEM-217)."""
    everything = [*RESOURCES, *INDUSTRIES]
    state = build_scene(["event_intrigue"], [], in_play=[everything, []], build_plans=[None, []])
    assert do(state, 0, "submit_build", cards=[]).state.in_play[0] == tuple(everything)
    assert TITLE.view_json(state, None)["revenue_forecast"][0] == 5 + 145 + 10 * 5


def test_every_turn_draws_a_card(game):
    """A turn with cards left draws at least one, so the game ends (CEM-807)."""
    turns = {}
    for moment in game.moments:
        turns.setdefault(moment.state.turn, len(moment.state.deck))
    sizes = list(turns.values())
    assert all(later < earlier for earlier, later in pairwise(sizes))


LENGTHS = {
    2: (18, 24),
    3: (13, 16),
    4: (10, 12),
    5: (8, 8),
    6: (7, 8),
    7: (6, 6),
    8: (5, 6),
    9: (4, 5),
    10: (4, 4),
}


@pytest.mark.parametrize("seats", LENGTHS)
def test_length_without_extra_draws(seats):
    """The deck lasts as many turns as the basic deals take (CEM-304, CEM-807)."""
    shortest, longest = LENGTHS[seats]
    game = play(Table("colonial_empires", seats), seed=1, defaults=True)
    assert shortest <= game.state.turn <= longest


def test_lead_seat_moves_clockwise():
    """V-52: the lot names S3; turn 1 is led by S3, turn 2 by S4, turn 3 by S1 (CEM-113)."""
    leads = {}
    game = play(Table("colonial_empires", 4), seed=1, defaults=True)
    for fact in game.facts:
        if type(fact).__name__ == "TurnBegan":
            leads[fact.turn] = fact.lead_seat
    first = leads[1]
    assert [leads[turn] for turn in (1, 2, 3, 4, 5)] == [(first + step) % 4 for step in range(5)]


def test_turn_ends_after_the_discards():
    """Nothing can be played or traded after the discards: the next turn begins (CEM-720)."""
    hand = ["event_intrigue"] * 8
    state = scene(2, phase="trade", step="hand_limit", hand=[hand, []], discards_due=[1, 0])
    draft = do(state, 0, "discard_excess", cards=["event_intrigue"])
    assert kinds(draft)[:4] == ["ExcessDiscardSubmitted", "CardsDiscarded", "TurnEnded", "TurnBegan"]
    assert draft.state.phase == "fate"


NINE = ["china_tea"] * 7 + ["event_intrigue", "event_discovery"]
DEFAULTS = {
    "choose_empires": (TITLE.blank(2, TITLE.Options()), "choose_empire", {"empire": "portuguese"}),
    "fate_extra": (scene(2), "decline_extra_card", {}),
    "event_turn": (event_scene(["event_exploitation"], []), "end_event_turn", {}),
    "italian_discard": (
        event_scene(NINE, [], step="italian_discard", italian_pending=2),
        "discard_for_italian_power",
        {"cards": ["event_intrigue", "event_discovery"]},
    ),
    "build": (build_scene(["china_tea"], []), "submit_build", {"cards": []}),
    "trading": (trade_scene([], []), "finish_trading", {}),
    "hand_limit": (
        scene(2, phase="trade", step="hand_limit", hand=[NINE, []]),
        "discard_excess",
        {"cards": ["event_intrigue", "event_discovery"]},
    ),
}


@pytest.mark.parametrize("kind", DEFAULTS)
def test_what_an_absent_player_does(kind):
    """In every step the default action is that of the list (CEM-904)."""
    state, name, arguments = DEFAULTS[kind]
    decision = TITLE.awaited(state)[0]
    assert (decision.seat, decision.kind) == (0, kind)
    assert TITLE.default(state, decision) == command(name, **arguments)


def test_default_empire_is_the_first_free_one():
    """In the order of the list of empires, as far as the game allows them (CEM-904)."""
    state = scene(4)
    assert state.empire == ("portuguese", "spanish", "english", "french")
