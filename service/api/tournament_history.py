"""The history of tournaments: events, sentences, the live stream, and the bundle that proves them."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from typing import Any

import structlog
from flask import Response

from events.table.record import Record
from events.tournament import bundle
from events.tournament.state import Tournament
from service.api.history import make_game_bundle
from service.api.tournaments import present_context
from service.api.transparency_log import find_proof
from service.application.container import Services
from service.application.live_streams import (
    ANYTHING,
    encode_message,
    is_token_valid,
    make_stream_response,
    open_stream,
    read_last_event_id,
    stream_messages,
    wait_for_news,
)
from service.application.request_context import get_services, read_bearer_secret
from service.application.tournament_context import (
    TournamentContext,
    load_earlier_tournament,
    load_tournament_context,
    refresh_tournament_context,
)
from service.base.people import StoredText
from service.http import query_strings
from service.http.blueprint import LAST_EVENT_ID, TOURNAMENT_ID, Blueprint
from service.http.problems import DATABASE_AWAY
from service.http.responses import (
    NDJSON,
    PRIVATE_HEADERS,
    find_next_address,
    json_response,
    lines_response,
    wants_lines,
)
from service.openapi import response_structs
from service.presenters import tournament_presenter
from service.streaming.stream_hub import StreamListener

blp = Blueprint(
    "tournament log", __name__, url_prefix="/v1", description="Events, history and proof of tournaments."
)

STANDINGS_SECONDS = 2.0
"""Seconds between two messages with standings while results come in."""
_RESULT_EVENTS = frozenset({"ResultRecorded", "Ruled", "RoundClosed", "RoundStarted", "TournamentClosed"})
"""Events after which the standings may have changed."""

log = structlog.get_logger("rutter.service")


@blp.route("/tournaments/<tournament>/events", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="get_tournament_events", security=[{}, {"token": []}])
@blp.query(query_strings.TournamentLogQuery)
@blp.answers(200, "TournamentEvents", "Events, oldest first.")
@blp.problems(400, 401, 404, 503)
def get_tournament_events(query: dict[str, Any], tournament: str) -> Response:
    """Return the log of a tournament. With `Accept: application/x-ndjson` you get one event per line.

    All of it is public, except results of games whose end the viewer may not see yet.
    """
    state = load_tournament_context(tournament).state
    records = _read_records(state, query["after"], query["limit"])
    texts = get_services().texts.texts_by_digest(state.id)
    events = [tournament_presenter.present_event(record, texts) for record in records]
    if wants_lines():
        return lines_response(events)
    more = find_next_address(f"/v1/tournaments/{state.id}/events", records, state.seq)
    return json_response({"events": events, "seq": state.seq, "next": more}, headers=PRIVATE_HEADERS)


def _read_records(state: Tournament, after: int, limit: int) -> list[Record]:
    """Return a page of the events up to *state*."""
    records = get_services().tournaments.records(state.id, after, limit)
    return [record for record in records if record.seq <= state.seq]


@blp.route("/tournaments/<tournament>/history", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="get_tournament_history", security=[{}, {"token": []}])
@blp.query(query_strings.TournamentLogQuery)
@blp.answers(200, "HistoryPage", "Sentences, oldest first.")
@blp.problems(400, 401, 404, 503)
def get_tournament_history(query: dict[str, Any], tournament: str) -> Response:
    """Return the history in plain sentences, with the names of the people in them."""
    found = load_tournament_context(tournament)
    records = _read_records(found.state, query["after"], query["limit"])
    accounts = get_services().tournament_people.accounts(found.newest)
    lines = [
        response_structs.Line(record.seq, tournament_presenter.write_sentence(record, accounts))
        for record in records
    ]
    more = find_next_address(f"/v1/tournaments/{found.state.id}/history", records, found.state.seq)
    return json_response(response_structs.HistoryPage(lines, found.state.seq, more), headers=PRIVATE_HEADERS)


@blp.route("/tournaments/<tournament>/receipt", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="get_tournament_receipt", security=[{}, {"token": []}])
@blp.answers(200, "ReceiptGiven", "The receipt.")
@blp.problems(401, 404, 409, 503)
def get_tournament_receipt(tournament: str) -> Response:
    """Return the signed receipt for the newest event. Its hash covers all events before it.

    Answers to commands carry a receipt for that command. It is the same for everybody who sees the tournament
    up to that event.
    """
    state = load_tournament_context(tournament).state
    return json_response(
        response_structs.ReceiptGiven(get_services().receipts.sign_newest(state)), headers=PRIVATE_HEADERS
    )


@blp.route("/tournaments/<tournament>/audit", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="get_tournament_audit", security=[{}, {"token": []}])
@blp.response(
    200, "TournamentAuditLine", content_type=NDJSON, description="The bundle, one JSON value per line."
)
@blp.problems(400, 401, 404, 409, 503)
def get_tournament_audit(tournament: str) -> Response:
    """Return the bundle that `rutter verify` checks offline: all events, a receipt, a proof, every game's.

    While the tournament runs, the bundle has no games: check it with `--partial`. It leaves out erased texts;
    only their digests are checked then.
    """
    state = load_tournament_context(tournament).state
    services = get_services()
    signer = services.signer
    services.receipts.require_covered(state.id, state.seq)
    records = services.tournaments.records(state.id, 0, state.seq)
    kept = services.texts.texts_by_digest(state.id)
    texts = {digest: (one.salt, one.text) for digest, one in kept.items()}
    proof = find_proof(services, state.id, state.seq) if state.over else None
    proofs = [] if proof is None else [(state.seq, proof)]
    own = bundle.write_lines(state, records, texts, signer, proofs)
    name = f'attachment; filename="{state.id}.ndjson"'
    lines = _add_game_bundles(services, state, own)
    return Response(lines, headers={**PRIVATE_HEADERS, "Content-Disposition": name}, content_type=NDJSON)


def _add_game_bundles(services: Services, state: Tournament, own: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bundle lines of a tournament and, once it is over, those of all its games."""
    yield from own
    for game_id in bundle.list_bundled_games(state):
        yield from make_game_bundle(services, services.games.load(game_id), None)


