"""The rounds of the Endeavour phase, Loans and gifts (COL-04, COL-12, COL-16)."""

from __future__ import annotations

import pytest

from events.titles.colonial import TITLE
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from tests.titles.colonial.scene import Done, code, do, fresh, kinds, row, scene
from tests.titles.table import Table, play


def test_first_player_acts_first_then_clockwise():
    """COL-04-07, COL-04-14: the First Player begins every round."""
    done = Done(scene("viceroy_ambassador", active=2, first_player=2))
    order = []
    for _ in range(5):
        order.append(kinds(done.state)[0][0])
        done.do(order[-1], c.ForfeitRound())
    assert order == [2, 3, 0, 1, 2]
    assert done.state.round == 2


def test_one_of_the_two_characters():
    """COL-04-08: never both of a card in one round, and only of the card revealed."""
    state = scene("viceroy_ambassador", players={0: {"loans": [{"loan_id": 0, "size": 1}]}})
    assert set(TITLE.decisions(state)[0].commands) == {"play_viceroy", "play_ambassador", "forfeit_round"}
    done = do(state, 0, c.PlayAmbassador(move=0))
    assert code(done.state, 0, c.PlayViceroy("egypt", ("egypt.wares",))) == "character_already_chosen"
    assert code(state, 0, c.PlayFinancier(1)) == "card_not_revealed_this_round"


def test_round_may_be_forfeited():
    """COL-04-09: without any action, but not after one has begun."""
    done = do(scene("viceroy_ambassador"), 0, c.ForfeitRound())
    assert done.of(f.RoundForfeited)
    assert done.state.active == 1
    playing = do(scene("merchant_governor", lands={"egypt": {"piles": {"wares": [0]}}}), 0, c.PlayMerchant())
    assert code(playing.state, 0, c.ForfeitRound()) == "action_in_progress"


def test_use_needs_a_legal_effect():
    """COL-04-10: a play without any effect is refused; another choice is open."""
    state = scene("scientist_missionary", players={0: {"treasury": 0}})
    assert code(state, 0, c.PlayScientist("navy")) == "not_enough_treasury"
    assert do(state, 0, c.PlayMissionary("egypt", "place")).of(f.MissionPlaced)


def test_optional_parts_may_stay_unused():
    """COL-04-11: a Merchant may stop early; mandatory parts bind."""
    done = do(scene("merchant_governor", lands={"egypt": {"piles": {"wares": [0]}}}), 0, c.PlayMerchant())
    done.do(0, c.FinishAction())
    assert not done.of(f.GoodsShipped)
    assert done.state.active == 1


def test_round_stays_open_for_repayment():
    """COL-04-12, COL-16-03: with a Loan the round ends only when its player says so."""
    state = scene("trader_financier")
    done = do(state, 0, c.PlayFinancier(4))
    assert kinds(done.state) == [(0, "end_round")]
    assert (0, "repay_loan") in kinds(done.state, free=True)
    assert code(state, 0, c.EndRound()) == "no_action_taken"
    assert do(done.state, 0, c.EndRound()).state.active == 1
    assert do(done.state, 0, c.RepayLoan(1, 4)).state.active == 1


def test_phases_of_a_turn():
    """COL-04-01, COL-04-02: five rounds, Merchant Fleets, First Player, Naval Forces, Interest."""
    done = Done(
        scene("viceroy_ambassador", round=5, active=3, players={0: {"loans": [{"loan_id": 0, "size": 2}]}})
    )
    done.do(3, c.ForfeitRound())
    for _ in range(4):
        seat, kind = kinds(done.state)[0]
        assert kind == "buy_squadrons"
        done.do(seat, c.BuySquadrons(0))
    names = [type(fact).__name__ for fact in done.facts]
    order = [
        "PhaseSkipped",
        "FirstPlayerMoved",
        "PhaseBegan",
        "SquadronsBought",
        "InterestAdded",
        "TurnEnded",
        "TurnBegan",
    ]
    assert [names.index(name) for name in order] == sorted(names.index(name) for name in order)
    assert done.state.phase == "programming"


