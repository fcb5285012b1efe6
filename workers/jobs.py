"""The jobs that RQ runs: bots' moves, resolution by the house, simulations.

A job never decides *whether*: the log does. It looks whether its decision is still open, thinks with a
recorded seed, and gives an ordinary command with the expected version. Run twice, run late or lost,
it changes nothing; whatever stays open is given out again.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

import msgspec
import structlog
from rq import Queue, get_current_job

from events.fact import Json, Seat
from events.fast_chance import FastChance
from events.game import Game
from events.games import CommandReused, Games, StaleVersion
from events.record import BotRun
from events.steps import Command, Decision, Rejected
from projections import failed
from projections.failed import describe
from workers import bots, connect
from workers.chores import AWAY
from workers.feed import AI, BOTS

MOVES = 60
"""Most commands in one game that one job gives."""
SECONDS = 10.0
"""After which a job gives no further command."""
SLICE = 5
"""Commands after which a job gives way to others of its kind that wait."""

_IDS = uuid.UUID("5f0c6e0a-6f0e-5c0b-9b0e-0d5a4c1b7e11")
"""Namespace of the command ids of jobs."""

log = structlog.get_logger()


def play(game_id: str, seq: int, seat: Seat) -> int:
    """Think for the bots of a game that waits for *seat* after event *seq*; how many moves were made."""
    return _Task("bot", game_id, seq).run(_play_once)


def house(game_id: str, seq: int) -> int:
    """Resolve what a game waits for the house to do after event *seq*; how many commands that took."""
    return _Task("house", game_id, seq).run(_resolve_once)


class _Task:
    """One turn of a game with the workers: some commands, until nothing is left or others are to have theirs.

    An error is the game's own: it is recorded, and the game is tried again later or set aside.
    """

    def __init__(self, kind: str, game_id: str, seq: int) -> None:
        self.kind = kind
        self.game_id = game_id
        self.asked_at = seq
        self.games = connect.games()
        self._ends = time.monotonic() + SECONDS

    def run(self, once: Callable[[Games, Game], bool]) -> int:
        """Do *once* again and again, which answers whether it gave a command; how many it gave."""
        pool = self.games.log.pool
        try:
            made = self._turn(once)
        except AWAY:
            raise  # not the game's fault; it is asked for again when the servers are back
        except Exception as error:  # noqa: BLE001 - whatever it is, other games go on
            final = isinstance(error, Rejected)  # what the rules refuse now they refuse again
            failed.record(pool, self.game_id, self.kind, self.asked_at, describe(error), final=final)
            return 0
        failed.done(pool, self.game_id, self.kind)
        log.info("done", kind=self.kind, game=self.game_id, asked_at=self.asked_at, commands=made)
        return made

    def _turn(self, once: Callable[[Games, Game], bool]) -> int:
        made = 0
        while made < MOVES and time.monotonic() < self._ends:
            game = self.games.load(self.game_id)
            self.asked_at = game.seq
            try:
                if not once(self.games, game):
                    break
                made += 1
            except (StaleVersion, CommandReused):
                log.info("overtaken", game=self.game_id, seq=game.seq)
                continue
            if self._gives_way(made):
                break
        return made

    def _gives_way(self, made: int) -> bool:
        """Whether others are to have their turn: a person at once among bots, others after a slice."""
        job = get_current_job()
        if job is None:
            return False
        wait = Queue(job.origin, connection=job.connection).count if made >= SLICE else 0
        return bool(wait or (job.origin == BOTS and Queue(AI, connection=job.connection).count))


def _play_once(games: Games, game: Game) -> bool:
    decision = bot_decision(game)
    if decision is not None:
        bot_move(games, game, decision)
    return decision is not None


def _resolve_once(games: Games, game: Game) -> bool:
    decision = house_decision(game)
    if decision is not None:
        _append(games, game, None, game.title.default(game.state, decision), None)
    return decision is not None


def bot_decision(game: Game) -> Decision | None:
    """The first decision that waits for a bot."""
    if game.status != "running" or game.paused is not None:
        return None
    for decision in game.title.awaited(game.state):
        if decision.seat is not None and game.seats[decision.seat].bot is not None:
            return decision
    return None


def bot_move(games: Games, game: Game, decision: Decision) -> None:
    """One move of one bot. Raises StaleVersion if the game has gone on meanwhile."""
    seat = decision.seat
    assert seat is not None  # noqa: S101 - bots sit at seats
    secrets, _ = games.keys(game)
    run = bots.bot_run(game, seat, secrets)
    command = bots.think(game, seat, run)
    try:
        _append(games, game, seat, command, run)
    except Rejected as rejected:
        if game.title.data_hash != game.data_hash:
            raise  # other rules than this game's are at hand: no command whatever is accepted
        # A bot that breaks the rules is a mistake of ours; the game must not wait for ever because of it.
        log.exception("bot_rejected", game=game.id, seq=game.seq, seat=seat, bot=run.name, code=rejected.code)
        default = game.title.default(game.state, decision)
        _append(games, game, seat, default, msgspec.structs.replace(run, fallback=True))


def house_decision(game: Game) -> Decision | None:
    """The first decision that waits for the house."""
    if game.status != "running" or game.paused is not None:
        return None
    return next((d for d in game.title.awaited(game.state) if d.seat is None), None)


def _append(games: Games, game: Game, seat: Seat | None, command: Command, bot: BotRun | None) -> None:
    command_id = str(uuid.uuid5(_IDS, f"{game.id}/{game.seq}/{seat}/{bot is None}"))
    games.command(game.id, seat, command, expected=game.seq, command_id=command_id, bot=bot)


def odds(game_id: str, seq: int, seat: Seat, target: Seat, simulations: int) -> Json:
    """How a war of *seat* against *target* would go after event *seq*, from what *seat* may know."""
    games = connect.games()
    game = games.load(game_id, seq)
    title = game.title
    if title.odds is None:
        raise LookupError(f"{title.id} knows no wars")
    # The seed follows from public facts, so that the same question gets the same answer, and says nothing.
    seed = f"odds/{game_id}/{seq}/{seat}/{target}"
    chance = FastChance(seed)
    try:
        answer: dict[str, Any] = title.odds(
            title.imagine(game.state, seat, chance), seat, target, simulations, chance
        )
    except Rejected as rejected:
        return {"rejected": rejected.code, "detail": rejected.detail}
    return {**answer, "seed": seed, "simulations": simulations}
