"""`rutter archive`: what goes, what may not, no matter who tries, what happens where it dies or a bundle is
bad.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from click.testing import CliRunner
from psycopg import sql
from psycopg_pool import ConnectionPool

from events.rules.catalogue import find_title
from events.store import object_storage
from events.store.archived_games import ArchivedGames, ArchiveUnavailable
from events.store.event_log import EventLog
from events.store.games import Games, NoSuchEvent, SeatPlan
from events.store.signing_keys import Keyring
from events.store.stream_writer import utc_now
from events.tlog.notes import SigningKey, Verifier
from ops.base.errors import OpsError
from ops.cli import rutter
from ops.cli.db import archive
from ops.database.backup import back_up, restore
from ops.database.game_archive import find_archivable_games, open_archiver
from ops.database.game_return import put_back
from ops.database.log_check import DamagedLog, check_log
from ops.database.privileges import grant
from ops.runtime.embedded_postgres import SUPERUSER
from ops.runtime.servers import ServerAddresses
from projections.tree.archive import Archive
from projections.tree.tree_check import check_tree
from tests.archiving import follow, long_ago, run_archiver, tomorrow
from tests.conftest import ROOT, _create
from tests.ops.killed_archiver import MOMENTS, STEPS_BACK
from tests.playing import advance, play_to_the_end
from tests.stores import ftp_server, log_in
from tests.tree.conftest import ORIGIN, SEED
from tests.waiting import PATIENCE

pytestmark = pytest.mark.integration
TITLE = "example"


@pytest.fixture(scope="module")
def keyring(pool):
    return Keyring(pool, [SEED], ORIGIN)


@pytest.fixture(scope="module")
def games(pool, keyring):
    return Games(EventLog(pool), origin=lambda: keyring.origin, now=long_ago)


@pytest.fixture
def new_game(games, keyring):
    """A game that runs, or has *ended*; all that follows the log knows of it."""

    def make(*, ended=True, seed=3):
        title = find_title(TITLE)
        game = games.create(title, title.Options(), [SeatPlan()] * 2)
        game = play_to_the_end(games, game, seed) if ended else advance(games, game, 4)
        follow(games.log, keyring)
        return game

    return make


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """The data folder, with the bundles of all that was archived here."""
    path = tmp_path_factory.mktemp("data")
    if os.geteuid() == 0:
        os.chown(path, -1, 12_345)  # the group of API and workers
    return path


@pytest.fixture(scope="module")
def folder(data):
    return data / "archive"


@pytest.fixture
def move(owner, folder):
    """Archives games."""

    def moved(*games):
        told = run_archiver(owner, (SEED,), folder, {game.id for game in games})
        assert (told.games, told.left) == (len(games), [])

    return moved


@pytest.fixture
def hide():
    """Moves files away until the end of the test: other tests check all that is archived."""
    hidden = []

    def hidden_one(file):
        hidden.append((file.rename(file.with_suffix(".away")), file))

    yield hidden_one
    for away, file in hidden:
        away.rename(file)


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """No store is given up because this machine is slow."""
    monkeypatch.setattr(object_storage, "READ_SECONDS", PATIENCE)


@pytest.fixture
def as_owner(owner):
    with psycopg.connect(owner, autocommit=True) as connection:
        yield connection


def rows(connection, game, table="es.event"):
    found = connection.execute(f"SELECT count(*) FROM {table} WHERE game_id = %s", (game.id,)).fetchone()
    return found[0]


def file_of(folder, game):
    (file,) = folder.rglob(f"{game.id}.*.ndjson.xz")
    return file


def record(connection, game, *, digest=b"d" * 32, **other):
    """The row that says where a game's bundle is, as `rutter archive` writes it before anything goes."""
    (position,) = connection.execute(
        "SELECT position FROM es.log WHERE game_id = %s AND seq = %s", (game.id, game.seq)
    ).fetchone()
    row = {"url": "file:///x", "digest": digest, "bytes": 1, "last": game.seq, "head": game.head}
    row = {**row, "game_id": game.id, "position": position, **other}
    connection.execute(
        sql.SQL("INSERT INTO es.archived ({}) VALUES ({})").format(
            sql.SQL(", ").join(map(sql.Identifier, row)), sql.SQL(", ").join(map(sql.Placeholder, row))
        ),
        row,
    )


@contextmanager
def refused(connection, words):
    """What is tried within is refused by us, with these words."""
    with pytest.raises(psycopg.DatabaseError, match=words) as found, connection.transaction():
        yield
    assert found.value.sqlstate == "ES405"


def drop(connection, game, digest=b"d" * 32):
    return connection.execute("SELECT es.drop_archived(%s, %s)", (game.id, digest)).fetchone()[0]


