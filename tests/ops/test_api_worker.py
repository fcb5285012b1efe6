"""The server's worker with a small stand-in for the service: who is slow, and how it stops."""

from __future__ import annotations

import os
import re
import select
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import psutil
import pytest

from ops.server.api_worker import UNSHARED
from tests.acceptance.test_raw_http import CHUNKED, POST, Raw, problem
from tests.waiting import PATIENCE, ClockFile, until

pytestmark = pytest.mark.integration
ROOT = Path(__file__).parents[2]
THREADS = 2
APP = """
import os
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


class Patient(ApiWorker):
    # Another process may take as long as it likes for a new connection. That it did not is long remembered.
    def accept(self, listener):
        api_worker.YIELD_SECONDS = 10_000
        api_worker.DISTRUST_SECONDS = 1_000_000
        super().accept(listener)


class Overtaken(ApiWorker):
    # Another process takes the connection that is left to it between two looks of this one.
    def accept(self, listener):
        if self.nr_conns and not (HERE / "left").exists():
            (HERE / "left").touch()
            self.places[self.place + 1] = 0
        super().accept(listener)

    def wait_for_and_dispatch_events(self, timeout):
        if (HERE / "left").exists():
            self.places[self.place + 1] = api_worker.MANY
            select, self.poller.select = self.poller.select, self.select
            super().wait_for_and_dispatch_events(timeout)
            self.poller.select = select
        else:
            super().wait_for_and_dispatch_events(timeout)

    def select(self, timeout):
        if timeout > api_worker.GLANCE_SECONDS and not self._accepting:
            (HERE / "asleep").touch()
        return type(self.poller).select(self.poller, timeout)


def app(environ, start_response):
    body = environ["wsgi.input"].read()
    if environ["PATH_INFO"] == "/full":
        start_response("503 FULL", [("Content-Type", "text/plain"), ("Connection", "close")])
        return [b"0 bytes"]
    start_response("200 OK", [("Content-Type", "text/plain")])
    if environ["PATH_INFO"] == "/large":
        return [b"x" * 50_000_000]
    if environ["PATH_INFO"] == "/process":
        return [b"%d bytes" % os.getpid()]
    if environ["PATH_INFO"] == "/late":
        (HERE / "begun").touch()
        while not (HERE / "go").exists():
            time.sleep(0.01)
    return [b"%d bytes" % len(body)]
"""
CONFIGURATION = """
from ops.server.gunicorn_conf import child_exit, keepalive
"""
GET = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"


class Server:
    """Workers with two threads each; the limits of a worker follow a clock of the test."""

    def __init__(self, folder: Path, worker: str = "ApiWorker", processes: int = 1) -> None:
        self.folder = folder
        (folder / "stand_in.py").write_text(APP)
        (folder / "configuration.py").write_text(CONFIGURATION)
        self.clock = ClockFile(folder / "clock")
        self.errors = folder / "errors"
        listening = socket.create_server(("127.0.0.1", 0))  # held, so that nobody else can take the port
        self.port = listening.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        settings = [
            *("-k", f"stand_in.{worker}", "--threads", str(THREADS), "-b", f"fd://{listening.fileno()}"),
            *("--graceful-timeout", "10000", "--pythonpath", str(folder), "--workers", str(processes)),
            *("-c", str(folder / "configuration.py")),
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
    assert b"\r\nKeep-Alive: timeout=75\r\n" in server.ask(GET % b"/")
    last = server.ask(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert b"Keep-Alive" not in last


def test_an_answer_can_end_its_connection(server):
    """The next request of a client whom this process has no place for may then come to another process."""
    with server.connect() as connection:
        connection.sendall(GET % b"/full")
        said = read(connection)
        assert b"\r\nConnection: close\r\n" in said
        assert b"Keep-Alive" not in said
        while connection.recv(100):  # up to the server's last word
            pass


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


# --- several processes -------------------------------------------------------------------------------------


class Kept(ExitStack):
    """Connections that are kept, each with the process that answers it."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[tuple[socket.socket, int]] = []

    def connect(self, server: Server, number: int) -> dict[int, int]:
        """Make so many connections one after the other; return how many of them each process answers."""
        new = []
        for _ in range(number):
            connection = self.enter_context(server.connect())
            new.append((connection, ask_process(connection)))
        self.made += new
        return Counter(process for _, process in new)


def ask_process(connection: socket.socket) -> int:
    """Return the id of the process that answers this connection."""
    connection.sendall(GET % b"/process")
    return int(re.findall(rb"(\d+) bytes", read(connection))[0])


def find_workers(server: Server) -> set[int]:
    return {child.pid for child in psutil.Process(server.process.pid).children()}


def both_answer(server: Server) -> bool:
    with Kept() as kept:
        return len(kept.connect(server, 2)) == 2


def test_processes_have_as_many_connections_each(tmp_path):
    """A process with more leaves the next one to others, also to one that came in place of another."""
    server = Server(tmp_path, "Patient", processes=2)
    try:
        until(lambda: both_answer(server), "both processes answer")
        with Kept() as kept:
            told = kept.connect(server, 20)
            assert max(told.values()) - min(told.values()) <= 2, told  # those closed before may still count
            killed = kept.made[0][1]
            os.kill(killed, signal.SIGKILL)
            until(lambda: len(find_workers(server) - {killed}) == 2, "another process runs")
            (new,) = find_workers(server) - set(told)
            until(lambda: new in kept.connect(server, 1), "the new process answers")
            assert set(kept.connect(server, 5)) == {new}
    finally:
        server.end()


def test_a_stuck_process_keeps_no_connection_waiting(tmp_path):
    """What is left to it is taken by another after a moment."""
    server = Server(tmp_path, processes=2)
    try:
        until(lambda: both_answer(server), "both processes answer")
        with Kept() as kept:
            kept.connect(server, 8)
            connection, stuck = kept.made[0]
            os.kill(stuck, signal.SIGSTOP)
            assert stuck not in kept.connect(server, 12)
            os.kill(stuck, signal.SIGCONT)
            assert ask_process(connection) == stuck
    finally:
        server.end()


def test_a_process_that_was_stuck_gets_its_share_again(tmp_path):
    """One that did not take its turn is passed over for a few connections, not for all that come then."""
    server = Server(tmp_path, "Patient", processes=2)
    try:
        until(lambda: both_answer(server), "both processes answer")
        with Kept() as kept:
            kept.connect(server, 8)
            stuck = kept.made[0][1]
            os.kill(stuck, signal.SIGSTOP)
            for _ in range(6):  # the first few may be even, for it counts connections that have just ended
                waiting = kept.enter_context(server.connect())
                waiting.sendall(GET % b"/process")
                until(partial(passes_over, server, waiting), "the other takes what was left to it")
            os.kill(stuck, signal.SIGCONT)
            assert stuck in kept.connect(server, UNSHARED + 1)
    finally:
        server.end()


def passes_over(server, waiting):
    """Let the time pass for which a connection is left to another process. Return True if it is answered."""
    server.clock.advance(10_001)
    return bool(select.select([waiting], [], [], 0.5)[0])


def test_no_process_sleeps_with_its_door_shut(tmp_path):
    """What is left to another may be taken at any moment; then the next is for this process again."""
    server = Server(tmp_path, "Overtaken")
    try:
        with Kept() as kept:
            assert len(kept.connect(server, 5)) == 1
        assert (server.folder / "left").exists()
        assert not (server.folder / "asleep").exists()
    finally:
        server.end()
