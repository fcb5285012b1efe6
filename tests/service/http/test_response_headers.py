"""Headers, other origins, pages, health: what every client meets."""

import re

import psycopg
import pytest
from flask import Flask, Response
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import create_environ

from events.rules.catalogue import title_ids
from ops.server.wsgi import create_app
from service.base.request_metrics import RequestMetrics
from service.base.settings import Settings
from service.http import responses
from service.http.responses import Answer
from tests.service.client import Api
from tests.service.factories import GameRequest
from workers.bots import find_bot

pytestmark = pytest.mark.integration


@pytest.mark.parametrize(
    "path", ["/", "/docs", "/openapi.json", "/v1/titles", "/healthz", "/nothing", "/v1/me"]
)
def test_every_answer_carries_security_headers(api, path):
    headers = api.send("GET", path, X_Request_ID="").headers
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert re.fullmatch("[0-9a-f]{32}", headers["X-Request-ID"])


@pytest.mark.parametrize(
    "made",
    [
        {"response": b"{}", "content_type": "application/json", "headers": {"ETag": '"1"'}},
        {"response": b"{}", "headers": {"Location": "/v1/games/ö"}},
        {"response": b"{}", "headers": {"Content-Location": "../games"}},
        {"response": b"{}", "status": 201, "headers": {"Location": "/v1/games"}},
        {"response": b"", "status": 204},
        {"response": b"{}", "status": 304, "headers": {"Content-Length": "2"}},
        {"response": [b"one", b"two"]},
        {"response": iter([b"one", b"two"])},
    ],
)
def test_headers_are_sent_as_werkzeug_reckons_them(made):
    """Also where that is left out for an answer that is whole: no length, and no address, gets lost."""
    environ = create_environ("/v1/titles", "http://rutter.example")
    sent = Answer(**made).get_wsgi_headers(environ)
    assert sorted(sent) == sorted(Response(**made).get_wsgi_headers(environ))


def test_a_header_of_security_that_an_answer_has_is_not_sent_twice():
    """An answer with a policy of its own keeps it, and gets the other headers."""
    app = Flask("example")
    responses.install(app, RequestMetrics(), log_requests=False)
    app.add_url_rule("/", view_func=lambda: Response("x", headers={"content-security-policy": "sandbox"}))
    headers = app.test_client().get("/").headers
    assert headers.getlist("Content-Security-Policy") == ["sandbox"]
    assert headers.getlist("X-Content-Type-Options") == ["nosniff"]
    assert headers.getlist("Referrer-Policy") == ["no-referrer"]


def test_a_request_id_of_a_proxy_is_kept(api):
    assert api.send("GET", "/healthz", X_Request_ID="abc-1").headers["X-Request-ID"] == "abc-1"
    assert "\n" not in api.send("GET", "/healthz", X_Request_ID="x y").headers["X-Request-ID"]


def test_pages_of_other_origins_may_use_the_api(ada):
    for path in ("/v1/titles", "/v1/me", "/v1/games/none", "/openapi.json"):
        headers = ada.send("GET", path, Origin="https://elsewhere.example").headers
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert {"ETag", "Location", "Idempotency-Replayed", "Retry-After"} <= set(
            headers["Access-Control-Expose-Headers"].split(", ")
        )
    preflight = ada.send(
        "OPTIONS",
        "/v1/games/x/commands",
        Origin="https://elsewhere.example",
        Access_Control_Request_Method="POST",
        Access_Control_Request_Headers="authorization, if-match",
    )
    assert preflight.status_code == 204
    allowed = preflight.headers["Access-Control-Allow-Headers"].lower()
    assert all(name in allowed for name in ("authorization", "content-type", "if-match", "idempotency-key"))
    assert "Access-Control-Allow-Origin" not in ada.send("GET", "/metrics").headers


def test_a_preflight_tells_what_the_address_takes_and_is_kept(ada):
    """No cookies, no method that is not there, nothing for an address that is not there."""

    def asked(path):
        return ada.send(
            "OPTIONS", path, Origin="https://elsewhere.example", Access_Control_Request_Method="POST"
        )

    for path, methods in (
        ("/v1/games", "GET, HEAD, POST"),
        ("/v1/games/x/commands", "POST"),
        ("/v1/titles", "GET, HEAD"),
        ("/openapi.json", "GET, HEAD"),
    ):
        answer = asked(path)
        assert answer.headers["Access-Control-Allow-Methods"] == methods
        assert answer.headers["Access-Control-Max-Age"] == "86400"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
    assert asked("/v1/nothing").status_code == 404
    assert "Access-Control-Allow-Methods" not in asked("/metrics").headers