# --- what goes ---------------------------------------------------------------------------------------


def test_games_are_moved_and_read_as_before(games, new_game, move, data, folder, as_owner):
    """Record by record, to a process that has nothing in memory; a running game stays where it is."""
    game, running = new_game(), new_game(ended=False)
    whole = games.records(game.id)
    move(game)
    assert (rows(as_owner, game), rows(as_owner, running)) == (2, running.seq)
    log = EventLog(games.log.pool)
    assert log.read(game.id) == whole
    for after in (0, 1, 2, game.seq - 2, game.seq - 1, game.seq):
        for limit in (None, 1, 2, 5, game.seq):
            assert log.read(game.id, after, limit) == whole[after:][:limit]
    cold = Games(EventLog(games.log.pool))
    assert cold.load(game.id) == game
    assert cold.load(game.id, 5) == games.load(game.id, 5)
    with pytest.raises(NoSuchEvent):
        cold.load(game.id, game.seq + 1)
    assert cold.log.keys(game.id) == games.log.keys(game.id)
    assert rows(as_owner, game, "es.snapshot") == 0, "reading leaves no snapshots behind"
    file = file_of(folder, game)
    assert file.parent.name == game.id[-2:]
    assert file.stat().st_mode & 0o777 == 0o640
    for place in (file, file.parent, folder):
        assert place.stat().st_gid == data.stat().st_gid, "the service may read it"


def test_what_has_not_ended_or_not_long_ago_is_not_waiting(new_game, as_owner):
    """By the time of the last event, and later where spectators see it later."""
    game, running = new_game(), new_game(ended=False)
    found = {one.game for one in find_archivable_games(as_owner, tomorrow())}
    assert (game.id in found, running.id in found) == (True, False)
    (ended,) = as_owner.execute(
        "SELECT (body::json->>'at')::timestamptz FROM es.event WHERE game_id = %s AND seq = %s",
        (game.id, game.seq),
    ).fetchone()
    assert game.id not in {one.game for one in find_archivable_games(as_owner, ended)}
    as_owner.execute("UPDATE lobby SET delay = '{\"ms\": 8640000000}' WHERE game_id = %s", (game.id,))
    assert game.id not in {one.game for one in find_archivable_games(as_owner, tomorrow())}
    as_owner.execute(
        "UPDATE lobby SET delay = null, tournament = gen_random_uuid() WHERE game_id = %s", (game.id,)
    )
    assert game.id not in {one.game for one in find_archivable_games(as_owner, tomorrow())}, (
        "its tournament is not over"
    )
    as_owner.execute("UPDATE lobby SET tournament = null WHERE game_id = %s", (game.id,))


def test_readers_meet_no_gap_while_a_game_is_moved(games, new_game, move):
    """Anyone who reads meanwhile gets all of it, hidden parts included, now from here and then from there."""
    many = [new_game(seed=seed) for seed in range(6)]
    whole = {game.id: games.records(game.id) for game in many}
    over, wrong, reads = threading.Event(), [], []

    def read():
        log = EventLog(games.log.pool)
        while True:
            last = over.is_set()
            for game_id, records in whole.items():
                if log.read(game_id) != records:
                    wrong.append(game_id)
            reads.append(last)
            if last:
                return

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        move(*many)
    finally:
        over.set()
        for reader in readers:
            reader.join()
    assert (wrong, reads.count(True)) == ([], 3)


# --- what may not go ---------------------------------------------------------------------------------


def test_nothing_goes_without_the_digest_of_a_recorded_bundle(new_game, as_owner):
    """No row, or another digest than the row's."""
    game = new_game()
    with refused(as_owner, "no bundle .* is recorded"):
        drop(as_owner, game)
    record(as_owner, game)
    with refused(as_owner, "no bundle .* is recorded"):
        drop(as_owner, game, b"e" * 32)
    assert rows(as_owner, game) == game.seq
    with refused(as_owner, "the log only grows"):
        as_owner.execute("DELETE FROM es.event WHERE game_id = %s", (game.id,))
    with as_owner.transaction(force_rollback=True):
        assert drop(as_owner, game) == game.seq - 2
        assert drop(as_owner, game) == 0, "sent again it changes nothing"


