"""What it takes to show a game as it was: little, however long it is (`rutter bench` tells the time)."""

import pytest

from events.rules.catalogue import find_title
from events.store import games as game_store
from events.store.event_log import SNAPSHOT_EVERY
from events.store.games import SeatPlan
from ops.server.wsgi import create_app
from tests.playing import advance, three_or_so
from tests.service.client import Api
from tests.waiting import counted

pytestmark = pytest.mark.integration

TITLE = "colonial"
READS = 3  # of what is newest, of the first event, which tells the rules, and of what follows on a snapshot


@pytest.fixture
def elsewhere(settings):
    """A process that has not seen the game yet."""
    app = create_app(settings)
    yield app
    app.extensions["rutter"].close()


def test_a_past_view_takes_few_reads_and_folds(elsewhere, games):
    """Three reads, one look for a snapshot, and no more folds than there are events between two snapshots."""
    title = find_title(TITLE)
    game = advance(games, games.create(title, title.Options(), [SeatPlan()] * three_or_so(TITLE)), 80)
    assert game.seq > SNAPSHOT_EVERY, "the game is too short to have snapshots"
    api, log = Api(elsewhere), elsewhere.extensions["rutter"].games.log
    api.get(f"/v1/games/{game.id}")  # the first who looks leaves the snapshots behind
    for at in range(game.seq - 1, 1, -37):
        with (
            counted(log, "read") as reads,
            counted(log, "newest_snapshot") as looks,
            counted(game_store, "fold_one") as folds,
        ):
            api.get(f"/v1/games/{game.id}?at={at}")
        assert len(reads) <= READS, at
        assert len(looks) <= 1, at
        assert len(folds) <= 1 + at % SNAPSHOT_EVERY, at
