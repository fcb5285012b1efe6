"""The shared map as this edition uses it, the cards, and what pieces are worth."""

from events.rules.fact import type_name
from events.titles.colonial_revised import TITLE
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.data import RULES, SPACES, TERRITORIES, TERRITORY, TRACKS, UNUSED, WORLD
from tests.titles.colonial_revised.given import after, fresh, land, refused


def test_congo_and_amazonia_are_out_of_play():
    """REV-013: they connect nothing and cannot be named."""
    assert {"congo", "amazonia"} == UNUSED
    neighbours = {TERRITORIES[n].id for n in TERRITORIES[TERRITORY["guyanas"]].neighbours}
    assert neighbours == {"west_indies", "brazil", "peru"}
    assert {TERRITORIES[n].id for n in TERRITORIES[TERRITORY["west_africa"]].neighbours} == {"barbary"}
    state = fresh(territories={"brazil": land(plantation=[[0, 1]])})
    assert (
        refused(state, 0, c.SendCounters("amazonia", (c.SpaceCount("brazil.plantation", 1),)))
        == "unused_territory"
    )


def test_difficulties_add_up():
    """25 Territories, all with a Difficulty of 2 to 7, and 29 spaces (ruling 4)."""
    difficulties = sorted(t.difficulty for t in TERRITORIES)
    assert difficulties == [2] * 3 + [3] * 2 + [4] * 9 + [5] * 8 + [6] * 2 + [7]
    assert len(SPACES) == 29
    assert [t.id for t in TERRITORIES if not t.native_power] == ["egypt", "levant"]


def test_resources():
    """REV-062, REV-063: ten types, one Spices, Silk in three Territories, Gold space by space."""
    assert len(WORLD.resources) == 10
    assert len(WORLD.spaces_of_resource["spices"]) == 1
    silk = {TERRITORIES[SPACES[s].territory].id for s in WORLD.spaces_of_resource["silk"]}
    assert silk == {"india", "indochina", "china"}
    assert [r.id for r in WORLD.resources if r.every_space_a_monopoly] == ["gold"]


def test_nothing_starts_explored():
    """REV-014: all Territories start unexplored, without counters, Unrest or Missions."""
    state = fresh()
    assert not any(t.explored or t.unrest or t.missions or t.cities for t in state.lands)
    assert not any(state.piles)


def test_tracks():
    """REV-080: four spaces a track, prices are values; REV-012: the first is where everybody starts."""
    assert {name: list(values) for name, values in TRACKS.items()} == {
        "economy": [2, 4, 6, 10],
        "seafaring": [0, 1, 2, 3],
        "navy": [1, 2, 3, 4],
        "logistics": [1, 2, 3, 4],
    }


def test_cards_have_two_characters():
    """REV-010: six cards, twelve Characters; only Sovereign/Rebel is mandatory."""
    assert [card.id for card in RULES.cards if card.mandatory] == ["sovereign_rebel"]
    assert len({character for card in RULES.cards for character in card.characters}) == 12


def test_pieces_are_worth_one():
    """REV-002: a Treasury counter becomes one Merchant Fleet, one Squadron or one Privateer."""
    state = fresh(phase="merchant_fleets", territories={"brazil": land(plantation=[[0, 1]])})
    before = state.players[0]
    now = after(state, 0, c.BuildMerchantFleets(2)).players[0]
    assert (now.treasury, now.merchant_fleets) == (before.treasury - 2, before.merchant_fleets + 2)


def test_supplies_do_not_run_out():
    """REV-004: there are only 40 counters of a colour, but a Loan of 200 is no trouble."""
    state = fresh(players={0: {"loans": 200, "treasury": 300, "logistics": 4}})
    assert after(state, 0, c.TakeLoan()).players[0].loans == 210


def test_nobody_can_give_treasury_away():
    """REV-006: no command moves Treasury to another player freely."""
    names = {type_name(command) for command in TITLE.commands}
    assert not any("give" in name or "transfer" in name or "gift" in name for name in names)


def test_counters_stand_on_spaces_of_the_territory():
    """REV-060: a counter is always put on a space."""
    state = fresh(territories={"brazil": land(), "arabia": land()})
    outside = c.SendCounters("brazil", (c.SpaceCount("arabia.wares", 1),))
    assert refused(state, 0, outside) == "space_not_in_territory"
    assert refused(state, 0, c.SendCounters("brazil", (c.SpaceCount("brazil", 1),))) == "unknown_space"
    assert refused(state, 0, c.SendCounters("atlantis", ())) == "unknown_territory"
