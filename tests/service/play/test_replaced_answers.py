"""Covered answers that are replaced, over the API: who is told what."""

from __future__ import annotations

import pytest

from events.table.engine import MAX_REPLACEMENTS
from tests.service.factories import GameRequest, join_all
from tests.service.play.test_at_table import path

pytestmark = pytest.mark.integration


def test_a_covered_answer_is_replaced(ada, bob):
    """Its seat is listed and not awaited; the other sees that it happened, and nothing of the answer."""
    game = join_all(ada, bob, title="example")
    first, second = (one["command"] for one in ada.get(path(game, "/decisions"))["legal"][:2])
    told = ada.post(path(game, "/commands?decisions=true"), first)
    assert [(one["seat"], one["kind"]) for one in told["replaceable"]] == [(0, "choose_sail")]
    assert told["legal"] == []
    mine = ada.get(path(game, "/decisions?replacements=true"))
    assert [one["seat"] for one in mine["decisions"]] == [1]
    assert mine["legal"] == []
    assert [one["command"] for one in mine["replacements"] if one.get("given")] == [first]
    theirs = bob.get(path(game, "/decisions?replacements=true"))
    assert theirs["replaceable"] == mine["replaceable"]
    assert theirs["replacements"] == []
    assert second in [one["command"] for one in mine["replacements"]]
    ada.post(path(game, "/commands"), second)
    events = bob.get(path(game, "/events"))["events"][-2:]
    assert [one["data"] for one in events] == [{"seat": 0}, {"seat": 0}]
    assert "command" not in events[-1]
    again = ada.get(path(game, "/decisions?replacements=true"))
    assert [one["command"] for one in again["replacements"] if one.get("given")] == [second]
    bob.post(path(game, "/commands"), bob.get(path(game, "/decisions"))["legal"][0]["command"])
    assert ada.get(path(game, "/decisions"))["replaceable"] == []


def test_it_is_replaced_twenty_times(ada, bob):
    """Then the answer stands, and the refusal says so."""
    game = join_all(ada, bob, title="example")
    command = ada.get(path(game, "/decisions"))["legal"][0]["command"]
    for _ in range(1 + MAX_REPLACEMENTS):
        ada.post(path(game, "/commands"), command)
    assert ada.refused("POST", path(game, "/commands"), command) == (409, "already_answered")


def test_several_seats_of_one_player_answer_one_after_the_other(ada):
    """Without a seat a command is for one that is asked; only then for one that has answered."""
    game = ada.post("/v1/games", GameRequest(title="example", hotseat=2), status=201)["id"]
    sail = {"type": "choose_sail"}
    for seat in (0, 1, 0):
        legal = ada.get(path(game, f"/decisions?seat={seat}&replacements=true"))
        lists = [*legal["legal"], *legal["replacements"]]
        sail = {**lists[0]["command"], "seat": seat}
        if seat == 1:
            break
        ada.post(path(game, "/commands"), sail)
    assert ada.get(path(game, "/decisions"))["replaceable"][0]["seat"] == 0
    without = {name: value for name, value in sail.items() if name != "seat"}
    ada.post(path(game, "/commands"), without)
    assert ada.get(path(game, "/decisions"))["replaceable"] == []
