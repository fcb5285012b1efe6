"""The page shows which players have a game open, and how many people watch; a setting turns it off."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import LiveServer
from tests.waiting import PATIENCE
from tests.web.conftest import Visitor
from tests.web.table import Player, enter

pytestmark = [pytest.mark.browser, pytest.mark.integration]

HERE = ".player[data-owner='{}'] [data-part=here]"


@pytest.mark.parametrize(("title", "plate"), [("colonial_empires", ".mat"), ("colonies", ".planet")])
def test_seats_on_the_board_have_the_dot(
    visitor: Visitor, live_server: LiveServer, title: str, plate: str
) -> None:
    """The mat or the planet of a player who has the game open, and of no other; the dot goes with them."""
    anna, boris = (Player(live_server.address, name) for name in ("Anna", "Boris"))
    game = anna.game(title, [{"you": True}, {"open": True}, {"bot": "random"}])
    boris.call("POST", f"/v1/games/{game}/join", {})
    page = enter(visitor(), anna.address, anna, f"g/{game}")
    dots = page.locator(f"[data-role=board] {plate} [data-part=here]")
    theirs = page.locator(f"[data-role=board] {plate}[data-owner='1'] [data-part=here]")
    expect(page.locator(f"[data-role=board] {plate}[data-owner='0'] [data-part=here]")).to_have_count(1)
    expect(dots).to_have_count(1)
    other = enter(visitor(), anna.address, boris, f"g/{game}")
    expect(theirs).to_have_count(1)
    other.close()
    expect(theirs).to_have_count(0)
    expect(dots).to_have_count(1)


def test_players_who_have_the_game_open_get_a_dot(visitor: Visitor, live_server: LiveServer) -> None:
    """A second player and a spectator come; the player who has switched it off is not shown."""
    anna, boris = (Player(live_server.address, name) for name in ("Anna", "Boris"))
    game = anna.game("colonial_empires", [{"you": True}, {"open": True}])
    boris.call("POST", f"/v1/games/{game}/join", {})
    first = enter(visitor(), anna.address, anna, f"g/{game}")
    expect(first.locator(HERE.format(0))).to_have_count(1, timeout=PATIENCE * 1000)
    expect(first.locator(HERE.format(1))).to_have_count(0)
    hidden = visitor()
    hidden.add_init_script("localStorage.setItem('rutter.presence', 'off')")
    second = enter(hidden, anna.address, boris, f"g/{game}")
    third = enter(visitor(), anna.address, None, f"g/{game}")
    expect(first.locator("[data-part=spectators]")).to_contain_text("1", timeout=PATIENCE * 1000)
    expect(third.locator(HERE.format(0))).to_have_count(1, timeout=PATIENCE * 1000)
    expect(first.locator(HERE.format(1))).to_have_count(0)
    expect(second.locator("[data-part=here]")).to_have_count(0)
