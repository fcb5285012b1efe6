"""The jobs that RQ runs: bots' moves, resolution by the server, simulations.

A job never decides *whether*: the log does. It looks whether its decision is still open, thinks with a
recorded seed, and gives an ordinary command with the expected version. Run twice, run late or lost,
it changes nothing; whatever stays open is given out again.
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec
import structlog
from rq import Queue, get_current_job

from events.base.timestamps import parse_timestamp
from events.rules.bot_names import is_engine, is_thinker
from events.rules.catalogue import RulesMissing
from events.rules.fact import Json, Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command, Decision, Rejected
from events.store.connection import is_machine_away
from events.store.games import Games, ReusedKey, StaleVersion
from events.table.commands.bots import TableRaiseBot
from events.table.decision_origin import MAX_BATCHES, find_decision_origin
from events.table.game import Game
from events.table.record import BotRun
from events.table.seated_bots import may_be_raised
from projections.health import failed_tasks
from projections.read_models.work_queue import name_thinking_kind
from workers import bots, connections
from workers.bot_types import CERTAIN, MissingMove, Thought
from workers.job_queues import YIELDS
from workers.periodic_tasks import RECONNECT_PAUSE, is_server_away
from workers.task_failures import record_error

MOVES = 60
"""Most commands in one game that one job gives."""
SECONDS_A_JOB = 10.0
"""Seconds after which a job gives no further command."""
SLICE = 5
"""Commands after which a job gives way to others of its kind that wait."""

MOST_OF_ENGINE = 2000
"""Commands of an engine in one game, far more than any takes; after them defaults are given, by which every
game ends: one that makes gifts to and fro, say, would play for ever."""

CANDIDATES = 3
"""The number of candidates that advice names, and the one that is chosen."""
PAGE = 16
"""Events that are read at a time to see where a batch begins."""

_IDS = uuid.UUID("5f0c6e0a-6f0e-5c0b-9b0e-0d5a4c1b7e11")
"""Namespace of the command ids of jobs."""

log = structlog.get_logger()


def play(game_id: str, seq: int, seat: Seat) -> int:
    """Answer for the bots of a game that waits for *seat* after event *seq*; how many moves were made.

    Bots that think are left to :func:`think`.
    """
    return _Task("bot", game_id, seq).run(_play_once)


def think(game_id: str, seq: int, seat: Seat) -> int:
    """Think for the bot of *seat* alone, which is awaited after event *seq*; how many moves were made."""
    return _Task(name_thinking_kind(seat), game_id, seq).run(partial(_think_once, seat=seat))


def house(game_id: str, seq: int) -> int:
    """Resolve what a game waits for the server to do after event *seq*; how many commands that took."""
    return _Task("house", game_id, seq).run(_resolve_once)


class _Task:
    """Play one turn of a game: some commands, until nothing is left or other games are to have theirs.

    An error is the game's own: it is recorded, and the game is tried again later or set aside.
    """

    def __init__(self, kind: str, game_id: str, seq: int) -> None:
        self.kind = kind
        self.game_id = game_id
        self.asked_at = seq
        self.games = connections.get_games()
        self._ends = time.monotonic() + SECONDS_A_JOB

    def run(self, once: Callable[[Games, Game], bool]) -> int:
        """Do *once* again and again, which answers whether it gave a command; how many it gave."""
        pool = self.games.log.pool
        try:
            made = self._turn(once)
        except Exception as error:  # noqa: BLE001 - whatever it is, other games go on
            if is_server_away(error) and not is_machine_away(error):
                # Not the game's fault, so no failed job either: it is asked for again, but not in a hot loop.
                log.warning("server_away", kind=self.kind, game=self.game_id, error=type(error).__name__)
                time.sleep(RECONNECT_PAUSE)
                return 0
            # What the rules refuse now they refuse again; rules that are missing come with another program.
            final = isinstance(error, Rejected | RulesMissing)
            record_error(pool, self.game_id, self.kind, self.asked_at, error, final=final)
            return 0
        failed_tasks.clear(pool, self.game_id, self.kind)
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
            except (StaleVersion, ReusedKey):
                log.info("overtaken", game=self.game_id, seq=game.seq)
                continue
            if self._gives_way(made):
                break
        return made

    def _gives_way(self, made: int) -> bool:
        """Return True if others are to have their turn: a person at once among bots, others after a slice."""
        job = get_current_job()
        if job is None:
            return False
        wait = Queue(job.origin, connection=job.connection).count if made >= SLICE else 0
        first = YIELDS.get(job.origin)
        return bool(wait or (first is not None and Queue(first, connection=job.connection).count))


def _play_once(games: Games, game: Game) -> bool:
    decision = find_bot_decision(game)
    if decision is not None:
        make_bot_move(games, game, decision)
    return decision is not None


def _think_once(games: Games, game: Game, seat: Seat) -> bool:
    thinks = _is_thinker_awaited(game, seat)
    if thinks:
        make_thinking_move(games, game, seat)
    return thinks


def _resolve_once(games: Games, game: Game) -> bool:
    decision = find_house_decision(game)
    if decision is not None:
        _append(games, game, None, game.title.default(game.state, decision), None)
    return decision is not None


def find_bot_decision(game: Game) -> Decision | None:
    """Return the first decision that waits for a bot that answers at once."""
    if game.status != "running" or game.paused is not None:
        return None
    for decision in game.title.awaited(game.state):
        bot = None if decision.seat is None else game.seats[decision.seat].bot
        if bot is not None and not is_thinker(bot):
            return decision
    return None


def _is_thinker_awaited(game: Game, seat: Seat) -> bool:
    """Return True if a bot that thinks is awaited at *seat*."""
    if game.status != "running" or game.paused is not None or not is_thinker(game.seats[seat].bot):
        return False
    return seat in game.title.list_awaited_seats(game.state)


def make_bot_move(games: Games, game: Game, decision: Decision) -> None:
    """Make one move of one bot. Raises StaleVersion if the game has gone on meanwhile."""
    seat = decision.seat
    assert seat is not None  # noqa: S101 - bots sit at seats
    game = _raise_to_newest(games, game, seat)
    secrets, _ = games.keys(game)
    run = bots.bot_run(game, seat, secrets)
    with _note_thinking_time(games, game, run):
        command = bots.think(game, seat, run)
    try:
        _append(games, game, seat, command, run)
    except Rejected as rejected:
        # A bot that breaks the rules is a mistake of ours; the game must not wait for ever because of it.
        log.exception("bot_rejected", game=game.id, seq=game.seq, seat=seat, bot=run.name, code=rejected.code)
        default = game.title.default(game.state, decision)
        _append(games, game, seat, default, msgspec.structs.replace(run, fallback=True))


def _raise_to_newest(games: Games, game: Game, seat: Seat) -> Game:
    """Return *game* with the bot of *seat* in its newest version, after a command that says so.

    Raises StaleVersion if the game has gone on meanwhile.
    """
    newest = bots.find_bot_version(game.title, game.seats[seat].bot or "")
    if not may_be_raised(game, seat, newest):
        return game
    command = TableRaiseBot(seat, newest.version, newest.weights)
    command_id = str(uuid.uuid5(_IDS, f"{game.id}/{game.seq}/{seat}/raise"))
    return games.table_command(game.id, None, command, expected=game.seq, command_id=command_id).game


def make_thinking_move(games: Games, game: Game, seat: Seat) -> None:
    """Make one move of one bot that thinks, about the event at which it was first asked.

    What others do meanwhile does not throw its thought away: it is given on the newest event, as long as the
    bot is asked the same and the rules take it. Where they do not, it thinks once more, about the newest
    event; if even that comes too late the title's default is given, so that nobody can keep a bot from
    answering. An engine that fails is not asked twice: its operator could make it fail until it
    pleases them. Raises StaleVersion if it is asked something else by now.
    """
    game = _raise_to_newest(games, game, seat)
    first = _find_first_asked(games, game, seat)
    own, run = _think_about(games, first, seat)
    if own is None:
        _give_default(games, first, seat, run)
        return
    if _give_thought(games, first, seat, own, run, "first"):
        return
    newest = games.load(game.id)
    if newest.seq > first.seq and _is_still_asked(games, newest, seat, first):
        second, again = _think_about(games, newest, seat)
        with contextlib.suppress(StaleVersion, Rejected):
            if second is not None:
                _give_on(games, newest, newest, seat, second, again, "second")
                return
    log.warning("bot_rejected", game=game.id, seq=first.seq, seat=seat, bot=run.name)
    _give_default(games, first, seat, run)


def _think_about(games: Games, game: Game, seat: Seat) -> tuple[Command | None, BotRun]:
    """Return the command of the bot of *seat* for *game* (None if an engine failed), and its record."""
    secrets, _ = games.keys(game)
    run = bots.bot_run(game, seat, secrets)
    with _note_thinking_time(games, game, run):
        try:
            thought = _think_through(game, seat, run)
        except MissingMove as failure:
            log.warning(
                "engine_failed", game=game.id, seq=game.seq, seat=seat, bot=run.name, why=str(failure)
            )
            return None, run
    return thought.command, msgspec.structs.replace(run, simulations=thought.simulations)


def _think_through(game: Game, seat: Seat, run: BotRun) -> Thought:
    """Return a bot's thought. Raises MissingMove where an engine fails, or has used up its commands."""
    if is_engine(run.name) and game.seats[seat].commands >= MOST_OF_ENGINE:
        raise MissingMove(f"it has given {MOST_OF_ENGINE} commands in this game")
    return bots.think_through(game, seat, run)


