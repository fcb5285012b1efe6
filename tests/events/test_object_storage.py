"""A store beside folders is asked by connections that are kept, and that it may close at any moment."""

from __future__ import annotations

import http.client
import socket
import threading
from collections import Counter

import fsspec
import pytest
from fsspec.spec import AbstractFileSystem

from events.store import object_storage
from tests.http_server import QuietHandler, QuietServer, start
from tests.waiting import PATIENCE


class Shelf(QuietHandler):
    """Files under their paths, on connections that stay open."""

    protocol_version = "HTTP/1.1"
    server: ShelfServer

    def setup(self) -> None:
        super().setup()
        self.server.connections.append(self.connection)

    def _answer(self, status: int, body: bytes = b"") -> None:
        self.server.asked[self.command] += 1
        if self.command in self.server.cut:
            self.server.cut.discard(self.command)
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.server.gate.wait(PATIENCE)
        found = self.server.files.get(self.path)
        self._answer(404 if found is None else 200, found or b"")

    def do_MKCOL(self) -> None:  # noqa: N802
        self._answer(201)

    def do_PUT(self) -> None:  # noqa: N802
        self.server.files[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(201)


class ShelfServer(QuietServer):
    """A server that counts what it is asked, and closes connections when it is told to."""

    def __init__(self) -> None:
        super().__init__(Shelf)
        self.files = {f"/{n}": f"file {n}".encode() for n in range(3)}
        self.connections: list[socket.socket] = []
        self.asked: Counter[str] = Counter()
        self.cut: set[str] = set()
        """Methods whose next answer is lost with its connection."""
        self.gate = threading.Event()
        """Files are given while it is set."""
        self.gate.set()

    def close_all(self) -> None:
        """Close every connection, as servers do with those that nobody has used for a while."""
        while self.connections:
            self.connections.pop().shutdown(socket.SHUT_RDWR)


class ShelfDriver(AbstractFileSystem):
    """The code for such a store, as packages bring it: one connection, for one thread at a time."""

    protocol = "shelf"
    cachable = False

    def __init__(self, host, port, **options):
        super().__init__(**options)
        self._client = http.client.HTTPConnection(host, port)

    @classmethod
    def _strip_protocol(cls, path):
        return "/" + path.removeprefix("shelf://").partition("/")[2]

    @staticmethod
    def _get_kwargs_from_urls(path):
        host, _, port = path.removeprefix("shelf://").partition("/")[0].partition(":")
        return {"host": host, "port": int(port)}

    def _ask(self, method, path, body=None):
        if self._client.sock is None:
            self._client.connect()
            self._client.auto_open = 0
        self._client.request(method, path, body)
        answer = self._client.getresponse()
        data = answer.read()
        if answer.status == 404:
            raise FileNotFoundError(path)
        return data

    def cat_file(self, path, start=None, end=None, **options):
        return self._ask("GET", path)

    def makedirs(self, path, exist_ok=False):
        self._ask("MKCOL", path)

    def pipe_file(self, path, value, mode="overwrite", **options):
        self._ask("PUT", path, value)


@pytest.fixture
def shelf(monkeypatch):
    fsspec.register_implementation("shelf", ShelfDriver, clobber=True)
    monkeypatch.setattr(object_storage, "READ_SECONDS", PATIENCE)
    server = ShelfServer()
    server.url = f"shelf://127.0.0.1:{server.server_port}"
    thread = start(server)
    yield server
    object_storage._suspended_until.clear()
    server.gate.set()
    server.shutdown()
    thread.join()
    server.server_close()


def test_one_connection_does_for_many_calls(shelf):
    """Also for one that finds nothing: so the store has answered."""
    for n in range(3):
        assert object_storage.read(f"{shelf.url}/{n}") == f"file {n}".encode()
    with pytest.raises(object_storage.StorageUnavailable, match="is not there"):
        object_storage.read(f"{shelf.url}/9")
    object_storage.write(f"{shelf.url}/3", b"file 3")
    assert object_storage.read(f"{shelf.url}/3") == b"file 3"
    assert len(shelf.connections) == 1
    assert shelf.asked == {"GET": 5, "MKCOL": 1, "PUT": 1}


def test_calls_at_once_share_no_connection(shelf):
    """A connection is lent to one call at a time, and then to any."""
    object_storage.read(f"{shelf.url}/0")
    shelf.gate.clear()
    found = []
    callers = [
        threading.Thread(target=lambda n=n: found.append(object_storage.read(f"{shelf.url}/{n}")))
        for n in range(3)
    ]
    for one in callers:
        one.start()
    shelf.gate.set()
    for one in callers:
        one.join()
    assert sorted(found) == [b"file 0", b"file 1", b"file 2"]
    made = len(shelf.connections)
    assert 1 <= made <= 3
    object_storage.read(f"{shelf.url}/0")
    assert len(shelf.connections) == made


def test_a_kept_connection_that_was_closed_is_made_again(shelf):
    """A file that is read is asked for again; one that is written is sent once, after the folder."""
    object_storage.read(f"{shelf.url}/0")
    shelf.close_all()
    assert object_storage.read(f"{shelf.url}/1") == b"file 1"
    shelf.close_all()
    object_storage.write(f"{shelf.url}/new", b"whole")
    assert shelf.files["/new"] == b"whole"
    assert shelf.asked["PUT"] == 1


def test_an_answer_that_is_lost_is_asked_for_once_more(shelf):
    """On a connection that was kept: with a new one, the store itself is at fault."""
    object_storage.read(f"{shelf.url}/0")
    shelf.cut = {"GET"}
    assert object_storage.read(f"{shelf.url}/1") == b"file 1"
    assert shelf.asked["GET"] == 3
    object_storage._IDLE.forget(shelf.url)
    shelf.cut = {"GET"}
    with pytest.raises(object_storage.StorageUnavailable, match="refuses"):
        object_storage.read(f"{shelf.url}/1")
    assert shelf.asked["GET"] == 4


def test_bytes_are_not_sent_twice(shelf):
    """Where the answer is lost, nobody knows whether the file is there: the caller is told, and asks."""
    object_storage.read(f"{shelf.url}/0")
    shelf.cut = {"PUT"}
    with pytest.raises(object_storage.StorageUnavailable, match="refuses"):
        object_storage.write(f"{shelf.url}/new", b"whole")
    assert shelf.asked["PUT"] == 1
    assert object_storage.read(f"{shelf.url}/new") == b"whole"


def test_a_store_that_falls_silent_has_no_kept_connection(shelf, monkeypatch):
    """All that were made before it may be as dead as the one that was noticed."""
    object_storage.read(f"{shelf.url}/0")
    monkeypatch.setattr(object_storage, "READ_SECONDS", 0.05)
    monkeypatch.setattr(object_storage, "SUSPEND_SECONDS", 0.0)
    shelf.gate.clear()
    with pytest.raises(object_storage.StorageUnavailable, match="not answered"):
        object_storage.read(f"{shelf.url}/1")
    object_storage.write(f"{shelf.url}/new", b"whole")
    assert len(shelf.connections) == 2


def test_a_connection_that_nobody_used_for_long_is_let_go(shelf, monkeypatch):
    """Firewalls forget it without a word, and the next call would wait in vain."""
    object_storage.read(f"{shelf.url}/0")
    monkeypatch.setattr(object_storage, "KEEP_SECONDS", 0.0)
    object_storage.read(f"{shelf.url}/1")
    assert len(shelf.connections) == 2
