"""Sentences and buttons that explain what happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from events.rules.fact import Fact, type_name
from events.titles.colonialism import TITLE
from events.titles.colonialism.data import BOARD, CARD
from events.titles.colonialism.facts import (
    CollectionStarted,
    ConflictResolved,
    DieRolled,
    EconomicInterestRevealed,
    GameEnded,
    InfluenceAdded,
)
from events.titles.colonialism.parts import CubeCounts, Standing
from tests.titles.colonialism.given import given

WHO = ("Blue", "Red", "Green", "White")


def told(fact: Fact, **without: None) -> str:
    """The sentence of a fact, some fields of it left away as older games have them."""
    data: Mapping[str, Any] = msgspec.to_builtins(fact, str_keys=True)
    shown = {key: value for key, value in data.items() if key not in without}
    return TITLE.tell[type_name(type(fact))](shown, WHO.__getitem__)


def labels(state: Any, kind: str) -> list[str]:
    """The buttons of seat 0 for one kind of command."""
    listed = TITLE.legal(state, 0)
    return [TITLE.label(state, 0, command) for command in listed if type_name(type(command)) == kind]


def test_a_collection_tells_influence_and_ties():
    """Who collects first has more influence; equals go by the turn order, and that is said (CSM-191)."""
    fact = CollectionStarted(
        "india", (2, 0, 1), CubeCounts(black=1, brown=0, yellow=2), "conflict", (5, 3, 3)
    )
    assert told(fact) == (
        "Resources of India (1 black and 2 yellow) are collected by Green (influence 5), Blue (influence 3) "
        "and Red (influence 3), in this order; ties go by the turn order."
    )
    assert told(fact, influences=None) == (
        "Resources of India (1 black and 2 yellow) are collected by Green, Blue and Red, in this order."
    )


def test_interests_tell_who_holds_the_region():
    """Why an interest pays, or not: the influence of everybody there (CSM-241)."""
    cards = ("ei_china_black", "ei_india_yellow")
    fact = EconomicInterestRevealed(0, cards, ("black", None), ({0: 4, 1: 2}, {1: 3, 0: 3, "natives": 1}))
    assert told(fact) == (
        "Blue shows the economic interests China (black) pays (Blue 4 and Red 2) "
        "and India (yellow) pays nothing (Red 3, Blue 3 and natives 1)."
    )
    assert told(fact, influences=None).endswith("China (black) pays and India (yellow) pays nothing.")


@pytest.mark.parametrize(
    ("results", "end"),
    [
        ([(4, 15), (3, 12)], "Scores: Blue with 4 (15 cubes) and Red with 3 (12 cubes)."),
        (
            [(4, 15), (4, 12)],
            "Of equal scores the one with more cubes left after conversion ranks first.",
        ),
        ([(4, 15), (4, 15)], "Who is equal in both shares the place."),
    ],
)
def test_the_result_tells_how_ties_were_broken(results, end):
    """By cubes left, else the place is shared: in the last sentence and under the result (CSM-248)."""
    standings = tuple(
        Standing(seat, 0, 0, 0, score, total, 1 + sum(other > (score, total) for other in results))
        for seat, (score, total) in enumerate(results)
    )
    fact = GameEnded(standings, tuple(s.seat for s in standings if s.place == 1))
    assert told(fact).endswith(end)
    state = fact.fold(given(2))
    result = TITLE.panels(TITLE.view_json(state, None), None)[0]
    assert result["title"] == "Result"
    assert ("equal" in result["note"]) == (results[0][0] == results[1][0])


def test_buttons_of_action_cards_say_what_they_bring():
    """The die's range, the losers, the discs: as far as it is known (CSM-090 to CSM-101)."""
    there = {"discs": [3, 5, 1], "natives": 4}
    ships = [[{"sea_zone": "south_china_sea", "fresh": True}]] * 3
    hand = ["diplomacy", "land_grab", "mercenaries", "military_campaign", "missionaries", "plague"]
    state = given(3, regions={"china": there}, ships=ships, hands=[hand, [], []])
    assert labels(state, "play_diplomacy")[-1].startswith("Diplomacy in China: add 2 to 4 ")
    assert labels(state, "play_land_grab") == ["Land Grab in China with blue ship 1: add no discs"]
    assert labels(state, "play_mercenaries") == ["Mercenaries in China with blue ship 1: recruit 2 to 4"]
    assert labels(state, "play_military_campaign")[0] == (
        "Military Campaign in China against natives: remove 2 to 4; "
        "if none is left, its resources are collected at once"
    )
    assert labels(state, "play_missionaries") == [
        "Missionaries in China: 1 less of Red and natives, add 2 discs"
    ]
    assert labels(state, "play_plague") == [
        "Plague in China with blue ship 1: Blue 1, Red 2 and natives 2 less"
    ]


