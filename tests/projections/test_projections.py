"""The read models follow the log exactly, and can be built again from it."""

import re
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import psycopg
import pytest
from psycopg.errors import QueryCanceled

from events.clocks.clock import DAY, LiveClock
from events.proof.randomness import Seed
from events.store.event_log import EventLog
from events.store.games import Games, SeatPlan, rules_key
from events.store.tournaments import Tournaments
from events.table.terms import Terms
from events.tournament.commands import Enter, OpenEntry
from projections.base.lanes import lane_of
from projections.health import failed_tasks
from projections.read_models import history, lobby
from projections.read_models.catalogue import PROJECTIONS, READ_MODELS
from projections.rebuild import rebuild
from projections.runner import Runner
from tests.cluster_stand_in import make_on_both, rename, standing_in
from tests.playing import advance, play_to_the_end
from tests.tournament.recording import SIXTEEN

pytestmark = pytest.mark.integration
ROOT = Path(__file__).resolve().parents[2]


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


REMOTE = psycopg.errors.ConnectionFailure("connection to the remote node failed")


def test_a_game_whose_machine_is_away_is_told_of_later_and_keeps_nobody_waiting(
    games, new_game, pool, monkeypatch
):
    """A stand-in for a cluster: what is asked of one game fails as Citus fails."""
    away = new_game()
    good = next(made for made in iter(new_game, None) if lane_of(made.id) == lane_of(away.id))
    games.log.sequence()
    read = EventLog.read

    def fail(self, game_id, *more):
        if game_id == away.id:
            raise REMOTE
        return read(self, game_id, *more)

    runner = Runner(games.log)
    with monkeypatch.context() as broken:
        broken.setattr(EventLog, "read", fail)
        catch_up(games)
        assert runner.project_again() == 0
        with pool.connection() as connection:
            assert lobby.read_rows(connection, good.id) == [lobby.make_row(games.load(good.id))]
            assert lobby.read_rows(connection, away.id) == []
    read_again = []
    monkeypatch.setattr(EventLog, "read", lambda *asked: read_again.append(asked[1]) or read(*asked))
    assert runner.project_again() == len(PROJECTIONS)
    assert read_again == [away.id], "once for all read models"
    with pool.connection() as connection:
        assert lobby.read_rows(connection, away.id) == [lobby.make_row(games.load(away.id))]
        assert connection.execute("SELECT count(*) FROM es.parked").fetchone() == (0,)


def test_numbering_goes_on_while_a_machine_is_away(games, new_game, owner, pool, monkeypatch):
    """Its games get their positions when it is back."""
    games.log.sequence()
    first, second = make_on_both(new_game)
    fetch = EventLog._fetch_one

    def fail(self, statement, values):
        if "es.sequence_events" in statement or "FROM es.fresh" in statement:
            raise REMOTE
        return fetch(self, statement, values)

    monkeypatch.setattr(EventLog, "_fetch_one", fail)
    log = EventLog(pool)
    with standing_in(owner) as connection:
        rename(connection, "two", "dead")
        assert log.has_unnumbered()
        log.sequence()
        assert list_numbered(connection, first.id) == list(range(1, first.seq + 1))
        assert list_numbered(connection, second.id) == []
        assert not log.has_unnumbered()
        rename(connection, "dead", "two")
        assert log.has_unnumbered()
        log.sequence()
        assert not log.has_unnumbered()
        assert log.sequence() == 0
        assert list_numbered(connection, second.id) == list(range(1, second.seq + 1))


def list_numbered(connection, game_id):
    """The events of a game that have positions, in their order."""
    rows = connection.execute("SELECT seq FROM es.log WHERE game_id = %s ORDER BY position", (game_id,))
    return [seq for (seq,) in rows]


@pytest.mark.parametrize("error", [REMOTE, QueryCanceled("took too long")], ids=["refuses", "frozen"])
def test_numbering_leaves_out_a_machine_that_falls_silent(games, new_game, owner, pool, monkeypatch, error):
    """A statement that it keeps waiting is noticed by a look at all machines; then it is not asked again."""
    games.log.sequence()
    first, second = make_on_both(new_game)
    fetch = EventLog._fetch_one

    def fail(self, statement, values):
        if "es.sequence_events" in statement or second.id in str(values):
            raise error
        return fetch(self, statement, values)

    monkeypatch.setattr(EventLog, "_fetch_one", fail)
    log = EventLog(pool)
    with standing_in(owner) as connection:
        if error is not REMOTE:
            with pytest.raises(QueryCanceled):
                log.sequence_streams([first.id, second.id])
        rename(connection, "two", "dead")
        for _ in range(2):
            log.sequence_streams([first.id, second.id])
        assert list_numbered(connection, first.id) == list(range(1, first.seq + 1))
        assert list_numbered(connection, second.id) == []


