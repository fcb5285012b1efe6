"""Tokens: several of one account, each for certain things, shown once, revoked everywhere."""

import os
import sys
import urllib.request
import uuid
from dataclasses import replace
from types import SimpleNamespace

import pytest

from ops.runtime.ports import free_port
from ops.runtime.processes import ChildProcess, Program
from ops.server.wsgi import create_app
from service.base.scopes import SCOPES
from tests.conftest import ROOT
from tests.service.client import Api
from tests.service.factories import GameRequest, join_all
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.integration

TOKENS = "/v1/me/tokens"
SOON, WITHOUT_REDIS = 1000, 30_000


@pytest.fixture
def passes(pool, monkeypatch):
    """Let so many seconds pass for one token: in the database, and for what the process believes."""
    clock = SimpleNamespace(at=0.0)
    monkeypatch.setattr("service.stores.tokens.time", SimpleNamespace(monotonic=lambda: clock.at))

    def pass_by(seconds, token_id):
        clock.at += seconds
        with pool.connection() as connection:
            connection.execute(
                "UPDATE token SET expires_at = expires_at - make_interval(secs => %s) WHERE id = %s",
                (seconds, token_id),
            )

    return pass_by


def make(api, *scopes, **more):
    """A new token of the same account: its API and what was answered."""
    made = api.post(TOKENS, {"label": "test", "scopes": list(scopes), **more}, status=201)
    return Api(api.app, made["token"], api.me), made


def revoke(api, token_id):
    answer = api.send("DELETE", f"{TOKENS}/{token_id}")
    assert answer.status_code == 204, answer.text
    return int(answer.headers["Rutter-Effective-Within-Ms"])


def test_the_first_token_has_all_scopes(api):
    one = api.account("Eve")
    (first,) = one.get(TOKENS)["tokens"]
    assert first["kind"] == "personal"
    assert first["scopes"] == list(SCOPES)
    assert (first["games"], first["expires_at"]) == (None, None)
    assert "token" not in first, "a secret is shown once"


def test_tokens_are_listed_with_what_they_may_do_and_their_last_use(api):
    one = api.account("Eve")
    other, made = make(one, "game:play", "game:read", expires_in_ms=60_000)
    assert made["last_used_at"] is None
    other.get("/v1/me")
    shown = next(token for token in one.get(TOKENS)["tokens"] if token["id"] == made["id"])
    assert shown["label"] == "test"
    assert shown["scopes"] == ["game:read", "game:play"]
    assert shown["last_used_at"] is not None
    assert shown["expires_at"] > shown["created_at"]


def test_only_hashes_are_kept(ada, pool):
    _, made = make(ada, "game:read")
    codes = ada.post("/v1/me/recovery", status=201)["codes"]
    with pool.connection() as connection:
        for table in ("token", "recovery_code", "shown_once"):
            held = str(connection.execute(f"SELECT t::text FROM {table} t").fetchall())
            assert made["token"] not in held
            assert not any(code in held for code in codes)


def commands(api):
    """A game and each of the writing calls that need a scope."""
    game = api.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    base = f"/v1/games/{game}"
    return game, {
        ("POST", "/v1/games"): "game:create",
        ("POST", f"{base}/forks"): "game:create",
        ("POST", f"{base}/commands"): "game:play",
        ("POST", f"{base}/join"): "game:play",
        ("POST", f"{base}/start"): "game:play",
        ("GET", f"{base}/roster"): "game:read",
        ("GET", f"{base}?seat=0"): "game:read",
        ("GET", f"{base}/wars/odds?target=1"): "game:read",
        ("GET", TOKENS): "token:write",
        ("POST", TOKENS): "token:write",
        ("POST", "/v1/me/recovery"): "token:write",
        ("PATCH", "/v1/me"): "account:write",
        ("DELETE", "/v1/me"): "account:write",
        ("GET", "/v1/me/export"): "account:write",
        ("POST", "/v1/me/service_accounts"): "account:write",
    }


def test_each_call_names_the_scope_that_is_missing(ada):
    """A token for everything else is answered 403 `missing_scope` with the scope, and nothing happens."""
    _, calls = commands(ada)
    for (method, path), scope in calls.items():
        other, _ = make(ada, *(one for one in SCOPES if one != scope))
        answer = other.send(method, path, {}) if method != "GET" else other.send(method, path)
        assert answer.status_code == 403, (method, path, answer.text)
        problem = answer.get_json(force=True)
        assert (problem["code"], problem["scope"]) == ("missing_scope", scope), (method, path)


