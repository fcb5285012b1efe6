"""The games that a thinking bot plays out in a second, title by title."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from events.rules.catalogue import find_title, title_ids
from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.title import Title
from ops.benchmark.rows import Row
from workers.bots import consider, find_bot, find_worth

BOT = "brisk"
"""The bot that thinks."""
THOUGHTS = 10
"""Moves of each title about which it thinks."""
EVERY = 9
"""Of so many decisions that are worth a thought, it thinks about one."""


def measure_simulations(thoughts: int = THOUGHTS) -> Iterator[Row]:
    """Yield for each title the simulations a second of processor time, at its smallest table."""
    for title_id in title_ids():
        title, bot = find_title(title_id), find_bot(title_id, BOT)
        asked = list(_make_positions(title, thoughts))
        started, simulations = time.process_time(), 0
        for number, (state, seat) in enumerate(asked):
            simulations += consider(title, bot, state, seat, b"%d" % number).simulations
        took = time.process_time() - started
        yield Row(f"simulations/s, {title_id}", simulations / took, "games/s")


def _make_positions(title: Title[Any], count: int) -> Iterator[tuple[Any, Seat]]:
    """Yield positions of games by rules of thumb in which a seat decides something that is thought about."""
    chance, steady, judged = FastChance(5), find_bot(title.id, "steady").choose, find_worth(title)
    found = decided = 0
    while True:
        state = title.open(title.seats[0], title.Options(), chance).state
        while waiting := title.awaited(state):
            decision, seat = waiting[0], waiting[0].seat
            if seat is None:
                command = title.default(state, decision)
            else:
                decided += judged is None or decision.kind in judged[0].searched
                if decided == EVERY:
                    yield state, seat
                    found, decided = found + 1, 0
                if found == count:
                    return
                command = steady(title, title.imagine(state, seat, chance), seat, chance, 0)
            state = title.decide(state, seat, command, chance).state
