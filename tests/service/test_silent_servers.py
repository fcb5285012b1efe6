"""A server that takes what it is told and never answers, on a connection that stays open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from events.store.connection import TIMEOUT_GRACE
from ops.server.wsgi import create_app
from service.base.database import RETRY_PAUSES
from service.http.request_hooks import PROBE_SECONDS
from tests.losing_proxy import Loss
from tests.service.client import Api
from tests.service.factories import GameRequest
from tests.service.proxy import before_postgres, waits_in_vain

pytestmark = pytest.mark.integration

USUAL, CONNECTION = 2.5, 1.0
LIMITS = f"[wait]\nusual = {USUAL}\nlong = {USUAL}\nconnection = {CONNECTION}\n"
EACH = 40
"""More statements than any request makes."""


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
    """The application behind the proxy, with little patience."""
    limits = tmp_path_factory.mktemp("limits") / "limits.toml"
    limits.write_text(LIMITS)
    app = create_app(replace(settings, database_url=address[1], connections=3, limits=str(limits)))
    yield Api(app)
    app.extensions["rutter"].close()


def test_a_silent_database_costs_one_request_its_time_and_nobody_else_anything(api, proxy):
    """The request is a 503 within its time, or is carried out after all; the next one is served at once."""
    one = api.account()
    made = one.post("/v1/games", GameRequest(hotseat=2), status=201)
    for number in (1, 2, 3):
        proxy.lose(number, Loss.SILENCE)
        with waits_in_vain() as waits:
            answer = one.send("POST", "/v1/games", GameRequest(hotseat=2), Idempotency_Key=f"k{number}")
        assert proxy.forget()
        if answer.status_code != 201:
            assert answer.status_code == 503
            assert answer.headers["Retry-After"]
        # One silence takes all the time that a request has; after it there is no more than a last try.
        assert sum(waits) <= USUAL + TIMEOUT_GRACE + CONNECTION + sum(RETRY_PAUSES), waits
        again = one.send("POST", "/v1/games", GameRequest(hotseat=2), Idempotency_Key=f"k{number}")
        assert again.status_code == 201, again.text
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
