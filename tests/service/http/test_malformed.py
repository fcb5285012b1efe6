"""Thousands of requests that nobody should send: each is answered by a problem, none changes anything."""

import json
import random
import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.service.client import check_problem
from tests.service.factories import GameRequest, join_all

pytestmark = pytest.mark.integration

DEEP = b"[" * 5000 + b"]" * 5000
BODIES = [
    b"",
    b" ",
    b"null",
    b"true",
    b"0",
    b'""',
    b"[]",
    b"[{}]",
    b"{",
    b"}",
    b"{]",
    b"{'a': 1}",
    b'{"a" 1}',
    b'{"type": NaN}',
    b'{"type": Infinity}',
    b'{"type": "choose_empire", "type": "choose_empire"}',
    rb'{"type": "\ud800"}',
    rb'{"type": "\u0000"}',
    rb'{"type": "choose_empire", "empire": "\u0000"}',
    rb'{"type": "choose_empire", "empire": "\udfff"}',
    b'{"type": "choose_empire", "empire": 1e400}',
    b'{"type": "choose_empire", "seat": ' + b"9" * 5000 + b"}",
    b'{"type": "choose_empire", "seat": 99999999999999999999}',
    b'{"a":' * 3000,
    DEEP,
    b'{"type": ' + DEEP + b"}",
    b'\xef\xbb\xbf{"type": "x"}',
    b'{"type": "\xff\xfe"}',
    '{"type": "x"}'.encode("utf-16"),
    b"\x00" * 100,
    b"a" * 300_000,
    b'{"name": "' + b"a" * 300_000 + b'"}',
    b"<xml/>",
    b"type=choose_empire",
]
TYPES = [
    "", "text/plain", "text/html", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
    "application/xml", "application/octet-stream", "json", "application/json/x", ";", "application", "\x7f",
    "application/jsonp",
]  # fmt: skip
QUERIES = [
    "at=x", "at=-1", "at=0", "at=1.5", "at=", "at=99999999999999999999", "at=%00", "at=1e3", "at=0x10",
    "at=%D9%A3",
    "at=true", "at=1%20", "seat=x", "seat=-1", "seat=100", "seat=1.0", "seat=", "seat=Spectator", "seat=%00",
    "seat=9", "nothing=1", "%00=1", "at[]=1", "at=[1]", "seat=%F0%9F%8E%B2", "seat=%FF", "=", "at=1;seat=0",
]  # fmt: skip
PAGE_QUERIES = [
    "limit=0", "limit=1001", "limit=-5", "limit=x", "limit=", "limit=99999999999999999999", "after=-1",
    "after=x",
    "after=1.5", "after=99999999999999999999", "after=%00", "seat=99", "at=1", "limit=%EF%BC%91",
]  # fmt: skip
IDS = [
    "x", "0", "null", "undefined", "%00", "..", "%2e%2e%2f", "a" * 5000,
    "00000000-0000-0000-0000-000000000000",
    "00000000000000000000000000000000", "{00000000-0000-0000-0000-000000000000}", "%F0%9F%8E%B2", "%FF%FE",
    "00000000-0000-0000-0000-00000000000g", "1' OR '1'='1", "%0a", "01a1faf0-ab52-7a8e-86d4-88ec4b8f1099%00",
    "０1a1faf0-ab52-7a8e-86d4-88ec4b8f1099",
]  # fmt: skip
TOKENS = [
    "", "Bearer", "Bearer ", "Bearer x", "bearer rut_", "Basic YTpi", "rut_abc", "Bearer " + "a" * 9000,
    "Bearer rut_" + "0" * 49, "Bearer \x7f", "Bearer \xff", "Digest", "Bearer a b c", ",", "Bearer\trut_",
]  # fmt: skip

ADDRESSES = [
    "/v1", "/v1/", "/v2/games", "//v1/games", "/v1//games", "/v1/games/", "/static/../app.py", "/%00", "/%FF",
    "/static/%2e%2e/app.py", "/docs/../app.py", "/static/nothing.js", "/docs/nothing",
]  # fmt: skip


@pytest.fixture(scope="module")
def game_id(ada, bob):
    return join_all(ada, bob)


@pytest.fixture(autouse=True)
def nothing_changes(app, ada, bob, game_id):
    """Whatever a test of this module sends: no event, no seat, no account more."""

    def content():
        with app.extensions["rutter"].pool.connection() as connection:
            return connection.execute(
                "SELECT (SELECT count(*) FROM es.event), (SELECT count(*) FROM seat_claim),"
                " (SELECT count(*) FROM account), (SELECT count(*) FROM founding)"
            ).fetchone()

    before = content()
    yield
    assert content() == before


def posts(game_id):
    game = f"/v1/games/{game_id}"
    return [
        "/v1/accounts",
        "/v1/games",
        *(f"{game}/{w}" for w in ("join", "reveal", "start", "commands", "forks")),
    ]


