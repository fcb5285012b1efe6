"""What is secret until all concerned have answered (rulings 14, 15 and 56)."""

from events.rules.fast_chance import FastChance
from events.titles.colonial_revised import TITLE
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.parts import Loss
from tests.titles.colonial_revised.given import SOVEREIGN, after, fresh, give, land, played, war


def alike(one, other, seat):
    """The seat cannot tell two states apart."""
    assert TITLE.view_json(one, seat) == TITLE.view_json(other, seat)
    assert TITLE.decisions(one) == TITLE.decisions(other)
    assert list(TITLE.legal(one, seat)) == list(TITLE.legal(other, seat))


def test_alliance_choices_are_sealed():
    """REV-305: neither views nor decisions of others depend on what a player has chosen."""
    state = fresh(
        4,
        action={"seat": 0, **SOVEREIGN},
        war=war("choice", seats=4, year=0, choices=[None] * 4, awaiting=[2, 3]),
    )
    helped, stayed = after(state, 2, c.ChooseAlliance("attacker")), after(state, 2, c.ChooseAlliance("none"))
    for seat in (0, 1, 3, None):
        assert TITLE.view_json(helped, seat) == TITLE.view_json(stayed, seat)
    alike(helped, stayed, 3)
    assert TITLE.view_json(helped, 2)["war"]["choices"][2] == "attacker"


def test_set_aside_cards_are_sealed():
    """REV-057: the choice is known to its owner only until all are in."""
    state = fresh(phase="choosing_cards", round=5, players=played(0, 1, 2))
    one = after(state, 0, c.SetAsideCard("explorer_conqueror"))
    other = after(state, 0, c.SetAsideCard("trader_financier"))
    alike(one, other, 1)
    assert TITLE.view_json(one, 0)["players"][0]["set_aside_choice"] == "explorer_conqueror"
    assert "set_aside_choice" not in TITLE.view_json(one, 1)["players"][0]


def test_sellers_answers_are_sealed():
    """REV-209: sellers answer together; the Merchant sees nothing before all have answered."""
    lands = {"egypt": land(wares=[[1, 1]]), "levant": land(wares=[[2, 1]])}
    state = after(fresh(territories=lands), 0, c.ShipGoods((), ("egypt.wares", "levant.wares")))
    yes, no = (
        after(state, 1, c.AnswerGoodsRequest(("egypt.wares",))),
        after(state, 1, c.AnswerGoodsRequest(())),
    )
    alike(yes, no, 0)
    alike(yes, no, 2)


def test_owners_answers_are_sealed():
    """REV-238: the same for the Trader."""
    state = fresh(players={1: {"market_goods": 2}, 2: {"market_goods": 1}})
    state = after(state, 0, c.SellGoods(0, (c.SeatCount(1, 2), c.SeatCount(2, 1))))
    alike(after(state, 1, c.AnswerTradeRequest(2)), after(state, 1, c.AnswerTradeRequest(0)), 0)


def test_sealed_facts_name_their_audience():
    """Each sealed answer is secret in its fact, and its command is sealed as a whole."""
    assert f.AllianceChosen.secrets == {"choice": ("seat",)}
    assert f.CardSetAside.secrets == {"card_id": ("seat",)}
    assert f.GoodsRequestAnswered.secrets == {"accepted": ("seller",)}
    assert f.TradeRequestAnswered.secrets == {"accepted": ("owner",)}
    sealed = {command for command in TITLE.commands if command.sealed}
    assert f.CasualtiesChosen.secrets == {"losses": ("seat",)}
    assert sealed == {
        c.ChooseAlliance,
        c.SetAsideCard,
        c.AnswerGoodsRequest,
        c.AnswerTradeRequest,
        c.ChooseCasualties,
    }


def test_casualties_are_sealed():
    """REV-317: neither side sees the other's choice before both are in."""
    lands = {"west_africa": land(gold=[[1, 1], [0, 1]], slaves=[[1, 2], [0, 1]])}
    players = {0: {"squadrons": 2}, 1: {"squadrons": 2}}
    state = fresh(
        players=players, territories=lands, action={"seat": 0, **SOVEREIGN}, war=war("fight", year=0)
    )
    state = after(state, None, c.FightYear(), [1, 0], [1, 0, 0])
    one, other = (
        after(state, 0, c.ChooseCasualties((Loss(1, f"west_africa.{name}", 1),)))
        for name in ("gold", "slaves")
    )
    alike(one, other, 1)
    alike(one, other, None)
    assert TITLE.view_json(one, 0)["war"]["battle"]["chosen"][0][0]["space"] == "west_africa.gold"
    seen = {TITLE.imagine(one, 1, FastChance(seed)).war.battle.chosen[0] for seed in range(20)}
    assert len(seen) == 2


def test_imagination_redraws_what_others_sealed():
    """Imagined answers vary, one's own stays."""
    state = fresh(phase="choosing_cards", round=5, players=played(0, 1, 2))
    state = after(
        after(state, 0, c.SetAsideCard("explorer_conqueror")), 1, c.SetAsideCard("trader_financier")
    )
    seen = {TITLE.imagine(state, 0, FastChance(seed)).players[1].set_aside_choice for seed in range(40)}
    assert len(seen) == 5
    assert {TITLE.imagine(state, 0, FastChance(seed)).players[0].set_aside_choice for seed in range(9)} == {
        "explorer_conqueror"
    }


def test_answers_are_made_known_by_a_later_fact():
    """REV-057: the revealing fact is public and comes with the last answer."""
    state = fresh(phase="choosing_cards", round=5, players=played(0, 1, 2))
    for seat in (0, 1):
        state = after(state, seat, c.SetAsideCard("explorer_conqueror"))
    draft = give(state, 2, c.SetAsideCard("explorer_conqueror"))
    revealed = next(fact for fact in draft.facts if isinstance(fact, f.SetAsideCardsRevealed))
    assert [entry.seat for entry in revealed.card_by_player] == [0, 1, 2]
    assert not revealed.secrets
