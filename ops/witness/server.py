"""A witness over HTTP: logs that push (C2SP tlog-witness), its newest checkpoints, and the drop box.

```
POST /add-checkpoint                a log pushes a checkpoint; the answer is the cosignature line
GET  /<hex H(origin)>/checkpoint    the newest checkpoint that was cosigned
POST /drop                          a contribution that a service gave no answer to; the answer is a drop note
GET  /drops/<hex H(origin)>/<game>  the notes about what was dropped for a game, for its server to collect
```

A drop is a reveal that did not arrive: what anybody may see who reads the game afterwards. Of one game and in
all only so many are kept, and for a month.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.serving import BaseWSGIServer, ThreadedWSGIServer, WSGIRequestHandler

from events.tlog import drops
from events.tlog.checkpoints import MAX_HASHES
from events.tlog.drops import Drop
from events.tlog.notes import MAX_NOTE_BYTES, BadNote, SigningKey
from events.tlog.text import parse_decimal, unb64
from ops.witness.core import Witness
from ops.witness.drop_store import DropStore, FullDropBox, write_lines
from ops.witness.errors import CosignatureRefusal, LostState, MalformedRequest, StaleProof
from ops.witness.folder import Folder, log_id
from ops.witness.limits import ConnectionLimiter, RateLimiter, name_subscriber

LARGEST_REQUEST = MAX_NOTE_BYTES + 64 * (MAX_HASHES + 2)
"""Bytes of a request: a note, and the lines before it."""
CONNECTIONS = 64
CONNECTIONS_PER_ADDRESS = 8
"""Connections at once, of all and of one address; further ones are closed."""
IDLE_SECONDS = 20
"""Seconds that a connection may say nothing."""
PER_ADDRESS = (60, 2.0)
"""Drops at once and drops a second, of one address and of all; a table has at most 16 seats."""
ALTOGETHER = (600, 50.0)

log = logging.getLogger("rutter.witness")


def read_request(body: bytes) -> tuple[int, list[bytes], str]:
    """Return old size, proof and note of an ``add-checkpoint`` request. Raises MalformedRequest."""
    try:
        head, gap, note = body.decode().partition("\n\n")
        first, *lines = head.split("\n")
        word, _, number = first.partition(" ")
        if not gap or word != "old" or len(lines) > MAX_HASHES:
            raise MalformedRequest(
                "the request has another form. Send `old <size>`, at most 63 lines of proof, an empty line, "
                "and a note"
            )
        return parse_decimal(number), [unb64(line, 32) for line in lines], note
    except ValueError as error:
        raise MalformedRequest(f"the request is damaged: {error}") from error


def make_application(
    witness: Witness,
    folder: Folder,
    origins: set[str],
    drop_box: SigningKey,
    clock: Callable[[], float] = time.time,
) -> Flask:
    """Return the witness as a WSGI application.

    Args:
        witness: cosigns what is pushed.
        folder: the witness's.
        origins: of the logs whose key is pinned; the drop box takes what belongs to these, and to those that
            the folder knows.
        drop_box: signs drop notes.
        clock: tells the time of a drop, in seconds since 1970.
    """
    app = Flask("rutter-witness", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_REQUEST
    each, everybody = RateLimiter(*PER_ADDRESS), RateLimiter(*ALTOGETHER)
    store = DropStore(folder.path / "drops.ndjson", drop_box)

    def add_checkpoint() -> Response:
        old, proof, note = read_request(request.get_data())
        return _make_text(witness.add(old, proof, note))

    def show_newest(name: str) -> Response:
        origin = next((one for one in folder.list_origins() if log_id(one) == name), None)
        note = witness.find_newest(origin) if origin else None
        return (
            _make_text(note) if note else _make_text("this witness has cosigned nothing of this log\n", 404)
        )

    def drop() -> Response:
        wait = each.take(name_subscriber(request.remote_addr or "")) or everybody.take("")
        if wait:
            answer = _make_text("too many drops; wait as long as Retry-After says\n", 429)
            answer.headers["Retry-After"] = str(math.ceil(wait))
            return answer
        dropped = _read_drop(request.get_data())
        if dropped.origin not in list_origins():
            return _make_text("this witness knows no log of this origin; ask another witness\n", 404)
        try:
            return _make_text(store.add(dropped, int(clock())))
        except FullDropBox:
            return _make_text("the drop box is full; try another witness\n", 503)

    def show_drops(name: str, game: str) -> Response:
        origin = next((one for one in list_origins() if log_id(one) == name), None)
        notes = store.list_notes(origin, game) if origin is not None else []
        return Response(write_lines(notes), content_type="application/x-ndjson")

    def list_origins() -> set[str]:
        return origins | set(folder.list_origins())

    app.add_url_rule("/add-checkpoint", view_func=add_checkpoint, methods=["POST"])
    app.add_url_rule("/<name>/checkpoint", view_func=show_newest)
    app.add_url_rule("/drop", view_func=drop, methods=["POST"])
    app.add_url_rule("/drops/<name>/<game>", view_func=show_drops)
    app.register_error_handler(CosignatureRefusal, _answer_refusal)
    app.register_error_handler(LostState, _answer_state_gone)
    app.register_error_handler(HTTPException, _answer_http_error)
    return app


def _read_drop(body: bytes) -> Drop:
    if len(body) > drops.MAX_DROP_BYTES:
        raise MalformedRequest(f"a drop has at most {drops.MAX_DROP_BYTES} bytes")
    try:
        return Drop.read(body.decode())
    except (BadNote, UnicodeDecodeError) as error:
        raise MalformedRequest(
            f"a drop has five lines: `{drops.FIRST_LINE}`, origin, game, seat, hex: {error}"
        ) from error


def _make_text(text: str, status: int = 200) -> Response:
    return Response(text, status, content_type="text/plain; charset=utf-8")


def _answer_refusal(refused: CosignatureRefusal) -> Response:
    if isinstance(refused, StaleProof):
        return Response(f"{refused.size}\n", refused.status, content_type="text/x.tlog.size")
    if refused.status == 422:
        log.error("not cosigned: %r", str(refused))
    return _make_text(f"{refused}\n", refused.status)


def _answer_state_gone(gone: LostState) -> Response:
    log.error("%r", gone.message)
    return _make_text("this witness cannot cosign for this origin\n", 500)


def _answer_http_error(error: HTTPException) -> Response:
    return _make_text(f"{error.name}\n", error.code or 500)


class _Handler(WSGIRequestHandler):
    """Waits for nobody who says nothing; logs no requests."""

    timeout = IDLE_SECONDS

    def log_request(self, *_: object) -> None:
        pass

    def log_error(self, *_: object) -> None:
        pass


class _Server(ThreadedWSGIServer):
    """A thread a connection, and no more connections than these."""

    daemon_threads = True

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self._limits = ConnectionLimiter(CONNECTIONS, CONNECTIONS_PER_ADDRESS)
        super().__init__(*arguments, **more)

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._limits.take(client_address[0]):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._limits.release(client_address[0])


def make_server(app: Flask, host: str, port: int) -> BaseWSGIServer:
    """Return a server that listens; ``serve_forever`` answers. OSError where the port is taken."""
    return _Server(host, port, app, handler=_Handler)
