"""Positions: readable, checked, and safe to play from (fuzz)."""

from __future__ import annotations

import copy
import random

import msgspec
import pytest

from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.rules.title import InvalidPosition
from events.titles.colonial import TITLE
from tests.titles.colonial.scene import N5, fresh, row, scene
from tests.titles.table import Table, play

VALUES = (
    0,
    1,
    2,
    -1,
    3,
    7,
    99,
    10**12,
    None,
    True,
    False,
    "",
    "x",
    "gold",
    "india",
    "west_africa.gold",
    [],
    {},
    [0],
    [[]],
)


def paths(data, where=()):
    """Every place in nested data."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*where, key)
        yield from paths(value, (*where, key))


def disturb(data, rng):
    """A copy with one or two places changed at random."""
    changed = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 2))):
        *parents, last = rng.choice(list(paths(changed)))
        inner = changed
        for key in parents:
            inner = inner[key]
        choice = rng.random()
        if choice < 0.15 and isinstance(inner, dict):
            del inner[last]
        elif choice < 0.25 and isinstance(inner, list):
            inner.append(copy.deepcopy(inner[last]))
        else:
            inner[last] = copy.deepcopy(rng.choice(VALUES))
    return changed


def exercise(state, rng):
    """Everything that may be asked of an accepted position."""
    chance = FastChance(rng.random())
    for decision in TITLE.decisions(state):
        command = TITLE.default(state, decision)
        if not decision.free:
            TITLE.decide(state, decision.seat, command, chance)
    for seat in range(state.seats):
        TITLE.panels(TITLE.view_json(state, seat), seat)
        TITLE.complete(state, seat)
        TITLE.imagine(state, seat, chance)
        sampled = TITLE.sample(state, seat, chance)
        for command in [*list(TITLE.legal(state, seat))[:40], *([sampled] if sampled else [])]:
            draft = TITLE.decide(state, seat, command, chance)
            assert draft.facts
            assert TITLE.label(state, seat, command)
    TITLE.view(state, None)
    assert TITLE.from_position(TITLE.position(state)) == state
    if state.status == "running":
        assert any(not decision.free for decision in TITLE.decisions(state))


@pytest.mark.slow
@pytest.mark.parametrize(
    "table", [Table("colonial", 4), Table("colonial", 5, (("variant", "nations"),)), Table("colonial", 2)]
)
def test_disturbed_positions(table):
    """Random changes are refused with a message, or the position can be played from."""
    rng = random.Random(table.seats)
    game = play(table, seed=3, keep=True)
    accepted = 0
    for moment in game.some_moments(120):
        data = msgspec.json.decode(msgspec.json.encode(TITLE.position(moment.state)))
        for _ in range(6):
            try:
                state = TITLE.from_position(disturb(data, rng))
            except InvalidPosition:
                continue
            accepted += 1
            exercise(state, rng)
    assert accepted > 40


def test_disturbed_wars():
    """The same in the middle of wars, where most depends on most."""
    rng = random.Random(8)
    war = {
        "attacker": 3,
        "defender": 4,
        "year": 1,
        "step": "casualties",
        "year_open": True,
        "battles": ["india"],
        "battle": {
            "territory": "west_africa",
            "due": [1, 1],
            "asked": [True, True],
            "chosen": [[{"space": "west_africa.gold", "owner": 4, "position": 2}], None],
        },
    }
    lands = {
        "west_africa": {"piles": {"gold": [3, 3, 4], "slaves": [4, 4, 3]}},
        "india": {"piles": {"silk": [3, 4]}},
    }
    state = scene("sovereign_rebel", nations=N5, active=3, played="sovereign", war=war, lands=lands)
    exercise(state, rng)
    data = TITLE.position(state)
    for _ in range(400):
        changed = copy.deepcopy(data)
        changed["war"] = disturb(changed["war"], rng)
        try:
            other = TITLE.from_position(changed)
        except InvalidPosition:
            continue
        exercise(other, rng)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"phase": "first_player"}, "phase"),
        ({"round": 9}, "round"),
        ({"active": 0}, "active"),
        ({"winner": 1}, "winner"),
        ({"played": "admiral"}, "played"),
        ({"variant": "nations"}, "variant"),
        ({"programmes": [[], [], []]}, "programmes"),
        ({"colour": "blue"}, "colour"),
        (
            {
                "phase": "endeavour",
                "played": "explorer",
                "action": {"type": "explorer", "circumnavigation": True, "step": "circumnavigation"},
            },
            "circumnavigation is not open",
        ),
    ],
)
def test_messages_name_the_part(change, message):
    """A refused position says what is wrong with it."""
    with pytest.raises(InvalidPosition, match=message):
        TITLE.from_position({**TITLE.position(fresh()), **change})


@pytest.mark.parametrize(("box", "least"), [("prestige", 1001), ("treasury", 100_000), ("fleets", -1)])
def test_nobody_holds_more_than_can_be_shown(box, least):
    """Amounts that no page can draw and no command can name are refused."""
    data = TITLE.position(fresh())
    data["players"][0][box] = least
    with pytest.raises(InvalidPosition, match=rf"players\.0\.{box}"):
        TITLE.from_position(data)


def test_what_a_position_may_leave_out():
    """Rows and the acting seat are filled up; with a Nation comes its own extra card."""
    data = TITLE.position(fresh())
    rows = [["viceroy_ambassador"], *data["programmes"][1:]]
    state = TITLE.from_position({**data, "phase": "endeavour", "programmes": rows})
    assert (state.active, state.round) == (0, 1)
    assert state.programmes[0] == row("viceroy_ambassador")
    assert {len(cards) for cards in state.programmes} == {5}
    data = TITLE.position(fresh(5, nations=N5))
    data["players"][0]["nation"], data["players"][4]["nation"] = "france", "spain"
    state = TITLE.from_position(data)
    assert state.players[0].cards[6:] == ("sovereign_rebel",)
    assert state.players[4].cards[6:] == ("scientist_missionary",)


def test_unknown_command_from_elsewhere():
    """A command of another title is refused, not failed on."""

    class Strange(msgspec.Struct, frozen=True):
        house = False

    with pytest.raises(Rejected, match="unknown_command"):
        TITLE.decide(fresh(), 0, Strange(), FastChance(1))