def test_a_token_that_may_only_read_gives_no_command(ada):
    """With `game:read` alone a command is refused for want of `game:play`."""
    game, _ = commands(ada)
    reader, _ = make(ada, "game:read")
    move = reader.get(f"/v1/games/{game}/decisions")["legal"][0]
    answer = reader.send("POST", f"/v1/games/{game}/commands", {**move["command"], "seat": move["seat"]})
    assert (answer.status_code, answer.get_json(force=True)["scope"]) == (403, "game:play")


def test_a_token_that_may_only_play_sees_what_a_spectator_sees(ada):
    game, _ = commands(ada)
    player, _ = make(ada, "game:play")
    move = ada.get(f"/v1/games/{game}/decisions")["legal"][0]
    player.post(f"/v1/games/{game}/commands", {**move["command"], "seat": move["seat"]})
    for what in ("", "/events?after=0", "/decisions", "/table"):
        shown, public = (one.get(f"/v1/games/{game}{what}") for one in (player, Api(ada.app)))
        assert shown == public
    assert ada.get(f"/v1/games/{game}") != public


def test_a_token_for_certain_games_is_for_nothing_else(ada):
    game, other = commands(ada)[0], commands(ada)[0]
    bound, made = make(ada, "game:read", "game:play", "game:create", "token:write", games=[game.upper()])
    assert made["games"] == [game]
    assert bound.get(f"/v1/games/{game}/decisions")["legal"]
    assert bound.get(f"/v1/games/{other}/decisions")["legal"] == [], "they see what everybody sees"
    for method, path in (
        ("GET", f"/v1/games/{other}?seat=0"),
        ("POST", f"/v1/games/{other}/commands"),
        ("POST", "/v1/games"),
        ("GET", TOKENS),
    ):
        sent = bound.refused(method, path) if method == "GET" else bound.refused(method, path, {})
        assert sent == (403, "other_games_only"), path


def test_nobody_gets_more_by_a_token_than_it_may_do(ada):
    """Neither by making one, nor by rotating one that may do more, nor by recovery codes or programs."""
    keeper, _ = make(ada, "token:write", "account:write", expires_in_ms=60_000)
    body = {"label": "more", "scopes": ["token:write", "game:play"]}
    answer = keeper.send("POST", TOKENS, body)
    assert (answer.status_code, answer.get_json(force=True)["scope"]) == (403, "game:play")
    first = ada.get(TOKENS)["tokens"][0]["id"]
    assert keeper.refused("POST", f"{TOKENS}/{first}/rotate", {}) == (403, "missing_scope")
    assert keeper.refused("POST", "/v1/me/recovery") == (403, "missing_scope")
    program = {"name": "Bot", "scopes": ["game:play"]}
    assert keeper.refused("POST", "/v1/me/service_accounts", program) == (403, "missing_scope")
    _, made = make(keeper, "token:write", expires_in_ms=10_000_000)
    own = next(one for one in keeper.get(TOKENS)["tokens"] if one["expires_at"] and one["id"] != made["id"])
    assert made["expires_at"] == own["expires_at"], "it ends no later"


def test_a_token_ends_when_its_time_is_over(ada, passes):
    short, made = make(ada, "game:read", expires_in_ms=29_000)  # less than a token is believed for
    assert short.send("GET", "/v1/me").status_code == 200
    passes(29, made["id"])
    assert short.send("GET", "/v1/me").status_code == 401


def test_a_rotated_token_works_on_for_its_overlap(ada, passes):
    """Both work while the overlap lasts, then only the new one."""
    old, made = make(ada, "game:read", expires_in_ms=600_000)
    answer = ada.post(f"{TOKENS}/{made['id']}/rotate", {"overlap_ms": 29_000}, status=201)
    assert answer["id"] != made["id"]
    assert answer["effective_within_ms"] == SOON
    same = ("label", "scopes", "games", "expires_at")
    assert [answer[name] for name in same] == [made[name] for name in same]
    new = Api(ada.app, answer["token"])
    for one in (old, new):
        assert one.send("GET", "/v1/me").status_code == 200
    passes(29, made["id"])
    assert old.send("GET", "/v1/me").status_code == 401
    assert new.send("GET", "/v1/me").status_code == 200


def test_a_token_rotates_itself_at_once(api):
    one = api.account("Eve")
    answer = one.post(f"{TOKENS}/current/rotate", status=201)
    assert one.refused("GET", "/v1/me") == (401, "unauthenticated")
    assert Api(api.app, answer["token"]).get("/v1/me")["account"]["name"] == "Eve"