NUMBERING = ("SELECT es.sequence_events(10)", "SELECT es.sequence_games(ARRAY[%(game)s::uuid])")


@pytest.mark.parametrize(("version", "runs"), [("Citus 14", 1), (None, 0)])
@pytest.mark.parametrize("statement", NUMBERING)
def test_numbering_on_a_cluster_changes_what_makes_citus_prepare(
    games, new_game, pool, statement, version, runs
):
    """Else a coordinator that is killed could lose rows of the outbox, and events would get no positions."""
    games.log.sequence()
    game = new_game()
    with pool.connection() as connection, connection.transaction(force_rollback=True):
        if version is not None:
            connection.execute("SELECT set_config('citus.version', %s, true)", (version,))
        (before,) = connection.execute("SELECT runs FROM es.handover").fetchone()
        assert connection.execute(statement, {"game": game.id}).fetchone() == (game.seq,)
        assert connection.execute("SELECT runs FROM es.handover").fetchone() == (before + runs,)


@pytest.fixture
def projected(games, new_game):
    """A finished game and one that runs, with a clock, and a tournament that people enter; projected."""
    tournaments = Tournaments(games.log)
    made = tournaments.create(SIXTEEN)
    tournaments.command(made.id, "d1", OpenEntry())
    tournaments.enter(made.id, Enter())
    finished = play_to_the_end(games, new_game(SeatPlan(bot="random"), SeatPlan(), SeatPlan(bot="random")))
    running = advance(games, new_game(terms=Terms(clock=LiveClock(base_ms=DAY))), 30)
    catch_up(games)
    return finished, running


def test_rows_follow_the_log(games, projected, pool):
    """Lobby row and history are those that the newest state gives."""
    with pool.connection() as connection:
        cursor = connection.cursor()
        for game in projected:
            assert lobby.read_rows(connection, game.id) == [lobby.make_row(game)]
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
            assert history.make_lines(before, records, seat) == stored


def test_history_keeps_secrets(games, projected):
    """A line that names a hidden card is read by those only who may know it."""
    game = projected[1]
    for record in games.records(game.id):
        if record.type == "StartingHandDealt":
            said = history.make_sentences(games.load(game.id, record.seq), record)
            owner = record.envelope().data
            assert set(said) == {history.EVERYBODY, msgspec.json.decode(owner)["seat"]}


def test_rebuild_gives_the_same(games, projected, pool):
    """Built again from the log, every read model is equal to the letter."""
    for result in rebuild(games.log):
        assert result.equal, result
        assert result.rows_after > 0


@pytest.mark.slow
def test_rebuild_mends(games, projected, pool):
    """A read model that was damaged is told, and mended."""
    with pool.connection() as connection:
        good = content(connection)
        connection.execute("UPDATE lobby SET status = 'open'")
        connection.execute("DELETE FROM history WHERE seq = 3")
        connection.execute("UPDATE reliability SET in_time = NOT in_time")
        connection.execute("INSERT INTO history VALUES (gen_random_uuid(), 1, -1, 'nobody said this')")
        connection.execute("UPDATE turn SET since = now()")
        connection.execute("UPDATE tournament SET status = 'draft', entrants = 0")
    assert not any(result.equal for result in rebuild(games.log, READ_MODELS))
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


@pytest.mark.slow
def test_many_runners_while_games_go_on(games, new_game, pool):
    """Any number of followers, and two rebuilds among them, keep the read models exact while people play."""
    tables = [new_game(seed=Seed(bytes([n]), bytes(16))) for n in range(4)]
    playing = threading.Event()
    playing.set()

    def follow(_):
        runner = Runner(EventLog(pool))
        while playing.is_set():
            games.log.sequence(3)
            runner.step()

    def play(game):
        return advance(Games(EventLog(pool)), game, 12).seq

    with ThreadPoolExecutor(12) as threads:
        followers = [threads.submit(follow, n) for n in range(3)]
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
            assert lobby.read_rows(connection, game.id) == [lobby.make_row(games.load(game.id, seq))]
            assert {row[1] for row in history.read_rows(connection, game.id)} == set(range(1, seq + 1))
    assert all(result.equal for result in rebuild(games.log))


