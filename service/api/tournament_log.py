"""What happened in tournaments: events, sentences, the live stream, and the bundle that proves them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import msgspec
import structlog
from flask import Response, request

from events.record import Record
from events.tournament import bundle
from events.tournament.state import Tournament
from service import present_tournament as present
from service.api.blueprint import LAST_EVENT_ID, TOURNAMENT_ID, Blueprint
from service.api.follow import CLOSING, last_seen, message, opened, rest, streamed
from service.api.past import NDJSON, game_bundle
from service.api.tournaments import shown
from service.asking import secret_of_request
from service.limits import Place
from service.process import Process, process
from service.receipts import dated
from service.schemas import shapes, tournament_shapes
from service.streams import Listener
from service.tails import PAGE
from service.tournaments import Met, earlier, meet, met
from service.wire import queries
from service.wire.answers import PRIVATE, json_answer
from service.wire.problems import AWAY

blp = Blueprint("tournament log", __name__, url_prefix="/v1", description="What happened in tournaments.")

STANDINGS_SECONDS = 2.0
"""Between two messages with standings while results come in."""
_RESULTS = frozenset({"ResultRecorded", "Ruled", "RoundClosed", "RoundStarted", "TournamentClosed"})
"""Events after which the standings may be others."""

log = structlog.get_logger("rutter.service")


@blp.route("/tournaments/<tournament>/events", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="get_tournament_events", security=[{}, {"token": []}])
@blp.query(queries.LogPage)
@blp.answers(200, "TournamentEvents", "Events, oldest first.")
@blp.problems(400, 401, 404, 503)
def get_tournament_events(query: dict[str, Any], tournament: str) -> Response:
    """The log of a tournament. With `Accept: application/x-ndjson` one event a line.

    All of it is public but for results of games whose end whoever looks may not see yet.
    """
    state = meet(tournament).state
    records = _records(state, query["after"], query["limit"])
    texts = process().texts.in_stream(state.id)
    events = [present.event(record, texts) for record in records]
    if request.accept_mimetypes.best_match(["application/json", NDJSON], "application/json") == NDJSON:
        return Response(msgspec.json.Encoder().encode_lines(events), headers=PRIVATE, content_type=NDJSON)
    more = _next("events", state, records)
    return json_answer({"events": events, "seq": state.seq, "next": more}, headers=PRIVATE)


def _records(state: Tournament, after: int, limit: int) -> list[Record]:
    """Events up to *state*."""
    records = process().tournaments.records(state.id, after, limit)
    return [record for record in records if record.seq <= state.seq]


def _next(what: str, state: Tournament, records: list[Record]) -> str | None:
    if not records or records[-1].seq >= state.seq:
        return None
    given = {k: v for k, v in request.args.items() if k != "after"}
    return f"/v1/tournaments/{state.id}/{what}?" + urlencode({**given, "after": records[-1].seq})


@blp.route("/tournaments/<tournament>/history", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="get_tournament_history", security=[{}, {"token": []}])
@blp.query(queries.LogPage)
@blp.answers(200, "HistoryPage", "Sentences, oldest first.")
@blp.problems(400, 401, 404, 503)
def get_tournament_history(query: dict[str, Any], tournament: str) -> Response:
    """What happened, in plain sentences, with the names of those whom they tell of."""
    found = meet(tournament)
    records = _records(found.state, query["after"], query["limit"])
    accounts = process().entrants.accounts(found.newest)
    lines = [shapes.Line(record.seq, present.sentence(record, accounts)) for record in records]
    more = _next("history", found.state, records)
    return json_answer(shapes.HistoryPage(lines, found.state.seq, more), headers=PRIVATE)


@blp.route("/tournaments/<tournament>/receipt", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="get_tournament_receipt", security=[{}, {"token": []}])
@blp.answers(200, "ReceiptGiven", "The receipt.")
@blp.problems(401, 404, 409, 503)
def get_tournament_receipt(tournament: str) -> Response:
    """The service's signed word that the newest event has this hash, and so have all before it.

    Answers to commands carry one for what was asked for. It is the same for everybody who sees so far.
    """
    state = meet(tournament).state
    return json_answer(shapes.ReceiptGiven(process().receipts.newest(state)), headers=PRIVATE)


@blp.route("/tournaments/<tournament>/audit", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="get_tournament_audit", security=[{}, {"token": []}])
@blp.response(200, {"type": "string"}, content_type=NDJSON, description="The bundle, one JSON value a line.")
@blp.problems(400, 401, 404, 409, 503)
def get_tournament_audit(tournament: str) -> Response:
    """The bundle that `rutter verify` checks offline: all events, a receipt, and every game with its own.

    While the tournament runs it has no games: `--partial`. Texts that were erased are left out; then only
    their digests are checked.
    """
    state = meet(tournament).state
    here = process()
    signer = here.signer
    here.standing.covers(state.id, state.seq)
    records = here.tournaments.records(state.id, 0, state.seq)
    kept = here.texts.in_stream(state.id)
    texts = {digest: (one.salt, one.text) for digest, one in kept.items()}
    own = bundle.lines(state, records, texts, signer, dated(state.at))
    name = f'attachment; filename="{state.id}.ndjson"'
    lines = _with_games(here, state, own)
    return Response(lines, headers={**PRIVATE, "Content-Disposition": name}, content_type=NDJSON)


def _with_games(here: Process, state: Tournament, own: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of a tournament and, once it is over, those of all its games."""
    yield from own
    for game_id in bundle.games(state):
        yield from game_bundle(here, here.games.load(game_id), None)