def test_a_token_revokes_itself_without_any_scope(ada):
    other, _ = make(ada, "game:read")
    revoke(other, "current")
    assert other.refused("GET", "/v1/me") == (401, "unauthenticated")
    assert ada.send("GET", "/v1/me").status_code == 200


def test_tokens_of_others_are_not_known(ada, api):
    _, made = make(ada, "game:read")
    eve = api.account("Eve")
    for one in (made["id"], str(uuid.uuid4()), "x", "%00"):
        for method, path in (("DELETE", f"{TOKENS}/{one}"), ("POST", f"{TOKENS}/{one}/rotate")):
            status, code = eve.refused(method, path)
            assert (status, code) in ((404, "unknown_token"), (404, "not_found")), (method, path)
    assert Api(ada.app, made["token"]).send("GET", "/v1/me").status_code == 200


def test_an_account_has_at_most_fifty(api):
    one = api.account("Eve")
    for _ in range(49):
        _, made = make(one, "game:read")
    body = {"label": "one more", "scopes": ["game:read"]}
    assert one.refused("POST", TOKENS, body) == (409, "too_many_tokens")
    revoke(one, made["id"])
    make(one, "game:read")


def test_a_secret_is_not_shown_twice(ada):
    """The same key again: 409 `already_shown` with the id to revoke; another request: the key was used."""
    body, key = {"label": "once", "scopes": ["game:read"]}, {"Idempotency_Key": str(uuid.uuid4())}
    made = ada.post(TOKENS, body, status=201, **key)
    again = ada.send("POST", TOKENS, body, **key)
    problem = again.get_json(force=True)
    assert (again.status_code, problem["code"], problem["id"]) == (409, "already_shown", made["id"])
    assert "rut_" not in again.text
    assert ada.refused("POST", TOKENS, {**body, "label": "other"}, **key) == (409, "idempotency_key_reused")
    revoke(ada, problem["id"])


def test_each_secret_is_shown_once(ada):
    """Rotating, recovery codes and programs alike; the id names what to revoke."""
    _, token = make(ada, "game:read")
    calls = {
        f"{TOKENS}/{token['id']}/rotate": ({"overlap_ms": 0}, lambda made: made["id"]),
        "/v1/me/recovery": ({}, lambda made: made["id"]),
        "/v1/me/service_accounts": ({"name": "Bot"}, lambda made: made["account"]["id"]),
    }
    for path, (body, shown) in calls.items():
        key = {"Idempotency_Key": str(uuid.uuid4())}
        made = ada.post(path, body, status=201, **key)
        again = ada.send("POST", path, body, **key)
        problem = again.get_json(force=True)
        assert (again.status_code, problem["code"], problem["id"]) == (409, "already_shown", shown(made)), (
            path
        )


def test_tokens_are_tested_together(ada, api):
    """In the order in which they were sent: form, validity, what they may do."""
    _, made = make(ada, "game:play", "game:read")
    gone = api.account("Eve")
    revoke(gone, "current")
    asked = [made["token"], gone.token, "rut_nonsense", ""]
    valid, revoked, *nonsense = api.post("/v1/tokens/test", {"tokens": asked})["tokens"]
    assert valid["valid"]
    assert (valid["account"], valid["id"]) == (ada.me["id"], made["id"])
    assert valid["scopes"] == ["game:read", "game:play"]
    assert (revoked["well_formed"], revoked["valid"], revoked["account"]) == (True, False, None)
    assert [(one["well_formed"], one["valid"]) for one in nonsense] == [(False, False)] * 2
    assert api.refused("POST", "/v1/tokens/test", {"tokens": ["x"] * 101})[0] == 422


def test_recovery_codes_open_an_account_once(api):
    """All tokens that it had are revoked; the code is used up, the other nine are not."""
    one = api.account("Eve")
    other, _ = make(one, "game:read")
    codes = one.post("/v1/me/recovery", status=201)["codes"]
    assert len(set(codes)) == 10
    assert one.get("/v1/me/recovery")["left"] == 10
    code = codes[0].lower().replace("-", " ")
    opened = api.post("/v1/accounts/recover", {"account": one.me["id"], "code": code}, status=201)
    assert (opened["account"]["id"], opened["codes_left"]) == (one.me["id"], 9)
    assert opened["effective_within_ms"] == SOON
    for lost in (one, other):
        assert lost.refused("GET", "/v1/me") == (401, "unauthenticated")
    again = Api(api.app, opened["token"])
    assert [token["id"] for token in again.get(TOKENS)["tokens"]] == [opened["id"]]
    wrong = (403, "recovery_refused")
    body = {"account": one.me["id"], "code": codes[0]}
    assert api.refused("POST", "/v1/accounts/recover", body) == wrong
    assert api.refused("POST", "/v1/accounts/recover", {**body, "account": str(uuid.uuid4())}) == wrong
    again.post("/v1/me/recovery", {"code": codes[1]}, status=201)
    assert api.refused("POST", "/v1/accounts/recover", {**body, "code": codes[1]}) == wrong, (
        "new ones are made"
    )


