"""Fitting what features count: games of bots against themselves, and who won them.

The chance of each seat is a softmax over the seats' sums; the weights are those that make what happened
likeliest, with a little pull towards nought. First the rules of thumb play. Then bots that think may play
with the weights so far, generation by generation; from those games weights are learned by temporal
differences. Everything follows from the seed: fitted again, the file is the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance
from events.rules.title import Title
from workers.bot_types import Choose
from workers.bots import find_bot
from workers.bots.search import get_search
from workers.bots.worth import Weights, Worth

STRAY = 0.12
"""The share of moves at random: the player must also know positions that it avoids."""
EVERY = 40
"""Positions are learned from once in so many commands."""
ROUNDS = 60
SWEEPS = 4
"""The fits of one generation: each one sets what the next one aims at."""
TRACE = 0.7
"""Lambda: how far a position is learned from the end of its game, and not from the position after it."""
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
        yield _game(title, worth, choose, 0, seats[number % len(seats)], FastChance(f"{seed}/{number}"))


def play_generation(
    title_id: str, weights: Weights, seats: Sequence[int], seed: str, number: int
) -> list[Sample]:
    """Return the positions of a game of `brisk` against itself with these *weights*, in their order."""
    title, bot = find_title(title_id), find_bot(title_id, "brisk")
    search = replace(get_search(bot), weights=weights)
    assert search.worth is not None  # noqa: S101 - weights belong to features
    chance = FastChance(f"{seed}/{number}")
    return _game(title, search.worth, search.choose, bot.budget, seats[number % len(seats)], chance)


def _game(
    title: Title[Any], worth: Worth, choose: Choose, budget: int, seats: int, chance: FastChance
) -> list[Sample]:
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
            command = choose(
                title, title.imagine(state, decision.seat, chance), decision.seat, chance, budget
            )
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


def learn(games: Sequence[Sequence[Sample]], weights: Weights, step: Callable[[int], None]) -> Weights:
    """Return better weights than *weights*, learned from games by temporal differences.

    Each position aims at the chances in the position after it, and in a part at those at the end (TRACE).
    """
    for _ in range(SWEEPS):
        found = [sample for game in games for sample in aim(game, weights)]
        weights = fit(weights.features, found, step, weights)
    return weights


def aim(game: Sequence[Sample], weights: Weights) -> list[Sample]:
    """Return the positions of a game with what they aim at in place of who won: the lambda return."""
    found: list[Sample] = []
    for sample in reversed(game):
        found.append(replace(sample, won=_look_ahead(found[-1], weights)) if found else sample)
    return found[::-1]


def _look_ahead(following: Sample, weights: Weights) -> list[float]:
    """Return what the position before *following* aims at."""
    chances = [math.exp(each) for each in _log_chances(weights, following)]
    return [
        (1 - TRACE) * chance + TRACE * later for chance, later in zip(chances, following.won, strict=True)
    ]


def fit(
    names: tuple[str, ...],
    found: Sequence[Sample],
    step: Callable[[int], None],
    start: Weights | None = None,
) -> Weights:
    """Return the weights that fit best (gradient descent with momentum on scaled features).

    They begin at nought, or at *start*.
    """
    scale = _scales(len(names), found)
    weights, speed = [0.0] * (2 * len(names)), [0.0] * (2 * len(names))
    if start is not None:
        parts = (start.early, start.late)
        weights = [each * by / 1000 for part in parts for each, by in zip(part, scale, strict=True)]
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
        chances = _log_chances(weights, sample)
        lost -= sum(won * chance for won, chance in zip(sample.won, chances, strict=True))
        even += math.log(len(chances))
    return lost / even


def _log_chances(weights: Weights, sample: Sample) -> list[float]:
    """Return the logarithms of the chances of the seats to win."""
    late = sample.progress
    each = [
        early * (1000 - late) + ends * late for early, ends in zip(weights.early, weights.late, strict=True)
    ]
    sums = [sum(map(int.__mul__, row, each)) / 1e6 for row in sample.rows]
    best = max(sums)
    total = math.log(sum(math.exp(score - best) for score in sums)) + best
    return [score - total for score in sums]


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
