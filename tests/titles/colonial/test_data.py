"""The data: map, cards, Nations, tracks (COL-01, COL-02, COL-06, section 2 of the rulebook's components)."""

from __future__ import annotations

from collections import Counter

import pytest

from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.titles.colonial import TITLE
from events.titles.colonial.checks import Draft
from events.titles.colonial.data import CARDS, NATIONS, RULES, SPACES, TERRITORIES, TERRITORY, WORLD
from events.titles.colonial.options import Options
from tests.titles.colonial.scene import fresh, scene


def test_map_check_sums():
    """COL-01-01: 27 Territories, 29 spaces, Difficulties 3 to 7 or none, Native Power of zero or more."""
    assert (len(TERRITORIES), len(SPACES), len(WORLD.borders)) == (27, 29, 39)
    difficulties = Counter(land.difficulty for land in TERRITORIES)
    assert difficulties == {None: 3, 3: 2, 4: 9, 5: 8, 6: 2, 7: 3}
    assert {land.id for land in TERRITORIES if not land.native_power} == {"egypt", "levant"}
    assert {land.id for land in TERRITORIES if not land.spaces} == {"congo", "amazonia"}


def test_ten_resource_types():
    """COL-01-02: spaces are of ten types, whatever their pictures."""
    assert len(WORLD.resources) == 10
    counts = {name: len(spaces) for name, spaces in WORLD.spaces_of_resource.items()}
    expected = {
        "gold": 3,
        "silk": 3,
        "spices": 1,
        "furs": 2,
        "plantation": 7,
        "slaves": 2,
        "tea": 1,
        "opium": 1,
    }
    assert counts == {**expected, "precious_metals": 3, "wares": 6}
    assert len({space.picture for space in SPACES}) == 18


def test_near_east_starts_explored():
    """COL-01-03: Levant, Barbary and Egypt have no Difficulty and no Prestige."""
    state = fresh()
    for name in ("levant", "barbary", "egypt"):
        assert TERRITORIES[TERRITORY[name]].difficulty is None
        assert state.lands[TERRITORY[name]].prestige == 0
    assert sum(land.prestige for land in state.lands) == 25


def test_adjacency_is_symmetric():
    """COL-02-01: the neighbours are those of the table, both ways."""
    for land in TERRITORIES:
        for beside in land.neighbours:
            assert land.number in TERRITORIES[beside].neighbours
    japan = TERRITORIES[TERRITORY["japan"]]
    assert [TERRITORIES[n].id for n in japan.neighbours] == ["china"]


def test_unexplored_while_prestige_lies_there():
    """COL-02-02: a Territory is Unexplored exactly while Prestige lies on it."""
    view = TITLE.view_json(scene(lands={"brazil": {}}), None)
    lands = {land["id"]: land for land in view["territories"]}
    assert lands["brazil"]["explored"]
    assert not lands["peru"]["explored"]


def test_counters_are_called_by_their_boxes():
    """COL-02-03, COL-01-07: Treasury, Goods, Fleets and Squadrons are whole numbers of each player."""
    player = TITLE.view_json(fresh(), None)["players"][1]
    assert [player[box] for box in ("treasury", "market", "fleets", "squadrons")] == [5, 0, 2, 1]


def test_one_first_player():
    """COL-02-05: exactly one seat holds the token."""
    assert TITLE.view_json(fresh(), None)["first_player"] == 0


def test_six_cards_of_two_characters():
    """COL-03-03: every player has one of each of the six cards."""
    assert [len(card.characters) for card in CARDS.values()] == [2] * 6
    assert all(player.cards == tuple(CARDS) for player in fresh(6).players)


def test_success_die():
    """COL-01-06: two of six sides succeed."""
    assert sorted(RULES.success_die) == [False] * 4 + [True] * 2
    draft = Draft(fresh(), FastChance(1))
    rolled = sum(sum(draft.roll(10)) for _ in range(600))
    assert 1850 < rolled < 2150


def test_tracks():
    """COL-06-01, COL-06-05: four spaces each; the number is cost and bonus."""
    assert RULES.tracks == {
        "seafaring": (0, 1, 2, 3),
        "navy": (1, 2, 3, 4),
        "logistics": (1, 2, 3, 4),
        "economy": (2, 4, 6, 10),
    }


def test_nation_cards():
    """COL-25-03, COL-25-04: five Nations with five different extra cards and eight goals each."""
    assert len(NATIONS) == 5
    assert len({nation.extra_card for nation in NATIONS.values()}) == 5
    for nation in NATIONS.values():
        assert len(nation.goals) == 8
        assert all(goal.territory in TERRITORY for goal in nation.goals)
        assert all(character in CARDS[nation.extra_card].characters for character in nation.repeatable)
    named = {goal.territory for nation in NATIONS.values() for goal in nation.goals}
    assert set(TERRITORY) - named == {"egypt", "levant"}


@pytest.mark.parametrize(
    ("seats", "options", "variant"),
    [
        (2, {}, "nations_2_3"),
        (3, {}, "nations_2_3"),
        (4, {}, "basic"),
        (6, {}, "basic"),
        (4, {"variant": "nations"}, "nations"),
        (3, {"variant": "basic", "allow_three_player_basic": True}, "basic"),
    ],
)
def test_variants_by_seats(seats, options, variant):
    """COL-00-05, COL-25-40: which game is played with how many."""
    assert fresh(seats, **options).variant == variant


@pytest.mark.parametrize(
    ("seats", "options"),
    [(3, {"variant": "basic"}), (2, {"variant": "basic"}), (6, {"variant": "nations"})],
)
def test_tables_that_cannot_be_played(seats, options):
    """COL-00-05: the basic game takes 4 to 6, the Nations Variant 2 to 5."""
    with pytest.raises(Rejected, match="invalid_options"):
        TITLE.check_options(seats, Options(**options))


def test_board_is_public_data():
    """COL-13-01: clients get map, cards, Nations and the text of each Character."""
    texts = {entry["id"]: entry["text"] for entry in TITLE.board["characters"]}
    assert "1 right on Diplomacy" in texts["ambassador"]
    assert len(TITLE.board["territories"]) == 27