# --- live ----------------------------------------------------------------------------------------------


@blp.route("/tournaments/<tournament>/stream", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="stream_tournament", security=[{}, {"token": []}])
@blp.headers(LAST_EVENT_ID)
@blp.query(query_strings.TournamentStreamQuery)
@blp.streams("TournamentMessage")
@blp.problems(400, 401, 404, 503)
def stream_tournament(query: dict[str, Any], tournament: str) -> Response:
    """Follow a tournament.

    Without `Last-Event-ID` or `after` the stream begins with `event: tournament`, whose data is the whole
    tournament. Then comes `event: event` with `id: <seq>` for each event. When results change the standings,
    `event: standings` comes without an id, at most every two seconds. Comments keep the connection alive.
    `event: closing` announces that the server stops, or that the token is no longer valid.
    """
    after = read_last_event_id(query["after"])
    found = load_tournament_context(tournament)
    if after is not None:
        load_earlier_tournament(found, max(1, after))
    services = get_services()
    lease, listener = open_stream(services, found.newest.id)
    content = _TournamentContent(services, found, listener, after, read_bearer_secret())
    return make_stream_response(stream_messages(content, listener, lease), lease, listener)


class _TournamentContent:
    """The content of a tournament's stream, as its viewer may see it."""

    def __init__(
        self,
        services: Services,
        found: TournamentContext,
        listener: StreamListener,
        after: int | None,
        secret: str | None,
    ) -> None:
        self._services, self._found, self._listener = services, found, listener
        self._secret = secret
        self._whole = present_context(found, found.state) if after is None else None
        self._after = found.state.seq if after is None else after
        self._seen = found
        self._stale = False
        """True if results have changed the standings since they were sent."""
        self._told_at = time.monotonic()
        """The time at which the standings were sent last."""

    def first_messages(self) -> Iterator[bytes]:
        """Yield the tournament, unless the stream goes on after an event."""
        if self._whole is not None:
            yield encode_message("tournament", self._whole)
            self._whole = None

    def is_allowed(self, heard: frozenset[str]) -> bool:
        """Return True if the token is not revoked, and the tournament still visible to the viewer."""
        if not is_token_valid(self._services, self._secret):
            return False
        seen = _refresh_context(self._services, self._found, hinted=bool(heard))
        self._seen = seen or self._seen
        return seen is not None

    def new_messages(self, heard: frozenset[str]) -> Iterator[bytes]:
        """Yield the events that are new, and the standings where results have changed them a while ago."""
        services, state = self._services, self._seen.state
        for record in _read_new_records(services, state, self._after, hinted=bool(heard)):
            yield _encode_event(services, state.id, record)
            self._after = record.seq
            self._stale = self._stale or record.type in _RESULT_EVENTS
        if self._stale and self._seconds_to_standings() <= 0:
            yield _encode_standings(services, self._seen)
            self._stale, self._told_at = False, time.monotonic()

    def _seconds_to_standings(self) -> float:
        return self._told_at + STANDINGS_SECONDS - time.monotonic()

    def wait(self) -> Generator[bytes, None, frozenset[str]]:
        """Wait until there may be something new.

        Where results are held back that may be at any time, and standings are due soon.
        """
        held_back = self._seen.state.seq < self._seen.newest.seq
        if not self._stale and not held_back:
            return (yield from wait_for_news(self._services, self._listener))
        heard = self._listener.wait(max(0.0, self._seconds_to_standings()) if self._stale else 1.0)
        return heard if self._services.hints.hearing else ANYTHING


