"""A service with RUTTER_TEST_SEED: it says so, and writes to no log that was made without the seed."""

import pytest

from ops.server.wsgi import create_app
from tests.service.client import Api

pytestmark = pytest.mark.integration

GAME = {"title": "example", "seats": [{"bot": "random"}] * 2}


def test_no_real_log_is_written_with_a_seed(api, settings, monkeypatch):
    """Nothing can be made, and `/readyz` says why."""
    ada = api.account("Ada")
    ada.post("/v1/games", GAME, status=201)
    monkeypatch.setenv("RUTTER_ENV", "test")
    monkeypatch.setenv("RUTTER_TEST_SEED", "1")
    seeded = create_app(settings)
    try:
        there = Api(seeded, ada.token, ada.me)
        assert there.refused("POST", "/v1/games", GAME) == (503, "another_test_seed")
        ready = there.send("GET", "/readyz")
        assert ready.status_code == 503
        assert {"another_test_seed", "test_seed"} <= {lack["code"] for lack in ready.get_json()["lacking"]}
    finally:
        seeded.extensions["rutter"].close()
