"""Webhooks over TLS: only to the name in the certificate, signed by an authority that this host trusts."""

import json

import pytest
from standardwebhooks import Webhook

from tests.service.factories import join_all
from tests.service.streams.test_webhooks import calls, hook, inside, one, worker
from tests.waiting import PATIENCE
from tests.workers.authority import Authority
from tests.workers.receiver import receiving

__all__ = ["inside", "one", "worker"]
pytestmark = pytest.mark.integration


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path)


def test_a_notice_arrives_over_tls(one, worker, authority, monkeypatch):
    """To a receiver whose certificate an authority has signed that the host was told to trust; the library of
    the standard finds the signature right, and finds it wrong where a byte of the body was changed.
    """
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with receiving(tls=authority.server()) as receiver:
        assert receiver.url.startswith("https://")
        made = hook(one, receiver.url, types=["game.begun"])
        join_all(one, one.account("Other"))
        one.project()
        assert worker() == 1
        headers, body = receiver.calls.get(timeout=PATIENCE)
    assert Webhook(made["secret"]).verify(body, headers) == json.loads(body)
    with pytest.raises(Exception, match="signature"):
        Webhook(made["secret"]).verify(body.replace(b"game.begun", b"game.ended"), headers)
    assert calls(one, made)[0]["status"] == "delivered"


@pytest.mark.parametrize("trusted", [True, False])
def test_whom_a_certificate_does_not_name_is_told_nothing(one, worker, authority, monkeypatch, trusted):
    """That of another address, and one of an authority that nobody knows: it says so and is tried again."""
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with receiving(tls=authority.server("127.0.0.2" if trusted else "127.0.0.1")) as receiver:
        made = hook(one, receiver.url)
        one.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
        assert worker() == 0
        assert receiver.calls.empty()
    (call,) = calls(one, made)
    assert (call["status"], call["tries"]) == ("waiting", 1)
    assert "certificate cannot be trusted" in call["error"]