def test_a_running_game_stays(new_game, as_owner):
    """No matter what a row says of it, and who sets it."""
    game = new_game(ended=False)
    record(as_owner, game)
    with refused(as_owner, "has not ended with the event"):
        drop(as_owner, game)
    with refused(as_owner, "has not ended with the event"):
        as_owner.execute("UPDATE es.archived SET dropped = true WHERE game_id = %s", (game.id,))
    other = new_game(ended=False)
    with refused(as_owner, "its events are still there"):
        record(as_owner, other, dropped=True)
    for table in ("event", "secret", "game_secret", "log"):
        for one in (game, other):
            with refused(as_owner, "the log only grows"):
                as_owner.execute(f"DELETE FROM es.{table} WHERE game_id = %s", (one.id,))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"last": 3}, "has not ended with the event"),
        ({"head": bytes(32)}, "has not ended with the event"),
        ({"position": 1}, "does not have that position"),
    ],
)
def test_a_row_that_names_another_end(new_game, as_owner, wrong, words):
    """The last event, its hash and its place are compared."""
    new_game()  # has position 1 in a new database
    game = new_game()
    record(as_owner, game, **wrong)
    with refused(as_owner, words):
        drop(as_owner, game)
    assert rows(as_owner, game) == game.seq


@pytest.mark.parametrize(
    ("behind", "again", "words"),
    [
        (
            "UPDATE es.projection SET position = 0 WHERE name = 'notice'",
            "UPDATE es.projection SET position = (SELECT size FROM es.sequencer)",
            "read models have not come so far",
        ),
        (
            "UPDATE rating_state SET position = 0",
            "UPDATE rating_state SET position = (SELECT size FROM es.sequencer)",
            "read models have not come so far",
        ),
        (
            "UPDATE es.tree SET position = 0",
            "UPDATE es.tree SET position = (SELECT size FROM es.sequencer)",
            "log of all games has not come so far",
        ),
        (
            "INSERT INTO es.parked (projection, game_id, seq, error) VALUES ('turn', '{}', 1, 'x')",
            "DELETE FROM es.parked",
            "has set the game aside",
        ),
    ],
)
def test_what_follows_the_log_comes_first(new_game, as_owner, behind, again, words):
    """Read models, ratings and the tree have seen the game's end before its events go."""
    game = new_game()
    record(as_owner, game)
    as_owner.execute(behind.replace("{}", game.id))
    with refused(as_owner, words):
        drop(as_owner, game)
    as_owner.execute(again)
    with as_owner.transaction(force_rollback=True):
        assert drop(as_owner, game) == game.seq - 2


def test_what_is_archived_stands(new_game, move, as_owner):
    """The first event and the last, and the word about the bundle; the bundle may be put elsewhere."""
    game = new_game()
    move(game)
    for table in ("event", "archived", "game_secret"):
        with refused(as_owner, "the log only grows"):
            as_owner.execute(f"DELETE FROM es.{table} WHERE game_id = %s", (game.id,))
    with refused(as_owner, "the log only grows"):
        as_owner.execute("TRUNCATE es.archived")
    for change in ("dropped = false", "digest = decode(repeat('00', 32), 'hex')", "last = 9", "bytes = 1"):
        with refused(as_owner, "its bundle is all there is"):
            as_owner.execute(f"UPDATE es.archived SET {change} WHERE game_id = %s", (game.id,))
    as_owner.execute("UPDATE es.archived SET url = url || '' WHERE game_id = %s", (game.id,))


@pytest.fixture
def roles(owner, servers):
    """URLs of the module's database as an archiver and as an auditor."""
    if servers.pid("postgres") is None:
        pytest.skip("the tests were given a server, in which they make no roles")
    superuser = servers._get_embedded_postgres()._make_url(SUPERUSER, owner.rpartition("/")[2])
    names = {"archiver": "test_archiver", "auditor": "test_archive_auditor"}
    with psycopg.connect(superuser, autocommit=True) as connection:
        for name in names.values():
            role = sql.Identifier(name)
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD 'for-these-tests-only'").format(role))
        grant(owner, **names)
        yield {
            kind: re.sub("//.*@", f"//{name}:for-these-tests-only@", owner) for kind, name in names.items()
        }
        for name in names.values():
            connection.execute(sql.SQL("DROP OWNED BY {0}; DROP ROLE {0}").format(sql.Identifier(name)))


