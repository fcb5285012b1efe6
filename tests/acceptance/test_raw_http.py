"""Bytes on a socket: whatever they are, the answer is HTTP with a problem, and nothing is done by halves."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.acceptance.client import PROBLEM, Client
from tests.waiting import PATIENCE

pytestmark = pytest.mark.integration
POST = b"POST /v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
LIMIT = 256 * 1024
NO_REQUESTS = [
    (b"GET\r\n\r\n", 400),
    (b"\r\n\r\n\r\n", 400),
    (b"get / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    (b"G\x00T / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    (b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 405),
    (b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    (b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    (b"A" * 30 + b" / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    (b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", 400),
    (b"GET / HTTP/2.0\r\nHost: x\r\n\r\n", 400),
    (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    (b"GET / SPDY\r\nHost: x\r\n\r\n", 400),
    (b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    (b"GET /" + b"a" * 20_000, 414),
    (b"GET /" + b"a" * 6_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 70_000, 431),
    (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 9_000 + b"\r\n\r\n", 431),
    (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 200 + b"\r\n", 431),
    (b"GET / HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n folded\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: x\r\nA: \x00\r\n\r\n", 400),
    (POST + b"Content-Length: -5\r\n\r\n", 400),
    (POST + b"Content-Length: 2, 2\r\n\r\n{}", 400),
    (POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
    (POST + b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n", 400),
    (POST + b"Transfer-Encoding: brotli\r\n\r\n", 400),
    (POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
    (POST + b"Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}", 400),
    (POST + b"Content-Encoding: zstd\r\nContent-Length: 2\r\n\r\n{}", 415),
    (POST + b"Expect: the-unexpected\r\nContent-Length: 2\r\n\r\n{}", 417),
    (CHUNKED + b"zz\r\n", 400),
    (CHUNKED + b"5\r\nhelloXX0\r\n\r\n", 400),
    (CHUNKED + b"\r\n", 400),
    (CHUNKED + b"1" * 9_000, 400),
    (CHUNKED + b"0\r\n" + b"X: y\r\n" * 12_000, 431),
    (b"GET /v1/games?limit=1&limit=2 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    (b"GET /%zz%f?%zz=%f HTTP/1.1\r\nHost: x\r\n\r\n", 404),
]
"""What is sent, and the status of the problem that answers it."""


class Raw:
    """A connection on which bytes are sent as they stand."""

    def __init__(self, address: str) -> None:
        where = urlsplit(address)
        self.socket = socket.create_connection((where.hostname, where.port), timeout=PATIENCE)
        self.rest = b""

    def send(self, text: bytes) -> Raw:
        self.socket.sendall(text)
        return self

    def end(self) -> Raw:
        """Send no more."""
        self.socket.shutdown(socket.SHUT_WR)
        return self

    def answer(self) -> tuple[int, dict[str, str], bytes]:
        """The next answer: status, headers, body."""
        while b"\r\n\r\n" not in self.rest:
            self._more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        length = int(headers.get("content-length", 0))
        while len(self.rest) < length:
            self._more()
        body, self.rest = self.rest[:length], self.rest[length:]
        return int(first.split()[1]), headers, body

    def _more(self) -> None:
        data = self.socket.recv(65536)
        assert data, f"the connection ended after {self.rest!r}"
        self.rest += data

    def is_over(self) -> bool:
        """Whether the server hangs up, without another word."""
        return self.socket.recv(100) == b""


@pytest.fixture
def raw(live_server) -> Iterator[Raw]:
    one = Raw(live_server.address)
    yield one
    one.socket.close()


@pytest.fixture
def accounts(live_server):
    """Counts the accounts that there are."""
    with psycopg.connect(live_server.database_url, autocommit=True) as connection:
        yield lambda: connection.execute("SELECT count(*) FROM account").fetchone()[0]


def problem(answer: tuple[int, dict[str, str], bytes]) -> tuple[int, str]:
    """Status and code of an answer that must be a problem and no fault of ours."""
    status, headers, body = answer
    assert 400 <= status < 500, answer
    assert headers["content-type"] == PROBLEM, answer
    told = json.loads(body)
    assert told["status"] == status
    assert told["detail"].strip()
    return status, told["code"]


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


@pytest.mark.parametrize("behind", [b"garbage", b"", b' {"name": "Ada"}'])
@pytest.mark.parametrize("size", [1, 100, 8192, LIMIT + 100])
def test_a_chunked_body_beyond_the_limit_is_refused_and_nothing_is_done(raw, accounts, behind, size):
    """JSON, then spaces beyond the limit: what stands before the limit is not carried out alone."""
    before = accounts()
    body = b'{"name": "Cut"}' + b" " * 262_200 + behind
    raw.send(CHUNKED)
    step = size if size > 1 else 40_000
    for place in range(0, len(body), step):
        piece = body[place : place + step]
        raw.send(chunk(piece) if size > 1 else b"".join(chunk(piece[n : n + 1]) for n in range(len(piece))))
    raw.send(b"0\r\n\r\n")
    assert problem(raw.answer()) == (413, "too_large")
    assert accounts() == before


def test_a_chunked_body_of_exactly_the_limit_is_read(raw, accounts):
    before = accounts()
    body = b'{"name": "Full"}'
    raw.send(CHUNKED + chunk(body + b" " * (LIMIT - len(body))) + b"0\r\n\r\n")
    assert raw.answer()[0] == 201
    assert accounts() == before + 1


def test_a_length_beyond_the_limit_is_refused_before_the_body_comes(raw, accounts):
    before = accounts()
    raw.send(POST + b"Content-Length: 262145\r\n\r\n")
    assert problem(raw.answer()) == (413, "too_large")
    assert raw.is_over(), "what may still come is no request"
    assert accounts() == before


@pytest.mark.parametrize(
    "host", [b"", b"Host:\r\n", b"Host: a b\r\n", b"Host: a/b\r\n", b"Host: x\r\nHost: y\r\n"]
)
def test_without_one_host_it_is_no_request(raw, host):
    raw.send(b"GET /v1/titles HTTP/1.1\r\n" + host + b"\r\n")
    assert problem(raw.answer()) == (400, "malformed_request")


def test_http_1_0_needs_no_host(raw):
    raw.send(b"GET /healthz HTTP/1.0\r\n\r\n")
    assert raw.answer()[0] == 200
    assert raw.is_over()


@pytest.mark.parametrize("host", [b"x", b"x:8000", b"127.0.0.1:1", b"[::1]:8000", b"rutter.example."])
def test_hosts_that_are_in_order(raw, host):
    assert raw.send(b"GET /healthz HTTP/1.1\r\nHost: " + host + b"\r\n\r\n").answer()[0] == 200


@pytest.mark.parametrize(
    ("kind", "status"),
    [(b"", 415), (b"Content-Type: text/plain\r\n", 415), (b"Content-Type: application/json\r\n", 400)],
)
def test_an_account_is_made_from_json_only(raw, accounts, kind, status):
    """What a form or an image on any web page can send makes none."""
    before = accounts()
    raw.send(b"POST /v1/accounts HTTP/1.1\r\nHost: x\r\n" + kind + b"Content-Length: 0\r\n\r\n")
    assert problem(raw.answer())[0] == status
    assert accounts() == before


@pytest.mark.parametrize("number", range(len(NO_REQUESTS)))
def test_what_is_no_request_is_answered_with_a_problem(raw, accounts, number):
    text, status = NO_REQUESTS[number]
    before = accounts()
    assert problem(raw.send(text).answer())[0] == status, text[:200]
    assert accounts() == before


def test_bytes_by_chance_get_no_fault_and_no_html(live_server):
    rng = random.Random(7)
    whole = POST + b'Content-Length: 15\r\n\r\n{"name": "Rand"}'
    for number in range(150):
        text = bytearray(whole if number % 3 else rng.randbytes(200))
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(text))
            text[place : place + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
        one = Raw(live_server.address).send(bytes(text)).end()
        said = b""
        while data := one.socket.recv(65536):
            said += data
        one.socket.close()
        assert not said.startswith(b"HTTP/1.1 5"), (bytes(text), said)
        assert b"<html" not in said.lower(), (bytes(text), said)
    assert Client(live_server.address).get("/readyz")["status"] in ("ready", "degraded")


def test_requests_sent_in_one_go_are_answered_in_order(raw):
    """Also when the last of them comes in pieces, and when bodies stand between."""
    paths = [b"/healthz", b"/v1/titles", b"/nothing", b"/healthz"]
    text = b"".join(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n" for path in paths)
    text += CHUNKED + chunk(b"{}") + b"0\r\n\r\n" + POST + b"Content-Length: 2\r\n\r\n{}"
    raw.send(text[:-1])
    assert [raw.answer()[0] for _ in range(5)] == [200, 200, 404, 200, 201]
    assert raw.send(text[-1:]).answer()[0] == 201


def test_a_request_byte_by_byte_is_a_request(raw):
    for byte in POST + b"Content-Length: 2\r\n\r\n{}":
        raw.send(bytes([byte]))
    assert raw.answer()[0] == 201


def test_a_client_may_ask_before_it_sends_its_body(raw):
    raw.send(POST + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    assert raw.answer()[0] == 100
    assert raw.send(b"{}").answer()[0] == 201


def test_half_a_body_is_not_carried_out(raw, accounts):
    before = accounts()
    assert problem(raw.send(POST + b"Content-Length: 50\r\n\r\n{}").end().answer())[0] == 400
    assert accounts() == before
