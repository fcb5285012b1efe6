"""The live stream of a game: server-sent events, resumable."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import msgspec
import structlog
from flask import Response, request

from events.rules.fact import Seat
from events.store.games import UnknownGame
from events.table.game import Game
from events.table.record import Record
from events.talk.state import talk_id
from service.application import talk
from service.application.authorization import get_permissions, require_visible
from service.application.container import PRESENCE_HINT, TALK_HINT, Services
from service.application.game_context import GameContext, check_event, load_game_context
from service.application.game_presentation import present_game_for_viewer
from service.application.live_streams import (
    ANYTHING,
    encode_message,
    is_token_valid,
    make_stream_response,
    open_stream,
    read_last_event_id,
    stream_messages,
    wait_for_news,
)
from service.application.request_context import get_services, read_bearer_secret
from service.http import query_strings
from service.http.blueprint import LAST_EVENT_ID, Blueprint
from service.http.problems import DATABASE_AWAY
from service.openapi import response_structs
from service.presenters import game_presenter
from service.stores.spectator_delay import LAST_EVENT_TYPES, SpectatorLimit
from service.streaming.broadcaster import StreamOutlet, StreamPosition, StreamUpdate
from service.streaming.event_cache import PAGE
from service.streaming.presence import Audience
from service.streaming.stream_hub import StreamListener

blp = Blueprint("stream", __name__, url_prefix="/v1", description="Live streams of games.")


log = structlog.get_logger("rutter.service")
_SEAT_LOSING_EVENTS = ("SeatVacated", "SeatFreed", "SeatsSwapped")
"""Events by which a player may lose their seat."""


@blp.route("/games/<id>/stream")
@blp.doc(operationId="stream_game", security=[{}, {"token": []}])
@blp.headers(LAST_EVENT_ID)
@blp.query(query_strings.StreamQuery)
@blp.streams("StreamMessage")
@blp.problems(400, 401, 403, 404, 503)
def stream_game(query: dict[str, Any], id: str) -> Response:
    """Follow a game.

    Without `Last-Event-ID` or `after` the stream begins with `event: game`, whose data is the whole game.
    Then comes `event: event` with `id: <seq>` for each event as you may see it. While the game runs, a seat
    gets `event: turn` after the events of each command. Its data is the `seat`, with the decisions and legal
    commands of `GET .../decisions`. So you need no other request to play. Outdated turns are left out.
    What is said at the table from then on comes as `event: message`, without an id. A message that is erased
    comes again, with `hidden`. With `presence=true` comes `event: presence`, without an id: the seats whose
    players have the game open with `presence=true`, and the number of spectators. It comes when they change,
    at most once in five seconds, and never to spectators of a game with a `delay`.
    Comments keep the connection alive. `event: closing` announces that the server
    stops, or that the token is no longer valid: connect again with the last id.
    """
    after = read_last_event_id(query["after"])
    context = load_game_context(id, query["seat"])
    if after is not None:
        check_event(context.game, after)
    services = get_services()
    words = [context.game.id, f"{TALK_HINT}:{talk_id(context.game.id)}"]
    if query["presence"]:
        words.append(f"{PRESENCE_HINT}:{context.game.id}")
    lease, listener = open_stream(services, *words)
    listener.outlet = _make_outlet(services, context, listener)
    content = _GameContent(services, context, listener, after, read_bearer_secret())
    answer = make_stream_response(stream_messages(content, listener, lease), lease, listener)
    if query["presence"] and request.method == "GET":
        account = context.viewer.account
        answer.call_on_close(services.presence.enter(context.game.id, account.id if account else None))
        services.presence.start()
        content.tells_presence = True
    return answer


class _GameContent:
    """The content of a game's stream, as its viewer may see it."""

    def __init__(
        self,
        services: Services,
        context: GameContext,
        listener: StreamListener,
        after: int | None,
        secret: str | None,
    ) -> None:
        self._services, self._context, self._listener = services, context, listener
        self._secret = secret
        self._is_whole = after is None
        self._after = context.game.seq if after is None else after
        self._asked = 0
        """The event after which the turn of the seat was sent last."""
        self._seat = context.viewer.seat
        self._ended = context.game.has_ended
        self._sight: SpectatorLimit | None = None
        self._leaving = False
        """True if the seat was just left where spectators see later: what follows is read by their limit."""
        self._talk = _TalkContent(services, context, listener)
        self.tells_presence = False
        """True if the stream tells who else has the game open."""
        self._audience: Audience | None = None
        """The audience that was told last."""

    def first_messages(self) -> Iterator[bytes]:
        """Yield the game, unless the stream goes on after an event."""
        if self._is_whole:
            services, context, game = self._services, self._context, self._context.game
            told = present_game_for_viewer(services, game, game.seq, context.holders, context.viewer)
            yield encode_message("game", told)

    def is_allowed(self, heard: frozenset[str]) -> bool:
        """Return True if the token is not revoked, and the game still visible to the viewer.

        True also while the database is away.
        """
        try:
            require_visible(self._services, self._context.viewer.account, self._context.game)
        except UnknownGame:
            return False
        except DATABASE_AWAY:
            return True
        return is_token_valid(self._services, self._secret)

    def new_messages(self, heard: frozenset[str]) -> Iterator[bytes]:
        """Yield the events that are new, and the turn of the seat behind the last of a command."""
        services, context = self._services, self._context
        # Through the eyes of a seat everything is seen up to the event by which its holder loses it.
        self._sight = _get_limit(services, context, self._after, self._sight) if self._seat is None else None
        complete = self._leaving = False
        for record in _read_new_records(services, context.game, self._after, self._sight, hinted=bool(heard)):
            if record is None:
                complete = True
                break
            if record.seq > context.game.seq:
                self._seat = _get_seat_after(self._seat, record)
            self._ended = self._ended or record.type in LAST_EVENT_TYPES
            yield _encode_event(services, context.game, record, self._seat, ended=self._ended)
            self._after = record.seq
            self._leaving = record.type in _SEAT_LOSING_EVENTS and context.game.terms.delay is not None
            if self._leaving:  # a player who has left sees what follows later
                break
        if complete and self._seat is not None and self._asked < self._after:
            awaited = _encode_turn_at(services, context.game.id, self._after, self._seat)
            if awaited is not None:
                self._asked = self._after
                yield from [awaited] if awaited else []
        if not self._leaving:
            yield from self._talk.new_messages(heard, self._sight)
            yield from self._new_presence()

    def _new_presence(self) -> Iterator[bytes]:
        """Yield the audience if it is new; never to a spectator who sees the game later."""
        if self._sight is not None:  # not even by the times of signs of life, which what wakes us shifts
            self._listener.leave(f"{PRESENCE_HINT}:{self._context.game.id}")
            return
        audience = self._services.presence.get(self._context.game.id) if self.tells_presence else None
        if audience is not None and audience != self._audience:
            self._audience = audience
            yield encode_message(
                "presence", response_structs.Presence(list(audience.seats), audience.spectators)
            )

    def wait(self) -> Generator[bytes, None, frozenset[str]]:
        """Wait for news, which others may write meanwhile; not at all where the seat was just left."""
        listener = self._listener
        if self._leaving:
            return ANYTHING
        at = _update_outlet(listener, self._seat, self._context, StreamPosition(self._after, self._ended))
        known = (self._sight.due if self._sight else None, self._talk.due)
        due = min((one for one in known if one is not None), default=None)
        heard = yield from wait_for_news(self._services, listener, due)
        if listener.outlet is not None and listener.outlet.standing != at:  # told by others meanwhile
            self._after = self._asked = listener.outlet.standing.seq
            self._ended = listener.outlet.standing.ended
        return heard


