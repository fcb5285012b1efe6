"""Every event of a game of every title can be asked for, by everybody, and told by the read models."""

import pytest

from events.rules.catalogue import title_ids
from projections import runner
from projections.health import failed_tasks
from service.presenters import game_presenter
from tests.playing import advance, three_or_so
from tests.service.factories import GameRequest, You

pytestmark = pytest.mark.integration
COMMANDS = 45
"""Given in each game: enough for every phase of a turn of most titles."""


TWO = ("colonial_empires", "colonies")
"""The others are looked at in campaigns, and without the service in `tests/titles/test_battery.py`."""


@pytest.mark.parametrize(
    "title_id",
    [pytest.param(t, marks=pytest.mark.slow if t in TWO else pytest.mark.campaign) for t in title_ids()],
)
def test_no_event_is_out_of_sight(api, ada, title_id):
    """Whatever is asked of a game after event N is answered, for each N, a player and a spectator."""
    games = ada.app.extensions["rutter"].games
    request = GameRequest(title=title_id, seats=[You()] * three_or_so(title_id))
    made = ada.post("/v1/games", request, status=201)
    game = advance(games, games.load(made["id"]), COMMANDS)
    path = f"/v1/games/{game.id}"
    for at in range(1, game.seq + 1):
        for who in (ada, api):
            assert who.get(f"{path}?at={at}")["seq"] == at
            assert who.get(f"{path}/table?at={at}")["seq"] == at
        assert ada.get(f"{path}/events?after={at - 1}&limit=1")["events"][0]["seq"] == at
        assert ada.get(f"{path}/history?after={at - 1}&limit=1")["history"][0]["seq"] == at
        api.send("GET", f"{path}/position?at={at}")
    assert ada.get(f"{path}/decisions")["seq"] == game.seq
    assert api.refused("GET", f"{path}?at={game.seq + 1}") == (404, "no_such_event")


def test_no_healthy_game_is_set_aside(ada, pool, monkeypatch):
    """Wherever a batch of the read models ends, amid a command too."""
    monkeypatch.setattr(runner, "BATCH", 1)
    ada.project()
    assert failed_tasks.list_set_aside(pool) == []


def test_a_list_that_a_title_gives_whole_is_whole(ada):
    """All 924 hands that Colonialism lets one keep. Who holds two seats sees some of each, and is told."""
    made = ada.post("/v1/games", GameRequest(title="colonialism", seats=[You(), You()]), status=201)
    path = f"/v1/games/{made['id']}"
    while (told := ada.get(f"{path}/decisions"))["decisions"][0]["kind"] != "starting_hand":
        ada.post(f"{path}/commands", told["legal"][0]["command"])
    assert [sum(one["seat"] == seat for one in told["legal"]) for seat in (0, 1)] == [500, 500]
    assert not told["complete"]
    game = ada.app.extensions["rutter"].games.load(made["id"])
    alone = game_presenter.present_decisions(game, (0,), name_seats=False)
    assert (len(alone.legal), alone.complete) == (924, True)
