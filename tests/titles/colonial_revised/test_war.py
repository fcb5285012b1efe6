"""Wars: dice, shared losses, what falls during a war, and what is settled only at its end (O-20)."""

import pytest

from events.rules.steps import Decision
from events.titles.colonial_revised import TITLE
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.steps.endeavour.war import alternate, naval_losses, war_dice
from tests.titles.colonial_revised.given import SOVEREIGN, after, fresh, give, kinds, land, refused, war

HOUSE = Decision(None, "war_year", ("fight_year",))


@pytest.mark.parametrize(
    ("pieces", "dice"),
    [((8, 6), (5, 4)), ((6, 6), (5, 5)), ((7, 4), (5, 4)), ((6, 9), (4, 5)), ((0, 3), (0, 3))],
)
def test_dice_of_a_side(pieces, dice):
    """REV-316: at most 5; where both would roll 5, the side with fewer pieces rolls 4 (O-20)."""
    assert war_dice(*pieces) == dice


def test_losses_alternate_from_the_stronger():
    """REV-318: Attacker 2 and Ally 3 lose 4: Ally, Attacker, Ally, Attacker (O-20)."""
    assert alternate({0: 2, 2: 3}, 0, 4) == {2: 2, 0: 2}


def test_on_equality_the_principal_loses_first():
    """REV-318 (ruling 41)."""
    assert alternate({0: 2, 2: 2}, 0, 1) == {0: 1}


def test_exhausted_players_are_skipped():
    """REV-318: a player without pieces takes no further loss."""
    assert alternate({0: 1, 2: 4}, 0, 4) == {2: 3, 0: 1}


def test_merchant_fleets_pay_when_no_squadron_is_left():
    """REV-321: all 3 Squadrons, then one Merchant Fleet each, the principal's first (O-20)."""
    state = fresh(
        players={0: {"squadrons": 1, "merchant_fleets": 2}, 2: {"squadrons": 2, "merchant_fleets": 1}},
        action={"seat": 0, **SOVEREIGN},
        war=war("fight", year=0, choices=[None, None, "attacker"], attacker_ally=2),
    )
    sunk, destroyed = naval_losses(state, state.war, "attacker", 5)
    assert (sunk, destroyed) == ({2: 2, 0: 1}, {0: 1, 2: 1})


def test_losses_beyond_everything_are_void():
    """REV-321: any further rest is void."""
    state = fresh(
        players={0: {"squadrons": 1, "merchant_fleets": 1}},
        action={"seat": 0, **SOVEREIGN},
        war=war("fight", year=0),
    )
    assert naval_losses(state, state.war, "attacker", 5) == ({0: 1}, {0: 1})


def year(state, *script):
    """The server fights a year."""
    return give(state, None, TITLE.default(state, HOUSE), *script)


def at_war(**changes):
    """Seat 0 attacks seat 1; both have Squadrons enough."""
    players = {0: {"squadrons": 3, "treasury": 0}, 1: {"squadrons": 3, "treasury": 0}}
    for seat, change in changes.pop("players", {}).items():
        players[seat] = players.get(seat, {}) | change
    return fresh(players=players, action={"seat": 0, **SOVEREIGN}, war=war("fight", year=0), **changes)


def test_the_house_fights_the_years():
    """REV-315: the year is awaited from the server, and no seat may fight it."""
    state = at_war()
    assert TITLE.awaited(state) == (HOUSE,)
    assert refused(state, 0, c.FightYear()) == "not_your_decision"
    draft = year(state, [0, 0, 0], [0, 0, 0])
    assert kinds(draft)[:2] == ["WarYearBegan", "NavalBattleFought"]
    assert TITLE.awaited(draft.state)[0].seat == 0


def test_a_colony_falls_during_the_war():
    """REV-319: below the minimum it is lost at once, an emptied Territory is Independent, the war goes on."""
    lands = {"brazil": land(colony=1, plantation=[[1, 1], [0, 1]]), "canada": land(furs=[[0, 1], [1, 1]])}
    state = at_war(territories=lands)
    draft = year(state, [0], [1], [1], [0], [0, 0, 0], [0, 0, 0])
    assert kinds(draft).count("LandBattleFought") == 2
    assert "ColonyLost" in kinds(draft)
    assert draft.state.war is not None
    both = at_war(territories={"canada": land(furs=[[0, 1], [1, 1]])})
    emptied = year(both, [1], [1], [0, 0, 0], [0, 0, 0])
    assert "TerritoryBecameIndependent" in kinds(emptied)


def test_land_battles_follow_the_map():
    """REV-317: every shared Territory, in map order, both sides at once."""
    lands = {"japan": land(precious_metals=[[0, 1], [1, 1]]), "canada": land(furs=[[1, 1], [0, 1]])}
    draft = year(at_war(territories=lands), [0], [0], [0], [0], [0, 0, 0], [0, 0, 0])
    fought = [fact.territory for fact in draft.facts if type(fact).__name__ == "LandBattleFought"]
    assert fought == ["canada", "japan"]


def test_control_waits_for_the_end_of_the_war():
    """REV-329, REV-353: control and Prestige wait for the end; no Diplomacy is lost."""
    state = at_war(territories={"canada": land(furs=[[1, 2], [0, 2]])})
    state = after(state, 0, c.DecideWar(go_on=True)) if state.war.step == "attacker" else state
    state = TITLE.from_position(
        TITLE.position(state) | {"war": TITLE.position(state)["war"] | {"controllers": [1] + [None] * 28}}
    )
    draft = year(state, [1, 0], [0, 0], [0, 0, 0], [0, 0, 0])
    assert "ControlChanged" not in kinds(draft)
    assert "PrestigeChanged" not in kinds(draft)
    ended = give(draft.state, 0, c.DecideWar(go_on=False))
    change = next(fact for fact in ended.facts if type(fact).__name__ == "ControlChanged")
    assert (change.from_, change.to, change.penalised) == (1, 0, False)
    assert "DiplomacyMoved" not in kinds(ended)


