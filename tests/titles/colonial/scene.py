"""Scenes for the tests: a table right after set-up with a few things changed, and what happens in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from events.rules.fact import Fact
from events.rules.fast_chance import FastChance
from events.rules.scripted_chance import ScriptedChance
from events.rules.steps import Command, Rejected
from events.rules.vectors import merge
from events.titles.colonial import TITLE
from events.titles.colonial import commands as c
from events.titles.colonial.data import RULES
from events.titles.colonial.state import State

N5 = ("spain", "portugal", "dutch_republic", "great_britain", "france")
AMERICA = {"america_discovered": True, "discovery_box": 0, "circumnavigation_box": 1}


def fresh(seats: int = 4, *, nations: Sequence[str] = (), **options: Any) -> State:
    """After set-up, with seat 0 as First Player; *nations* by seat choose the variant."""
    chosen = {"variant": "nations", **options} if nations else options
    chance = ScriptedChance([0], FastChance(1))
    state = TITLE.open(seats, msgspec.convert(chosen, TITLE.Options), chance).state
    while nations and TITLE.in_setup(state):
        seat = TITLE.awaited(state)[0].seat
        state = TITLE.decide(state, seat, c.ChooseNation(nations[seat]), chance).state
    return state


def row(*first: str) -> tuple[str, ...]:
    """A row that begins with these cards and goes on with the usual ones."""
    return (*first, *(card for card in RULES.default_row if card not in first))[: RULES.programmed_cards]


def scene(
    card: str = "",
    *,
    seats: int = 4,
    active: int = 0,
    nations: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    players: Mapping[int, Mapping[str, Any]] | None = None,
    lands: Mapping[str, Mapping[str, Any]] | None = None,
    **changes: Any,
) -> State:
    """A position: with *card* it is round 1 of the Endeavour phase and all have revealed it.

    Territories named in *lands* are Explored unless they say ``prestige``; ``piles`` are by Resource.
    """
    base = TITLE.position(fresh(len(nations) or seats, nations=nations, **(options or {})))
    change: dict[str, Any] = dict(changes)
    if card:
        rows = [list(row(card))] * len(base["players"])
        change = {"phase": "endeavour", "round": 1, "active": active, "programmes": rows, **change}
    elif "phase" in change and "active" not in change and change["phase"] != "programming":
        change["active"] = active
    change["players"] = {str(seat): dict(values) for seat, values in (players or {}).items()}
    change["territories"] = {name: {"prestige": 0, **values} for name, values in (lands or {}).items()}
    return TITLE.from_position(merge(base, change))


class Done:
    """The facts of commands given one after the other, and the state after them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.facts: list[Fact] = []

    def do(self, seat: int | None, command: Command, *chance: Any) -> Done:
        """One command with its scripted outcomes; the server follows at once."""
        script = ScriptedChance(list(chance), FastChance(7))
        draft = TITLE.decide(self.state, seat, command, script)
        self.state, self.facts = draft.state, [*self.facts, *draft.facts]
        while any(d.seat is None for d in TITLE.decisions(self.state)):
            draft = TITLE.decide(self.state, None, c.FightYear(), script)
            self.state, self.facts = draft.state, [*self.facts, *draft.facts]
        return self

    def of(self, kind: type[Fact]) -> list[Any]:
        """The facts of that type."""
        return [fact for fact in self.facts if type(fact) is kind]

    def player(self, seat: int) -> Any:
        """What the seat has now."""
        return self.state.players[seat]

    def land(self, name: str) -> Any:
        """A Territory as its position shows it."""
        return TITLE.position(self.state)["territories"][name]


def do(state: State, seat: int | None, command: Command, *chance: Any) -> Done:
    """One command in *state*."""
    return Done(state).do(seat, command, *chance)


def code(state: State, seat: int | None, command: Command) -> str:
    """The code with which the command is rejected; fails if it is accepted."""
    with pytest.raises(Rejected) as caught:
        TITLE.decide(state, seat, command, FastChance(1))
    assert caught.value.detail.endswith(".")
    return caught.value.code


def kinds(state: State, *, free: bool = False) -> list[tuple[int | None, str]]:
    """Who is waited for, and for what."""
    return [(d.seat, d.kind) for d in TITLE.decisions(state) if d.free == free]


def dice(successes: int, count: int = 10) -> list[bool]:
    """A roll with so many Successes."""
    return [True] * successes + [False] * (count - successes)
