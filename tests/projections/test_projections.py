"""The read models follow the log exactly, and can be built again from it."""

import threading
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from events.games import Games, SeatPlan
from events.log import EventLog
from events.proof import Seed
from projections import history, lobby
from projections.rebuild import rebuild
from projections.runner import PROJECTIONS, Runner
from tests.playing import advance, play_to_the_end

pytestmark = pytest.mark.integration


def content(connection):
    """All rows of all read models."""
    return {
        name: connection.execute(f"SELECT t::text FROM {name} t ORDER BY 1").fetchall()
        for name in PROJECTIONS
    }


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
            assert lobby.stored(connection, game.id) == [lobby.row(game)]
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
        good = content(connection)
        connection.execute("UPDATE lobby SET status = 'open'")
        connection.execute("DELETE FROM history WHERE seq = 3")
        connection.execute("INSERT INTO history VALUES (gen_random_uuid(), 1, -1, 'nobody said this')")
    assert not any(result.equal for result in rebuild(games.log))
    with pool.connection() as connection:
        assert content(connection) == good
    assert all(result.equal for result in rebuild(games.log))


def test_two_followers_project_once(games, new_game, pool):
    """Several followers share the work without doing anything twice."""
    advance(games, new_game(), 30)
    games.log.sequence()
    one, two = Runner(EventLog(pool)), Runner(EventLog(pool))
    while one.step() + two.step():
        pass
    with pool.connection() as connection:
        before = content(connection)
    assert all(result.equal for result in rebuild(games.log))
    with pool.connection() as connection:
        assert content(connection) == before


def test_many_runners_while_games_go_on(games, new_game, pool):
    """Any number of followers, and two rebuilds among them, keep the read models exact while people play."""
    tables = [new_game(seed=Seed(bytes([n]), bytes(16))) for n in range(6)]
    playing = threading.Event()
    playing.set()

    def follow(_):
        runner = Runner(EventLog(pool))
        while playing.is_set():
            games.log.sequence(3)
            runner.step()

    def play(game):
        return advance(Games(EventLog(pool)), game, 40).seq

    with ThreadPoolExecutor(12) as threads:
        followers = [threads.submit(follow, n) for n in range(4)]
        players = [threads.submit(play, game) for game in tables]
        during = [result.equal for _ in range(2) for result in rebuild(EventLog(pool))]
        seqs = [player.result() for player in players]
        playing.clear()
        for follower in followers:
            follower.result()
    catch_up(games)
    assert all(during)
    with pool.connection() as connection:
        assert connection.execute("SELECT count(*) FROM es.parked").fetchone() == (0,)
        for game, seq in zip(tables, seqs, strict=True):
            assert lobby.stored(connection, game.id) == [lobby.row(games.load(game.id, seq))]
            assert {row[1] for row in history.stored(connection, game.id)} == set(range(1, seq + 1))
    assert all(result.equal for result in rebuild(games.log))


def test_written_twice_is_written_once(games, projected, pool):
    """A runner that died before its checkpoint moved leaves rows that its successor writes again."""
    with pool.connection() as connection:
        before = content(connection)
        connection.execute("UPDATE es.projection SET position = 0")
    catch_up(games)
    with pool.connection() as connection:
        assert content(connection) == before


def test_a_game_that_cannot_be_folded_keeps_its_rows(games, projected, pool, monkeypatch):
    """A rebuild does not take away what it cannot tell anew, and says that it is not equal."""
    with pool.connection() as connection:
        before = content(connection)
    with monkeypatch.context() as patched:
        patched.setattr(history, "rows", _fails)
        assert not any(result.equal for result in rebuild(games.log))
    with pool.connection() as connection:
        assert content(connection) == before
    assert all(result.equal for result in rebuild(games.log))


def _fails(_game, _record):
    raise ValueError("cannot tell this")


def test_poisoned_game_is_parked(games, new_game, pool, monkeypatch):
    """A game that cannot be projected is parked with its error; the others go on."""
    bad, good = new_game(), new_game()
    games.log.sequence()
    usual = history.rows

    def fails(game, record):
        if game.id == bad.id:
            raise ValueError("cannot tell this")
        return usual(game, record)

    monkeypatch.setattr(history, "rows", fails)
    catch_up(games)
    with pool.connection() as connection:
        parked = connection.execute(
            "SELECT projection, error FROM es.parked WHERE game_id = %s", (bad.id,)
        ).fetchall()
        assert {name for name, _ in parked} == set(PROJECTIONS)
        assert "cannot tell this" in parked[0][1]
        assert history.read(connection.cursor(), good.id, None, 0, 1000)
    monkeypatch.setattr(history, "rows", usual)
    rebuild(games.log)
    with pool.connection() as connection:
        assert connection.execute("SELECT count(*) FROM es.parked").fetchone() == (0,)
        assert history.read(connection.cursor(), bad.id, None, 0, 1000)
