"""Games as the service uses them: every request is decided by the engine and appended to the log.

Several processes may do this at once; the log's compare-and-set decides who was first, and the
loser decides again on the newer state. Nothing is remembered here that the log does not hold.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from psycopg import OperationalError
from psycopg_pool import PoolTimeout

from events import chain, engine, table
from events.engine import Batch
from events.fact import Seat
from events.fast_chance import FastChance
from events.folding import fold
from events.game import Game, start
from events.log import CommandKnown, EventLog, VersionConflict
from events.proof import ReverseChain, Secrets, Seed
from events.recent import Recent
from events.record import BotRun, Cause, Record, as_recorded, decode_command, seal, seat_of
from events.replay import Replay, UnknownGame
from events.steps import Command, Rejected
from events.title import Title

T = TypeVar("T")

TRIES = 200
"""How often a command is decided again because another writer was first."""
RECONNECTS = (0.05, 0.2, 0.5, 1.0, 2.0)
"""Seconds to wait before trying again when the database was away."""


class StaleVersion(Exception):
    """The caller expected another version than the newest."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class CommandReused(Exception):
    """The idempotency key stands in the log with another command."""


class Accepted(msgspec.Struct, frozen=True):
    """A command that was appended: its events, and the game after them."""

    records: tuple[Record, ...]
    game: Game
    replayed: bool = False
    """True where the same command had been appended before: these are its first events."""

    @property
    def seq(self) -> int:
        """The seq of the command's last event."""
        return self.records[-1].seq


class SeatPlan(msgspec.Struct, frozen=True):
    """Who is to sit at one seat of a new game."""

    bot: str | None = None
    taken: bool = True
    """False for an open seat."""


def utc_now() -> str:
    """The time as events record it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def new_id() -> str:
    """A UUIDv7: sorts by time of creation."""
    raw = int(time.time() * 1000).to_bytes(6, "big") + os.urandom(10)
    value = int.from_bytes(raw, "big")
    value = value & ~(0xF << 76) | (0x7 << 76)
    value = value & ~(0x3 << 62) | (0x2 << 62)
    return str(uuid.UUID(int=value))


def fresh_secrets() -> Secrets:
    """Keys for a new game, from the system's randomness."""
    return Secrets(*(os.urandom(32) for _ in range(4)))


