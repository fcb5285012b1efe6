"""The worth of a position: the chance of each seat to win it, in whole numbers.

A title says what is to be looked at (:class:`Worth`); the weights are fitted to games of its bots (see
`fit.py`) and stand in a data file. Whole numbers only: the same position is worth the same on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from events.rules.fact import Seat
from events.rules.title import Outcome, Title
from workers.bot_types import CERTAIN

UNFINISHED = 900_000
"""The most that a position which has not ended is worth: winning beats being about to win."""

_STEP = 128
"""Steps of the table of exponentials in one unit."""
_FACTOR = 1_090_955_160_405
"""exp(-1 / _STEP) in units of 2 ** -40."""


def _exponentials() -> tuple[int, ...]:
    row = [1 << 40]
    while len(row) < 16 * _STEP:
        row.append(row[-1] * _FACTOR >> 40)
    return tuple(row)


_EXP = _exponentials()


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The weights of the features, in thousandths of a unit of the logarithm of the odds."""

    features: tuple[str, ...]
    early: tuple[int, ...]
    """At the beginning of a game."""
    late: tuple[int, ...]
    """At its end; between them in proportion to the progress."""


@dataclass(frozen=True)
class Worth:
    """A title's description of its positions for the weights."""

    names: tuple[str, ...]
    """Of the features, in the rulebook's words."""
    features: Callable[[Any], Sequence[tuple[int, ...]]]
    """``(state)``: for each seat as many small whole numbers as there are names."""
    progress: Callable[[Any], int]
    """``(state)``: how far the game has come, from 0 to 1000."""
    clock: Callable[[Any], int]
    """``(state)``: a number that rises at each natural place to stop and judge, such as the turn."""
    horizon: int
    """The advance of the clock in the mind before a position is judged."""
    searched: frozenset[str]
    """The kinds of decisions about which it pays to think; others are answered by rules of thumb."""
    lead: int | None = None
    """Points by which a game is won clearly. With it, games go on to their end in the mind, and the result is
    judged: half by the victory and half by the lead. None: positions are judged at the horizon."""

    def judge(self, weights: Weights, state: Any) -> list[int]:
        """Return the chance of each seat to win a position that has not ended, of :data:`UNFINISHED`."""
        late = self.progress(state)
        each = [
            early * (1000 - late) + ends * late
            for early, ends in zip(weights.early, weights.late, strict=True)
        ]
        sums = [sum(map(int.__mul__, row, each)) // 1000 for row in self.features(state)]
        best = max(sums)
        shares = [_EXP[min((best - score) * _STEP // 1000, len(_EXP) - 1)] for score in sums]
        return [UNFINISHED * share // sum(shares) for share in shares]


def chance_of(title: Title[Any], worth: Worth, weights: Weights, state: Any, seat: Seat) -> int:
    """Return the chance of *seat* to win, of :data:`CERTAIN`; a shared victory counts in part."""
    outcome = title.outcome(state)
    if outcome is None:
        return worth.judge(weights, state)[seat]
    won = victory(outcome, seat)
    return won if worth.lead is None else (won + rate_lead(outcome.scores, seat, worth.lead)) // 2


def victory(outcome: Outcome, seat: Seat) -> int:
    """Return the worth to *seat* of a game that has ended, of :data:`CERTAIN`."""
    return CERTAIN // len(outcome.winners) if seat in outcome.winners else 0


def rate_lead(scores: Sequence[int], seat: Seat, clear: int) -> int:
    """Return the lead of *seat* over the best other, from 0 to :data:`CERTAIN`: half of it for a tie.

    A lead of *clear* points is three quarters of it. A greater lead is always worth more, but less and less.
    """
    lead = scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
    return CERTAIN // 2 + CERTAIN // 2 * lead // (clear + abs(lead))


@cache
def load_weights(title_id: str) -> tuple[Weights, str]:
    """Return the fitted weights of a title, and the SHA-256 (hex) of their file."""
    data = resources.files(__package__).joinpath("weights", f"{title_id}.toml").read_bytes()
    found = msgspec.toml.decode(data, type=dict[str, tuple[int, int]])
    early, late = zip(*found.values(), strict=True)
    return Weights(tuple(found), early, late), hashlib.sha256(data).hexdigest()


def format_weights(weights: Weights, *said: str) -> str:
    """Return the file of *weights*; its first lines are what is *said* of them."""
    rows = zip(weights.features, weights.early, weights.late, strict=True)
    return "".join(
        [*(f"# {line}\n" for line in said), *(f"{name} = [{early}, {late}]\n" for name, early, late in rows)]
    )