class _TalkContent:
    """The talk of a game in its stream: what is said from the beginning of the stream on, without ids."""

    def __init__(self, services: Services, context: GameContext, listener: StreamListener) -> None:
        self._services, self._context, self._listener = services, context, listener
        asked = request.args.get("seat")
        seat = context.viewer.seat if asked not in (None, "spectator") else None
        self._reader = talk.Reader(context.viewer.account, seat, public=asked == "spectator")
        self._talks = context.newest.terms.talk != "none"
        self._after = 0
        """The number of the newest message that was sent, or that was there before."""
        if self._talks:
            newest, account = context.newest, context.viewer.account
            at_once = newest.terms.delay is None or "see_now" in get_permissions(services, account, newest)
            sight = talk.get_sight(services, newest, at_once=at_once)
            self._after = talk.newest_number(services, newest, sight)
        self._limit: SpectatorLimit | None = None
        """The limit of a delayed spectator at the last look."""
        self.due: str | None = None
        """The time at which a spectator sees a message that they may not see yet."""

    def new_messages(self, heard: frozenset[str], limit: SpectatorLimit | None) -> Iterator[bytes]:
        """Yield what was said or erased since the last look, if hints for it have woken us or may have.

        *limit* is that of a spectator who sees the game later, None of all others.
        """
        services, game = self._services, self._context.newest
        erased = sorted(map(int, self._listener.take_details()))
        if not self._talks or not (erased or self._may_be_new(heard, limit)):
            return
        at_once, self._limit = limit is None, limit
        try:
            newest = services.games.load(game.id)
            sight = talk.get_sight(services, newest, at_once=at_once)
            for message in talk.read_erased_messages(services, newest, sight, self._reader, erased):
                if message.n <= self._after:  # else it was not sent, and is erased where it is sent
                    yield encode_message("message", message)
            for message in talk.new_messages(
                services, newest, sight, self._reader, self._after, hinted=bool(heard)
            ):
                yield encode_message("message", message)
                self._after = message.n
            self.due = None if at_once else talk.find_due(services, newest, self._after)
        except DATABASE_AWAY:
            return

    def _may_be_new(self, heard: frozenset[str], limit: SpectatorLimit | None) -> bool:
        """Return True if something that the viewer sees may have been said since the last look."""
        if f"{TALK_HINT}:{talk_id(self._context.game.id)}" in heard:
            return True
        if limit is None:
            return not heard
        if self._limit is None or self._limit.seq != limit.seq:
            return True
        if self.due is not None:
            return self.due <= self._services.games.now()
        return not heard and limit.due is None


