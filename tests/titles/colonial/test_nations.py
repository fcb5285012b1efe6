"""The Nations Variant and the 2-3 player game (COL-25)."""

from __future__ import annotations

from events.titles.colonial import TITLE
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from events.titles.colonial.data import TERRITORIES
from tests.titles.colonial.scene import AMERICA, N5, code, dice, do, fresh, kinds, scene

SPAIN, PORTUGAL, DUTCH, BRITAIN, FRANCE = range(5)


def test_card_of_a_nation_binds_its_owner_only():
    """COL-25-03: others place outside Portugal's goals, and have no Sovereign that moves right."""
    state = scene("viceroy_ambassador", nations=N5, active=FRANCE)
    assert do(state, FRANCE, c.PlayViceroy("barbary", ("barbary.wares",))).of(f.CounterPlaced)
    war = scene("sovereign_rebel", nations=N5, active=BRITAIN)
    assert code(war, BRITAIN, c.PlaySovereign("diplomacy")) == "diplomacy_mode_not_allowed"


def test_logistics_maximum():
    """COL-25-11, COL-21-02: Portugal stays on Logistics 1."""
    state = scene("scientist_missionary", nations=N5, active=PORTUGAL)
    assert code(state, PORTUGAL, c.PlayScientist("logistics")) == "track_at_maximum"
    assert do(scene("scientist_missionary", nations=N5), SPAIN, c.PlayScientist("logistics")).of(
        f.TrackAdvanced
    )


def test_colony_prestige_on_goals_only():
    """COL-25-12: elsewhere the Colony is allowed and gives none."""
    lands = {"brazil": {"piles": {"plantation": [2, 2]}}, "canada": {"piles": {"furs": [2]}}}
    state = scene("explorer_conqueror", nations=N5, active=DUTCH, lands=lands, **AMERICA)
    assert do(state, DUTCH, c.PlayConqueror("brazil")).player(DUTCH).prestige == 1
    done = do(state, DUTCH, c.PlayConqueror("canada"))
    assert done.player(DUTCH).prestige == 0
    assert done.land("canada")["colony"] == DUTCH


def test_city_prestige_when_founding():
    """COL-25-16: any city counts; by an option only a historical city of the founder's Nation."""
    cases = ((DUTCH, "historical", 2), (BRITAIN, "historical", 0), (BRITAIN, "historical_establishing", 1))
    for seat, reading, gain in cases:
        territory = "brazil"
        state = scene(
            "explorer_conqueror",
            nations=N5,
            options={"booming_city_prestige": reading},
            active=seat,
            booming_city={"territory": territory, "value": 1, "founder": 0},
            lands={territory: {"piles": {"plantation": [seat, seat]}}},
            **AMERICA,
        )
        assert do(state, seat, c.PlayConqueror(territory)).player(seat).prestige == gain


def test_city_prestige_for_the_owner_of_the_colony():
    """COL-25-15: the owner's card counts, no matter who the Governor is."""
    lands = {"brazil": {"colony": DUTCH, "piles": {"plantation": [DUTCH, FRANCE]}}}
    state = scene("merchant_governor", nations=N5, active=FRANCE, lands=lands, **AMERICA)
    assert do(state, FRANCE, c.PlayGovernor("brazil", 1)).player(DUTCH).prestige == 1
    other = {"brazil": {"colony": BRITAIN, "piles": {"plantation": [BRITAIN, FRANCE]}}}
    state = scene("merchant_governor", nations=N5, active=FRANCE, lands=other, **AMERICA)
    assert not do(state, FRANCE, c.PlayGovernor("brazil", 1)).of(f.PrestigeGained)


def test_france_fights_twice():
    """COL-25-19, COL-25-07: two separate wars with two Sovereigns, also against the same player."""
    state = scene(
        "sovereign_rebel",
        nations=N5,
        active=FRANCE,
        round=1,
        players={FRANCE: {"used_characters": ["sovereign"]}},
    )
    assert do(state, FRANCE, c.PlaySovereign("war", SPAIN), [0], [0]).of(f.WarDeclared)
    rebel = scene(
        "sovereign_rebel", nations=N5, active=FRANCE, players={FRANCE: {"used_characters": ["rebel"]}}
    )
    assert code(rebel, FRANCE, c.PlayRebel("unrest", "egypt")) == "character_used_twice"


def test_france_courts():
    """COL-25-20: 1 right instead of declaring war, not beyond the limit."""
    state = scene("sovereign_rebel", nations=N5, active=FRANCE)
    assert do(state, FRANCE, c.PlaySovereign("diplomacy")).player(FRANCE).diplomacy == 5
    far = scene("sovereign_rebel", nations=N5, active=FRANCE, players={FRANCE: {"diplomacy": 7}})
    assert code(far, FRANCE, c.PlaySovereign("diplomacy")) == "diplomacy_at_right_limit"


def test_spain_may_found_the_normal_way():
    """COL-25-23: with enough counters, without Unrest."""
    lands = {"new_spain": {"missions": 1, "piles": {"gold": [SPAIN] * 4}}}
    done = do(
        scene("explorer_conqueror", nations=N5, lands=lands, **AMERICA), SPAIN, c.PlayConqueror("new_spain")
    )
    assert done.of(f.ColonyFounded)[0].method == "normal"
    assert done.land("new_spain")["unrest"] == 0


