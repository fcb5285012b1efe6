"""Lists are ordered by the server's time, whatever ids clients choose, and whatever their clocks say."""

import pytest

from tests.service.factories import GameRequest, in_days
from tests.service.organising import DUELS

pytestmark = pytest.mark.integration

DAYS = (400, 0, 30, 1)
"""What the clocks of four devices say, in the order in which they make something."""


def walk(who, address, name):
    """The ids of a list, over pages of one."""
    ids = []
    while address:
        page = who.get(address)
        ids += [one["id"] for one in page[name]]
        address = page["next"]
    return ids


@pytest.fixture
def made(ada):
    """Games of devices with wrong clocks, in the order of their making."""
    ids = [ada.post("/v1/games", GameRequest(id=in_days(days)), status=201)["id"] for days in DAYS]
    ids.append(ada.post("/v1/games", GameRequest(), status=201)["id"])
    ada.project()
    return ids


@pytest.mark.parametrize("query", ["", "&status=running", "&title=colonial_empires", "&mine=true"])
def test_the_newest_game_is_first(ada, made, query):
    found = walk(ada, f"/v1/games?limit=1{query}", "games")
    assert [one for one in found if one in made] == made[::-1]
    assert len(set(found)) == len(found)


def test_a_page_begins_after_a_game_and_not_after_its_id(ada, made):
    newest = [one["id"] for one in ada.get("/v1/games?limit=5")["games"]]
    assert newest == made[::-1]
    assert [one["id"] for one in ada.get(f"/v1/games?limit=2&after={made[2]}")["games"]] == [made[1], made[0]]
    assert ada.get(f"/v1/games?after={in_days(7)}") == {"games": [], "next": None}


def test_the_newest_tournament_is_first(api):
    olga = api.account("Olga")
    ids = [olga.post("/v1/tournaments", {**DUELS, "id": in_days(d)}, status=201)["id"] for d in DAYS]
    ids.append(olga.post("/v1/tournaments", DUELS, status=201)["id"])
    olga.project()
    for query in ("", "&mine=true"):
        found = walk(olga, f"/v1/tournaments?limit=1{query}", "tournaments")
        assert [one for one in found if one in ids] == ids[::-1]
    assert olga.get(f"/v1/tournaments?after={in_days(7)}") == {"tournaments": [], "next": None}


def test_forks_are_in_the_order_of_their_making(ada, made):
    forks = [ada.post(f"/v1/games/{made[-1]}/forks", {}, status=201)["id"] for _ in range(3)]
    ada.project()
    found = [one["id"] for one in ada.get(f"/v1/games?forked_from={made[-1]}")["games"]]
    assert found == forks[::-1]
