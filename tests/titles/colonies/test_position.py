"""Positions: readable JSON from which a game can begin, checked so that nothing fails later."""

import json
import random
from typing import Any

import pytest

from events.rules import vectors
from events.rules.fast_chance import FastChance
from events.rules.kit.values import plain
from events.rules.title import InvalidPosition
from tests.titles.colonies.at_table import TITLE, table
from tests.titles.table import Table, play

ODD = (
    0,
    1,
    -1,
    3,
    6,
    7,
    99,
    100_000,
    10**12,
    "",
    "blue",
    "ev01",
    "x",
    None,
    [],
    {},
    True,
    1.5,
    "ended",
    "event_vote",
)


@pytest.fixture(scope="module")
def positions():
    """Positions of all phases of some games."""
    found = []
    for seats in (3, 4, 5):
        game = play(Table("colonies", seats), seed=seats, keep=True)
        found += [TITLE.position(m.state) for m in game.some_moments(20)] + [TITLE.position(game.state)]
    return found


def places(data: Any, path=()):
    """The paths of all values."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield (*path, key)
        yield from places(value, (*path, key))


def changed(data: Any, rng: random.Random) -> Any:
    """The position with one value replaced, removed or doubled at a random place."""
    data = plain(data)
    *way, last = rng.choice(list(places(data)))
    inner = data
    for key in way:
        inner = inner[key]
    kind = rng.random()
    if kind < 0.7:
        inner[last] = rng.choice(ODD)
    elif kind < 0.85:
        del inner[last]
    elif isinstance(inner, dict):
        inner["surplus"] = inner[last]
    else:
        inner.append(inner[last])
    return data


def use(state: Any) -> None:
    """Everything that a game may do with a position."""
    chance = FastChance(1)
    for seat in range(state.seats):
        TITLE.view_json(state, seat)
        TITLE.imagine(state, seat, chance)
        TITLE.panels(TITLE.view_json(state, seat), seat)
        for command in list(TITLE.legal(state, seat))[:5]:
            TITLE.decide(state, seat, command, chance)
            TITLE.label(state, seat, command)
    for _ in range(40):
        if not TITLE.awaited(state):
            break
        decision = chance.pick(TITLE.awaited(state))
        assert TITLE.decide(state, decision.seat, TITLE.default(state, decision), chance).facts
        state = TITLE.decide(state, decision.seat, TITLE.sample(state, decision.seat, chance), chance).state


@pytest.mark.slow
def test_spoilt_positions(positions):
    """A position with something odd in it is refused as invalid, or can be played."""
    rng = random.Random(4)
    accepted = 0
    for _ in range(1500):
        spoilt = changed(rng.choice(positions), rng)
        try:
            state = TITLE.from_position(spoilt)
        except InvalidPosition:
            continue
        accepted += 1
        use(state)
    assert accepted > 50


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"planets": ["blue"] * 5}, "planets"),
        ({"credits": [1, 2]}, "credits"),
        ({"stocks": {0: {"blue": -1}}}, "stocks"),
        ({"stocks": {0: {"grey": 1}}}, "grey"),
        ({"promise": {"blue": {"green": 7}}}, "promise"),
        ({"pirates": {"blue": {"blue": 1}}}, "pirates"),
        ({"levels": {0: {"industry": 7}}}, "levels"),
        ({"current_card": None}, "current_card"),
        ({"current_card": "ev99"}, "ev99"),
        ({"deck": []}, "deck"),
        ({"phase": "actions", "active": 5}, "active"),
        ({"phase": "event_vote", "active": 1}, "active"),
        ({"phase": "production"}, "phase"),
        ({"phase": "ended", "current_card": None}, "scores"),
        ({"phase": "event_effects"}, "resolution"),
        ({"phase": "event_tie"}, "votes"),
        ({"phase": "upkeep_police"}, "nobody"),
        ({"first_player": 5}, "first_player"),
        ({"turn": 11}, "turn"),
        ({"sealed": {0: {"type": "accept_colonists", "reject": 9, "citizens": 0}}}, "sealed"),
        ({"sealed": {0: {"type": "cast_vote", "side": "no", "resources": {}}}}, "sealed"),
        ({"unknown": 1}, "unknown"),
        ({"options": {"event_card_set": "none"}}, "options"),
    ],
)
def test_refused_positions(change, message):
    """The message names the part that is wrong."""
    with pytest.raises(InvalidPosition, match=message):
        TITLE.from_position(vectors.merge(TITLE.position(table()), change))


def test_neighbouring_neutral_planets():
    """CLN-154: two neutral planets that are neighbours are no position."""
    text = json.dumps(TITLE.position(table(3)))
    swapped = text.replace('"yellow"', '"swap"').replace('"green"', '"yellow"').replace('"swap"', '"green"')
    with pytest.raises(InvalidPosition, match="neighbours"):
        TITLE.from_position(json.loads(swapped))


def test_actions_begin_with_the_first_player():
    """A position in the actions that names no active player begins with the first round."""
    state = table(phase="actions", first_player=3)
    assert (state.active, state.action_round) == (3, 1)
    assert table(phase="actions", active=2, action_round=2).active == 2


def test_no_card_after_the_last_event():
    """CLN-031: a card that is still named current in the actions of turn 10 is put aside."""
    state = table(phase="actions", turn=10, current_card="ev11")
    assert (state.current_card, state.resolved_cards) == (None, ("ev11",))
    assert TITLE.from_position(TITLE.position(state)) == state
