"""Positions: what they accept cannot make anything fail, what they refuse is named."""

import copy
import random

import msgspec
import pytest

from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.rules.title import InvalidPosition
from events.titles.colonial_revised import TITLE
from events.titles.colonial_revised.commands import ShipGoods
from tests.titles.colonial_revised.given import fresh
from tests.titles.table import Table, mutations, play

GAME = play(Table("colonial_revised", 4), seed=5, keep=True)
ODD = (0, 1, -1, 2, 3, 5, 7, 99, 10**10, "", "x", "brazil", "attacker", None, [], {}, True, [0, 1], [[0, 2]])


def places(value, path=()):
    """Every place in a position."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def changed(position, rng):
    """A copy with one to three values replaced or removed."""
    data = copy.deepcopy(position)
    for _ in range(rng.randint(1, 3)):
        path = rng.choice(list(places(data)))
        inner = data
        for key in path[:-1]:
            inner = inner[key]
        if isinstance(inner, dict) and rng.random() < 0.1:
            del inner[path[-1]]
        elif isinstance(inner[path[-1]], int) and rng.random() < 0.6:
            inner[path[-1]] = rng.choice((inner[path[-1]] + 1, inner[path[-1]] - 1, 0, 1, 4, 5))
        else:
            inner[path[-1]] = copy.deepcopy(rng.choice(ODD))
    return data


def examine(state, rng):
    """Everything that a title does with a state, and a few steps from it."""
    for seat in range(state.seats):
        view = TITLE.view_json(state, seat)
        TITLE.panels(msgspec.json.decode(msgspec.json.encode(view)), seat)
        other = TITLE.imagine(state, seat, FastChance(1))
        assert TITLE.view_json(other, seat) == view
        for command in list(TITLE.legal(state, seat))[:40:7]:
            TITLE.label(state, seat, command)
            TITLE.decide(state, seat, command, FastChance(2))
    for given in mutations(GAME, seed=rng.randrange(10**6), count=4):
        try:
            TITLE.decide(state, rng.randrange(state.seats), given, FastChance(3))
        except Rejected:
            continue
    chance = FastChance(4)
    for _ in range(25):
        waiting = TITLE.awaited(state)
        if not waiting:
            return
        seat = waiting[0].seat
        command = TITLE.default(state, waiting[0]) if seat is None else TITLE.sample(state, seat, chance)
        state = TITLE.decide(state, seat, command, chance).state


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_accepted_positions_never_fail(seed):
    """Random values at random places are refused with InvalidPosition, or can be played on from."""
    rng = random.Random(seed)
    accepted = 0
    for moment in GAME.moments[seed::10]:
        position = TITLE.position(moment.state)
        for _ in range(6):
            try:
                state = TITLE.from_position(changed(position, rng))
            except InvalidPosition:
                continue
            accepted += 1
            examine(state, rng)
    assert accepted > 20


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"order": [0, 0, 1]}, "order"),
        ({"players": {0: {"diplomacy": 8}}}, "diplomacy"),
        ({"players": {0: {"economy": 3}}}, "economy"),
        ({"players": {0: {"escrow": 1}}}, "escrow"),
        ({"players": {0: {"treasury": -1}}}, "treasury"),
        ({"players": {0: {"privateers": [1, 0, 0]}}}, "the player's own box"),
        ({"territories": {"brazil": {"piles": {"gold": [[0, 1]]}}}}, "plantation"),
        ({"territories": {"brazil": {"piles": {"plantation": [[3, 1]]}}}}, "brazil.plantation"),
        ({"territories": {"atlantis": {}}}, "territories"),
        ({"territories": {"brazil": {"cities": [2]}}}, "only in a Colony"),
        ({"booming_city": 4}, "booming_city"),
        ({"action": {"seat": 0, "card_id": "trader_financier", "character": "explorer"}}, "action"),
        ({"exploration": {"territory": "brazil", "step": "settle"}}, "action"),
        ({"phase": "tea_time"}, "phase"),
        ({"phase": "interest"}, "nothing is awaited"),
        ({"status": "finished"}, "winners"),
        ({"weather": "fine"}, "weather"),
    ],
)
def test_what_is_wrong_is_named(change, words):
    """The message of InvalidPosition names the part."""
    with pytest.raises(InvalidPosition, match=words):
        fresh(**change)


def test_prestige_is_null_where_all_is_settled():
    """A position that is changed counts as settled: Prestige follows from what lies there (REV-090)."""
    assert TITLE.position(fresh())["prestige"] is None
    state = fresh(territories={"brazil": {"explored": True, "piles": {"plantation": [[0, 1]]}}})
    assert state.players[0].standing.monopoly == 1


def test_a_war_may_be_written_in_short():
    """Controllers, choices and who has still to choose follow where they are left out (REV-305, REV-329)."""
    lands = {"brazil": {"explored": True, "piles": {"plantation": [[2, 1]]}}}
    action = {"seat": 0, "card_id": "sovereign_rebel", "character": "sovereign"}
    begun = {"attacker": 0, "defender": 1, "step": "choice"}
    state = fresh(4, territories=lands, action=action, war=begun)
    assert [decision.seat for decision in TITLE.awaited(state)] == [2, 3]
    assert 2 in state.war.controllers
    helped = begun | {"step": "attacker", "year": 1, "attacker_ally": 2}
    state = fresh(4, territories=lands, action=action, war=helped)
    assert state.war.choices == (None, None, "attacker", "none")


def test_other_ways_to_write_a_position():
    """A phase by its number, a card by its state, tracks together, Cities as objects."""
    state = fresh(
        order=[2, 0, 1],
        phase=1,
        booming_city={"value": 4, "territory": "brazil"},
        players={0: {"cards": {"trader_financier": "barred"}, "tracks": {"economy": 6}}},
        territories={
            "brazil": {
                "explored": True,
                "colony_owner": 0,
                "cities": [{"value": 4, "booming": True}, {"value": 2}],
                "piles": {"plantation": [[0, 1]]},
            }
        },
    )
    assert (state.order, state.phase, state.booming_city) == ((2, 0, 1), "endeavour", 4)
    position = TITLE.position(state)
    assert position["players"][0]["cards"]["trader_financier"]["status"] == "barred"
    assert position["players"][0]["economy"] == 6
    assert position["territories"]["brazil"]["cities"] == [2, 4]
    assert TITLE.from_position(position) == state


def test_a_shipment_fits_the_merchant_fleets():
    """REV-205: with more own Goods than fleets nothing could be confirmed any more."""
    lands = {
        "egypt": {"explored": True, "piles": {"wares": [[0, 1]]}},
        "levant": {"explored": True, "piles": {"wares": [[1, 1]]}},
    }
    state = fresh(players={0: {"merchant_fleets": 2}}, territories=lands)
    asked = TITLE.decide(state, 0, ShipGoods(("egypt.wares",), ("levant.wares",)), FastChance(1)).state
    position = TITLE.position(asked)
    position["players"][0]["merchant_fleets"] = 0
    with pytest.raises(InvalidPosition, match="own_spaces"):
        TITLE.from_position(position)
