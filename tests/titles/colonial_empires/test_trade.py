"""Trade offers and the hand limit."""

from __future__ import annotations

import msgspec
import pytest

from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.commands import Terms
from events.titles.colonial_empires.data import CARD_NAMES
from tests.titles.colonial_empires.scene import command, do, event_scene, kinds, refused, trade_scene


@pytest.fixture
def state():
    """Three traders with a card in hand and one in play each."""
    return trade_scene(
        ["india_rugs"],
        ["china_tea"],
        ["china_silk"],
        in_play=[["west_indies_rum"], ["west_indies_fish"], ["industry_banking"]],
        treasury=[10, 10, 10],
    )


def offer(state, seat, to, give, ask):
    return do(state, seat, "offer_trade", to=to, give=give, ask=ask).state


def test_no_trade_in_other_phases():
    """Offers can be made in the Trade Phase only (CEM-701)."""
    arguments = {"to": 1, "give": {"fortunes": 1}, "ask": {"hand_cards": ["china_tea"]}}
    assert refused(event_scene(["india_rugs"], []), 0, "offer_trade", **arguments) == "not_your_decision"


def test_any_number_of_trades(state):
    """The same two may trade again and again (CEM-701)."""
    state = offer(state, 0, 1, {"fortunes": 1}, {"hand_cards": ["china_tea"]})
    state = do(state, 1, "accept_trade", offer_id=1).state
    state = offer(state, 0, 1, {"fortunes": 1}, {"in_play_cards": ["west_indies_fish"]})
    state = do(state, 1, "accept_trade", offer_id=2).state
    assert state.treasury == (8, 12, 10)
    assert state.hand[0] == ("india_rugs", "china_tea")
    assert state.in_play[0] == ("west_indies_rum", "west_indies_fish")


WRONG = [
    ({"to": 0, "give": {"fortunes": 1}, "ask": {"hand_cards": ["china_tea"]}}, "cannot_trade_with_self"),
    ({"to": 5, "give": {"fortunes": 1}, "ask": {"hand_cards": ["china_tea"]}}, "unknown_target"),
    ({"to": 1, "give": {}, "ask": {}}, "empty_offer"),
    ({"to": 1, "give": {"hand_card_count": 1}, "ask": {"fortunes": 1}}, "wrong_card_count"),
    ({"to": 1, "give": {"fortunes": 1}, "ask": {"hand_card_count": 2}}, "recipient_has_few_cards"),
    ({"to": None, "give": {"fortunes": 1}, "ask": {"hand_card_count": 2}}, "recipient_has_few_cards"),
    ({"to": None, "give": {}, "ask": {"fortunes": 11}}, "recipient_cannot_pay"),
    (
        {"to": None, "give": {}, "ask": {"in_play_cards": ["west_indies_fish", "industry_banking"]}},
        "recipient_card_not_in_play",
    ),
    ({"to": 1, "give": {"fortunes": 11}, "ask": {"hand_cards": ["china_tea"]}}, "insufficient_fortunes"),
    ({"to": 1, "give": {"hand_cards": ["china_tea"]}, "ask": {"fortunes": 1}}, "card_not_in_hand"),
    (
        {"to": 1, "give": {"hand_cards": ["india_rugs", "india_rugs"]}, "ask": {"fortunes": 1}},
        "card_not_in_hand",
    ),
    ({"to": 1, "give": {"in_play_cards": ["west_indies_fish"]}, "ask": {"fortunes": 1}}, "card_not_in_play"),
    (
        {"to": 1, "give": {"fortunes": 1}, "ask": {"in_play_cards": ["west_indies_rum"]}},
        "recipient_card_not_in_play",
    ),
    ({"to": 1, "give": {"fortunes": 1}, "ask": {"hand_cards": ["tea"]}}, "unknown_card"),
    (
        {"to": 1, "give": {"in_play_cards": ["west_indies_rum"] * 2}, "ask": {"fortunes": 1}},
        "invalid_parameters",
    ),
]


@pytest.mark.parametrize(
    ("arguments", "code"), WRONG, ids=[f"{n}-{code}" for n, (_, code) in enumerate(WRONG)]
)
def test_wrong_offers(state, arguments, code):
    """Something changes hands, and it is there, as far as the offerer can know (CEM-704 to CEM-706)."""
    assert refused(state, 0, "offer_trade", **arguments) == code


def test_new_offer_replaces_the_old_one(state):
    """At most one open offer to the same player; both count (CEM-709, CEM-710)."""
    state = offer(state, 0, 1, {"fortunes": 1}, {"hand_cards": ["china_tea"]})
    draft = do(state, 0, "offer_trade", to=1, give={"fortunes": 2}, ask={"hand_cards": ["china_tea"]})
    assert kinds(draft) == ["TradeWithdrawn", "TradeOffered"]
    assert [it.offer_id for it in draft.state.offers] == [2]
    assert draft.state.offers_made == (2, 0, 0)


