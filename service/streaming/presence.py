"""The presence at games: which seats have a game open now, and how many spectators watch it.

Each process shares what it knows of its own streams by Redis: one field of a hash for each game, which lapses
soon unless it is renewed. So several processes add up, and what a killed process has said ends by itself.
Without Redis each process tells of its own streams alone. Nothing of this is in a log.
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Callable, Iterable
from hashlib import blake2b
from math import ceil, inf

import msgspec
import structlog
from redis import Redis
from redis.exceptions import RedisError

from events.rules.fact import Seat

GAP_SECONDS = 5.0
"""The least seconds between two tellings of one game; a fifth of it passes before the first."""
RENEWAL_SECONDS = 15.0
"""Seconds after which a process tells again what has not changed, and looks for what has lapsed."""
LIFE_SECONDS = 45.0
"""Seconds after which what a process has told of itself lapses."""

log = structlog.get_logger("rutter.service")


class Audience(msgspec.Struct, frozen=True):
    """The people who have a game open now, as far as all who see the game may know."""

    seats: tuple[Seat, ...]
    """The seats whose players have the game open."""
    spectators: int
    """The number of the others."""


class _Share(msgspec.Struct, frozen=True):
    """The part of an audience that one process knows."""

    process: str
    """The id of the process."""
    until: float
    """The time when it lapses, in seconds."""
    seats: tuple[Seat, ...]
    spectators: tuple[str, ...]
    """A digest for each account; for each stream without an account its own id."""


class _Room(msgspec.Struct):
    """The open streams of one game in this process."""

    visitors: dict[str, str | None] = msgspec.field(default_factory=dict)
    """The account of each stream, if it has any."""
    due: float = inf
    refreshed: float = -inf
    changed: bool = False
    """True if the other processes do not know yet what has changed here."""
    known: Audience | None = None


class Presence:
    """The audiences of the games that streams of this process follow. Safe for use by many threads.

    Args:
        redis: what the processes share; None: nothing.
        find_seats: finds the seats of a game that each of these accounts holds.
        publish: tells other processes that the audience of a game has changed here.
        notify: tells the streams of this process that the audience of a game has changed.
        now: the clock that says when something is due.
    """

    def __init__(
        self,
        redis: Redis | None,
        *,
        find_seats: Callable[[str, Iterable[str]], dict[str, tuple[Seat, ...]]],
        publish: Callable[[str], object],
        notify: Callable[[str], object],
        now: Callable[[], float] = time.time,
    ) -> None:
        self.gap = GAP_SECONDS
        self._redis, self._find_seats = redis, find_seats
        self._publish, self._notify, self._now = publish, notify, now
        self._id = uuid.uuid4().hex
        self._rooms: dict[str, _Room] = {}
        self._changes = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopped = False

    def start(self) -> None:
        """Tell of changes from a thread of its own; harmless when done twice."""
        with self._changes:
            if self._thread is None:  # not before it is needed: a thread is lost when a process forks
                self._thread = threading.Thread(target=self._run, name="presence", daemon=True)
                self._thread.start()

    def enter(self, game_id: str, account_id: str | None) -> Callable[[], None]:
        """Add a stream of *account_id* to the audience of a game; return what removes it again."""
        visit = uuid.uuid4().hex
        with self._changes:
            room = self._rooms.setdefault(game_id, _Room())
            room.visitors[visit] = account_id
            self._plan(room, changed=True)

        def leave() -> None:
            with self._changes:
                if visit in room.visitors:
                    del room.visitors[visit]
                    self._plan(room, changed=True)

        return leave

    def get(self, game_id: str) -> Audience | None:
        """Return the audience of a game as it was told last; None while it is not known."""
        room = self._rooms.get(game_id)
        return None if room is None else room.known

    def receive_change(self, game_id: str) -> None:
        """Look soon at the audience of a game, which has changed in another process."""
        with self._changes:
            room = self._rooms.get(game_id)
            if room is not None:
                self._plan(room, changed=False)

    def stop(self) -> None:
        """Tell nothing any more; what was told lapses."""
        with self._changes:
            self._stopped = True
            self._changes.notify_all()

    def refresh_due(self) -> float:
        """Refresh the audiences that are due now; return the time of the next one."""
        with self._changes:
            now = self._now()
            due = [game_id for game_id, room in self._rooms.items() if room.due <= now]
        for game_id in due:
            self._refresh(game_id)
        with self._changes:
            return min((room.due for room in self._rooms.values()), default=inf)

    def _plan(self, room: _Room, *, changed: bool) -> None:
        room.changed = room.changed or changed
        room.due = min(room.due, max(self._now() + self.gap / 5, room.refreshed + self.gap))
        self._changes.notify_all()

    def _run(self) -> None:
        while self._wait_until_due():
            try:
                self.refresh_due()
            except Exception:  # whatever it is: the next change is told all the same
                log.exception("presence_not_told")

    def _wait_until_due(self) -> bool:
        """Wait until an audience is due; return False once nothing is told any more."""
        with self._changes:
            while not self._stopped:
                due = min((room.due for room in self._rooms.values()), default=inf) - self._now()
                if due <= 0:
                    return True
                self._changes.wait(min(due, RENEWAL_SECONDS))
        return False

    def _refresh(self, game_id: str) -> None:
        with self._changes:
            room = self._rooms[game_id]
            visitors, changed = dict(room.visitors), room.changed
            room.changed, room.refreshed = False, self._now()
            room.due = room.refreshed + RENEWAL_SECONDS if visitors else inf
            if not visitors:
                del self._rooms[game_id]
        own = self._make_share(game_id, visitors)
        shares = [own, *self._exchange_shares(game_id, own if visitors else None)]
        seats = sorted({seat for share in shares for seat in share.seats})
        audience = Audience(tuple(seats), len({one for share in shares for one in share.spectators}))
        is_new, room.known = audience != room.known, audience
        if is_new and visitors:
            self._notify(game_id)
        if changed:
            self._publish(game_id)

    def _make_share(self, game_id: str, visitors: dict[str, str | None]) -> _Share:
        """Return what this process knows: a player counts by seat, whatever they look through."""
        accounts = sorted({account for account in visitors.values() if account is not None})
        held = self._find_seats(game_id, accounts) if accounts else {}
        seats = sorted({seat for account in accounts for seat in held.get(account, ())})
        watching = {
            visit if account is None else blake2b(f"{game_id}/{account}".encode(), digest_size=12).hexdigest()
            for visit, account in visitors.items()
            if account is None or not held.get(account)
        }
        return _Share(self._id, self._now() + LIFE_SECONDS, tuple(seats), tuple(sorted(watching)))

    def _exchange_shares(self, game_id: str, own: _Share | None) -> list[_Share]:
        """Tell the other processes of *own*, or that nothing is left here; return their shares."""
        if self._redis is None:
            return []
        key, now = f"rutter:presence:{game_id}", self._now()
        with contextlib.suppress(RedisError, OSError, msgspec.MsgspecError):
            pipe = self._redis.pipeline()
            if own is None:
                pipe.hdel(key, self._id)
            else:
                pipe.hset(key, self._id, msgspec.json.encode(own))
                pipe.expire(key, ceil(LIFE_SECONDS))
            pipe.hvals(key)
            told = [msgspec.json.decode(written, type=_Share) for written in pipe.execute()[-1]]
            return [share for share in told if share.process != self._id and share.until > now]
        return []
