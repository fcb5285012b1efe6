"""The live stream of a tournament: how often standings are told, and that the last ones are right."""

from __future__ import annotations

import json
from itertools import pairwise
from types import SimpleNamespace

import pytest

from service.api import tournament_history
from service.api.tournament_history import STANDINGS_SECONDS
from tests.service.organising import DUELS
from tests.waiting import until

pytestmark = pytest.mark.integration

RULINGS = 20


class Pace:
    """A clock that goes on whenever the stream waits, by a quarter of a pause; then *act* happens."""

    def __init__(self, act):
        self.at, self._act = 0.0, act

    def monotonic(self):
        return self.at

    def wait(self, _seconds):
        self.at += STANDINGS_SECONDS / 4
        self._act()
        return frozenset({"something"})


def test_standings_come_at_most_each_two_seconds_and_the_last_are_right(api, app, monkeypatch):
    """However many results and rulings there are meanwhile: so thousands can follow the last round."""
    olga = api.account("Olga")
    path = f"/v1/tournaments/{olga.post('/v1/tournaments', DUELS, status=201)['id']}"
    olga.post(f"{path}/commands", {"type": "open_entry"})
    for name in ("Anna", "Boris"):
        api.account(name).post(f"{path}/commands", {"type": "enter"})
    after = olga.post(f"{path}/commands", {"type": "close_entry"})["seq"]
    made = []

    def rule():
        if len(made) < RULINGS:
            effect = {"points": {"entrant": f"e{1 + len(made) % 2}", "add": len(made) + 1}}
            wish = {"type": "rule", "kind": "points", "effects": [effect]}
            made.append(olga.post(f"{path}/commands", wish)["seq"])

    pace, told = Pace(rule), []
    monkeypatch.setattr(tournament_history, "time", SimpleNamespace(monotonic=pace.monotonic))
    hub = app.extensions["hub"]
    until(lambda: app.extensions["rutter"].hints.hearing, "hints are heard")
    answer = olga.send("GET", f"{path}/stream?after={after}")
    (listener,) = hub._open
    listener.wait = pace.wait
    for text in answer.iter_encoded():
        if text.startswith(b"event: standings"):
            assert b"\nid: " not in text
            told.append((pace.at, json.loads(text.decode().partition("data: ")[2])))
            if len(made) == RULINGS and told[-1][1]["seq"] >= made[-1]:
                break
    answer.close()
    moments = [0.0, *(at for at, _ in told)]
    assert all(later - at >= STANDINGS_SECONDS for at, later in pairwise(moments))
    assert len(told) == RULINGS // 4
    assert told[-1][1] == olga.get(f"{path}/standings")
