"""The live stream of a game: server-sent events, resumable."""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Iterator
from typing import Any

import msgspec
import structlog
from flask import Response, request

from events.base.timestamps import parse_timestamp
from events.rules.fact import Seat
from events.store.replay import UnknownGame
from events.table.game import Game
from events.table.record import Record
from service.application.authentication import get_account, read_bearer_secret
from service.application.authorization import get_permissions, require_visible
from service.application.container import Services, get_services
from service.application.game_context import GameContext, check_event, load_game_context
from service.application.game_presentation import present_game_for_viewer
from service.application.throttling import get_client, get_concurrency_limit, raise_too_many_requests
from service.base.rate_limits import Lease
from service.http import query_strings
from service.http.blueprint import LAST_EVENT_ID, Blueprint
from service.http.problems import DATABASE_AWAY, Problem, invalid_parameters
from service.openapi import response_structs
from service.presenters import game_presenter
from service.stores.spectator_delay import LAST_EVENT_TYPES, SpectatorLimit
from service.streaming.broadcaster import StreamOutlet, StreamPosition, StreamUpdate
from service.streaming.event_cache import PAGE
from service.streaming.stream_hub import HubFull, StreamListener

blp = Blueprint("stream", __name__, url_prefix="/v1", description="Games, live.")

CLOSING_MESSAGE = b"event: closing\ndata: {}\n\n"
POLL_SECONDS = 1.0
"""Seconds between two looks into the log while no hints come from other processes."""

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
    Then comes `event: event` with `id: <seq>` for each event as you may see it. As long as the game runs, a
    seat gets `event: turn` after the events of each command. It has the decisions and legal commands, as
    `GET .../decisions` has them, with the `seat`. So no other request is needed to play.
    What has been overtaken is left out. Comments are signs of life; `event: closing` announces that the
    server goes down, or that the token is not good any more: connect again with the last id.
    """
    after = read_last_event_id(query["after"])
    context = load_game_context(id, query["seat"])
    if after is not None:
        check_event(context.game, after)
    services = get_services()
    place, listener = open_stream(services, context.game.id)
    listener.outlet = _make_outlet(services, context, listener)
    return make_stream_response(
        _stream_messages(services, context, listener, after, place, read_bearer_secret()), place, listener
    )


def open_stream(services: Services, *words: str) -> tuple[Lease | None, StreamListener]:
    """Open one more stream, which follows *words*. Raises problems: 429, 503 where all places are taken."""
    place = _take_lease(services)
    try:
        try:
            return place, services.stream_hub.listen(*words)
        except HubFull:
            services.disconnects.poll()  # somebody may have gone this very moment
            return place, services.stream_hub.listen(*words)
    except HubFull:
        if place:
            place.close()
        detail = "Too many streams are open here. Try again in a moment, or ask now and then."
        raise Problem(503, "too_many_streams", detail, headers={"Retry-After": "5"}) from None


def make_stream_response(
    messages: Iterator[bytes], place: Lease | None, listener: StreamListener
) -> Response:
    """Return the response that streams *messages*."""
    answer = Response(messages, content_type="text/event-stream; charset=utf-8")
    answer.headers.update({"Cache-Control": "no-store", "Vary": "Authorization", "X-Accel-Buffering": "no"})
    answer.call_on_close(listener.close)
    if place:
        answer.call_on_close(place.close)
    _watch_disconnect(answer, listener)
    return answer


def _watch_disconnect(answer: Response, listener: StreamListener) -> None:
    """End the stream, and give its lease back, as soon as its client has gone."""
    connection = request.environ.get("gunicorn.socket")
    if connection is None:  # no server of ours
        return
    hangups = get_services().disconnects

    def end_stream() -> None:
        listener.closing = True
        listener.close()
        listener.wake()

    hangups.watch(connection, end_stream)
    answer.call_on_close(lambda: hangups.unwatch(connection))


def _take_lease(services: Services) -> Lease | None:
    """Take a lease for one more stream of this client; None without limits. Raises a 429 problem."""
    if not services.limits.on:
        return None
    client = get_client(get_account())
    allowed = get_concurrency_limit(services.limits.streams, client)
    place = services.stream_leases.take(client, allowed)
    if place is None:
        raise_too_many_requests("streams", f"You have {allowed} streams open. Close one of them, or wait.", 5)
    return place


def read_last_event_id(after: int | None) -> int | None:
    """Return the seq after which the stream goes on: that of the header, else *after*. Raises 400."""
    header = request.headers.get("Last-Event-ID")
    if header is None:
        return after
    if not re.fullmatch(r"[0-9]{1,16}", header):
        raise invalid_parameters(
            {"Last-Event-ID": ["Send the id of an event, which is its seq."]}, status=400
        )
    return int(header)


def _stream_messages(
    services: Services,
    context: GameContext,
    listener: StreamListener,
    after: int | None,
    place: Lease | None,
    secret: str | None,
) -> Iterator[bytes]:
    """Yield the text of the stream, while somebody reads it and the token *secret*, if any, is valid."""
    with listener:
        yield b"retry: 2000\n\n"
        if after is None:
            game = context.game
            yield encode_message(
                "game", present_game_for_viewer(services, game, game.seq, context.holders, context.viewer)
            )
            after = game.seq
        seat, ended, sight, asked = context.viewer.seat, context.game.has_ended, None, 0
        hinted = False
        while not listener.closing and _is_still_allowed(services, context, secret):
            # Through the eyes of a seat everything is seen up to the event by which its holder loses it.
            sight = _get_limit(services, context, after, sight) if seat is None else None
            complete = leaving = False
            for record in _read_new_records(services, context.game, after, sight, hinted=hinted):
                if record is None:
                    complete = True
                    break
                seat = _get_seat_after(seat, record) if record.seq > context.game.seq else seat
                ended = ended or record.type in LAST_EVENT_TYPES
                yield _encode_event(services, context.game, record, seat, ended=ended)
                after = record.seq
                leaving = record.type in _SEAT_LOSING_EVENTS and context.game.terms.delay is not None
                if leaving:  # whoever has left sees what follows later
                    break
            if complete and seat is not None and asked < after:
                awaited = _encode_turn_at(services, context.game.id, after, seat)
                asked = asked if awaited is None else after
                yield from [awaited] if awaited else []
            if not leaving:
                at = _update_outlet(listener, seat, context, StreamPosition(after, ended))
                hinted = bool((yield from wait_for_news(services, listener, sight.due if sight else None)))
                if listener.outlet is not None and listener.outlet.standing != at:  # told by others meanwhile
                    after = asked = listener.outlet.standing.seq
                    ended = listener.outlet.standing.ended
            if place:
                place.renew_if_due()
        yield CLOSING_MESSAGE


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
    return services.event_cache.encoded_message((game.id, record.seq, seat, ended), encode, keep=not erasable)


def _encode_turn_at(services: Services, game_id: str, seq: int, seat: Seat) -> bytes | None:
    """Return the turn message of *seat* after event *seq*, which ends a command; empty if overtaken.

    None where it cannot be known, because the database is away.
    """
    known = services.games.replay.find_cached(game_id)  # mostly whoever gave the command has left it there
    try:
        game = known if known is not None and known.seq == seq else services.event_cache.game_at(game_id, seq)
    except DATABASE_AWAY:
        return None
    if game.seq != seq or game.status != "running":  # then it is overtaken, and what is newest comes next
        return b""
    return encode_turn(services, game, seat)


def present_turn(game: Game, seat: Seat) -> response_structs.Turn:
    """Return the decisions of *game* and the legal commands of *seat*, as far as the seat may know them."""
    told = game_presenter.present_decisions(game, (seat,), name_seats=True)
    return response_structs.Turn(
        game.id, game.title_id, seat, told.seq, told.decisions, told.legal, told.complete
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


def _is_still_allowed(services: Services, context: GameContext, secret: str | None) -> bool:
    """Return True if the token is not revoked, and the game still visible to the viewer.

    True also while the database is away.
    """
    try:
        require_visible(services, context.viewer.account, context.game)
        return secret is None or services.tokens.find(secret) is not None
    except UnknownGame:
        return False
    except DATABASE_AWAY:
        return True


def _get_seat_after(seat: Seat | None, record: Record) -> Seat | None:
    """Return the seat of the viewer after *record*; None, a spectator, once the player has left theirs."""
    if seat is None or record.type not in _SEAT_LOSING_EVENTS:
        return seat
    data = msgspec.json.decode(record.envelope().data)
    if record.type == "SeatsSwapped":
        one, other = data["seats"]
        return {one: other, other: one}.get(seat, seat)
    return None if data["seat"] == seat else seat


def wait_for_news(
    services: Services, listener: StreamListener, due: str | None = None
) -> Generator[bytes, None, frozenset[str]]:
    """Wait until there may be something new; yield a sign of life where that takes long.

    With *due*, the known time of that, nothing else is waited for, and the log is not read meanwhile.
    Return the words of the hints; an empty set where anything may be new.
    """
    heartbeat = services.settings.heartbeat
    deadline = time.monotonic() + heartbeat
    while (left := deadline - time.monotonic()) > 0:
        if due is not None:
            ahead = (parse_timestamp(due) - parse_timestamp(services.games.now())) / 1_000_000
            if ahead <= 0 or listener.closing:
                return frozenset()
            listener.wait(min(left, ahead, POLL_SECONDS))
            continue
        hinted = services.hints.hearing
        heard = listener.wait(left if hinted else min(left, POLL_SECONDS))
        if heard or not hinted or listener.closing:
            return heard if hinted else frozenset()
    yield b": here\n\n"
    return frozenset()


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


def encode_message(event: str, data: Any, seq: int | None = None) -> bytes:
    """Return one message, with *seq* as its id if a stream can resume after it."""
    identity = b"" if seq is None else b"id: %d\n" % seq
    return b"event: %s\n%sdata: %s\n\n" % (event.encode(), identity, msgspec.json.encode(data))