@pytest.mark.parametrize("path", ["/v1/games?limit=1&limit=2", "/v1/titles?x=1&x=1", "/healthz?a=&a="])
def test_a_parameter_stands_once(api, path):
    """Nobody knows which of two was meant: proxies, caches and we could each take another."""
    assert api.refused("GET", path) == (400, "invalid_parameters")


def test_figures_are_for_this_machine_or_for_anyone_who_has_the_token(settings):
    """A proxy on the same machine does not make the whole world local."""
    from dataclasses import replace

    plain, secret = (create_app(replace(settings, metrics_token=token)) for token in (None, "s3cret"))
    here, guarded = Api(plain), Api(secret)
    assert here.send("GET", "/metrics").status_code == 200
    assert here.refused("GET", "/metrics", X_Forwarded_For="203.0.113.9") == (403, "forbidden")
    far = plain.test_client().get("/metrics", environ_base={"REMOTE_ADDR": "203.0.113.9"})
    assert far.status_code == 403
    assert guarded.refused("GET", "/metrics") == (401, "unauthenticated")
    assert guarded.refused("GET", "/metrics", Authorization="Bearer wrong") == (401, "unauthenticated")
    assert guarded.send("GET", "/metrics", Authorization="Bearer s3cret").status_code == 200
    for app in (plain, secret):
        app.extensions["rutter"].close()


def test_the_description_page_asks_nobody_else(api):
    page = api.send("GET", "/docs/api").text
    assert "http:" not in page
    assert "https:" not in page
    assert not re.search(r"<script(?![^>]*src=)", page), "no inline script: the policy forbids it"
    for name in re.findall(r'(?:src|href)="(/docs/[^"]+)"', page):
        assert api.send("GET", name).status_code == 200


def test_titles_are_kept_by_clients(api):
    for path in ("/v1/titles", "/v1/titles/colonial_empires"):
        answer = api.send("GET", path)
        assert answer.status_code == 200
        assert api.send("GET", path, If_None_Match=answer.headers["ETag"]).status_code == 304
    title = api.get("/v1/titles/colonial_empires")
    assert {"options", "commands", "events", "position", "board", "codes", "data_hash"} <= set(title)
    assert title["commands"]["choose_empire"]["properties"]["type"] == {"enum": ["choose_empire"]}
    assert title["seats"] == {"min": 2, "max": 10}
    assert api.refused("GET", "/v1/titles/chess") == (404, "unknown_title")


def test_healthy_and_ready(api):
    assert api.get("/healthz") == {"status": "ok"}
    ready = api.get("/readyz")
    assert (ready["status"], ready["database"], ready["redis"]) == ("degraded", "ok", "ok")
    assert [lack["code"] for lack in ready["lacking"]] == ["dispatcher_missing", "worker_missing"]


def test_not_ready_without_migrations(servers, api):
    app = create_app(Settings(servers.database_url, None, log_requests=False))
    answer = Api(app).send("GET", "/readyz")
    app.extensions["rutter"].close()
    assert answer.status_code == 503
    assert answer.get_json()["database"] == "not_migrated"
    assert answer.headers["Retry-After"]


def test_figures(ada):
    ada.post("/v1/games", GameRequest(), status=201)
    ada.project()
    text = ada.send("GET", "/metrics").text
    figures = {family.name: family.samples for family in text_string_to_metric_families(text)}
    assert figures["rutter_database_up"][0].value == 1
    assert figures["rutter_redis_up"][0].value == 1
    assert any(
        s.labels == {"title": "colonial_empires", "status": "running"} for s in figures["rutter_games"]
    )
    assert all(sample.value == 0 for sample in figures["rutter_projection_lag"])
    queues = {"ai", "bots", "house", "odds", "ponder", "think"}
    assert {s.labels["queue"] for s in figures["rutter_queue_length"]} == queues
    assert {s.labels["duty"]: s.value for s in figures["rutter_processes_alive"]} == {
        "dispatcher": 0,
        "ai": 0,
        "think": 0,
        "house": 0,
        "deliver": 0,
    }
    assert len(figures["rutter_tasks_waiting"]) == 6
    assert figures["rutter_tasks_failed"][0].value == 0
    assert all(sample.value == 0 for sample in figures["rutter_projection_lag_seconds"])
    assert figures["rutter_requests"]


