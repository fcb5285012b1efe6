"""The server's worker with a small stand-in for the service: who is slow, and how it stops."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.test_raw_http import CHUNKED, POST, Raw, problem
from tests.waiting import PATIENCE, ClockFile, until

pytestmark = pytest.mark.integration
ROOT = Path(__file__).parents[2]
THREADS = 2
APP = """
import pathlib
import time

from ops.server import api_worker
from ops.server.api_worker import ApiWorker

HERE = pathlib.Path(__file__).parent


class Clock:
    # What the worker's limits are measured by: the test sets it ahead.
    def monotonic(self):
        return time.monotonic() + int((HERE / "clock").read_text()) / 1000


api_worker.time = Clock()
api_worker.ANSWER_SECONDS = 0.2


class Lingering(ApiWorker):
    # A client that does not hang up may stay for ever.
    def _leave(self, conn):
        api_worker.LEAVE_SECONDS = 10_000
        super()._leave(conn)


def app(environ, start_response):
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain")])
    if environ["PATH_INFO"] == "/large":
        return [b"x" * 50_000_000]
    if environ["PATH_INFO"] == "/late":
        (HERE / "begun").touch()
        while not (HERE / "go").exists():
            time.sleep(0.01)
    return [b"%d bytes" % len(body)]
"""
GET = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"


class Server:
    """One worker with two threads; the limits of its worker follow a clock of the test."""

    def __init__(self, folder: Path, worker: str = "ApiWorker") -> None:
        self.folder = folder
        (folder / "stand_in.py").write_text(APP)
        self.clock = ClockFile(folder / "clock")
        self.errors = folder / "errors"
        listening = socket.create_server(("127.0.0.1", 0))  # held, so that nobody else can take the port
        self.port = listening.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        settings = [
            *("-k", f"stand_in.{worker}", "--threads", str(THREADS), "-b", f"fd://{listening.fileno()}"),
            *("--graceful-timeout", "10000", "--pythonpath", str(folder)),
        ]
        with listening, self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", *settings, "stand_in:app"],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])},
                stderr=errors,
                pass_fds=[listening.fileno()],
            )
        until(self._answers, "the server answers")

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.errors.read_text()
        try:
            return b"0 bytes" in self.ask(GET % b"/")
        except ConnectionRefusedError:
            return False

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def ask(self, text: bytes) -> bytes:
        """What is answered to *text*, up to the end of a short body."""
        with self.connect() as connection:
            connection.sendall(text)
            return read(connection)

    def end(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait()


def read(connection: socket.socket) -> bytes:
    said = b""
    while b" bytes" not in said and (data := connection.recv(4096)):
        said += data
    return said


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("server"), "Lingering")
    yield one
    one.end()


def test_who_does_not_read_their_answer_loses_it_and_frees_the_thread(server):
    """As many as there are threads ask for more than a socket holds; the next is answered all the same."""
    deaf = [server.connect() for _ in range(THREADS)]
    for one in deaf:
        one.sendall(GET % b"/large")
        assert one.recv(10)
    assert b"0 bytes" in server.ask(GET % b"/")
    for one in deaf:
        one.close()


def test_each_answer_says_for_how_long_its_connection_is_kept(server):
    """A client that sends into the end of a connection loses its request; a last answer names no time."""
    assert b"\r\nKeep-Alive: timeout=2\r\n" in server.ask(GET % b"/")
    last = server.ask(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert b"Keep-Alive" not in last


def test_who_does_not_hang_up_holds_up_nobody(server):
    """All of them have their answers while none hangs up: nothing waits for one of them."""
    last_words = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    lingering = [server.connect() for _ in range(20)]
    for one in lingering:
        one.sendall(last_words)
        assert b"0 bytes" in read(one)
        while one.recv(100):  # up to the server's last word
            pass
    for one in lingering:
        one.close()


def test_idle_and_half_sent_connections_hold_no_thread(server):
    """Of two hundred connections with nothing, half a header or half a body none holds one of two threads."""
    halves = (b"", b"GET /half", POST + b"Content-Length: 9\r\n\r\n{", CHUNKED + b"5\r\nx")
    waiting = [server.connect() for _ in range(200)]
    for number, one in enumerate(waiting):
        one.sendall(halves[number % len(halves)])
    assert b"0 bytes" in server.ask(GET % b"/")
    half, body = waiting[1], waiting[2]
    half.sendall(b" HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b"0 bytes" in read(half)
    body.sendall(b"12345678")
    assert b"9 bytes" in read(body)
    for one in waiting:
        one.close()


def test_a_header_or_a_body_that_does_not_come_is_given_up_in_time(server):
    """The connection is told so twenty seconds after its first byte, not before; all in the time of one."""
    halves = [
        b"G",
        b"GET / HTTP/1.1\r\nHost: x\r\nX:",
        POST + b"Content-Length: 9\r\n\r\n{",
        CHUNKED + b"5\r\nx",
    ]
    waiting = [Raw(server.address).send(half) for half in halves]
    server.ask(GET % b"/")  # whatever was sent before has been read
    server.clock.advance(21)
    for one in waiting:
        assert problem(one.answer()) == (408, "request_timeout")
        assert one.is_over()
        one.socket.close()


def test_told_to_stop_it_answers_what_it_has_taken_on_and_goes(tmp_path):
    """A request at work is finished; who has said nothing, or half of something, does not keep it."""
    server = Server(tmp_path)
    try:
        idle, half, late = (server.connect() for _ in range(3))
        half.sendall(b"GET /half")
        late.sendall(GET % b"/late")
        until((server.folder / "begun").exists, "a thread works on it")
        server.process.send_signal(signal.SIGTERM)
        assert idle.recv(1) == b"", "it stops"
        (server.folder / "go").touch()
        assert b"0 bytes" in read(late)
        late.close()
        assert server.process.wait(PATIENCE) == 0
        idle.close()
        half.close()
    finally:
        server.end()
