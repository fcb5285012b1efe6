"""Games that a follower reads and writes together, by a few statements: their rows are as for each alone."""

from __future__ import annotations

import json
from dataclasses import replace

import psycopg
import pytest

from events.store.event_log import EventLog
from ops.database.distribution import Distribution
from projections import runner as runner_module
from projections.read_models import history, lobby
from projections.read_models.catalogue import PROJECTIONS, READ_MODELS
from projections.rebuild import rebuild
from projections.runner import Runner
from tests.playing import advance

pytestmark = pytest.mark.integration


@pytest.fixture
def log(pool):
    """The log as a follower sees it, which notes the streams of which it reads alone."""

    class NotingLog(EventLog):
        def __init__(self):
            super().__init__(pool)
            self.alone = []

        def read(self, game_id, after=0, limit=None):
            self.alone.append(game_id)
            return super().read(game_id, after, limit)

    return NotingLog()


def follow(runner: Runner) -> None:
    runner.events.sequence()
    while runner.step():
        pass


@pytest.fixture
def grown(games, new_game, log):
    """A follower and four games that it knows, with news that it has not seen yet."""
    made = [new_game() for _ in range(4)]
    runner = Runner(log)
    follow(runner)
    log.alone.clear()
    return runner, [advance(games, game, 3 + number) for number, game in enumerate(made)]


def check_rows(games, pool, grown):
    with pool.connection() as connection:
        for game in grown:
            newest = games.load(game.id)
            assert lobby.read_rows(connection, game.id) == [lobby.make_row(newest)]
            assert {row[1] for row in history.read_rows(connection, game.id)} == set(range(1, newest.seq + 1))


def parked(pool):
    with pool.connection() as connection:
        return connection.execute("SELECT projection, game_id::text FROM es.parked").fetchall()


@pytest.fixture
def written(monkeypatch):
    """The projections of which rows were written, a word for each statement."""
    found = []

    def note(name, one):
        def write(connection, rows):
            if rows:
                found.append(name)
            return one.write(connection, rows)

        return replace(one, write=write)

    noting = {name: note(name, one) for name, one in PROJECTIONS.items()}
    monkeypatch.setattr(runner_module, "PROJECTIONS", noting)
    return found


def test_news_of_several_games_are_read_and_written_by_one_statement_each(games, pool, grown, written):
    runner, made = grown
    written.clear()
    follow(runner)
    assert runner.events.alone == []
    assert {"history", "lobby", "turn"} <= set(written)
    assert len(written) == len(set(written))
    check_rows(games, pool, made)
    assert all(result.equal for result in rebuild(games.log))


def test_a_game_whose_rows_cannot_be_written_keeps_nobody_else_waiting(games, pool, grown, monkeypatch):
    runner, made = grown
    bad, usual = made[1], history.make_rows

    def make_rows(game, record):
        rows = usual(game, record)
        return [(*row[:3], "\0") for row in rows] if game.id == bad.id else rows

    with monkeypatch.context() as patched:
        patched.setattr(history, "make_rows", make_rows)
        follow(runner)
    assert parked(pool) == [("history", bad.id)]
    check_rows(games, pool, [game for game in made if game is not bad])
    with pool.connection() as connection:
        assert lobby.read_rows(connection, bad.id) == [lobby.make_row(games.load(bad.id))]
    rebuild(games.log)
    assert parked(pool) == []
    check_rows(games, pool, made)


def test_a_game_that_cannot_be_told_keeps_nobody_else_waiting(games, pool, grown, monkeypatch):
    runner, made = grown
    bad, usual = made[2], lobby.make_row
    with monkeypatch.context() as patched:
        patched.setattr(lobby, "make_row", lambda game: 1 / 0 if game.id == bad.id else usual(game))
        follow(runner)
    assert parked(pool) == [("lobby", bad.id)]
    check_rows(games, pool, [game for game in made if game is not bad])
    rebuild(games.log)
    check_rows(games, pool, made)


def test_a_database_that_fails_while_rows_are_written_sets_nothing_aside(games, pool, grown, monkeypatch):
    runner, made = grown

    def fail(*_):
        raise psycopg.OperationalError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(runner, "_write", fail)
        with pytest.raises(psycopg.OperationalError):
            follow(runner)
    assert parked(pool) == []
    follow(runner)
    check_rows(games, pool, made)


def test_on_a_cluster_what_lies_with_a_game_is_read_and_written_by_itself(games, pool, grown, written):
    runner, made = grown
    runner.is_one_machine = False
    written.clear()
    follow(runner)
    assert sorted(runner.events.alone) == sorted(game.id for game in made)
    assert [written.count(name) for name in ("history", "lobby", "turn")] == [len(made), 1, 1]
    check_rows(games, pool, made)
    assert all(result.equal for result in rebuild(games.log))


