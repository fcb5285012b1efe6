"""The server's worker with a small stand-in for the service: who is slow, and how it stops."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ops.ports import free_port
from tests.acceptance.up import until

pytestmark = [pytest.mark.integration, pytest.mark.slow]
ROOT = Path(__file__).parents[2]
THREADS = 2
APP = """
import pathlib
import time

def app(environ, start_response):
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain")])
    if environ["PATH_INFO"] == "/large":
        return [b"x" * 50_000_000]
    if environ["PATH_INFO"] == "/late":
        pathlib.Path(__file__).with_name("begun").touch()
        time.sleep(1)
    return [b"%d bytes" % len(body)]
"""
GET = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"


class Server:
    """One worker with two threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "stand_in.py").write_text(APP)
        self.port = free_port()
        settings = [
            "-k",
            "ops.api_worker.ApiWorker",
            "--threads",
            str(THREADS),
            "-b",
            f"127.0.0.1:{self.port}",
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *settings, "--pythonpath", str(folder), "stand_in:app"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 30
        while True:
            try:
                self.connect().close()
                return
            except ConnectionRefusedError:
                assert time.monotonic() < deadline
                time.sleep(0.05)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def ask(self, text: bytes) -> bytes:
        """What is answered to *text*, up to the end of a short body."""
        with self.connect() as connection:
            connection.sendall(text)
            return read(connection)


def read(connection: socket.socket) -> bytes:
    said = b""
    while b" bytes" not in said and (data := connection.recv(4096)):
        said += data
    return said


@pytest.fixture
def server(tmp_path) -> Iterator[Server]:
    one = Server(tmp_path)
    yield one
    one.process.kill()
    one.process.wait()


def test_who_does_not_read_his_answer_loses_it_and_frees_the_thread(server):
    """As many as there are threads ask for more than a socket holds; the next is answered all the same."""
    deaf = [server.connect() for _ in range(THREADS)]
    for one in deaf:
        one.sendall(GET % b"/large")
        assert one.recv(10)
    assert b"0 bytes" in server.ask(GET % b"/")
    for one in deaf:
        one.close()


def test_who_does_not_hang_up_holds_up_nobody(server):
    """The loop that reads all connections does not wait for one of them."""
    last_words = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    lingering = [server.connect() for _ in range(20)]
    began = time.monotonic()
    for one in lingering:
        one.sendall(last_words)
        assert b"0 bytes" in read(one)
    assert time.monotonic() - began < 10, "gunicorn alone waits two seconds for each"
    for one in lingering:
        one.close()


def test_idle_and_half_sent_connections_hold_no_thread(server):
    waiting = [server.connect() for _ in range(50)]
    for one in waiting[::2]:
        one.sendall(b"GET /half")
    assert b"0 bytes" in server.ask(GET % b"/")
    half = waiting[0]
    half.sendall(b" HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b"0 bytes" in read(half)
    for one in waiting:
        one.close()


def test_told_to_stop_it_answers_what_it_has_taken_on_and_goes(server):
    """A request at work is finished; who has said nothing, or half of something, does not keep it."""
    idle, half, late = (server.connect() for _ in range(3))
    half.sendall(b"GET /half")
    late.sendall(GET % b"/late")
    until((server.folder / "begun").exists, "a thread works on it")
    server.process.send_signal(signal.SIGTERM)
    assert b"0 bytes" in read(late)
    assert server.process.wait(timeout=10) == 0
    for one in (idle, half, late):
        one.close()