# --- live ----------------------------------------------------------------------------------------------


@blp.route("/tournaments/<tournament>/stream", parameters=[TOURNAMENT_ID])
@blp.doc(
    operationId="stream_tournament",
    security=[{}, {"token": []}],
    parameters=[LAST_EVENT_ID],
)
@blp.query(queries.FollowTournament)
@blp.streams("TournamentMessage")
@blp.problems(400, 401, 404, 503)
def stream_tournament(query: dict[str, Any], tournament: str) -> Response:
    """Follow a tournament.

    Without `Last-Event-ID` or `after` the stream begins with `event: tournament`, whose data is all of it.
    Then comes `event: event` with `id: <seq>` for each event, and `event: standings`, without an id, when
    results have changed them, at most each two seconds. Comments are signs of life; `event: closing`
    announces that the server goes down, or that the token is not good any more.
    """
    after = last_seen(query["after"])
    found = meet(tournament)
    if after is not None:
        earlier(found, max(1, after))
    here = process()
    place, listener = opened(here, found.newest.id)
    whole = shown(found, found.state) if after is None else None
    messages = _follow(here, found, whole, listener, after, place, secret_of_request())
    return streamed(messages, place, listener)


def _follow(
    here: Process,
    found: Met,
    whole: tournament_shapes.Tournament | None,
    listener: Listener,
    after: int | None,
    place: Place | None,
    secret: str | None,
) -> Iterator[bytes]:
    """The text of the stream, for as long as somebody reads it and may."""
    with listener:
        yield b"retry: 2000\n\n"
        if whole is not None:
            yield message("tournament", whole)
        after = found.state.seq if after is None else after
        stale, told_at = False, time.monotonic()
        while not listener.closing and _still_good(here, secret):
            seen = _again(here, found)
            if seen is None:
                break
            for record in _new(here, seen.state, after):
                texts = here.texts.in_stream(record.envelope().game) if b'"text":"' in record.body else {}
                yield message("event", present.event(record, texts), record.seq)
                after = record.seq
                stale = stale or record.type in _RESULTS
            wait = told_at + STANDINGS_SECONDS - time.monotonic()
            if stale and wait <= 0:
                accounts = here.entrants.accounts(seen.newest)
                yield message("standings", present.standings_of(seen.state, None, accounts))
                stale, told_at = False, time.monotonic()
            if stale:
                listener.wait(wait)
            else:
                yield from _rest(here, listener, seen)
            if place:
                place.keep()
        yield CLOSING


def _again(here: Process, found: Met) -> Met | None:
    """The tournament as it is met now; None where whoever looks may see it no more."""
    try:
        return met(here, found.newest.id, found.account)
    except AWAY:
        return found
    except LookupError:
        return None


def _still_good(here: Process, secret: str | None) -> bool:
    """Whether the token was not revoked; a database that is away takes nothing away."""
    try:
        return secret is None or here.tokens.find(secret) is not None
    except AWAY:
        return True


def _new(here: Process, state: Tournament, after: int) -> list[Record]:
    try:
        records = here.tournaments.records(state.id, after, PAGE) if after < state.seq else []
    except AWAY:
        log.warning("stream_waits_for_database", tournament=state.id)
        return []
    return [record for record in records if record.seq <= state.seq]


def _rest(here: Process, listener: Listener, seen: Met) -> Iterator[bytes]:
    """Until there may be something new; where results are held back, that may be at any time."""
    if seen.state.seq < seen.newest.seq:
        listener.wait(1.0)
        return
    yield from rest(here, listener)
