"""`refs=true`: what a page needs beside a legal command. No other client pays for it, or loses by it."""

from __future__ import annotations

import pytest

from events.rules.catalogue import title_ids
from tests.playing import advance, three_or_so
from tests.service.factories import GameRequest, You
from tests.web.table import dealt_as

pytestmark = pytest.mark.integration
POINTED = {"refs", "ordered", "bot_next"}


@pytest.mark.parametrize("title_id", title_ids())
def test_only_a_page_is_told_what_is_drawn(ada, games, title_id):
    """The same commands in the same order either way; the redraw of a page has them without a question."""
    seats = [You()] * three_or_so(title_id)
    request = GameRequest(title=title_id, seats=seats, repeat=dealt_as("drawn"))
    made = ada.post("/v1/games", request, status=201)
    path, named = f"/v1/games/{made['id']}", 0
    for _ in range(6):
        game = advance(games, games.load(made["id"]), 5)
        plain = ada.get(f"{path}/decisions?seat=0")["legal"]
        drawn = ada.get(f"{path}/decisions?seat=0&refs=true")["legal"]
        assert not any(POINTED & one.keys() for one in plain)
        assert [{k: v for k, v in one.items() if k not in POINTED} for one in drawn] == plain
        assert all("refs" in one for one in drawn)
        assert ada.get(f"{path}/table?seat=0&after={game.seq}")["decisions"]["legal"] == drawn
        assert ada.get(f"{path}/decisions?seat=0")["legal"] == plain, (
            "what a page was told reaches nobody else"
        )
        named += sum(bool(one["refs"]) for one in drawn)
    assert named > 0


def test_a_bots_turn_is_foretold_to_a_page_alone(ada, games):
    """After which commands a bot may act at once, so that they cannot be taken back for long."""
    request = GameRequest(
        title="colonial", seats=[You(), {"bot": "random"}], undo="own", repeat=dealt_as("undo")
    )
    path = f"/v1/games/{ada.post('/v1/games', request, status=201)['id']}"
    game, foretold = games.load(path.rpartition("/")[2]), []
    while not foretold and game.status == "running":
        told = ada.get(f"{path}/decisions?refs=true")["legal"]
        foretold = [one for one in told if one.get("bot_next")]
        game = game if foretold else advance(games, game, 1)
    assert foretold
    assert not any("bot_next" in one for one in ada.get(f"{path}/decisions")["legal"])
