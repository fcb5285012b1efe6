"""A seat that is named after a colour has pieces of that colour, and keeps them to the end."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from events.rules.catalogue import find_title
from tests.titles.table import fast, tables

PAGE = Path(__file__).resolve().parents[2] / "service" / "static" / "js" / "board" / "colours.js"
DRAWN = dict(re.findall(r'^  (\w+): "(#[0-9a-f]{6})",$', PAGE.read_text(), re.MULTILINE))
"""The colours that a page draws by their names."""
COMMANDS = 120
"""So many of each game, in which Nations and empires are chosen too."""


def states(title, table, options):
    """Yield the states of a random game between its first commands."""
    chance = fast(7)
    state = title.open(table.seats, options, chance).state
    yield state
    for _ in range(COMMANDS):
        waiting = title.awaited(state)
        if not waiting:
            return
        decision = chance.pick(waiting)
        seat = decision.seat
        command = title.default(state, decision) if seat is None else title.sample(state, seat, chance)
        state = title.decide(state, seat, command, chance).state
        yield state


@pytest.mark.parametrize("table", [t for t in tables() if t.version is None], ids=lambda table: table.name)
def test_a_seat_named_after_a_colour_has_it_throughout(table):
    """Its pieces are of that colour, which never changes; no two seats are drawn alike."""
    title = find_title(table.title_id)
    options = msgspec.convert(dict(table.options), title.Options)
    usual = title.list_colours(table.seats, options, None)
    found = set()
    for state in states(title, table, options):
        colours = title.list_colours(table.seats, options, state)
        found.add(colours)
        for seat in range(table.seats):
            name = title.seat_name(state, seat).lower()
            assert name not in DRAWN or colours[seat : seat + 1] == (name,)
    (colours,) = found
    assert usual in ((), colours)
    assert len(colours) in (0, table.seats)
    assert len({DRAWN[colour] for colour in colours}) == len(colours)


def test_planets_give_their_colours_when_they_are_drawn():
    """Before the lot a seat of Colonies has no colour of its own."""
    title = find_title("colonies")
    options = title.Options()
    assert title.list_colours(3, options, title.blank(3, options)) == ()
    state = title.open(3, options, fast(1)).state
    assert title.list_colours(3, options, state) == state.planets
