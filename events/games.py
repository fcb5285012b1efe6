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

from events import engine, expiry, opening, signed, table, table_commands, timing
from events.engine import Batch
from events.fact import Seat
from events.fast_chance import FastChance
from events.folding import fold
from events.game import Game, start
from events.log import CommandKnown, EventLog, VersionConflict
from events.moments import later
from events.proof import ReverseChain, Secrets, Seed
from events.recent import Recent
from events.record import (
    Actor,
    BotRun,
    Cause,
    Record,
    Signature,
    as_recorded,
    decode_command,
    full_data,
    pseudonym,
    seal,
    seat_of,
)
from events.replay import Replay, UnknownGame
from events.steps import Command, Rejected
from events.terms import Sitting, Terms, settle
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


class SeatsDiffer(CommandReused):
    """The idempotency key stands in the log with a command of another seat."""


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

    @property
    def last(self) -> Record:
        """The command's last event: the one that a receipt names."""
        return self.records[-1]

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
    commitment: str | None = None
    """To a contribution to the randomness."""
    key: str | None = None
    """The public key (hex) that is to sign the seat's commands."""


Decide = Callable[[Game, str], Batch]
"""What is to be appended to a game at a time. Raises :class:`Rejected`."""
Seated = Callable[[], Mapping[Seat, str]]
"""Writes down who holds the seats of a new game; by seat the ``who`` that the log is to tell of each."""


def nobody_known() -> Mapping[Seat, str]:
    """The log is to tell nothing of whoever sits down."""
    return {}


def utc_now() -> str:
    """The time as events record it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def new_id() -> str:
    """A UUIDv7: sorts by time of creation."""
    return _uuid(7, int(time.time() * 1000).to_bytes(6, "big") + os.urandom(10))


def own_command_id() -> str:
    """A command id for what nobody gave one: a UUIDv8.

    A client may choose only UUIDs of other versions: his must not stand in the log already, and only ids that
    are kept as keys are looked for there.
    """
    return _uuid(8, os.urandom(16))


def _uuid(version: int, raw: bytes) -> str:
    """The UUID (RFC 9562) of that version whose other bits are those of 16 *raw* bytes."""
    value = int.from_bytes(raw, "big") & ~(0xF << 76) & ~(0x3 << 62)
    return str(uuid.UUID(int=value | version << 76 | 0x2 << 62))


def fresh_secrets() -> Secrets:
    """Keys for a new game, from the system's randomness."""
    return Secrets(*(os.urandom(32) for _ in range(4)))