def test_offers_in_both_directions(state):
    """The limit of one is for each direction (CEM-709)."""
    state = offer(state, 0, 1, {"fortunes": 1}, {"hand_cards": ["china_tea"]})
    state = offer(state, 1, 0, {"fortunes": 1}, {"hand_cards": ["india_rugs"]})
    assert len(state.offers) == 2


def test_five_offers_for_each_other_player(state):
    """At a table of three the eleventh offer of a phase is refused, and no more is named (CEM-710)."""
    for _ in range(10):
        state = offer(state, 0, 1, {"fortunes": 1}, {"hand_cards": ["china_tea"]})
    arguments = {"to": 2, "give": {"fortunes": 1}, "ask": {"hand_cards": ["china_silk"]}}
    assert refused(state, 0, "offer_trade", **arguments) == "offer_limit_reached"
    mine = next(decision for decision in TITLE.decisions(state) if decision.seat == 0)
    assert "offer_trade" not in mine.commands
    assert TITLE.complete(state, 0)


def test_finished_player_may_withdraw(state):
    """The offerer can withdraw an offer also after finishing; then trading ends (CEM-711, CEM-714)."""
    state = offer(state, 0, 1, {"fortunes": 1}, {"hand_cards": ["china_tea"]})
    for seat in range(3):
        state = do(state, seat, "finish_trading").state
    free = [decision for decision in TITLE.decisions(state) if decision.free]
    assert [(decision.seat, decision.commands) for decision in free] == [(0, ("withdraw_trade",))]
    assert refused(state, 1, "withdraw_trade", offer_id=1) == "not_the_offerer"
    assert do(state, 0, "withdraw_trade", offer_id=1).state.turn == state.turn + 1


def test_finishing_is_declared_once(state):
    """A second time is refused, unless an offer came in between (CEM-713)."""
    state = do(state, 0, "finish_trading").state
    assert refused(state, 0, "finish_trading") == "trading_finished"
    again = offer(state, 1, 0, {"fortunes": 1}, {"hand_cards": ["india_rugs"]})
    assert kinds(do(again, 0, "finish_trading")) == ["TradingFinished"]


def test_an_offer_to_everybody_opens_trading_again(state):
    """All who had finished answer it, and may make counter-offers (CEM-713, CEM-722)."""
    for seat in (1, 2):
        state = do(state, seat, "finish_trading").state
    given = {"to": None, "give": {"fortunes": 1}, "ask": {"hand_card_count": 1}}
    draft = do(state, 0, "offer_trade", **given)
    assert kinds(draft) == ["TradeOfferedToAll", "TradingReopened", "TradingReopened"]
    assert [d.seat for d in TITLE.awaited(draft.state) if "accept_trade" in d.commands] == [1, 2]


def test_every_choice_of_unnamed_cards_is_listed_once():
    """Equal cards count as one; a list that is cut says so (CEM-721)."""
    hand = ["event_intrigue", "event_intrigue", "china_tea"]
    state = trade_scene(["india_rugs"], hand, treasury=[9, 9])
    state = offer(state, 0, 1, {"fortunes": 3}, {"hand_card_count": 2})
    accepts = [c.unnamed_cards for c in TITLE.legal(state, 1) if type(c).__name__ == "AcceptTrade"]
    assert accepts == [("event_intrigue", "event_intrigue"), ("event_intrigue", "china_tea")]


def test_a_list_of_unnamed_cards_that_is_cut_says_so():
    """Four cards of twelve are more choices than are listed (CEM-721)."""
    hand = [card for card in CARD_NAMES if not card.startswith("event")][:12]
    state = trade_scene(
        ["india_rugs"], hand, treasury=[9, 9], offers_made=[0, 5], trade_finished=[True, False]
    )
    offers = [{"offer_id": 1, "from": 0, "to": 1, "give": {"fortunes": 3}, "ask": {"hand_card_count": 4}}]
    cut = TITLE.from_position(TITLE.position(state) | {"offers": offers})
    assert not TITLE.complete(cut, 1)
    offers[0]["ask"] = {"hand_card_count": 1}
    assert TITLE.complete(TITLE.from_position(TITLE.position(state) | {"offers": offers}), 1)


def test_an_unnamed_card_that_is_gone_ends_the_offer(state):
    """What was chosen when the offer was made must still be there (CEM-712, CEM-721)."""
    given = {"to": 1, "give": {"hand_card_count": 1}, "ask": {"fortunes": 1}, "unnamed_cards": ["india_rugs"]}
    state = do(state, 0, "offer_trade", **given).state
    state = offer(state, 0, 2, {"hand_cards": ["india_rugs"]}, {"hand_cards": ["china_silk"]})
    draft = do(state, 2, "accept_trade", offer_id=2)
    assert kinds(draft) == ["TradeCompleted", "TradeLapsed"]
    assert draft.facts[-1].reason == "uncovered"
    assert draft.state.known[1] == ()