class Games:
    """The one way in which games are created, changed and read."""

    def __init__(
        self,
        log: EventLog,
        *,
        origin: str = chain.ORIGIN,
        now: Callable[[], str] = utc_now,
        appended: Callable[[str, int], None] = lambda _game, _seq: None,
    ) -> None:
        self.log = log
        self.origin = origin
        """The name under which the service signs; every game names it."""
        self.replay = Replay(log)
        self._now = now
        self._appended = appended
        self._keys: Recent[tuple[Secrets, ReverseChain]] = Recent(500)
        self._locks = [threading.Lock() for _ in range(64)]

    # --- reading ---------------------------------------------------------------------------------

    def load(self, game_id: str, at: int | None = None) -> Game:
        """The game after event *at* (default: the newest). Raises UnknownGame, NoSuchEvent."""
        if at is None:
            return self._patiently(lambda: self.replay.load(game_id))
        return self._patiently(lambda: self.replay.at(game_id, at))

    def records(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Events with seq > *after*, whole: redact with :meth:`Record.seen_by` before showing them."""
        return self._patiently(lambda: self.log.read(game_id, after, limit))

    def keys(self, game: Game) -> tuple[Secrets, ReverseChain]:
        """The game's secrets, and the reverse chain made from them."""
        found = self._keys.get(game.id)
        if found is None:
            secrets = self.log.keys(game.id)
            found = (secrets, ReverseChain(secrets.anchor, game.key, game.draws))
            self._keys.put(game.id, found)
        return found

    # --- writing ---------------------------------------------------------------------------------

    def create(
        self,
        title: Title[Any],
        options: Any,
        seats: Sequence[SeatPlan],
        *,
        game_id: str | None = None,
        seed: Seed | None = None,
        position: dict[str, Any] | None = None,
        origin: dict[str, Any] | None = None,
    ) -> Game:
        """A new game; where no seat is open it begins at once.

        *options* is the title's own type. A *seed*, a *position* or an *origin* makes it an analysis game.
        Raises :class:`Rejected` for options or positions that the title refuses.
        """
        game_id = game_id or new_id()
        title.check_options(len(seats), options)
        keys = fresh_secrets() if seed is None else seed.secrets()
        made = engine.create(
            title,
            uuid.UUID(game_id).bytes if seed is None else seed.key(),
            msgspec.to_builtins(options, str_keys=True),
            [s.bot for s in seats],
            [s.taken for s in seats],
            keys,
            service=self.origin,
            position=position,
            origin=origin,
            seeded=seed is not None,
        )
        game = start(game_id)
        cause = Cause(self._time(game), None, str(uuid.uuid4()))
        records = seal(
            made.facts,
            cause,
            game_id=game_id,
            version=table.PROTOCOL,
            seq=0,
            head=game.head,
            secrets=keys,
        )
        game = fold(game, records)
        if all(s.taken for s in seats):
            begun = engine.begin(game, keys, ReverseChain(keys.anchor, game.key, game.draws))
            cause = Cause(self._time(game), None, str(uuid.uuid4()), draws=begun.draws)
            records += self._seal(game, begun, cause, keys)
            game = fold(game, records[game.seq :])
        self._patiently(lambda: self.log.append(game_id, records, keys))
        self._done(game)
        return game

    def take_seat(self, game_id: str, seat: Seat, commitment: str | None = None) -> Accepted:
        """An account sits down at an open seat."""
        return self._write(game_id, seat, lambda game: engine.take_seat(game, seat, commitment))

    def reveal(self, game_id: str, seat: Seat, contribution: str) -> Accepted:
        """A seat opens its contribution to the randomness (hex)."""
        return self._write(game_id, seat, lambda game: engine.reveal(game, seat, contribution))

    def begin(self, game_id: str) -> Accepted:
        """Begin a game whose seats are all taken."""
        return self._write(game_id, None, lambda game: engine.begin(game, *self.keys(game)))

    def command(
        self,
        game_id: str,
        seat: Seat | None,
        command: Command,
        *,
        expected: int | None = None,
        command_id: str | None = None,
        bot: BotRun | None = None,
    ) -> Accepted:
        """Carry out *command* of *seat* (None: the house).

        *expected*: the seq on which it must follow, else :class:`StaleVersion`. *command_id*: the same
        id again gives the first result; with another command :class:`CommandReused`. Raises
        :class:`Rejected` when the rules refuse it on the newest state, and UnknownGame.
        """
        command = as_recorded(command)  # nothing may hang on an order of keys that the log does not keep
        return self._write(
            game_id,
            seat,
            lambda game: engine.decide(game, seat, command, *self.keys(game)),
            command=command,
            expected=expected,
            command_id=command_id,
            bot=bot,
        )

    def fork(
        self,
        game_id: str,
        at: int | None,
        mine: Sequence[Seat],
        seats: Sequence[SeatPlan],
        seed: Seed,
        *,
        new_game_id: str | None = None,
    ) -> Game:
        """A new analysis game from event *at*: whole if the game has ended, else as *mine* may know it.

        From a running game each hidden part is drawn anew for the lowest of my seats (a spectator gets
        what seat 0 could imagine with nothing of its own: refused), so that nothing is learnt.
        """
        now = self.load(game_id)
        game = now if at is None else self._settled(game_id, at)
        if game.state is None:
            raise Rejected("game_not_running", "Fork from an event after the game has begun.")
        state = game.state
        if now.status != "finished":
            if not mine:
                raise Rejected("not_a_player", "While a game runs only those who play it may fork it.")
            state = game.title.imagine(state, mine[0], FastChance(seed.derived("fork")))
        return self.create(
            game.title,
            game.typed_options(),
            seats,
            game_id=new_game_id,
            seed=seed,
            position=game.title.position(state),
            origin={"game": game_id, "seq": game.seq},
        )

    def _settled(self, game_id: str, at: int) -> Game:
        """The game after the whole command to which event *at* belongs."""
        game = self.load(game_id, at)
        records = self.records(game_id, at - 1, 1000)
        same = [r for r in records if r.command_id == records[0].command_id]
        return fold(game, same[1:])

    # --- the one loop ----------------------------------------------------------------------------

    def _write(
        self,
        game_id: str,
        seat: Seat | None,
        decide: Callable[[Game], Batch],
        *,
        command: Command | None = None,
        expected: int | None = None,
        command_id: str | None = None,
        bot: BotRun | None = None,
    ) -> Accepted:
        writing = _Writing(self, game_id, seat, decide, command, expected, command_id, bot)
        with self._locks[hash(game_id) % len(self._locks)]:
            return self._patiently(writing.attempt)

    def _seal(self, game: Game, batch: Batch, cause: Cause, keys: Secrets) -> list[Record]:
        return seal(
            batch.facts,
            cause,
            game_id=game.id,
            version=game.version,
            seq=game.seq,
            head=game.head,
            secrets=keys,
        )

    def _time(self, game: Game) -> str:
        """The time of the next event: now, and never before the newest one's."""
        return max(self._now(), game.at)

    def _done(self, game: Game) -> None:
        self.replay.keep(game)
        self._appended(game.id, game.seq)

    def _patiently(self, action: Callable[[], T]) -> T:
        """*action*, again if the database was away for a moment: command ids make appends repeatable."""
        for pause in RECONNECTS:
            try:
                return action()
            except (OperationalError, PoolTimeout):
                time.sleep(pause)
                self.log.pool.check()
        return action()


class _Writing:
    """One request on its way into the log: decided, appended, and decided again if another was first."""

    def __init__(
        self,
        games: Games,
        game_id: str,
        seat: Seat | None,
        decide: Callable[[Game], Batch],
        command: Command | None,
        expected: int | None,
        command_id: str | None,
        bot: BotRun | None,
    ) -> None:
        self.games = games
        self.game_id = game_id
        self.seat = seat
        self.decide = decide
        self.command = command
        self.expected = expected
        self.known_id = command_id is not None
        self.command_id = command_id or str(uuid.uuid4())
        self.bot = bot

    def attempt(self) -> Accepted:
        known = self.games.replay.known(self.game_id)
        if known is not None:
            # Most often nobody else has written since: decide on what is in memory, the append will tell.
            try:
                return self._on(known)
            except (VersionConflict, Rejected, StaleVersion):
                pass
        for _ in range(TRIES):
            game = self.games.replay.load(self.game_id)
            try:
                return self._on(game)
            except VersionConflict:
                continue
            except (Rejected, StaleVersion):
                # What was accepted before may well be refused now: the first answer counts.
                earlier = self._earlier() if self.known_id else None
                if earlier is not None:
                    return earlier
                raise
        raise StaleVersion(self.games.replay.load(self.game_id).seq)

    def _on(self, game: Game) -> Accepted:
        if self.expected is not None and game.seq != self.expected:
            raise StaleVersion(game.seq)
        batch = self.decide(game)
        keys, _ = self.games.keys(game)
        cause = Cause(self.games._time(game), self.seat, self.command_id, self.command, batch.draws, self.bot)  # noqa: SLF001
        records = self.games._seal(game, batch, cause, keys)  # noqa: SLF001
        try:
            self.games.log.append(self.game_id, records, keyed=self.known_id)
        except CommandKnown:
            earlier = self._earlier()
            if earlier is None:
                raise VersionConflict from None
            return earlier
        # Folded from what was recorded, not taken from the batch: what this process holds is what every other
        # one reads in the log, down to the order of keys.
        after = fold(game, records)
        self.games._done(after)  # noqa: SLF001
        return Accepted(tuple(records), after)

    def _earlier(self) -> Accepted | None:
        """The first result of this command id, if the log holds it."""
        first = self.games.log.find_command(self.game_id, self.command_id)
        if first is None:
            return None
        records: list[Record] = []
        for record in self.games.log.read(self.game_id, first - 1, 1000):
            if record.command_id != self.command_id:
                break
            records.append(record)
        envelope = records[0].envelope()
        game = self.games.replay.load(self.game_id)
        same = decode_command(records[0], envelope, game.title.command_type) == self.command
        if not same or seat_of(envelope.by) != self.seat:
            raise CommandReused
        return Accepted(tuple(records), game, replayed=True)


def checkpoint(game: Game) -> chain.Checkpoint:
    """The head of the game's chain, to be signed."""
    return chain.Checkpoint(game.id, game.seq, game.head)


__all__ = [
    "Accepted",
    "CommandReused",
    "Games",
    "SeatPlan",
    "StaleVersion",
    "UnknownGame",
    "checkpoint",
    "new_id",
    "utc_now",
]
