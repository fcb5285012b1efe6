"""What titles declare for pointing: all of it in those of the project, nothing in the example."""

from __future__ import annotations

import msgspec
import pytest

from events.rules.catalogue import find_title, packages
from events.rules.kit.refs import group_by_key, list_drawn_refs, refs_of
from tests.titles import table
from tests.titles.golden import PROJECT


@pytest.mark.parametrize(
    "title_id", [name for name, place in packages().items() if place.startswith(PROJECT)]
)
def test_the_projects_titles_have_hints_and_clauses(title_id):
    """Nobody's first turn is without a guide, no card without the clauses that it rests on."""
    pointing = find_title(title_id).pointing
    assert pointing.guide
    assert pointing.clauses


def test_a_title_that_declares_nothing_is_played_by_equal_keys():
    """The example draws its hand as plain cards: each legal command is called like one of them."""
    title = find_title("example")
    state = title.open(2, title.Options(), table.fast(3)).state
    drawn = group_by_key(list_drawn_refs(title.page_panels(state, 0)))
    for command in title.legal(state, 0):
        told = msgspec.to_builtins(command)
        refs, ordered = refs_of(told, title.label(state, 0, command), drawn, title.pointing.refs, 0)
        assert refs == [[f"card:Sail {command.sail}"]]
        assert not ordered