class Games:
    """The one way in which games are created, changed and read."""

    def __init__(
        self,
        log: EventLog,
        *,
        origin: Callable[[], str] = lambda: "rutter",
        now: Callable[[], str] = utc_now,
        appended: Callable[[str, int], object] = lambda _game, _seq: None,
    ) -> None:
        self.log = log
        self._origin = origin
        self.replay = Replay(log)
        self.now = now
        self._appended = appended
        self._keys: Recent[tuple[Secrets, ReverseChain]] = Recent(500)
        self._locks = [threading.Lock() for _ in range(64)]

    @property
    def origin(self) -> str:
        """The name under which the service signs; every game names it. Raises ReadOnly without one."""
        return self._patiently(self._origin)

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
        terms: Terms = Terms(),  # noqa: B008 - a value that nobody can change
        seated: Seated = nobody_known,
        seed: Seed | None = None,
        position: dict[str, Any] | None = None,
        origin: dict[str, Any] | None = None,
    ) -> Game:
        """A new game; where no seat is open and nobody contributes to its randomness it begins at once.

        *options* is the title's own type. A *seed*, a *position* or an *origin* makes it an analysis game.
        *command_id*: of the first batch. *seated* is called when the rules have agreed, before the log is
        written, for what must stand before it. Raises :class:`Rejected` for options, terms or positions that
        are refused, :class:`VersionConflict` where a game of that id is there.
        """
        game_id = game_id or new_id()
        if len(seats) not in title.seats:
            least, most = title.seats[0], title.seats[-1]
            raise Rejected("invalid_options", f"{title.name} is for {least} to {most} seats.")
        title.check_options(len(seats), options)
        settle(terms, [_sitting(plan, None) for plan in seats], seeded=seed is not None)
        terms = self._waiting(terms, game_id)
        keys = fresh_secrets() if seed is None else seed.secrets()
        key = uuid.UUID(game_id).bytes if seed is None else seed.key()
        who = seated()
        made = engine.create(
            title,
            key,
            msgspec.to_builtins(options, str_keys=True),
            [_sitting(plan, who.get(seat)) for seat, plan in enumerate(seats)],
            keys.commitments(key, engine.DRAWS),
            service=self.origin,
            wanted=terms,
            position=position,
            origin=origin,
            seeded=seed is not None,
        )
        game = start(game_id)
        cause = Cause(self.time(game), None, command_id or own_command_id())
        records = _sealed(game, made, cause, keys)
        game = fold(game, records)
        while opening.ready(game, self.time(game)):
            records += self._follows(game, keys)
            game = fold(game, records[game.seq :])
        try:
            self._patiently(lambda: self.log.append(game_id, records, keys, keyed=command_id is not None))
        except (VersionConflict, CommandKnown):
            if self.records(game_id, 0, 1)[0].hash != records[0].hash:
                raise VersionConflict from None
            # It was appended at the first attempt, and only the answer was lost.
        self.done(game)
        return game

    def _waiting(self, terms: Terms, game_id: str) -> Terms:
        """*terms* with the time until which the table waits for people. Raises :class:`Rejected`."""
        at = self.time(start(game_id))
        if terms.expires_at is None:
            return msgspec.structs.replace(terms, expires_at=later(at, expiry.OPEN_MS))
        if terms.expires_at < later(at, expiry.LEAST_MS):
            raise Rejected("invalid_terms", "`expires_at` is five seconds ahead at the least.")
        return terms

    def _follows(self, game: Game, keys: Secrets) -> list[Record]:
        """The events of what the house does with a new game for which nobody is awaited."""
        at = self.time(game)
        batch = opening.house(game, at, keys, ReverseChain(keys.anchor, game.key, game.draws))
        note = timing.note(game, None, None, batch, at)
        return _sealed(game, batch, Cause(at, None, own_command_id(), draws=batch.draws, clock=note), keys)

    def take_seat(
        self,
        game_id: str,
        seat: Seat,
        commitment: str | None = None,
        *,
        key: str | None = None,
        who: str | None = None,
        command_id: str | None = None,
    ) -> Accepted:
        """An account sits down at an open seat. *command_id*: its claim to the seat.

        *key* (hex) signs its commands, *who* is the salted digest of the account.
        """
        return self._write(
            game_id,
            seat,
            lambda game, _at: opening.take_seat(game, seat, commitment, key, who),
            command_id=command_id,
            said={"commitment": commitment, "key": key},
        )

    def reveal(
        self, game_id: str, seat: Seat, contribution: str, *, command_id: str | None = None
    ) -> Accepted:
        """A seat opens its contribution to the randomness (hex)."""
        return self._write(
            game_id,
            seat,
            lambda game, _at: opening.reveal(game, seat, contribution),
            command_id=command_id,
            said={"contribution": contribution},
        )

    def reveal_director(self, game_id: str, contribution: str, *, command_id: str | None = None) -> Accepted:
        """The director opens his contribution to the randomness (hex)."""
        return self._write(
            game_id,
            None,
            lambda game, _at: opening.reveal_director(game, contribution),
            command_id=command_id,
            said={"contribution": contribution},
        )

    def draw_beacon(self, game_id: str, number: int, signature: str) -> Accepted:
        """Record the round *number* of the beacon, by its signature (hex)."""

        def draw(game: Game, at: str) -> Batch:
            if opening.awaits_round(game) != number:
                raise Rejected("nothing_to_draw", f"This game does not wait for round {number}.")
            return opening.draw_beacon(game, at, signature)

        return self._write(game_id, None, draw)

    def begin(self, game_id: str, *, command_id: str | None = None) -> Accepted:
        """Do the next that leads to the beginning of a game, asked by somebody of its table."""
        return self._house(game_id, asked=True, command_id=command_id)

    def proceed(self, game: Game) -> Game:
        """*game* after all that the house does by itself before it begins, and nobody is awaited for."""
        while opening.ready(game, self.time(game)):
            before = game.seq
            try:
                game = self._house(game.id, asked=False).game
            except Rejected:
                game = self.load(game.id)
                if game.seq == before:  # else somebody else was quicker
                    raise
        return game

    def _house(self, game_id: str, *, asked: bool, command_id: str | None = None) -> Accepted:
        return self._write(
            game_id,
            None,
            lambda game, at: opening.house(game, at, *self.keys(game), asked=asked),
            command_id=command_id,
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
        signature: Signature | None = None,
    ) -> Accepted:
        """Carry out *command* of *seat* (None: the house).

        *expected*: the seq on which it must follow, else :class:`StaleVersion`. *command_id*: the same
        id again gives the first result; with another command :class:`CommandReused`. *signature*: of a
        seat that has a key. Raises :class:`Rejected` when the rules refuse it on the newest state,
        :class:`events.signed.BadSignature`, and UnknownGame.
        """
        command = as_recorded(command)  # nothing may hang on an order of keys that the log does not keep
        return self._write(
            game_id,
            seat,
            lambda game, _at: engine.decide(game, seat, command, *self.keys(game)),
            command=command,
            expected=expected,
            command_id=command_id,
            bot=bot,
            signature=signature,
        )

    def table_command(
        self,
        game_id: str,
        actor: Actor,
        command: Command,
        *,
        expected: int | None = None,
        command_id: str | None = None,
        signature: Signature | None = None,
    ) -> Accepted:
        """Carry out a command of the table, one of :mod:`events.table_commands`, as :meth:`command` does."""
        command = as_recorded(command)
        return self._write(
            game_id,
            actor,
            lambda game, at: table_commands.decide(game, actor, command, at, self.keys(game)),
            command=command,
            expected=expected,
            command_id=command_id,
            signature=signature,
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
        seated: Seated = nobody_known,
    ) -> Game:
        """A new analysis game from event *at*: whole if the game has ended, else as *mine* may know it.

        From a running game each hidden part is drawn anew for the lowest of my seats (a spectator gets
        what seat 0 could imagine with nothing of its own: refused), so that nothing is learnt.
        """
        now = self.load(game_id)
        game = now if at is None else self.settled(game_id, at)
        if game.state is None:
            raise Rejected("game_not_running", "Fork from an event after the game has begun.")
        state = game.state
        if not now.ended:
            if not mine:
                raise Rejected("not_a_player", "While a game runs only those who play it may fork it.")
            state = game.title.imagine(state, mine[0], FastChance(seed.derived("fork")))
        return self.create(
            game.title,
            game.typed_options(),
            seats,
            game_id=new_game_id,
            command_id=command_id,
            seated=seated,
            seed=seed,
            position=game.title.position(state),
            origin={"game": game_id, "seq": game.seq},
        )

    def settled(self, game_id: str, at: int) -> Game:
        """The game after the whole command to which event *at* belongs. Raises UnknownGame, NoSuchEvent."""
        game = self.load(game_id, at)
        records = self.records(game_id, at - 1, 1000)
        same = [r for r in records if r.command_id == records[0].command_id]
        return fold(game, same[1:])

    # --- the one loop ----------------------------------------------------------------------------

    def _write(
        self,
        game_id: str,
        actor: Actor,
        decide: Decide,
        *,
        command: Command | None = None,
        expected: int | None = None,
        command_id: str | None = None,
        bot: BotRun | None = None,
        signature: Signature | None = None,
        said: Mapping[str, Any] | None = None,
    ) -> Accepted:
        writing = _Writing(
            self, game_id, actor, decide, command, expected, command_id, bot, signature, said or {}
        )
        with self._locks[hash(game_id) % len(self._locks)]:
            return self._patiently(writing.attempt)

    def time(self, game: Game) -> str:
        """The time of the next event: now, and never before the newest one's."""
        return max(self.now(), game.at)

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