def _make_outlet(services: Services, context: GameContext, listener: StreamListener) -> StreamOutlet | None:
    """Return an outlet in which others may write for this stream; None where its own thread has to."""
    connection = request.environ.get("gunicorn.socket")
    chunked = request.method == "GET" and request.environ["SERVER_PROTOCOL"] == "HTTP/1.1"
    if connection is None or not chunked or context.game.terms.delay is not None:
        return None
    secret, game, seat = read_bearer_secret(), context.game, context.viewer.seat

    def collect(since: StreamPosition) -> StreamUpdate | None:
        return _collect_update(services, game, seat, since)

    def may_hear() -> bool:
        return (
            not listener.closing
            and services.visibility.get(game) != "private"
            and (secret is None or services.tokens.is_cached(secret))
        )

    return StreamOutlet(
        connection, (game.id, seat), StreamPosition(game.seq, game.has_ended), collect, may_hear
    )


def _update_outlet(
    listener: StreamListener, seat: Seat | None, context: GameContext, standing: StreamPosition
) -> StreamPosition:
    """Let others write from *standing* on, unless the viewer has lost the seat that they had."""
    if seat != context.viewer.seat:
        listener.outlet = None
    if listener.outlet is not None:
        listener.outlet.standing = standing
    return standing


def _collect_update(
    services: Services, game: Game, seat: Seat | None, since: StreamPosition
) -> StreamUpdate | None:
    """Return the update of the stream of *seat* after *since*; None where it is long, or a seat was left."""
    texts: list[bytes] = []
    seq, ended = since.seq, since.ended
    while records := services.event_cache.records_after(game.id, seq, hinted=True):
        if len(texts) + len(records) >= PAGE or any(record.type in _SEAT_LOSING_EVENTS for record in records):
            return None
        for record in records:
            ended = ended or record.type in LAST_EVENT_TYPES
            texts.append(_encode_event(services, game, record, seat, ended=ended))
        seq = records[-1].seq
    if texts and seat is not None:
        awaited = _encode_turn_at(services, game.id, seq, seat)
        if awaited is None:
            return None
        texts.append(awaited)
    return StreamUpdate(b"".join(texts), StreamPosition(seq, ended))


