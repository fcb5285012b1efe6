"""Limits of one client: rates, counted over moving windows, and numbers of things at a time.

The figures stand in `limits.toml` and are explained there.
"""

from __future__ import annotations

import math
import threading
import time
import tomllib
import uuid
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
from limits import RateLimitItem, RateLimitItemPerDay, parse_many
from redis import Redis
from redis.exceptions import RedisError

from events.base.backoff import Backoff
from events.base.bounded_cache import BoundedCache
from projections.base.redis_client import redis_client
from service.base.rate_windows import Allowance, OwnWindows, RateWindow, SharedWindows

DEFAULTS_FILE = Path(__file__).with_name("limits.toml")
REDIS_PAUSE = 2.0
"""Seconds for which Redis is not asked after it could not be reached."""
CONNECT_SECONDS = 0.3
"""Seconds in which Redis has to take a connection."""
ANSWER_SECONDS = 0.5
"""Seconds in which Redis has to answer: every request waits for it."""
LEASE_SECONDS = 40.0
"""Seconds after which a lease that nobody renews ends: its process was killed."""
REFUSALS_PER_WRITE = 5
"""The number of refused writes that count as one."""
RENEWAL_SECONDS = 10.0
"""Seconds after which a lease is renewed."""


class Rate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rates of an account and of an address without a token; None: not limited."""

    rate: str | None = None
    anonymous: str | None = None


class ConcurrencyLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number allowed at a time for one account, or for one address without a token."""

    account: int
    anonymous: int


