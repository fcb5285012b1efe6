"""What a page needs to draw a game of a title: its maps in short paths, its hints and clauses."""

import re

import pytest

from events.rules.catalogue import find_title, title_ids
from service.presenters.chart_paths import STEP, shorten_path

pytestmark = pytest.mark.integration


def corners(path):
    """Return the corners of the polygons of a path, absolute or by steps."""
    found = []
    for begins, by_step, rest in re.findall(r"M([-0-9. ]+)([Ll])([^MZ]*)Z", path):
        x, y = map(float, begins.split())
        numbers = [float(each) for each in re.findall(r"-?(?:\d+\.\d+|\d+|\.\d+)", rest)]
        ring = [(x, y)]
        for across, down in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = (x + across, y + down) if by_step == "l" else (across, down)
            ring.append((x, y))
        found.append(ring)
    return found


def test_it_is_a_part_of_the_title(api):
    """Hints and clauses are those of the title; another version, or no title, is refused as there."""
    for title_id in title_ids():
        whole = api.get(f"/v1/titles/{title_id}")
        answer = api.send("GET", f"/v1/titles/{title_id}/display")
        told = answer.get_json()
        assert {name: told[name] for name in ("id", "name", "version", "guide", "clauses")} == {
            name: whole[name] for name in ("id", "name", "version", "guide", "clauses")
        }
        assert told["charts"].keys() == whole["board"].get("charts", {}).keys()
        kept = api.send("GET", f"/v1/titles/{title_id}/display", If_None_Match=answer.headers["ETag"])
        assert kept.status_code == 304
    assert api.refused("GET", "/v1/titles/chess/display") == (404, "unknown_title")
    assert api.refused("GET", "/v1/titles/colonial/display?version=999") == (404, "unknown_version")


def test_a_title_says_if_it_has_a_guided_turn_and_shows_it(api):
    """The list tells it; a title without one has none to show, and none of a kept version is offered."""
    told = {one["id"]: one["lesson"] for one in api.get("/v1/titles")["titles"]}
    assert told["colonies"] is True
    assert told["example"] is False
    lesson = api.get("/v1/titles/colonies/lesson")
    assert lesson["version"] == find_title("colonies").version
    assert [set(step) for step in lesson["steps"]] == [{"text", "command", "clause"}] * 5
    assert api.refused("GET", "/v1/titles/example/lesson") == (404, "no_lesson")
    assert api.refused("GET", "/v1/titles/chess/lesson") == (404, "unknown_title")


def test_maps_keep_their_shapes():
    """No corner of a coast or border is further than a step from where it was, and none is left out."""
    charts = find_title("colonial").board["charts"]
    for path in [charts["world"]["land"], *charts["world"]["areas"].values()]:
        short = shorten_path(path)
        assert len(short) < len(path)
        rings = [ring for ring in corners(path) if len({_rounded(point) for point in ring}) > 1]
        shortened = corners(short)
        assert len(shortened) == len(rings)
        for before, after in zip(rings, shortened, strict=True):
            assert {_rounded(point) for point in before} == {_rounded(point) for point in after}
    assert shorten_path("M10 10L12.4 10L12.4 9Z") == "M10 10l2.4 0 0-1Z"
    assert shorten_path("M0 0 H78 V200 Z") == "M0 0 H78 V200 Z"


def _rounded(point):
    return tuple(round(each * STEP) for each in point)