@pytest.mark.parametrize("name", ["history", "lobby"])
def test_on_a_cluster_a_game_whose_rows_cannot_be_written_keeps_nobody_else_waiting(
    games, pool, grown, monkeypatch, name
):
    runner, made = grown
    runner.is_one_machine = False
    bad = made[1]
    usual = PROJECTIONS[name].write

    def write(connection, rows):
        if any(row[0] == bad.id for row in rows):
            raise psycopg.DataError("these rows are bad")
        usual(connection, rows)

    projections = {**PROJECTIONS, name: replace(PROJECTIONS[name], write=write)}
    with monkeypatch.context() as patched:
        patched.setattr(runner_module, "PROJECTIONS", projections)
        follow(runner)
    assert parked(pool) == [(name, bad.id)]
    check_rows(games, pool, [game for game in made if game is not bad])
    rebuild(games.log)
    check_rows(games, pool, made)


def test_only_what_is_spread_over_machines_lies_with_its_game():
    spread = Distribution.load().distributed
    assert {
        name for name, one in PROJECTIONS.items() if one.lies_with_game
    } == spread.keys() & PROJECTIONS.keys()


def test_who_waits_for_a_notice_hears_of_it_although_others_fail(games, pool, grown, monkeypatch):
    """Rows that were written before another statement failed are told of."""
    runner, _ = grown
    heard = []
    runner._tell = heard.extend
    told = {"lobby": lambda *_: ["somebody"], "turn": lambda *_: 1 / 0}
    projections = {name: _Told(write) for name, write in told.items()}
    monkeypatch.setattr(runner_module, "PROJECTIONS", projections)
    with pytest.raises(ZeroDivisionError):
        runner._write({"lobby": [()], "turn": [()]})
    assert heard == ["somebody"]


class _Told:
    """A projection whose rows nobody waits for."""

    def __init__(self, write):
        self.write = write

    def is_waiting(self, _row):
        return False


def test_several_streams_are_read_as_each_alone(games, new_game):
    log = games.log
    made = [advance(games, new_game(), 20) for _ in range(3)]
    alone = {game.id: log.read(game.id) for game in made}
    for after in range(1, 12):
        wanted = {game.id: (after, game.seq - after) for game in made}
        found = log.read_many(wanted)
        for game_id, (first, last) in wanted.items():
            records = alone[game_id]
            ends = records[first - 1].command_id != records[first].command_id
            expected = records[first:last] if ends else None
            assert found.get(game_id) == expected, (game_id, first, last)
    assert log.read_many({made[0].id: (1, made[0].seq + 1), made[1].id: (made[1].seq, made[1].seq + 5)}) == {}
    assert log.read_many({}) == {}


def test_several_rows_of_the_lobby_are_renewed_as_each_alone(games, new_game, pool):
    """Down to the text of documents; a row that is not newer stays."""
    made = [new_game() for _ in range(3)]
    follow(Runner(games.log))
    place = {name: lobby.COLUMNS.index(name) for name in ("seq", "seats", "outcome", "delay", "waiting_for")}
    said = json.dumps({"b": ["ä\"\\'%s", 1.50, None], "a": {}})
    rows = []
    for number, game in enumerate(made):
        row = list(lobby.make_row(games.load(game.id)))
        row[place["seq"]] += number  # the first is no newer
        row[place["waiting_for"]] = [] if number == 1 else [number, 7]
        for column in ("seats", "outcome", "delay"):
            row[place[column]] = said if number == 2 or column == "seats" else None
        rows.append(tuple(row))
    with pool.connection() as connection:
        before = lobby.read_rows(connection, made[0].id)
        assert lobby.ROWS.renew(connection, rows, ("title", "status")) == {game.id for game in made[1:]}
        assert lobby.read_rows(connection, made[0].id) == before
        for game, row in zip(made[1:], rows[1:], strict=True):
            assert lobby.read_rows(connection, game.id) == [row]
    assert {result.name for result in rebuild(games.log, READ_MODELS) if not result.equal} == {"lobby"}


def test_sentences_of_several_games_are_written_as_they_stand(games, pool, new_game):
    first, second = (new_game().id for _ in range(2))
    texts = ['They said "no" {1,2}', "a\\b\\", "", "NULL", "two\nlines, 5 €", " '%s' "]
    told = [(game, 100 + place, -1, text) for game in (first, second) for place, text in enumerate(texts)]
    with pool.connection() as connection:
        history.write(connection, told)
        for game in (first, second):
            assert [row[3] for row in history.read_rows(connection, game) if row[1] >= 100] == texts
