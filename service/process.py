"""What one process of the service holds: pool, games, accounts, seats, streams, key, names of bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import structlog
from flask import current_app
from redis import Redis

from events.store.event_log import EventLog, Pool
from events.store.games import Games
from events.store.replica import ReplicaLog
from events.store.signing_keys import Keyring, load_seeds
from events.store.tournaments import Tournaments
from events.tlog.notes import SigningKey
from projections.base.redis_client import redis_client
from projections.health.cluster_nodes import ClusterNodes
from projections.messages.hints import Hints
from projections.tree.append_guard import AppendGuard
from projections.tree.log_state import LogState
from projections.tree.replica import Replica
from service.access import Access
from service.accounts import Account, Accounts
from service.bans import Bans
from service.clubs import Clubs
from service.counters import Counters
from service.directors import Directors
from service.disk import Disk
from service.entrants import Entrants
from service.feeds import Feeds
from service.fresh import Fresh
from service.hangups import Hangups
from service.invitations import Invitations
from service.limits import Credit, Crowd, Figures, Places, Rates
from service.notes import Notes
from service.offered import Offered
from service.pool import late_pool, patient
from service.ratings import Ratings
from service.receipts import Receipts
from service.reservations import Reservations
from service.seats import Seats
from service.settings import Settings
from service.signup import Signup
from service.spectators import Spectators
from service.streams import Hub
from service.tails import Tails
from service.texts import Texts
from service.tokens import Tokens
from service.vacations import Vacations
from service.webhooks import Webhooks
from service.wire.addresses import Proxies

TOKEN, ACCOUNT, STREAM = "token", "account", "stream"
"""What stands before an id in a hint that is not of a game: see :mod:`projections.messages.hints`."""

log = structlog.get_logger("rutter.service")

ANSWER_SECONDS = 1.5
"""In which Redis has to answer."""


@dataclass(frozen=True)
class Process:
    """Everything that answering a request needs; there is one in each application."""

    settings: Settings
    pool: Pool
    copy: Replica | None
    """Of a copy of the database, for old events."""
    nodes: ClusterNodes
    """The machines of the database."""
    games: Games
    tournaments: Tournaments
    entrants: Entrants
    accounts: Accounts
    tokens: Tokens
    signup: Signup
    seats: Seats
    directors: Directors
    access: Access
    clubs: Clubs
    invitations: Invitations
    reservations: Reservations
    spectators: Spectators
    texts: Texts
    vacations: Vacations
    notes: Notes
    bans: Bans
    ratings: Ratings
    feeds: Feeds
    webhooks: Webhooks
    hints: Hints
    hub: Hub
    tails: Tails
    """What streams read of the log."""
    fresh: Fresh
    """What else they share."""
    hangups: Hangups
    """Who of their clients goes."""
    receipts: Receipts
    keyring: Keyring
    standing: AppendGuard
    counters: Counters
    figures: Figures
    """The limits of one client."""
    rates: Rates
    credit: Credit
    """What refused writes have given back."""
    crowd: Crowd
    """The requests that are being answered."""
    streams: Places
    """Who has how many live streams."""
    disk: Disk
    offered: Offered
    """The bots and engines that may sit down; told from outside: the workers have them."""

    @property
    def signer(self) -> SigningKey:
        """What signs receipts. Raises :class:`ReadOnly` where nothing may be signed."""
        return self.receipts.signer()

    @patient
    def frozen(self, game_id: str) -> int | None:
        """Of a game in which nothing can follow: the last event that a log vouches for."""
        return self.standing.frozen(game_id)

    @property
    def proxies(self) -> Proxies:
        """Who is believed when he says for whom he asks."""
        return self.settings.proxies

    def heard(self, hint: str) -> None:
        """Another process tells that a game has grown, or something else: see above."""
        kind, _, one = hint.rpartition(":")
        if kind == TOKEN:
            self.tokens.forget(one)
        elif kind == ACCOUNT:
            self._forget_accounts()
        elif kind == STREAM:
            self.hub.replace(hint)
        else:  # whoever follows the game, or what the account is told
            self.games.replay.mark_stale(hint)
            self.hub.tell(hint)

    def missed(self) -> None:
        """Hints may have been lost: nothing is believed that they might have told of."""
        self._forget_accounts()

    def changed(self, account: Account) -> None:
        """An account has another name, or is gone: here and elsewhere it is looked up again."""
        self._forget_accounts()
        self.hints.publish(f"{ACCOUNT}:{account.id}", 0)

    def _forget_accounts(self) -> None:
        self.tokens.forget_all()
        self.seats.forget_all()
        self.entrants.forget_all()

    def close(self) -> None:
        """Let go of connections and streams."""
        self.hub.stop()
        self.hints.stop()
        self.pool.close()
        if self.copy is not None:
            self.copy.pool.close()


def build(settings: Settings, offered: Offered) -> Process:
    """What one process holds; nothing is connected before it is used."""
    figures = Figures.load(settings.limits)
    pool = late_pool(settings.database_url, settings.connections, figures.wait)
    hub = Hub(settings.streams)
    hints = Hints(_redis(settings.redis_url))

    def appended(game_id: str, seq: int) -> None:
        hub.tell(game_id)
        hints.tell(game_id, seq)

    keyring = Keyring(pool, _seeds(settings), settings.origin)
    standing = AppendGuard(pool, keyring, LogState.locate(settings.log_state, settings.data))

    @patient
    def signer() -> SigningKey:
        standing.check()
        return keyring.signer

    @patient
    def covers(game_id: str, n: int) -> None:
        standing.require_covered(game_id, n)

    tokens = Tokens(pool, lambda token_id: hints.publish(f"{TOKEN}:{token_id}", 0))
    seats, clubs = Seats(pool), Clubs(pool)
    events, copy = EventLog(pool, standing.check), _copy(settings, figures, pool)
    games = Games(
        events,
        origin=lambda: keyring.origin,
        now=settings.now,
        appended=appended,
        past=ReplicaLog(events, copy) if copy else None,
    )
    return Process(
        settings=settings,
        pool=pool,
        copy=copy,
        nodes=ClusterNodes(pool),
        games=games,
        tournaments=Tournaments(
            games.log, origin=lambda: keyring.origin, now=settings.now, appended=appended
        ),
        entrants=Entrants(pool),
        accounts=Accounts(pool),
        tokens=tokens,
        signup=Signup(pool, tokens),
        seats=seats,
        directors=Directors(pool, seats, clubs),
        access=Access(pool),
        clubs=clubs,
        invitations=Invitations(pool),
        reservations=Reservations(pool),
        spectators=Spectators(pool),
        texts=Texts(pool),
        vacations=Vacations(pool),
        notes=Notes(pool),
        bans=Bans(pool),
        ratings=Ratings(pool),
        feeds=Feeds(pool),
        webhooks=Webhooks(pool),
        hints=hints,
        hub=hub,
        tails=Tails(games.records, games.load, hub.told),
        fresh=Fresh(hub.told),
        hangups=Hangups(),
        receipts=Receipts(signer, covers),
        keyring=keyring,
        standing=standing,
        counters=Counters(),
        figures=figures,
        rates=Rates(figures, settings.redis_url),
        credit=Credit(),
        crowd=Crowd(),
        streams=Places("streams", hints.redis),
        disk=Disk(settings.data),
        offered=offered,
    )


def _copy(settings: Settings, figures: Figures, newest: Pool) -> Replica | None:
    if settings.read_url is None:
        return None
    copy = late_pool(settings.read_url, settings.connections, figures.wait, reading=True)
    return Replica(copy, newest)


def _seeds(settings: Settings) -> tuple[bytes, ...]:
    """The keys, none where they cannot be read: then games can be looked at, and nothing is accepted."""
    try:
        return load_seeds(settings.signing_key, settings.data)
    except (OSError, ValueError) as error:
        log.error("no_signing_key", reason=str(error))  # noqa: TRY400 - the reason is all there is to tell
        return ()


def _redis(url: str | None) -> Redis | None:
    """A client that gives up soon: no request may wait long for what it can do without."""
    return redis_client(url, socket_connect_timeout=0.5, socket_timeout=ANSWER_SECONDS) if url else None


def process() -> Process:
    """What the process holds whose application answers now."""
    return cast("Process", current_app.extensions["rutter"])
