"""What I am told: whose turn it is in all my games, and my notices; also live, over one connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Response, request

from events.table.folding import fold_one
from events.table.game import Game
from projections.messages.hints import NOTICE
from service.accounts import Account
from service.api.blueprint import LAST_EVENT_ID, Blueprint
from service.api.follow import CLOSING, last_seen, message, opened, rest, streamed, turn_message
from service.asking import permitted, secret_of_request, signed_in
from service.feeds import Place as PageEnd
from service.feeds import of_games
from service.limits import Place
from service.process import STREAM, Process, process
from service.schemas import shapes
from service.seats import Holders, mine
from service.streams import Listener
from service.wire import queries
from service.wire.answers import PRIVATE, json_answer
from service.wire.problems import AWAY

blp = Blueprint("feeds", __name__, url_prefix="/v1", description="What I am told.")

NDJSON = "application/x-ndjson"
READ = "game:read"
PAGE = 200


@blp.route("/me/turns")
@blp.doc(operationId="list_turns")
@blp.query(queries.AwaitedPage)
@blp.answers(200, "TurnList", "The seats of mine that games wait for.")
@blp.problems(400, 401, 403, 503)
def list_turns(query: dict[str, Any]) -> Response:
    """Where it is my turn, in all my games: by deadline, those without one last. Needs `game:read`.

    Games that are paused wait for nobody. The list follows the log within a moment.
    """
    account = signed_in(READ)
    return json_answer(_turns(process(), account, query["after"], query["limit"]), headers=PRIVATE)


def _turns(here: Process, account: Account, after: str | None, limit: int) -> shapes.TurnList:
    found, end = here.feeds.turns(account, PageEnd.read(after), limit)
    more = None if end is None else "/v1/me/turns?" + urlencode({"limit": limit, "after": end.text})
    return shapes.TurnList(found, more)


@blp.route("/me/notices")
@blp.doc(operationId="list_notices")
@blp.query(queries.Told)
@blp.answers(200, "NoticeList", "What I was told, the oldest first.")
@blp.problems(400, 401, 403, 503)
def list_notices(query: dict[str, Any]) -> Response:
    """What my account was told in the last 90 days. Needs `game:read`.

    With `Accept: application/x-ndjson` one notice a line. `position` counts 1, 2, 3 ... for each account;
    whoever has read up to one of them has missed none before it.
    """
    account = signed_in(READ)
    notices = process().feeds.notices(account, query["after"], query["limit"])
    if request.accept_mimetypes.best_match(["application/json", NDJSON], "application/json") == NDJSON:
        return Response(msgspec.json.Encoder().encode_lines(notices), headers=PRIVATE, content_type=NDJSON)
    full = len(notices) == query["limit"]
    after = {"limit": query["limit"], "after": notices[-1].position} if full else {}
    more = f"/v1/me/notices?{urlencode(after)}" if full else None
    return json_answer(shapes.NoticeList(notices, more), headers=PRIVATE)


@blp.route("/me/stream")
@blp.doc(operationId="stream_me")
@blp.headers(LAST_EVENT_ID)
@blp.query(queries.FollowAccount)
@blp.streams("AccountMessage")
@blp.problems(400, 401, 403, 503)
def stream_me(query: dict[str, Any]) -> Response:
    """Follow all my games over one connection. Needs `game:read`.

    The first message is `event: turns`, the seats of mine that games wait for. Then each notice comes as it
    is told, under its type, with its `position` as id; without `Last-Event-ID` or `after` only new ones. With
    `legal=true` there is also `event: turn`, which is not kept, after each command on which a seat of mine
    is awaited: what it may do, so that a program plays all its games with this and `POST .../commands`
    alone. A second stream with the same token ends the first, whose last message is `event: closing` with
    `replaced`: do not connect again then. Any other `closing` means: connect again with the last id.
    """
    account = signed_in(READ)
    after = last_seen(query["after"])
    here, word = process(), f"{STREAM}:{permitted().id}"
    if request.method == "HEAD":
        return streamed(iter(()), *opened(here))
    place, listener = opened(here, word, f"{NOTICE}:{account.id}")
    here.hub.replace(word, by=listener)
    here.hints.publish(word, 0)
    follower = _Follower(here, account, listener, legal=query["legal"])
    return streamed(_follow(follower, after, place, secret_of_request()), place, listener)


def _follow(
    follower: _Follower, after: int | None, place: Place | None, secret: str | None
) -> Iterator[bytes]:
    """The text of the stream, while somebody reads it, the token is good and no other is in its place."""
    listener = follower.listener
    with listener:
        yield b"retry: 2000\n\n"
        yield follower.begin(after)
        woken: frozenset[str] = frozenset()
        while not listener.closing and follower.still_good(secret):
            yield from follower.news(woken)
            yield from follower.turns(woken)
            woken = yield from rest(follower.here, listener)
            if place:
                place.keep()
        yield message("closing", {"replaced": True}) if listener.replaced else CLOSING


def _played(here: Process, game_id: str, *, hinted: bool) -> tuple[Game, Holders]:
    """A game that goes on and who sits there: read once for all who follow it, by whatever stream."""

    def read(before: tuple[Game, Holders] | None) -> tuple[Game, Holders]:
        game = before[0] if before else here.games.replay.find_cached(game_id) or here.games.load(game_id)
        while records := here.tails.after(game_id, game.seq, hinted=hinted):
            known = here.games.replay.find_cached(
                game_id
            )  # mostly whoever gave the command has left it there
            if known is not None and known.seq == records[-1].seq:
                game = known
            else:
                game = reduce(fold_one, records, game)
        here.games.replay.remember(game)
        return game, here.seats.holders(game)

    return here.fresh.get(game_id, "played", read, hinted=hinted)


class _Page(msgspec.Struct, frozen=True):
    """Notices of an account that follow on one of them."""

    written: list[tuple[int, bytes]]
    """Their positions, and the messages with them."""
    games: set[str]
    """What they are about."""


class _Follower:
    """What one stream has told its account."""

    def __init__(self, here: Process, account: Account, listener: Listener, *, legal: bool) -> None:
        self.here, self.account, self.listener = here, account, listener
        self._legal = legal
        self._word = f"{NOTICE}:{account.id}"
        self._owed = False
        """Whether notices could not be read."""
        self._newest = 0
        self._games: dict[str, dict[int, int]] = {}
        """By game and seat after which event what it may do was told last."""

    def begin(self, after: int | None) -> bytes:
        """The first message; notices come after the one of the number *after*, else only new ones."""
        self._newest = self.here.feeds.newest(self.account) if after is None else after
        self._see(self.here.feeds.awaited_games(self.account) if self._legal else ())
        return message("turns", _turns(self.here, self.account, None, PAGE), self._newest)

    def still_good(self, secret: str | None) -> bool:
        """Whether the token was not revoked; a database that is away takes nothing away."""
        try:
            return secret is None or self.here.tokens.find(secret) is not None
        except AWAY:
            return True

    def news(self, woken: frozenset[str]) -> Iterator[bytes]:
        """What is new of the notices, if it is they that have woken us (nothing known: it may be)."""
        hinted = self._word in woken
        if woken and not hinted and not self._owed:
            return
        self._owed = True
        while True:
            try:
                page = self._page(hinted=hinted)
            except AWAY:
                return
            for position, written in page.written:
                yield written
                self._newest = position
            self._see(page.games if self._legal else ())
            if len(page.written) < PAGE:
                self._owed = False
                return

    def _page(self, *, hinted: bool) -> _Page:
        """The next notices: read and written once for all streams of the account."""

        def read(_: _Page | None) -> _Page:
            notices = self.here.feeds.notices(self.account, self._newest, PAGE)
            written = [(one.position, message(one.type, one, one.position)) for one in notices]
            return _Page(written, of_games(notices))

        return self.here.fresh.get(self._word, ("notices", self._newest), read, hinted=hinted)

    def turns(self, woken: frozenset[str]) -> Iterator[bytes]:
        """What my seats may do in the games that have grown (nothing known: in all)."""
        for game_id in sorted(self._games):
            if not woken or game_id in woken or not self._games[game_id]:
                yield from self._turns_in(game_id, hinted=game_id in woken)

    def _turns_in(self, game_id: str, *, hinted: bool) -> Iterator[bytes]:
        try:
            game, holders = _played(self.here, game_id, hinted=hinted)
        except AWAY:
            return
        seats = mine(holders, self.account)
        told = self._games[game_id]
        awaited = game.title.awaited(game.state) if game.status == "running" and game.paused is None else ()
        for seat in seats:
            if told.get(seat, 0) < game.seq and any(decision.seat == seat for decision in awaited):
                yield turn_message(self.here, game, seat)
        told.update(dict.fromkeys(seats or (-1,), game.seq))
        if game.has_ended:
            self.listener.leave(game_id)
            del self._games[game_id]

    def _see(self, games: Iterable[str]) -> None:
        """Follow these games as well."""
        for game_id in games:
            if game_id not in self._games:
                self._games[game_id] = {}
                self.listener.follow(game_id)