def test_privateers_take_no_part():
    """REV-322: Privateers are neither counted nor lost in a war against a Nation."""
    state = at_war(players={0: {"privateers": [0, 2, 0]}, 2: {"privateers": [2, 0, 0]}})
    draft = year(state, [1, 1, 1], [1, 1, 1])
    assert [p.privateers for p in draft.state.players] == [p.privateers for p in state.players]


def test_an_escalation_follows_every_war_against_a_nation():
    """REV-360: an Escalation after the war, in reverse player order; none after fighting Privateers."""
    draft = year(at_war(), [1, 1, 1], [0, 0, 0])
    assert "EscalationStarted" in kinds(draft)
    assert draft.state.escalation.order == (2, 1, 0)
    pirates = fresh(players={1: {"privateers": [1, 0, 0]}})
    assert "EscalationStarted" not in kinds(give(pirates, 0, c.FightPrivateers(), [1]))


def test_sovereign_has_two_uses():
    """REV-300: war on a player, or the Privateers in their own box."""
    state = fresh(players={1: {"privateers": [1, 0, 0]}})
    assert "WarDeclared" in kinds(give(state, 0, c.DeclareWar(1)))
    assert "PrivateerWarRoundFought" in kinds(give(state, 0, c.FightPrivateers(), [1]))
    assert refused(fresh(), 0, c.FightPrivateers()) == "no_privateers"
    weak = fresh(players={0: {"squadrons": 0}, 1: {"privateers": [1, 0, 0]}})
    assert refused(weak, 0, c.FightPrivateers()) == "no_squadrons"
    assert refused(state, 0, c.DeclareWar(0)) == "self_target"
    assert refused(state, 0, c.DeclareWar(5)) == "unknown_player"


def test_fighting_privateers_is_no_war_for_the_box():
    """REV-375, REV-058 (ruling 17)."""
    state = fresh(players={1: {"privateers": [1, 0, 0]}})
    assert not after(state, 0, c.FightPrivateers(), [1]).war_fought_this_turn


def test_the_defender_has_no_expedition_in_the_first_year():
    """REV-325: in year 1 only the Attacker may send one, from year 2 the Defender too."""
    lands = {"brazil": land(colony=0, plantation=[[0, 3]])}
    players = {1: {"treasury": 3}}
    first = year(at_war(players=players, territories=lands), [0, 0, 0], [1, 0, 0])
    assert TITLE.awaited(first.state)[0].kind == "decide_war"
    second = fresh(
        players={0: {"squadrons": 3}, 1: {"squadrons": 3, "treasury": 3}},
        action={"seat": 0, **SOVEREIGN},
        war=war("fight", year=1),
        territories=lands,
    )
    draft = year(second, [0, 0, 0], [1, 0, 0])
    assert [(d.seat, d.kind) for d in TITLE.awaited(draft.state)] == [(1, "send_expedition")]


def test_an_ally_is_in_the_war_until_they_give_up():
    """REV-337: giving up takes their Squadrons out of the war."""
    state = fresh(
        players={0: {"squadrons": 1}, 1: {"squadrons": 1}, 2: {"squadrons": 4}},
        action={"seat": 0, **SOVEREIGN},
        war=war("attacker_ally", choices=[None, None, "attacker"], attacker_ally=2),
    )
    left = after(state, 2, c.DecideWar(go_on=False))
    assert left.war.left == (2,)
    assert TITLE.awaited(left)[0].seat == 0


def test_the_winner_of_ten_points_ends_the_war_at_once():
    """REV-353, REV-390: the win check comes before the Escalation."""
    state = fresh(
        players={0: {"squadrons": 2, "war_pp": 9}, 1: {"squadrons": 1}},
        action={"seat": 0, **SOVEREIGN},
        war=war("defender"),
    )
    draft = give(state, 1, c.DecideWar(go_on=False))
    assert "EscalationStarted" not in kinds(draft)
    assert TITLE.outcome(draft.state).winners == (0,)


def test_allies_gain_and_lose_no_points():
    """REV-097: the war changes the tallies of the principals only."""
    state = fresh(
        players={0: {"squadrons": 2}, 1: {"squadrons": 1}, 2: {"squadrons": 1}},
        action={"seat": 0, **SOVEREIGN},
        war=war("defender", choices=[None, None, "attacker"], attacker_ally=2),
    )
    ended = after(state, 1, c.DecideWar(go_on=False))
    assert [player.war_pp for player in ended.players] == [1, 0, 0]
    assert [player.war_victories for player in ended.players] == [1, 0, 0]


def test_two_at_ten_by_one_settlement():
    """REV-391: a surrender lifts one to 10 net while another stands at 11: the higher wins."""
    state = fresh(
        players={
            0: {"squadrons": 2, "war_pp": 9},
            1: {"squadrons": 1},
            2: {"war_pp": 12, "loans": 7, "treasury": 9},
        },
        action={"seat": 0, **SOVEREIGN},
        war=war("defender"),
    )
    repaid = after(state, 2, c.RepayLoan(2))
    assert TITLE.outcome(repaid) is None, "REV-392: it counts at the running action's next settlement point"
    outcome = TITLE.outcome(after(repaid, 1, c.DecideWar(go_on=False)))
    assert (outcome.winners, outcome.scores[:1], outcome.scores[2]) == ((2,), (10,), 11)
