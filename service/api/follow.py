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
from service import present
from service.api.blueprint import LAST_EVENT_ID, Blueprint
from service.asking import asking, secret_of_request
from service.herald import News, Outlet, Standing
from service.limits import Place
from service.one_game import OneGame, check_event, meet
from service.permissions import insist_on_seeing, may
from service.process import Process, process
from service.schemas import shapes
from service.shown_game import shown
from service.spectators import ENDS, Sight
from service.streams import Full, Listener
from service.tails import PAGE
from service.throttle import client_of, most, refuse
from service.wire import queries
from service.wire.problems import AWAY, Problem, invalid

blp = Blueprint("stream", __name__, url_prefix="/v1", description="Games, live.")

CLOSING = b"event: closing\ndata: {}\n\n"
UNHINTED = 1.0
"""Seconds between two looks into the log while no hints come from other processes."""

log = structlog.get_logger("rutter.service")
_LEAVING = ("SeatVacated", "SeatFreed", "SeatsSwapped")
"""Events by which somebody may lose his seat."""


@blp.route("/games/<id>/stream")
@blp.doc(operationId="stream_game", security=[{}, {"token": []}])
@blp.headers(LAST_EVENT_ID)
@blp.query(queries.Follow)
@blp.streams("StreamMessage")
@blp.problems(400, 401, 403, 404, 503)
def stream_game(query: dict[str, Any], id: str) -> Response:
    """Follow a game.

    Without `Last-Event-ID` or `after` the stream begins with `event: game`, whose data is the whole game.
    Then comes `event: event` with `id: <seq>` for each event as I may see it. As long as the game runs, a
    seat is told by `event: turn` after the events of each command what the game now waits for and what it
    may do: as `GET .../decisions` tells it, with the `seat`, so that no other request is needed to play.
    What has been overtaken is left out. Comments are signs of life; `event: closing` announces that the
    server goes down, or that the token is not good any more: connect again with the last id.
    """
    after = last_seen(query["after"])
    met = meet(id, query["seat"])
    if after is not None:
        check_event(met.game, after)
    here = process()
    place, listener = opened(here, met.game.id)
    listener.outlet = _outlet(here, met, listener)
    return streamed(_follow(here, met, listener, after, place, secret_of_request()), place, listener)


def opened(here: Process, *words: str) -> tuple[Place | None, Listener]:
    """A place for one more stream, which follows *words*. Raises problems: 429, 503 where all are taken."""
    place = _place(here)
    try:
        try:
            return place, here.hub.listen(*words)
        except Full:
            here.hangups.look()  # somebody may have gone this very moment
            return place, here.hub.listen(*words)
    except Full:
        if place:
            place.close()
        detail = "Too many streams are open here. Try again in a moment, or ask now and then."
        raise Problem(503, "too_many_streams", detail, headers={"Retry-After": "5"}) from None


def streamed(messages: Iterator[bytes], place: Place | None, listener: Listener) -> Response:
    """The answer that consists of *messages*."""
    answer = Response(messages, content_type="text/event-stream; charset=utf-8")
    answer.headers.update({"Cache-Control": "no-store", "Vary": "Authorization", "X-Accel-Buffering": "no"})
    answer.call_on_close(listener.close)
    if place:
        answer.call_on_close(place.close)
    _notice_hangup(answer, listener)
    return answer


def _notice_hangup(answer: Response, listener: Listener) -> None:
    """Let the stream end, and give its place back, as soon as its client has gone."""
    connection = request.environ.get("gunicorn.socket")
    if connection is None:  # no server of ours
        return
    hangups = process().hangups

    def gone() -> None:
        listener.closing = True
        listener.close()
        listener.wake()

    hangups.watch(connection, gone)
    answer.call_on_close(lambda: hangups.leave(connection))


def _place(here: Process) -> Place | None:
    """A place for one more stream of this client; None where nobody is limited. Raises a 429 problem."""
    if not here.figures.on:
        return None
    client = client_of(asking())
    allowed = most(here.figures.streams, client)
    place = here.streams.take(client, allowed)
    if place is None:
        refuse("streams", f"You have {allowed} streams open. Close one of them, or wait.", 5)
    return place


def last_seen(after: int | None) -> int | None:
    """After what the stream is to go on: what the header says, else *after*. Raises a 400 problem."""
    header = request.headers.get("Last-Event-ID")
    if header is None:
        return after
    if not re.fullmatch(r"[0-9]{1,16}", header):
        raise invalid({"Last-Event-ID": ["Send the id of an event, which is its seq."]}, status=400)
    return int(header)


