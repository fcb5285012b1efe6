"""Games as the service uses them: every request is decided by the engine and appended to the log.

Several processes may do this at once; the log's compare-and-set decides who was first, and the
loser decides again on the newer state. Nothing is remembered here that the log does not hold.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any, TypeVar

import msgspec
from psycopg import OperationalError
from psycopg.errors import DiskFull
from psycopg_pool import PoolTimeout

from events import engine, opening, table
from events.engine import Batch
from events.fact import Seat
from events.fast_chance import FastChance
from events.folding import fold
from events.game import Game, start
from events.log import CommandKnown, EventLog, VersionConflict
from events.proof import ReverseChain, Secrets, Seed
from events.recent import Recent
from events.record import BotRun, Cause, Record, as_recorded, decode_command, full_data, seal, seat_of
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

    def says(self, said: Mapping[str, Any]) -> bool:
        """Whether its events say this, member by member (None: say nothing of it)."""
        told: dict[str, Any] = {}
        for record in self.records:
            told |= full_data(record, record.envelope())
        return all(told.get(name) == value for name, value in said.items())


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
        origin: str = "rutter",
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

    def earlier(self, game_id: str, command_id: str) -> Accepted | None:
        """What a keyed command led to, if it has been appended."""

        def look() -> Accepted | None:
            first = self.log.find_command(game_id, command_id)
            if first is None:
                return None
            records = _run(self.log, game_id, first - 1)
            return Accepted(records, self.replay.load(game_id), replayed=True)

        return self._patiently(look)

    # --- writing ---------------------------------------------------------------------------------

    def create(
        self,
        title: Title[Any],
        options: Any,
        seats: Sequence[SeatPlan],
        *,
        game_id: str | None = None,
        command_id: str | None = None,
        agreed: Callable[[], None] = lambda: None,
        seed: Seed | None = None,
        position: dict[str, Any] | None = None,
        origin: dict[str, Any] | None = None,
    ) -> Game:
        """A new game; where no seat is open it begins at once.

        *options* is the title's own type. A *seed*, a *position* or an *origin* makes it an analysis game.
        *command_id*: of the first batch. *agreed* is called when the rules have agreed, before the log is
        written, for what must stand before it. Raises :class:`Rejected` for options or positions that the
        title refuses, :class:`VersionConflict` where a game of that id is there.
        """
        game_id = game_id or new_id()
        if len(seats) not in title.seats:
            least, most = title.seats[0], title.seats[-1]
            raise Rejected("invalid_options", f"{title.name} is for {least} to {most} seats.")
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
        cause = Cause(self.time(game), None, command_id or str(uuid.uuid4()))
        records = _sealed(game, made, cause, keys)
        game = fold(game, records)
        if all(s.taken for s in seats):
            begun = opening.begin(game, keys, ReverseChain(keys.anchor, game.key, game.draws))
            cause = Cause(self.time(game), None, str(uuid.uuid4()), draws=begun.draws)
            records += _sealed(game, begun, cause, keys)
            game = fold(game, records[game.seq :])
        agreed()
        try:
            self._patiently(lambda: self.log.append(game_id, records, keys, keyed=command_id is not None))
        except (VersionConflict, CommandKnown):
            if self.records(game_id, 0, 1)[0].hash != records[0].hash:
                raise VersionConflict from None
            # It was appended at the first attempt, and only the answer was lost.
        self.done(game)
        return game

    def take_seat(
        self, game_id: str, seat: Seat, commitment: str | None = None, *, command_id: str | None = None
    ) -> Accepted:
        """An account sits down at an open seat. *command_id*: its claim to the seat."""
        return self._write(
            game_id,
            seat,
            lambda game: opening.take_seat(game, seat, commitment),
            command_id=command_id,
            said={"commitment": commitment},
        )

    def reveal(
        self, game_id: str, seat: Seat, contribution: str, *, command_id: str | None = None
    ) -> Accepted:
        """A seat opens its contribution to the randomness (hex)."""
        return self._write(
            game_id,
            seat,
            lambda game: opening.reveal(game, seat, contribution),
            command_id=command_id,
            said={"contribution": contribution},
        )

    def begin(self, game_id: str, *, command_id: str | None = None) -> Accepted:
        """Begin a game whose seats are all taken."""
        return self._write(
            game_id, None, lambda game: opening.begin(game, *self.keys(game)), command_id=command_id
        )

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
        command_id: str | None = None,
        agreed: Callable[[], None] = lambda: None,
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
            command_id=command_id,
            agreed=agreed,
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
        said: Mapping[str, Any] | None = None,
    ) -> Accepted:
        writing = _Writing(self, game_id, seat, decide, command, expected, command_id, bot, said or {})
        with self._locks[hash(game_id) % len(self._locks)]:
            return self._patiently(writing.attempt)

    def time(self, game: Game) -> str:
        """The time of the next event: now, and never before the newest one's."""
        return max(self._now(), game.at)

    def done(self, game: Game) -> None:
        """Something was appended, after which the game is *game*: remember it, tell whoever listens."""
        self.replay.keep(game)
        self._appended(game.id, game.seq)

    def _patiently(self, action: Callable[[], T]) -> T:
        """*action*, again if the database was away for a moment: command ids make appends repeatable."""
        for pause in RECONNECTS:
            try:
                return action()
            except DiskFull:  # it will not be better in a moment
                raise
            except (OperationalError, PoolTimeout):
                time.sleep(pause)
                self.log.pool.check()
        return action()


