"""The demonstration's games begin as others do: with a contribution to their randomness."""

import pytest

from ops.clients.api import ApiClient
from ops.runtime import demo_tournament
from ops.runtime.data_folder import DataFolder
from ops.runtime.demo import open_demonstration
from tests.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def test_the_game_to_watch_has_a_contribution_of_its_host(live_server, tmp_path, monkeypatch):
    """Bots contribute nothing, so the host does, after the reveals are closed; the other game waits."""
    short = {"title": "example", "stages": [{"format": "swiss_pods", "rounds": 1}]}
    monkeypatch.setattr(demo_tournament, "SETTINGS", {**demo_tournament.SETTINGS, **short})
    api, folder = ApiClient(live_server.address), DataFolder(tmp_path)
    open_demonstration(api, folder)
    known = folder.read("demo.json")
    watched = api.get(f"/v1/games/{known['watch']}/events")["events"]
    assert [e["type"] for e in watched][5:8] == ["RevealsClosed", "DirectorRevealed", "TableBegun"]
    assert api.get(f"/v1/games/{known['join']}")["status"] == "open"
    assert open_demonstration(api, folder) == open_demonstration(api, folder), "opened once"
    event = f"/v1/tournaments/{known['event']}"
    until(lambda: api.get(event)["over"], "the programs' tournament is over")
    assert api.get(f"{event}/standings")["standings"][0]["rank"] == 1
    assert folder.read("demo.json") == known
