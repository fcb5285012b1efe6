"""Servers of tests bear clients that are killed."""

from __future__ import annotations

import socket
import struct
import threading

import requests

from tests.http_server import QuietHandler, serving
from tests.waiting import PATIENCE


def test_a_client_that_hangs_up_is_no_error(capfd):
    """It resets the connection before its answer is written; nothing is printed, and others are answered."""
    hung_up, written = threading.Event(), threading.Event()

    class Handler(QuietHandler):
        def do_GET(self):
            if self.path == "/gone":
                assert hung_up.wait(PATIENCE)
            try:
                for _ in range(100):
                    self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n" + bytes(100_000))
            finally:
                written.set()

    with serving(Handler) as address:
        client = socket.create_connection(address.removeprefix("http://").split(":"))
        client.sendall(b"GET /gone HTTP/1.0\r\n\r\n")
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        hung_up.set()
        assert written.wait(PATIENCE)
        assert requests.get(address, timeout=PATIENCE, proxies={"no_proxy": "*"}).status_code == 200
    assert capfd.readouterr().err == ""


def test_a_fault_of_a_handler_is_told(capfd):
    class Handler(QuietHandler):
        def do_GET(self):
            raise LookupError("a fault")

    with serving(Handler) as address:
        client = socket.create_connection(address.removeprefix("http://").split(":"))
        client.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert client.recv(1) == b""
        client.close()
    assert "a fault" in capfd.readouterr().err
