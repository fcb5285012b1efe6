"""Settings of the service, from its environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from events.base.settings import (
    DATABASE_READ_URL,
    DATABASE_URL,
    REDIS_URL,
    RUTTER_DATA,
    RUTTER_DB_CONNECTIONS,
    RUTTER_DRAND_URL,
    RUTTER_LADDER,
    RUTTER_LIMITS,
    RUTTER_LOG_STATE,
    RUTTER_METRICS_TOKEN,
    RUTTER_ORIGIN,
    RUTTER_PROXIES,
    RUTTER_PUSH_CONTACT,
    RUTTER_QUORUM,
    RUTTER_SIGNING_KEY,
    RUTTER_STREAMS,
    RUTTER_THINKING_SEATS,
    RUTTER_TRUSTED_PROXIES,
    RUTTER_WEBHOOKS_PRIVATE,
    RUTTER_WITNESS_KEYS,
    RUTTER_WITNESSES,
)
from events.store.games import utc_now
from projections.base.server_clock import make_clock
from service.base.client_address import NO_TRUSTED_PROXIES, TrustedProxies


@dataclass(frozen=True)
class Settings:
    """The settings of the service; production reads them with :meth:`from_environment`."""

    database_url: str
    redis_url: str | None = None
    """The address of Redis; None: no hints between processes, and live streams read the log every second."""
    data: Path | None = None
    """The folder of the signing key, unless *signing_key* gives it."""
    signing_key: str | None = None
    """The seed of the Ed25519 key, 64 hex digits; two of them while the key is being replaced."""
    origin: str | None = None
    """The name of the log, such as ``rutter.example/log``; None: as the database has it."""
    log_state: Path | None = None
    """The place where the newest signed tree is remembered; None: in the folder *data*."""
    witnesses: tuple[str, ...] = ()
    """The vkeys of the witnesses whose cosignatures are taken."""
    drop_boxes: tuple[str, ...] = ()
    """The addresses of witnesses from whose drop boxes reveals are collected."""
    quorum: int = 0
    """The number of witnesses that make a checkpoint valid; 0: more than half."""
    connections: int = RUTTER_DB_CONNECTIONS.default
    """The most connections of one process to the database."""
    streams: int = RUTTER_STREAMS.default
    """The most live streams of one process; each holds a thread."""
    heartbeat: float = 15.0
    """Seconds between two signs of life on a live stream."""
    beacon_url: str | None = None
    """The address for rounds of drand; None: no game may have a beacon."""
    limits: str | None = None
    """A file that changes figures of `limits.toml`, or `off`."""
    proxies: TrustedProxies = NO_TRUSTED_PROXIES
    """The proxies whose X-Forwarded-For is believed."""
    metrics_token: str | None = None
    """The bearer token of `/metrics`; without one it is shown to this machine only."""
    private_webhooks: bool = False
    """True if webhooks may call the operator's own network, by http and on any port: for tests."""
    push_contact: str = ""
    """The address of the operator for push services; empty: no Web Push."""
    log_requests: bool = True
    now: Callable[[], str] = utc_now
    """A function that returns the time as events record it."""
    thinking_seats: int = RUTTER_THINKING_SEATS.default
    """The number of seats of thinking bots that may wait for each of their workers; 0: any number.

    With more no such bot takes a seat."""
    ladder: Path | None = None
    """The file with the results of `rutter ladder` for the bots; None: none are shown."""
    read_url: str | None = None
    """A copy of the database, such as a replica, from which old events are read; None: there is none."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read them from environment variables (see :mod:`events.base.settings`). Raises WrongSetting."""
        return cls(
            database_url=DATABASE_URL.read(environment),
            redis_url=REDIS_URL.read(environment) or None,
            data=RUTTER_DATA.read(environment),
            signing_key=RUTTER_SIGNING_KEY.read(environment),
            origin=RUTTER_ORIGIN.read(environment) or None,
            log_state=RUTTER_LOG_STATE.read(environment),
            witnesses=RUTTER_WITNESS_KEYS.read(environment),
            drop_boxes=RUTTER_WITNESSES.read(environment),
            quorum=RUTTER_QUORUM.read(environment),
            connections=RUTTER_DB_CONNECTIONS.read(environment),
            streams=RUTTER_STREAMS.read(environment),
            beacon_url=RUTTER_DRAND_URL.read(environment) or None,
            limits=RUTTER_LIMITS.read(environment) or None,
            proxies=TrustedProxies(
                RUTTER_TRUSTED_PROXIES.read(environment), RUTTER_PROXIES.read(environment)
            ),
            metrics_token=RUTTER_METRICS_TOKEN.read(environment) or None,
            private_webhooks=RUTTER_WEBHOOKS_PRIVATE.read(environment),
            push_contact=RUTTER_PUSH_CONTACT.read(environment),
            now=make_clock(environment),
            thinking_seats=RUTTER_THINKING_SEATS.read(environment),
            ladder=RUTTER_LADDER.read(environment),
            read_url=DATABASE_READ_URL.read(environment) or None,
        )