def _follow(
    process: Process,
    met: OneGame,
    listener: Listener,
    after: int | None,
    place: Place | None,
    secret: str | None,
) -> Iterator[bytes]:
    """The text of the stream, for as long as somebody reads it, and the token *secret*, if any, is good."""
    with listener:
        yield b"retry: 2000\n\n"
        if after is None:
            game = met.game
            yield message("game", shown(process, game, game.seq, met.holders, met.viewer))
            after = game.seq
        seat, ended, sight, asked = met.viewer.seat, met.game.has_ended, None, 0
        hinted = False
        while not listener.closing and _still_good(process, met, secret):
            # Through the eyes of a seat everything is seen up to the event by which its holder loses it.
            sight = _sight(process, met, after, sight) if seat is None else None
            complete = leaving = False
            for record in _new(process, met.game, after, sight, hinted=hinted):
                if record is None:
                    complete = True
                    break
                seat = _held(seat, record) if record.seq > met.game.seq else seat
                ended = ended or record.type in ENDS
                yield _event(process, met.game, record, seat, ended=ended)
                after = record.seq
                leaving = record.type in _LEAVING and met.game.terms.delay is not None
                if leaving:  # whoever has left sees what follows later
                    break
            if complete and seat is not None and asked < after:
                awaited = _turn(process, met.game.id, after, seat)
                asked = asked if awaited is None else after
                yield from [awaited] if awaited else []
            if not leaving:
                at = _offer(listener, seat, met, Standing(after, ended))
                hinted = bool((yield from rest(process, listener, sight.due if sight else None)))
                if listener.outlet is not None and listener.outlet.standing != at:  # told by others meanwhile
                    after = asked = listener.outlet.standing.seq
                    ended = listener.outlet.standing.ended
            if place:
                place.keep()
        yield CLOSING


def _outlet(here: Process, met: OneGame, listener: Listener) -> Outlet | None:
    """Where others may write what this stream is to tell; None where its own thread has to."""
    connection = request.environ.get("gunicorn.socket")
    chunked = request.method == "GET" and request.environ["SERVER_PROTOCOL"] == "HTTP/1.1"
    if connection is None or not chunked or met.game.terms.delay is not None:
        return None
    secret, game, seat = secret_of_request(), met.game, met.viewer.seat

    def news(since: Standing) -> News | None:
        return _news(here, game, seat, since)

    def may_hear() -> bool:
        return (
            not listener.closing
            and here.access.of(game) != "private"
            and (secret is None or here.tokens.is_known(secret))
        )

    return Outlet(connection, (game.id, seat), Standing(game.seq, game.has_ended), news, may_hear)


def _offer(listener: Listener, seat: Seat | None, met: OneGame, standing: Standing) -> Standing:
    """Let others write from *standing* on, unless whoever listens has lost the seat whose eyes he had."""
    if seat != met.viewer.seat:
        listener.outlet = None
    if listener.outlet is not None:
        listener.outlet.standing = standing
    return standing


def _news(process: Process, game: Game, seat: Seat | None, since: Standing) -> News | None:
    """What the stream of *seat* tells after *since*; None where it is much, or a seat was left."""
    texts: list[bytes] = []
    seq, ended = since.seq, since.ended
    while records := process.tails.after(game.id, seq, hinted=True):
        if len(texts) + len(records) >= PAGE or any(record.type in _LEAVING for record in records):
            return None
        for record in records:
            ended = ended or record.type in ENDS
            texts.append(_event(process, game, record, seat, ended=ended))
        seq = records[-1].seq
    if texts and seat is not None:
        awaited = _turn(process, game.id, seq, seat)
        if awaited is None:
            return None
        texts.append(awaited)
    return News(b"".join(texts), Standing(seq, ended))


def _event(process: Process, game: Game, record: Record, seat: Seat | None, *, ended: bool) -> bytes:
    """One event as *seat* may see it: written once for all who see the same."""

    def encode() -> bytes:
        text = process.texts.of(game.id, [record]).get(record.seq)
        return message("event", present.event(game, record, seat, text, ended=ended), record.seq)

    erasable = b'"text":"' in record.body
    return process.tails.message((game.id, record.seq, seat, ended), encode, keep=not erasable)