@pytest.fixture
def days_pass(pool):
    """Let so many days pass for the recovery codes of an account."""

    def pass_by(days, one):
        with pool.connection() as connection:
            connection.execute(
                "UPDATE recovery_code SET expires_at = expires_at - make_interval(days => %s)"
                " WHERE account_id = %s",
                (days, one.me["id"]),
            )

    return pass_by


def recover(one, code):
    """The API of an account that one of its codes has opened; None if it does not."""
    body = {"account": one.me["id"], "code": code}
    answer = Api(one.app).send("POST", "/v1/accounts/recover", body)
    assert answer.status_code in (201, 403), answer.text
    return Api(one.app, answer.get_json()["token"], one.me) if answer.status_code == 201 else None


@pytest.mark.parametrize(("method", "status"), [("POST", 201), ("DELETE", 204)])
def test_a_thief_cannot_void_the_codes_of_the_owner(api, method, status):
    """Whatever is done with a stolen token: the owner's code opens the account, and voids the thief's."""
    one = api.account("Eve")
    codes = one.post("/v1/me/recovery", status=201)["codes"]
    stolen, stolen_codes = Api(api.app, one.token, one.me), []
    for _ in range(7):
        answer = stolen.call(method, "/v1/me/recovery", status=status)
        stolen_codes += answer["codes"] if answer else []
    told = one.get("/v1/me/notices")["notices"]
    assert {(notice["type"], notice["account"]) for notice in told} == {
        ("account.recovery_changed", one.me["id"])
    }
    assert len(told) == (8 if stolen_codes else 2)
    assert one.get("/v1/me/recovery")["earlier_left"] >= 10
    mine = recover(one, codes[0])
    assert mine is not None
    assert stolen.refused("GET", "/v1/me") == (401, "unauthenticated")
    assert not any(recover(one, code) for code in stolen_codes)
    shown = mine.get("/v1/me/recovery")
    assert (shown["left"], shown["earlier_left"], shown["earlier_until"]) == (9, 0, None)


def test_codes_that_were_replaced_end_after_two_weeks(api, days_pass):
    one = api.account("Eve")
    old = one.post("/v1/me/recovery", status=201)["codes"]
    new = one.post("/v1/me/recovery", status=201)["codes"]
    days_pass(13, one)
    assert one.get("/v1/me/recovery")["earlier_left"] == 10
    days_pass(1, one)
    shown = one.get("/v1/me/recovery")
    assert (shown["left"], shown["earlier_left"], shown["earlier_until"]) == (10, 0, None)
    assert recover(one, old[0]) is None
    assert recover(one, new[0]) is not None


def test_codes_end_at_once_for_anyone_who_has_one(api):
    """A wrong code is refused, and then nothing is done."""
    one = api.account("Eve")
    old = one.post("/v1/me/recovery", status=201)["codes"]
    for method in ("POST", "DELETE"):
        assert one.refused(method, "/v1/me/recovery", {"code": "7QK2M"}) == (403, "recovery_refused")
    assert one.get("/v1/me/recovery")["earlier_left"] == 0
    new = one.post("/v1/me/recovery", {"code": old[3]}, status=201)["codes"]
    assert one.get("/v1/me/recovery")["earlier_left"] == 0
    assert recover(one, old[0]) is None
    one.call("DELETE", "/v1/me/recovery", {"code": new[0].lower()}, status=204)
    assert recover(one, new[1]) is None
    assert one.get("/v1/me/recovery") == {
        "id": None, "left": 0, "made_at": None, "earlier_left": 0, "earlier_until": None
    }  # fmt: skip


def test_a_recovery_whose_answer_was_lost_names_its_token(api):
    one = api.account("Eve")
    codes = one.post("/v1/me/recovery", status=201)["codes"]
    body, key = {"account": one.me["id"], "code": codes[0]}, {"Idempotency_Key": "lost"}
    opened = api.post("/v1/accounts/recover", body, status=201, **key)
    again = api.send("POST", "/v1/accounts/recover", body, **key).get_json(force=True)
    assert (again["code"], again["id"]) == ("already_shown", opened["id"])