def test_written_twice_is_written_once(games, projected, pool):
    """A runner that died before its checkpoint moved leaves rows that its successor writes again."""
    with pool.connection() as connection:
        before = content(connection)
        connection.execute("UPDATE es.projection SET position = 0")
    catch_up(games)
    with pool.connection() as connection:
        assert content(connection) == before


@pytest.mark.slow
def test_a_game_that_cannot_be_folded_keeps_its_rows(games, projected, pool, monkeypatch):
    """A rebuild does not take away what it cannot tell again, and says that it is not equal."""
    with pool.connection() as connection:
        before = content(connection)
    with monkeypatch.context() as patched:
        patched.setattr(history, "make_rows", _fails)
        told = {result.name: result for result in rebuild(games.log)}
        assert not told["history"].equal
        assert told["history"].failed > 0
        assert told["lobby"].equal, "what can be told is not held up by what cannot"
    with pool.connection() as connection:
        assert content(connection) == before
    assert all(result.equal for result in rebuild(games.log))


def _fails(_game, _record):
    raise ValueError("cannot tell this")


def test_poisoned_game_is_parked(games, new_game, pool, monkeypatch):
    """A game that a projection cannot tell of is parked for it, with the error; all else goes on."""
    bad, good = new_game(), new_game()
    games.log.sequence()
    usual = history.make_rows

    def fails(game, record):
        if game.id == bad.id:
            raise ValueError("cannot tell this")
        return usual(game, record)

    monkeypatch.setattr(history, "make_rows", fails)
    catch_up(games)
    with pool.connection() as connection:
        parked = connection.execute(
            "SELECT projection, error FROM es.parked WHERE game_id = %s", (bad.id,)
        ).fetchall()
        assert {name for name, _ in parked} == {"history"}
        assert lobby.read_rows(connection, bad.id) == [lobby.make_row(games.load(bad.id))]
        assert "cannot tell this" in parked[0][1]
        assert history.read(connection.cursor(), good.id, None, 0, 1000)
    monkeypatch.setattr(history, "make_rows", usual)
    rebuild(games.log)
    with pool.connection() as connection:
        assert connection.execute("SELECT count(*) FROM es.parked").fetchone() == (0,)
        assert history.read(connection.cursor(), bad.id, None, 0, 1000)


@pytest.fixture
def poisoned(games, new_game, pool, monkeypatch):
    """A game of which the history could not be told; it can again."""
    bad = new_game()
    games.log.sequence()
    with monkeypatch.context() as patched:
        patched.setattr(history, "make_rows", _fails)
        catch_up(games)
    with pool.connection() as connection:
        connection.execute("DELETE FROM es.parked WHERE game_id <> %s", (bad.id,))
    return bad


def parked(pool):
    with pool.connection() as connection:
        return connection.execute("SELECT projection, game_id::text FROM es.parked").fetchall()


def test_one_read_model_that_still_fails_keeps_no_other_back(games, poisoned, pool, monkeypatch):
    """All are told of again together; those that can be are, and the one that cannot stays aside."""
    with pool.connection() as connection:
        connection.execute(
            "INSERT INTO es.parked (projection, game_id, seq, error, program)"
            " VALUES ('lobby', %s, 1, 'x', 'the one before')",
            (poisoned.id,),
        )
        connection.execute("UPDATE es.parked SET program = 'the one before'")
        lobby.clear(connection, poisoned.id)
    monkeypatch.setattr(history, "make_rows", _fails)
    assert Runner(games.log).project_again() == 1
    assert parked(pool) == [("history", poisoned.id)]
    with pool.connection() as connection:
        assert lobby.read_rows(connection, poisoned.id) == [lobby.make_row(games.load(poisoned.id))]


def test_another_program_takes_it_up_again(games, poisoned, pool):
    """What was set aside waits for another program, and is then told whole; new events follow as usual."""
    bad = advance(games, poisoned, 5)
    catch_up(games)
    assert Runner(games.log).project_again() == 0
    with pool.connection() as connection:
        connection.execute("UPDATE es.parked SET program = 'the one before'")
    assert Runner(games.log).project_again() == 1
    assert parked(pool) == []
    bad = advance(games, bad, 5)
    catch_up(games)
    with pool.connection() as connection:
        assert {row[1] for row in history.read_rows(connection, bad.id)} == set(range(1, bad.seq + 1))


