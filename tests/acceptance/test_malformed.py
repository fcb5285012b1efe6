"""Thousands of malformed requests: each a problem that says what to do, none of them changes anything.

At a game of one title; of all in `tests/campaigns`. Bodies of commands of every title are refused without a
server in `tests/service/openapi/test_requests.py` and `tests/titles/test_battery.py`.
"""

from __future__ import annotations

import json
import random
import socket
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from tests.acceptance.client import Client, without_proofs
from tests.acceptance.players import LIVE, Match, begin
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.integration
WORDS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 99, 100, 1.5, 1e300, 2**53 - 1, -(2**53) + 1, 2**31, "", "0", "p0",
    "seat", "portuguese", "\u202e", "é" * 50, "x" * 300, "'; DROP TABLE es.event; --", "../../etc/passwd",
    "${7*7}", "😀", [], [[]], {}, {"": ""}, [None], [1, 2, 3], {"a": {"b": {"c": []}}}, {"type": "pass"},
)  # fmt: skip
RAW = (
    b"", b" ", b"{", b"}", b"[]", b"null", b"1", b'"x"', b"{}{}", b'{"type"}', b'{"type": NaN}', b"\x00",
    b"\xff\xfe", b'{"type": "\xff"}', b'{"a": 1, "a": 2}', b'{"type": "\\u0000"}', b'{"type": "\\ud800"}',
    b"[" * 5000, b'{"a":' * 2000, b'{"seat": 1' + b"0" * 5000 + b"}", b'{"seat": -0.0}', b'{"seat": 1e400}',
    b"\xef\xbb\xbf{}", b'{"type": "pass",}', b"{'type': 'pass'}", b'{"name": "' + b"x" * 300_000 + b'"}',
)  # fmt: skip
IDS = (
    "0", "x", "nil", "00000000-0000-0000-0000-000000000000", "%00", "%ff", "..", "a/b", "*", "é", "' or 1=1",
    "ffffffff-ffff-ffff-ffff-ffffffffffff", "{id}", "0" * 3000,
)  # fmt: skip
NUMBERS = (
    "", "-1", "x", "1e9", "0x1", "99999999999999999999", "1.5", "%00", "NaN", "null", "1,2", " 1", "+1", "٣",
)  # fmt: skip
READINGS = ("", "/table", "/decisions", "/events", "/history", "/stream", "/audit", "/wars/odds")


@pytest.fixture(scope="module", params=LIVE[:1])
def table(request, live_server):
    """A running game, and an account that does not sit there."""
    return begun(live_server.address, request.param)


def begun(address: str, title_id: str) -> tuple[Match, Client]:
    """A game of that title, some commands old, and a stranger."""
    nobody = Client(address)
    title = next(t for t in nobody.get("/v1/titles")["titles"] if t["id"] == title_id)
    match = begin(nobody, title, bots=0)
    match.play(6)
    return match, nobody.account("Stranger")


def everything(match) -> list[str]:
    """All that can be read of the game, once the server has done what it had to do."""
    waiting = f"{match.path}/decisions"
    until(lambda: None not in {d["seat"] for d in match.nobody.get(waiting)["decisions"]}, "the server acts")
    return [
        without_proofs(one.send("GET", match.path + what).body).decode()
        for one in match.viewers
        for what in ("", "/table", "/decisions", "/events?limit=1000", "/audit")
    ]


def is_refused(client: Client, method: str, path: str, body: Any = ..., **headers: str) -> None:
    """The answer must be a problem of the client's making."""
    answer = client.send(method, path, body, **headers)
    what = f"{method} {path[:200]} {str(body)[:300]} {headers}: {answer.status} {answer.text[:500]}"
    assert 400 <= answer.status < 500, what
    if method != "HEAD":
        assert answer.code, what


def mutations(command: dict[str, Any], rng: random.Random, count: int) -> list[Any]:
    """Commands that look like *command* and are none."""
    found: list[Any] = []
    for _ in range(count):
        other = json.loads(json.dumps(command))
        match rng.randrange(4):
            case 0:
                other[rng.choice(sorted(other))] = rng.choice(WORDS)
            case 1:
                other.pop(rng.choice(sorted(other)))
            case 2:
                other[rng.choice(["x", "Type", "data", "by", "house", "__class__", ""])] = rng.choice(WORDS)
            case _:
                other = {"type": other["type"], str(rng.choice(WORDS)): rng.choice(WORDS)}
        found.append(other)
    return found


@pytest.mark.slow
def test_commands(table):
    """Whatever is sent to a game: it is refused, or (where it happened to be legal) it is one command."""
    match, stranger = table
    rng = random.Random(1)
    path = f"{match.path}/commands"
    schemas = stranger.get(f"/v1/titles/{stranger.get(match.path)['title']}")["commands"]
    before = everything(match)
    for player in match.players:
        for raw in RAW:
            is_refused(player.api, "POST", path, raw)
        for word in WORDS:
            is_refused(player.api, "POST", path, {"type": word})
            is_refused(player.api, "POST", path, word)
        legal = player.do("get_decisions", id=match.game_id)["legal"]
        is_refused(stranger, "POST", path, legal[0]["command"] if legal else {"type": next(iter(schemas))})
        is_refused(match.nobody, "POST", path, {"type": next(iter(schemas))})
    for header in ("x", '"x"', 'W/"1"', '"1', "-1", '"99999999999999999999"', "é", '"1" "2"'):
        is_refused(match.players[0].api, "POST", path, {"type": "x"}, If_Match=header)
    assert everything(match) == before
    for player in match.players:
        for kind in schemas:
            body = {"type": kind, **{name: rng.choice(WORDS) for name in schemas[kind].get("properties", {})}}
            for other in mutations({**body, "type": kind}, rng, 12):
                answer = player.api.send("POST", path, other)
                assert answer.status in (200, 400, 403, 409, 422), (other, answer.status, answer.text[:500])
                assert answer.status == 200 or answer.code
        for move in player.do("get_decisions", id=match.game_id)["legal"][:4]:
            for other in mutations({"seat": move["seat"], **move["command"]}, rng, 12):
                answer = player.api.send("POST", path, other)
                assert answer.status in (200, 400, 403, 409, 422), (other, answer.status, answer.text[:500])
                assert answer.status == 200 or answer.code
    match.play(3)


