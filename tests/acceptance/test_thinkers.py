"""Bots that think, at the tables of the whole service: offered, seated, played and proved."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from events.rules.bot_names import BOTS
from events.rules.catalogue import title_ids
from ops.cli.game.verify import command
from tests.acceptance.client import Client
from tests.waiting import until

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def ada(live_server) -> Client:
    return Client(live_server.address).account("Ada")


def test_every_title_offers_the_same_levels(ada):
    """They stand in the list of titles, weakest first; a name that is none is refused with all of them."""
    offered = {title["id"]: title["bots"] for title in ada.get("/v1/titles")["titles"]}
    assert offered == {title_id: list(BOTS) for title_id in title_ids()}
    body = {"title": "colonial", "seats": [{"you": True}, {"bot": "brilliant"}]}
    refused = ada.post("/v1/games", body, status=422)
    assert all(name in refused["errors"]["seats"]["1"]["bot"][0] for name in BOTS)


def test_a_game_of_bots_that_think_is_proved_to_the_last_thought(ada, tmp_path: Path):
    """Their workers play it, and all who have the file let them think again."""
    body = {"title": "example", "seats": [{"bot": "strong"}, {"bot": "brisk"}]}
    game = ada.post("/v1/games", body, status=201)["id"]
    until(lambda: ada.get(f"/v1/games/{game}")["status"] == "finished", "the bots end their game")
    file = tmp_path / "game.ndjson"
    file.write_bytes(ada.send("GET", f"/v1/games/{game}/audit").body)
    words = [str(file), "--bots", "--jobs", "2", "--require", "whole,bots"]
    said = CliRunner().invoke(command, words)
    assert said.exit_code == 3, said.output  # it holds; the key that signed is none that was named
    assert "seat 0 strong 1" in said.output
    assert " 0 fallbacks" in said.output


def test_a_director_seats_one_that_thinks(ada):
    """Like any other bot; it plays on from there."""
    body = {"title": "colonial", "seats": [{"open": True}, {"open": True}]}
    game = ada.post("/v1/games", body, status=201)["id"]
    for seat in (0, 1):
        ada.post(f"/v1/games/{game}/commands", {"type": "table_seat", "seat": seat, "bot": "brisk"})
    begun = ada.get(f"/v1/games/{game}")
    assert [seat["bot"] for seat in begun["seats"]] == ["brisk", "brisk"]
    until(lambda: ada.get(f"/v1/games/{game}")["seq"] >= begun["seq"] + 8, "the bots play on")
    moved = [
        event["bot"]["name"] for event in ada.get(f"/v1/games/{game}/events")["events"] if "bot" in event
    ]
    assert moved
    assert set(moved) == {"brisk"}
