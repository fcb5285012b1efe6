"""The core without servers: folding, random play, verification, each title by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from events.proof import canonical
from events.rules.catalogue import find_title, title_ids
from events.rules.fact import Fact
from events.rules.fast_chance import FastChance
from events.rules.steps import Command
from events.rules.title import Title
from events.store.games import Games, SeatPlan
from events.table import bundle
from events.table.engine import fold
from events.table.game import initial_game
from events.table.record import Record
from events.tlog.notes import SigningKey
from events.verify import verify
from ops.benchmark.rows import Row

SEATS = 4
REPLACED = "replace of one field of the state"


def measure_rate(action: Callable[[], int], seconds: float) -> float:
    """Return the number done per second, where each call of *action* returns the number that it did."""
    action()
    done, started = 0, time.perf_counter()
    while (took := time.perf_counter() - started) < seconds:
        done += action()
    return done / took


def count_seats(title: Title[Any]) -> int:
    """Return the number of seats with which a title is measured."""
    return min(max(SEATS, title.seats[0]), title.seats[-1])


def play_random_game(title: Title[Any], seats: int, seed: int) -> tuple[list[Fact], int, Any]:
    """Return (facts, commands, blank state) of one whole random game."""
    chance = FastChance(seed)
    options = title.Options()
    draft = title.open(seats, options, chance)
    state, facts, commands = draft.state, list(draft.facts), 0
    while title.outcome(state) is None:
        draft = title.decide(state, *choose_random_command(title, state, chance), chance)
        state = draft.state
        facts += draft.facts
        commands += 1
    return facts, commands, title.blank(seats, options)


def choose_random_command(title: Title[Any], state: Any, chance: FastChance) -> tuple[int | None, Command]:
    """Return (seat, command) of one decision that is awaited."""
    decision = chance.pick(title.awaited(state))
    seat = decision.seat
    given = None if seat is None else title.sample(state, seat, chance)
    return seat, given or title.default(state, decision)


def record_random_game(games: Games, title_id: str, seed: int, most: int = 10**9) -> str:
    """Return the id of a random game in the log: a whole one, or about *most* events of it."""
    title, chance = find_title(title_id), FastChance(seed)
    game = games.create(title, title.Options(), [SeatPlan()] * count_seats(title))
    while game.status == "running" and game.seq < most:
        game = games.command(game.id, *choose_random_command(title, game.state, chance)).game
    return game.id


def measure_core(seconds: float) -> Iterator[Row]:
    """Measure the folding of decoded facts, and random play."""
    for title_id in title_ids():
        title = find_title(title_id)
        facts, _, blank = play_random_game(title, count_seats(title), 1)
        field = next(name for name in type(blank).__struct_fields__)
        replaced = measure_rate(lambda b=blank, f=field: _replace(b, f), seconds)  # type: ignore[misc]
        folded = measure_rate(lambda t=title, b=blank, f=facts: _fold(t, b, f), seconds)  # type: ignore[misc]
        yield Row(f"fold, decoded, {title_id}", folded, "events/s", REPLACED, replaced, "> 200,000/s")
        seeds = iter(range(10**9))
        play = partial(_play_next, title, seeds)
        played = measure_rate(play, seconds)
        yield Row(f"random play, {title_id}", played, "commands/s", REPLACED, replaced, "> catanatron")


def _play_next(title: Title[Any], seeds: Iterator[int]) -> int:
    return play_random_game(title, count_seats(title), next(seeds))[1]


def _replace(state: Any, field: str) -> int:
    value = getattr(state, field)
    for _ in range(1000):
        state = msgspec.structs.replace(state, **{field: value})
    return 1000


def _fold(title: Title[Any], blank: Any, facts: list[Fact]) -> int:
    title.fold_all(blank, facts)
    return len(facts)


def measure_records(games: Games, seconds: float, most: int) -> Iterator[Row]:
    """Folding records as the log holds them, about *most* of a game; and verification of a whole game."""
    for title_id in title_ids():
        game_id = record_random_game(games, title_id, 9, most)
        records = games.records(game_id)
        hashed = measure_rate(lambda r=records: _hash(r), seconds)  # type: ignore[misc]
        folded = measure_rate(lambda g=game_id, r=records: fold(initial_game(g), r).seq, seconds)  # type: ignore[misc]
        yield Row(f"fold, from the log, {title_id}", folded, "events/s", "hashing the same events", hashed)
    yield _measure_verification(games, seconds)


def _hash(records: list[Record]) -> int:
    head = b""
    for record in records:
        head = canonical.link(head, record.body)
    return len(records)


def _measure_verification(games: Games, seconds: float) -> Row:
    """Measure the verification of a whole game, every command decided again."""
    game_id = record_random_game(games, "colonial_empires", 9)
    records = games.records(game_id)
    key = SigningKey(games.origin, bytes(32))
    lines = list(bundle.write_lines(games.load(game_id), records, None, key))
    checked = measure_rate(lambda: verify(lines).events, seconds)
    return Row(
        "verify",
        checked,
        "events/s",
        "hashing the same events",
        measure_rate(lambda: _hash(records), seconds),
    )
