"""Answers of Redis never arrive: nothing is lost, nothing happens twice, and nobody waits long for it.

Each writing call is made again and again, each time without the answer to another thing that Redis is asked:
the counts of limits, and hints of what was appended. Once the connection is cut, once it falls silent.
"""

from __future__ import annotations

import contextlib
import uuid
from dataclasses import replace

import pytest
from flask import has_request_context
from redis.connection import AbstractConnection
from redis.exceptions import TimeoutError as RedisTimeOut

from events.base.backoff import Backoff
from events.proof.randomness import commit, seat_commitment
from events.store.games import new_id
from ops.server.wsgi import create_app
from service.application import container
from service.base import rate_limits
from tests.clock import Clock
from tests.losing_proxy import Loss
from tests.service.client import Api
from tests.service.factories import GameRequest, join_all
from tests.service.proxy import before
from tests.waiting import until

pytestmark = pytest.mark.integration

CONTRIBUTION = "07" * 32
TIME_OUTS = 10
"""Of Redis in one request at most: what is lost costs one, and a busy machine may add some."""
FAR = "1000000/minute"
"""Limits that are counted, and never reached."""
FIGURES = "\n".join(
    [f'[{name}]\nrate = "{FAR}"' for name in ("read", "write", "commands", "create", "forks")]
    + [f'[accounts]\nanonymous = "{FAR}"', "[games]\nrunning = 100000\nopen = 100000"]
    + ["[in_flight]\naccount = 100000\nanonymous = 100000"]
    + ["[wait]\nusual = 100\nlong = 100\nconnection = 100"]  # however busy the machine is
)
CLOCK = Clock()


@pytest.fixture(scope="module")
def address(servers):
    """The proxy, and where Redis is behind it."""
    with before(servers.redis_url) as address:
        yield address


@pytest.fixture(scope="module")
def proxy(address):
    return address[0]


@pytest.fixture(scope="module")
def api(settings, address, tmp_path_factory):
    """The application whose Redis is behind the proxy, and has to answer quickly."""
    figures = tmp_path_factory.mktemp("limits") / "limits.toml"
    figures.write_text(FIGURES)
    with pytest.MonkeyPatch.context() as patch:
        for module in (rate_limits, container):
            patch.setattr(module, "ANSWER_SECONDS", 0.15)
        app = create_app(replace(settings, redis_url=address[1], limits=str(figures)))
    app.extensions["rutter"].games.now = CLOCK
    yield Api(app)
    app.extensions["rutter"].close()


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    """Redis is asked again at once after a failure: so each loss meets another question."""
    monkeypatch.setattr(Backoff, "is_pausing", lambda _: False)


def key():
    return {"Idempotency_Key": str(uuid.uuid4())}


def commitment(game_id, seat):
    return seat_commitment(uuid.UUID(game_id).bytes, f"p{seat}", bytes.fromhex(CONTRIBUTION)).hex()


class Calls:
    """Every call that writes: each prepares what it needs, and answers who sends what, and where."""

    def __init__(self, ada, bob):
        self.ada, self.bob = ada, bob

    def account(self):
        return self.ada, "/v1/accounts", {"name": "Eve"}, {}

    def found(self):
        return self.ada, "/v1/games", GameRequest(hotseat=2), key()

    def join(self):
        game = self.ada.post("/v1/games", GameRequest(table=True, hotseat=2), status=201)
        return self.bob, f"/v1/games/{game['id']}/join", {}, key()

    def reveal(self):
        game_id = new_id()
        seats = [{"you": True, "commitment": commitment(game_id, 0)}, {"bot": "random"}]
        self.ada.post("/v1/games", GameRequest(id=game_id, seats=seats), status=201)
        return self.ada, f"/v1/games/{game_id}/reveal", {"contribution": CONTRIBUTION}, key()

    def reveal_director(self):
        game_id = new_id()
        director = commit("director", uuid.UUID(game_id).bytes, bytes.fromhex(CONTRIBUTION)).hex()
        self.ada.post("/v1/games", GameRequest(id=game_id, director_commitment=director), status=201)
        return self.ada, f"/v1/games/{game_id}/reveal", {"director_contribution": CONTRIBUTION}, key()

    def begin(self):
        game_id = new_id()
        seats = [{"you": True, "commitment": commitment(game_id, 0)}, {"bot": "random"}]
        self.ada.post("/v1/games", GameRequest(id=game_id, seats=seats), status=201)
        CLOCK.wait(60)
        return self.ada, f"/v1/games/{game_id}/start", {}, key()

    def command(self):
        game_id = join_all(self.ada, self.bob)
        legal = self.ada.get(f"/v1/games/{game_id}/decisions")["legal"]
        who = self.ada if legal else self.bob
        legal = legal or who.get(f"/v1/games/{game_id}/decisions")["legal"]
        return who, f"/v1/games/{game_id}/commands", legal[0]["command"], key()

    def fork(self):
        return self.ada, f"/v1/games/{join_all(self.ada, self.bob)}/forks", {}, key()


@pytest.mark.slow
@pytest.mark.parametrize("loss", list(Loss), ids=lambda loss: loss.value)
@pytest.mark.parametrize(
    "name", ["account", "found", "join", "reveal", "reveal_director", "begin", "command", "fork"]
)
def test_every_answer_of_redis_is_lost_once(proxy, ada, bob, pool, name, loss):
    """The call is carried out once all the same, in bounded time; a repetition gives the first answer."""
    number = 1
    for _ in range(30):
        who, path, body, headers = getattr(Calls(ada, bob), name)()
        before = events(pool)
        proxy.lose(number, loss)
        with time_outs() as met:
            answer = who.send("POST", path, body, **headers)
        all_told(who)
        lost = proxy.forget()
        assert answer.status_code in (200, 201), (number, answer.status_code, answer.text)
        assert len(met) <= TIME_OUTS, number
        assert "Idempotency-Replayed" not in answer.headers
        first, after = answer.get_json(), events(pool)
        assert (after > before) == (name != "account")
        if headers:
            again = who.send("POST", path, body, **headers)
            assert again.headers["Idempotency-Replayed"] == "true"
            same = again.get_json()
            assert {k: same[k] for k in ("id", "seq", "events") if k in first} == {
                k: first[k] for k in ("id", "seq", "events") if k in first
            }
            assert events(pool) == after, "nothing happened twice"
        if not lost and number > 1:
            return
        number += lost  # a busy machine may have run out of time before it asked for anything
    raise AssertionError("a call asks Redis for nothing, or has no end of questions")


def all_told(api):
    """Wait until Redis was asked to take the hints as well, which nobody waits for who gives a command."""
    hints = api.app.extensions["rutter"].hints
    until(lambda: not hints.untold, "Redis was asked to take them")


@contextlib.contextmanager
def time_outs():
    """Each answer of Redis that a request waited for in vain."""
    met, plain = [], AbstractConnection.read_response

    def read(connection, *words, **named):
        try:
            return plain(connection, *words, **named)
        except RedisTimeOut:
            if has_request_context():
                met.append(connection)
            raise

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AbstractConnection, "read_response", read)
        yield met


def events(pool):
    """How many events there are."""
    with pool.connection() as connection:
        return connection.execute("SELECT count(*) FROM es.event").fetchone()[0]
