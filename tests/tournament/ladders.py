"""A ladder whose games are played, and the export of ratings by which it was paired."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

from events.base.timestamps import add_milliseconds
from events.tournament import commands as asks
from tests.tournament.event_files import PlayedEvent
from tests.tournament.recording import BEGAN, Recorded

EVERYBODY = (1, 2, 3, 4)
HOUR = 3_600_000
LADDER: dict[str, Any] = {
    "stages": [{"format": "ladder", "period_ms": HOUR, "ends_at": add_milliseconds(BEGAN, 2 * HOUR)}],
    "schedule": {},
    "protest_ms": 0,
}
SUBJECTS = {number: f"00000000-0000-4000-8000-00000000000{number}" for number in range(1, 5)}
LEVELS = {1: 30.0, 2: 20.0, 3: 27.5}
"""By entrant the level before the ladder begins; the fourth has played no game that counts."""
_POOL = "example.2.correspondence"


@cache
def ladder(*ratings: tuple[str, int]) -> PlayedEvent:
    """Four who are ready are paired once, at position 100 of the export, by their levels or *ratings*."""
    return play_ladder(PlayedEvent(**LADDER), ratings)


E = TypeVar("E", bound=Recorded)


def play_ladder(made: E, ratings: Sequence[tuple[str, int]] = ()) -> E:
    """Let four enter the ladder *made*, say that they are ready, and play once."""
    made.begin(4, EVERYBODY, until=asks.CloseStage)
    for number in EVERYBODY:
        made.give(f"e{number}", asks.Ready())
    made.wait(HOUR)
    own = {f"e{number}": round(1500 + 40 * (mu - 25)) for number, mu in LEVELS.items()}
    made.give(None, asks.PairByRatings(100, {**own, **dict(ratings)}))
    made.house(asks.CloseStage)
    made.finish()
    return made


def export_of(made: Recorded, *, gap: int | None = None, recounted: int = 0) -> list[bytes]:
    """The export of the ladder's pool: a game before position 100, and those of the ladder after it."""
    lines = [export_line(50, None, _POOL, (1, 2)), export_line(60, None, _POOL, (3,))]
    lines.append(export_line(70, None, "colonies.2.live", (4,)))
    tables = [table for one in made.state.rounds for table in one.tables]
    for at, table in enumerate(tables, 101):
        other = {} if gap is None else {gap: 22.0}
        lines.append(export_line(at, table.game, _POOL, table.entrants, other, recounted))
    return lines


def export_line(
    position: int,
    game: str | None,
    pool: str,
    entrants: Sequence[int],
    before: Mapping[int, float] = MappingProxyType({}),
    recounted: int = 0,
) -> bytes:
    """A line of the export of ratings."""
    levels = {**dict.fromkeys(EVERYBODY, 25.0), **LEVELS, **before}
    told = [{"mu": levels[number], "sigma": 5.0 if number in LEVELS else 25 / 3} for number in entrants]
    line = {
        "position": position,
        "game": game,
        "head": None,
        "at": BEGAN,
        "pool": pool,
        "model": "pl-1",
        "subjects": [SUBJECTS[number] for number in entrants],
        "places": [1] * len(entrants),
        "months": [0] * len(entrants),
        "before": told,
        "after": told,
        "recounted": recounted,
    }
    return json.dumps(line).encode() + b"\n"
