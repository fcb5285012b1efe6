"""Matches between bots, for the titles' tests of strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events.rules.title import Title
from workers.bots.trials.arena import Match, PlayedGame, play, summarize_games


def match(
    title: Title[Any], bots: Sequence[str], seed: int, options: Mapping[str, Any] | None = None
) -> PlayedGame:
    """One whole game; ``bots[seat]`` plays that seat."""
    return play(Match(title.id, len(bots), tuple(bots), "match", options or {}), seed, 0)


def steady_wins(title: Title[Any], seats: int, games: int, options: Mapping[str, Any] | None = None) -> float:
    """The share of victories of one `steady` among `random` ones (a shared victory counts in part).

    By luck alone it would be 1 / *seats*; the steady player plays every deal from every seat.
    """
    wanted = Match(title.id, seats, ("steady", "random"), "match", options or {})
    return summarize_games(
        play(wanted, deal, seat) for deal in range(games // seats) for seat in range(seats)
    ).share
