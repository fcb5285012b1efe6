"""The processor time of a bot's thoughts, from the first decisions of a game to the last."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from statistics import median
from typing import Any

import msgspec

from events.rules.catalogue import find_title
from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.title import Title
from workers.bots import consider, find_bot, find_worth

NEARLY_ALL = 0.95
"""The share of thoughts that take no longer than the figure by which budgets are chosen."""


class TimedThoughts(msgspec.Struct, frozen=True):
    """The thoughts to be timed: the bot and its table, and one thought for each deal."""

    title: str
    seats: int
    bot: str
    seed: str
    deals: int


class TimedThought(msgspec.Struct, frozen=True):
    """A thought: its processor time in seconds, and the games that were played out for it."""

    seconds: float
    simulations: int


class TimeSummary(msgspec.Struct, frozen=True):
    """The seconds of a thought in the middle, of nearly all and at most, and its mean number of games."""

    thoughts: int
    median: float
    nearly_all: float
    longest: float
    simulations: float


def time_thought(wanted: TimedThoughts, deal: int) -> TimedThought:
    """Time one thought. The later the deal, the later in its game is the position."""
    title, bot = find_title(wanted.title), find_bot(wanted.title, wanted.bot)
    seed = f"{wanted.seed}/{wanted.title}/{wanted.seats}/{deal}"
    asked = _list_positions(title, wanted.seats, seed)
    state, seat = asked[(2 * deal + 1) * len(asked) // (2 * wanted.deals)]
    started = time.process_time()
    thought = consider(title, bot, state, seat, seed.encode())
    return TimedThought(time.process_time() - started, thought.simulations)


def _list_positions(title: Title[Any], seats: int, seed: str) -> list[tuple[Any, Seat]]:
    """Return the positions of a game by rules of thumb in which a seat decides what is thought about."""
    chance, steady, judged = FastChance(seed), find_bot(title.id, "steady").choose, find_worth(title)
    state, found = title.open(seats, title.Options(), chance).state, []
    while waiting := title.awaited(state):
        decision, seat = waiting[0], waiting[0].seat
        command = None
        if seat is not None:
            if judged is None or decision.kind in judged[0].searched:
                found.append((state, seat))
            command = steady(title, title.imagine(state, seat, chance), seat, chance, 0)
        state = title.decide(state, seat, command or title.default(state, decision), chance).state
    return found


def summarize_times(thoughts: Sequence[TimedThought]) -> TimeSummary:
    """Return the figures of at least one thought."""
    seconds = sorted(each.seconds for each in thoughts)
    return TimeSummary(
        len(seconds),
        round(median(seconds), 3),
        round(seconds[math.ceil(NEARLY_ALL * len(seconds)) - 1], 3),
        round(seconds[-1], 3),
        round(sum(each.simulations for each in thoughts) / len(seconds), 1),
    )
