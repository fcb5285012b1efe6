"""Webhooks: what an account is told arrives where it wants it, at least once, signed, and nowhere else."""

import base64
import json
import re
import socket
import uuid
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from standardwebhooks import Webhook

from events.rules.catalogue import title_ids
from ops.server.wsgi import create_app
from projections.messages import webhook_calls
from projections.read_models import notices
from projections.read_models.notices import Notice
from tests.service.client import Api
from tests.service.factories import join_all
from tests.service.streams.test_feeds import told
from tests.service.views.test_secrets import SEATS, play_some
from tests.waiting import PATIENCE, until
from tests.workers.receiver import receiving
from workers import webhook_delivery, webhook_request

pytestmark = pytest.mark.integration

PUBLIC = "https://hooks.example.org/rutter"
PAUSES = [5, 60, 300, 1800, 7200, 28800, 86400]
A_MICROSECOND = 2e-6  # to which the database keeps its clock


@pytest.fixture(scope="module")
def inside(settings):
    """The API where webhooks may lead to this machine."""
    app = create_app(replace(settings, private_webhooks=True))
    yield Api(app)
    app.extensions["rutter"].close()


@pytest.fixture
def worker(inside, monkeypatch, pool):
    """Makes the calls that are due, as a worker does; answers how many arrived."""

    def work():
        work.began = now(pool)
        return sum(webhook_delivery.deliver(pool, due) for due in webhook_calls.find_due(pool, 100))

    monkeypatch.setenv("RUTTER_WEBHOOKS_PRIVATE", "1")
    return work


@pytest.fixture
def one(inside):
    return inside.account("One")


def hook(one, url=PUBLIC, **more):
    """A new webhook, with its secret."""
    return one.post("/v1/me/webhooks", {"url": url, **more}, status=201)


def calls(one, made, **query):
    found = one.get(f"/v1/me/webhooks/{made['id']}/deliveries?limit=1000")["deliveries"]
    return [call for call in found if all(call[name] == value for name, value in query.items())]


def now(pool):
    """The time by the clock of the database, in seconds."""
    with pool.connection() as connection:
        return connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()[0]


def now_due(pool, made, since, least, most):
    """As if the pause were over that began after *since* and is *least* to *most* seconds long."""
    with pool.connection() as connection:
        (next_at,) = connection.execute(
            "SELECT extract(epoch FROM next_at)::float8 FROM webhook_delivery"
            " WHERE webhook_id = %s AND status = 'waiting'",
            (made["id"],),
        ).fetchone()
        assert since + least - A_MICROSECOND <= next_at <= now(pool) + most + A_MICROSECOND
        connection.execute("UPDATE webhook_delivery SET next_at = now() WHERE webhook_id = %s", (made["id"],))
        connection.execute("UPDATE webhook SET rests_until = NULL WHERE id = %s", (made["id"],))


def test_a_notice_arrives_signed(one, worker):
    """Its body is small, names the game and the event, and its id is that of the notice."""
    with receiving() as receiver:
        made = hook(one, receiver.url, types=["game.begun"])
        game_id = join_all(one, one.account("Other"))
        one.project()
        assert worker() == 1
        headers, body = receiver.calls.get(timeout=PATIENCE)
    (notice,) = told(one, "game.begun")
    assert Webhook(made["secret"]).verify(body, headers) == json.loads(body)
    data = {"game": game_id, "seq": notice["seq"], **notice["data"]}
    assert json.loads(body) == {"type": "game.begun", "timestamp": notice["at"], "data": data}
    assert headers["webhook-id"] == f"ntc_{notice['position']}_{made['id']}"
    (call,) = calls(one, made)
    assert (call["status"], call["tries"], call["answer"], call["next_at"]) == ("delivered", 1, 204, None)
    assert worker() == 0