@contextlib.contextmanager
def _note_thinking_time(games: Games, game: Game, run: BotRun) -> Iterator[None]:
    """Note how long a bot thinks about *game*, and how long ago that asked it."""
    waited = max(0, parse_timestamp(games.now()) - parse_timestamp(game.at)) / 1e6
    began = time.monotonic()
    yield
    connections.get_thinking_times().note(run.name, waited, time.monotonic() - began)


def _give_thought(games: Games, first: Game, seat: Seat, command: Command, run: BotRun, which: str) -> bool:
    """Give what was thought about *first* on the newest event; whether the rules take it.

    Raises StaleVersion if the bot is asked something else by now.
    """
    newest = games.load(first.id)
    while True:
        if not _is_still_asked(games, newest, seat, first):
            raise StaleVersion(newest.seq)
        try:
            _give_on(games, newest, first, seat, command, run, which)
        except StaleVersion:
            newest = games.load(first.id)
        except Rejected:
            return False
        else:
            return True


def _give_default(games: Games, first: Game, seat: Seat, run: BotRun) -> None:
    """Give the title's default for what *seat* is asked, on the newest event."""
    run = msgspec.structs.replace(run, fallback=True)
    newest = games.load(first.id)
    while _is_still_asked(games, newest, seat, first):
        decision = next(d for d in newest.title.awaited(newest.state) if d.seat == seat)
        default = newest.title.default(newest.state, decision)
        try:
            _give_on(games, newest, first, seat, default, run, "default")
        except StaleVersion:
            newest = games.load(first.id)
        else:
            return