def test_offer_stays_when_the_recipient_lacks_what_is_asked(state):
    """Only offers that their offerer no longer covers lapse (CEM-712)."""
    state = offer(state, 0, 1, {"fortunes": 2}, {"hand_cards": ["china_tea"]})
    state = offer(state, 2, 1, {"fortunes": 2}, {"hand_cards": ["china_tea"]})
    draft = do(state, 1, "accept_trade", offer_id=2)
    assert kinds(draft) == ["TradeCompleted"]
    assert [it.offer_id for it in draft.state.offers] == [1]
    assert refused(draft.state, 1, "accept_trade", offer_id=1) == "recipient_lacks_card"


def test_lapses_come_by_rising_number(state):
    """All uncovered offers lapse after the trade (CEM-712)."""
    state = offer(state, 0, 2, {"fortunes": 8}, {"hand_cards": ["china_silk"]})
    state = offer(state, 1, 0, {"hand_cards": ["china_tea"]}, {"fortunes": 5})
    state = offer(state, 1, 2, {"hand_cards": ["china_tea"]}, {"fortunes": 5})
    draft = do(state, 0, "accept_trade", offer_id=2)
    lapsed = [fact.offer_id for fact in draft.facts if type(fact).__name__ == "TradeLapsed"]
    assert lapsed == [1, 3]


def test_refused_acceptance_changes_nothing(state):
    """A trade is carried out whole or not at all (CEM-703)."""
    state = offer(state, 0, 1, {"fortunes": 2}, {"hand_cards": ["china_tea", "china_jade"]})
    before = TITLE.position(state)
    assert refused(state, 1, "accept_trade", offer_id=1) == "recipient_lacks_card"
    assert TITLE.position(state) == before


def test_only_goods_are_part_of_a_trade():
    """There is no place for promises, credit, empires or deck cards in an offer (CEM-715, CEM-716)."""
    assert Terms.__struct_fields__ == ("fortunes", "hand_cards", "in_play_cards", "hand_card_count")
    for extra in ("promise", "empire", "deck_cards", "discarded_cards"):
        with pytest.raises(msgspec.ValidationError):
            command("offer_trade", to=1, give={extra: 1}, ask={"fortunes": 1})


def test_discarded_card_cannot_be_traded(state):
    """A card of the discard pile is in nobody's hand or play (CEM-716)."""
    state = TITLE.from_position(TITLE.position(state) | {"discard_pile": ["china_jade"]})
    arguments = {"to": 1, "give": {"hand_cards": ["china_jade"]}, "ask": {"fortunes": 1}}
    assert refused(state, 0, "offer_trade", **arguments) == "card_not_in_hand"


def test_negative_fortunes_are_no_command():
    """The shape of a command is checked before any rule (CEM-704)."""
    with pytest.raises(msgspec.ValidationError):
        command("offer_trade", to=1, give={"fortunes": -1}, ask={"hand_cards": ["china_tea"]})


def test_absent_trader_answers_withdraws_and_finishes(state):
    """Command by command: decline, withdraw, finish (CEM-904)."""
    state = offer(state, 1, 0, {"fortunes": 2}, {"hand_cards": ["india_rugs"]})
    state = offer(state, 2, 0, {"fortunes": 2}, {"hand_cards": ["india_rugs"]})
    state = offer(state, 0, 2, {"fortunes": 2}, {"hand_cards": ["china_silk"]})
    done = []
    while mine := [decision for decision in TITLE.awaited(state) if decision.seat == 0]:
        given = TITLE.default(state, mine[0])
        done.append(type(given).__name__)
        state = TITLE.decide(state, 0, given, None).state
    assert done == ["DeclineTrade", "DeclineTrade", "WithdrawTrade", "FinishTrading"]


def test_absent_player_discards_what_came_last():
    """The default keeps the cards that arrived first (CEM-904)."""
    hand = ["china_silk", "china_jade", "china_pearls", "china_tea", "china_porcelain"] + [
        "event_intrigue"
    ] * 4
    state = do(trade_scene(hand, [], trade_finished=[False, True]), 0, "finish_trading").state
    (decision,) = TITLE.awaited(state)
    assert TITLE.default(state, decision).cards == ("event_intrigue", "event_intrigue")


def test_within_the_limit_nobody_may_discard(state):
    """Seven cards are within the limit (CEM-719)."""
    seven = trade_scene(["event_intrigue"] * 7, ["event_intrigue"] * 8, trade_finished=[False, True])
    after = do(seven, 0, "finish_trading").state
    assert [decision.seat for decision in TITLE.decisions(after)] == [1]
    assert refused(after, 0, "discard_excess", cards=["event_intrigue"]) == "not_your_decision"
