"""What one process of the service holds: pool, games, accounts, seats, streams, key, names of bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import structlog
from flask import current_app
from redis import Redis

from events.games import Games
from events.log import EventLog, Pool
from events.signing import Keyring, load_seeds
from events.tlog.notes import SigningKey
from projections.hints import Hints
from projections.tree.log_state import LogState
from projections.tree.standing import Standing
from service.access import Access
from service.accounts import Account, Accounts
from service.counters import Counters
from service.directors import Directors
from service.disk import Disk
from service.limits import Credit, Crowd, Figures, Places, Rates
from service.pool import late_pool, patient
from service.receipts import Receipts
from service.seats import Seats
from service.settings import Settings
from service.signup import Signup
from service.streams import Hub
from service.texts import Texts
from service.tokens import Tokens
from service.vacations import Vacations
from service.wire.addresses import Proxies

TOKEN, ACCOUNT = "token", "account"
"""What stands before an id in a hint that is not of a game."""

log = structlog.get_logger("rutter.service")

ANSWER_SECONDS = 1.5
"""In which Redis has to answer."""


@dataclass(frozen=True)
class Process:
    """Everything that answering a request needs; there is one in each application."""

    settings: Settings
    pool: Pool
    games: Games
    accounts: Accounts
    tokens: Tokens
    signup: Signup
    seats: Seats
    directors: Directors
    access: Access
    texts: Texts
    vacations: Vacations
    hints: Hints
    hub: Hub
    receipts: Receipts
    keyring: Keyring
    standing: Standing
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
    bots: tuple[str, ...]
    """The names of the bots that may sit down, weakest first; told from outside: the workers have them."""

    @property
    def signer(self) -> SigningKey:
        """What signs receipts. Raises :class:`events.log.ReadOnly` where nothing may be signed."""
        return self.receipts.signer()

    @property
    def proxies(self) -> Proxies:
        """Who is believed when he says for whom he asks."""
        return self.settings.proxies

    def heard(self, hint: str) -> None:
        """Another process tells that a game has grown, a token was revoked, or an account has changed."""
        kind, _, one = hint.rpartition(":")
        if kind == TOKEN:
            self.tokens.forget(one)
        elif kind == ACCOUNT:
            self._forget_accounts()
        else:
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

    def close(self) -> None:
        """Let go of connections and streams."""
        self.hub.stop()
        self.hints.stop()
        self.pool.close()


def build(settings: Settings, bots: tuple[str, ...]) -> Process:
    """What one process holds; nothing is connected before it is used."""
    figures = Figures.load(settings.limits)
    pool = late_pool(settings.database_url, settings.connections, figures.wait)
    hub = Hub(settings.streams)
    hints = Hints(_redis(settings.redis_url))

    def appended(game_id: str, seq: int) -> None:
        hub.tell(game_id)
        hints.publish(game_id, seq)

    keyring = Keyring(pool, _seeds(settings), settings.origin)
    standing = Standing(pool, keyring, LogState.at(settings.log_state, settings.data))

    @patient
    def signer() -> SigningKey:
        standing.check()
        return keyring.signer

    tokens = Tokens(pool, lambda token_id: hints.publish(f"{TOKEN}:{token_id}", 0))
    seats = Seats(pool)
    games = Games(
        EventLog(pool, standing.check), origin=lambda: keyring.origin, now=settings.now, appended=appended
    )
    return Process(
        settings=settings,
        pool=pool,
        games=games,
        accounts=Accounts(pool),
        tokens=tokens,
        signup=Signup(pool, tokens),
        seats=seats,
        directors=Directors(pool, seats),
        access=Access(pool),
        texts=Texts(pool),
        vacations=Vacations(pool),
        hints=hints,
        hub=hub,
        receipts=Receipts(signer),
        keyring=keyring,
        standing=standing,
        counters=Counters(),
        figures=figures,
        rates=Rates(figures, settings.redis_url),
        credit=Credit(),
        crowd=Crowd(),
        streams=Places("streams", hints.redis),
        disk=Disk(settings.data),
        bots=bots,
    )


def _seeds(settings: Settings) -> tuple[bytes, ...]:
    """The keys, none where they cannot be read: then games can be looked at, and nothing is accepted."""
    try:
        return load_seeds(settings.signing_key, settings.data)
    except (OSError, ValueError) as error:
        log.error("no_signing_key", reason=str(error))  # noqa: TRY400 - the reason is all there is to tell
        return ()


def _redis(url: str | None) -> Redis | None:
    """A client that gives up soon: no request may wait long for what it can do without."""
    return Redis.from_url(url, socket_connect_timeout=0.5, socket_timeout=ANSWER_SECONDS) if url else None


def process() -> Process:
    """What the process holds whose application answers now."""
    return cast("Process", current_app.extensions["rutter"])
