"""Who may know what."""

from __future__ import annotations

import msgspec
import pytest

from events.rules.fact import Fact
from events.rules.fast_chance import FastChance
from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.data import CARD_NAMES
from tests.titles.colonial_empires.scene import Recorded, do, event_scene, random_game, trade_scene
from tests.titles.table import redacted


@pytest.fixture(scope="module")
def game():
    """A random game of three."""
    return random_game(3, seed=8)


def test_view_names_own_cards_only(game):
    """Other hands and the deck are numbers (CEM-203, CEM-205)."""
    for moment in game.some_moments(40):
        state = moment.state
        for seat in range(3):
            view = TITLE.view_json(state, seat)
            assert view["hand"] == list(state.hand[seat])
            assert view["hand_count"] == [len(hand) for hand in state.hand]
            assert view["deck_count"] == len(state.deck)
            assert "deck" not in view


def test_spectator_sees_no_hand_card(game):
    """A key in a spectator's view lies in play or on the pile, or an open offer names it to all (CEM-203,
    CEM-205, CEM-708, CEM-722).
    """
    for moment in game.some_moments(40):
        shown = msgspec.json.encode(TITLE.view_json(moment.state, None)).decode()
        public = {*moment.state.discard_pile, *(card for cards in moment.state.in_play for card in cards)}
        for offer in moment.state.offers:
            if offer.to is None:
                public |= {*offer.give.hand_cards, *offer.ask.hand_cards}
        for card in set(CARD_NAMES) - public:
            assert f'"{card}"' not in shown


HIDDEN = {
    "StartingHandDealt": ["cards"],
    "FateCardsDrawn": ["cards"],
    "ExtraCardAnswered": ["buys"],
    "ExtraCardBought": ["card"],
    "CardsDrawn": ["cards"],
    "HandCardStolen": ["card"],
    "BuildSubmitted": ["cards"],
    "TradeOffered": ["give", "ask", "unnamed_cards"],
    "TradeOfferedToAll": ["unnamed_cards"],
    "TradeCompleted": ["give.hand_cards", "ask.hand_cards"],
    "ExcessDiscardSubmitted": ["cards"],
}


def test_secret_fields():
    """Exactly these fields are secret (CEM-205, CEM-309, CEM-517, CEM-601, CEM-708, CEM-717)."""
    assert {fact.__name__: list(fact.secrets) for fact in TITLE.facts if fact.secrets} == HIDDEN


def test_sealed_commands():
    """Answers whose type or content is secret are hidden whole (CEM-309, CEM-601, CEM-708, CEM-717)."""
    sealed = {kind.__name__ for kind in TITLE.commands if kind.sealed}
    buying = {"RequestExtraCard", "DeclineExtraCard"}
    assert sealed == {*buying, "SubmitBuild", "OfferTrade", "AcceptTrade", "DiscardExcess"}


def test_completed_trade_tells_numbers_only():
    """Third parties learn how many hand cards moved, not which (CEM-708)."""
    state = trade_scene(["india_rugs"], ["china_tea"], [], treasury=[9, 9, 9])
    state = do(
        state, 0, "offer_trade", to=1, give={"hand_cards": ["india_rugs"]}, ask={"hand_cards": ["china_tea"]}
    ).state
    (fact,) = do(state, 1, "accept_trade", offer_id=1).facts
    public = redacted(fact, msgspec.to_builtins(fact))
    assert public["give"] == {"fortunes": 0, "in_play_cards": [], "hand_card_count": 1}
    sentence = TITLE.tell["TradeCompleted"](public, lambda seat: f"seat {seat}")
    assert sentence == "Seat 0 trades 1 hand card to seat 1 for 1 hand card."


def test_no_seed_in_the_state(game):
    """The position holds no seed and no order of the deck from which draws could be computed (CEM-903)."""
    assert not [name for name in TITLE.position(game.state) if "seed" in name or "draw" in name]
    for moment in game.some_moments(20):
        deck = moment.state.deck
        assert list(deck) == sorted(deck, key=list(CARD_NAMES).index)


def test_decisions_do_not_depend_on_hands(game):
    """What the game waits for is the same whatever other hands and sealed answers hold (CEM-906)."""
    for moment in game.some_moments(30):
        imagined = TITLE.imagine(moment.state, 0, FastChance(moment.facts))
        assert TITLE.decisions(imagined) == TITLE.decisions(moment.state)


def test_rebuilding_draws_nothing(game):
    """Folding needs no chance: the outcomes stand in the facts (CEM-901)."""
    assert TITLE.fold_all(TITLE.blank(3, game.options), game.facts) == game.state


def test_all_but_the_lot_are_hidden_draws():
    """Cards go to hands unseen, so their draws can be checked only after the game (CEM-204, CEM-903)."""
    chance = Recorded(4)
    state = TITLE.open(3, TITLE.Options(), chance).state
    while waiting := TITLE.awaited(state):
        decision = waiting[0]
        given = TITLE.sample(state, decision.seat, FastChance(len(chance.draws)))
        state = TITLE.decide(state, decision.seat, given, chance).state
    public = [bounds for bounds, hidden in chance.draws if not hidden]
    assert public == [(3,)]


def test_number_of_draws_follows_from_public_facts():
    """War at Sea makes one draw, War in Europe at most two, whatever the hand holds (CEM-517, CEM-518)."""
    for hand in (["china_tea"], ["event_intrigue", "china_tea", "china_silk"]):
        for card, most in (("event_war_at_sea", 1), ("event_war_in_europe", 2)):
            chance = Recorded()
            do(event_scene([card], hand), 0, "play_event_card", card=card, target_player=1, chance=chance)
            assert len(chance.draws) == min(most, len(hand))


def test_offers_may_ask_for_any_unseen_card():
    """The listed offers ask for cards that the recipient may hold, not for those that they do (CEM-706)."""
    state = trade_scene(["india_rugs"], ["china_tea"], ["india_ivory"])
    asked = {
        card
        for given in TITLE.legal(state, 0)
        if type(given).__name__ == "OfferTrade" and given.to == 1
        for card in given.ask.hand_cards
    }
    assert {"india_ivory", "india_spices"} <= asked
    assert "china_tea" not in asked


def test_every_fact_declares_a_known_audience():
    """Audiences are fields of the fact that hold seats (CEM-205)."""
    for kind in TITLE.facts:
        assert issubclass(kind, Fact)
        for audience in kind.secrets.values():
            assert set(audience) <= set(kind.__struct_fields__)
