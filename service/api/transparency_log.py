"""The log of all games, as anybody may read it: checkpoints, tiles, proofs (C2SP ``tlog-tiles``)."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from events.store.event_log import EventLog
from events.store.games import NoSuchEvent
from events.tlog import checkpoints, leaves, tree
from events.tlog.notes import BadNote, Verifier, open_note, split_note
from events.tlog.text import b64
from projections.tree.tree_store import PublishedCheckpoint, TreeStore
from service.application import tournament_context
from service.application.container import Services
from service.application.game_context import check_event, load_game_context
from service.application.request_context import get_services
from service.base.database import retry_on_disconnect
from service.http import query_strings
from service.http.blueprint import TOURNAMENT_ID, Blueprint, path_parameter
from service.http.problems import Problem, unknown_game_problem
from service.http.responses import PRIVATE_HEADERS, json_response

blp = Blueprint("tree", __name__, description="The transparency log of all games: one tree over all events.")

TEXT = "text/plain; charset=utf-8"
BYTES = "application/octet-stream"
TILE_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}
CHECKPOINT_HEADERS = {"Cache-Control": "public, max-age=2"}
PATH = path_parameter(
    "path",
    "The tile: `<L>/<N>` or `entries/<N>`, followed by `.p/<W>` for only its first W hashes or entries.",
    {"type": "string"},
)


def not_yet_logged_problem() -> Problem:
    """Return the 404 problem: no checkpoint covers this yet, but one will in a moment."""
    return Problem(
        404,
        "not_yet_logged",
        "No published checkpoint covers this yet. Ask again in a few seconds.",
        headers={"Retry-After": "2"},
    )


@blp.route("/log/checkpoint")
@blp.doc(operationId="get_checkpoint", security=[])
@blp.response(200, {"type": "string"}, content_type="text/plain", description="A signed note.")
@blp.problems(404, 503)
def get_checkpoint() -> Response:
    """Return the newest size and root of the log of all games, signed by the log and its witnesses."""
    return Response(_read_newest_note(get_services()), headers=CHECKPOINT_HEADERS, content_type=TEXT)


@retry_on_disconnect
def _read_newest_note(services: Services) -> str:
    with services.pool.connection() as connection:
        store = TreeStore(connection)
        return store.make_cosigned_note(_require_newest(store))


def _require_newest(store: TreeStore) -> PublishedCheckpoint:
    newest = store.find_newest()
    if newest is None:
        raise not_yet_logged_problem()
    return newest


@blp.route("/log/tile/<path:path>", parameters=[PATH])
@blp.doc(operationId="get_tile", security=[])
@blp.response(
    200,
    {"type": "string", "format": "binary"},
    content_type=BYTES,
    description="Hashes of 32 bytes; or entries, each after its length in two bytes.",
)
@blp.problems(404, 503)
def get_tile(path: str) -> Response:
    """Return a tile of the tree, which never changes: up to 256 hashes, or entries."""
    try:
        level, n, width = tree.parse_path(f"tile/{path}")
    except ValueError:
        detail = (
            "No tile has this name. Send a name such as `0/000.p/7`, the first tile of a log of seven"
            " entries."
        )
        raise Problem(404, "not_found", detail) from None
    raw = _read_tile(get_services(), level, n, width)
    return Response(raw, headers=TILE_HEADERS, content_type=BYTES)


@retry_on_disconnect
def _read_tile(services: Services, level: str, n: int, width: int) -> bytes:
    above = 0 if level == "entries" else int(level)
    with services.pool.connection() as connection:
        store = TreeStore(connection)
        if n * tree.WIDTH + width > _require_newest(store).size >> tree.HEIGHT * above:
            raise not_yet_logged_problem()
        return leaves.pack(store.entries(n, width)) if level == "entries" else store.tile(above, n, width)


@blp.route("/log/consistency")
@blp.doc(operationId="get_consistency", security=[])
@blp.query(query_strings.ConsistencyQuery)
@blp.response(
    200,
    {"type": "array", "items": {"type": "string"}},
    content_type="application/json",
    description="The hashes (base64) of a consistency proof (RFC 9162).",
)
@blp.problems(400, 404, 409, 503)
def get_consistency(query: dict[str, Any]) -> Response:
    """Return the proof that the log of `old` entries is the beginning of the log of `new` entries."""
    if query["old"] > query["new"]:
        raise Problem(409, "old_is_larger", "`old` is larger than `new`. Exchange the two numbers.")
    hashes = _prove_consistency(get_services(), query["old"], query["new"])
    return json_response([b64(one) for one in hashes], headers=TILE_HEADERS)


@retry_on_disconnect
def _prove_consistency(services: Services, old: int, new: int) -> list[bytes]:
    with services.pool.connection() as connection:
        store = TreeStore(connection)
        if new > _require_newest(store).size:
            raise not_yet_logged_problem()
        return store.consistency(old, new)


@blp.route("/log/cosignature", methods=["POST"])
@blp.doc(
    operationId="add_cosignature",
    security=[],
    requestBody={
        "required": True,
        "description": "The text of a checkpoint, an empty line, the witness's line.",
        # text/plain is taken as well; generators of clients know no text as a body.
        "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}},
    },
)
@blp.response(200, {"type": "string"}, content_type="text/plain", description="The checkpoint, as it is now.")
@blp.problems(400, 403, 404, 409, 413, 415, 503)
def add_cosignature() -> Response:
    """Add the cosignature of a witness to a checkpoint. Only the configured witnesses are accepted."""
    if request.mimetype not in ("text/plain", BYTES):
        raise Problem(
            415, "unsupported_media_type", "The note has the wrong media type. Send it as text/plain."
        )
    try:
        note = request.get_data().decode()
        checkpoint = checkpoints.peek(note)
        signers = open_note(note, map(Verifier.read, get_services().settings.witnesses)).signers
    except UnicodeDecodeError:
        raise Problem(
            400, "malformed_request", "The note is not UTF-8. Send the text of a checkpoint in UTF-8."
        ) from None
    except BadNote as error:
        detail = (
            f"No witness that this log accepts has signed the note: {error}. Ask the operator to add"
            f" the witness."
        )
        raise Problem(403, "unknown_witness", detail) from None
    lines = {
        one.vkey: line
        for one in signers
        for name, raw, line in split_note(note)[1]
        if (name, raw[:4]) == (one.name, one.id)
    }
    return Response(
        _add_cosignatures(get_services(), checkpoint, lines),
        headers={"Cache-Control": "no-store"},
        content_type=TEXT,
    )


@retry_on_disconnect
def _add_cosignatures(services: Services, checkpoint: checkpoints.Checkpoint, lines: dict[str, str]) -> str:
    with services.pool.connection() as connection:
        store = TreeStore(connection)
        one = store.checkpoint(checkpoint.size)
        if one is None:
            raise Problem(
                404,
                "unknown_checkpoint",
                "This log has published no checkpoint of that size. Take the newest one from GET"
                " /log/checkpoint.",
            )
        if checkpoints.peek(one.note) != checkpoint:
            detail = (
                "This log has published another checkpoint of that size. Keep both: they prove that the"
                " log was forked."
            )
            raise Problem(409, "other_checkpoint", detail)
        for witness, line in lines.items():
            connection.execute(
                "INSERT INTO es.cosignature (size, witness, line) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
                (one.size, witness, line),
            )
        return store.make_cosigned_note(one)


@blp.route("/v1/games/<id>/proof")
@blp.doc(operationId="get_proof", security=[{}, {"token": []}])
@blp.query(query_strings.ProofQuery)
@blp.response(200, {"type": "string"}, content_type="text/plain", description="A C2SP tlog-proof.")
@blp.problems(400, 401, 404, 503)
def get_proof(query: dict[str, Any], id: str) -> Response:
    """Return the proof that the log of all games holds event `n` and all events before it."""
    game, n = load_game_context(id).game, query["n"]
    check_event(game, n)
    return _make_proof_response(game.id, n)


@blp.route("/v1/tournaments/<tournament>/proof", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="get_tournament_proof", security=[{}, {"token": []}])
@blp.query(query_strings.ProofQuery)
@blp.response(200, {"type": "string"}, content_type="text/plain", description="A C2SP tlog-proof.")
@blp.problems(400, 401, 404, 503)
def get_tournament_proof(query: dict[str, Any], tournament: str) -> Response:
    """Return the proof that the log of all games holds event `n` and all events before it."""
    state, n = tournament_context.load_tournament_context(tournament).state, query["n"]
    if n > state.seq:
        raise NoSuchEvent(f"the newest event of this tournament is {state.seq}")
    return _make_proof_response(state.id, n)


def _make_proof_response(stream: str, n: int) -> Response:
    """Return the proof for event *n* of a game or a tournament. Raises a 404 problem."""
    text = find_proof(get_services(), stream, n)
    if text is None:
        raise _explain_missing_proof(get_services().games.log, stream, n)
    return Response(text, headers=PRIVATE_HEADERS, content_type=TEXT)


@retry_on_disconnect
def find_proof(services: Services, game_id: str, n: int) -> str | None:
    """Return the proof for event *n*, in the newest checkpoint with a quorum, else in the newest.

    None before a checkpoint covers it.
    """
    with services.pool.connection() as connection:
        store = TreeStore(connection)
        leaf = store.leaf(game_id, n)
        if leaf is None:
            return None
        for one in (_find_with_quorum(services, store), store.find_newest()):
            if one is not None and leaf.index < one.size:
                return store.proof(leaf.index, one)
    return None


@retry_on_disconnect
def find_following_entry(services: Services, game_id: str, n: int, last: int) -> tuple[str, str] | None:
    """Return the entry of the batch of a game that follows on event *n*, with its proof.

    None where it ends after event *last*, or before a checkpoint covers it.
    """
    with services.pool.connection() as connection:
        store = TreeStore(connection)
        found = store.leaf_after(game_id, n)
        if found is None or found[0] > last:
            return None
        leaf = found[1]
        for one in (_find_with_quorum(services, store), store.find_newest()):
            if one is not None and leaf.index < one.size:
                return leaf.entry.decode(), store.proof(leaf.index, one)
    return None


@retry_on_disconnect
def find_early_proof(services: Services, game_id: str, n: int) -> str | None:
    """Return the proof for event *n* in the checkpoint that a quorum cosigned first; None without any.

    It shows when others saw the event.
    """
    witnesses, quorum = _read_quorum(services)
    with services.pool.connection() as connection:
        store = TreeStore(connection)
        leaf = store.leaf(game_id, n) if witnesses else None
        one = None if leaf is None else store.find_first_with_quorum(leaf.index, witnesses, quorum)
        return None if leaf is None or one is None else store.proof(leaf.index, one)


def _find_with_quorum(services: Services, store: TreeStore) -> PublishedCheckpoint | None:
    witnesses, quorum = _read_quorum(services)
    return store.find_with_quorum(witnesses, quorum) if witnesses else None


def _read_quorum(services: Services) -> tuple[list[str], int]:
    """Return the witnesses of this log, and the number of them that is a quorum."""
    witnesses = list(services.settings.witnesses)
    return witnesses, services.settings.quorum or len(witnesses) // 2 + 1


def _explain_missing_proof(log: EventLog, game_id: str, n: int) -> Problem:
    """Return the 404 problem that explains why there is no proof for event *n*."""
    end = _find_batch_end(log, game_id, n)
    if end == n:
        return not_yet_logged_problem()
    detail = (
        f"Event {n} is not the last of its command, so it has no entry. Ask for event {end}, which covers it."
    )
    return Problem(404, "no_leaf", detail, more={"seq": end})


@retry_on_disconnect
def _find_batch_end(log: EventLog, game_id: str, n: int) -> int:
    """Return the last event of the command of event *n*. Raises NoSuchEvent, or a 404 problem."""
    page = log.read(game_id, n - 1, 200)
    if not page or page[0].seq != n:
        if not log.read(game_id, 0, 1):
            raise unknown_game_problem()
        raise NoSuchEvent(f"this game has no event {n}")
    command, end = page[0].command_id, n
    while page:
        for record in page:
            if record.command_id != command:
                return end
            end = record.seq
        page = log.read(game_id, end, 200)
    return end
