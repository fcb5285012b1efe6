"""Entrants, tables and standings of tournaments; also for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from flask import Response
from msgspec import UNSET

from events.table.game import Game
from events.table.record import Record
from events.tournament.state import Round, Table, Tournament, entrant_names
from service.application.container import Services
from service.application.request_context import get_services
from service.application.tournament_context import TournamentContext, load_tournament_context
from service.http import query_strings
from service.http.blueprint import TOURNAMENT_ID, Blueprint, path_parameter
from service.http.problems import Problem
from service.http.responses import NDJSON, PRIVATE_HEADERS, json_response, make_tagged_response, with_etag
from service.openapi import tournament_structs
from service.presenters import cross_table, spreadsheet, tournament_presenter
from service.presenters.tournament_presenter import AccountsByName
from service.presenters.trf16 import UnfitTournament, write_trf16

blp = Blueprint(
    "tournament tables",
    __name__,
    url_prefix="/v1",
    description="Rounds, tables and standings of tournaments.",
)

CSV = "text/csv; charset=utf-8"
TRF = "text/plain; charset=utf-8"
ROUND = path_parameter(
    "number", "The number of the round, from 1.", {"type": "integer", "minimum": 1, "maximum": 4096}
)


@blp.route("/tournaments/<tournament>/entrants", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="list_entrants", security=[{}, {"token": []}])
@blp.answers(200, "EntrantList", "The entrants.")
@blp.problems(401, 404, 503)
def list_entrants(tournament: str) -> Response:
    """List the entrants of a tournament, in the order of their numbers in the log."""
    found = load_tournament_context(tournament)
    accounts = get_services().tournament_people.accounts(found.newest)
    entrants = [tournament_presenter.present_entrant(one, accounts) for one in found.state.entrants]
    return json_response(tournament_structs.EntrantList(entrants, found.state.seq), headers=PRIVATE_HEADERS)


@blp.route("/tournaments/<tournament>/rounds", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="list_rounds", security=[{}, {"token": []}])
@blp.answers(200, "RoundList", "The rounds.", ETag="The newest event number and a digest, in quotes.")
@blp.problems(401, 404, 503)
def list_rounds(tournament: str) -> Response:
    """List all rounds that have been paired, with their tables."""
    state = load_tournament_context(tournament).state
    rounds = [tournament_presenter.present_round(state, one) for one in state.rounds]
    return with_etag(state.seq, tournament_structs.RoundList(rounds, state.seq))


@blp.route("/tournaments/<tournament>/rounds/<number>", parameters=[TOURNAMENT_ID, ROUND])
@blp.doc(operationId="get_round", security=[{}, {"token": []}])
@blp.answers(200, "RoundTold", "The round.", ETag="The newest event number and a digest, in quotes.")
@blp.problems(401, 404, 503)
def get_round(tournament: str, number: str) -> Response:
    """Return one round, with its tables; 404 `unknown_round` before it is paired."""
    state = load_tournament_context(tournament).state
    if not number.isdecimal() or not 1 <= int(number[:6]) <= len(state.rounds):
        paired = len(state.rounds)
        detail = "No round has been paired yet. Wait for the pairing."
        if paired:
            detail = f"The rounds that have been paired go up to {paired}. Ask for one of them."
        raise Problem(404, "unknown_round", detail)
    one = state.rounds[int(number) - 1]
    return with_etag(state.seq, tournament_presenter.present_round(state, one))


@blp.route("/tournaments/<tournament>/disputes", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="list_disputes", security=[{}, {"token": []}])
@blp.answers(200, "DisputesPage", "Disputes and rulings, oldest first.")
@blp.problems(401, 404, 503)
def list_disputes(tournament: str) -> Response:
    """List the disputes of entrants, and the rulings of directors."""
    state = load_tournament_context(tournament).state
    records = get_services().tournaments.records(state.id, 0, state.seq)
    disputes = tournament_presenter.present_disputes(
        state, records, get_services().texts.texts_by_digest(state.id)
    )
    return json_response(disputes, headers=PRIVATE_HEADERS)


@blp.route("/tournaments/<tournament>/standings", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="get_standings", security=[{}, {"token": []}])
@blp.query(query_strings.StandingsQuery)
@blp.answers(200, "StandingsPage", "The standings.", ETag="The newest event number and a digest, in quotes.")
@blp.doc(
    responses={
        200: {
            "content": {
                "text/csv": {"schema": {"type": "string"}},
                "text/plain": {"schema": {"type": "string"}},
                NDJSON: {"schema": {"$ref": "#/components/schemas/StandingsLine"}},
            }
        }
    }
)
@blp.problems(400, 401, 404, 409, 503)
def get_standings(query: dict[str, Any], tournament: str) -> Response:
    """Return the standings after a round, best first; provisional while its results are awaited.

    Points and tie-breaks are integers in the units of the log. `points_decimal` and `tie_breaks_decimal` say
    them as people read them, and `tie_breaks` says what each means. The log holds the digest of the lines
    without `name`, `account`, `points_decimal` and `tie_breaks_decimal`. A spreadsheet has decimals, and the
    exact numbers in columns such as `points_2520`. Each round is `table:place:points` there.

    `cross_table` has seven columns for each round: the part of the entrant, table, seat, place, points, exact
    points and opponents. `trf16` is the same table as text in the format of FIDE (media type `text/plain`).
    It needs tables of two.
    """
    found = load_tournament_context(tournament)
    state, number = found.state, query["round"]
    if number is not None and number >= max(2, state.next_round):
        raise Problem(
            404, "unknown_round", f"Only {state.next_round - 1} rounds have started. Ask for one of them."
        )
    accounts = get_services().tournament_people.accounts(found.newest)
    if query["format"] in ("cross_table", "trf16"):
        return _make_cross_table_response(found, number, accounts, query["format"])
    page = tournament_presenter.present_standings(state, number, accounts)
    if query["format"] == "ndjson":
        text = msgspec.json.Encoder().encode_lines(page.standings)
        return make_tagged_response(state.seq, text, NDJSON)
    if query["format"] == "csv":
        names = spreadsheet.list_columns(state, page)
        rows = [spreadsheet.make_row(line, names) for line in page.standings]
        headers = {**PRIVATE_HEADERS, **_name_file(f"{state.id}-standings.csv")}
        return make_tagged_response(state.seq, _make_csv(names, rows), CSV, headers=headers)
    return with_etag(state.seq, page)


def _make_cross_table_response(
    found: TournamentContext, number: int | None, accounts: AccountsByName, form: str
) -> Response:
    """Return the cross table after a round as a spreadsheet or as FIDE's report."""
    state = found.state
    page = tournament_presenter.present_standings(state, number, accounts)
    table = cross_table.make_cross_table(state, page.round, page.standings)
    if form == "trf16":
        texts = get_services().texts.texts_by_digest(state.id)
        heading = tournament_presenter.make_trf_heading(state, accounts, texts)
        try:
            text = write_trf16(state, table, heading)
        except UnfitTournament as unfit:
            raise Problem(409, "invalid_parameters", str(unfit), errors={"format": [str(unfit)]}) from None
        headers = {**PRIVATE_HEADERS, **_name_file(f"{state.id}.trf")}
        return make_tagged_response(state.seq, text, TRF, headers=headers)
    columns = cross_table.list_columns(state, table)
    headers = {**PRIVATE_HEADERS, **_name_file(f"{state.id}-cross-table.csv")}
    text = _make_csv(columns, cross_table.make_rows(table, columns))
    return make_tagged_response(state.seq, text, CSV, headers=headers)