def _sealed(game: Game, batch: Batch, cause: Cause, keys: Secrets) -> list[Record]:
    return seal(
        batch.facts,
        cause,
        game_id=game.id,
        version=game.version or table.PROTOCOL,
        seq=game.seq,
        head=game.head,
        secrets=keys,
    )


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
        said: Mapping[str, Any],
    ) -> None:
        self.games = games
        self.game_id = game_id
        self.seat = seat
        self.decide = decide
        self.command = command
        self.expected = expected
        self.keyed = command_id is not None
        self.command_id = command_id or str(uuid.uuid4())
        self.bot = bot
        self.said = said
        """What the events of the same request say, where no command says it."""
        self.unanswered: int | None = None
        """The event after which a batch of ours was sent without an answer: it may be there, or come yet."""

    def attempt(self) -> Accepted:
        known = self.games.replay.known(self.game_id)
        if known is not None and self.unanswered is None:
            # Most often nobody else has written since: decide on what is in memory, the append will tell.
            try:
                return self._on(known)
            except (VersionConflict, Rejected, StaleVersion):
                pass
        for _ in range(TRIES):
            game = self.games.replay.load(self.game_id)
            done = self._answered(game)
            if done is not None:
                return done
            try:
                return self._on(game)
            except VersionConflict:
                continue
            except (Rejected, StaleVersion):
                # What was accepted before may well be refused now: the first answer counts.
                earlier = self._earlier() if self.keyed else None
                if earlier is not None:
                    return earlier
                raise
        raise StaleVersion(self.games.replay.load(self.game_id).seq)

    def _on(self, game: Game) -> Accepted:
        if self.expected is not None and game.seq != self.expected:
            raise StaleVersion(game.seq)
        batch = self.decide(game)
        keys, _ = self.games.keys(game)
        cause = Cause(self.games.time(game), self.seat, self.command_id, self.command, batch.draws, self.bot)
        records = _sealed(game, batch, cause, keys)
        try:
            self.games.log.append(self.game_id, records, keyed=self.keyed)
        except CommandKnown:
            earlier = self._earlier()
            if earlier is None:
                raise VersionConflict from None
            return earlier
        except OperationalError:
            self.unanswered = game.seq
            raise
        # Folded from what was recorded, not taken from the batch: what this process holds is what every other
        # one reads in the log, down to the order of keys.
        after = fold(game, records)
        self.games.done(after)
        return Accepted(tuple(records), after)

    def _answered(self, game: Game) -> Accepted | None:
        """What the log holds of a batch whose answer was lost. *game* is the newest state.

        While nothing follows on the event after which it was sent, it may come yet; then sending it again is
        safe, for only one of both can be appended. Once something else follows, it never can.
        """
        if self.unanswered is None or game.seq == self.unanswered:
            return None
        records = _run(self.games.log, self.game_id, self.unanswered)
        self.unanswered = None
        if records[0].command_id != self.command_id:
            return None
        self.games.done(game)
        return Accepted(records, game)

    def _earlier(self) -> Accepted | None:
        """The first result of this command id, if the log holds it. Raises :class:`CommandReused`."""
        earlier = self.games.earlier(self.game_id, self.command_id)
        if earlier is None:
            return None
        first = earlier.records[0]
        envelope = first.envelope()
        same = decode_command(first, envelope, earlier.game.title.command_type) == self.command
        if not same or seat_of(envelope.by) != self.seat or not earlier.says(self.said):
            raise CommandReused
        return earlier


def _run(log: EventLog, game_id: str, after: int) -> tuple[Record, ...]:
    """The events of the command that follows on event *after*."""
    records = log.read(game_id, after, 1000)
    return tuple(takewhile(lambda record: record.command_id == records[0].command_id, records))


__all__ = [
    "Accepted",
    "CommandReused",
    "Games",
    "SeatPlan",
    "StaleVersion",
    "UnknownGame",
    "new_id",
    "utc_now",
]
