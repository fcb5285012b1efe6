"""Fitting what features count: games of the rules of thumb against themselves, and who won them.

The chance of each seat is a softmax over the seats' sums; the weights are those that make what happened
likeliest, with a little pull towards nought. Everything follows from the seed: fitted again, the file is the
same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from events.rules.fast_chance import FastChance
from events.rules.title import Title
from workers.bot_types import Choose
from workers.bots.worth import Weights, Worth

STRAY = 0.12
"""The share of moves at random: the player must also know positions that it avoids."""
EVERY = 40
"""Positions are learned from once in so many commands."""
ROUNDS = 60
RATE = 0.3
PULL = 1e-3
LONGEST = 20_000


@dataclass(frozen=True)
class Sample:
    """A position of a game that has been played to its end."""

    rows: Sequence[tuple[int, ...]]
    progress: int
    won: Sequence[float]
    """By seat: 1, or a part of it; 0 for who lost."""
    judged: bool = False
    """True if games in the mind end at such a position: the weights are asked there."""


def samples(
    title: Title[Any], worth: Worth, choose: Choose, seats: Sequence[int], games: int, seed: str
) -> Iterator[list[Sample]]:
    """Yield the positions of each of *games* whole games at tables of these sizes in turn."""
    for number in range(games):
        yield _game(title, worth, choose, seats[number % len(seats)], FastChance(f"{seed}/{number}"))


def _game(title: Title[Any], worth: Worth, choose: Choose, seats: int, chance: FastChance) -> list[Sample]:
    state = title.open(seats, title.Options(), chance).state
    seen: list[tuple[Sequence[tuple[int, ...]], int, bool]] = []
    due = worth.clock(state) + 1
    for count in range(LONGEST):
        waiting = title.awaited(state)
        if not waiting:
            break
        decision, command = waiting[0], None
        if decision.seat is not None and chance.draw_below(100) < 100 * STRAY:
            command = title.sample(state, decision.seat, chance)
        elif decision.seat is not None:
            command = choose(title, title.imagine(state, decision.seat, chance), decision.seat, chance, 0)
        state = title.decide(state, decision.seat, command or title.default(state, decision), chance).state
        judged = worth.clock(state) >= due
        if judged:
            due = worth.clock(state) + worth.horizon
            seen.append((worth.features(state), worth.progress(state), True))
        if count % EVERY == 0:
            seen.append((worth.features(state), worth.progress(state), False))
    outcome = title.outcome(state)
    winners = outcome.winners if outcome else ()
    if not winners:
        return []
    won = [(seat in winners) / len(winners) for seat in range(seats)]
    return [Sample(rows, progress, won, judged) for rows, progress, judged in seen]


def fit(names: tuple[str, ...], found: Sequence[Sample], step: Callable[[int], None]) -> Weights:
    """Return the weights that fit best (gradient descent with momentum on scaled features)."""
    scale = _scales(len(names), found)
    weights, speed = [0.0] * (2 * len(names)), [0.0] * (2 * len(names))
    data = [(_inputs(sample, scale), sample.won) for sample in found]
    for _ in range(ROUNDS):
        slope = [PULL * weight * len(data) for weight in weights]
        for rows, won in data:
            for row, error in zip(rows, _errors(rows, weights, won), strict=True):
                for place, value in enumerate(row):
                    slope[place] += error * value
        for place, gradient in enumerate(slope):
            speed[place] = 0.8 * speed[place] - RATE * gradient / len(data)
            weights[place] += speed[place]
        step(1)
    return _whole(names, weights, scale)


def loss(weights: Weights, found: Sequence[Sample]) -> float:
    """Return the mean loss of *weights*, as a share of what knowing nothing costs (1: nothing learned)."""
    lost = even = 0.0
    for sample in found:
        late = sample.progress
        each = [
            early * (1000 - late) + ends * late
            for early, ends in zip(weights.early, weights.late, strict=True)
        ]
        sums = [sum(map(int.__mul__, row, each)) / 1e6 for row in sample.rows]
        best = max(sums)
        total = math.log(sum(math.exp(score - best) for score in sums)) + best
        lost -= sum(won * (score - total) for won, score in zip(sample.won, sums, strict=True))
        even += math.log(len(sums))
    return lost / even


def _scales(count: int, found: Sequence[Sample]) -> list[float]:
    """Return the spread of seats in each feature, so that all weigh alike before they are fitted."""
    spread = [1e-9] * count
    for sample in found:
        for place in range(count):
            column = [row[place] for row in sample.rows]
            mean = sum(column) / len(column)
            spread[place] += sum((value - mean) ** 2 for value in column) / len(column)
    return [max(math.sqrt(each / len(found)), 1e-3) for each in spread]


def _inputs(sample: Sample, scale: Sequence[float]) -> list[list[float]]:
    late = sample.progress / 1000
    return [
        [value / by * part for part in (1 - late, late) for value, by in zip(row, scale, strict=True)]
        for row in sample.rows
    ]


def _errors(rows: Sequence[Sequence[float]], weights: Sequence[float], won: Sequence[float]) -> list[float]:
    sums = [sum(map(float.__mul__, row, weights)) for row in rows]
    best = max(sums)
    shares = [math.exp(score - best) for score in sums]
    total = sum(shares)
    return [share / total - part for share, part in zip(shares, won, strict=True)]


def _whole(names: tuple[str, ...], weights: Sequence[float], scale: Sequence[float]) -> Weights:
    half = len(names)
    early, late = (
        tuple(round(1000 * weight / by) for weight, by in zip(part, scale, strict=True))
        for part in (weights[:half], weights[half:])
    )
    return Weights(names, early, late)
