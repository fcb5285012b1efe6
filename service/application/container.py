"""The services of one process: pool, games, accounts, seats, streams, key, names of bots."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import structlog

from events.rules.fact import Seat
from events.store.event_log import EventLog, Pool
from events.store.games import Games
from events.store.replica import ReplicaLog
from events.store.signing_keys import Keyring, load_seeds
from events.store.talks import Talks
from events.store.tournaments import Tournaments
from events.table.game import Game
from events.tlog.notes import SigningKey
from projections.base.redis_client import redis_client
from projections.health.cluster_nodes import ClusterNodes
from projections.messages.hints import Hints
from projections.tree.append_guard import ReceiptSigner
from projections.tree.drop_boxes import DropBoxes
from projections.tree.log_state import LogState
from projections.tree.replica import Replica
from service.base.bot_catalogue import BotCatalogue
from service.base.client_address import TrustedProxies
from service.base.database import make_lazy_pool, retry_on_disconnect
from service.base.disk_space import DiskSpace
from service.base.people import Account
from service.base.rate_limits import (
    ConcurrencyLimiter,
    InFlightCounter,
    LimitSettings,
    RateLimiter,
    RefusalRefund,
)
from service.base.request_metrics import RequestMetrics
from service.base.settings import Settings
from service.stores.accounts import Accounts
from service.stores.bans import Bans
from service.stores.clubs import Clubs
from service.stores.directors import TableDirectors
from service.stores.invitations import Invitations
from service.stores.messages import Messages, Mutes
from service.stores.notes import Notes
from service.stores.notifications import Notifications
from service.stores.push_subscriptions import PushSubscriptions
from service.stores.ratings import Ratings
from service.stores.seat_claims import SeatClaims
from service.stores.seat_reservations import SeatReservations
from service.stores.signup import Signup
from service.stores.spectator_delay import SpectatorDelay
from service.stores.stream_visibility import StreamVisibility
from service.stores.texts import Texts
from service.stores.tokens import Tokens
from service.stores.tournament_people import TournamentPeople
from service.stores.vacations import Vacations
from service.stores.webhooks import Webhooks
from service.streaming.client_disconnects import DisconnectWatcher
from service.streaming.event_cache import EventCache
from service.streaming.hint_cache import HintCache
from service.streaming.presence import Presence
from service.streaming.stream_hub import StreamHub

TOKEN_HINT, ACCOUNT_HINT, STREAM_HINT, TALK_HINT = "token", "account", "stream", "talk"
PRESENCE_HINT = "presence"
"""The prefixes of ids in hints that are not of a game: see :mod:`projections.messages.hints`."""

log = structlog.get_logger("rutter.service")

CONNECT_SECONDS, ANSWER_SECONDS = 0.5, 1.5
"""Seconds in which Redis has to accept a connection, and to answer."""


@dataclass(frozen=True)
class Services:
    """Everything that answering a request needs; there is one in each application."""

    settings: Settings
    pool: Pool
    replica: Replica | None
    """The copy of the database for old events; None without one."""
    nodes: ClusterNodes
    """The machines of the database."""
    games: Games
    drop_boxes: DropBoxes
    """The drop boxes of witnesses that reveals are collected from."""
    tournaments: Tournaments
    tournament_people: TournamentPeople
    talks: Talks
    messages: Messages
    mutes: Mutes
    accounts: Accounts
    tokens: Tokens
    signup: Signup
    seat_claims: SeatClaims
    directors: TableDirectors
    visibility: StreamVisibility
    clubs: Clubs
    invitations: Invitations
    reservations: SeatReservations
    spectator_delay: SpectatorDelay
    texts: Texts
    vacations: Vacations
    notes: Notes
    bans: Bans
    ratings: Ratings
    notifications: Notifications
    push_subscriptions: PushSubscriptions
    webhooks: Webhooks
    hints: Hints
    stream_hub: StreamHub
    presence: Presence
    event_cache: EventCache
    """The cache of what streams read of the log."""
    hint_cache: HintCache
    """The cache of the other answers that streams share."""
    disconnects: DisconnectWatcher
    """The watcher for stream clients that disconnect."""
    receipts: ReceiptSigner
    keyring: Keyring
    request_metrics: RequestMetrics
    limits: LimitSettings
    """The limits of one client."""
    rate_limiter: RateLimiter
    refusal_refund: RefusalRefund
    """The part of the write limit that refused writes have given back."""
    in_flight: InFlightCounter
    """The requests that are being answered."""
    stream_leases: ConcurrencyLimiter
    """The count of live streams by client."""
    disk_space: DiskSpace
    bot_catalogue: BotCatalogue
    """The bots and engines that may take seats; given from outside: the workers have them."""

    def advance_opening(self, game: Game) -> Game:
        """Return *game* after all that the server does by itself before it begins."""
        return self.drop_boxes.advance_opening(self.games, game)

    @property
    def signer(self) -> SigningKey:
        """The key that signs receipts. Raises :class:`ReadOnly` where nothing may be signed."""
        return self.receipts.require_signer()

    @retry_on_disconnect
    def get_frozen_seq(self, game_id: str) -> int | None:
        """Return the last event that a log covers of a game in which nothing can follow; else None."""
        return self.receipts.find_frozen(game_id)

    @property
    def proxies(self) -> TrustedProxies:
        """The proxies that are believed when they name the client of a request."""
        return self.settings.proxies

    def receive_hint(self, hint: str) -> None:
        """Take a hint of another process that a game has grown, or of something else: see above."""
        kind, _, one = hint.rpartition(":")
        if kind == TOKEN_HINT:
            self.tokens.forget(one)
        elif kind == ACCOUNT_HINT:
            self._drop_account_caches()
        elif kind == STREAM_HINT:
            self.stream_hub.end_streams_of(hint)
        elif kind == TALK_HINT:
            word, _, message = hint.partition("/")
            self.stream_hub.notify(word, wake=True, detail=message)
        elif kind == PRESENCE_HINT:
            self.presence.receive_change(one)
        else:  # those who follow the game, or what the account is told
            self.games.replay.mark_stale(hint)
            self.stream_hub.notify(hint)

    def has_streams(self) -> bool:
        """Return True if a live stream is open here: nobody else waits for a hint."""
        return self.stream_hub.count > 0

    def handle_lost_hints(self) -> None:
        """Forget all that hints might have told of: some may have been lost."""
        self._drop_account_caches()

    def announce_account_change(self, account: Account) -> None:
        """Announce that an account has another name, or is gone: here and elsewhere it is looked up again."""
        self._drop_account_caches()
        self.hints.publish(f"{ACCOUNT_HINT}:{account.id}", 0)

    def _drop_account_caches(self) -> None:
        self.tokens.forget_all()
        self.seat_claims.forget_all()
        self.tournament_people.forget_all()

    def close(self) -> None:
        """Let go of connections and streams."""
        self.stream_hub.stop()
        self.presence.stop()
        self.hints.stop()
        self.pool.close()
        if self.replica is not None:
            self.replica.pool.close()


def build_services(settings: Settings, offered: BotCatalogue) -> Services:
    """Build the services of one process; nothing is connected before it is used."""
    figures = LimitSettings.load(settings.limits)
    pool = make_lazy_pool(settings.database_url, settings.connections, figures.wait)
    hints = Hints(
        # It gives up soon: no request may wait long for what it can do without.
        redis_client(
            settings.redis_url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=ANSWER_SECONDS
        )
        if settings.redis_url
        else None
    )
    hub = StreamHub(settings.streams, hints)
    keyring = Keyring(pool, _load_key_seeds(settings), settings.origin)
    receipts = ReceiptSigner(
        pool, keyring, LogState.locate(settings.log_state, settings.data), retry=retry_on_disconnect
    )

    tokens = Tokens(pool, lambda token_id: hints.publish(f"{TOKEN_HINT}:{token_id}", 0))
    seats, clubs = SeatClaims(pool), Clubs(pool)
    events, copy = EventLog(pool, receipts.check), _make_replica(settings, figures, pool)
    games = Games(
        events,
        origin=lambda: keyring.origin,
        now=settings.now,
        appended=hints.announce,
        past=ReplicaLog(events, copy) if copy else None,
        find_bot=offered.find_bot,
    )
    return Services(
        settings=settings,
        pool=pool,
        replica=copy,
        nodes=ClusterNodes(events.machines),
        games=games,
        drop_boxes=DropBoxes(settings.drop_boxes),
        tournaments=Tournaments(
            games.log, origin=lambda: keyring.origin, now=settings.now, appended=hints.announce
        ),
        tournament_people=TournamentPeople(pool),
        talks=Talks(games.log, games, appended=hints.announce),
        messages=Messages(pool),
        mutes=Mutes(pool),
        accounts=Accounts(pool),
        tokens=tokens,
        signup=Signup(pool, tokens),
        seat_claims=seats,
        directors=TableDirectors(pool, seats, clubs),
        visibility=StreamVisibility(pool),
        clubs=clubs,
        invitations=Invitations(pool),
        reservations=SeatReservations(pool),
        spectator_delay=SpectatorDelay(pool),
        texts=Texts(pool),
        vacations=Vacations(pool),
        notes=Notes(pool),
        bans=Bans(pool),
        ratings=Ratings(pool),
        notifications=Notifications(pool),
        push_subscriptions=PushSubscriptions(pool),
        webhooks=Webhooks(pool),
        hints=hints,
        stream_hub=hub,
        presence=_make_presence(hints, hub, games, seats),
        event_cache=EventCache(games.records, games.load, hub.last_notified),
        hint_cache=HintCache(hub.last_notified),
        disconnects=DisconnectWatcher(),
        receipts=receipts,
        keyring=keyring,
        request_metrics=RequestMetrics(),
        limits=figures,
        rate_limiter=RateLimiter(figures, settings.redis_url),
        refusal_refund=RefusalRefund(),
        in_flight=InFlightCounter(),
        stream_leases=ConcurrencyLimiter("streams", hints.redis),
        disk_space=DiskSpace(settings.data),
        bot_catalogue=offered,
    )


def _make_replica(settings: Settings, figures: LimitSettings, newest: Pool) -> Replica | None:
    if settings.read_url is None:
        return None
    copy = make_lazy_pool(settings.read_url, settings.connections, figures.wait, reading=True)
    return Replica(copy, newest)


def _make_presence(hints: Hints, hub: StreamHub, games: Games, claims: SeatClaims) -> Presence:
    def find_seats(game_id: str, accounts: Iterable[str]) -> dict[str, tuple[Seat, ...]]:
        held: dict[str, tuple[Seat, ...]] = dict.fromkeys(accounts, ())
        for seat, holder in sorted(claims.holders(games.load(game_id)).items()):
            if holder.id in held:
                held[holder.id] += (seat,)
        return held

    return Presence(
        hints.redis,
        find_seats=find_seats,
        publish=lambda game_id: hints.publish(f"{PRESENCE_HINT}:{game_id}", 0),
        notify=lambda game_id: hub.notify(f"{PRESENCE_HINT}:{game_id}", wake=True),
    )


def _load_key_seeds(settings: Settings) -> tuple[bytes, ...]:
    """Return the seeds of the signing keys; none where they cannot be read.

    Games can then be looked at, and nothing is accepted.
    """
    try:
        return load_seeds(settings.signing_key, settings.data)
    except (OSError, ValueError) as error:
        log.error("no_signing_key", reason=str(error))  # noqa: TRY400 - the reason is all there is to tell
        return ()
