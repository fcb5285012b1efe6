"""What the curves of a title show: each measure is what the state holds, and the score ends as the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from events.rules.catalogue import find_title
from events.titles.colonial import derived as colonial
from events.titles.colonial_empires.data import INDUSTRIES, RESOURCES
from events.titles.colonial_revised import derived as revised
from events.titles.colonies.derived import technology_points
from tests.titles.table import Table, fast, play

Values = dict[str, list[int]]


def of_colonial(state: Any) -> Values:
    return {
        "score": [player.prestige for player in state.players],
        "treasury": [player.treasury for player in state.players],
        "debt": [colonial.loans_of(player) for player in state.players],
        "monopolies": list(colonial.monopoly_counts(state)),
        "colonies": [colonial.colonies(state, seat) for seat in range(state.seats)],
    }


def of_revised(state: Any) -> Values:
    return {
        "score": [key[0] for key in revised.ranking_keys(state)],
        "treasury": [player.treasury for player in state.players],
        "loan": [player.loans for player in state.players],
        "resources": [len(revised.list_controlled(state, seat)) for seat in range(state.seats)],
        "colonies": [[land.colony_owner for land in state.lands].count(seat) for seat in range(state.seats)],
    }


def of_colonialism(state: Any) -> Values:
    """The score before the end is the smallest count, or what conversion makes of the counts: not less."""
    return {
        "black": [cubes[0] for cubes in state.collected],
        "brown": [cubes[1] for cubes in state.collected],
        "yellow": [cubes[2] for cubes in state.collected],
        "reserve": list(state.reserve),
    }


def of_colonies(state: Any) -> Values:
    points = [technology_points(levels) for levels in state.levels]
    return {
        "score": [point + money for point, money in zip(points, state.credits, strict=True)],
        "technology": points,
        "credits": list(state.credits),
        "resources": [sum(stock.values()) for stock in state.stocks],
    }


def of_empires(state: Any) -> Values:
    return {
        "score": list(state.treasury),
        "resources": [sum(card in RESOURCES for card in cards) for cards in state.in_play],
        "industries": [sum(card in INDUSTRIES for card in cards) for cards in state.in_play],
    }


TRUE: dict[str, Callable[[Any], Values]] = {
    "colonial": of_colonial,
    "colonial_revised": of_revised,
    "colonialism": of_colonialism,
    "colonies": of_colonies,
    "colonial_empires": of_empires,
}
SMALL = 3


@pytest.mark.parametrize("title_id", TRUE)
def test_measures_are_what_the_state_holds(title_id: str) -> None:
    """What a seat may not know is null, the seat's own is never; at the end the score is the result."""
    game = play(Table(title_id, SMALL), 1, keep=True)
    title = game.title
    for moment in game.some_moments(12):
        held = TRUE[title_id](moment.state)
        for seat in range(SMALL):
            shown = title.measures(title.view_json(moment.state, seat))
            assert list(shown) == list(title.pointing.measures)
            assert [key for key in shown if key not in held] == (
                ["score"] if title_id == "colonialism" else []
            )
            for key, values in held.items():
                assert shown[key][seat] == values[seat], key
                assert all(one in (None, other) for one, other in zip(shown[key], values, strict=True)), key
    outcome = title.outcome(game.state)
    assert outcome is not None
    assert tuple(title.measures(title.view_json(game.state, None))["score"]) == outcome.scores


def test_the_score_of_cubes_is_what_conversion_can_make() -> None:
    """Two cubes more of one colour than of another are worth what the rules make of them."""
    game = play(Table("colonialism", SMALL), 2, keep=True)
    for moment in game.some_moments(8):
        scores = game.title.measures(game.title.view_json(moment.state, None))["score"]
        for score, cubes in zip(scores, moment.state.collected, strict=True):
            assert min(cubes) <= score <= sum(cubes) // len(cubes)


def test_the_panel_of_the_seats_carries_the_measures() -> None:
    """By name, in the order of the title's page; a title that measures nothing adds nothing."""
    for title_id in ("colonies", "example"):
        title = find_title(title_id)
        state = title.open(title.seats[0], title.Options(), fast(1)).state
        (panel,) = (each for each in title.page_panels(state, None) if each["kind"] == "seats")
        named = [each["name"] for each in panel.get("measures", [])]
        assert named == list(title.pointing.measures.values())
        assert bool(named) == (title_id == "colonies")
