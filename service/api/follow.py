"""The live stream of a game: server-sent events, resumable."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import msgspec
import structlog
from flask import Response, request
from msgspec.structs import replace

from events.fact import Seat
from events.game import Game
from events.recent import Recent
from events.record import Record
from events.replay import NoSuchEvent, UnknownGame
from service import present
from service.api.blueprint import Blueprint
from service.asking import asking, secret_of_request
from service.limits import Place
from service.one_game import OneGame, meet
from service.permissions import insist_on_seeing
from service.process import Process, process
from service.schemas import shapes
from service.streams import Full, Listener
from service.throttle import client_of, most, refuse
from service.wire import queries
from service.wire.problems import AWAY, Problem, invalid

blp = Blueprint("stream", __name__, url_prefix="/v1", description="Games, live.")

PAGE = 200
UNHINTED = 1.0
"""Seconds between two looks into the log while no hints come from other processes."""

log = structlog.get_logger("rutter.service")
_TAILS: Recent[list[Record]] = Recent(500)
"""Events after an event, shared by the streams that stand at the same place. Never empty, so never wrong."""


@blp.route("/games/<id>/stream")
@blp.doc(
    operationId="stream_game",
    security=[{}, {"token": []}],
    parameters=[
        {
            "in": "header",
            "name": "Last-Event-ID",
            "description": "The id of the last event that was received; the stream goes on after it.",
            "schema": {"type": "string", "pattern": "^[0-9]{1,16}$"},
        }
    ],
)
@blp.query(queries.Follow)
@blp.response(200, "StreamMessage", content_type="text/event-stream", description="Server-sent events.")
@blp.problems(400, 401, 403, 404, 503)
def stream_game(query: dict[str, Any], id: str) -> Response:
    """Follow a game.

    Without `Last-Event-ID` or `after` the stream begins with `event: game`, whose data is the whole game.
    Then comes `event: event` with `id: <seq>` for each event as I may see it. Comments are signs of life;
    `event: closing` announces that the server goes down, or that the token is not good any more: connect
    again with the last id.
    """
    after = _last_seen(query["after"])
    met = meet(id, query["seat"])
    if after is not None and after > met.game.seq:
        raise NoSuchEvent(f"the newest event of this game is {met.game.seq}")
    here = process()
    place = _place(here)
    try:
        listener = here.hub.listen(met.game.id)
    except Full:
        if place:
            place.close()
        detail = "Too many streams are open here. Try again in a moment, or poll .../events?after=SEQ."
        raise Problem(503, "too_many_streams", detail, headers={"Retry-After": "5"}) from None
    answer = Response(
        _follow(here, met, listener, after, place, secret_of_request()),
        content_type="text/event-stream; charset=utf-8",
    )
    answer.headers.update({"Cache-Control": "no-store", "Vary": "Authorization", "X-Accel-Buffering": "no"})
    answer.call_on_close(listener.close)
    if place:
        answer.call_on_close(place.close)
    return answer


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


def _last_seen(after: int | None) -> int | None:
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
            yield _message("game", _shown(process, met))
            after = game.seq
        seat = met.viewer.seat
        while not listener.closing and _still_good(process, met, secret):
            for record in _new(process, met.game, after):
                seat = _held(seat, record) if record.seq > met.game.seq else seat
                text = process.texts.of(met.game.id, [record]).get(record.seq)
                yield _message("event", present.event(met.game, record, seat, text), record.seq)
                after = record.seq
            yield from _rest(process, listener)
            if place:
                place.keep()
        yield b"event: closing\ndata: {}\n\n"


def _shown(process: Process, met: OneGame) -> shapes.Game:
    shown = present.game(met.game, met.game.seq, met.holders, met.viewer, process.games.now())
    return replace(shown, visibility=process.access.of(met.game))


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
    if seat is None or record.type not in ("SeatVacated", "SeatFreed", "SeatsSwapped"):
        return seat
    data = msgspec.json.decode(record.envelope().data)
    if record.type == "SeatsSwapped":
        one, other = data["seats"]
        return {one: other, other: one}.get(seat, seat)
    return None if data["seat"] == seat else seat


def _rest(process: Process, listener: Listener) -> Iterator[bytes]:
    """Until there may be something new; a sign of life where that takes long."""
    heartbeat = process.settings.heartbeat
    deadline = time.monotonic() + heartbeat
    while (left := deadline - time.monotonic()) > 0:
        hinted = process.hints.hearing
        if listener.wait(left if hinted else min(left, UNHINTED)) or not hinted or listener.closing:
            return
    yield b": here\n\n"


def _new(process: Process, game: Game, after: int) -> Iterator[Record]:
    """Events after *after*, read from the log: a hint is never believed, only followed."""
    while True:
        key = (game.id, after)
        records = _TAILS.get(key)
        if records is None:
            try:
                records = process.games.records(game.id, after, PAGE)
            except AWAY:
                log.warning("stream_waits_for_database", game=game.id)
                return
            if not records:
                return
            _TAILS.put(key, records)
        yield from records
        after = records[-1].seq


def _message(event: str, data: Any, seq: int | None = None) -> bytes:
    identity = b"" if seq is None else b"id: %d\n" % seq
    return b"event: %s\n%sdata: %s\n\n" % (event.encode(), identity, msgspec.json.encode(data))