def _give_on(
    games: Games, newest: Game, first: Game, seat: Seat, command: Command, run: BotRun, which: str
) -> None:
    """Make one attempt. The id is that of the thought: given twice, it is one command."""
    command_id = str(uuid.uuid5(_IDS, f"{first.id}/{first.seq}/{seat}/{which}"))
    games.command(newest.id, seat, command, expected=newest.seq, command_id=command_id, bot=run)


def _is_still_asked(games: Games, newest: Game, seat: Seat, first: Game) -> bool:
    """Return True if *seat* has been asked the same since *first*, without a break.

    The same bot still sits there, in the same version.
    """
    now, then = newest.seats[seat], first.seats[seat]
    if not _is_thinker_awaited(newest, seat) or now.bot != then.bot or now.bot_version != then.bot_version:
        return False
    return newest.seq == first.seq or _find_first_asked(games, newest, seat).seq == first.seq


def _find_first_asked(games: Games, game: Game, seat: Seat) -> Game:
    """Return the game after the event since which *seat* is asked what it is asked in *game*.

    Its seats are those of *game*: the bot may have taken one since, or been raised.
    """
    first = find_decision_origin(_walk_back(games, game), seat) or game
    return msgspec.structs.replace(first, seats=game.seats)


def _walk_back(games: Games, game: Game) -> Iterator[Game]:
    """Yield *game*, and the game before each of the batches that led to it, the newest first."""
    yield game
    seq = game.seq
    for _ in range(MAX_BATCHES - 1):
        seq = _find_batch_start(games, game.id, seq)
        if seq < 1:
            return
        yield games.load(game.id, seq)


def _find_batch_start(games: Games, game_id: str, seq: int) -> int:
    """Return the event before the batch that ends with event *seq*; 0 where that batch is the first."""
    page = games.records(game_id, max(0, seq - PAGE), min(seq, PAGE))
    command_id, left = page[-1].command_id, seq
    while page and page[-1].command_id == command_id:
        left = page.pop().seq - 1
        if not page and left > 0:
            page = games.records(game_id, max(0, left - PAGE), min(left, PAGE))
    return left


def find_house_decision(game: Game) -> Decision | None:
    """Return the first decision that waits for the server."""
    if game.status != "running" or game.paused is not None:
        return None
    return next((d for d in game.title.awaited(game.state) if d.seat is None), None)


def _append(games: Games, game: Game, seat: Seat | None, command: Command, bot: BotRun | None) -> None:
    command_id = str(uuid.uuid5(_IDS, f"{game.id}/{game.seq}/{seat}/{bot is None}"))
    games.command(game.id, seat, command, expected=game.seq, command_id=command_id, bot=bot)


def odds(game_id: str, seq: int, seat: Seat, target: Seat, simulations: int) -> Json:
    """Return the odds of a war of *seat* against *target* after event *seq*, from what *seat* may know."""
    games = connections.get_games()
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


def advice(game_id: str, seq: int, seat: Seat, name: str) -> Json:
    """Return the advice of bot *name* to *seat* after event *seq*, from what *seat* could know."""
    game = connections.get_games().load(game_id, seq)
    bot = bots.find_bot(game.title_id, name, game.title)
    seed = f"advice/{game_id}/{seq}/{seat}/{name}".encode()  # the same question, the same answer
    came = bots.consider(game.title, bot, game.state, seat, seed)
    return {
        "simulations": came.simulations,
        "candidates": [
            {
                "command": msgspec.to_builtins(each.command, str_keys=True),
                "label": game.title.label(game.state, seat, each.command),
                "games": each.games,
                "chance": each.chance / CERTAIN if each.games else None,
                "chosen": each.command == came.command,
            }
            for each in came.list_likeliest(CANDIDATES, came.command)
        ],
    }