def _encode_event(services: Services, game: Game, record: Record, seat: Seat | None, *, ended: bool) -> bytes:
    """Return the message of one event as *seat* may see it, encoded once for all who see the same."""

    def encode() -> bytes:
        text = services.texts.texts_of_records(game.id, [record]).get(record.seq)
        return encode_message(
            "event", game_presenter.present_event(game, record, seat, text, ended=ended), record.seq
        )

    erasable = b'"text":"' in record.body
    return services.event_cache.get_encoded_message(
        (game.id, record.seq, seat, ended), encode, keep=not erasable
    )


def _encode_turn_at(services: Services, game_id: str, seq: int, seat: Seat) -> bytes | None:
    """Return the turn message of *seat* after event *seq*, which ends a command; empty if overtaken.

    None where it cannot be known, because the database is away.
    """
    known = services.games.replay.find_cached(game_id)  # left by the request, mostly
    try:
        game = known if known is not None and known.seq == seq else services.event_cache.game_at(game_id, seq)
    except DATABASE_AWAY:
        return None
    if game.seq != seq or game.status != "running":  # then it is overtaken, and what is newest comes next
        return b""
    return encode_turn(services, game, seat)


def present_turn(game: Game, seat: Seat) -> response_structs.Turn:
    """Return the decisions of *game* and the legal commands of *seat*, as far as the seat may know them."""
    decisions = game_presenter.present_decisions(game, (seat,), name_seats=True)
    return response_structs.Turn(
        game.id,
        game.title_id,
        seat,
        decisions.seq,
        decisions.decisions,
        decisions.legal,
        decisions.replaceable,
        decisions.complete,
        decisions.undo,
    )


def encode_turn(services: Services, game: Game, seat: Seat) -> bytes:
    """Return the turn message, encoded once for all streams of the seat, of the game or of an account."""

    def write(_: tuple[int, bytes] | None) -> tuple[int, bytes]:
        return game.seq, encode_message("turn", present_turn(game, seat))

    seq, written = services.hint_cache.get(game.id, ("turn", seat), write, hinted=True)
    return written if seq == game.seq else write(None)[1]


def _get_limit(
    services: Services, context: GameContext, after: int, before: SpectatorLimit | None
) -> SpectatorLimit | None:
    """Return the limit of what the viewer sees now; None if they see everything at once.

    If *before*, the previous limit, is None, their permissions are checked. While the database is away the
    answer is *before*, or else event *after*.
    """
    if context.game.terms.delay is None:
        return None
    try:
        if before is None:
            newest = services.games.load(context.game.id)
            if "see_now" in get_permissions(services, context.viewer.account, newest):
                return None
        return services.spectator_delay.get_limit(context.newest, services.games.now(), look=True)
    except DATABASE_AWAY:
        return before or SpectatorLimit(after, None)


def _get_seat_after(seat: Seat | None, record: Record) -> Seat | None:
    """Return the seat of the viewer after *record*; None, a spectator, once the player has left theirs."""
    if seat is None or record.type not in _SEAT_LOSING_EVENTS:
        return seat
    data = msgspec.json.decode(record.envelope().data)
    if record.type == "SeatsSwapped":
        one, other = data["seats"]
        swapped: dict[Seat, Seat] = {one: other, other: one}
        return swapped.get(seat, seat)
    return None if data["seat"] == seat else seat


def _read_new_records(
    services: Services, game: Game, after: int, sight: SpectatorLimit | None, *, hinted: bool
) -> Iterator[Record | None]:
    """Yield the events after *after*, read from the log: a hint is never believed, only followed.

    At the end it yields None if these were all: so the last of them ends a command. Events beyond *sight*,
    the limit of the viewer, are left out.
    """
    while sight is None or after < sight.seq:
        try:
            records = services.event_cache.records_after(game.id, after, hinted=hinted)
        except DATABASE_AWAY:
            log.warning("stream_waits_for_database", game=game.id)
            return
        if not records:
            yield None
            return
        for record in records:
            if sight is not None and record.seq > sight.seq:
                return
            yield record
        after = records[-1].seq