def test_without_redis_games_go_on(settings, ada):
    """Only hints are lost: commands, views and streams work."""
    from dataclasses import replace

    app = create_app(replace(settings, redis_url="redis://127.0.0.1:1/0"))
    alone = Api(app, ada.token, ada.me)
    try:
        game = alone.post("/v1/games", GameRequest(hotseat=2), status=201)
        move = alone.get(f"/v1/games/{game['id']}/decisions")["legal"][0]
        alone.post(f"/v1/games/{game['id']}/commands", {**move["command"], "seat": move["seat"]})
        ready = alone.get("/readyz")
        assert (ready["status"], ready["redis"]) == ("degraded", "away")
        assert ready["lacking"][0]["code"] == "redis_away"
        assert "rutter_redis_up 0.0" in alone.send("GET", "/metrics").text
    finally:
        app.extensions["rutter"].close()


def test_without_the_database_everything_is_503_and_says_when_to_come_again(monkeypatch):
    monkeypatch.setattr("events.store.stream_writer.RECONNECT_DELAYS", ())
    monkeypatch.setattr("service.base.database.RETRY_PAUSES", ())
    app = create_app(Settings("postgresql://nobody@127.0.0.1:1/nothing", None, log_requests=False))
    process = app.extensions["rutter"]
    process.pool.timeout = 0.2
    nobody = Api(app)
    try:
        game = "/v1/games/00000000-0000-0000-0000-000000000000"
        for path in ("/v1/games", game, f"{game}/events", f"{game}/stream", f"{game}/decisions"):
            answer = nobody.send("GET", path)
            assert (answer.status_code, answer.get_json()["code"]) == (503, "unavailable"), path
            assert answer.headers["Retry-After"]
        assert nobody.send("GET", "/readyz").status_code == 503
        assert nobody.get("/healthz") == {"status": "ok"}
        assert "rutter_database_up 0.0" in nobody.send("GET", "/metrics").text
    finally:
        process.close()


def test_a_restart_of_the_database_is_not_noticed(servers, settings, ada):
    """All connections die at once; the next requests find new ones."""
    app = create_app(settings)
    one = Api(app, ada.token, ada.me)
    game = one.post("/v1/games", GameRequest(hotseat=2), status=201)
    one.project()
    for _ in range(3):
        with psycopg.connect(servers.database_url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rutter-api'"
            )
        for path in ("/v1/games", f"/v1/games/{game['id']}", f"/v1/games/{game['id']}/history", "/v1/me"):
            assert one.send("GET", path).status_code == 200
        move = one.get(f"/v1/games/{game['id']}/decisions")["legal"][0]
        one.post(f"/v1/games/{game['id']}/commands", {**move["command"], "seat": move["seat"]})
        one.account()
    app.extensions["rutter"].close()


def test_the_bots_that_are_offered_are_there(api):
    titles = api.get("/v1/titles")["titles"]
    assert [title["id"] for title in titles] == list(title_ids())
    for title in titles:
        assert [find_bot(title["id"], name).name for name in title["bots"]] == title["bots"]


def test_an_unexpected_fault_shows_nothing_of_the_inside(settings, monkeypatch):
    app = create_app(settings)
    monkeypatch.setattr("service.api.account.accounts.get_services", lambda: 1 / 0)
    answer = Api(app).send("POST", "/v1/accounts", {})
    app.extensions["rutter"].close()
    assert answer.status_code == 500
    assert answer.content_type == "application/problem+json"
    assert "Zero" not in answer.text
    assert "line" not in answer.text


def test_processes_agree_on_the_signing_key(tmp_path):
    import threading

    from events.store.signing_keys import load_seeds

    keys = []
    threads = [threading.Thread(target=lambda: keys.append(load_seeds(None, tmp_path))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 16
    assert len(set(keys)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["signing.key"]
    assert (tmp_path / "signing.key").stat().st_mode & 0o777 == 0o600
    assert load_seeds("11" * 32, tmp_path) == (bytes([0x11] * 32),)


def test_keys_are_published(api, app):
    key = api.get("/v1/keys")["keys"][0]
    assert key == {"vkey": app.extensions["rutter"].signer.vkey, "since": 0, "until": None, "announced": None}
