"""What happened: events, sentences, and the bundle that proves them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Response, request

from events import bundle
from events.game import Game, start
from events.record import Record
from projections import history
from service import present
from service.api.blueprint import Blueprint
from service.api.tree import proof_of
from service.one_game import meet, meet_again
from service.pool import patient
from service.process import Process, process
from service.receipts import dated
from service.schemas import shapes
from service.wire import queries
from service.wire.answers import PRIVATE, json_answer

blp = Blueprint("log", __name__, url_prefix="/v1", description="What happened, and proof of it.")

NDJSON = "application/x-ndjson"


@blp.route("/games/<id>/events")
@blp.doc(operationId="get_events", security=[{}, {"token": []}])
@blp.query(queries.Page)
@blp.answers(200, "Events", "Events, oldest first.")
@blp.doc(responses={200: {"content": {NDJSON: {"schema": {"$ref": "#/components/schemas/Event"}}}}})
@blp.problems(400, 401, 403, 404, 503)
def get_events(query: dict[str, Any], id: str) -> Response:
    """The log as I may see it. With `Accept: application/x-ndjson` one event a line."""
    met = meet_again(id, query["seat"])
    game, seat = met.game, met.viewer.seat
    records = process().games.records(game.id, query["after"], query["limit"])
    if met.left:
        records = [record for record in records if record.seq <= game.seq]
    texts = process().texts.of(game.id, records)
    events = [present.event(game, record, seat, texts.get(record.seq)) for record in records]
    if request.accept_mimetypes.best_match(["application/json", NDJSON], "application/json") == NDJSON:
        return Response(msgspec.json.Encoder().encode_lines(events), headers=PRIVATE, content_type=NDJSON)
    newest = max(game.seq, records[-1].seq if records else 0)
    more = _next("events", game.id, records[-1].seq) if records and records[-1].seq < newest else None
    return json_answer({"events": events, "seq": newest, "next": more}, headers=PRIVATE)


def _next(what: str, game_id: str, after: int) -> str:
    """The address of the next page: the same query, further on."""
    given = {k: v for k, v in request.args.items() if k != "after"}
    return f"/v1/games/{game_id}/{what}?" + urlencode({**given, "after": after})


@blp.route("/games/<id>/history")
@blp.doc(operationId="get_history", security=[{}, {"token": []}])
@blp.query(queries.Page)
@blp.answers(200, "History", "Sentences, oldest first.")
@blp.problems(400, 401, 403, 404, 503)
def get_history(query: dict[str, Any], id: str) -> Response:
    """What happened, in plain sentences; each reader is told what he may know."""
    met = meet_again(id, query["seat"])
    game = met.game
    lines = _told(process(), game, met.viewer.seat, query["after"], query["limit"])
    more = _next("history", game.id, lines[-1].seq) if lines and lines[-1].seq < game.seq else None
    shown = shapes.History([shapes.Line(line.seq, line.text) for line in lines], game.seq, more)
    return json_answer(shown, headers=PRIVATE)


def _told(process: Process, game: Game, seat: int | None, after: int, limit: int) -> list[history.Line]:
    """Lines from the read model; those that it does not hold yet are told on the spot."""
    lines = _kept(process, game, seat, after, limit)
    told = lines[-1].seq if lines else after
    missing = min(limit - len(lines), game.seq - told)
    if missing > 0:
        before = process.games.load(game.id, told) if told else None
        records = process.games.records(game.id, told, missing)
        lines += history.tell(before or start(game.id), records, seat)
    return [line for line in lines if line.seq <= game.seq]


@patient
def _kept(process: Process, game: Game, seat: int | None, after: int, limit: int) -> list[history.Line]:
    with process.pool.connection() as connection:
        return history.read(connection.cursor(), game.id, seat, after, limit)


@blp.route("/games/<id>/receipt")
@blp.doc(operationId="get_receipt", security=[{}, {"token": []}])
@blp.answers(200, "ReceiptGiven", "The receipt.")
@blp.problems(400, 401, 404, 503)
def get_receipt(id: str) -> Response:
    """The service's signed word that the newest event has this hash, and so have all before it.

    It is the same for everybody. Answers to requests that change a game carry one for what was asked for.
    """
    game = meet(id).game
    return json_answer(shapes.ReceiptGiven(process().receipts.newest(game)), headers=PRIVATE)


@blp.route("/games/<id>/audit")
@blp.doc(operationId="get_audit", security=[{}, {"token": []}])
@blp.query(queries.OwnSeat)
@blp.response(200, {"type": "string"}, content_type=NDJSON, description="The bundle, one JSON value a line.")
@blp.problems(400, 401, 403, 404, 503)
def get_audit(query: dict[str, Any], id: str) -> Response:
    """The bundle that `rutter verify` checks offline: whole once the game has ended, else redacted for me."""
    met = meet(id, query["seat"])
    game = met.game
    signer, seat = process().signer, met.viewer.seat
    proof = proof_of(process(), game.id, game.seq) if game.ended else None
    proofs = [] if proof is None else [(game.seq, proof)]
    lines = bundle.lines(game, _records(process(), game), seat, signer, dated(game.at), proofs)
    name = f'attachment; filename="{game.id}.ndjson"'
    return Response(lines, headers={**PRIVATE, "Content-Disposition": name}, content_type=NDJSON)


def _records(process: Process, game: Game) -> Iterator[Record]:
    """All events up to *game*, page by page."""
    at = 0
    while at < game.seq:
        page = process.games.records(game.id, at, min(500, game.seq - at))
        yield from page
        at = page[-1].seq
