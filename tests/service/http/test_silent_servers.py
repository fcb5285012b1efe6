"""A server that takes what it is told and never answers, on a connection that stays open."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from events.store.connection import TIMEOUT_GRACE
from ops.server.wsgi import create_app
from service.base.database import RETRY_PAUSES
from service.base.rate_limits import TimeLimits
from service.http import request_data
from service.http.request_data import PROBE_SECONDS
from tests.losing_proxy import Loss
from tests.service.client import Api
from tests.service.factories import MANY_ACCOUNTS, GameRequest
from tests.service.proxy import before_postgres, waits_in_vain

pytestmark = pytest.mark.integration

LIMITS = f"[wait]\nusual = 100\nlong = 100\nconnection = 100\n{MANY_ACCOUNTS}"
"""So wide that no busy machine meets them."""
SHORT = TimeLimits(usual=2.5, long=2.5, connection=1.0)
"""Those of requests that meet a silence."""


@pytest.fixture(scope="module")
def address(database):
    """The proxy, and where the database is behind it."""
    with before_postgres(database) as address:
        yield address


@pytest.fixture(scope="module")
def proxy(address):
    return address[0]


@pytest.fixture(scope="module")
def api(settings, address, tmp_path_factory):
    """The application behind the proxy."""
    limits = tmp_path_factory.mktemp("limits") / "limits.toml"
    limits.write_text(LIMITS)
    app = create_app(replace(settings, database_url=address[1], connections=3, limits=str(limits)))
    yield Api(app)
    app.extensions["rutter"].close()


@contextlib.contextmanager
def in_a_hurry(api: Api) -> Iterator[None]:
    """Within it requests have the short limits."""
    pool, set_deadline = api.app.extensions["rutter"].pool, request_data._set_deadline
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "_wait", SHORT)
        patch.setattr(pool, "timeout", SHORT.connection)
        patch.setattr(request_data, "_set_deadline", lambda endpoint, _wait: set_deadline(endpoint, SHORT))
        yield


def test_a_silent_database_costs_one_request_its_time_and_nobody_else_anything(api, proxy):
    """The request is a 503 within its time, or is carried out after all; the next one is served at once."""
    one = api.account()
    made = one.post("/v1/games", GameRequest(hotseat=2), status=201)
    for number in (1, 2, 3, 4):  # the first statement sets the limit of the connection
        proxy.lose(number, Loss.SILENCE)
        with in_a_hurry(api), waits_in_vain() as waits:
            answer = one.send("POST", "/v1/games", GameRequest(hotseat=2), Idempotency_Key=f"k{number}")
        assert proxy.forget()
        if answer.status_code != 201:
            assert answer.status_code == 503
            assert answer.headers["Retry-After"]
        # One silence takes all the time that a request has; after it there is no more than a last try.
        most = SHORT.usual + TIMEOUT_GRACE + SHORT.connection + sum(RETRY_PAUSES)
        assert sum(waits) <= most, waits
        with waits_in_vain() as waits:
            again = one.send("POST", "/v1/games", GameRequest(hotseat=2), Idempotency_Key=f"k{number}")
        assert (again.status_code, waits) == (201, []), again.text
    assert one.get(f"/v1/games/{made['id']}")["id"] == made["id"]


def test_a_silent_database_is_told_of_soon(settings, address):
    """Those who ask if the server is ready do not wait for a no as long as for a command."""
    app = create_app(replace(settings, database_url=address[1], connections=3))
    api = Api(app)
    assert api.get("/readyz")["database"] == "ok"
    with address[0].lose_share(1.0, Loss.SILENCE), waits_in_vain() as waits:
        answer = api.send("GET", "/readyz")
    assert (answer.status_code, answer.get_json(force=True)["database"]) == (503, "away")
    assert sum(waits) <= 2 * (PROBE_SECONDS + TIMEOUT_GRACE), waits
    app.extensions["rutter"].close()
