"""Each title as an environment for learning programs, beside a game that their libraries bring.

A step is one action at random: the observation, the mask, and what they lead to. Chance is a step too where
the library shows it. The libraries are optional: without one, its rows say how to install it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count, islice
from typing import Any

from events.base.installation import install_command
from events.research.adapters import openspiel, pettingzoo
from events.rules.catalogue import title_ids
from events.rules.fast_chance import FastChance
from ops.benchmark.core import measure_rate
from ops.benchmark.rows import Row

PETTINGZOO = "environment steps/s"
OPENSPIEL = "OpenSpiel steps/s"
CONNECT_FOUR = "connect_four_v3"
"""The game of PettingZoo; it needs pygame, which nothing else here does."""
LEDUC_POKER = "leduc_poker"
"""The game of OpenSpiel."""
CHUNK = 10
"""So many steps are taken between two looks at the clock."""
Steps = Iterator[None]


def measure_environments(seconds: float) -> Iterator[Row]:
    """Measure the steps of each title in PettingZoo and in OpenSpiel, beside a game of each library."""
    yield from _measure_library(PETTINGZOO, CONNECT_FOUR, _walk_connect_four, _walk_pettingzoo, seconds)
    yield from _measure_library(OPENSPIEL, LEDUC_POKER, _walk_openspiel, _walk_title, seconds)


def _measure_library(
    name: str,
    yardstick: str,
    walk_yardstick: Callable[[str], Steps],
    walk: Callable[[str], Steps],
    seconds: float,
) -> Iterator[Row]:
    """Yield a row for each title; without the yardstick's module the figures stand alone."""
    against, beside = None, yardstick
    try:
        against = _measure_steps(walk_yardstick(yardstick), seconds)
    except ModuleNotFoundError as missing:
        beside = f"{yardstick} needs the module {missing.name}"
    for title_id in title_ids():
        row = f"{name}, {title_id}"
        try:
            yield Row(row, _measure_steps(walk(title_id), seconds), "steps/s", beside, against)
        except ModuleNotFoundError as missing:
            lacking = f"the module {missing.name} is missing: {install_command('research')}"
            yield Row(row, 0.0, "", skipped=lacking)


def _measure_steps(steps: Steps, seconds: float) -> float:
    return measure_rate(lambda: sum(1 for _ in islice(steps, CHUNK)), seconds)


def _walk_connect_four(name: str) -> Steps:
    return _walk_tables(import_module(f"pettingzoo.classic.{name}").env())


def _walk_pettingzoo(title_id: str) -> Steps:
    return _walk_tables(pettingzoo.env(title_id))


def _walk_tables(table: Any) -> Steps:
    """Take random steps in one game of PettingZoo after the other."""
    chance = FastChance("environments")
    for seed in count():
        table.reset(seed=seed)
        for _ in table.agent_iter():
            seen, _, terminated, truncated, _ = table.last()
            over = terminated or truncated
            table.step(None if over else int(chance.pick(seen["action_mask"].nonzero()[0])))
            yield


def _walk_title(title_id: str) -> Steps:
    openspiel.register()
    return _walk_openspiel(openspiel.PREFIX + title_id)


def _walk_openspiel(name: str) -> Steps:
    """Take random steps in one game of OpenSpiel after the other."""
    game, chance = import_module("pyspiel").load_game(name), FastChance("environments")
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                state.information_state_string()
            state.apply_action(chance.pick(state.legal_actions()))
            yield