def test_it_is_tried_again_with_the_same_id_until_it_arrives(one, worker, pool):
    """A receiver that answers 500 twice is called three times, at 0, 5 and 65 seconds."""
    with receiving((500, {}), (500, {}), (200, {})) as receiver:
        made = hook(one, receiver.url)
        one.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
        assert worker() == 0
        first = worker.began
        assert [due for due in webhook_calls.find_due(pool, 100) if due.webhook == made["id"]] == [], (
            "not before its pause"
        )
        now_due(pool, made, first, 4.5, 5.5)
        assert worker() == 0
        now_due(pool, made, worker.began, 54, 66)
        assert one.get("/v1/me/webhooks")["webhooks"][0]["failing_since"]
        assert worker() == 1
        sent = [receiver.calls.get(timeout=PATIENCE) for _ in range(3)]
    for headers, body in sent:
        Webhook(made["secret"]).verify(body, headers)
    assert len({headers["webhook-id"] for headers, _ in sent}) == 1
    assert one.get("/v1/me/webhooks")["webhooks"][0]["failing_since"] is None


def test_at_last_it_is_dead_and_can_be_sent_again(one, worker, pool):
    with receiving((500, {})) as receiver:
        made = hook(one, receiver.url)
        call = one.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
        for pause in PAUSES:
            assert worker() == 0
            now_due(pool, made, worker.began, 0.9 * pause, 1.1 * pause)
        assert worker() == 0
        (dead,) = calls(one, made)
        assert (dead["status"], dead["tries"], dead["answer"], dead["id"]) == ("dead", 8, 500, call["id"])
        path = f"/v1/me/webhooks/{made['id']}/deliveries"
        assert one.get(f"{path}?status=dead")["deliveries"] == [dead]
        assert one.get(f"{path}?status=waiting")["deliveries"] == []
        assert 'rutter_webhook_calls{status="dead"} 1.0' in one.send("GET", "/metrics").text
        receiver.answers[:] = [(200, {})]
        again = one.post(f"{path}/{call['id']}/redeliver", status=202)
        assert (again["id"], again["status"], again["tries"]) == (call["id"], "waiting", 0)
        assert worker() == 1
    assert calls(one, made)[0]["status"] == "delivered"


def test_a_receiver_may_ask_for_patience(one, worker, pool):
    with receiving((503, {"Retry-After": "600"}), (503, {"Retry-After": "999999"})) as receiver:
        made = hook(one, receiver.url)
        one.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
        assert worker() == 0
        now_due(pool, made, worker.began, 600, 600)
        assert worker() == 0
        now_due(pool, made, worker.began, 86400, 86400)


def test_gone_ends_it_at_once(one, worker):
    """The owner is told, and nothing more is sent."""
    with receiving((410, {})) as receiver:
        made = hook(one, receiver.url)
        one.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
        worker()
        (found,) = one.get("/v1/me/webhooks")["webhooks"]
        assert (found["enabled"], found["disabled_for"]) == (False, "gone")
        (notice,) = told(one, "webhook.disabled")
        assert (notice["webhook"], notice["data"]) == (made["id"], {"reason": "gone"})
        assert one.refused("POST", f"/v1/me/webhooks/{made['id']}/test") == (409, "webhook_disabled")
        path = f"/v1/me/webhooks/{made['id']}/deliveries/{calls(one, made)[0]['id']}/redeliver"
        assert one.refused("POST", path) == (409, "webhook_disabled")
        on = one.call("PATCH", f"/v1/me/webhooks/{made['id']}", {"enabled": True})
        assert (on["enabled"], on["disabled_for"], on["failing_since"]) == (True, None, None)


def test_five_days_without_an_answer_disable_it(one, worker, pool):
    with receiving((500, {})) as receiver:
        made = hook(one, receiver.url)
        one.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
        worker()
        with pool.connection() as connection:
            connection.execute(
                "UPDATE webhook SET failing_since = now() - interval '5 days 1 second' WHERE id = %s",
                (made["id"],),
            )
        now_due(pool, made, worker.began, 4.5, 5.5)
        worker()
    (found,) = one.get("/v1/me/webhooks")["webhooks"]
    assert (found["enabled"], found["disabled_for"]) == (False, "failing")
    assert [notice["data"] for notice in told(one, "webhook.disabled")] == [{"reason": "failing"}]


def test_a_worker_that_dies_over_a_call_leaves_it_to_the_next(one, worker, pool):
    """Nobody else makes it meanwhile; then it is made under the same id."""
    with receiving() as receiver:
        made = hook(one, receiver.url)
        call = one.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
        (due,) = [due for due in webhook_calls.find_due(pool, 100) if due.webhook == made["id"]]
        began = now(pool)
        assert webhook_calls.take(pool, due) is not None
        assert webhook_calls.take(pool, due) is None
        assert worker() == 0
        now_due(pool, made, began, webhook_calls.UNDER_WAY, webhook_calls.UNDER_WAY)
        assert worker() == 1
        assert receiver.calls.get(timeout=PATIENCE).headers["webhook-id"] == call["id"]
    assert calls(one, made)[0]["tries"] == 2


