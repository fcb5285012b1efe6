"""Notifications: your turns in all your games, and your notices; also live, over one connection."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from functools import reduce
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Response, request

from events.table.engine import fold_one
from events.table.game import Game
from projections.messages.hints import NOTICE
from service.api.game_stream import encode_turn
from service.application import talk
from service.application.container import STREAM_HINT, TALK_HINT, Services
from service.application.live_streams import (
    encode_message,
    is_token_valid,
    make_stream_response,
    open_stream,
    read_last_event_id,
    stream_messages,
    wait_for_news,
)
from service.application.request_context import (
    get_services,
    read_bearer_secret,
    require_scopes,
    require_token,
)
from service.base.people import Account, Holders
from service.http import query_strings
from service.http.blueprint import LAST_EVENT_ID, Blueprint
from service.http.problems import DATABASE_AWAY
from service.http.responses import PRIVATE_HEADERS, json_response, lines_response, wants_lines
from service.openapi import response_structs
from service.stores.notifications import TurnCursor, get_game_ids
from service.stores.seat_claims import get_own_seats
from service.streaming.stream_hub import StreamListener

blp = Blueprint("feeds", __name__, url_prefix="/v1", description="Turns, notices and their live stream.")

READ = "game:read"
PAGE = 200


@blp.route("/me/turns")
@blp.doc(operationId="list_turns")
@blp.query(query_strings.TurnsQuery)
@blp.answers(200, "TurnList", "Your seats that must decide.")
@blp.problems(400, 401, 403, 503)
def list_turns(query: dict[str, Any]) -> Response:
    """List your turns in all your games, by deadline; turns without one come last. Needs `game:read`.

    Paused games have no turns. The list is updated within a moment after each event.
    """
    account = require_scopes(READ)
    return json_response(
        _list_turns(get_services(), account, query["after"], query["limit"]), headers=PRIVATE_HEADERS
    )


def _list_turns(
    services: Services, account: Account, after: str | None, limit: int
) -> response_structs.TurnList:
    found, end = services.notifications.list_turns(account, TurnCursor.read(after), limit)
    more = None if end is None else "/v1/me/turns?" + urlencode({"limit": limit, "after": end.text})
    return response_structs.TurnList(found, more)


@blp.route("/me/notices")
@blp.doc(operationId="list_notices")
@blp.query(query_strings.NoticesQuery)
@blp.answers(200, "NoticeList", "Your notices, the oldest first.")
@blp.problems(400, 401, 403, 503)
def list_notices(query: dict[str, Any]) -> Response:
    """List the notices of your account of the last 90 days. Needs `game:read`.

    With `Accept: application/x-ndjson` you get one notice per line. `position` counts 1, 2, 3 ... for each
    account. So a client that has read up to one position has missed none before it.
    """
    account = require_scopes(READ)
    notices = get_services().notifications.list_notices(account, query["after"], query["limit"])
    if wants_lines():
        return lines_response(notices)
    full = len(notices) == query["limit"]
    after = {"limit": query["limit"], "after": notices[-1].position} if full else {}
    more = f"/v1/me/notices?{urlencode(after)}" if full else None
    return json_response(response_structs.NoticeList(notices, more), headers=PRIVATE_HEADERS)


@blp.route("/me/stream")
@blp.doc(operationId="stream_me")
@blp.headers(LAST_EVENT_ID)
@blp.query(query_strings.AccountStreamQuery)
@blp.streams("AccountMessage")
@blp.problems(400, 401, 403, 503)
def stream_me(query: dict[str, Any]) -> Response:
    """Follow all your games over one connection. Needs `game:read`.

    The first message is `event: turns`: your seats that must decide. Then each notice comes under its type,
    with its `position` as id. Without `Last-Event-ID` or `after` you get only new notices. With `legal=true`
    you also get `event: turn` with the legal commands, after each command that leaves a decision to one of
    your seats. These messages are not stored. What is said at your tables from then on comes as
    `event: message`, without an id. A program can play all its games with this stream and
    `POST .../commands`. A second stream with the same token ends the first. The last message of the first is
    `event: closing` with `replaced`: do not connect again. After any other `closing`, connect again with the
    last id.
    """
    account = require_scopes(READ)
    after = read_last_event_id(query["after"])
    services, word = get_services(), f"{STREAM_HINT}:{require_token().id}"
    if request.method == "HEAD":
        return make_stream_response(iter(()), *open_stream(services))
    lease, listener = open_stream(services, word, f"{NOTICE}:{account.id}", f"{TALK_HINT}:{account.id}")
    services.stream_hub.end_streams_of(word, by=listener)
    services.hints.publish(word, 0)
    content = _AccountContent(services, account, listener, after, read_bearer_secret(), legal=query["legal"])
    return make_stream_response(stream_messages(content, listener, lease), lease, listener)


def _load_followed_game(services: Services, game_id: str, *, hinted: bool) -> tuple[Game, Holders]:
    """Return a running game and the holders of its seats, read once for all streams that follow it."""

    def read(before: tuple[Game, Holders] | None) -> tuple[Game, Holders]:
        game = (
            before[0]
            if before
            else services.games.replay.find_cached(game_id) or services.games.load(game_id)
        )
        while records := services.event_cache.records_after(game_id, game.seq, hinted=hinted):
            known = services.games.replay.find_cached(
                game_id
            )  # mostly the request that gave the command has left it there
            if known is not None and known.seq == records[-1].seq:
                game = known
            else:
                game = reduce(fold_one, records, game)
        services.games.replay.remember(game)
        return game, services.seat_claims.holders(game)

    return services.hint_cache.get(game_id, "played", read, hinted=hinted)


class _AccountTalk:
    """The talk at the tables of an account, from the beginning of its stream on, without ids."""

    def __init__(self, services: Services, account: Account) -> None:
        self._services, self._account = services, account
        self._known = talk.count_talks(services, talk.list_talking_games(services, account))
        """By talk the number of the newest message that was sent, or that was there before."""

    def new_messages(self, heard: frozenset[str]) -> Iterator[bytes]:
        """Yield what was said since the last look, if hints for it have woken us or may have."""
        if heard and f"{TALK_HINT}:{self._account.id}" not in heard:
            return
        services = self._services
        try:
            games = talk.list_talking_games(services, self._account)
            for stream, newest in talk.count_talks(services, games).items():
                known = self._known.get(stream, 0)
                if newest > known:
                    yield from self._messages_of(games[stream], known)
                    self._known[stream] = newest
        except DATABASE_AWAY:
            return

    def _messages_of(self, game_id: str, after: int) -> Iterator[bytes]:
        """Yield the messages of a game after one of them, while the account holds a seat in it."""
        game = self._services.games.load(game_id)
        if not get_own_seats(self._services.seat_claims.holders(game), self._account):
            return
        reader = talk.Reader(self._account)
        for message in talk.new_messages(self._services, game, talk.Sight(), reader, after, hinted=False):
            yield encode_message("message", message)


class _NoticePage(msgspec.Struct, frozen=True):
    """Notices of an account that follow on one of them."""

    written: list[tuple[int, bytes]]
    """Their positions, and the messages with them."""
    games: set[str]
    """The ids of the games that they are about."""


class _AccountContent:
    """The content of an account's stream: notices and turns, and which of them were sent.

    Notices after the number *after* follow on the first message; None: only new ones.
    """

    def __init__(
        self,
        services: Services,
        account: Account,
        listener: StreamListener,
        after: int | None,
        secret: str | None,
        *,
        legal: bool,
    ) -> None:
        self._services, self._account, self._listener = services, account, listener
        self._after, self._secret, self._legal = after, secret, legal
        self._word = f"{NOTICE}:{account.id}"
        self._owed = False
        """True if notices could not be read yet, so that they are owed."""
        self._newest = 0
        self._talk = _AccountTalk(services, account)
        self._games: dict[str, dict[int, int]] = {}
        """The event after which the legal commands were told last, by game and seat."""

    def first_messages(self) -> Iterator[bytes]:
        """Yield the turns of the account."""
        told = self._services.notifications
        self._newest = told.newest_position(self._account) if self._after is None else self._after
        self._follow_games(told.list_awaited_games(self._account) if self._legal else ())
        yield encode_message("turns", _list_turns(self._services, self._account, None, PAGE), self._newest)

    def is_allowed(self, heard: frozenset[str]) -> bool:
        """Return True if the token is not revoked, or if the database cannot be asked."""
        return is_token_valid(self._services, self._secret)

    def new_messages(self, heard: frozenset[str]) -> Iterator[bytes]:
        """Yield the new notices, and the turns of the account's seats."""
        yield from self._notice_messages(heard)
        yield from self._turn_messages(heard)
        yield from self._talk.new_messages(heard)

    def wait(self) -> Generator[bytes, None, frozenset[str]]:
        """Wait for news."""
        return (yield from wait_for_news(self._services, self._listener))

    def _notice_messages(self, woken: frozenset[str]) -> Iterator[bytes]:
        """Yield the new notices, if hints for them have woken us; an empty *woken* may mean any hint."""
        hinted = self._word in woken
        if woken and not hinted and not self._owed:
            return
        self._owed = True
        while True:
            try:
                page = self._read_page(hinted=hinted)
            except DATABASE_AWAY:
                return
            for position, written in page.written:
                yield written
                self._newest = position
            self._follow_games(page.games if self._legal else ())
            if len(page.written) < PAGE:
                self._owed = False
                return

    def _read_page(self, *, hinted: bool) -> _NoticePage:
        """Return the next notices, read and encoded once for all streams of the account."""

        def read(_: _NoticePage | None) -> _NoticePage:
            notices = self._services.notifications.list_notices(self._account, self._newest, PAGE)
            written = [(one.position, encode_message(one.type, one, one.position)) for one in notices]
            return _NoticePage(written, get_game_ids(notices))

        return self._services.hint_cache.get(self._word, ("notices", self._newest), read, hinted=hinted)

    def _turn_messages(self, woken: frozenset[str]) -> Iterator[bytes]:
        """Yield the turns of your seats in the games that *woken* names; in all games if it is empty."""
        for game_id in sorted(self._games):
            if not woken or game_id in woken or not self._games[game_id]:
                yield from self._turn_messages_in(game_id, hinted=game_id in woken)

    def _turn_messages_in(self, game_id: str, *, hinted: bool) -> Iterator[bytes]:
        try:
            game, holders = _load_followed_game(self._services, game_id, hinted=hinted)
        except DATABASE_AWAY:
            return
        seats = get_own_seats(holders, self._account)
        state = self._games[game_id]
        runs = game.status == "running" and game.paused is None
        awaited = game.title.list_awaited_seats(game.state) if runs else ()
        for seat in seats:
            if state.get(seat, 0) < game.seq and seat in awaited:
                yield encode_turn(self._services, game, seat)
        state.update(dict.fromkeys(seats or (-1,), game.seq))
        if game.has_ended:
            self._listener.leave(game_id)
            del self._games[game_id]

    def _follow_games(self, games: Iterable[str]) -> None:
        """Follow these games as well."""
        for game_id in games:
            if game_id not in self._games:
                self._games[game_id] = {}
                self._listener.follow(game_id)
