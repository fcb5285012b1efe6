"""Web Push: a browser is told of its turns, in words that only it can read and that name nobody."""

import json
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ops.server.wsgi import create_app
from projections.messages import webhook_calls
from projections.messages.web_push import decode_base64url, encode_base64url
from tests.service.client import Api
from tests.service.factories import GameRequest
from tests.waiting import PATIENCE
from tests.workers.receiver import receiving
from workers import webhook_delivery

pytestmark = pytest.mark.integration

CURVE = ec.SECP256R1()
PUBLIC = "https://push.example.org/send/"
PATH = "/v1/me/push_subscriptions"
AUTH = bytes(range(16))


class Browser:
    """A browser that takes pushes: its keys, and what it reads with them."""

    def __init__(self):
        self.key = ec.derive_private_key(4711, CURVE)
        self.point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscribe(self, one, endpoint):
        keys = {"p256dh": encode_base64url(self.point), "auth": encode_base64url(AUTH)}
        return one.post(PATH, {"endpoint": endpoint, "keys": keys}, status=201)

    def read(self, body):
        salt, length, sender = body[:16], body[20], body[21:86]
        assert length == 65
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        material = derive(shared, AUTH, b"WebPush: info\0" + self.point + sender, 32)
        key = derive(material, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(material, salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, body[86:], None).rstrip(b"\0")
        assert plain.endswith(b"\x02")
        return json.loads(plain[:-1])


def derive(secret, salt, info, length):
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


@pytest.fixture(scope="module")
def inside(settings):
    """The API with pushes, which may lead to this machine."""
    app = create_app(replace(settings, private_webhooks=True, push_contact="mailto:me@example.org"))
    yield Api(app)
    app.extensions["rutter"].close()


@pytest.fixture
def worker(pool, monkeypatch):
    """Makes the calls that are due, as a worker does; answers how many arrived."""
    monkeypatch.setenv("RUTTER_WEBHOOKS_PRIVATE", "1")
    monkeypatch.setenv("RUTTER_PUSH_CONTACT", "mailto:me@example.org")
    return lambda: sum(webhook_delivery.deliver(pool, due) for due in webhook_calls.find_due(pool, 100))


@pytest.fixture
def one(inside):
    return inside.account("One")


def turn_of(one, **more):
    """A new game in which it is the turn of this account."""
    game = one.post("/v1/games", GameRequest(hotseat=2, **more), status=201)
    one.project()
    return game["id"]


def subscribed(one):
    return one.get(PATH)["push_subscriptions"]


def test_a_turn_is_told_once_to_the_browser_alone(one, worker):
    """It arrives encrypted and signed; a second look sends nothing, and it is no webhook to anybody."""
    browser = Browser()
    with receiving((201, {})) as receiver:
        made = browser.subscribe(one, receiver.url)
        assert browser.subscribe(one, receiver.url)["id"] != made["id"]
        (made,) = subscribed(one)
        game_id = turn_of(one)
        assert worker() == 1
        assert worker() == 0
        headers, body = receiver.calls.get(timeout=PATIENCE)
    assert receiver.calls.empty()
    told = {"kind": "your_turn", "text": "It is your turn.", "address": f"/g/{game_id}"}
    assert browser.read(body) == told
    assert (headers["ttl"], headers["urgency"], headers["content-encoding"]) == (
        "86400",
        "normal",
        "aes128gcm",
    )
    assert headers["authorization"].endswith(f", k={one.get(PATH)['public_key']}")
    assert len(decode_base64url(one.get(PATH)["public_key"])) == 65
    assert one.get("/v1/me/webhooks")["webhooks"] == []
    assert one.refused("DELETE", f"/v1/me/webhooks/{made['id']}") == (404, "unknown_webhook")
    assert one.refused("POST", f"/v1/me/webhooks/{made['id']}/rotate") == (404, "unknown_webhook")


def test_a_private_game_is_not_named(inside, worker):
    """Private games of others: what is told of them is equal, and as long as of a public one."""
    browser, heard = Browser(), []
    with receiving((201, {})) as receiver:
        for name, visibility in (
            ("Ada", "private"),
            ("Berta with a long name", "private"),
            ("Ada", "public"),
        ):
            one = inside.account(name)
            browser.subscribe(one, receiver.url)
            game_id = turn_of(one, visibility=visibility)
            assert worker() == 1
            heard.append(receiver.calls.get(timeout=PATIENCE).body)
    told = [browser.read(body) for body in heard]
    assert told[0] == told[1] == {**told[2], "address": "/"}
    assert told[2]["address"] == f"/g/{game_id}"
    assert len({len(body) for body in heard}) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(one, worker, status):
    with receiving((status, {})) as receiver:
        Browser().subscribe(one, receiver.url)
        turn_of(one)
        assert worker() == 0
        assert receiver.calls.get(timeout=PATIENCE)
    assert subscribed(one) == []
    assert not [notice for notice in one.get("/v1/me/notices")["notices"] if "webhook" in notice["type"]]


def test_what_fails_is_tried_again(one, worker, pool):
    """As a webhook's call: it rests, and comes again."""
    with receiving((503, {}), (201, {})) as receiver:
        made = Browser().subscribe(one, receiver.url)
        turn_of(one)
        assert worker() == 0
        with pool.connection() as connection:
            connection.execute("UPDATE webhook SET rests_until = NULL WHERE id = %s", (made["id"],))
            connection.execute(
                "UPDATE webhook_delivery SET next_at = now() WHERE webhook_id = %s", (made["id"],)
            )
        assert worker() == 1


def test_it_ends_with_its_token(one, worker, pool):
    """Revoked: the row is gone. Expired: nothing is sent any more."""
    body = {"label": "browser", "scopes": ["webhook:write"]}
    revoked, expired = (one.post("/v1/me/tokens", body, status=201) for _ in range(2))
    with receiving((201, {})) as receiver:
        Browser().subscribe(Api(one.app, revoked["token"], one.me), receiver.url + "1")
        made = Browser().subscribe(Api(one.app, expired["token"], one.me), receiver.url + "2")
        assert one.send("DELETE", f"/v1/me/tokens/{revoked['id']}").status_code in {200, 204}
        assert [found["id"] for found in subscribed(one)] == [made["id"]]
        with pool.connection() as connection:
            connection.execute("UPDATE token SET expires_at = now() WHERE id = %s", (expired["id"],))
        turn_of(one)
        assert worker() == 0
        assert receiver.calls.empty()


def test_it_ends_with_its_account(one, pool):
    Browser().subscribe(one, PUBLIC)
    assert one.get("/v1/me/export")["push_subscriptions"][0]["endpoint"] == PUBLIC
    assert one.send("DELETE", "/v1/me", {"confirm": "One"}).status_code in {200, 204}
    with pool.connection() as connection:
        assert connection.execute(
            "SELECT count(*) FROM webhook WHERE account_id = %s", (one.me["id"],)
        ).fetchone() == (0,)


def test_ten_at_most_and_only_public_addresses(one, api):
    """Refused: the eleventh, what leads inside, what is no key; and everything where pushes are off."""
    browser = Browser()
    made = [browser.subscribe(one, f"{PUBLIC}{number}") for number in range(10)]
    keys = {"p256dh": encode_base64url(browser.point), "auth": encode_base64url(AUTH)}
    body = {"endpoint": f"{PUBLIC}more", "keys": keys}
    assert one.refused("POST", PATH, body) == (409, "too_many_push_subscriptions")
    assert one.send("DELETE", f"{PATH}/{made[0]['id']}").status_code == 204
    assert one.refused("DELETE", f"{PATH}/{made[0]['id']}") == (404, "unknown_push_subscription")
    assert one.refused("POST", PATH, {**body, "keys": {**keys, "auth": "AA"}})[0] == 422
    other = api.account("Other")
    assert other.get(PATH) == {"public_key": None, "push_subscriptions": []}
    assert other.refused("POST", PATH, body) == (409, "push_off")


def test_an_address_inside_is_refused(settings):
    app = create_app(replace(settings, push_contact="mailto:me@example.org"))
    try:
        one = Api(app).account("One")
        keys = {"p256dh": encode_base64url(Browser().point), "auth": encode_base64url(AUTH)}
        body = {"endpoint": "https://127.0.0.1/push", "keys": keys}
        assert one.refused("POST", PATH, body)[0] == 422
    finally:
        app.extensions["rutter"].close()


def test_an_address_that_leads_inside_is_not_called(one, worker, monkeypatch):
    """The check is made at every call, as for webhooks."""
    with receiving((201, {})) as receiver:
        Browser().subscribe(one, receiver.url)
        turn_of(one)
        monkeypatch.setenv("RUTTER_WEBHOOKS_PRIVATE", "0")
        assert worker() == 0
        assert receiver.calls.empty()
