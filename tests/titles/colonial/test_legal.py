"""Lists, samples and labels of commands."""

from __future__ import annotations

import msgspec
import pytest

from events.fact import type_name
from events.fast_chance import FastChance
from events.steps import Rejected
from events.titles.colonial import TITLE
from events.titles.colonial import commands as c
from tests.titles.colonial.scene import AMERICA, N5, scene
from tests.titles.table import Table, play


@pytest.mark.parametrize("seats", [2, 4])
def test_every_listed_command_is_accepted(seats):
    """Whatever is listed for a button can be pressed, at any moment of a game."""
    game = play(Table("colonial", seats), seed=5, keep=True)
    for moment in game.some_moments(30):
        for seat in range(seats):
            for command in TITLE.legal(moment.state, seat):
                assert TITLE.decide(moment.state, seat, command, FastChance(2)).facts
                assert TITLE.label(moment.state, seat, command)


def test_complete_lists_are_complete():
    """COL-04-10: in a scene with few possibilities no other command of the kind is accepted."""
    state = scene("scientist_missionary", players={0: {"treasury": 3}})
    listed = set(map(_text, TITLE.legal(state, 0)))
    assert TITLE.complete(state, 0)
    for track in ("seafaring", "navy", "logistics", "economy"):
        command = c.PlayScientist(track)
        try:
            TITLE.decide(state, 0, command, FastChance(1))
        except Rejected:
            assert _text(command) not in listed
        else:
            assert _text(command) in listed


def _text(command) -> bytes:
    return msgspec.json.encode(command)


def test_incomplete_lists_say_so():
    """COL-04-03: 720 rows are not listed in full."""
    assert not TITLE.complete(scene(), 0)


def test_every_kind_of_command_is_sampled():
    """Random play reaches every command of the title but the house's."""
    seen = set()
    tables = [Table("colonial", 2), Table("colonial", 5, (("variant", "nations"),)), Table("colonial", 6)]
    for seed in range(12):
        for table in tables:
            seen |= {type_name(type(given.command)) for given in play(table, seed).commands}
        if len(seen) >= len(TITLE.commands) - 1:
            break
    assert {type_name(kind) for kind in TITLE.commands} - seen <= {"withdraw_requests"}


def test_options_of_a_conqueror_are_listed():
    """COL-14-06, COL-25-21: Extremadura, Company, Pillage and Repression are all offered."""
    lands = {"new_spain": {"missions": 1, "piles": {"gold": [0, 0, 0, 0]}}}
    state = scene("explorer_conqueror", nations=N5, lands=lands, **AMERICA)
    found = [command for command in TITLE.legal(state, 0) if isinstance(command, c.PlayConqueror)]
    assert {command.method for command in found} == {"normal", "extremadura"}
    assert {command.repression for command in found} == {0, 1, 2}
    assert any(command.company for command in found)
    assert TITLE.label(state, 0, found[-1]).startswith("Conqueror: New Spain")
