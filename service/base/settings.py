"""Settings of the service, from its environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from events.store.games import utc_now
from projections.base.server_clock import make_clock
from projections.messages.webhook_url import may_call_private
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
    quorum: int = 0
    """The number of witnesses that make a checkpoint valid; 0: more than half."""
    connections: int = 12
    """The most connections of one process to the database."""
    streams: int = 400
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
    log_requests: bool = True
    now: Callable[[], str] = utc_now
    """A function that returns the time as events record it."""
    thinking_seats: int = 24
    """The number of seats of thinking bots that may wait for each of their workers; 0: any number.

    With more no such bot takes a seat."""
    ladder: Path | None = None
    """The file with the results of `rutter ladder` for the bots; None: none are shown."""
    read_url: str | None = None
    """A copy of the database, such as a replica, from which old events are read; None: there is none."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read the settings from the environment variables that are named below; see the members.

        RUTTER_TRUSTED_PROXIES is how many proxies stand before the service, RUTTER_PROXIES their addresses or
        networks, with commas between; where neither is set, X-Forwarded-For is not believed.
        RUTTER_WITNESS_KEYS has spaces between vkeys. RUTTER_WEBHOOKS_PRIVATE=1 lets webhooks stay within the
        operator's own network.
        """
        env = os.environ if environment is None else environment
        return cls(
            database_url=env.get("DATABASE_URL", ""),
            redis_url=env.get("REDIS_URL") or None,
            data=Path(env["RUTTER_DATA"]) if env.get("RUTTER_DATA") else None,
            signing_key=env.get("RUTTER_SIGNING_KEY") or None,
            origin=env.get("RUTTER_ORIGIN") or None,
            log_state=Path(env["RUTTER_LOG_STATE"]) if env.get("RUTTER_LOG_STATE") else None,
            witnesses=tuple(env.get("RUTTER_WITNESS_KEYS", "").split()),
            quorum=int(env.get("RUTTER_QUORUM") or 0),
            connections=int(env.get("RUTTER_DB_CONNECTIONS", cls.connections)),
            streams=int(env.get("RUTTER_STREAMS", cls.streams)),
            beacon_url=env.get("RUTTER_DRAND_URL") or None,
            limits=env.get("RUTTER_LIMITS") or None,
            proxies=TrustedProxies.from_settings(
                env.get("RUTTER_TRUSTED_PROXIES", ""), env.get("RUTTER_PROXIES", "")
            ),
            metrics_token=env.get("RUTTER_METRICS_TOKEN") or None,
            private_webhooks=may_call_private(env),
            now=make_clock(env),
            thinking_seats=int(env.get("RUTTER_THINKING_SEATS", cls.thinking_seats)),
            ladder=Path(env["RUTTER_LADDER"]) if env.get("RUTTER_LADDER") else None,
            read_url=env.get("DATABASE_READ_URL") or None,
        )
