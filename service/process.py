"""What one process of the service holds: pool, games, accounts, seats, streams, key, names of bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask import current_app
from redis import Redis

from events.games import Games
from events.log import EventLog, Pool
from events.tlog.notes import SigningKey
from projections.hints import Hints
from service.accounts import Accounts
from service.counters import Counters
from service.disk import Disk
from service.pool import late_pool
from service.seats import Seats
from service.settings import Settings
from service.signing import load_signer
from service.streams import Hub


@dataclass(frozen=True)
class Process:
    """Everything that answering a request needs; there is one in each application."""

    settings: Settings
    pool: Pool
    games: Games
    accounts: Accounts
    seats: Seats
    hints: Hints
    hub: Hub
    signer: SigningKey
    counters: Counters
    disk: Disk
    bots: tuple[str, ...]
    """The names of the bots that may sit down, weakest first; told from outside: the workers have them."""

    def close(self) -> None:
        """Let go of connections and streams."""
        self.hub.stop()
        self.hints.stop()
        self.pool.close()


def build(settings: Settings, bots: tuple[str, ...]) -> Process:
    """What one process holds; nothing is connected before it is used."""
    pool = late_pool(settings.database_url, settings.connections)
    hub = Hub(settings.streams)
    hints = Hints(_redis(settings.redis_url))

    def appended(game_id: str, seq: int) -> None:
        hub.tell(game_id)
        hints.publish(game_id, seq)

    signer = load_signer(settings)
    games = Games(EventLog(pool), origin=signer.name, appended=appended)
    return Process(
        settings=settings,
        pool=pool,
        games=games,
        accounts=Accounts(pool),
        seats=Seats(pool),
        hints=hints,
        hub=hub,
        signer=signer,
        counters=Counters(),
        disk=Disk(settings.data),
        bots=bots,
    )


def _redis(url: str | None) -> Redis | None:
    """A client that gives up soon: no request may wait long for what it can do without."""
    return Redis.from_url(url, socket_connect_timeout=0.5, socket_timeout=1.5) if url else None


def process() -> Process:
    """What the process holds whose application answers now."""
    return cast("Process", current_app.extensions["rutter"])
