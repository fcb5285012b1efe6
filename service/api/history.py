"""The history of games: events, sentences, and the bundle that proves them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec
from flask import Response
from msgspec import UNSET

from events.table import bundle, lifecycle_facts
from events.table.conduct_facts import CommandUndone
from events.table.game import Game, initial_game
from events.table.record import Record
from projections.read_models import history
from service.api.transparency_log import find_early_proof, find_proof
from service.application.container import Services
from service.application.game_context import (
    GameContext,
    check_event,
    load_earlier_game,
    load_game_context,
    load_game_or_former_seat,
)
from service.application.request_context import get_services
from service.base.database import retry_on_disconnect
from service.http import query_strings
from service.http.blueprint import Blueprint
from service.http.responses import (
    NDJSON,
    PRIVATE_HEADERS,
    find_next_address,
    json_response,
    lines_response,
    wants_lines,
)
from service.openapi import response_structs
from service.presenters import game_presenter

blp = Blueprint("log", __name__, url_prefix="/v1", description="Events, history and proof of games.")


_UNDONE = msgspec.json.Decoder(CommandUndone)


@blp.route("/games/<id>/events")
@blp.doc(operationId="get_events", security=[{}, {"token": []}])
@blp.query(query_strings.LogQuery)
@blp.answers(200, "EventsPage", "Events, oldest first.")
@blp.problems(400, 401, 403, 404, 503)
def get_events(query: dict[str, Any], id: str) -> Response:
    """Return the log as you may see it. With `Accept: application/x-ndjson` you get one event per line.

    Once the game has ended, everybody sees every hidden part, with the salt that proves it.
    """
    context = load_game_or_former_seat(id, query["seat"])
    game, seat = context.game, context.viewer.seat
    records = get_services().games.read_past(game, query["after"], query["limit"])
    texts = get_services().texts.texts_of_records(game.id, records)
    events = game_presenter.present_events(game, records, seat, texts)
    if wants_lines():
        return lines_response(events)
    more = find_next_address(f"/v1/games/{game.id}/events", records, game.seq)
    page = {"title": game.title_id, "events": events, "seq": game.seq, "next": more}
    return json_response(page, headers=PRIVATE_HEADERS)


@blp.route("/games/<id>/history")
@blp.doc(operationId="get_history", security=[{}, {"token": []}])
@blp.query(query_strings.LogQuery)
@blp.answers(200, "HistoryPage", "Sentences, oldest first.")
@blp.problems(400, 401, 403, 404, 503)
def get_history(query: dict[str, Any], id: str) -> Response:
    """Return the history in plain sentences, as far as you may know it."""
    context = load_game_or_former_seat(id, query["seat"])
    return json_response(list_lines_after(context, query["after"], query["limit"]), headers=PRIVATE_HEADERS)


def list_lines_after(context: GameContext, after: int, limit: int) -> response_structs.HistoryPage:
    """Return a page of the history after an event, as the viewer may know it."""
    game = context.game
    lines = _read_lines(get_services(), game, context.viewer.seat, after, limit)
    more = find_next_address(f"/v1/games/{game.id}/history", lines, game.seq)
    return response_structs.HistoryPage(present_lines(game, lines), game.seq, more)


def present_lines(game: Game, lines: Sequence[history.HistoryLine]) -> list[response_structs.Line]:
    """Return lines of *game* in order, with their actor and command; marked if they begin a turn."""
    if not lines:
        return []
    found = get_services().games.read_past(game, lines[0].seq - 1, lines[-1].seq - lines[0].seq + 1)
    records = {record.seq: record for record in found}
    turns = game.title.pointing.turns
    return [_present_line(game, line, records[line.seq], turns) for line in lines]


def _present_line(
    game: Game, line: history.HistoryLine, record: Record, turns: Collection[str]
) -> response_structs.Line:
    """Return a line of *game*; an event of a type among *turns* begins one."""
    begins = "turn" if record.type in turns else UNSET
    undone = (game.is_taken_back(line.seq) and record.type not in lifecycle_facts.FACTS) or UNSET
    envelope = record.envelope()
    undoes = _UNDONE.decode(envelope.data).to if record.type == "CommandUndone" else UNSET
    return response_structs.Line(
        line.seq, line.text, envelope.by, record.command_id, begins, envelope.at, undone, undoes
    )


def _read_lines(
    services: Services, game: Game, seat: int | None, after: int, limit: int
) -> list[history.HistoryLine]:
    """Return lines from the read model; those that it does not hold yet are made on the spot."""
    lines = _read_stored_lines(services, game, seat, after, limit)
    last = lines[-1].seq if lines else after
    missing = min(limit - len(lines), game.seq - last)
    if missing > 0:
        before = services.games.load(game.id, last) if last else None
        records = services.games.read_past(game, last, missing)
        lines += history.make_lines(before or initial_game(game.id), records, seat)
    return [line for line in lines if line.seq <= game.seq]


@retry_on_disconnect
def _read_stored_lines(
    services: Services, game: Game, seat: int | None, after: int, limit: int
) -> list[history.HistoryLine]:
    with services.pool.connection() as connection:
        return history.read(connection.cursor(), game.id, seat, after, limit)


@blp.route("/games/<id>/receipt")
@blp.doc(operationId="get_receipt", security=[{}, {"token": []}])
@blp.answers(200, "ReceiptGiven", "The receipt.")
@blp.problems(400, 401, 404, 409, 503)
def get_receipt(id: str) -> Response:
    """Return the signed receipt for the newest event. Its hash covers all events before it.

    It is the same for everybody who sees the game up to that event. Answers to requests that change a game
    carry a receipt for that change.
    """
    game = load_game_context(id).game
    check_event(game, 1)
    return json_response(
        response_structs.ReceiptGiven(get_services().receipts.sign_newest(game)), headers=PRIVATE_HEADERS
    )


@blp.route("/games/<id>/audit")
@blp.doc(operationId="get_audit", security=[{}, {"token": []}])
@blp.query(query_strings.SeatQuery)
@blp.response(200, "GameBundleLine", content_type=NDJSON, description="The bundle, one JSON value per line.")
@blp.problems(400, 401, 403, 404, 409, 503)
def get_audit(query: dict[str, Any], id: str) -> Response:
    """Return the bundle that `rutter verify` checks offline: whole after the game's end, else redacted.

    While the game runs it holds what you may know. If an earlier log of all games was lost, it holds only the
    events of a `frozen` game that the lost log covers.
    """
    context = load_game_context(id, query["seat"])
    check_event(context.game, 1)
    game = _limit_to_vouched(context.game)
    lines = make_game_bundle(get_services(), game, context.viewer.seat)
    name = f'attachment; filename="{game.id}.ndjson"'
    return Response(lines, headers={**PRIVATE_HEADERS, "Content-Disposition": name}, content_type=NDJSON)


def make_game_bundle(services: Services, game: Game, seat: int | None) -> Iterator[bytes]:
    """Yield the lines of the bundle of *game*: whole once it has ended, else what *seat* may know."""
    proofs = _list_proofs(services, game)
    return bundle.write_lines(game, _iterate_records(services, game), seat, services.signer, proofs)


def _list_proofs(services: Services, game: Game) -> list[tuple[int, str]]:
    """Return the proofs of a bundle: of the close of the reveals, and of the last event of an ended game.

    The first shows that a quorum saw the reveals closed before the beacon's round was due.
    """
    closed = game.closed.n if game.closed is not None and game.terms.beacon is not None else 0
    early = find_early_proof(services, game.id, closed) if closed else None
    last = find_proof(services, game.id, game.seq) if game.has_ended else None
    return [(n, proof) for n, proof in ((closed, early), (game.seq, last)) if proof is not None]


def _limit_to_vouched(game: Game) -> Game:
    """Return *game* as far as a log covers it. Raises :class:`Rejected` where none does at all."""
    last = get_services().get_frozen_seq(game.id)
    if last is None or last >= game.seq:
        return game
    if not last:
        get_services().receipts.require_covered(game.id, game.seq)
    return load_earlier_game(game, last)


def _iterate_records(services: Services, game: Game) -> Iterator[Record]:
    """Yield all events up to *game*, read page by page."""
    at = 0
    while at < game.seq:
        page = services.games.read_past(game, at, 500)
        yield from page
        at = page[-1].seq