def test_extremadura_is_american():
    """COL-25-21: only in America, and all Resources must be controlled."""
    lands = {"barbary": {"missions": 1, "piles": {"wares": [SPAIN]}}, "peru": {"missions": 1, "piles": {}}}
    state = scene("explorer_conqueror", nations=N5, lands=lands, **AMERICA)
    assert code(state, SPAIN, c.PlayConqueror("barbary", "extremadura")) == "extremadura_not_allowed"
    assert code(state, SPAIN, c.PlayConqueror("peru", "extremadura")) == "not_all_resources_controlled"


def test_treaty_ends_at_six():
    """COL-25-09: for good; the settle step after the sixth Prestige is free already."""
    state = scene("explorer_conqueror", nations=N5, active=PORTUGAL, players={PORTUGAL: {"prestige": 5}})
    done = do(state, PORTUGAL, c.PlayExplorer("japan"), dice(5))
    assert done.of(f.SixPrestigeReached)
    done.do(PORTUGAL, c.SettleExploredTerritory("adventurers", "japan.precious_metals"))
    assert done.land("japan")["piles"]["precious_metals"] == [PORTUGAL]
    fallen = scene(
        "viceroy_ambassador",
        nations=N5,
        active=PORTUGAL,
        players={PORTUGAL: {"prestige": 2, "reached_six": True}},
    )
    assert do(fallen, PORTUGAL, c.PlayViceroy("egypt", ("egypt.wares",))).of(f.CounterPlaced)


def test_flamboyance_choice_when_treasury_is_given_away():
    """COL-25-24: what can be paid is judged when the choice is made."""
    state = scene(
        phase="end_of_turn", nations=N5, active=SPAIN, players={SPAIN: {"prestige": 4, "treasury": 4}}
    )
    assert kinds(state) == [(SPAIN, "decide_flamboyance")]
    poorer = do(state, SPAIN, c.TransferTreasury(FRANCE, 1))
    assert code(poorer.state, SPAIN, c.DecideFlamboyance("pay")) == "cannot_pay"
    assert TITLE.default(poorer.state, TITLE.decisions(poorer.state)[0]) == c.DecideFlamboyance(
        "lose_prestige"
    )
    assert poorer.do(SPAIN, c.DecideFlamboyance("lose_prestige")).player(SPAIN).prestige == 3


def test_no_flamboyance_without_prestige():
    """COL-25-24: with 0 Prestige nothing happens."""
    done = do(scene(phase="naval_forces", nations=N5, active=FRANCE), FRANCE, c.BuySquadrons(0))
    assert not done.of(f.FlamboyancePrestigeLost)
    assert done.state.phase == "programming"


def test_great_britain_re_rolls_only_with_dice():
    """COL-25-18: without Squadrons of its own there is nothing to re-roll; declining keeps the dice."""
    state = scene("sovereign_rebel", nations=N5, active=FRANCE, players={BRITAIN: {"squadrons": 0}})
    assert not do(state, FRANCE, c.PlaySovereign("war", BRITAIN), [0]).of(f.ChoiceOffered)
    state = scene("sovereign_rebel", nations=N5, active=FRANCE, players={BRITAIN: {"squadrons": 2}})
    done = do(state, FRANCE, c.PlaySovereign("war", BRITAIN), [0], [0, 0]).do(
        BRITAIN, c.RerollSeaDice(reroll=False)
    )
    assert done.of(f.SeaRerollDeclined)
    assert kinds(done.state) == [(BRITAIN, "decide_surrender")]


def test_excluded_territories_are_out():
    """COL-25-41, COL-25-42: nothing lies there, nothing can be done there."""
    state = scene("explorer_conqueror", nations=("great_britain", "france"))
    out = {land.id for land in TERRITORIES if state.lands[land.number].excluded}
    assert len(out) == 27 - 12
    assert {"egypt", "levant", "brazil"} <= out
    assert code(state, 0, c.PlayExplorer("brazil")) == "territory_excluded"
    assert code(state, 0, c.PlayConqueror("brazil")) == "territory_excluded"
    viceroy = scene("viceroy_ambassador", nations=("great_britain", "france"))
    assert code(viceroy, 0, c.PlayViceroy("egypt", ("egypt.wares",))) == "territory_excluded"
    rebel = scene("sovereign_rebel", nations=("great_britain", "france"))
    assert code(rebel, 0, c.PlayRebel("unrest", "egypt")) == "territory_excluded"
    missionary = scene("scientist_missionary", nations=("great_britain", "france"))
    assert code(missionary, 0, c.PlayMissionary("egypt", "place")) == "territory_excluded"


def test_without_spain_and_portugal_america_is_known():
    """COL-25-46: no +2, no bonus, no Circumnavigation."""
    state = scene("explorer_conqueror", nations=("great_britain", "france"))
    assert state.america_discovered
    assert (state.discovery_box, state.circumnavigation_box) == (0, 0)
    done = do(state, 0, c.PlayExplorer("west_indies"), dice(3))
    assert done.of(f.ExplorationRolled)[0].required == 3
    assert done.player(0).prestige == 1


def test_no_exclusion_with_four():
    """COL-25-40, COL-25-41: only the 2-3 player game excludes Territories."""
    assert not any(land.excluded for land in fresh(4, nations=N5[:4]).lands)


def test_first_free_nation_is_the_default():
    """COL-25-02: an absent player gets the first Nation that is left."""
    state = fresh(2)
    assert TITLE.default(state, TITLE.decisions(state)[0]) == c.ChooseNation("spain")
    assert code(state, 1, c.ProgramCards(())) == "not_your_decision"