def test_no_receiver_holds_up_another(one, pool):
    """Of each webhook one call is handed out at a time, that which has waited for longest."""
    slow, quick = hook(one), hook(one)
    for made in (slow, slow, slow, quick):
        one.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
    due = [one.webhook for one in webhook_calls.find_due(pool, 100)]
    assert (due.count(slow["id"]), due.count(quick["id"])) == (1, 1)


@pytest.mark.parametrize("error", [OverflowError("date"), OSError(5, "I/O"), KeyError("a"), MemoryError()])
@pytest.mark.parametrize("place", ["make_body", "sign_headers", "webhook_request.post_webhook"])
def test_whatever_is_raised_over_a_call_is_its_failure(one, worker, pool, monkeypatch, place, error):
    """It counts as a try, so at last the call is dead; its owner sees the error."""

    def fail(*_, **__):
        raise error

    made = hook(one)
    one.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
    monkeypatch.setattr(f"workers.webhook_delivery.{place}", fail)
    assert worker() == 0
    now_due(pool, made, worker.began, 4.5, 5.5)
    for _ in PAUSES:
        worker()
        all_due(pool, made)
    (call,) = calls(one, made)
    assert (call["status"], call["tries"]) == ("dead", 8)
    assert call["error"] == f"{type(error).__name__} while it was called."


def all_due(pool, made):
    """As if all pauses of a webhook were over."""
    with pool.connection() as connection:
        connection.execute("UPDATE webhook_delivery SET next_at = now() WHERE webhook_id = %s", (made["id"],))
        connection.execute("UPDATE webhook SET rests_until = NULL WHERE id = %s", (made["id"],))


def test_a_call_over_which_every_worker_dies_is_dead_at_last(one, worker, pool):
    """Its process is gone each time before it could say what came of it."""
    with receiving() as receiver:
        made = hook(one, receiver.url)
        one.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
        for _ in range(8):
            (due,) = [due for due in webhook_calls.find_due(pool, 100) if due.webhook == made["id"]]
            assert webhook_calls.take(pool, due) is not None
            all_due(pool, made)
        assert worker() == 0
        assert receiver.calls.empty()
    (call,) = calls(one, made)
    assert (call["status"], call["tries"], call["error"]) == ("dead", 8, webhook_calls.BROKEN_OFF)


def test_a_failing_address_rests_before_its_next_notice(one, worker, pool):
    """Longer after each failure, and not at all once a call has arrived; its owner need not wait."""
    with receiving((500, {})) as receiver:
        made = hook(one, receiver.url)
        path = f"/v1/me/webhooks/{made['id']}"
        tell(pool, one, 4)
        worker()
        assert len(calls(one, made, tries=1)) == 1
        assert not due_of(pool, made)
        for least, most in ((4.5, 5.5), (54, 66), (270, 330)):
            assert least - 1 <= rest(pool, made) <= most
            end_rest(pool, made)
            worker()
            assert not due_of(pool, made)
        assert len(calls(one, made, tries=1)) == 4
        receiver.answers[:] = [(200, {})]
        one.post(f"{path}/test", status=202)
        assert worker() == 1
        assert rest(pool, made) is None
        all_due(pool, made)
        while worker():
            pass
    assert {call["status"] for call in calls(one, made)} == {"delivered"}


def tell(pool, one, count):
    """So many notices for an account, as events make them."""
    game_id = str(uuid.uuid4())
    with pool.connection() as connection:
        for seq in range(1, count + 1):
            notice = Notice("game.finished", game_id, seq, {}, datetime.fromtimestamp(now(pool), UTC))
            assert notices.add(connection, one.me["id"], notice) is not None


def due_of(pool, made):
    return [due for due in webhook_calls.find_due(pool, 100) if due.webhook == made["id"]]


def rest(pool, made):
    with pool.connection() as connection:
        return connection.execute(
            "SELECT extract(epoch FROM rests_until - now())::float8 FROM webhook WHERE id = %s", (made["id"],)
        ).fetchone()[0]


