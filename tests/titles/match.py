"""Matches between bots, for the titles' tests of strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.fast_chance import FastChance
from events.title import Outcome, Title
from workers.bots import Bot, find_bot, move


def match(
    title: Title[Any], bots: Sequence[str], seed: int, options: Mapping[str, Any] | None = None
) -> Outcome:
    """One whole game; ``bots[seat]`` plays that seat."""
    chance = FastChance(seed)
    state = title.open(len(bots), msgspec.convert(dict(options or {}), title.Options), chance).state
    players: list[Bot] = [find_bot(title.id, name) for name in bots]
    count = 0
    while waiting := title.awaited(state):
        decision, count = waiting[0], count + 1
        seat = decision.seat
        if seat is None:
            command = title.default(state, decision)
        else:
            command = move(title, players[seat], state, seat, f"{seed}/{count}".encode())
        state = title.decide(state, seat, command, chance).state
    outcome = title.outcome(state)
    assert outcome is not None
    return outcome


def steady_wins(title: Title[Any], seats: int, games: int, options: Mapping[str, Any] | None = None) -> float:
    """The share of victories of one `steady` among `random` ones (a shared victory counts in part).

    By luck alone it would be 1 / *seats*; the steady player's seat moves round the table.
    """
    won = 0.0
    for number in range(games):
        mine = number % seats
        bots = ["steady" if seat == mine else "random" for seat in range(seats)]
        winners = match(title, bots, number, options).winners
        won += (mine in winners) / max(1, len(winners))
    return won / games