def _encode_event(services: Services, tournament: str, record: Record) -> bytes:
    """Return the message of an event, encoded once for everybody; what can be erased is encoded again."""

    def encode(texts: Mapping[str, StoredText]) -> bytes:
        return encode_message("event", tournament_presenter.present_event(record, texts), record.seq)

    if b'"text":"' not in record.body:
        key = (tournament, record.seq, None, False)
        return services.event_cache.get_encoded_message(key, lambda: encode({}), keep=True)
    what = ("event", record.seq)
    return services.hint_cache.get(
        tournament, what, lambda _: encode(services.texts.texts_by_digest(tournament)), hinted=False
    )


def _encode_standings(services: Services, seen: TournamentContext) -> bytes:
    """Return the message of the standings as far as a viewer sees, counted once for all who see as far."""

    def encode(_: bytes | None) -> bytes:
        accounts = services.tournament_people.accounts(seen.newest)
        return encode_message("standings", tournament_presenter.present_standings(seen.state, None, accounts))

    what = ("standings", seen.state.seq)
    return services.hint_cache.get(seen.state.id, what, encode, hinted=False, believed=STANDINGS_SECONDS)


def _refresh_context(
    services: Services, found: TournamentContext, *, hinted: bool
) -> TournamentContext | None:
    """Return the tournament as it is now; None where the viewer may not see it any more."""
    try:
        return refresh_tournament_context(services, found, hinted=hinted)
    except DATABASE_AWAY:
        return found
    except LookupError:
        return None


def _read_new_records(services: Services, state: Tournament, after: int, *, hinted: bool) -> Iterator[Record]:
    """Yield the events after *after*, up to *state*."""
    while after < state.seq:
        try:
            records = services.event_cache.records_after(state.id, after, hinted=hinted)
        except DATABASE_AWAY:
            log.warning("stream_waits_for_database", tournament=state.id)
            return
        yield from (record for record in records if record.seq <= state.seq)
        after = records[-1].seq if records else state.seq
