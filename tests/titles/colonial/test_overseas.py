"""The room that both editions share: map with overrides, piles, Monopolies, the world map."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import pytest

from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance
from events.rules.kit.overseas.piles import find_broken_by_taking, monopolies_by_seat
from events.rules.kit.overseas.world import load_world
from events.rules.kit.overseas.world_map import CHART, HEIGHT, WIDTH
from events.titles.colonial import TITLE
from events.titles.colonial.data import WORLD
from tests.titles.colonial.scene import scene
from tests.titles.table import Table, play


def test_revised_edition_overrides():
    """The other edition leaves out two Territories with their borders, and rates the Near East."""
    revised = load_world("colonial_revised")
    assert (len(revised.territories), len(revised.spaces)) == (25, 29)
    assert "congo" not in revised.territory_number
    assert all(land.difficulty for land in revised.territories)
    west_africa = revised.territories[revised.territory_number["west_africa"]]
    assert [revised.territories[n].id for n in west_africa.neighbours] == ["barbary"]


def test_monopolies_and_the_gold_exception():
    """COL-05-04, COL-05-05, COL-05-08: a type without rivals is one Monopoly, every gold space another."""
    held: list[int | None] = [None] * len(WORLD.spaces)
    for name, owner in (
        ("west_africa.gold", 0),
        ("new_spain.gold", 0),
        ("california.gold", 1),
        ("canada.furs", 1),
        ("india.silk", 0),
        ("china.silk", 1),
    ):
        held[WORLD.space_number[name]] = owner
    assert monopolies_by_seat(WORLD, held, 2) == (
        ("new_spain.gold", "west_africa.gold"),
        ("furs", "california.gold"),
    )
    taken = {
        name: find_broken_by_taking(WORLD, held, WORLD.space_number[name], 0)
        for name in ("wild_west.furs", "indochina.silk")
    }
    assert taken == {"wild_west.furs": 1, "indochina.silk": None}
    assert find_broken_by_taking(WORLD, held, WORLD.space_number["wild_west.furs"], 1) is None


def test_map_panel_lies_on_its_chart():
    """Each Territory has an outline and a name on the sheet; what borders touches, or a line joins it."""
    view = TITLE.view_json(scene(lands={"egypt": {"unrest": 1, "piles": {"wares": [2, 0]}}}), 0)
    panel = next(panel for panel in TITLE.panels(view, 0) if panel["kind"] == "map")
    chart = TITLE.board["charts"][panel["chart"]]
    assert (panel["width"], panel["height"]) == (chart["width"], chart["height"]) == (WIDTH, HEIGHT)
    assert len(panel["areas"]) == 27
    assert all(chart["areas"][area["key"]].startswith("M") for area in panel["areas"])
    assert all(0 < area["x"] < WIDTH and 0 < area["y"] < HEIGHT for area in panel["areas"])
    egypt = next(area for area in panel["areas"] if area["key"] == "egypt")
    assert "barbary" in egypt["borders"]
    assert [token["tone"] for token in egypt["slots"][0]["tokens"]] == [2, 0]
    assert [(token["tone"], token["shape"]) for token in egypt["tokens"]] == [("brown", "triangle")]


def points_of(path):
    """The corners of an outline."""
    return {tuple(map(float, pair.split())) for pair in re.split("[MLZ]", path) if pair}


def edges_of(path):
    """The sides of an outline, ring by ring."""
    for ring in path.replace("Z", "").split("M")[1:]:
        corners = [tuple(map(float, pair.split())) for pair in ring.split("L")]
        yield from pairwise([*corners, corners[0]])


def level_with(point, edge):
    """Whether a point lies on a side that runs along a line of latitude."""
    (x, y), ((x1, y1), (x2, y2)) = point, edge
    return abs(y1 - y2) < 0.05 and abs(y - y1) < 0.11 and min(x1, x2) <= x <= max(x1, x2)


def test_the_chart_names_every_pair_that_touches():
    """Outlines with a corner in common touch, and each line lies on both outlines."""
    lines = {frozenset(border.between): border.line for border in CHART.borders}
    touching = {
        frozenset(pair)
        for pair in combinations(CHART.areas, 2)
        if points_of(CHART.areas[pair[0]]) & points_of(CHART.areas[pair[1]])
    }
    assert touching <= set(lines)
    for pair, line in lines.items():
        for name in pair:
            corners, edges = points_of(CHART.areas[name]), list(edges_of(CHART.areas[name]))
            assert all(
                point in corners or any(level_with(point, edge) for edge in edges)
                for point in points_of(line)
            )


@pytest.mark.parametrize(("edition", "parted"), [("colonial", 6), ("colonial_revised", 4)])
def test_the_map_shows_who_is_adjacent(edition, parted):
    """COL-02-01, REV-013: of chart.toml and map.toml, who touches and is not adjacent has a bar between."""
    world = load_world(edition)
    name = [land.id for land in world.territories]
    adjacent = {frozenset((name[one], name[other])) for one, other in world.borders}
    title = find_title(edition)
    state = title.open(title.seats[-1], title.Options(), FastChance(1)).state
    panel = next(p for p in title.panels(title.view_json(state, 0), 0) if p["kind"] == "map")
    touching = {frozenset(border.between) for border in CHART.borders if set(border.between) <= set(name)}
    bars = {frozenset(bar["ends"]) for bar in panel["barriers"]}
    assert bars == touching - adjacent
    assert len(bars) == parted
    for area in panel["areas"]:
        land = world.territories[world.territory_number[area["key"]]]
        assert area["neighbours"] == sorted(world.territories[n].name for n in land.neighbours)
        reached = {key for pair in panel["links"] if area["key"] in pair for key in pair} - {area["key"]}
        assert reached == {name[n] for n in land.neighbours}


@pytest.mark.parametrize("title_id", ["colonial", "colonial_revised"])
def test_the_legend_names_every_code_and_a_pile_its_controller(title_id: str) -> None:
    """All goods by their letters; the lowest counters of a pile come first, carry the code and are marked."""
    game = play(Table(title_id, 3), 1, keep=True)
    title = game.title
    marked = 0
    for moment in game.some_moments(6):
        panel = next(p for p in title.page_panels(moment.state, 0) if p["kind"] == "map")
        explained = {piece["text"]: piece["detail"] for piece in panel["legend"]}
        for slot in (slot for area in panel["areas"] for slot in area.get("slots", ())):
            assert slot["detail"].startswith(explained[slot["text"]])
            first, others = slot["tokens"][:1], slot["tokens"][1:]
            assert all(one["main"] and one["text"].startswith(slot["text"]) for one in first)
            assert not any("main" in one for one in others)
            marked += len(first)
    assert marked
