"""The read models follow the log exactly, and can be built again from it."""

import msgspec
import pytest

from events.games import SeatPlan
from events.log import EventLog
from projections import history, lobby
from projections.rebuild import content, rebuild
from projections.runner import PROJECTIONS, Runner
from tests.playing import advance, play_to_the_end

pytestmark = pytest.mark.integration


def catch_up(games):
    games.log.sequence()
    runner = Runner(games.log)
    while runner.step():
        pass


@pytest.fixture
def projected(games, new_game):
    """A finished and a running game, projected."""
    finished = play_to_the_end(games, new_game(SeatPlan(bot="random"), SeatPlan(), SeatPlan(bot="random")))
    running = advance(games, new_game(), 30)
    catch_up(games)
    return finished, running


def test_rows_follow_the_log(games, projected, pool):
    """Lobby row and history are those that the newest state gives."""
    with pool.connection() as connection:
        cursor = connection.cursor()
        for game in projected:
            cursor.execute("SELECT status, seq, waiting_for FROM lobby WHERE game_id = %s", (game.id,))
            entry = lobby.entry(game)
            assert cursor.fetchone() == (entry["status"], game.seq, entry["waiting_for"])
            for seat in (None, 0, 1):
                told = history.read(cursor, game.id, seat, 0, 10_000)
                assert [line.seq for line in told] == list(range(1, game.seq + 1))


def test_history_on_the_spot_equals_the_projection(games, projected, pool):
    """Lines told without the projection are the same."""
    game = projected[0]
    before, records = games.load(game.id, 5), games.records(game.id, 5)
    with pool.connection() as connection:
        for seat in (None, 0, 2):
            stored = history.read(connection.cursor(), game.id, seat, 5, 10_000)
            assert history.tell(before, records, seat) == stored


def test_history_keeps_secrets(games, projected):
    """A line that names a hidden card is read by those only who may know it."""
    game = projected[1]
    for record in games.records(game.id):
        if record.type == "StartingHandDealt":
            said = history.lines(games.load(game.id, record.seq), record)
            owner = record.envelope().data
            assert set(said) == {history.EVERYBODY, msgspec.json.decode(owner)["seat"]}


def test_rebuild_gives_the_same(games, projected, pool):
    """Built again from the log, every read model is equal to the letter."""
    for result in rebuild(games.log):
        assert result.equal, result
        assert result.rows_after > 0


def test_rebuild_mends(games, projected, pool):
    """A read model that was damaged is told, and mended."""
    with pool.connection() as connection:
        good = content(connection, "lobby")
        connection.execute("UPDATE lobby SET status = 'open'")
    (result,) = rebuild(games.log, ["lobby"])
    assert not result.equal
    with pool.connection() as connection:
        assert content(connection, "lobby") == good


def test_two_followers_project_once(games, new_game, pool):
    """Several followers share the work without doing anything twice."""
    advance(games, new_game(), 30)
    games.log.sequence()
    one, two = Runner(EventLog(pool)), Runner(EventLog(pool))
    while one.step() + two.step():
        pass
    with pool.connection() as connection:
        before = {name: content(connection, name) for name in PROJECTIONS}
    assert all(result.equal for result in rebuild(games.log))
    with pool.connection() as connection:
        assert {name: content(connection, name) for name in PROJECTIONS} == before


def test_poisoned_game_is_parked(games, new_game, pool, monkeypatch):
    """A game that cannot be projected is parked with its error; the others go on."""
    bad, good = new_game(), new_game()
    games.log.sequence()
    usual = history.write

    def fails(cursor, game, record):
        if game.id == bad.id:
            raise ValueError("cannot tell this")
        usual(cursor, game, record)

    monkeypatch.setattr(history, "write", fails)
    catch_up(games)
    with pool.connection() as connection:
        parked = connection.execute(
            "SELECT projection, error FROM es.parked WHERE game_id = %s", (bad.id,)
        ).fetchall()
        assert {name for name, _ in parked} == set(PROJECTIONS)
        assert "cannot tell this" in parked[0][1]
        assert history.read(connection.cursor(), good.id, None, 0, 1000)
    monkeypatch.setattr(history, "write", usual)
    rebuild(games.log)
    with pool.connection() as connection:
        assert connection.execute("SELECT count(*) FROM es.parked").fetchone() == (0,)
        assert history.read(connection.cursor(), bad.id, None, 0, 1000)
