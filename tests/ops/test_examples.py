"""The programs that others copy go on over restarts, lost answers, silence and limits."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from ops.examples import organiser
from tests.conftest import ROOT
from tests.http_server import QuietHandler, serving
from tests.service.page_blocks import read_blocks
from tests.waiting import PATIENCE

[GUIDE] = [
    block.text for block in read_blocks(ROOT / "service/docs/pages/build/bots.md") if block.title == "bot.py"
]
TURN = {"seq": 5, "legal": [{"command": {"type": "pass"}, "label": "Pass"}]}


class Script:
    """A server that answers each request with the next of its steps, and notes what it was sent."""

    def __init__(self, **steps: list[Any]) -> None:
        self.steps = steps
        self.sent: list[tuple[str, Message, Any]] = []
        self.over = threading.Event()

    @contextmanager
    def running(self) -> Iterator[str]:
        script = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                script.answer(self, None)

            def do_POST(self) -> None:
                script.answer(self, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        with serving(Handler) as address:
            try:
                yield address
            finally:
                self.over.set()

    def answer(self, request: QuietHandler, body: Any) -> None:
        self.sent.append((request.command, request.headers, body))
        step = self.steps[request.command].pop(0)
        if step is None:  # no answer at all
            return
        status, headers, text = step
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(text.encode())
        request.wfile.flush()
        if "X-Silent" in headers:
            self.over.wait(PATIENCE)

    def headers(self, method: str, name: str) -> list[str | None]:
        """Return this header of all requests of a method."""
        return [headers.get(name) for sent, headers, _ in self.sent if sent == method]


def message(name: str, data: Any, number: int | None = None) -> str:
    return f"event: {name}\n" + (f"id: {number}\n" if number else "") + f"data: {json.dumps(data)}\n\n"


@pytest.fixture
def waits(monkeypatch) -> list[float]:
    """The seconds for which a program pauses; they pass at once."""
    found: list[float] = []
    monkeypatch.setattr("time.sleep", found.append)
    monkeypatch.setenv("TOKEN", "rut_test")
    monkeypatch.setenv("no_proxy", "*")
    return found


def run(source: str, monkeypatch, *words: str) -> None:
    """Run a program with these arguments, whose patience with a silent server is short."""
    text, changed = re.subn(r"^SILENCE = 45(\.0)?", "SILENCE = 0.3", source, flags=re.MULTILINE)
    assert changed == 1
    monkeypatch.setattr("sys.argv", ["bot.py", *words])
    exec(compile(text, "bot.py", "exec"), {"__name__": "__main__"})  # noqa: S102 - a program of our own


def test_a_bot_plays_on_whatever_happens(monkeypatch, waits):
    """Each move counts once, and the stream goes on behind what the bot has seen."""
    ok, event = {"Content-Type": "text/event-stream"}, message("event", {"type": "Passed", "seq": 6}, 6)
    script = Script(
        GET=[
            None,  # the server restarts
            (503, {"Retry-After": "3"}, ""),
            (200, ok, "retry: 2000\n\n" + message("game", {"status": "running"}) + message("turn", TURN)),
            (200, {**ok, "X-Silent": "1"}, ": here\n\n" + event + message("closing", {})),
            (200, ok, message("event", {"type": "TableClosed", "seq": 7}, 7)),
        ],
        POST=[
            (429, {"Retry-After": "7"}, "{}"),
            None,  # the answer is lost
            (502, {}, "a proxy's own page"),
            (200, {"Content-Length": "100"}, '{"seq"'),  # it breaks off
            (200, {}, '{"seq": 6}'),
        ],
    )
    with script.running() as address:
        run(GUIDE, monkeypatch, address, "GAME")
    assert script.steps == {"GET": [], "POST": []}
    assert len(set(script.headers("POST", "Idempotency-Key"))) == 1, "the same request, sent again"
    assert script.headers("GET", "Last-Event-ID") == [None] * 4 + ["6"]
    assert waits == [2, 3, 7, 2, 2, 2, 2, 2]


def test_a_bot_ends_with_an_error_where_it_may_not_play(monkeypatch, waits):
    with Script(GET=[(401, {}, "{}")]).running() as address, pytest.raises(HTTPError):
        run(GUIDE, monkeypatch, address, "GAME")
    turn = (200, {}, message("turn", TURN))
    for status in (403, 422):
        script = Script(GET=[turn], POST=[(status, {}, "{}")])
        with script.running() as address, pytest.raises(HTTPError):
            run(GUIDE, monkeypatch, address, "GAME")


def test_a_bot_that_somebody_was_quicker_than_takes_the_next_turn(monkeypatch, waits):
    ended = message("event", {"type": "TableAbandoned", "seq": 9}, 9)
    turns = message("turn", TURN) + message("turn", {**TURN, "seq": 8}) + ended
    script = Script(GET=[(200, {}, turns)], POST=[(409, {}, "{}"), (200, {}, '{"seq": 9}')])
    with script.running() as address:
        run(GUIDE, monkeypatch, address, "GAME")
    assert script.steps["POST"] == []
    assert len(set(script.headers("POST", "Idempotency-Key"))) == 2


def test_the_organiser_goes_on_as_well(waits, capsys):
    """It says why it waits, so that nobody takes a limit for a program that stands still."""
    event = message("event", {"type": "RoundStarted", "data": {}}, 3)
    closed = message("event", {"type": "TournamentClosed", "data": {}}, 4)
    ok, made = {"Content-Type": "text/event-stream"}, {"token": "rut_x", "account": {"name": "Organiser"}}
    script = Script(
        GET=[
            (200, ok, event),  # it breaks off
            (503, {"Retry-After": "1"}, ""),
            (200, ok, closed),
            (200, {}, "{}"),
        ],
        POST=[
            (201, {}, json.dumps(made)),
            (429, {"Retry-After": "7"}, ""),
            None,  # the answer is lost
            (201, {}, '{"id": "x"}'),
            *[(200, {}, "{}")] * 2,
        ],
    )
    with script.running() as address:
        organiser.main(address, 0, 1, "colonies", out := Path(os.devnull))
    assert out.exists()
    assert script.steps == {"GET": [], "POST": []}
    assert script.headers("GET", "Last-Event-ID") == [None, "3", "3", None]
    assert len(set(script.headers("POST", "Idempotency-Key")[1:4])) == 1
    assert waits == [7, 0.2, 2, 1]
    said = capsys.readouterr().out
    assert "Organiser waits: POST /v1/tournaments: 429" in said
    assert "Organiser waits: POST /v1/tournaments: No answer to POST" in said
    assert re.search(
        r"Organiser waits: GET /v1/tournaments/x/stream: 503 .* The next attempt is in 1 s", said
    )
    assert [what in said for what in ("RoundStarted", "TournamentClosed")] == [True, True]
