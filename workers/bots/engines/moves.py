"""Recorded moves of an engine: what shows that one seed gives one move.

A file of JSON lines: whose moves they are, then one move a line with the position and the seed. Anyone who
plays at a table that is audited gives all of them again, in a process of its own for each, as at tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import msgspec

from events.rules.catalogue import find_title, versions
from events.rules.fact import Json, Seat
from events.rules.fast_chance import FastChance
from events.rules.title import Title
from workers.bot_types import MissingMove, Thought
from workers.bots import find_bot
from workers.engines import answer, require_files
from workers.engines.engine_list import Engine, format_head
from workers.engines.engine_process import EngineProcess

EVERY = 7
"""Of so many decisions of a game one is asked about."""
SEED = 32
"""Bytes of the seed of a move."""


def record_moves(engine: Engine, count: int) -> Iterator[bytes]:
    """Yield the lines of a file of *count* moves, those of its titles in turn.

    Raises :class:`MissingMove` and :class:`events.rules.bot_names.UnknownBot`.
    """
    yield _line(format_head(engine.entry))
    turns = cycle([(find_title(one), _positions(find_title(one))) for one in engine.entry.titles])
    for number, (title, positions) in enumerate(islice(turns, count)):
        state, seat = next(positions)
        seed = FastChance(f"recorded/{number}").draw([256] * SEED)
        known = title.imagine(state, seat, FastChance(bytes(seed)))
        came = _ask(engine, title, known, seat, bytes(seed))
        yield _line(
            {
                "title": title.id,
                "version": title.version,
                "seat": seat,
                "seed": bytes(seed).hex(),
                "position": title.position(known),
                **_describe_move(came),
            }
        )


def find_differences(engine: Engine, file: Path) -> Iterator[str | None]:
    """Yield None for each recorded move, or the difference of what the engine does now.

    Raises :class:`UnknownBot` where its files are others, and ValueError for a file of moves
    that is none.
    """
    with file.open("rb") as stream:
        if msgspec.json.decode(stream.readline()) != format_head(engine.entry):
            raise ValueError(f"{file} has the moves of another engine or version")
        for number, line in enumerate(stream, 1):
            recorded = msgspec.json.decode(line)
            title = next(
                (one for one in versions(recorded["title"]) if one.version == recorded["version"]), None
            )
            if title is None:
                raise ValueError(f"{file}: there is no version {recorded['version']} of {recorded['title']}")
            state, seed = title.from_position(recorded["position"]), bytes.fromhex(recorded["seed"])
            try:
                now = _describe_move(_ask(engine, title, state, recorded["seat"], seed))
            except MissingMove as failure:
                yield f"move {number}: {failure}"
                continue
            same = now == {name: recorded[name] for name in now}
            yield None if same else f"move {number}: {now}, not { ({name: recorded[name] for name in now}) }"


def _positions(title: Title[Any]) -> Iterator[tuple[Any, Seat]]:
    """Positions of games of the rules of thumb at tables of all sizes, and who decides something there."""
    chance, steady = FastChance(f"recorded/{title.id}"), find_bot(title.id, "steady").choose
    number = 0
    for seats in cycle(title.seats):
        state = title.open(seats, title.Options(), chance).state
        while waiting := title.awaited(state):
            seat, number = waiting[0].seat, number + 1
            if seat is None:
                command = title.default(state, waiting[0])
            else:
                if number % EVERY == 0:
                    yield state, seat
                command = steady(title, title.imagine(state, seat, chance), seat, chance, 0)
            state = title.decide(state, seat, command, chance).state


def _ask(engine: Engine, title: Title[Any], state: Any, seat: Seat, seed: bytes) -> Thought:
    require_files(engine)
    with EngineProcess(engine, quiet=False) as child:  # to record or check it is to want to know why it fails
        return answer(child, title, state, seat, seed, engine.entry.simulations)


def _describe_move(came: Thought) -> Json:
    return {
        "command": msgspec.to_builtins(came.command, str_keys=True),
        "simulations": came.simulations,
    }


def _line(value: Json) -> bytes:
    return msgspec.json.encode(value) + b"\n"