def _sitting(plan: SeatPlan, who: str | None) -> Sitting | None:
    return Sitting(plan.bot, who, plan.key, plan.commitment) if plan.taken else None


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
        actor: Actor,
        decide: Decide,
        command: Command | None,
        expected: int | None,
        command_id: str | None,
        bot: BotRun | None,
        signature: Signature | None,
        said: Mapping[str, Any],
    ) -> None:
        self.games = games
        self.game_id = game_id
        self.actor = actor
        self.decide = decide
        self.command = command
        self.expected = expected
        self.keyed = command_id is not None
        self.command_id = command_id or own_command_id()
        self.bot = bot
        self.signature = signature
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
            except (VersionConflict, Rejected, StaleVersion, signed.BadSignature):
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
            except (Rejected, StaleVersion, signed.BadSignature):
                # What was accepted before may well be refused now: the first answer counts.
                earlier = self._earlier() if self.keyed else None
                if earlier is not None:
                    return earlier
                raise
        raise StaleVersion(self.games.replay.load(self.game_id).seq)

    def _on(self, game: Game) -> Accepted:
        if self.expected is not None and game.seq != self.expected:
            raise StaleVersion(game.seq)
        self._check_signature(game)
        at = self.games.time(game)
        batch = self.decide(game, at)
        keys, _ = self.games.keys(game)
        cause = Cause(
            at,
            self.actor,
            self.command_id,
            self.command,
            batch.draws,
            self.bot,
            self.signature,
            timing.note(game, self.actor, self.command, batch, at),
        )
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

    def _check_signature(self, game: Game) -> None:
        """What its seat must sign is signed, for this game and no other course of it.

        Raises :class:`events.signed.BadSignature`.
        """
        if self.command is None:
            return  # joins, commitments and reveals are not signed
        seat = seat_of(pseudonym(self.actor))
        key = signed.demanded(game, seat, self.signature)
        if key is None or self.signature is None or seat is None:
            return
        at = self.signature.n
        head = game.head if at == game.seq else self.games.log.read(game.id, at - 1, 1)[0].hash
        command = msgspec.to_builtins(self.command, str_keys=True)
        if not signed.check(key, self.signature, self.command_id, command, game.id, head, seat):
            raise signed.BadSignature(
                "The signature does not hold. Sign this command under the id that the Idempotency-Key gives,"
                " for this game, your seat and the hash of the event that you name."
            )

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
        if envelope.by != pseudonym(self.actor):
            raise SeatsDiffer
        find = table_commands.command_type(earlier.game.title)
        same = decode_command(first, envelope, find) == self.command
        if not same or not earlier.says(self.said):
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
    "SeatsDiffer",
    "StaleVersion",
    "UnknownGame",
    "new_id",
    "utc_now",
]