class GameQuota(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of running and open games allowed to one maker, of the last *days*."""

    running: int
    open: int
    days: int


class RequestSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The size of the largest request body, in bytes."""

    bytes: int


class TimeLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds that the database may take for a request of each class, and for a connection."""

    usual: float
    long: float
    connection: float


class LimitSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All limits; see `limits.toml`."""

    read: Rate
    write: Rate
    commands: Rate
    refused_commands: Rate
    create: Rate
    forks: Rate
    simulations: Rate
    accounts: Rate
    invited_accounts: Rate
    auth: Rate
    streams: ConcurrencyLimit
    in_flight: ConcurrencyLimit
    tournaments: ConcurrencyLimit
    games: GameQuota
    request: RequestSize
    wait: TimeLimits
    on: bool = True
    """True if limits apply; False: nobody is limited."""

    @classmethod
    def load(cls, wanted: str | None = None) -> LimitSettings:
        """Return the figures of `limits.toml`, changed by *wanted*: RUTTER_LIMITS, a path or `off`.

        Raises ValueError for a file that cannot be used, with what is wrong.
        """
        figures = tomllib.loads(DEFAULTS_FILE.read_text())
        if wanted and wanted != "off":
            try:
                theirs = tomllib.loads(Path(wanted).read_text())
            except (OSError, ValueError) as error:
                raise ValueError(f"RUTTER_LIMITS names {wanted}, which cannot be read: {error}") from None
            for table, members in theirs.items():
                figures[table] = (
                    {**figures.get(table, {}), **members} if isinstance(members, dict) else members
                )
        try:
            found = msgspec.convert({**figures, "on": wanted != "off"}, cls)
            for rate in (getattr(found, name) for name in cls.__struct_fields__):
                if isinstance(rate, Rate):
                    _ = [parse_many(text) for text in (rate.rate, rate.anonymous) if text]
        except ValueError as error:
            raise ValueError(f"RUTTER_LIMITS names {wanted}, which is not as limits.toml: {error}") from None
        return found


class Client(msgspec.Struct, frozen=True):
    """A client: the account or address whose requests are counted together."""

    name: str
    """The id of an account, or an address."""
    anonymous: bool


class RateCheck(msgspec.Struct, frozen=True):
    """A look at the rate of one partition, for one client and what *more* tells its requests apart."""

    partition: str
    client: Client
    more: tuple[str, ...] = ()
    spend: bool = False
    """True to count a request as well."""


class RateLimiter:
    """A limiter that counts the requests of clients against the rates."""

    def __init__(self, figures: LimitSettings, redis_url: str | None) -> None:
        self._figures = figures
        self._own = OwnWindows()
        self._shared = None
        if redis_url and figures.on:  # it gives up soon: every request waits for it
            self._shared = SharedWindows(
                redis_client(redis_url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=ANSWER_SECONDS)
            )
        self._backoff = Backoff(REDIS_PAUSE)
        self._failed = False

    def is_local(self) -> bool:
        """Return True if this process counts for itself at present, as Redis is away or too slow."""
        if not self._figures.on:
            return False
        if self._shared is None or self._backoff.is_pausing():
            return True
        if self._failed:
            self._failed = not self._shared.is_reachable()
        return self._failed

    def hit(self, partition: str, client: Client, *more: str) -> list[Allowance]:
        """Count one; if the last of the levels says `exceeded`, it was one too many."""
        return self.measure(RateCheck(partition, client, more, spend=True))

    def test(self, partition: str, client: Client, *more: str) -> list[Allowance]:
        """Return the allowances that are left, without counting anything; `exceeded` if nothing is left."""
        return self.measure(RateCheck(partition, client, more))

    def measure_total(self, name: str, of: str, most: int, days: int, *, spend: bool) -> Allowance:
        """Return what is left of *most* in so many *days*, counted for the thing *of*."""
        return self._look([RateWindow(name, RateLimitItemPerDay(most, days), (name, of), spend)])[0]

    def measure(self, *checks: RateCheck) -> list[Allowance]:
        """Return what is left of the rates of all *checks*, up to the first one that is exceeded.

        What comes after that one is not counted. Several checks take one trip to Redis.
        """
        if not self._figures.on:
            return []
        windows = [window for check in checks for window in self._list_windows(check)]
        return self._look(windows) if windows else []

    def _list_windows(self, check: RateCheck) -> list[RateWindow]:
        rate: Rate = getattr(self._figures, check.partition)
        text = rate.anonymous if check.client.anonymous else rate.rate
        who = (check.partition, check.client.name, *check.more)
        return [
            RateWindow(
                f"{check.partition}-{item.GRANULARITY.name}" if number else check.partition,
                item,
                who,
                check.spend,
            )
            for number, item in enumerate(_parse_rate(text) if text else ())
        ]

    def _look(self, windows: Sequence[RateWindow]) -> list[Allowance]:
        if self._shared is not None and not self._backoff.is_pausing():
            try:
                found = self._shared.look(windows)
            except (RedisError, OSError):
                self._failed = True
                self._backoff.fail()
            else:
                self._failed = False
                return found
        return self._own.look(windows)


@cache
def _parse_rate(text: str) -> tuple[RateLimitItem, ...]:
    """Return the windows of a rate: each is read from the figures once."""
    return tuple(parse_many(text))


class RefusalRefund:
    """Refunds for refused writes: each is counted when it comes, four fifths are given back afterwards.

    Each process keeps what its own refusals gave, at most a few writes of each client.
    """

    def __init__(self) -> None:
        self._fifths: BoundedCache[int] = BoundedCache(10_000)
        self._lock = threading.Lock()

    def add_refusal(self, client: Client) -> None:
        """Record a refused write of a client."""
        with self._lock:
            self._fifths.put(client.name, (self._fifths.get(client.name) or 0) + REFUSALS_PER_WRITE - 1)

    def take_refund(self, client: Client) -> bool:
        """Return True, and use up the refund, if the refused writes of a client pay for the next write."""
        with self._lock:
            fifths = self._fifths.get(client.name) or 0
            if fifths < REFUSALS_PER_WRITE:
                return False
            self._fifths.put(client.name, fifths - REFUSALS_PER_WRITE)
            return True


class InFlightCounter:
    """The numbers of requests of each client that one process is answering."""

    def __init__(self) -> None:
        self._present: Counter[str] = Counter()
        self._lock = threading.Lock()

    def enter(self, client: Client, most: int) -> bool:
        """Count one more request; return False if there are *most* already."""
        with self._lock:
            if self._present[client.name] >= most:
                return False
            self._present[client.name] += 1
            return True

    def leave(self, client: Client) -> None:
        """Count one request less."""
        with self._lock:
            self._present[client.name] -= 1
            if self._present[client.name] <= 0:
                del self._present[client.name]


class Lease:
    """One of the leases that a client may hold at a time, in all processes together."""

    def __init__(self, limiter: ConcurrencyLimiter, client: Client) -> None:
        self._limiter, self.client = limiter, client
        self.id = uuid.uuid4().hex
        self._renew_at = time.monotonic() + RENEWAL_SECONDS
        self._closed = False

    def renew_if_due(self) -> None:
        """Renew the lease if RENEWAL_SECONDS have passed."""
        if time.monotonic() >= self._renew_at:
            self._renew_at = time.monotonic() + RENEWAL_SECONDS
            self._limiter.renew(self)

    def close(self) -> None:
        """Release the lease; harmless when done twice."""
        if not self._closed:
            self._closed = True
            self._limiter.release(self)


class ConcurrencyLimiter:
    """The leases of a kind that clients hold. Without Redis each process counts its own."""

    def __init__(self, kind: str, redis: Redis | None) -> None:
        self._kind, self._redis = kind, redis
        self._here = InFlightCounter()

    def take(self, client: Client, most: int) -> Lease | None:
        """Return a lease, or None if the client has *most* already."""
        if not self._here.enter(client, most):
            return None
        lease = Lease(self, client)
        if self._register_lease(lease) > most:
            lease.close()
            return None
        return lease

    def renew(self, lease: Lease) -> None:
        """Renew a lease that is still in use."""
        self._register_lease(lease)

    def release(self, lease: Lease) -> None:
        """Release a lease."""
        self._here.leave(lease.client)
        if self._redis is not None:
            try:
                self._redis.zrem(self._key(lease), lease.id)
            except (RedisError, OSError):
                return  # its time will be over soon

    def _register_lease(self, lease: Lease) -> int:
        """Record a lease in Redis; return the number of leases of the client, 0 without Redis."""
        if self._redis is None:
            return 0
        now, key = time.time(), self._key(lease)
        try:
            pipe = self._redis.pipeline()
            pipe.zremrangebyscore(key, "-inf", now)
            pipe.zadd(key, {lease.id: now + LEASE_SECONDS})
            pipe.expire(key, math.ceil(LEASE_SECONDS))
            pipe.zcard(key)
            return int(pipe.execute()[-1])
        except (RedisError, OSError):
            return 0

    def _key(self, lease: Lease) -> str:
        return f"rutter:{self._kind}:{lease.client.name}"
