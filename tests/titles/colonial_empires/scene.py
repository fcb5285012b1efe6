"""Positions and commands in a few words, for the tests of the rules."""

from __future__ import annotations

import msgspec
import pytest

from events.rules.chance import Chance
from events.rules.fast_chance import FastChance
from events.rules.scripted_chance import ScriptedChance
from events.rules.steps import Draft, Rejected
from events.rules.vectors import merge
from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.options import Options
from events.titles.colonial_empires.state import State
from tests.titles.table import Play, Table, play

BASIC = ("portuguese", "spanish", "english", "french", "dutch")


def scene(seats: int = 3, *, additional: bool = False, **parts) -> State:
    """A game in the first Fate Phase, led by seat 0, with *parts* merged into its position."""
    chance = ScriptedChance([0], FastChance(1))
    state = TITLE.open(seats, Options(additional_empires=additional), chance).state
    while TITLE.in_setup(state):
        decision = TITLE.decisions(state)[0]
        state = TITLE.decide(state, decision.seat, TITLE.default(state, decision), chance).state
    return TITLE.from_position(merge(TITLE.position(state), parts))


def event_scene(*hands: list[str], **parts) -> State:
    """The event turn of seat 0, with these hands."""
    order = list(range(len(hands)))
    given = {"phase": "event", "step": "event_turn", "event_order": order, "hand": list(hands)}
    return scene(len(hands), **(given | parts))


def build_scene(*hands: list[str], **parts) -> State:
    """The Build Phase, with these hands."""
    return scene(len(hands), phase="build", step="build", hand=list(hands), **parts)


def trade_scene(*hands: list[str], **parts) -> State:
    """The Trade Phase, with these hands."""
    return scene(len(hands), phase="trade", step="trading", hand=list(hands), **parts)


def command(name: str, **arguments):
    """A command, checked as one that comes in as JSON."""
    kind = TITLE.command_type(name)
    assert kind is not None
    return msgspec.convert({"type": name, **arguments}, kind)


def do(
    state: State, seat: int, name: str, *, draws: tuple = (), chance: Chance | None = None, **arguments
) -> Draft[State]:
    """Give a command; *draws* are the outcomes of its first draws."""
    chance = chance or ScriptedChance(draws, FastChance(2))
    return TITLE.decide(state, seat, command(name, **arguments), chance)


def refused(state: State, seat: int, name: str, **arguments) -> str:
    """The code with which a command is refused."""
    with pytest.raises(Rejected) as rejected:
        do(state, seat, name, **arguments)
    return rejected.value.code


def kinds(draft: Draft[State]) -> list[str]:
    """The names of the facts, in order."""
    return [type(fact).__name__ for fact in draft.facts]


def random_game(seats: int, seed: int, **options) -> Play:
    """A whole random game with all its moments."""
    return play(Table("colonial_empires", seats, tuple(options.items())), seed, keep=True)


class Recorded(Chance):
    """A generator that keeps the bounds of each draw and whether it was hidden."""

    def __init__(self, seed: int = 1) -> None:
        self._fast = FastChance(seed)
        self.draws: list[tuple[tuple[int, ...], bool]] = []

    def draw(self, bounds, *, hidden):
        self.draws.append((tuple(bounds), hidden))
        return self._fast.draw(bounds, hidden=hidden)


class Places(Chance):
    """Draws that give these places, one after the other."""

    def __init__(self, *places: int) -> None:
        self._places = list(places)

    def draw(self, bounds, *, hidden):
        return [self._places.pop(0) for _ in bounds]