def test_cards_return_after_the_fifth_round():
    """COL-04-13: next turn all six are in hand, no Character counts as used."""
    state = scene(phase="naval_forces", active=3, players={1: {"used_characters": ["explorer"]}})
    after = do(state, 3, c.BuySquadrons(0)).state
    assert after.programmes == ((),) * 4
    assert after.players[1].used_characters == ()


def test_buyers_without_means_are_skipped():
    """COL-04-16: min(Monopolies, Treasury) is 0."""
    lands = {"east_indies": {"piles": {"spices": [1]}}, "california": {"piles": {"gold": [2]}}}
    state = scene("viceroy_ambassador", round=5, active=3, players={1: {"treasury": 0}}, lands=lands)
    done = do(state, 3, c.ForfeitRound())
    skipped = [fact.seat for fact in done.of(f.PhaseSkipped)]
    assert skipped == [0, 1]
    assert kinds(done.state) == [(2, "buy_merchant_fleets")]


def test_squadrons_up_to_navy():
    """COL-04-19, COL-06-03: at most the Navy value, any number from 0 up."""
    state = scene(phase="naval_forces", active=0, players={0: {"navy": 2, "treasury": 9}})
    assert code(state, 0, c.BuySquadrons(3)) == "too_many_squadrons"
    done = do(state, 0, c.BuySquadrons(2))
    assert (done.player(0).squadrons, done.player(0).treasury) == (3, 7)
    poor = scene(phase="naval_forces", active=0, players={0: {"navy": 4, "treasury": 1}})
    assert code(poor, 0, c.BuySquadrons(2)) == "not_enough_treasury"


GAINS = {
    "merchant_fleets": {"MerchantFleetsBought", "CompanyCreated", "FleetStolen"},
    "squadrons": {"SquadronsBought"},
}
TRACKS = ("seafaring", "navy", "logistics", "economy")


@pytest.mark.parametrize("table", [Table("colonial", 4), Table("colonial", 5, (("variant", "nations"),))])
def test_what_never_happens(table):
    """COL-04-21, COL-06-08, COL-10-02, COL-15-11: over whole games, fact by fact.

    Ships come from their phases, Company and Plantation only, and never turn into Treasury; progress is
    never lost; only three reasons move a marker right; what is Explored stays Explored.
    """
    game = play(table, seed=5)
    state = TITLE.blank(table.seats, game.options)
    begun = False
    for fact in game.facts:
        before, state = state, fact.fold(state)
        for was, now in zip(before.players, state.players, strict=True):
            for box, sources in GAINS.items():
                assert getattr(now, box) <= getattr(was, box) or type(fact).__name__ in sources
            sold = now.merchant_fleets + now.squadrons < was.merchant_fleets + was.squadrons
            assert not (sold and now.treasury > was.treasury)
            assert all(getattr(now, track) >= getattr(was, track) for track in TRACKS)
        if isinstance(fact, f.DiplomacyMoved) and fact.to > fact.from_:
            assert fact.reason in ("ambassador", "india_china", "sovereign")
        if begun:
            assert all(
                now.prestige <= was.prestige for now, was in zip(state.lands, before.lands, strict=True)
            )
        begun = begun or isinstance(fact, f.BoardPrepared)
    assert begun


def test_loans_are_separate_piles():
    """COL-16-01, COL-16-02, COL-01-05: any number of Loans, each up to twice the Economy."""
    state = scene("trader_financier", next_loan=6, players={0: {"loans": [{"loan_id": 5, "size": 30}]}})
    assert code(state, 0, c.PlayFinancier(5)) == "loan_too_large"
    done = do(state, 0, c.PlayFinancier(3))
    assert [(loan.loan_id, loan.size) for loan in done.player(0).loans] == [(5, 30), (6, 3)]
    assert done.player(0).treasury == 7


