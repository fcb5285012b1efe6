"""Positions: readable, complete, and never accepted when play could not go on from them."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.rules.title import InvalidPosition
from events.rules.vectors import merge
from events.titles.colonialism import TITLE
from tests.titles.colonialism.given import given
from tests.titles.table import Table, play, spread

_ODD: tuple[Any, ...] = (
    0,
    1,
    2,
    3,
    5,
    7,
    12,
    40,
    -1,
    100,
    "",
    "india",
    "army",
    "natives",
    "conflict",
    None,
    True,
)


@pytest.fixture(scope="module")
def positions() -> list[dict[str, Any]]:
    """Positions from whole random games with 2, 3 and 4 players, interrupts among them."""
    found: list[dict[str, Any]] = []
    for seats in (2, 3, 4):
        game = play(Table("colonialism", seats), seed=seats, keep=True)
        found += [TITLE.position(m.state) for m in spread(game.moments, 25)]
        pending = [m for m in game.moments if m.state.losses or m.state.collection]
        found += [TITLE.position(m.state) for m in spread(pending, 15)]
        found.append(TITLE.position(game.state))
    return [msgspec.json.decode(msgspec.json.encode(p)) for p in found]


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [place for key, part in inner for place in _places(part, (*path, key))]


def _changed(position: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A copy with one or two values replaced, lists shortened or lengthened."""
    copy = msgspec.json.decode(msgspec.json.encode(position))
    for _ in range(rng.choice((1, 1, 2))):
        *parents, last = rng.choice(_places(copy))
        holder = copy
        for key in parents:
            holder = holder[key]
        value = holder[last]
        if isinstance(value, list) and rng.random() < 0.6:
            holder[last] = value[:-1] if rng.random() < 0.5 else [*value, *value[:1]]
        elif isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.6:
            holder[last] = value + rng.choice((-1, 1, 2))
        elif isinstance(value, str) and rng.random() < 0.6:
            others = [p for p in _places(copy) if isinstance(p[-1], str)]
            holder[last] = rng.choice(others)[-1] if others else ""
        else:
            holder[last] = rng.choice(_ODD)
    return copy


def _try_everything(state: Any, seed: int) -> None:
    """All pure functions, and some commands, on an accepted position."""
    chance = FastChance(seed)
    waiting = TITLE.awaited(state)
    assert bool(waiting) == (TITLE.outcome(state) is None)
    for seat in (None, *range(len(state.colors))):
        TITLE.panels(TITLE.view_json(state, seat), seat)
    for seat in range(len(state.colors)):
        other = TITLE.imagine(state, seat, chance)
        assert TITLE.view_json(other, seat) == TITLE.view_json(state, seat)
        listed = list(TITLE.legal(state, seat))
        assert len(listed) <= 1000
        for command in spread(listed, 4):
            TITLE.label(state, seat, command)
            TITLE.decide(state, seat, command, chance)
    for _ in range(12):
        waiting = TITLE.awaited(state)
        if not waiting:
            return
        decision = waiting[0]
        state = TITLE.decide(state, decision.seat, TITLE.default(state, decision), chance).state


@pytest.mark.slow
def test_accepted_positions_can_be_played(positions):
    """Positions with values changed at random are refused with a reason, or everything works on them."""
    rng = random.Random(17)
    accepted = 0
    for number in range(2500):
        changed = _changed(rng.choice(positions), rng)
        try:
            state = TITLE.from_position(changed)
        except InvalidPosition:
            continue
        accepted += 1
        try:
            _try_everything(state, number)
        except Rejected as rejected:
            raise AssertionError(f"{rejected}: {changed}") from rejected
    assert accepted > 300


def test_commands_are_answered_in_odd_positions(positions):
    """Any command is accepted or rejected in any accepted position, never a failure."""
    rng = random.Random(23)
    commands = [g.command for g in spread(play(Table("colonialism", 4), seed=9).commands, 80)]
    for _ in range(600):
        try:
            state = TITLE.from_position(_changed(rng.choice(positions), rng))
        except InvalidPosition:
            continue
        for command in rng.sample(commands, 8):
            for seat in (None, *range(len(state.colors))):
                try:
                    assert TITLE.decide(state, seat, command, FastChance(1)).facts
                except Rejected:
                    continue


def test_positions_may_leave_things_open():
    """A card may stand twice or as its id alone, a fleet be smaller; choosers follow from the cubes."""
    position = TITLE.position(given(3))
    change = {
        "step": "turn_order_choice",
        "phase": "colonization_1",
        "collected_this_turn": [4, 2, 2],
        "hands": {0: ["army", "fleet"]},
        "decks": {0: ["army"]},
        "ships": {1: [{"sea_zone": "atlantic_ocean"}]},
        "regions": {"china": {"policy": {0: ["army", {"card": "empire"}]}}},
    }
    state = TITLE.from_position(merge(position, change))
    assert state.choosers == (1, 2, 0)
    assert [p.face_up for p in state.regions[5].policy[0]] == [False, True]
    assert TITLE.from_position(TITLE.position(state)) == state
    _try_everything(state, 1)


def test_positions_stay_positions(positions):
    """What play makes of an accepted position is accepted again."""
    rng = random.Random(31)
    for number in range(400):
        try:
            state = TITLE.from_position(_changed(rng.choice(positions), rng))
        except InvalidPosition:
            continue
        chance = FastChance(number)
        for _ in range(25):
            waiting = TITLE.awaited(state)
            if not waiting:
                break
            seat = waiting[0].seat
            state = TITLE.decide(state, seat, TITLE.sample(state, seat, chance), chance).state
        assert TITLE.from_position(TITLE.position(state)) == state


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("rows", [1]),
        ("colors", ["blue", "blue"]),
        ("phase", "lunch"),
        ("region_order", ["india"]),
        ("regions", {}),
        ("step", "scoring"),
        ("surplus", 1),
        ("hands", [["army", "lunch"], []]),
        ("turn", 4),
    ],
)
def test_malformed_positions_name_the_part(part, value):
    """A refused position says what is wrong with it."""
    position = TITLE.position(play(Table("colonialism", 2), seed=1, keep=True).moments[20].state)
    with pytest.raises(InvalidPosition) as refused:
        TITLE.from_position({**position, part: value})
    assert len(str(refused.value)) > 10
