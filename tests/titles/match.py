"""Matches between bots, for the titles' tests of strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from events.rules.fast_chance import FastChance
from events.rules.title import Title
from workers.bot_types import Choose
from workers.bots import find_bot
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


def wins_against_steady(title: Title[Any], choose: Choose, seats: int, deals: int) -> float:
    """The share of victories of rules of thumb among `steady` ones, each deal from every seat.

    They are asked without a thought; a shared victory counts in part.
    """
    steady, won = find_bot(title.id, "steady").choose, 0.0
    for deal in range(deals):
        for own in range(seats):
            chance = FastChance(f"against steady/{deal}")
            state = title.open(seats, title.Options(), chance).state
            while waiting := list(islice(title.awaited(state), 1)):
                decision = waiting[0]
                seat, command = decision.seat, title.default(state, decision)
                if seat is not None:
                    known = title.imagine(state, seat, chance)
                    command = (choose if seat == own else steady)(title, known, seat, chance, 0)
                state = title.decide(state, seat, command, chance).state
            winners = title.outcome(state).winners
            won += (own in winners) / len(winners)
    return won / (deals * seats)