def gets(game_id):
    game = f"/v1/games/{game_id}"
    return [game, *(f"{game}/{w}" for w in ("table", "decisions", "events", "history", "audit", "stream"))]


def harmless(path, body):
    """Requests of the list that are in order: an empty body where none is needed."""
    return body == b"" and path.rsplit("/", 1)[1] in ("accounts", "join", "start", "forks")


def test_bodies(ada, game_id):
    for path in posts(game_id):
        for body in BODIES:
            if not harmless(path, body):
                check_problem(ada.send("POST", path, body))


def test_types(ada, game_id):
    for path in posts(game_id):
        for kind in TYPES:
            status, _ = check_problem(ada.send("POST", path, b"{}", Content_Type=kind))
            assert status == 415, kind
        status, _ = check_problem(ada.send("POST", path, b"{}", Content_Encoding="gzip"))
        assert status == 415


def test_queries(ada, game_id):
    for path in gets(game_id):
        for query in QUERIES:
            if "at=" in query and not path.endswith((game_id, "table")):
                continue
            status, _ = check_problem(ada.send("GET", f"{path}?{query}"))
            assert status in (400, 403), query
    for path in (f"/v1/games/{game_id}/events", f"/v1/games/{game_id}/history"):
        for query in PAGE_QUERIES:
            check_problem(ada.send("GET", f"{path}?{query}"))
    for query in ("status=x", "mine=1", "mine=", "limit=0", "after=x", "after=%00", "status=", "x=1"):
        check_problem(ada.send("GET", f"/v1/games?{query}"))


def test_no_parameter_may_have_a_nul(ada, game_id):
    """Every parameter of every address that is read; what is wrong beside it changes nothing of that."""
    tried = 0
    for path, methods in ada.get("/openapi.json")["paths"].items():
        told = [*methods.get("parameters", ()), *methods.get("get", {}).get("parameters", ())]
        for name in [one["name"] for one in told if one.get("in") == "query"]:
            for value in ("%00", "x%00", "steady%00"):
                answer = ada.send("GET", f"{path.replace('{id}', game_id)}?{name}={value}")
                assert check_problem(answer)[0] < 500, (path, name)
                tried += 1
    assert tried > 150


def test_ids(ada):
    for one in IDS:
        for path in gets(one):
            status, _ = check_problem(ada.send("GET", path))
            assert status == 404, one
        for path in posts(one)[2:]:
            status, _ = check_problem(ada.send("POST", path, b"{}"))
            assert status == 404, one
        if one != "..":
            check_problem(ada.send("GET", f"/v1/titles/{one}"))


def test_tokens(api, game_id):
    for token in TOKENS:
        for path in ("/v1/me", f"/v1/games/{game_id}", f"/v1/games/{game_id}/events"):
            answer = api.send("GET", path, Authorization=token)
            assert check_problem(answer) == (401, "unauthenticated"), token
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert api.refused("POST", "/v1/games", GameRequest(), Authorization=token)[0] == 401


def test_headers(ada, game_id):
    path = f"/v1/games/{game_id}/commands"
    body = {"type": "choose_empire", "empire": "no such empire"}
    for value in ("", "x y", "\x7f", "\xff", "a" * 201, "\t", "é"):
        assert ada.refused("POST", path, body, Idempotency_Key=value)[0] == 400, value
        assert ada.refused("POST", "/v1/games", GameRequest(), Idempotency_Key=value)[0] == 400, value
    for value in (
        "",
        "1",
        '"',
        ",",
        '""',
        "W/",
        "*, *",
        '"1',
        'W/"1"',
        "\xff",
        '"' + "9" * 400 + '"',
        "a" * 5000,
    ):
        assert ada.refused("POST", path, body, If_Match=value)[0] in (400, 409, 412), value
    for value in ("x", "-1", "1.0", "9" * 30, "\xff", "1 2", ""):
        assert ada.refused("GET", f"/v1/games/{game_id}/stream", Last_Event_ID=value)[0] == 400, value
    for value in ("\xff", '"', ",,", "W/", "a" * 5000, "*", '"x"'):
        assert ada.send("GET", f"/v1/games/{game_id}", If_None_Match=value).status_code in (200, 304)
    for value in ("x", "*/", "application/json;q=x", "\xff", "a" * 5000, "application/x-ndjson;q=2"):
        assert ada.send("GET", f"/v1/games/{game_id}/events", Accept=value).status_code == 200


def test_methods(ada, game_id):
    for path in (*gets(game_id), "/v1/titles", "/v1/keys", "/healthz", "/openapi.json", "/", "/docs"):
        for method in ("DELETE", "PUT", "PATCH", "TRACE", "POST", "BREW"):
            answer = ada.send(method, path)
            if (method, path) in [("POST", "/v1/games"), ("DELETE", f"/v1/games/{game_id}")]:
                continue
            assert check_problem(answer) == (405, "method_not_allowed"), (method, path)
            assert "GET" in answer.headers["Allow"]
    for path in posts(game_id)[2:]:
        assert ada.refused("GET", path) == (405, "method_not_allowed")


