"""How many games there are is counted as they change, and is always what counting the lobby would give."""

from __future__ import annotations

import re
from collections import Counter

import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from events.store.signing_keys import load_seeds
from ops.database.migrate import MIGRATIONS
from projections.base.lanes import LANES, lane_of
from projections.read_models import game_counts, lobby
from projections.read_models.game_counts import CountKey
from projections.rebuild import rebuild
from tests.archiving import follow, long_ago, run_archiver
from tests.playing import advance, play_to_the_end
from tests.scale.plans import noted
from tests.service.factories import Bot, GameRequest, Open, You, join_all
from tests.service.play.test_clocks import LIVE, others_move, sweep
from tests.titles.example.steps import CHOOSE, ChooseSail

pytestmark = pytest.mark.integration

BY_LANE = "SELECT lane, title, status, stuck, games FROM tally WHERE games <> 0 ORDER BY 1, 2, 3, 4"
TRUTH = (
    "SELECT get_byte(uuid_send(game_id), 15) & 63, title, status, stuck, count(*) FROM lobby"
    " GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"
)


@pytest.fixture
def refused_default():
    """The rules refuse what they would do themselves: there is no such card."""
    given = CHOOSE.default
    object.__setattr__(CHOOSE, "default", lambda _state, _seat: ChooseSail(99))
    yield
    object.__setattr__(CHOOSE, "default", given)


@pytest.fixture
def project(process):
    """Lets everything that follows the log come to its end."""
    return lambda: follow(process.games.log, process.keyring)


@pytest.fixture
def counts(pool, project):
    """How many games there are, all lanes together; each lane's counts are those of its games."""

    def counted():
        project()
        with pool.connection() as connection:
            assert connection.execute(BY_LANE).fetchall() == connection.execute(TRUTH).fetchall()
            return Counter(game_counts.read_totals(connection))

    return counted


def figures(api):
    """What `/metrics` says of games, by title and status, and how many are stuck."""
    found = {
        one.name: one.samples for one in text_string_to_metric_families(api.send("GET", "/metrics").text)
    }
    games = {(s.labels["title"], s.labels["status"]): s.value for s in found["rutter_games"]}
    return games, found["rutter_tables_stuck"][0].value


def example(status, *, stuck=False):
    return CountKey("example", status, stuck)


def test_a_game_is_counted_as_what_it_is(ada, bob, games, counts):
    """Made, begun, played, ended; called off; each time one more here and one fewer there."""
    before = counts()
    asked = GameRequest(title="example", seats=[You(), Open()])
    game, other = (ada.post("/v1/games", asked, status=201)["id"] for _ in range(2))
    assert counts() - before == {example("open"): 2}
    bob.post(f"/v1/games/{game}/join", {})
    ada.post(f"/v1/games/{other}/commands", {"type": "table_end", "cause": "other"})
    assert counts() - before == {example("running"): 1, example("abandoned"): 1}
    advance(games, games.load(game), 1)
    assert counts() - before == {example("running"): 1, example("abandoned"): 1}
    play_to_the_end(games, games.load(game))
    after = counts()
    assert after - before == {example("finished"): 1, example("abandoned"): 1}
    told, stuck = figures(ada)
    assert {of: number for of, number in told.items() if number} == {
        (of.title, of.status): number for of, number in after.items() if number and not of.stuck
    }
    assert stuck == 0


def test_a_game_that_is_stuck_is_counted_as_such(ada, clock, games, counts, request):
    """The operator is told of it until it goes on, or is ended."""
    asked = GameRequest(
        title="example",
        seats=[You(), Bot(bot="random")],
        clock=LIVE,
        absence={"least_people": 1, "misses": 3},
    )
    game = ada.post("/v1/games", asked, status=201)["id"]
    others_move(games, game, 0)
    before = counts()
    clock.wait(600)
    request.getfixturevalue("refused_default")
    for _ in range(3):
        sweep(games)
    after = counts()
    assert after - before == {example("running", stuck=True): 1}
    assert before - after == {example("running"): 1}
    assert figures(ada)[1] == 1
    ada.post(f"/v1/games/{game}/commands", {"type": "table_end", "cause": "technical"})
    assert counts()[example("running", stuck=True)] == 0
    assert figures(ada)[1] == 0