def test_the_role_that_archives_can_do_that_and_no_more(new_game, roles, folder, as_owner):
    """It moves games; it can delete nothing itself, and cannot say that something was dropped."""
    game, other = new_game(), new_game()
    told = run_archiver(roles["archiver"], (SEED,), folder, {game.id})
    assert (told.games, told.left) == (1, [])
    assert rows(as_owner, game) == 2
    with psycopg.connect(roles["archiver"], autocommit=True) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            record(connection, other, dropped=True)
        record(connection, other)
        for attempt in (
            "DELETE FROM es.event",
            "DELETE FROM es.secret",
            "UPDATE es.archived SET dropped = true",
            "DELETE FROM es.archived",
            "INSERT INTO es.event VALUES (gen_random_uuid(), 1, '', '')",
            "ALTER TABLE es.event DISABLE TRIGGER ALL",
            "SELECT 1 FROM account",
            "SELECT 1 FROM seat_claim",
            "DELETE FROM history",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(attempt)
    assert rows(as_owner, other) == other.seq


def test_nobody_else_may_have_events_go(new_game, roles, database, as_owner):
    """Neither the service nor an auditor, although the bundle is recorded."""
    game = new_game()
    record(as_owner, game)
    for url in (database, roles["auditor"]):
        with (
            psycopg.connect(url, autocommit=True) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            drop(connection, game)
    assert rows(as_owner, game) == game.seq


# --- bundles that do not hold, and deaths ------------------------------------------------------------


def test_a_bundle_that_does_not_hold_leaves_the_game(games, new_game, owner, folder, as_owner, monkeypatch):
    """Of another game, cut off, or signed by a strange key: nothing is recorded, nothing goes."""
    from ops.database import game_archive

    game, other = new_game(), new_game()
    packed, write_lines = game_archive.compress_bundle, game_archive.bundle.write_lines
    strange = SigningKey(ORIGIN, bytes(32))
    for spoilt in (
        lambda lines: packed(list(lines)[:-2]),  # without proof and receipt
        lambda lines: packed([b"".join(lines).replace(b'\\"p0\\"', b'\\"p1\\"', 1)]),
        lambda _: packed(write_lines(other, games.records(other.id), None, games_key())),
        lambda _: packed(write_lines(game, games.records(game.id), None, strange)),
    ):
        monkeypatch.setattr(game_archive, "compress_bundle", spoilt)
        told = run_archiver(owner, (SEED,), folder, {game.id})
        monkeypatch.undo()
        assert (told.games, [left.game for left in told.left]) == (0, [game.id])
        assert "its bundle " in told.left[0].reason
        assert rows(as_owner, game) == game.seq
        assert rows(as_owner, game, "es.archived") == 0


def games_key():
    return SigningKey(ORIGIN, SEED)


@pytest.mark.slow
@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_at_any_moment_it_is_called_again(games, new_game, owner, folder, as_owner, moment):
    """The game is whole meanwhile, and the next call takes up what was begun."""
    game = new_game()
    whole = games.records(game.id)
    others = [one.game for one in find_archivable_games(as_owner, tomorrow()) if one.game != game.id]
    run_archiver(owner, (SEED,), folder, set(others))
    done = subprocess.run(
        [sys.executable, "-m", "tests.ops.killed_archiver", owner, str(folder), moment],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    gone = moment == "dropped"
    assert rows(as_owner, game) == (2 if gone else game.seq)
    assert rows(as_owner, game, "es.archived") == (moment in ("recorded", "dropping", "dropped"))
    assert EventLog(games.log.pool).read(game.id) == whole
    told = run_archiver(owner, (SEED,), folder, {game.id})
    assert (told.games, told.left) == (0 if gone else 1, [])
    assert rows(as_owner, game) == 2
    assert EventLog(games.log.pool).read(game.id) == whole


def test_a_recorded_bundle_that_was_lost_is_written_again(games, new_game, owner, folder, as_owner):
    """As long as the events are there."""
    game = new_game()
    whole = games.records(game.id)
    record(as_owner, game)
    told = run_archiver(owner, (SEED,), folder, {game.id})
    assert (told.games, told.left) == (1, [])
    assert EventLog(games.log.pool).read(game.id) == whole


def test_one_at_a_time(owner, folder):
    """A second one is told so."""
    with open_archiver(owner, (SEED,), folder), pytest.raises(OpsError, match="Another `rutter archive`"):
        run_archiver(owner, (SEED,), folder)


def test_a_login_that_may_not_is_told_what_to_do(new_game, database, folder, as_owner):
    """Such as that of the service."""
    game = new_game()
    with pytest.raises(OpsError, match=r"may not archive games\. Allow a role with `rutter grant --archiver"):
        run_archiver(database, (SEED,), folder, {game.id})
    assert rows(as_owner, game) == game.seq


def test_a_strange_key_archives_nothing(owner, folder, keyring):
    """Bundles are signed by the key of the log."""
    assert keyring.origin == ORIGIN
    with pytest.raises(OpsError, match="belongs to another key"):
        run_archiver(owner, (bytes(32),), folder)


def test_a_bundle_that_is_away_is_said_to_be(new_game, move, folder, pool, hide):
    """With its place, for the operator; one in a store that this host cannot speak to as well."""
    game = new_game()
    move(game)
    file = file_of(folder, game)
    hide(file)
    with pytest.raises(ArchiveUnavailable, match=r"file://.* cannot be read: No such file"):
        EventLog(pool).read(game.id)
    assert len(EventLog(pool).read(game.id, 0, 1)) == 1, "the first event is there"
    for url, said in (("s3://bucket/x", "Install s3fs"), ("file:///", "cannot be read")):
        away = ArchivedGames(lambda *_, url=url: (url, bytes(32)))
        with pytest.raises(ArchiveUnavailable, match=said):
            away.records(game.id)


def test_loading_what_speaks_to_a_store_takes_none_of_its_time(monkeypatch):
    """On a busy machine an import takes long, and says all the same what to install."""
    monkeypatch.setattr(object_storage, "READ_SECONDS", 0.0)
    with pytest.raises(object_storage.StorageUnavailable, match="Install s3fs"):
        object_storage.read("s3://bucket/x")


# --- back again --------------------------------------------------------------------------------------


def all_rows(connection, game):
    """What the database holds of a game, but for the keys by which commands are found."""
    return [
        connection.execute(f"SELECT {columns} FROM {table} WHERE game_id = %s ORDER BY {columns}", (game.id,))
        .fetchall()
        for table, columns in (
            ("es.event", "seq, body, hash"),
            ("es.secret", "seq, audience, salt, body"),
            ("history", "seq, viewer, text"),
        )
    ]  # fmt: skip


def test_a_game_is_put_back_as_it_was(games, new_game, move, owner, folder, as_owner, hide):
    """Row by row, its history included; it is read from the database, without its bundle."""
    game, other = new_game(), new_game()
    whole, before = games.records(game.id), all_rows(as_owner, game)
    assert before[1], "it has hidden parts"
    assert before[2]
    move(game, other)
    assert all_rows(as_owner, game) != before
    done = put_back(owner, game.id)
    assert (done.game, done.events) == (game.id, game.seq)
    assert all_rows(as_owner, game) == before
    with as_owner.transaction():
        check_log(as_owner)
    assert remade(as_owner).findings == []
    hide(file_of(folder, game))
    log = EventLog(games.log.pool)
    assert (log.read(game.id), log.is_archived(game.id)) == (whole, False)
    assert Games(log).load(game.id) == game
    assert log.find_command(game.id, whole[-2].command_id) is not None, "a command sent again is known"
    assert log.is_archived(other.id)
    assert put_back(owner, game.id).events == 0, "called again it changes nothing"


def test_a_game_that_was_put_back_stays_for_a_while(new_game, move, owner, as_owner):
    """As long as one that ended then; after that it goes into the same bundle."""
    game = new_game()
    move(game)
    put_back(owner, game.id)
    (back,) = as_owner.execute("SELECT back FROM es.archived WHERE game_id = %s", (game.id,)).fetchone()
    assert game.id not in {one.game for one in find_archivable_games(as_owner, back)}
    assert game.id in {one.game for one in find_archivable_games(as_owner, tomorrow())}
    move(game)
    assert rows(as_owner, game) == 2


def test_readers_meet_no_gap_while_a_game_is_put_back(games, new_game, move, owner, monkeypatch):
    """One that met the gap, and finds the game in no bundle after that, reads the rows again."""
    game = new_game()
    whole = games.records(game.id)
    move(game)
    log = EventLog(games.log.pool)
    look = log._bundles.records

    def look_later(game_id):
        put_back(owner, game_id)
        return look(game_id)

    monkeypatch.setattr(log._bundles, "records", look_later)
    assert log.read(game.id) == whole


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DELETE FROM es.secret WHERE game_id = %(game)s", "hidden parts are not those"),
        ("UPDATE es.event SET body = body || ' ' WHERE game_id = %(game)s AND seq = 2", "not match its hash"),
        ("UPDATE es.event SET hash = %(none)s WHERE game_id = %(game)s AND seq = 3", "not match its hash"),
        ("DELETE FROM es.event WHERE game_id = %(game)s AND seq = 3", "event 3 is missing"),
        ("UPDATE es.secret SET salt = %(none)s WHERE game_id = %(game)s", "hidden parts are not those"),
    ],
)
def test_the_database_counts_and_hashes_for_itself(new_game, move, owner, as_owner, change, said):
    """Rows that were altered may neither go into a bundle nor be said to be back."""
    game, gone = new_game(), new_game()
    record(as_owner, game)
    move(gone)
    with as_owner.transaction(force_rollback=True):
        as_owner.execute("ALTER TABLE es.event DISABLE TRIGGER ALL")
        as_owner.execute("ALTER TABLE es.secret DISABLE TRIGGER ALL")
        as_owner.execute(change, {"game": game.id, "none": bytes(32)})
        with refused(as_owner, said):
            drop(as_owner, game)
    with refused(as_owner, "its bundle is all there is"):
        as_owner.execute(
            "UPDATE es.archived SET dropped = false, back = now() WHERE game_id = %s", (gone.id,)
        )


def test_a_bundle_that_is_another_one_puts_nothing_back(new_game, move, owner, folder, as_owner):
    """Or none at all; the game stays as it was, and so it does for a login that may not."""
    game = new_game()
    move(game)
    file = file_of(folder, game)
    data = file.read_bytes()
    for damage, said in ((file.unlink, "cannot be read"), (lambda: file.write_bytes(b"x"), "is not the one")):
        damage()
        with pytest.raises(OpsError, match=f"stays archived: its bundle is not valid: .*{said}.*Restore"):
            put_back(owner, game.id)
        file.write_bytes(data)
    assert rows(as_owner, game) == 2
    with pytest.raises(OpsError, match=r"no game .* in this database\. Check the id"):
        put_back(owner, "00000000-0000-0000-0000-000000000000")


def test_only_the_owner_puts_games_back(new_game, move, database, roles, as_owner):
    """Neither the server nor the archiver may write events in the place of others."""
    game = new_game()
    move(game)
    for url in (database, roles["archiver"]):
        with pytest.raises(OpsError, match=r"may not put games back\. Set RUTTER_MIGRATE_URL"):
            put_back(url, game.id)
    assert rows(as_owner, game) == 2


def test_a_cosigned_log_keeps_what_no_witness_has_seen(new_game, as_owner):
    """Once there is a cosignature, the last event lies under one before rows go."""
    new_game()  # the first checkpoint, which does not have the game
    game = new_game()
    record(as_owner, game)
    cosign = "INSERT INTO es.cosignature (size, witness, line) SELECT {}(size), 'w', 'x' FROM es.checkpoint"
    with as_owner.transaction(force_rollback=True):
        as_owner.execute(cosign.format("min"))
        with refused(as_owner, "no witness has cosigned a checkpoint over its last event"):
            drop(as_owner, game)
        as_owner.execute(cosign.format("max"))
        assert drop(as_owner, game) == game.seq - 2


@pytest.mark.slow
@pytest.mark.parametrize("moment", STEPS_BACK)
def test_killed_while_a_game_is_put_back(games, new_game, move, owner, as_owner, moment):
    """It is archived as before, and read; the next call puts it back."""
    game = new_game()
    whole, before = games.records(game.id), all_rows(as_owner, game)
    move(game)
    done = subprocess.run(
        [sys.executable, "-m", "tests.ops.killed_archiver", owner, game.id, moment],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert rows(as_owner, game) == 2
    assert EventLog(games.log.pool).read(game.id) == whole
    assert put_back(owner, game.id).events == game.seq
    assert all_rows(as_owner, game) == before


# --- checks over the whole database ------------------------------------------------------------------


@pytest.fixture
def archived(new_game, move):
    """One game that was moved, beside one that was not."""
    game, _ = new_game(), new_game()
    move(game)
    return game


def remade(connection):
    keys = [Verifier.read(games_key().vkey)]
    return check_tree(connection, keys, None, archive=Archive(None, keys, connection))


def test_the_log_of_all_games_is_made_again_from_bundles(archived, as_owner, folder):
    """Leaf by leaf; an archived game whose bundle is away or another one is found, and it alone."""
    told = remade(as_owner)
    assert (told.findings, told.parked) == ([], [])
    assert told.archived >= 1
    file = file_of(folder, archived)
    data = file.read_bytes()
    for damage, said in ((file.unlink, "cannot be read"), (lambda: file.write_bytes(b"x"), "is not the one")):
        damage()
        findings = remade(as_owner).findings
        assert findings
        assert all(said in finding and archived.id in finding for finding in findings)
        file.write_bytes(data)
    with as_owner.transaction(force_rollback=True):
        as_owner.execute("ALTER TABLE es.event DISABLE TRIGGER ALL")
        as_owner.execute(
            "UPDATE es.event SET body = body || ' ' WHERE game_id = %s AND seq = 1", (archived.id,)
        )
        assert any("another event than the database" in finding for finding in remade(as_owner).findings)


@pytest.fixture
def elsewhere(servers, owner):
    """An empty database, by its owner."""
    name = "rutter_archive_elsewhere"
    _create(servers.owner_url, name, None)
    yield owner.rpartition("/")[0] + f"/{name}"
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def test_a_backup_holds_all_but_the_bundles(games, archived, as_owner, owner, elsewhere, tmp_path):
    """It is checked, restored and checked again; the restored service reads the same bundles."""
    whole = games.records(archived.id)
    done = back_up(owner, tmp_path / "all.backup")
    assert done.checked.archived >= 1
    again = restore(elsewhere, done.path)
    assert again.checked == done.checked
    with ConnectionPool(elsewhere, kwargs={"autocommit": True}, open=True) as pool:
        assert EventLog(pool).read(archived.id) == whole
        with pool.connection() as connection, refused(connection, "the log only grows"):
            connection.execute("DELETE FROM es.event")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("DELETE FROM es.event WHERE game_id = %(gone)s AND seq = 1", "first or its last event is missing"),
        ("DELETE FROM es.event WHERE game_id = %(gone)s AND seq > 1", "first or its last event is missing"),
        ("DELETE FROM es.log WHERE game_id = %(gone)s AND seq = 2", "has gaps"),
        ("DELETE FROM es.event WHERE game_id = %(here)s AND seq = 3", "event 3 is missing"),
        ("UPDATE es.archived SET dropped = false WHERE game_id = %(gone)s", "event 2 is missing"),
        ("UPDATE es.archived SET last = last + 1 WHERE game_id = %(gone)s", "first or its last event"),
    ],
)
def test_what_a_database_lacks_is_noticed(new_game, move, as_owner, damage, said):
    """That some games are archived excuses nothing else."""
    gone, here = new_game(), new_game()
    move(gone)
    with as_owner.transaction(force_rollback=True):
        assert check_log(as_owner).archived >= 1
        for table in ("event", "log", "archived"):
            as_owner.execute(f"ALTER TABLE es.{table} DISABLE TRIGGER ALL")
        as_owner.execute(damage, {"gone": gone.id, "here": here.id})
        with pytest.raises(DamagedLog, match=said):
            check_log(as_owner)


