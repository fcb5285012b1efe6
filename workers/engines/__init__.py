"""Engines of others at tables: programs that speak JSON lines, each move in a child process.

An engine plays what a bot plays, from what its seat may know and nothing else. The lines are these; each is
one JSON object, and what an engine does not know in one it leaves alone:

====================  =====================================================================================
says the engine       ``{"type": "hello", "name", "version", "sha256"}``: as it is listed, or it is not asked
hears the engine      ``{"type": "position", "title", "version", "seat", "position", "view", "decisions",
                      "legal", "complete"}``: a position that its seat cannot tell from the real one, as
                      ``GET /v1/games/{id}/imagined`` has it, the view of the seat, what it is asked and its
                      legal commands
hears the engine      ``{"type": "go", "seed", "simulations"}``: 64 hex digits for whatever it leaves to
                      chance (they follow from all contributions, its seat, and the bots' moves there before),
                      and how much it may think, in its own unit
says the engine       ``{"type": "best", "command", "simulations", "value"}``: its move, how much it thought,
                      and its chance to win, of a million (null where it does not say)
====================  =====================================================================================

Whatever else it does, the title's default is played, and the log says so (`fallback`).
"""

from __future__ import annotations

from typing import Any

import msgspec

from events.rules.bot_names import UnknownBot
from events.rules.fact import Json, Seat
from events.rules.fast_chance import FastChance
from events.rules.kit.offers import choose_evenly
from events.rules.steps import Command, Rejected
from events.rules.title import Title
from events.table.record import canonical_command
from workers.bot_types import Bot, Candidate, MissingMove, Thought
from workers.engines.engine_list import Engine, list_engines
from workers.engines.engine_process import BestMove, EngineProcess

MOST_LEGAL = 1000
"""Most legal commands of which an engine is told."""


def find_engine(title_id: str, name: str) -> Bot:
    """Return the newest version of an engine, or the one that `engine:NAME@VERSION` names, as a bot.

    Raises :class:`UnknownBot` where none is listed for that title, and
    :class:`events.base.settings.WrongSetting` for a list that is none.
    """
    for engine in list_engines():
        if name in (engine.name, engine.full) and title_id in engine.entry.titles:
            return as_bot(engine)
    raise UnknownBot(f"no engine {name!r} is listed for {title_id}")


def as_bot(engine: Engine) -> Bot:
    """Return an engine in the form in which bots sit at tables."""

    def ask(title: Title[Any], state: Any, seat: Seat, seed: bytes) -> Thought:
        require_files(engine)
        with EngineProcess(engine) as child:
            return answer(child, title, state, seat, seed, engine.entry.simulations)

    def choose(title: Title[Any], state: Any, seat: Seat, chance: FastChance, _budget: int) -> Command:
        return ask(title, state, seat, bytes(chance.draw([256] * 32))).command

    entry = engine.entry
    return Bot(
        engine.name,
        entry.version,
        entry.simulations,
        choose,
        weights=entry.sha256,
        ask=ask,
        reproducible=engine.reproducible,
    )


def require_files(engine: Engine) -> None:
    """Raise :class:`UnknownBot` where the files of an engine are not those that are listed."""
    try:
        digest = engine.digest()
    except OSError as error:
        raise UnknownBot(f"{engine.full} cannot be used: {error}") from error
    if digest != engine.entry.sha256:
        raise UnknownBot(f"{engine.full} cannot be used: its files have another SHA-256, {digest}")


def answer(
    child: EngineProcess, title: Title[Any], state: Any, seat: Seat, seed: bytes, simulations: int
) -> Thought:
    """Return an engine's thought about an imagined *state*. Raises :class:`MissingMove`."""
    go = {"type": "go", "seed": seed.hex(), "simulations": simulations}
    best = child.ask(make_position(title, state, seat), go)
    command = _legal_command(title, state, seat, best)
    known = () if best.value is None else (Candidate(command, best.value, best.simulations),)
    return Thought(command, best.simulations, known)


def make_position(title: Title[Any], state: Any, seat: Seat) -> Json:
    """Return the message that tells an engine where it is."""
    every = tuple(title.legal(state, seat))
    legal = choose_evenly(every, MOST_LEGAL, type)
    return {
        "type": "position",
        "title": title.id,
        "version": title.version,
        "seat": seat,
        "position": title.position(state),
        "view": title.view_json(state, seat),
        "decisions": [
            {"kind": d.kind, "commands": d.commands} for d in title.awaited(state) if d.seat == seat
        ],
        "legal": [msgspec.to_builtins(command, str_keys=True) for command in legal],
        "complete": len(legal) == len(every) and title.complete(state, seat),
    }


def _legal_command(title: Title[Any], state: Any, seat: Seat, best: BestMove) -> Command:
    """Return *best*'s command, if it is legal in the imagined *state*. Raises MissingMove otherwise."""
    name = best.command.get("type")
    kind = title.command_type(name) if isinstance(name, str) else None
    if kind is None:
        raise MissingMove(f"{title.id} has no command {name!r}")
    try:
        command = canonical_command(msgspec.convert(best.command, kind, str_keys=True))
        title.decide(state, seat, command, FastChance(0))
    except (msgspec.ValidationError, ValueError) as error:
        raise MissingMove(f"its command is not valid: {error}") from error
    except Rejected as refused:
        raise MissingMove(f"its command is refused: {refused.code}") from refused
    return command
