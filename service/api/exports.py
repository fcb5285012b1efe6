"""Exports of many games at once, a line each, for statistics and learning."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from flask import Response, request, stream_with_context

from events.rules.catalogue import RulesMissing
from events.store.archived_games import ArchiveUnavailable
from events.store.connection import REQUEST_TIME
from events.store.games import UnknownGame
from service.application.game_context import GameContext, load_game_context
from service.application.game_presentation import present_game_for_viewer
from service.application.queries import export_queries
from service.application.queries.export_queries import ExportCursor, ExportFilter
from service.application.request_context import browsing_account, get_services
from service.http import query_strings
from service.http.blueprint import Blueprint
from service.http.problems import Problem
from service.http.responses import NDJSON, make_next_address
from service.openapi import response_structs
from service.presenters import game_presenter

blp = Blueprint("exports", __name__, url_prefix="/v1", description="Exports of many games.")

PAGE = 500
"""The number of events that are read at a time."""
CHUNK = 1 << 16
"""The bytes of text that are sent at a time."""
HEADERS = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept-Encoding"}
LINK = {"description": '`<address>; rel="next"` if more games follow.', "schema": {"type": "string"}}
ID = "019a9f00-0000-7000-8000-000000000001"
EVENT = {
    "game": ID,
    "seq": 17,
    "type": "TradingFinished",
    "data": {"seat": 1},
    "by": "p1",
    "seat": 1,
    "at": "2026-03-01T12:00:00.000000Z",
    "hash": "9f" * 32,
    "hidden": {},
    "command": {"type": "finish_trading"},
    "cursor": f"{ID}_17",
}
GAME = {
    "game": ID,
    "id": ID,
    "title": "colonial_empires",
    "version": 1,
    "status": "finished",
    "options": {},
    "seats": [{"seat": 0, "label": "Seat 0", "you": False, "bot": "steady"}],
    "seq": 412,
    "analysis": False,
    "origin": None,
    "created_at": "2026-03-01T12:00:00.000000Z",
    "outcome": {"winners": [0], "places": [1], "scores": [308], "reason": "deck_empty"},
    "ended_by": "rules",
    "rated": False,
    "visibility": "public",
    "tournament": None,
    "cursor": ID,
}
Lines = Callable[[GameContext, ExportCursor | None], Iterator[Any]]
"""A function that yields the lines of a game in an export, after a place in it."""


@blp.route("/export/events")
@blp.doc(operationId="export_events", security=[{}, {"token": []}])
@blp.query(query_strings.ExportQuery)
@blp.response(
    200,
    "ExportedEvent",
    content_type=NDJSON,
    description="One event per line, game by game, each with its `game` and `cursor`.",
    example=EVENT,
    headers={"Link": LINK},
)
@blp.problems(400, 401, 403, 404, 503)
def export_events(query: dict[str, Any]) -> Response:
    """Export the events of many games as `GET /v1/games/{id}/events` shows them to you, one per line.

    `Link` leads to the next page. Every line has a `cursor`: send the last one as `after` to continue. With
    `status=finished` or `abandoned`, games come in the order in which their ends became known. So you can
    continue days later, and you miss no game. Other exports are in the order of creation, and running games
    get more events later. `Accept-Encoding: gzip` reduces the size to about a quarter. Only games that
    `GET /v1/games` lists are exported.
    """
    return _make_export_response(query, _iterate_events)


@blp.route("/export/games")
@blp.doc(operationId="export_games", security=[{}, {"token": []}])
@blp.query(query_strings.ExportQuery)
@blp.response(
    200,
    "ExportedGame",
    content_type=NDJSON,
    description="One game per line, each with its `cursor`.",
    example=GAME,
    headers={"Link": LINK},
)
@blp.problems(400, 401, 403, 404, 503)
def export_games(query: dict[str, Any]) -> Response:
    """Export many games as `GET /v1/games/{id}` shows them, without the view, one per line.

    Pages, cursors and `game` are as in `GET /v1/export/events`.
    """
    return _make_export_response(query, _present_exported_game)


def _make_export_response(query: dict[str, Any], lines: Lines) -> Response:
    services = get_services()
    after = query.pop("after")
    wanted = ExportFilter(after=None if after is None else ExportCursor.read(after), **query)
    account = browsing_account()
    try:
        ids, more = export_queries.list_exported_games(services.pool, services.games.now(), account, wanted)
    except export_queries.UnknownPlace:
        detail = "The cursor is not from this export. Send the cursor of a line of the same export."
        raise Problem(404, "unknown_game", detail) from None
    answer = Response(
        stream_with_context(_encode_lines(_iterate_games(ids, wanted.after, lines))),
        headers=HEADERS,
        content_type=NDJSON,
    )
    if more:
        address = make_next_address(request.path, ExportCursor(ids[-1]).text)
        answer.headers["Link"] = f'<{address}>; rel="next"'
    if request.accept_encodings["gzip"]:
        answer.headers["Content-Encoding"] = "gzip"
        answer.response = _compress(answer.response)  # type: ignore[arg-type]
    return answer


def _iterate_games(ids: list[str], after: ExportCursor | None, lines: Lines) -> Iterator[Any]:
    """Yield the lines of the games of these ids, of the game of *after* only those after that place."""
    REQUEST_TIME.set(None)  # what is read while the answer is being sent takes as long as its reader
    for game_id in ids:
        try:
            context = load_game_context(game_id)
        except (UnknownGame, RulesMissing, ArchiveUnavailable, Problem):
            continue  # narrowed meanwhile, or alone it is refused as well
        yield from lines(context, after if after is not None and after.game == game_id else None)


def _iterate_events(context: GameContext, after: ExportCursor | None) -> Iterator[Any]:
    services, game, at = get_services(), context.game, (after and after.seq) or 0
    while at < game.seq:
        records = services.games.read_past(game, at, PAGE)
        texts = services.texts.texts_of_records(game.id, records)
        for event in game_presenter.present_events(game, records, context.viewer.seat, texts):
            yield {"game": game.id, **event, "cursor": ExportCursor(game.id, event["seq"]).text}
        at = records[-1].seq


def _present_exported_game(
    context: GameContext, after: ExportCursor | None
) -> Iterator[response_structs.ExportedGame]:
    game = present_game_for_viewer(
        get_services(), context.game, context.newest.seq, context.holders, context.viewer
    )
    members = {
        name: getattr(game, name)
        for name in response_structs.ExportedGame.__struct_fields__
        if hasattr(game, name)
    }
    yield response_structs.ExportedGame(**members, game=game.id, cursor=ExportCursor(game.id).text)


# --- sending --------------------------------------------------------------------------------------


def _encode_lines(lines: Iterator[Any]) -> Iterator[bytes]:
    """Yield lines as text, many at a time."""
    encoder, text = msgspec.json.Encoder(), bytearray()
    for line in lines:
        text += encoder.encode(line) + b"\n"
        if len(text) >= CHUNK:
            yield bytes(text)
            text.clear()
    yield bytes(text)


def _compress(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the chunks compressed with gzip."""
    packer = zlib.compressobj(wbits=31)
    for chunk in chunks:
        yield packer.compress(chunk)
    yield packer.flush()