def test_addresses(api):
    for path in ADDRESSES:
        assert api.refused("GET", path) == (404, "not_found"), path


@pytest.mark.parametrize(
    "change",
    [
        {"title": "chess"}, {"title": None}, {"title": 5}, {"title": ["colonial_empires"]}, {"title": "\x01"},
        {"options": []}, {"options": None}, {"options": {"nothing": 1}},
        {"options": {"additional_empires": "yes"}},
        {"options": {"additional_empires": 1}}, {"seats": []}, {"seats": None}, {"seats": {}},
        {"seats": "you"},
        {"seats": [1, 2]}, {"seats": [{}, {}]}, {"seats": [{"you": False}, {"you": True}]},
        {"seats": [{"you": 1}, {"you": True}]}, {"seats": [{"bot": "deep"}, {"you": True}]},
        {"seats": [{"bot": None}, {"you": True}]}, {"seats": [{"you": True, "bot": "steady"}, {"you": True}]},
        {"seats": [{"open": False}, {"you": True}]}, {"seats": [{"you": True}]},
        {"seats": [{"you": True}] * 11},
        {"seats": [{"you": True}] * 5000}, {"seed": "x"}, {"seed": 5}, {"seed": "abc"}, {"seed": "AB"},
        {"seed": "ab" * 65}, {"seed": ""}, {"position": []}, {"position": "x"}, {"position": 1},
        {"surplus": 1},
        {"title": "colonial_empires\n"},
    ],
    ids=repr,
)  # fmt: skip
def test_games_that_cannot_be_made(ada, change):
    assert ada.refused("POST", "/v1/games", {**GameRequest(), **change})[0] == 422


@pytest.mark.parametrize(
    "name", ["", " ", "a" * 41, "a\n", "a\tb", "\x7f", " a", "a ", "a\u202eb", "\u2028", 5, [], {}]
)
def test_names_that_cannot_be_had(api, name):
    assert api.refused("POST", "/v1/accounts", {"name": name}) == (422, "invalid_parameters")


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
ALMOST = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            ["choose_empire", "offer_trade", "submit_build", "play_event_card", "discard_excess"]
        )
    },
    optional=dict.fromkeys(
        ("seat", "empire", "cards", "card", "to", "give", "ask", "target_player", "target_card"), ANY_JSON
    ),
)


BY_CHANCE = 100
"""Requests of each kind that chance makes; six hundred in `tests/campaigns`."""


def by_chance(examples):
    """Settings of hypothesis for so many."""
    return settings(max_examples=examples, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.slow
@by_chance(BY_CHANCE)
@given(body=ALMOST | ANY_JSON)
def test_commands_made_by_chance(ada, game_id, body):
    refuses_command(ada, game_id, body)


def refuses_command(ada, game_id, body):
    """Some JSON is no command that can be given now."""
    answer = ada.send("POST", f"/v1/games/{game_id}/commands", json.dumps(body).encode())
    assert check_problem(answer)[0] in (400, 403, 409, 422)


@by_chance(BY_CHANCE)
@given(body=st.binary(max_size=400), path=st.integers(1, 6))
def test_bytes_made_by_chance(ada, game_id, body, path):
    refuses_bytes(ada, game_id, body, path)


def refuses_bytes(ada, game_id, body, path):
    """Some bytes are no body of any call."""
    where = posts(game_id)[path]
    if body.strip() not in (b"", b"{}"):
        check_problem(ada.send("POST", where, body))


def test_mutated_commands(ada, bob, game_id):
    """Legal commands with bytes exchanged, dropped or doubled: refused, unless they are still legal."""
    refuses_mutated(ada, bob, game_id, 2 * BY_CHANCE, seed=11)


def refuses_mutated(ada, bob, game_id, count, seed):
    """So many of them."""
    rng = random.Random(seed)
    mover = next(one for one in (ada, bob) if one.get(f"/v1/games/{game_id}/decisions")["legal"])
    other = bob if mover is ada else ada
    legal = mover.get(f"/v1/games/{game_id}/decisions")["legal"]
    for _ in range(count):
        raw = bytearray(json.dumps(rng.choice(legal)["command"]).encode())
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(raw))
            raw[place : place + rng.randint(0, 2)] = bytes(rng.choices(range(256), k=rng.randint(0, 2)))
        # Sent by the one whose turn it is not: even a mutation that is still a command is refused.
        check_problem(other.send("POST", f"/v1/games/{game_id}/commands", bytes(raw)))


def test_a_token_of_nobody(api):
    from service.stores.tokens import make_token

    assert api.refused("GET", "/v1/me", Authorization=f"Bearer {make_token()}") == (401, "unauthenticated")


def test_games_of_nobody(ada):
    for path in gets(uuid.uuid4()):
        assert ada.refused("GET", path) == (404, "unknown_game")
