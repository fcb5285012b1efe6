"""What happened in tournaments: events, sentences, the live stream, and the bundle that proves them."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec
import structlog
from flask import Response, request

from events.table.record import Record
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
from service.texts import Kept
from service.tournaments import Met, earlier, meet, met_again
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
    here.standing.require_covered(state.id, state.seq)
    records = here.tournaments.records(state.id, 0, state.seq)
    kept = here.texts.in_stream(state.id)
    texts = {digest: (one.salt, one.text) for digest, one in kept.items()}
    own = bundle.write_lines(state, records, texts, signer, dated(state.at))
    name = f'attachment; filename="{state.id}.ndjson"'
    lines = _with_games(here, state, own)
    return Response(lines, headers={**PRIVATE, "Content-Disposition": name}, content_type=NDJSON)


def _with_games(here: Process, state: Tournament, own: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of a tournament and, once it is over, those of all its games."""
    yield from own
    for game_id in bundle.bundled_games(state):
        yield from game_bundle(here, here.games.load(game_id), None)


# --- live ----------------------------------------------------------------------------------------------


@blp.route("/tournaments/<tournament>/stream", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="stream_tournament", security=[{}, {"token": []}])
@blp.headers(LAST_EVENT_ID)
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
        stale, told_at, hinted = False, time.monotonic(), False
        while not listener.closing and _still_good(here, secret):
            seen = _again(here, found, hinted=hinted)
            if seen is None:
                break
            for record in _new(here, seen.state, after, hinted=hinted):
                yield _event(here, seen.state.id, record)
                after = record.seq
                stale = stale or record.type in _RESULTS
            wait = told_at + STANDINGS_SECONDS - time.monotonic()
            if stale and wait <= 0:
                yield _standings(here, seen)
                stale, told_at = False, time.monotonic()
            if stale:
                hinted = bool(listener.wait(wait)) and here.hints.hearing
            else:
                hinted = bool((yield from _rest(here, listener, seen)))
            if place:
                place.keep()
        yield CLOSING


def _event(here: Process, tournament: str, record: Record) -> bytes:
    """One event, the same for everybody: written once. What can be erased is written for those of now."""

    def encode(texts: Mapping[str, Kept]) -> bytes:
        return message("event", present.event(record, texts), record.seq)

    if b'"text":"' not in record.body:
        key = (tournament, record.seq, None, False)
        return here.tails.message(key, lambda: encode({}), keep=True)
    what = ("event", record.seq)
    return here.fresh.get(tournament, what, lambda _: encode(here.texts.in_stream(tournament)), hinted=False)


def _standings(here: Process, seen: Met) -> bytes:
    """The standings as far as somebody sees them: counted once for all who see as far."""

    def encode(_: bytes | None) -> bytes:
        accounts = here.entrants.accounts(seen.newest)
        return message("standings", present.standings_of(seen.state, None, accounts))

    what = ("standings", seen.state.seq)
    return here.fresh.get(seen.state.id, what, encode, hinted=False, believed=STANDINGS_SECONDS)


def _again(here: Process, found: Met, *, hinted: bool) -> Met | None:
    """The tournament as it is met now; None where whoever looks may see it no more."""
    try:
        return met_again(here, found, hinted=hinted)
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


def _new(here: Process, state: Tournament, after: int, *, hinted: bool) -> Iterator[Record]:
    """Events after *after*, up to *state*."""
    while after < state.seq:
        try:
            records = here.tails.after(state.id, after, hinted=hinted)
        except AWAY:
            log.warning("stream_waits_for_database", tournament=state.id)
            return
        yield from (record for record in records if record.seq <= state.seq)
        after = records[-1].seq if records else state.seq


def _rest(here: Process, listener: Listener, seen: Met) -> Generator[bytes, None, frozenset[str]]:
    """Until there may be something new; where results are held back, that may be at any time.

    Answers of what hints tell, nothing where it may be anything.
    """
    if seen.state.seq < seen.newest.seq:
        heard = listener.wait(1.0)
        return heard if here.hints.hearing else frozenset()
    return (yield from rest(here, listener))
