"""The one loop through which events enter the log: decide, append, decide again after a conflict.

Games and tournaments are streams of the same kind, so both are written by these lines. What differs is what
they load and fold, and what a command leads to: a :class:`StreamWriter` of each says it.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any, Generic, Protocol, TypeVar

import msgspec
import structlog
from psycopg import OperationalError
from psycopg.errors import DiskFull
from psycopg_pool import PoolTimeout

from events.base.timestamps import parse_timestamp
from events.proof.randomness import ReverseChain, Secrets
from events.rules.fact import Json
from events.rules.steps import Command, Rejected
from events.store import entropy
from events.store.connection import is_machine_away
from events.store.event_log import DuplicateCommand, EventLog, VersionConflict
from events.table import command_signatures
from events.table.engine import Batch
from events.table.record import (
    Actor,
    BatchCause,
    BotRun,
    Envelope,
    Record,
    Signature,
    decode_command,
    full_data,
    pseudonym,
    seal_facts,
)

T = TypeVar("T")

MAX_ATTEMPTS = 200
"""The number of times that a command is decided at most, when other writers are first."""
RECONNECT_DELAYS = (0.05, 0.2, 0.5, 1.0, 2.0)
"""Seconds to wait before trying again when the database was away."""
CLOCK_LAG_WARN_MS = 2000
"""A clock that is behind the newest event by more than that is said to be wrong."""
WARN_INTERVAL_SECONDS = 10.0
"""Seconds between two lines that say so."""

DRAWN = 256
"""The number of ids for which random bytes are drawn at once."""
_drawn: list[bytes] = []
"""The bytes that are left; each operation on it is atomic. A process that was forked draws its own."""
os.register_at_fork(after_in_child=_drawn.clear)

log = structlog.get_logger()


class StreamState(Protocol):
    """The fold of a stream's events, as far as writing looks at it."""

    @property
    def id(self) -> str:
        """The id of the stream."""
        ...

    @property
    def seq(self) -> int:
        """The number of its newest event."""
        ...

    @property
    def head(self) -> bytes:
        """The hash of its newest event."""
        ...

    @property
    def at(self) -> str:
        """The time of recording of its newest event."""
        ...


S = TypeVar("S", bound=StreamState)
W = TypeVar("W", bound="CommandResult[Any]")


class StaleVersion(Exception):
    """The caller expected another version than the newest."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class ReusedKey(Exception):
    """The idempotency key stands in the log with another command."""


class SeatMismatch(ReusedKey):
    """The idempotency key stands in the log with a command of another seat."""


class CommandResult(msgspec.Struct, Generic[S], frozen=True):
    """A command that was appended: its events, and the stream's state after them."""

    records: tuple[Record, ...]
    after: S
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

    def matches_data(self, said: Mapping[str, Any]) -> bool:
        """Return True if its events say this, member by member (None: they say nothing of it)."""
        data: dict[str, Any] = {}
        for record in self.records:
            data |= full_data(record, record.envelope())
        return all(data.get(name) == value for name, value in said.items())


def utc_now() -> str:
    """Return the time as events record it."""
    return f"{datetime.now(UTC).isoformat(timespec='microseconds').removesuffix('+00:00')}Z"


def new_id() -> str:
    """Return a UUIDv7: sorts by time of creation."""
    return _uuid(7, entropy.id_bytes())