def _make_csv(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """Return CSV by RFC 4180, in UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue().encode()


def _name_file(name: str) -> dict[str, str]:
    """Return the header of an answer that is to be kept as a file."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


@blp.route("/tournaments/<tournament>/export", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="export_tournament", security=[{}, {"token": []}])
@blp.query(query_strings.TournamentExportQuery)
@blp.response(200, "TableExport", content_type=NDJSON, description="One table per line.")
@blp.doc(responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}})
@blp.problems(400, 401, 404, 503)
def export_tournament(query: dict[str, Any], tournament: str) -> Response:
    """Export all tables whose games have ended, with the result and the thinking time of each seat.

    In a spreadsheet, `points` are decimals and `points_2520` the exact numbers. In JSON,
    `points_decimal` has the decimals.
    """
    state = load_tournament_context(tournament).state
    tables = _list_ended_tables(get_services(), state)
    if query["format"] == "ndjson":
        lines = (msgspec.json.encode(table) + b"\n" for table in tables)
        return Response(lines, headers=PRIVATE_HEADERS, content_type=NDJSON)
    names = spreadsheet.list_table_columns()
    rows = [spreadsheet.make_row(msgspec.to_builtins(table), names) for table in tables]
    headers = {**PRIVATE_HEADERS, **_name_file(f"{state.id}-tables.csv")}
    return Response(_make_csv(names, rows), headers=headers, content_type=CSV)


def _list_ended_tables(services: Services, state: Tournament) -> Iterator[tournament_structs.TableExport]:
    for one in state.rounds:
        for table in one.tables:
            if table.result is not None:
                yield _present_ended_table(services, state, one, table)


def _present_ended_table(
    services: Services, state: Tournament, one: Round, table: Table
) -> tournament_structs.TableExport:
    assert table.result is not None  # noqa: S101 - only those that have ended
    game, presented, result = (
        services.games.load(table.game),
        tournament_presenter.present_table(state, one, table),
        table.result,
    )
    return tournament_structs.TableExport(
        stage=one.stage,
        round=one.number,
        table=table.number,
        game=table.game,
        entrants=list(entrant_names(table.entrants)),
        places=None if presented.places is UNSET else presented.places,
        scores=None if presented.scores is UNSET else presented.scores,
        points=None if presented.points is UNSET else presented.points,
        points_decimal=None if presented.points_decimal is UNSET else presented.points_decimal,
        left=list(result.left),
        spent_ms=_sum_time_spent(services.games.read_past(game), game),
        started_at=game.created_at,
        ended_at=game.at,
        events=game.seq,
    )


def _sum_time_spent(records: Sequence[Record], game: Game) -> list[int]:
    """Return the milliseconds that the clock of each seat ran."""
    spent = [0] * len(game.seats)
    for record in records if game.clock is not None else ():
        for who, milliseconds in (record.envelope().clock or {}).get("spent", {}).items():
            spent[int(who[1:])] += milliseconds
    return spent
