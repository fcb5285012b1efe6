"""304 only where nothing has changed: not for what may change while the seq that is shown stands still."""

import pytest

from tests.playing import advance
from tests.service.factories import GameRequest, Open, You

pytestmark = pytest.mark.integration

TEN_MINUTES = {"ms": 600_000}


def test_who_sits_down_is_told_to_delayed_spectators_who_ask_whether_anything_changed(api, ada, bob):
    """They stay at the same event for ten minutes, while the seats and the status of the game go on."""
    body = {**GameRequest(title="example", seats=[You(), Open()]), "delay": TEN_MINUTES}
    path = f"/v1/games/{ada.post('/v1/games', body, status=201)['id']}"
    before = api.send("GET", path)
    assert before.get_json()["seats"][1]["open"]
    bob.post(f"{path}/join", {"seat": 1})
    after = api.send("GET", path, If_None_Match=before.headers["ETag"])
    assert after.status_code == 200
    assert (before.get_json()["seq"], after.get_json()["seq"]) == (0, 0)
    assert after.get_json()["status"] == "running"
    assert after.get_json()["seats"][1]["name"] == "Bob"


def test_what_stands_still_is_not_sent_again(app, ada):
    games = app.extensions["rutter"].games
    game = ada.post("/v1/games", GameRequest(title="example", hotseat=2), status=201)
    path = f"/v1/games/{game['id']}"
    tag = ada.send("GET", path).headers["ETag"]
    assert ada.send("GET", path, If_None_Match=tag).status_code == 304
    advance(games, games.load(game["id"]), 1)
    assert ada.send("GET", path, If_None_Match=tag).status_code == 200
