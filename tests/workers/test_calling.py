"""One call to a receiver: nowhere but to public addresses, in a few seconds, and nothing is followed."""

import contextlib
import ipaddress
import socket
import threading
from contextlib import contextmanager

import pytest

from projections.messages.webhook_url import BadWebhookUrl, is_public, parse_url
from tests.waiting import PATIENCE, each_look
from tests.workers.receiver import receiving
from workers import webhook_request

REFUSED = [
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[64:ff9b::a00:1]/",
    "https://[2002:a00:1::]/",
    "https://[2001:0:a00:1::]/",
    "https://[fe80::1]/",
    "https://[fd00:ec2::254]/",
    "https://10.1.2.3/",
    "https://100.100.100.200/",
    "https://192.0.0.8/",
    "https://192.0.0.9/",
    "https://192.0.0.192/opc/v2/",
    "https://192.31.196.1/",
    "https://192.52.193.1/",
    "https://192.88.99.1/",
    "https://192.175.48.1/",
    "https://198.18.0.1/",
    "https://198.51.100.7/",
    "https://203.0.113.7/",
    "https://240.0.0.1/",
    "https://[2620:4f:8000::1]/",
    "https://[3fff::1]/",
    "https://[2001:db8::1]/",
    "https://[2001:20::1]/",
    "https://[100::1]/",
    "https://[5f00::1]/",
    "https://[64:ff9b:1::1]/",
    "https://[fec0::1]/",
    "https://[ff0e::1]/",
    "https://[::]/",
    "https://169.254.169.254/latest/meta-data",
    "https://168.63.129.16/",
    "https://192.168.0.1/",
    "https://0.0.0.0/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://localhost/",
    "https://metadata.google.internal/",
    "https://printer/",
    "http://example.org/",
    "ftp://example.org/",
    "https://example.org:25/",
    "https://example.org:80/",
    "https://example.org:99999/",
    "https://me:secret@example.org/",
    "https://example.org/#part",
    "https://exa mple.org/",
    "https://example.org\\@127.0.0.1/",
    "https://example.org/\r\nHost: other",
    "https:///path",
    "https://[::1/",
    "https://\u0435xample.org/",
    "example.org",
    "https://example.org/" + "a" * 2000,
]


@pytest.mark.parametrize("url", REFUSED)
def test_no_webhook_leads_there(url):
    """Told by the address alone, before anything is looked up or connected."""
    with pytest.raises(BadWebhookUrl):
        parse_url(url)
    assert webhook_request.post_webhook(url, {}, b"{}").hopeless


def test_public_addresses_are_taken():
    for url, host, port, path in (
        ("https://example.org", "example.org", 443, "/"),
        ("https://Hooks.example.org:8443/a/b?c=d", "hooks.example.org", 8443, "/a/b?c=d"),
        ("https://8.8.8.8/", "8.8.8.8", 443, "/"),
        ("https://[2606:4700::1111]/x", "2606:4700::1111", 443, "/x"),
    ):
        target = parse_url(url)
        assert (target.host, target.port, target.path, target.tls) == (host, port, path, True)
    assert is_public(ipaddress.ip_address("2606:4700::1111"))
    assert parse_url("https://[2606:4700::1111]:8443/").authority == "[2606:4700::1111]:8443"


@contextmanager
def listening():
    """A socket on this machine that takes connections; and whether somebody has connected."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)

        def connected():
            try:
                server.accept()[0].close()
            except BlockingIOError:
                return False
            return True

        yield server.getsockname()[1], connected


@pytest.mark.parametrize("others", [[], ["8.8.8.8"]])
def test_a_name_that_leads_inside_is_not_called(monkeypatch, others):
    """Even where only one of its addresses does: the call is dead, and nobody was connected to."""
    with listening() as (port, connected):
        found = [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in [*others, "127.0.0.1"]
        ]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        outcome = webhook_request.post_webhook(f"https://hooks.example.org:{port}/", {}, b"{}")
        assert outcome.hopeless
        assert not connected()


def test_a_redirection_is_not_followed():
    with listening() as (port, connected), receiving((302, {"Location": f"http://127.0.0.1:{port}/"})) as one:
        outcome = webhook_request.post_webhook(one.url, {}, b"{}", private=True)
        assert (outcome.status, outcome.is_delivered, outcome.hopeless) == (302, False, False)
        assert not connected()


def test_what_a_call_says():
    with receiving((204, {})) as one:
        assert webhook_request.post_webhook(
            one.url, {"webhook-id": "ntc_1_x"}, b'{"a": 1}', private=True
        ).is_delivered
        headers, body = one.calls.get(timeout=PATIENCE)
    assert body == b'{"a": 1}'
    assert headers["host"] == one.url.split("/")[2]
    assert headers["webhook-id"] == "ntc_1_x"
    assert headers["content-type"] == "application/json"


def test_how_long_a_receiver_wants_to_be_left_alone():
    with receiving((503, {"Retry-After": "120"}), (503, {"Retry-After": "soon"}), (503, {})) as one:
        waits = [webhook_request.post_webhook(one.url, {}, b"{}", private=True).retry_after for _ in range(3)]
    assert waits == [120.0, None, None]


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("Fri, 31 Dec 9999 23:59:59 -1200", True),
        ("Fri, 31 Dec 9999 23:59:59 GMT", True),
        ("Sat, 01 Jan 0001 00:00:00 +1400", True),
        ("Fri, 31 Dec 99999999999999999999 23:59:59 GMT", False),
        ("Fri, 99 Dec 2026 99:99:99 +9999", False),
        ("9" * 3000, True),
        ("-5", False),
        ("1e9", False),
        ("\u0663", False),
    ],
)
def test_whatever_stands_in_retry_after_is_no_error(text, is_read):
    """It is a number of seconds, or none that can be read."""
    wait = webhook_request._parse_retry_after(text)
    assert (wait is not None) == is_read
    assert wait is None or wait >= 0


@contextmanager
def raw(answer):
    """A receiver that is *answer*: it is called with the connection, whatever was sent."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                answer(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_who_answers_in_drops_gets_no_more_time(monkeypatch):
    """However slowly it comes, the answer is awaited for one time in all."""
    monkeypatch.setattr(webhook_request, "CALL_SECONDS", 0.6)

    def trickle(connection):
        with contextlib.suppress(OSError):
            for _ in each_look("the caller hangs up"):
                connection.sendall(b"H")

    with raw(trickle) as url:
        outcome = webhook_request.post_webhook(url, {}, b"{}", private=True)
    assert outcome.error
    assert not outcome.is_delivered


def test_of_a_large_answer_only_the_beginning_is_read():
    """Four kilobytes: the rest is left with the receiver."""
    sent = []

    def flood(connection):
        try:
            connection.sendall(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 4096)
            while len(sent) < 200:
                connection.sendall(b"a" * 65536)
                sent.append(1)
        except OSError:
            return

    with raw(flood) as url:
        assert webhook_request.post_webhook(url, {}, b"{}", private=True).is_delivered
    assert len(sent) < 200


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n"])
def test_what_is_no_answer_has_not_arrived(answer):
    with raw(lambda connection: connection.sendall(answer)) as url:
        outcome = webhook_request.post_webhook(url, {}, b"{}", private=True)
    assert outcome.error
    assert not outcome.hopeless
