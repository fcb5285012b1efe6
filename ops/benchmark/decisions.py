"""A seat's decisions with its legal commands, as the API tells them to a client after each move."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from msgspec.structs import replace

from events.rules.catalogue import find_title, title_ids
from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.title import Title
from events.table.game import Game, SeatState, initial_game
from ops.benchmark.core import choose_random_command, count_seats
from ops.benchmark.rows import Row
from service.presenters.game_presenter import present_decisions

POSITIONS = 150
"""Positions of a title in which a seat is asked, from random play."""
EVERY = 3
"""The seat is asked after each third command, so that several games are met."""
REPEATS = 3
"""The best of so many counts, as other work may disturb one of them."""


def measure_decisions(positions: int = POSITIONS) -> Iterator[Row]:
    """Yield for each title the median processor time of what one seat may do, beside its bare legal list."""
    for title_id in title_ids():
        asked = list(_make_positions(find_title(title_id), positions))
        whole = median(_time_best(_present, game, seat) for game, seat in asked)
        legal = median(_time_best(_list_legal, game, seat) for game, seat in asked)
        yield Row(f"decisions, {title_id}", whole, "ms", "legal commands alone", legal, "<= 0.5", less=True)


def _make_positions(title: Title[Any], count: int) -> Iterator[tuple[Game, Seat]]:
    """Yield games in progress, each with a seat that decides."""
    seats, chance = count_seats(title), FastChance(5)
    table = replace(
        initial_game("00000000-0000-4000-8000-000000000000"),
        title_id=title.id,
        version=title.version,
        data_hash=title.data_hash,
        status="running",
        seats=(SeatState(taken=True),) * seats,
    )
    found = commands = 0
    while True:
        state = title.open(seats, title.Options(), chance).state
        while title.outcome(state) is None:
            seat = next((one.seat for one in title.awaited(state) if one.seat is not None), None)
            if commands % EVERY == 0 and seat is not None:
                yield replace(table, state=state), seat
                found += 1
            if found == count:
                return
            state = title.decide(state, *choose_random_command(title, state, chance), chance).state
            commands += 1


def _time_best(action: Callable[[Game, Seat], object], game: Game, seat: Seat) -> float:
    """Return the processor milliseconds of the fastest of some repetitions, each as a new event."""
    took = []
    for number in range(REPEATS):
        fresh = replace(game, id=f"{id(game)} {number}")
        started = time.process_time()
        action(fresh, seat)
        took.append(time.process_time() - started)
    return min(took) * 1000


def _present(game: Game, seat: Seat) -> object:
    return present_decisions(game, (seat,), name_seats=False)


def _list_legal(game: Game, seat: Seat) -> object:
    return tuple(game.title.legal(game.state, seat))