def test_recovery_codes_can_be_revoked(api):
    one = api.account("Eve")
    codes = one.post("/v1/me/recovery", status=201)["codes"]
    one.call("DELETE", "/v1/me/recovery", {"code": codes[1]}, status=204)
    body = {"account": one.me["id"], "code": codes[0]}
    assert api.refused("POST", "/v1/accounts/recover", body) == (403, "recovery_refused")


def test_a_stream_ends_with_its_token(ada):
    """Nothing that happens after the token was revoked goes out."""
    game = join_all(ada, ada.account("Bob"))
    other, made = make(ada, "game:read")
    stream = other.send("GET", f"/v1/games/{game}/stream")
    parts = stream.iter_encoded()
    assert b"event: game" in next(parts) + next(parts)
    revoke(ada, made["id"])
    assert b"event: closing" in b"".join(parts)
    stream.close()


def test_without_redis_a_revoked_token_ends_within_half_a_minute(settings, ada, monkeypatch):
    """The answer says so; a process that is not told asks the database again by then."""
    clock = SimpleNamespace(at=0.0)
    monkeypatch.setattr("service.stores.tokens.time", SimpleNamespace(monotonic=lambda: clock.at))
    apps = [create_app(replace(settings, redis_url="redis://127.0.0.1:1/0")) for _ in range(2)]
    here, elsewhere = (Api(app, ada.token, ada.me) for app in apps)
    other, made = make(here, "game:read")
    there = Api(elsewhere.app, other.token)
    assert there.send("GET", "/v1/me").status_code == 200
    assert revoke(here, made["id"]) == WITHOUT_REDIS
    assert other.refused("GET", "/v1/me") == (401, "unauthenticated"), "here it is known at once"
    clock.at += WITHOUT_REDIS / 1000
    assert there.refused("GET", "/v1/me") == (401, "unauthenticated")
    for app in apps:
        app.extensions["rutter"].close()


class Http:
    """One of several API processes, over a socket."""

    def __init__(self, address):
        self.address = address
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def status(self, token, method="GET", path="/v1/me"):
        asked = urllib.request.Request(  # noqa: S310
            self.address + path, headers={"Authorization": f"Bearer {token}"}, method=method
        )
        try:
            with self._opener.open(asked, timeout=PATIENCE) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code
        except OSError:
            return 0


@pytest.fixture
def two_processes(settings, servers, tmp_path):
    """Two processes of the API on one database and one Redis, which look nothing up that they know."""
    addresses = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    words = [
        "gunicorn",
        "-c",
        str(ROOT / "ops/server/gunicorn_conf.py"),
        "tests.service.stale_token_app:create_app()",
    ]
    command = [sys.executable, "-m", *words]
    crew = []
    for number, address in enumerate(addresses):
        environment = {
            **os.environ,
            "DATABASE_URL": settings.database_url,
            "REDIS_URL": servers.redis_url,
            "RUTTER_DATA": str(settings.data),
            "RUTTER_BIND": address,
            "RUTTER_API_PROCESSES": "1",
            "PYTHONPATH": str(ROOT),
            "RUTTER_LIMITS": "off",
            "RUTTER_OWNER_MAY_SERVE": "1",
        }
        crew.append(
            ChildProcess(Program("api", command, environment, tmp_path / f"{number}.log", folder=ROOT))
        )
    both = [Http(f"http://{address}") for address in addresses]
    try:
        until(lambda: all(one.status("", path="/healthz") == 200 for one in both), "both processes answer")
        yield both
    finally:
        for child in crew:
            child.end()


@pytest.mark.slow
def test_a_revoked_token_ends_in_every_process(two_processes, ada):
    """Revoked in one process, it is a 401 in the other as well, told through Redis; a deleted account too."""
    here, there = two_processes
    _, made = make(ada, "game:read", "token:write")
    eve = ada.account("Eve")
    for one in (here, there):
        assert one.status(made["token"]) == one.status(eve.token) == 200
    until(lambda: _is_heard_by(two_processes, ada), "both processes hear")
    assert here.status(made["token"], "DELETE", f"{TOKENS}/current") == 204
    assert here.status(made["token"]) == 401
    until(lambda: there.status(made["token"]) == 401, "the other process hears of it")
    eve.call("DELETE", "/v1/me", {"confirm": "Eve"}, status=204)
    until(lambda: [one.status(eve.token) for one in two_processes] == [401, 401], "both hear of it")


def _is_heard_by(processes, ada):
    """Whether all follow the hints: they begin to a moment after their start."""
    process = ada.app.extensions["rutter"]
    channel = process.hints.channel
    return dict(process.hints.redis.pubsub_numsub(channel))[channel.encode()] >= len(processes) + 1