def clock_lag_ms(state: StreamState, now: str) -> int:
    """Return the milliseconds by which *now* is behind the newest event of a stream."""
    return max(0, (parse_timestamp(state.at) - parse_timestamp(now)) // 1000) if state.at > now else 0


def new_command_id() -> str:
    """Return a command id, a UUIDv8, for a request that came without one.

    A client may choose only UUIDs of other versions: its id must not stand in the log already, and only ids
    that are kept as keys are looked for there.
    """
    return _uuid(8, _take_random_bytes())


def _take_random_bytes() -> bytes:
    """Return 16 random bytes for an id; many are drawn at once.

    The system lets other threads run during a draw, and in a busy process the caller then waits for its turn.
    """
    try:
        return _drawn.pop()
    except IndexError:
        fresh = os.urandom(16 * DRAWN)
        _drawn.extend([fresh[start : start + 16] for start in range(16, len(fresh), 16)])
        return fresh[:16]


def _uuid(version: int, raw: bytes) -> str:
    """Return the UUID (RFC 9562) of that version whose other bits are those of 16 *raw* bytes."""
    value = int.from_bytes(raw, "big") & ~(0xF << 76) & ~(0x3 << 62)
    return str(uuid.UUID(int=value | version << 76 | 0x2 << 62))


class WriteRequest(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """A request to write into a stream."""

    stream: str
    """Its id."""
    actor: Actor | Callable[[S], Actor]
    """The actor that gives it, or a function of the state for one who is named by the request itself.

    The function returns the name that such an actor would get now."""
    decide: Callable[[S, str], Batch]
    """``(state, at)``: what is to be appended. Raises :class:`Rejected`."""
    command: Command | None = None
    expected: int | None = None
    """The seq on which it must follow."""
    command_id: str | None = None
    """The id under which the same request may come again."""
    bot: BotRun | None = None
    signature: Signature | None = None
    said: Mapping[str, Any] = {}
    """The data that the events of the same request tell, where no command tells it."""

    def find_actor(self, state: S) -> Actor:
        """Return the actor that gives it."""
        return self.actor(state) if callable(self.actor) else self.actor


Appended = Callable[[str, int, bool], object]
"""Called with a stream, its newest event, and True if the stream now waits for a bot or the server."""


class StreamWriter(ABC, Generic[S, W]):
    """One kind of stream: how it is loaded, decided, sealed and folded. Safe for use by many threads."""

    def __init__(self, log: EventLog, now: Callable[[], str], appended: Appended) -> None:
        self.log = log
        self.now = now
        self._appended = appended
        self._locks = [threading.Lock() for _ in range(64)]
        self._told_behind = -WARN_INTERVAL_SECONDS

    @abstractmethod
    def get_cached_state(self, stream: str) -> S | None:
        """Return the newest state in memory, perhaps behind the log."""

    @abstractmethod
    def load_newest(self, stream: str) -> S:
        """Return the newest state in the log. Raises LookupError."""

    @abstractmethod
    def remember(self, state: S) -> None:
        """Remember *state* as the newest."""

    @abstractmethod
    def keys(self, state: S) -> tuple[Secrets, ReverseChain]:
        """Return the secrets of a stream, and the chain of its public draws."""

    @abstractmethod
    def record_version(self, state: S) -> int:
        """Return the version that the next records name."""

    def seal_batch(self, state: S, batch: Batch, cause: BatchCause, keys: Secrets) -> list[Record]:
        """Return the records of a decided batch, whose hidden parts are hidden by *keys*."""
        return seal_facts(
            batch.facts,
            cause,
            game_id=state.id,
            version=self.record_version(state),
            seq=state.seq,
            head=state.head,
            secrets=keys,
        )

    @abstractmethod
    def fold_records(self, state: S, records: Sequence[Record]) -> S:
        """*state* after *records*."""

    @abstractmethod
    def make_result(self, records: tuple[Record, ...], after: S, *, replayed: bool = False) -> W:
        """Return the result for the caller."""

    @abstractmethod
    def command_type(self, state: S) -> Callable[[str], type[Command] | None]:
        """Finds the class of a command of this stream by its name."""

    def check_request(self, state: S, request: WriteRequest[S], actor: Actor, command_id: str) -> None:
        """Check whatever has to hold before anything is decided. Raises :class:`BadSignature`."""

    def clock_note(
        self, state: S, actor: Actor, command: Command | None, batch: Batch, at: str
    ) -> Json | None:
        """Return the note of the batch's changes to clocks; None where there are none."""
        return None

    def next_time(self, state: S) -> str:
        """Return the time of the next event: now, and never before the newest one's."""
        now = self.now()
        if now >= state.at:
            return now
        behind = clock_lag_ms(state, now)
        if behind > CLOCK_LAG_WARN_MS and time.monotonic() - self._told_behind > WARN_INTERVAL_SECONDS:
            self._told_behind = time.monotonic()
            log.warning("clock_behind", stream=state.id, milliseconds=behind)
        return state.at

    def publish(self, state: S) -> None:
        """Something was appended, after which the stream is *state*: remember it, and tell all who listen."""
        self.remember(state)
        self._appended(state.id, state.seq, self.awaits_server(state))

    def awaits_server(self, state: S) -> bool:
        """Return True if the stream goes on when a bot or the server has answered."""
        return False

    def find_earlier(self, stream: str, command_id: str) -> W | None:
        """Return the result of a keyed command, if it has been appended, else None."""

        def look() -> W | None:
            first = self.log.find_command(stream, command_id)
            if first is None:
                return None
            return self.make_result(
                read_batch(self.log, stream, first - 1), self.load_newest(stream), replayed=True
            )

        return self.retry_on_disconnect(look)

    def write(self, request: WriteRequest[S]) -> W:
        """Carry out *request*. Raises what deciding raises, :class:`StaleVersion`, :class:`ReusedKey`."""
        writing = _WriteAttempt(self, request)
        with self._locks[hash(request.stream) % len(self._locks)]:
            return self.retry_on_disconnect(writing.attempt)

    def retry_on_disconnect(self, action: Callable[[], T]) -> T:
        """*action*, again if the database was away for a moment: command ids make appends repeatable.

        Where one machine of several is away, it is tried once more: others wait for this thread.
        """
        tried = False
        for pause in RECONNECT_DELAYS:
            try:
                return action()
            except DiskFull:  # it will not be better in a moment
                raise
            except (OperationalError, PoolTimeout) as error:
                away = is_machine_away(error)
                if away and tried:
                    raise
                tried = tried or away
                time.sleep(pause)
                self.log.pool.check()
        return action()


class _WriteAttempt(Generic[S, W]):
    """One request on its way into the log: decided, appended, and decided again if another was first."""

    def __init__(self, writer: StreamWriter[S, W], request: WriteRequest[S]) -> None:
        self.writer = writer
        self.request = request
        self.keyed = request.command_id is not None
        self.command_id = request.command_id or new_command_id()
        self.unanswered: int | None = None
        """The event after which a batch of ours was sent without an answer: it may be there, or come yet."""

    def attempt(self) -> W:
        known = self.writer.get_cached_state(self.request.stream)
        if known is not None and self.unanswered is None:
            # Most often nobody else has written since: decide on what is in memory, the append will tell.
            try:
                return self._decide_on(known)
            except (VersionConflict, Rejected, StaleVersion, command_signatures.BadSignature):
                pass
        for _ in range(MAX_ATTEMPTS):
            state = self.writer.load_newest(self.request.stream)
            done = self._find_unanswered(state)
            if done is not None:
                return done
            try:
                return self._decide_on(state)
            except VersionConflict:
                continue
            except (Rejected, StaleVersion, command_signatures.BadSignature):
                # What was accepted before may well be refused now: the first answer counts.
                earlier = self._first_result() if self.keyed else None
                if earlier is not None:
                    return earlier
                raise
        raise StaleVersion(self.writer.load_newest(self.request.stream).seq)

    def _decide_on(self, state: S) -> W:
        request, writer = self.request, self.writer
        if request.expected is not None and state.seq != request.expected:
            raise StaleVersion(state.seq)
        actor = request.find_actor(state)
        at = writer.next_time(state)
        writer.check_request(state, request, actor, self.command_id)
        batch = request.decide(state, at)
        cause = BatchCause(
            at,
            actor,
            self.command_id,
            request.command,
            batch.draws,
            request.bot,
            request.signature,
            writer.clock_note(state, actor, request.command, batch, at),
        )
        records = seal_facts(
            batch.facts,
            cause,
            game_id=state.id,
            version=writer.record_version(state),
            seq=state.seq,
            head=state.head,
            secrets=writer.keys(state)[0],
        )
        try:
            writer.log.append(request.stream, records, keyed=self.keyed)
        except DuplicateCommand:
            earlier = self._first_result()
            if earlier is None:
                raise VersionConflict from None
            return earlier
        except OperationalError:
            self.unanswered = state.seq
            raise
        # Folded from what was recorded, not taken from the batch: what this process holds is what every other
        # one reads in the log, down to the order of keys.
        after = writer.fold_records(state, records)
        writer.publish(after)
        return writer.make_result(tuple(records), after)

    def _find_unanswered(self, state: S) -> W | None:
        """Return the result of a batch whose answer was lost, if the log holds it. *state* is the newest.

        While nothing follows on the event after which it was sent, it may come yet; then sending it again is
        safe, for only one of both can be appended. Once something else follows, it never can.
        """
        if self.unanswered is None or state.seq == self.unanswered:
            return None
        records = read_batch(self.writer.log, self.request.stream, self.unanswered)
        self.unanswered = None
        if records[0].command_id != self.command_id:
            return None
        self.writer.publish(state)
        return self.writer.make_result(records, state)

    def _first_result(self) -> W | None:
        """Return the first result of this command id, if the log holds it. Raises :class:`ReusedKey`."""
        earlier = self.writer.find_earlier(self.request.stream, self.command_id)
        if earlier is None:
            return None
        first = earlier.records[0]
        envelope = first.envelope()
        if not self._is_from(envelope):
            raise SeatMismatch
        same = (
            decode_command(first, envelope, self.writer.command_type(earlier.after)) == self.request.command
        )
        if not same or not earlier.matches_data(self.request.said):
            raise ReusedKey
        return earlier

    def _is_from(self, envelope: Envelope) -> bool:
        """Return True if the same actor gave it.

        For an actor who was named by the request itself only the id of the command tells: always True.
        """
        return callable(self.request.actor) or envelope.by == pseudonym(self.request.actor)


def read_batch(log: EventLog, stream: str, after: int) -> tuple[Record, ...]:
    """Return the events of the command that follows on event *after*."""
    records = log.read(stream, after, 1000)
    return tuple(takewhile(lambda record: record.command_id == records[0].command_id, records))
