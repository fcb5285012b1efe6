"""The live stream of a tournament: how often standings are told, and that the last ones are right."""

from __future__ import annotations

import time

import pytest

from tests.acceptance.client import Client, Stream
from tests.web.tournament import DUELS

pytestmark = pytest.mark.integration

APART = 2.0


def test_standings_come_at_most_each_two_seconds_and_the_last_are_right(live_server):
    """However many results and rulings there are meanwhile: so thousands can follow the last round."""
    nobody = Client(live_server.address)
    olga = nobody.account("Olga")
    path = f"/v1/tournaments/{olga.post('/v1/tournaments', DUELS, status=201)['id']}"
    olga.post(f"{path}/commands", {"type": "open_entry"})
    for name in ("Anna", "Boris"):
        nobody.account(name).post(f"{path}/commands", {"type": "enter"})
    after = olga.post(f"{path}/commands", {"type": "close_entry"})["seq"]
    began, told = time.monotonic(), []
    with Stream(olga, f"{path}/stream?after={after}") as stream:
        for number in range(1, 21):
            effect = {"points": {"entrant": f"e{1 + number % 2}", "add": number}}
            last = olga.post(f"{path}/commands", {"type": "rule", "kind": "points", "effects": [effect]})
        for event, identity, data in stream:
            if event == "standings":
                assert identity is None
                told.append((time.monotonic() - began, data))
                if data["seq"] >= last["seq"]:
                    break
    assert len(told) <= told[-1][0] / APART
    assert len(told) < 20
    assert told[-1][1] == olga.get(f"{path}/standings")
