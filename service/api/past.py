"""What happened: events, sentences, and the bundle that proves them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Response, request
from msgspec import UNSET

from events.table import bundle
from events.table.game import Game, initial_game
from events.table.record import Record
from projections.read_models import history
from service import present
from service.api.blueprint import Blueprint
from service.api.tree import proof_of
from service.one_game import OneGame, check_event, earlier, meet, meet_again
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
@blp.answers(200, "EventsPage", "Events, oldest first.")
@blp.problems(400, 401, 403, 404, 503)
def get_events(query: dict[str, Any], id: str) -> Response:
    """The log as I may see it. With `Accept: application/x-ndjson` one event a line.

    Once the game has ended every hidden part is open to everybody, with the salt that proves it.
    """
    met = meet_again(id, query["seat"])
    game, seat = met.game, met.viewer.seat
    records = process().games.read_past(game, query["after"], query["limit"])
    texts = process().texts.of(game.id, records)
    events = [present.event(game, record, seat, texts.get(record.seq)) for record in records]
    if request.accept_mimetypes.best_match(["application/json", NDJSON], "application/json") == NDJSON:
        return Response(msgspec.json.Encoder().encode_lines(events), headers=PRIVATE, content_type=NDJSON)
    more = _next("events", game.id, records[-1].seq) if records and records[-1].seq < game.seq else None
    page = {"title": game.title_id, "events": events, "seq": game.seq, "next": more}
    return json_answer(page, headers=PRIVATE)


def _next(what: str, game_id: str, after: int) -> str:
    """The address of the next page: the same query, further on."""
    given = {k: v for k, v in request.args.items() if k != "after"}
    return f"/v1/games/{game_id}/{what}?" + urlencode({**given, "after": after})


@blp.route("/games/<id>/history")
@blp.doc(operationId="get_history", security=[{}, {"token": []}])
@blp.query(queries.Page)
@blp.answers(200, "HistoryPage", "Sentences, oldest first.")
@blp.problems(400, 401, 403, 404, 503)
def get_history(query: dict[str, Any], id: str) -> Response:
    """What happened, in plain sentences; each reader is told what he may know."""
    met = meet_again(id, query["seat"])
    return json_answer(lines_after(met, query["after"], query["limit"]), headers=PRIVATE)


def lines_after(met: OneGame, after: int, limit: int) -> shapes.HistoryPage:
    """What happened after that event, as who looks may know it."""
    game = met.game
    lines = _told(process(), game, met.viewer.seat, after, limit)
    more = _next("history", game.id, lines[-1].seq) if lines and lines[-1].seq < game.seq else None
    return shapes.HistoryPage(shown_lines(game, lines), game.seq, more)


def shown_lines(game: Game, lines: Sequence[history.Line]) -> list[shapes.Line]:
    """Lines of *game* in order, each with who caused it, by which command, and whether it begins a turn."""
    if not lines:
        return []
    found = process().games.read_past(game, lines[0].seq - 1, lines[-1].seq - lines[0].seq + 1)
    records = {record.seq: record for record in found}
    return [_shown(game, line, records[line.seq]) for line in lines]


def _shown(game: Game, line: history.Line, record: Record) -> shapes.Line:
    begins = "turn" if record.type in game.title.pointing.turns else UNSET
    envelope = record.envelope()
    return shapes.Line(line.seq, line.text, envelope.by, record.command_id, begins, envelope.at)


def _told(process: Process, game: Game, seat: int | None, after: int, limit: int) -> list[history.Line]:
    """Lines from the read model; those that it does not hold yet are told on the spot."""
    lines = _kept(process, game, seat, after, limit)
    told = lines[-1].seq if lines else after
    missing = min(limit - len(lines), game.seq - told)
    if missing > 0:
        before = process.games.load(game.id, told) if told else None
        records = process.games.read_past(game, told, missing)
        lines += history.make_lines(before or initial_game(game.id), records, seat)
    return [line for line in lines if line.seq <= game.seq]


@patient
def _kept(process: Process, game: Game, seat: int | None, after: int, limit: int) -> list[history.Line]:
    with process.pool.connection() as connection:
        return history.read(connection.cursor(), game.id, seat, after, limit)


@blp.route("/games/<id>/receipt")
@blp.doc(operationId="get_receipt", security=[{}, {"token": []}])
@blp.answers(200, "ReceiptGiven", "The receipt.")
@blp.problems(400, 401, 404, 409, 503)
def get_receipt(id: str) -> Response:
    """The service's signed word that the newest event has this hash, and so have all before it.

    It is the same for everybody who sees the game that far. Answers to requests that change a game carry one
    for what was asked for.
    """
    game = meet(id).game
    check_event(game, 1)
    return json_answer(shapes.ReceiptGiven(process().receipts.newest(game)), headers=PRIVATE)


@blp.route("/games/<id>/audit")
@blp.doc(operationId="get_audit", security=[{}, {"token": []}])
@blp.query(queries.OwnSeat)
@blp.response(200, {"type": "string"}, content_type=NDJSON, description="The bundle, one JSON value a line.")
@blp.problems(400, 401, 403, 404, 409, 503)
def get_audit(query: dict[str, Any], id: str) -> Response:
    """The bundle that `rutter verify` checks offline: whole once the game has ended, else redacted for me.

    Of a game that reaches beyond a log that was lost it has what that log vouches for.
    """
    met = meet(id, query["seat"])
    check_event(met.game, 1)
    game = _vouched_for(met.game)
    lines = game_bundle(process(), game, met.viewer.seat)
    name = f'attachment; filename="{game.id}.ndjson"'
    return Response(lines, headers={**PRIVATE, "Content-Disposition": name}, content_type=NDJSON)


def game_bundle(process: Process, game: Game, seat: int | None) -> Iterator[bytes]:
    """The lines of the bundle of *game*: whole once it has ended, else what *seat* may know."""
    proof = proof_of(process, game.id, game.seq) if game.has_ended else None
    proofs = [] if proof is None else [(game.seq, proof)]
    return bundle.write_lines(game, _records(process, game), seat, process.signer, dated(game.at), proofs)


def _vouched_for(game: Game) -> Game:
    """*game* as far as a log vouches for it. Raises :class:`Rejected` where none does from the first on."""
    last = process().frozen(game.id)
    if last is None or last >= game.seq:
        return game
    if not last:
        process().standing.require_covered(game.id, game.seq)
    return earlier(game, last)


def _records(process: Process, game: Game) -> Iterator[Record]:
    """All events up to *game*, page by page."""
    at = 0
    while at < game.seq:
        page = process.games.read_past(game, at, 500)
        yield from page
        at = page[-1].seq
