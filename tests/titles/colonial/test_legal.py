"""Lists, samples and labels of commands."""

from __future__ import annotations

from collections import Counter
from math import comb

import msgspec
import pytest

from events.rules.fact import type_name
from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.titles.colonial import TITLE
from events.titles.colonial import commands as c
from events.titles.colonial.data import SPACES, TERRITORIES
from tests.titles.colonial.scene import AMERICA, N5, do, fresh, scene
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
    """Random play reaches every command of the title but the server's."""
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
    assert TITLE.label(state, 0, found[-1]).startswith("Conqueror: Colony in New Spain")


# --- what a cut list still shows -------------------------------------------------------------------


def of(state, seat, kind):
    """The commands of that type in the legal list of a seat."""
    return [command for command in TITLE.legal(state, seat) if isinstance(command, kind)]


def test_rows_begin_with_every_card():
    """COL-04-03: of the 720 rows as many are listed for each beginning, and the list says that it is cut."""
    state = fresh()
    rows = of(state, 0, c.ProgramCards)
    begin = Counter(command.row[:2] for command in rows)
    assert len(begin) == 30
    assert set(begin.values()) == {4}
    assert not TITLE.complete(state, 0)


def test_every_viceroy_is_listed():
    """COL-24-01: whatever the Logistics, no Territory and no way to place is missing."""
    lands = {land.id: {} for land in TERRITORIES}
    player = {"logistics": 4, "treasury": 9, "economy": 10}
    state = scene("viceroy_ambassador", lands=lands, players={0: player})
    ways = Counter(command.territory for command in of(state, 0, c.PlayViceroy))
    assert ways == {
        land.id: sum(comb(len(land.spaces) + count - 1, count) for count in range(1, 5))
        for land in TERRITORIES
        if land.spaces
    }


def test_gifts_to_everybody_are_listed():
    """COL-12-01: a rich player sees every receiver, small gifts and large ones."""
    state = scene(phase="programming", players={0: {"treasury": 400}})
    gifts = of(state, 0, c.TransferTreasury)
    assert Counter(gift.to for gift in gifts) == {1: 40, 2: 40, 3: 40}
    assert max(gift.amount for gift in gifts) > 380
    assert not TITLE.complete(state, 0)


def test_an_owner_asked_for_much_may_refuse_all():
    """COL-18-05: of many answers to a Merchant those that grant little are listed as well."""
    asked = tuple(space.id for space in SPACES[:8])
    lands = {land.id: {"piles": {}} for land in TERRITORIES}
    for name in asked:
        territory, resource = name.split(".")
        lands[territory]["piles"][resource] = [1]
    state = scene("merchant_governor", lands=lands, players={0: {"fleets": 8}})
    done = do(state, 0, c.PlayMerchant()).do(0, c.ShipGoods(asked))
    answers = of(done.state, 1, c.AnswerShipment)
    assert {len(answer.accept) for answer in answers} == set(range(9))
