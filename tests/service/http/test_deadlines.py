"""No request waits long for the database: neither for a connection nor for an answer."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest

from events.store.connection import get_remaining_seconds
from ops.server.wsgi import create_app
from tests.service.client import Api
from tests.service.factories import MANY_ACCOUNTS, GameRequest
from tests.service.proxy import waits_in_vain

pytestmark = pytest.mark.integration
SHORT = 0.2
"""Seconds that a wait takes which is in vain anyway."""


@pytest.fixture
def hurried(settings, tmp_path):
    """An application with two connections; its limits are so wide that no busy machine meets them."""
    limits = tmp_path / "limits.toml"
    limits.write_text("[wait]\nusual = 101\nlong = 102\nconnection = 100\n" + MANY_ACCOUNTS)
    app = create_app(replace(settings, limits=str(limits), connections=2))
    yield Api(app)
    app.extensions["rutter"].close()


def test_when_all_connections_are_at_work_it_says_so_at_once(hurried, monkeypatch):
    """Reading, writing and making an account: each waits once for a connection, as long as the limits say.

    Then it is a 503; it is carried out afterwards.
    """
    one = hurried.account()
    game = one.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    move = one.get(f"/v1/games/{game}/decisions")["legal"][0]
    command = {**move["command"], "seat": move["seat"]}
    asked = [
        ("GET", "/v1/games", ...),
        ("POST", "/v1/accounts", {}),
        ("POST", "/v1/games", GameRequest(hotseat=2)),
        ("POST", f"/v1/games/{game}/commands", command),
    ]
    pool = one.app.extensions["rutter"].pool
    assert pool.timeout == 100
    monkeypatch.setattr(pool, "timeout", SHORT)
    with contextlib.ExitStack() as held:
        for _ in range(2):
            held.enter_context(pool.connection())
        for method, path, body in asked:
            with waits_in_vain() as waits:
                answer = one.send(method, path, body)
            assert (answer.status_code, answer.get_json()["code"]) == (503, "unavailable"), path
            assert answer.headers["Retry-After"]
            assert waits == [SHORT], path
    monkeypatch.undo()
    for method, path, body in asked:
        assert one.send(method, path, body).status_code in (200, 201), path


def test_a_statement_that_takes_too_long_is_given_up(hurried, owner, monkeypatch):
    """Somebody holds a table: the request ends in its time, and Postgres works on it no longer."""
    import psycopg

    one = hurried.account()
    pool = one.app.extensions["rutter"].pool
    with psycopg.connect(owner) as locked:
        locked.execute("LOCK TABLE lobby")
        monkeypatch.setattr(pool, "_usual", SHORT)
        with waits_in_vain() as waits:
            answer = one.send("GET", "/v1/games")
        assert (answer.status_code, answer.get_json()["code"]) == (503, "unavailable")
        assert len(waits) == 1, "once, and not again and again"
        monkeypatch.undo()
        waiting = locked.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'rutter-api'"
            " AND datname = current_database() AND state = 'active'"
        ).fetchone()
        assert waiting == (0,)
    assert one.send("GET", "/v1/games").status_code == 200


def test_long_requests_have_more_time(hurried, owner):
    one = hurried.account()
    game = one.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    pool = one.app.extensions["rutter"].pool
    for path, seconds in ((f"/v1/games/{game}/history", "102s"), ("/v1/games", "101s"), ("/metrics", "102s")):
        seen = []
        one.app.after_request_funcs.setdefault(None, []).append(
            lambda answer, s=seen: s.append(_asked(pool)) or answer
        )
        assert one.send("GET", path).status_code == 200
        one.app.after_request_funcs[None].pop()
        assert seen == [seconds], path
        assert get_remaining_seconds() is None, "a deadline ends with its request"


def _asked(pool):
    with pool.connection() as connection:
        return connection.execute("SHOW statement_timeout").fetchone()[0]