def test_an_archived_game_is_still_counted(ada, bob, process, settings, owner, tmp_path, counts, monkeypatch):
    """It has ended, wherever its events are; also when the read models are built again."""
    monkeypatch.setattr(process.games, "now", long_ago)
    game = join_all(ada, bob, title="example")
    play_to_the_end(process.games, process.games.load(game))
    before = counts()
    assert run_archiver(owner, load_seeds(None, settings.data), tmp_path / "archive", {game}).games == 1
    assert process.games.log.is_archived(game)
    assert counts() == before
    assert all(result.equal for result in rebuild(process.games.log, ["lobby"]))
    assert counts() == before


def test_a_rebuild_counts_again(ada, games, counts, pool):
    """Whatever stood there: rows that were changed by hand, counts that were, games that never were."""
    ada.post("/v1/games", GameRequest(title="example", seats=[You(), Open()]), status=201)
    before = counts()
    harms = (
        "UPDATE tally SET games = games + 5",
        "DELETE FROM tally",
        "UPDATE lobby SET status = 'running', stuck = true",
        "INSERT INTO tally VALUES (0, 'chess', 'open', false, 3)",
        "DELETE FROM lobby",
    )
    for harm in harms:
        with pool.connection() as connection:
            connection.execute(harm)
        assert [result.equal for result in rebuild(games.log, ["lobby"])] == [False], harm
        assert counts() == before
    assert [result.equal for result in rebuild(games.log, ["lobby"])] == [True]


def test_playing_touches_no_count(ada, bob, games, project, counts):
    """However many commands there are: as long as the game runs, its row alone is written."""
    game = join_all(ada, bob)
    counts()
    with noted() as statements:
        for _ in range(5):
            advance(games, games.load(game), 3)
            project()
    assert any(text.startswith("UPDATE lobby t SET") for text in statements), "nothing was projected"
    assert [
        text for text in statements if "tally" in text or ("FOR UPDATE" in text and "lobby" in text)
    ] == []


def test_what_is_written_twice_is_counted_once(ada, games, pool, counts):
    """A process that dies after the row and before the checkpoint leaves rows that are written again."""
    game = ada.post("/v1/games", GameRequest(title="example", seats=[You(), Open()]), status=201)["id"]
    before = counts()
    with pool.connection() as connection:
        for seq in (1, None, None):
            lobby.write(connection, [lobby.make_row(games.load(game, seq))])
    assert counts() == before


def test_no_lane_waits_for_another(ada, games, pool, owner, counts):
    """While one lane changes its counts, and does not come to an end, the others change theirs."""
    made = {}
    while len(made) < 2:
        game = ada.post("/v1/games", GameRequest(title="example", seats=[You(), Open()]), status=201)["id"]
        made.setdefault(lane_of(game), game)
    counts()
    one, other = made.values()
    with pool.connection() as here, psycopg.connect(owner, autocommit=True) as there:
        there.execute("SET lock_timeout = '10s'")
        rows = {game: lobby.read_rows(here, game) for game in (one, other)}
        with here.transaction():
            lobby.clear(here, one)
            lobby.write(here, rows[one])
            lobby.clear(there, other)
            lobby.write(there, rows[other])
    counts()


def test_the_migration_counts_what_is_there(ada, pool, counts):
    """A database that has games when the counts come has them counted."""
    ada.post("/v1/games", GameRequest(title="example", seats=[You(), Open()]), status=201)
    before = counts()
    script = (MIGRATIONS / "0024_tally.sql").read_text(encoding="utf-8")
    filling = re.search(r"^INSERT INTO tally.*?;$", script, re.DOTALL | re.MULTILINE).group()
    with pool.connection() as connection:
        connection.execute("DELETE FROM tally")
        connection.execute(filling)
        lanes = {lane for (lane,) in connection.execute("SELECT lane FROM tally")}
    assert lanes <= set(range(LANES))
    assert counts() == before
