"""The room that both editions share: map with overrides, piles, Monopolies, the world map."""

from __future__ import annotations

from events.rules.kit.overseas.monopolies import find_broken_by_taking, monopolies_by_seat
from events.rules.kit.overseas.world import load_world
from events.rules.kit.overseas.world_map import HEIGHT, WIDTH
from events.titles.colonial import TITLE
from events.titles.colonial.data import WORLD
from tests.titles.colonial.scene import scene


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