def test_repaying_in_the_middle_of_an_action():
    """COL-16-03: each Treasury removes 1 counter from a pile of choice."""
    loans = [{"loan_id": 0, "size": 2}, {"loan_id": 1, "size": 2}]
    state = scene(
        "merchant_governor",
        next_loan=2,
        players={0: {"loans": loans}},
        lands={"egypt": {"piles": {"wares": [0]}}},
    )
    done = do(state, 0, c.PlayMerchant()).do(0, c.RepayLoan(1, 2))
    assert [(loan.loan_id, loan.size) for loan in done.player(0).loans] == [(0, 2)]
    assert kinds(done.state) == [(0, "continue_merchant")]
    assert code(done.state, 0, c.RepayLoan(1, 1)) == "no_such_loan"
    assert code(done.state, 0, c.RepayLoan(0, 3)) == "invalid_parameters"


def test_gifts_have_limits():
    """COL-12-01: only Treasury that one has, and only to others."""
    state = fresh()
    assert code(state, 0, c.TransferTreasury(1, 5)) == "not_enough_treasury"
    assert code(state, 0, c.TransferTreasury(0, 1)) == "transfer_to_self"
    assert code(state, 0, c.TransferTreasury(4, 1)) == "unknown_player"


def test_gift_while_others_decide():
    """COL-12-03, COL-22-19: also during a war, also to a belligerent."""
    war = {"attacker": 0, "defender": 1, "year": 1, "step": "surrender", "deciding": 1}
    state = scene("sovereign_rebel", played="sovereign", war=war)
    assert do(state, 3, c.TransferTreasury(1, 2)).player(1).treasury == 7


def test_attacker_repays_during_the_war():
    """COL-22-19: the war is in their round."""
    war = {"attacker": 0, "defender": 1, "year": 1, "step": "surrender", "deciding": 1}
    state = scene(
        "sovereign_rebel",
        played="sovereign",
        war=war,
        next_loan=2,
        players={0: {"loans": [{"loan_id": 1, "size": 2}]}},
    )
    assert do(state, 0, c.RepayLoan(1, 2)).player(0).loans == ()


def test_no_turn_limit_in_the_rules():
    """COL-00-04: only the option ends a game otherwise than by 10 Prestige."""
    state = scene(phase="naval_forces", active=3, turn=500, options={"turn_limit": None})
    assert do(state, 3, c.BuySquadrons(0)).state.turn == 501


def test_turn_limit_ranks_by_prestige():
    """COL-00-04: with the option the game stops after that turn, ranked by Prestige, then debt."""
    players = {
        1: {"prestige": 5},
        2: {"prestige": 5, "loans": [{"loan_id": 0, "size": 1}]},
        3: {"prestige": 7},
    }
    state = scene(phase="naval_forces", active=3, turn=2, options={"turn_limit": 2}, players=players)
    done = do(state, 3, c.BuySquadrons(0))
    assert done.of(f.TurnLimitReached)[0].ranking == (3, 1, 2, 0)
    outcome = TITLE.outcome(done.state)
    assert (outcome.winners, outcome.places, outcome.reason) == ((3,), (4, 2, 3, 1), "turn_limit")


def test_places_are_shared_only_by_equals():
    """COL-00-04: who agrees in everything that is compared shares a place at a turn limit."""
    state = scene(phase="naval_forces", active=3, turn=2, options={"turn_limit": 2})
    outcome = TITLE.outcome(do(state, 3, c.BuySquadrons(0)).state)
    assert outcome.winners == (0, 1, 2, 3)
    assert outcome.places == (1, 1, 1, 1)


def test_default_row_is_the_last_one():
    """COL-04-03: an absent player repeats the row of the turn before."""
    last = row("trader_financier", "merchant_governor")
    state = scene(players={0: {"last_row": list(last)}})
    assert TITLE.default(state, TITLE.decisions(state)[0]) == c.ProgramCards(last)
    assert TITLE.default(state, TITLE.decisions(state)[1]) == c.ProgramCards(row())