def test_buttons_name_no_more_than_there_is():
    """The die's range is capped by what lies there or is left; that collection follows is said (CSM-097)."""
    ships = [[{"sea_zone": "south_china_sea", "fresh": True}]] * 2
    hand = ["diplomacy", "mercenaries", "military_campaign"]

    def buttons(kind: str, natives: int, **parts: Any) -> list[str]:
        there = {"discs": [1, 3], "natives": natives, "cubes": {"black": 0, "brown": 1, "yellow": 0}}
        return labels(given(2, regions={"china": there}, ships=ships, hands=[hand, []], **parts), kind)

    campaign = "Military Campaign in China against "
    assert buttons("play_military_campaign", 1) == [
        f"{campaign}natives: remove 1; they are the last, and its resources are collected at once",
        f"{campaign}Blue: remove 1",
        f"{campaign}Red: remove 2 or 3",
    ]
    some = f"{campaign}natives: remove 2 or 3; if none is left, its resources are collected at once"
    assert buttons("play_military_campaign", 3)[0] == some
    assert buttons("play_military_campaign", 5)[0] == f"{campaign}natives: remove 2 to 4"
    few = {"reserve": [3, 22], "mercenary_supply": 1, "native_supply": 1}
    assert buttons("play_diplomacy", 5, **few) == [
        "Diplomacy in China: add 2 or 3 Blue, no more are left",
        "Diplomacy in China: add 1 native, no more are left",
        "Diplomacy in China: add 2 to 4 Red",
    ]
    hired = "Mercenaries in China with blue ship 1: recruit 1, no more are left"
    assert buttons("play_mercenaries", 5, **few) == [hired]


def test_conflict_tells_whom_a_treaty_protects():
    """The change of each faction, and who keeps the last disc by what (CSM-149)."""
    before, after = {"natives": 0, 0: 2, 1: 9, 2: 3}, {"natives": 0, 0: 1, 1: 8, 2: 3}
    fact = ConflictResolved("china", 12, before, after, (), "limit")
    data = {**msgspec.to_builtins(fact, str_keys=True), "treaties": (0,)}
    assert TITLE.tell["ConflictResolved"](data, WHO.__getitem__) == (
        "Conflict in China (limit 12): Blue from 2 to 1, Red from 9 to 8 and Green still 3; "
        "the limit is kept; Treaty protects the last disc of Blue."
    )
    treaty = given(2, regions={"china": {"policy": [[{"card": "treaty", "face_up": True}], []]}})
    assert fact.beside(data, treaty) == {"treaties": (0,)}


def test_a_die_is_told_with_its_bonus():
    """What the face comes to, and why fewer discs came than the die says (CSM-011, CSM-093)."""
    assert told(DieRolled(0, "diplomacy", 2)) == "Blue rolls 2 for Diplomacy: 2 + 1 = 3."
    added = InfluenceAdded(1, "china", 3, 0, "diplomacy")
    assert told(added) == "Diplomacy: no discs (of 3: no more are left) of Red in China."


def test_cards_say_all_that_they_do():
    """Dominion counts its own region and strictly the most; a campaign may collect at once (CSM-097)."""
    assert "this one included" in CARD["dominion"].text
    assert "strictly more than every other player and the natives" in CARD["dominion"].text
    assert "or all it has" in CARD["military_campaign"].text
    assert "collected at once" in CARD["military_campaign"].text


def test_every_region_touches_two_sea_zones():
    """The supplied map leaves no region behind: China too is reached from two seas (CSM-012)."""
    assert {len(region.seas) for region in BOARD.regions} == {2}