def test_addresses_queries_and_methods(table):
    match, _ = table
    player = match.players[0].api
    before = everything(match)
    for what in READINGS:
        for bad in IDS:
            is_refused(player, "GET", f"/v1/games/{quote(bad, safe='%')}{what}")
        for name in ("seat", "at", "after", "limit", "target", "simulations", "x"):
            for number in NUMBERS:
                is_refused(player, "GET", f"{match.path}{what}?{name}={quote(number, safe='%')}")
        if match.nobody.get(match.path)["status"] != "finished":  # then it has no secrets left
            is_refused(player, "GET", f"{match.path}{what}?seat=1")
        is_refused(player, "GET", f"{match.path}{what}?seat=50&seat=0")
        for method in ("PUT", "DELETE", "PATCH", "TRACE", "POST"):
            is_refused(player, method, f"{match.path}{what}")
    assert everything(match) == before


def test_tokens(table):
    match, _ = table
    one = Client(match.nobody.address)
    for token in ("", "rut_", "x" * 5000, "rut_" + "0" * 49, "é", "null"):
        for what in READINGS:
            is_refused(one, "GET", match.path + what, Authorization=f"Bearer {token}")
            is_refused(one, "GET", match.path + what, Authorization=token or "Basic eDp4")


@pytest.mark.slow
def test_bodies_of_other_requests(table):
    match, stranger = table
    player = match.players[0].api
    before = everything(match)
    targets = ["/v1/games", *(f"{match.path}/{what}" for what in ("join", "reveal", "start", "forks"))]
    for target in ["/v1/accounts", *targets]:
        for raw in (raw for raw in RAW if raw.strip()):
            is_refused(player, "POST", target, raw)
        for word in (word for word in WORDS if not isinstance(word, dict)):
            is_refused(player, "POST", target, word)
        is_refused(player, "POST", target, b"{}", Content_Type="text/plain")
        is_refused(player, "POST", target, b"{}", Content_Encoding="gzip")
    for target in targets:
        for name in ("x", "title", "seats", "seat", "commitment", "contribution", "seed"):
            for word in (word for word in WORDS if word is not None):
                is_refused(player, "POST", target, {name: word})
    assert everything(match) == before
    assert stranger.get("/v1/me")["games"] == []


def test_new_games(table):
    match, stranger = table
    title = stranger.get(match.path)["title"]
    whole = {"title": title, "options": {}, "seats": [{"you": True}] * len(stranger.get(match.path)["seats"])}
    rng = random.Random(2)
    for name in ("title", "seats", "options", "position", "seed"):
        for word in WORDS:
            if word is None or (name, word) == ("options", {}):
                continue
            is_refused(stranger, "POST", "/v1/games", {**whole, name: word})
    for _ in range(60):
        seats = [
            rng.choice([{"you": True}, {"bot": "steady"}, {"open": True}]) for _ in range(rng.randrange(1, 5))
        ]
        place = rng.choice(seats)
        broken = {rng.choice(["you", "bot", "open", "x"]): rng.choice([False, 0, "", "best", [], {}, None])}
        is_refused(stranger, "POST", "/v1/games", {**whole, "seats": [*seats, broken, place]})
    for key in ("", " ", "x" * 201, "é"):
        is_refused(stranger, "POST", "/v1/games", whole, Idempotency_Key=key)
    assert stranger.get("/v1/me")["games"] == []


def test_no_http_at_all(live_server):
    """Bytes that are no requests do not harm the service."""
    where = urlsplit(live_server.address)
    rng = random.Random(3)
    post = b"POST /v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    garbage = [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        b"GET /" + b"a" * 20_000,
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 70_000 + b"\r\n\r\n",
        b"GET /v1/games?limit=1&limit=2&%zz=%f HTTP/1.1\r\nHost: \xff\r\n\r\n",
        post + b"Content-Length: -5\r\n\r\n",
        post + b"Content-Length: x\r\n\r\n",
        post + b'Content-Length: 50\r\n\r\n{"name": "half',
        post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        post + b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"na',
        post + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
        post + b"Expect: the-unexpected\r\nContent-Length: 2\r\n\r\n{}",
        *(rng.randbytes(200) for _ in range(40)),
    ]
    for text in garbage:
        with socket.create_connection((where.hostname, where.port), timeout=PATIENCE) as connection:
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
            answer = connection.recv(4096)
            assert not answer.startswith(b"HTTP/1.1 5"), (text[:100], answer[:300])
    # On a loaded machine a sign of life comes late: it comes all the same.
    client = Client(live_server.address)
    until(
        lambda: [lack["code"] for lack in client.get("/readyz")["lacking"]] == ["test_seed"],
        "nothing is lacking but what every live service of tests lacks",
    )