# --- the command -------------------------------------------------------------------------------------


@pytest.fixture
def call(owner, database, monkeypatch, data):
    """`rutter archive` on the module's database, with the key of its log."""

    @contextmanager
    def at_hand(_data):
        yield ServerAddresses(database, owner, "")

    monkeypatch.setattr(archive, "find_or_start_servers", at_hand)
    monkeypatch.setenv("RUTTER_SIGNING_KEY", SEED.hex())
    monkeypatch.delenv("RUTTER_ARCHIVE_URL", raising=False)
    day = f"{datetime.now(UTC) - timedelta(days=31):%Y-%m-%d}"

    def called(*words, before=day):
        which = ["--before", before] if before else []
        return CliRunner().invoke(rutter, ["archive", *which, "--data", str(data), *words])

    return called


def test_the_command(new_game, call, as_owner, folder):
    """First it tells what would go, then that goes, then there is nothing more."""
    call()  # what other tests have left
    game = new_game()
    planned = call("--dry-run", "--json")
    assert planned.exit_code == 0, planned.output
    figures = json.loads(planned.stdout)
    assert (figures["games"], figures["events"], figures["bytes"], figures["dry_run"]) == (
        1,
        game.seq,
        0,
        True,
    )
    assert rows(as_owner, game) == game.seq
    assert not list(folder.rglob(f"{game.id}.*"))
    done = call("--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["games"], told["events"], told["left"]) == (1, game.seq, [])
    assert told["bytes"] == file_of(folder, game).stat().st_size
    again = call()
    assert (again.exit_code, again.stdout.startswith("0 games with 0 events are now in ")) == (0, True)


@pytest.mark.parametrize("kind", ["ftp", "local"])
def test_the_command_moves_games_into_a_store(
    new_game, call, as_owner, games, folder, tmp_path, monkeypatch, kind
):
    """Whatever fsspec speaks to. They are read from there, and the log of all games is made again."""
    call()  # what other tests have left
    game = new_game()
    whole = games.records(game.id)
    log_in(monkeypatch)
    with ftp_server(tmp_path) as server:
        url = {"ftp": server.url, "local": f"local://{tmp_path}/bundles/"}[kind]
        done = call("--to", url, "--json")
        assert done.exit_code == 0, done.output
        (file,) = tmp_path.rglob("*.xz")
        assert json.loads(done.stdout)["bytes"] == file.stat().st_size
        (recorded,) = as_owner.execute(
            "SELECT url FROM es.archived WHERE game_id = %s", (game.id,)
        ).fetchone()
        assert recorded == f"{url.rstrip('/')}/{game.id[-2:]}/{file.name}"
        assert EventLog(games.log.pool).read(game.id) == whole
        assert remade(as_owner).findings == []
        data = file.read_bytes()
        file.write_bytes(data[:-1])
        with pytest.raises(ArchiveUnavailable, match="is not the one that was stored"):
            EventLog(games.log.pool).read(game.id)
        file.unlink()
        with pytest.raises(ArchiveUnavailable, match=r"is not there|refuses"):
            EventLog(games.log.pool).read(game.id)
    # Back in the folder, with the bundles of the other tests: a file counts by its digest, wherever it is.
    (folder / file.name).write_bytes(data)
    as_owner.execute(
        "UPDATE es.archived SET url = %s WHERE game_id = %s", ((folder / file.name).as_uri(), game.id)
    )
    assert EventLog(games.log.pool).read(game.id) == whole
    assert remade(as_owner).findings == []


def test_a_store_that_refuses_leaves_games_where_they_are(new_game, call, as_owner, tmp_path, monkeypatch):
    """Each with the reason, and exit status 1; one that lets nobody in is told of before anything is done."""
    game = new_game()
    (tmp_path / "bundles").write_text("no folder")
    with ftp_server(tmp_path) as server:
        strange = call("--to", server.url)
        assert isinstance(strange.exception, OpsError)
        assert re.search("is in a store that refuses: error_perm", str(strange.exception))
        log_in(monkeypatch)
        done = call("--to", server.url)
    assert done.exit_code == 1
    assert f"LEFT: {game.id}: its bundle cannot be written: {server.url}/" in done.stderr
    assert rows(as_owner, game) == game.seq
    assert call().exit_code == 0, "into the folder it goes"


def test_the_command_logs_in_as_it_is_told(new_game, call, roles, as_owner, monkeypatch):
    """Where there is a role for it."""
    game = new_game()
    monkeypatch.setenv("RUTTER_ARCHIVE_URL", roles["archiver"])
    done = call()
    assert done.exit_code == 0, done.output
    assert rows(as_owner, game) == 2


def test_the_command_says_what_it_left(new_game, call, as_owner):
    """With the reason, and exit status 1; the others go."""
    game, other = new_game(), new_game()
    as_owner.execute(
        "INSERT INTO es.parked (projection, game_id, seq, error) VALUES ('turn', %s, 1, 'x')", (game.id,)
    )
    done = call()
    as_owner.execute("DELETE FROM es.parked")
    assert done.exit_code == 1
    assert f"LEFT: {game.id}: " in done.stderr
    assert "a read model has set the game aside" in done.stderr
    assert (rows(as_owner, game), rows(as_owner, other)) == (game.seq, 2)
    assert call().exit_code == 0


def test_the_command_that_comes_each_night(new_game, call, as_owner):
    """By how long ago games ended, of at least 30 days."""
    call()
    game = new_game()
    kept = json.loads(call("--older-than", "41", "--json", before=None).stdout)
    assert (kept["games"], rows(as_owner, game)) == (0, game.seq)
    told = json.loads(call("--older-than", "30", "--json", before=None).stdout)
    assert (told["games"], rows(as_owner, game)) == (1, 2)
    for wrong in (call(before=None), call("--older-than", "30")):
        assert wrong.exit_code == 2
        assert "either --before or --older-than" in wrong.stderr
    early = call(before=f"{tomorrow():%Y-%m-%d}")
    assert (early.exit_code, "Games stay for 30 days" in early.stderr) == (2, True)
    assert call("--older-than", "29", before=None).exit_code == 2


def test_a_game_stays_for_thirty_days(games, new_game, as_owner, monkeypatch):
    """By the time of its last event, no matter who asks."""
    monkeypatch.setattr(games, "now", utc_now)
    game = new_game()
    record(as_owner, game)
    with refused(as_owner, "it ended less than 30 days ago"):
        drop(as_owner, game)
    assert rows(as_owner, game) == game.seq


def test_the_command_puts_a_game_back(new_game, call, move, as_owner):
    """It says how many events, and that there is nothing to do where they are there."""
    game = new_game()
    move(game)
    done = call("--back", game.id, "--json", before=None)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {"game": game.id, "events": game.seq}
    assert rows(as_owner, game) == game.seq
    assert "Nothing was changed." in call("--back", game.id, before=None).stdout
    wrong = call("--back", game.id)
    assert (wrong.exit_code, "Give --back alone" in wrong.stderr) == (2, True)
    move(game)


def test_wrong_calls(call):
    """A store that cannot be used from here is told of before anything is done."""
    assert call(before="yesterday").exit_code == 2
    for url, said in (
        ("s3://bucket/games", "needs another package: Install s3fs"),
        ("nowhere://bucket/games", "is of no store that fsspec knows"),
        ("ftp://ada:word@127.0.0.1/games", "holds a login.*FSSPEC_FTP_USERNAME"),
        ("simplecache::ftp://127.0.0.1/games", "is no URL of one store"),
    ):
        wrong = call("--to", url)
        assert isinstance(wrong.exception, OpsError)
        assert re.search(said, str(wrong.exception)), url