def end_rest(pool, made):
    with pool.connection() as connection:
        connection.execute("UPDATE webhook SET rests_until = NULL WHERE id = %s", (made["id"],))


def test_receivers_that_never_answer_delay_nobody_else(inside, worker, pool, monkeypatch):
    """Forty of ten accounts hang; a good one is called beside them, though its call was due last."""
    told = []
    with pool.connection() as connection:
        connection.execute("DELETE FROM webhook_delivery")  # of other tests
    calling = webhook_delivery.DeliveryWorker(pool, told.append)
    with hanging() as address, receiving() as receiver:
        monkeypatch.setattr(webhook_request, "CALL_SECONDS", PATIENCE)
        for _ in range(10):
            bad = inside.account()
            for _ in range(4):
                made = hook(bad, address)
                bad.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
        good = inside.account()
        made = hook(good, receiver.url)
        call = good.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
        assert calling() == webhook_delivery.OF_HOST + 1, "as many as a host may have, and the good one"
        assert receiver.calls.get(timeout=PATIENCE).headers["webhook-id"] == call["id"]
        assert [one["status"] for one in until(lambda: calls(good, made, status="delivered"), "it arrived")]
    calling.close()


@contextmanager
def hanging():
    """The address of a receiver that takes connections and never answers; at last it resets them."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


def test_after_a_rotation_both_secrets_sign(one, worker, pool):
    """For a day; then only the new one."""
    with receiving() as receiver:
        made = hook(one, receiver.url)
        path = f"/v1/me/webhooks/{made['id']}"
        rotated = one.post(f"{path}/rotate", status=201)
        assert rotated["secret"] != made["secret"]
        one.post(f"{path}/test", status=202)
        worker()
        headers, body = receiver.calls.get(timeout=PATIENCE)
        assert len(headers["webhook-signature"].split(" ")) == 2
        for secret in (made["secret"], rotated["secret"]):
            Webhook(secret).verify(body, headers)
        with pool.connection() as connection:
            connection.execute("UPDATE webhook SET previous_until = now() WHERE id = %s", (made["id"],))
        one.post(f"{path}/test", status=202)
        worker()
        headers, body = receiver.calls.get(timeout=PATIENCE)
        assert len(headers["webhook-signature"].split(" ")) == 1
        Webhook(rotated["secret"]).verify(body, headers)


def test_only_what_was_asked_for_is_sent(one, worker):
    """By type and by game; nothing while it is disabled."""
    with receiving() as receiver:
        other = one.account("Other")
        game_id = join_all(one, other)
        made = hook(one, receiver.url, types=["game.begun"], game=game_id)
        disabled = hook(one, receiver.url)
        one.call("PATCH", f"/v1/me/webhooks/{disabled['id']}", {"enabled": False, "types": ["game.begun"]})
        join_all(one, other)
        one.project()
        assert worker() == 1
        assert json.loads(receiver.calls.get(timeout=PATIENCE).body)["data"]["game"] == game_id
        assert receiver.calls.empty()
        assert calls(one, disabled) == []
        assert len(calls(one, made)) == 1


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1/", "https://[::ffff:10.0.0.1]/", "http://example.org/", "https://printer/"]
)
def test_an_address_inside_is_refused(api, url):
    """When the webhook is made; a name is looked up before each call."""
    assert api.account().refused("POST", "/v1/me/webhooks", {"url": url}) == (422, "invalid_parameters")


def test_what_is_wrong_is_told(one, api):
    made = hook(one)
    path, stranger = f"/v1/me/webhooks/{made['id']}", api.account()
    unknown = str(uuid.uuid4())
    assert stranger.refused("DELETE", path) == (404, "unknown_webhook")
    for method, address in (
        ("DELETE", ""), ("POST", "/rotate"), ("POST", "/test"), ("GET", "/deliveries"),
        ("POST", f"/deliveries/ntc_1_{unknown}/redeliver"),
    ):  # fmt: skip
        assert one.refused(method, f"/v1/me/webhooks/{unknown}{address}") == (404, "unknown_webhook")
    assert one.refused("PATCH", "/v1/me/webhooks/x", {}) == (404, "unknown_webhook")
    missing = f"{path}/deliveries/ntc_1_{made['id']}/redeliver"
    assert one.refused("POST", missing) == (404, "unknown_delivery")
    assert one.refused("POST", f"{path}/deliveries/x/redeliver") == (404, "unknown_delivery")
    for body in (
        {"url": PUBLIC, "types": ["nothing"]},
        {"url": PUBLIC, "types": []},
        {"types": ["game.begun"]},
    ):
        assert one.refused("POST", "/v1/me/webhooks", body) == (422, "invalid_parameters")
    body = {"url": PUBLIC, "game": unknown}
    assert one.refused("POST", "/v1/me/webhooks", body) == (404, "unknown_game")
    token = one.post("/v1/me/tokens", {"label": "play", "scopes": ["game:read"]}, status=201)["token"]
    assert Api(one.app, token).refused("GET", "/v1/me/webhooks") == (403, "missing_scope")
    assert one.call("DELETE", path, status=204) is None
    assert one.get("/v1/me/webhooks") == {"webhooks": []}


def test_a_secret_is_shown_once(one):
    again = {"Idempotency_Key": "once"}
    made = one.post("/v1/me/webhooks", {"url": PUBLIC}, status=201, **again)
    assert len(base64.b64decode(made["secret"].removeprefix("whsec_"))) == 32
    refused = one.call("POST", "/v1/me/webhooks", {"url": PUBLIC}, status=409, **again)
    assert (refused["code"], refused["id"]) == ("already_shown", made["id"])
    assert "secret" not in one.get("/v1/me/webhooks")["webhooks"][0]
    path = f"/v1/me/webhooks/{made['id']}/rotate"
    one.post(path, status=201, Idempotency_Key="turn")
    assert one.refused("POST", path, Idempotency_Key="turn") == (409, "already_shown")


def test_there_are_ten_at_most(one):
    for _ in range(10):
        hook(one)
    assert one.refused("POST", "/v1/me/webhooks", {"url": PUBLIC}) == (409, "too_many_webhooks")


def test_they_are_exported_without_secrets_and_go_with_the_account(inside, pool):
    one = inside.account("Gone")
    made = hook(one)
    one.post(f"/v1/me/webhooks/{made['id']}/test", status=202)
    export = one.get("/v1/me/export")
    assert [hooked["id"] for hooked in export["webhooks"]] == [made["id"]]
    assert [notice["type"] for notice in export["notices"]] == ["webhook.test"]
    assert len(export["deliveries"]) == 1
    assert made["secret"].removeprefix("whsec_") not in json.dumps(export)
    one.call("DELETE", "/v1/me", {"confirm": "Gone"}, status=204)
    with pool.connection() as connection:
        for table in ("webhook", "webhook_delivery", "notice"):
            count = f"SELECT count(*) FROM {table} WHERE account_id = %s"
            assert connection.execute(count, (one.me["id"],)).fetchone() == (0,)


MEMBERS = {"game", "webhook", "seq", "seat", "deadline", "excused", "misses", "vacated", "reason", "offer"}
MEMBERS |= {"what", "by", "until", "ended_by"}


@pytest.mark.parametrize("title_id", title_ids())
def test_nothing_hidden_is_told(inside, worker, title_id):
    """No body of a call and no notice holds any hidden part of the game: neither its salt nor its value."""
    with receiving() as receiver:
        people = [inside.account(f"P{n}") for n in range(SEATS[title_id])]
        for person in people:
            hook(person, receiver.url)
        game_id = join_all(*people, title=title_id)
        play_some(people, game_id, 40, seed=3)
        inside.project()
        while worker():
            pass
        bodies = []
        while not receiver.calls.empty():
            bodies.append(receiver.calls.get().body.decode())
    feeds = [person.send("GET", "/v1/me/notices?limit=1000").text for person in people]
    assert len(bodies) == sum(len(told(person)) for person in people) >= 2 * len(people)
    assert set().union(*(json.loads(body)["data"] for body in bodies)) <= MEMBERS
    everything = "".join([*bodies, *feeds])
    for record in inside.app.extensions["rutter"].games.records(game_id):
        for part in record.parts.values():
            assert base64.b64encode(part.salt).decode() not in everything
            assert part.salt.hex() not in everything
            words = re.findall(r'"([a-z0-9_]{5,})"', part.body.decode())
            assert not [word for word in words if word in everything]
