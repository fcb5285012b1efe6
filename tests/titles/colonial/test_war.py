"""War (COL-22) and its choices."""

from __future__ import annotations

import pytest

from events.rules.fast_chance import FastChance
from events.titles.colonial import TITLE
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from tests.titles.colonial.scene import Done, code, do, kinds, scene

SPLIT = {"west_africa": {"piles": {"gold": [0, 0, 1], "slaves": [1, 1, 0]}}}


def battle(**changes) -> Done:
    """Seat 0 attacks seat 1 in West Africa; each side inflicts one casualty and has a choice."""
    state = scene("sovereign_rebel", lands=SPLIT, **changes)
    return do(state, 0, c.PlaySovereign("war", 1), [1, 0, 0], [1, 0, 0])


def test_declaring_needs_a_target():
    """COL-22-01: one other player."""
    state = scene("sovereign_rebel")
    assert code(state, 0, c.PlaySovereign("war", 0)) == "target_is_self"
    assert code(state, 0, c.PlaySovereign("war")) == "invalid_parameters"
    assert code(state, 0, c.PlaySovereign("war", 5)) == "unknown_player"
    assert code(state, 0, c.PlaySovereign("diplomacy")) == "diplomacy_mode_not_allowed"


def test_both_choose_at_once():
    """COL-22-06: both belligerents pick casualties, in any order."""
    assert kinds(battle().state) == [(0, "choose_war_casualties"), (1, "choose_war_casualties")]


def test_first_choice_stays_hidden():
    """COL-22-06: the enemy and others see only that an answer was given."""
    done = battle().do(1, c.ChooseWarCasualties((c.Target("west_africa.gold", 0),)))
    assert TITLE.view_json(done.state, 0)["war"]["battle"]["chosen"] == [None, None]
    assert TITLE.view_json(done.state, None)["war"]["battle"]["answered"] == [False, True]
    assert TITLE.view_json(done.state, 1)["war"]["battle"]["chosen"][1][0]["space"] == "west_africa.gold"
    assert done.of(f.WarCasualtiesChosen)[0].secrets == {"casualties": ("seat",)}
    assert not done.of(f.CountersLost)
    assert code(done.state, 1, c.ChooseWarCasualties(())) == "wrong_number_of_casualties"


def test_imagined_choice_of_the_enemy():
    """COL-22-06: bots of the other side see any possible answer, their own stays."""
    done = battle().do(1, c.ChooseWarCasualties((c.Target("west_africa.gold", 0),)))
    seen = {TITLE.imagine(done.state, 0, FastChance(seed)).war.battle.chosen[1] for seed in range(20)}
    assert len(seen) > 1
    assert TITLE.imagine(done.state, 1, FastChance(1)).war.battle.chosen == done.state.war.battle.chosen


def test_casualties_come_off_together():
    """COL-22-06, COL-22-07: one batch for both sides, then control without Diplomacy moves."""
    done = battle().do(1, c.ChooseWarCasualties((c.Target("west_africa.gold", 0),)))
    done.do(0, c.ChooseWarCasualties((c.Target("west_africa.slaves", 0),)), [0], [0])
    lost = done.of(f.CountersLost)
    assert len(lost) == 1
    assert {(loss.space, loss.owner) for loss in lost[0].losses} == {
        ("west_africa.gold", 0),
        ("west_africa.slaves", 1),
    }
    assert [fact.reason for fact in done.of(f.DiplomacyMoved)] == ["war_declared"]


@pytest.mark.parametrize(
    ("casualties", "expected"),
    [
        ((), "wrong_number_of_casualties"),
        ((c.Target("west_africa.gold", 2),), "invalid_casualty"),
        ((c.Target("egypt.wares"),), "invalid_casualty"),
        ((c.Target("egypt.salt"),), "unknown_space"),
    ],
)
def test_casualties_are_the_enemys(casualties, expected):
    """COL-22-06: exactly the number due, all of the enemy, in that Territory."""
    assert code(battle().state, 1, c.ChooseWarCasualties(casualties)) == expected


def test_choice_that_matters_only_together():
    """COL-22-06, COL-05-14: taking the bottom counter may matter only because others fall with it."""
    lands = {"canada": {"piles": {"furs": [1, 1, 2, 2, 0, 0, 0]}}}
    state = scene("sovereign_rebel", lands=lands, players={0: {"squadrons": 0}, 1: {"squadrons": 0}})
    done = do(state, 0, c.PlaySovereign("war", 1), [1, 0, 0], [1, 0])
    assert kinds(done.state) == [(0, "choose_war_casualties")]
    ways = [
        command.casualties[0].position
        for command in TITLE.legal(done.state, 0)
        if hasattr(command, "casualties")
    ]
    assert ways == [1, 0]
    left = {
        at: do(done.state, 0, c.ChooseWarCasualties((c.Target("canada.furs", at),))).land("canada")["piles"][
            "furs"
        ]
        for at in ways
    }
    assert left == {1: [1, 2, 2, 0, 0], 0: [2, 2, 1, 0, 0]}