def _turn(process: Process, game_id: str, seq: int, seat: Seat) -> bytes | None:
    """What *seat* may do after event *seq*, with which a command ends; nothing where that is overtaken.

    None where that is not settled, because the database is away.
    """
    known = process.games.replay.find_cached(game_id)  # mostly whoever gave the command has left it there
    try:
        game = known if known is not None and known.seq == seq else process.tails.game(game_id, seq)
    except AWAY:
        return None
    if game.seq != seq or game.status != "running":  # then it is overtaken, and what is newest comes next
        return b""
    return turn_message(process, game, seat)


def turn(game: Game, seat: Seat) -> shapes.Turn:
    """What *game* waits for and what *seat* may do: all of it that the seat may know."""
    told = present.decisions(game, (seat,), name_seats=True)
    return shapes.Turn(game.id, game.title_id, seat, told.seq, told.decisions, told.legal, told.complete)


def turn_message(process: Process, game: Game, seat: Seat) -> bytes:
    """The message with it: written once for all streams of the seat, be they of the game or of an account."""

    def write(_: tuple[int, bytes] | None) -> tuple[int, bytes]:
        return game.seq, message("turn", turn(game, seat))

    seq, written = process.fresh.get(game.id, ("turn", seat), write, hinted=True)
    return written if seq == game.seq else write(None)[1]


def _sight(process: Process, met: OneGame, after: int, before: Sight | None) -> Sight | None:
    """How far whoever looks sees now; None where he sees everything at once, as it was *before* if None."""
    if met.game.terms.delay is None:
        return None
    try:
        if before is None:
            newest = process.games.load(met.game.id)
            if "see_now" in may(process, met.viewer.account, newest):
                return None
        return process.spectators.sight(met.newest, process.games.now(), look=True)
    except AWAY:
        return before or Sight(after, None)


def _still_good(process: Process, met: OneGame, secret: str | None) -> bool:
    """Whether the token was not revoked, and the game not hidden from whoever looks, since the stream began.

    A database that is away takes nothing away.
    """
    try:
        insist_on_seeing(process, met.viewer.account, met.game)
        return secret is None or process.tokens.find(secret) is not None
    except UnknownGame:
        return False
    except AWAY:
        return True


def _held(seat: Seat | None, record: Record) -> Seat | None:
    """Which seat looks on after *record*: whoever has left his is a spectator from that event on."""
    if seat is None or record.type not in _LEAVING:
        return seat
    data = msgspec.json.decode(record.envelope().data)
    if record.type == "SeatsSwapped":
        one, other = data["seats"]
        return {one: other, other: one}.get(seat, seat)
    return None if data["seat"] == seat else seat


def rest(
    process: Process, listener: Listener, due: str | None = None
) -> Generator[bytes, None, frozenset[str]]:
    """Until there may be something new; a sign of life where that takes long.

    Where it is known when that will be (*due*), nothing else is waited for, and nobody is asked meanwhile.
    Answers of what hints tell, nothing where it may be anything.
    """
    heartbeat = process.settings.heartbeat
    deadline = time.monotonic() + heartbeat
    while (left := deadline - time.monotonic()) > 0:
        if due is not None:
            ahead = (parse_timestamp(due) - parse_timestamp(process.games.now())) / 1_000_000
            if ahead <= 0 or listener.closing:
                return frozenset()
            listener.wait(min(left, ahead, UNHINTED))
            continue
        hinted = process.hints.hearing
        heard = listener.wait(left if hinted else min(left, UNHINTED))
        if heard or not hinted or listener.closing:
            return heard if hinted else frozenset()
    yield b": here\n\n"
    return frozenset()


def _new(
    process: Process, game: Game, after: int, sight: Sight | None, *, hinted: bool
) -> Iterator[Record | None]:
    """Events after *after*, read from the log: a hint is never believed, only followed.

    Then None, where these were all: so the last of them ends a command. What is beyond the *sight* of whoever
    looks is left out.
    """
    while sight is None or after < sight.seq:
        try:
            records = process.tails.after(game.id, after, hinted=hinted)
        except AWAY:
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


def message(event: str, data: Any, seq: int | None = None) -> bytes:
    """One message, with an id if it is one to go on after."""
    identity = b"" if seq is None else b"id: %d\n" % seq
    return b"event: %s\n%sdata: %s\n\n" % (event.encode(), identity, msgspec.json.encode(data))