def test_the_operator_has_it_told_again(games, poisoned, pool):
    """As they have tasks tried again."""
    assert [(f.game, f.kind) for f in failed_tasks.list_set_aside(pool)] == [
        (poisoned.id, "projection history")
    ]
    assert failed_tasks.retry(pool, poisoned.id) == 1
    assert Runner(games.log).project_again() == 1
    assert failed_tasks.list_set_aside(pool) == []


def test_what_still_fails_stays_aside(games, poisoned, pool, monkeypatch):
    """With its newest error, and not tried again by the same program."""
    failed_tasks.retry(pool, None)
    monkeypatch.setattr(history, "make_rows", lambda *_: 1 / 0)
    assert Runner(games.log).project_again() == 0
    (failure,) = failed_tasks.list_set_aside(pool)
    assert failure.error.startswith("ZeroDivisionError")
    monkeypatch.undo()
    assert Runner(games.log).project_again() == 0
    rebuild(games.log)
    assert failed_tasks.list_set_aside(pool) == []


def test_a_damaged_snapshot_sets_no_game_aside(games, new_game, pool):
    """A healthy game is told from the log alone where what was kept of it is of no use."""
    game = advance(games, new_game(), 10)
    catch_up(games)
    with pool.connection() as connection:
        connection.execute(
            "INSERT INTO es.snapshot (game_id, rules, seq, hash, state) VALUES (%s, %s, %s, '', 'damaged')",
            (game.id, rules_key(game), game.seq),
        )
    game = advance(games, game, 5)
    catch_up(games)
    assert parked(pool) == []
    with pool.connection() as connection:
        assert lobby.read_rows(connection, game.id) == [lobby.make_row(game)]


def test_any_error_of_a_game_is_the_game_s_own(games, new_game, pool, monkeypatch):
    """Whatever its type: a runner that died of it would die again and again, and with it all games' lists."""
    new_game()
    monkeypatch.setattr(history, "make_rows", lambda *_: 1 / 0)
    catch_up(games)
    assert {name for name, _ in parked(pool)} == {"history"}
    monkeypatch.undo()
    rebuild(games.log)


@pytest.mark.parametrize("error", [psycopg.OperationalError("gone"), MemoryError(), OSError("disk")])
def test_an_error_of_the_installation_sets_no_game_aside(games, new_game, pool, monkeypatch, error):
    """It is tried again until the installation is well."""

    def away(*_):
        raise error

    game = new_game()
    games.log.sequence()
    with monkeypatch.context() as patched:
        patched.setattr(history, "make_rows", away)
        with pytest.raises(type(error)):
            catch_up(games)
    assert parked(pool) == []
    catch_up(games)
    with pool.connection() as connection:
        assert lobby.read_rows(connection, game.id)


def test_what_was_set_aside_is_described_without_the_state():
    """Of a long message the beginning; a log gets the place alone."""
    with pytest.raises(ValueError, match="seat 1") as caught:
        raise ValueError("seat 1 holds\n" + "cards " * 1000)
    said, where = failed_tasks.describe(caught.value), failed_tasks.locate(caught.value)
    assert said.startswith("ValueError: seat 1 holds (")
    assert "cards" not in said
    assert "seat" not in where
    assert "test_projections.py" in where


def test_rows_of_an_older_release_get_what_they_lack(games, new_game, pool):
    """The migration fills in what the projection would say, and the owner whose claim event 1 names."""
    owner, claim = str(uuid.uuid4()), str(uuid.uuid4())
    bots = [SeatPlan(bot="random")] * 2
    mine = new_game(*bots, command_id=claim)
    new_game(SeatPlan(bot="random"), SeatPlan())
    play_to_the_end(games, new_game(*bots))
    script = (ROOT / "ops" / "database" / "migrations" / "0006_tasks.sql").read_text()
    update = re.search(r"^UPDATE lobby.*?;$", script, re.DOTALL | re.MULTILINE).group()
    look = "SELECT game_id, person, since, owner::text FROM lobby ORDER BY game_id"
    with pool.connection() as connection:
        connection.execute("INSERT INTO seat_claim VALUES (%s, %s, -1, %s)", (mine.id, claim, owner))
        catch_up(games)
        before = connection.execute(look).fetchall()
        connection.execute("UPDATE lobby SET person = false, since = NULL, owner = %s", (lobby.NOBODY,))
        connection.execute(update)
        assert connection.execute(look).fetchall() == before
    assert owner in {row[3] for row in before}
    assert {row[1] for row in before} == {True, False}