def test_strange_piles_are_no_trap():
    """COL-22-06: piles in which many counters take turns take no age to compare; the order is a choice."""
    lands = {"china": {"piles": {"silk": [1, *[0, 1] * 60, *[1] * 30]}}}
    done = do(scene("sovereign_rebel", lands=lands), 0, c.PlaySovereign("war", 1), [1] * 5, [0] * 5, [0], [0])
    assert kinds(done.state) == [(0, "choose_war_casualties")]
    ways = [way for way in TITLE.legal(done.state, 0) if isinstance(way, c.ChooseWarCasualties)]
    assert 1 < len(ways) <= 120
    fallen = do(done.state, 0, ways[0], [0], [0])
    assert len(fallen.land("china")["piles"]["silk"]) == 146


def test_others_have_no_say():
    """COL-22-20: exactly two players fight."""
    state = battle().state
    assert code(state, 2, c.ChooseWarCasualties((c.Target("west_africa.gold"),))) == "not_your_decision"
    assert code(state, 2, c.DecideSurrender(surrender=True)) == "not_your_decision"
    assert code(scene("sovereign_rebel"), 0, c.DecideSurrender(surrender=True)) == "not_your_decision"


def test_only_the_house_fights():
    """COL-22-03, COL-22-16: a year of war is the server's; before it is fought nobody surrenders."""
    state = scene("sovereign_rebel")
    assert code(state, 0, c.FightYear()) == "not_your_decision"
    assert code(state, None, c.FightYear()) == "not_your_decision"
    assert code(state, None, c.ForfeitRound()) == "not_your_decision"
    assert code(battle().state, None, c.FightYear()) == "not_your_decision"
    draft = TITLE.decide(state, 0, c.PlaySovereign("war", 1), FastChance(1))
    assert kinds(draft.state) == [(None, "fight_year")]
    for seat in (0, 1):
        assert code(draft.state, seat, c.DecideSurrender(surrender=True)) == "not_your_decision"
    assert TITLE.command_type("fight_year").house


def test_third_players_gain_control():
    """COL-22-08: their counters are never involved, but may gain control."""
    state = scene(
        "sovereign_rebel",
        lands={"egypt": {"piles": {"wares": [1, 0, 2]}}},
        players={0: {"squadrons": 0}, 1: {"squadrons": 0}},
    )
    done = do(state, 0, c.PlaySovereign("war", 1), [1], [1])
    assert done.land("egypt")["piles"]["wares"] == [2]
    assert done.of(f.ControlChanged)[0].to == 2


def test_at_most_five_dice():
    """COL-22-05, COL-22-09: on land and at sea."""
    state = scene(
        "sovereign_rebel",
        lands={"egypt": {"piles": {"wares": [0] * 8 + [1]}}},
        players={0: {"squadrons": 9}},
    )
    done = do(state, 0, c.PlaySovereign("war", 1), [0] * 5, [0], [0] * 5, [0])
    assert len(done.of(f.LandBattleRolled)[0].attacker_dice) == 5
    assert len(done.of(f.SeaBattleRolled)[0].attacker_dice) == 5


def test_war_moves_diplomacy_once():
    """COL-22-18, COL-22-02: only at its declaration, as far as possible."""
    state = scene("sovereign_rebel", players={0: {"diplomacy": 1}, 1: {"diplomacy": 1}})
    assert not do(state, 0, c.PlaySovereign("war", 1), [0], [0]).of(f.DiplomacyMoved)


def test_attacker_may_surrender_too():
    """COL-22-14, COL-22-15: after the defender; without Prestige it costs none."""
    done = do(scene("sovereign_rebel"), 0, c.PlaySovereign("war", 1), [0], [0])
    assert code(done.state, 0, c.DecideSurrender(surrender=True)) == "not_your_decision"
    done.do(1, c.DecideSurrender(surrender=False)).do(0, c.DecideSurrender(surrender=True))
    assert done.of(f.PrestigeTaken) == [f.PrestigeTaken(0, 1, 0)]
    assert done.of(f.WarEnded) == [f.WarEnded("surrender", 1, 0, 1)]
    assert done.state.active == 1


def test_prestige_comes_from_the_loser():
    """COL-07-03: if they have none, nobody gains or loses any."""
    state = scene("sovereign_rebel", players={1: {"squadrons": 0, "prestige": 0}})
    done = do(state, 0, c.PlaySovereign("war", 1), [1])
    assert done.of(f.WarEnded)[0].result == "defeat"
    assert [done.player(seat).prestige for seat in (0, 1)] == [0, 0]


def test_victory_by_war():
    """COL-00-02: the tenth Prestige ends the game at that instant."""
    state = scene("sovereign_rebel", players={0: {"prestige": 9}, 1: {"squadrons": 0, "prestige": 1}})
    done = do(state, 0, c.PlaySovereign("war", 1), [1])
    assert done.of(f.GameWon) == [f.GameWon(0, 10)]
    assert not done.of(f.WarEnded)


def test_absent_players_end_their_war():
    """COL-22-17: the number of years is unlimited, but absent attackers give up after 20."""
    war = {"attacker": 0, "defender": 1, "year": 20, "step": "surrender", "deciding": 1}
    state = scene("sovereign_rebel", played="sovereign", war=war)
    decision = TITLE.decisions(state)[0]
    assert TITLE.default(state, decision) == c.DecideSurrender(surrender=False)
    done = do(state, 1, c.DecideSurrender(surrender=False))
    assert TITLE.default(done.state, TITLE.decisions(done.state)[0]) == c.DecideSurrender(surrender=True)
