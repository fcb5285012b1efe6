"""`rutter audit --archive`: games whose events were moved out of the database are read from their bundles."""

import gzip
import json
from contextlib import contextmanager
from itertools import groupby

import psycopg
import pytest
from click.testing import CliRunner

from events.proof import canonical
from events.tlog.notes import SigningKey, Verifier
from ops.cli.log import audit
from ops.runtime import servers
from ops.runtime.servers import ServerAddresses
from projections.tree.archive import Archive
from projections.tree.tree_check import check_tree
from tests.batches import append
from tests.events.forging import Table
from tests.tree.conftest import ORIGIN, SEED, number

pytestmark = pytest.mark.integration
KEY = SigningKey(ORIGIN, SEED)


@pytest.fixture
def moved(log, grower, game_id):
    """A game that has ended, in the log and in the tree, among another's batches."""
    table = Table(seats=(None, None), commits=[0, 1], reveals=[0, 1]).begin().play()
    if not log.read(table.game.id):
        for number_of, (_, batch) in enumerate(groupby(table.records, key=lambda one: one.command_id)):
            log.append(table.game.id, list(batch))
            append(log, game_id, 1 + number_of % 3)
        number(log)
        grower.run()
    return table


@pytest.fixture
def folder(tmp_path):
    """Where bundles are kept."""
    path = tmp_path / "archive"
    path.mkdir()
    (path / "notes.ndjson").write_text("this is no bundle\n")
    return path


@contextmanager
def without(owner, game, *, positions=False):
    """The database as it is when the events of the game have gone, with their positions or without."""
    with psycopg.connect(owner) as connection:
        for table in ("event", "log"):
            connection.execute(f"ALTER TABLE es.{table} DISABLE TRIGGER ALL")
        connection.execute("DELETE FROM es.event WHERE game_id = %s", (game.id,))
        if positions:
            connection.execute("DELETE FROM es.log WHERE game_id = %s", (game.id,))
        yield connection
        connection.rollback()


def judged(connection, state, folder=None):
    keys = [Verifier.read(KEY.vkey)]
    return check_tree(connection, keys, state, archive=Archive(folder, keys) if folder else None)


@pytest.mark.parametrize("positions", [False, True])
def test_a_game_that_was_moved_into_its_bundle(moved, folder, owner, state, positions):
    """Each of its leaves follows from the bundle as it did from the events; without the bundle none does."""
    (folder / f"{moved.game.id}.ndjson").write_bytes(b"".join(moved.lines(key=KEY)))
    with without(owner, moved.game, positions=positions) as connection:
        told = judged(connection, state, folder)
        assert (told.findings, told.archived, told.parked) == ([], 1, [])
        found = judged(connection, state).findings
        assert found
        assert positions or any("--archive" in one for one in found)


def test_what_the_database_holds_is_not_looked_for_elsewhere(moved, folder, owner, state):
    """A bundle beside a game whose events are there is not needed."""
    (folder / f"{moved.game.id}.ndjson").write_bytes(b"".join(moved.lines(key=KEY)))
    with psycopg.connect(owner) as connection:
        told = judged(connection, state, folder)
    assert (told.findings, told.archived) == ([], 0)


def other_history(moved):
    """Another whole game under the same id: all but one of its moves are the same."""
    moves = []

    def think(table, move):
        moves.append(1)
        seat, command, run = move
        if len(moves) != 3:
            return move
        return seat, next(c for c in table.title.legal(table.game.state, seat) if c != command), run

    other = Table(seats=(None, None), commits=[0, 1], reveals=[0, 1], think=think).begin().play()
    assert other.game.id == moved.game.id
    return other.lines(key=KEY)


def spoilt(moved, change):
    """The bundle with one hidden part changed; nothing of it is signed, so the receipt is as it was."""
    lines = moved.lines(key=KEY)
    at = next(n for n, line in enumerate(lines) if b'"parts":{' in line)
    told = json.loads(lines[at])
    change(told, min(told["parts"]))
    lines[at] = canonical.encode(told) + b"\n"
    return lines


BUNDLES = {
    "a part altered": (
        lambda moved: spoilt(moved, lambda told, name: told["parts"][name]["body"].update(more=1)),
        "does not fit its digest",
    ),
    "a salt altered": (
        lambda moved: spoilt(moved, lambda told, name: told["parts"][name].update(salt="A" * 43 + "=")),
        "does not fit its digest",
    ),
    "a part missing": (
        lambda moved: spoilt(
            moved, lambda told, name: (told["parts"].pop(name) and told["parts"]) or told.pop("parts")
        ),
        "is missing",
    ),
    "a part more": (
        lambda moved: spoilt(moved, lambda told, name: told["parts"].update(house=told["parts"][name])),
        "hidden parts without a digest",
    ),
    "another history": (other_history, "its entry is not what the batch gives"),
    "another key": (lambda moved: moved.lines(), "no known key signed"),
    "a changed body": (
        lambda moved: [line.replace(b'\\"sys\\"', b'\\"p0\\"', 1) for line in moved.lines(key=KEY)],
        "its hash does not follow",
    ),
    "packed": (lambda moved: [gzip.compress(b"".join(moved.lines(key=KEY)))], "the file is packed"),
    "of a later format": (
        lambda moved: [moved.lines(key=KEY)[0].replace(b"bundle/2", b"bundle/3"), *moved.lines(key=KEY)[1:]],
        "the file has the format rutter-bundle/3",
    ),
    "half a file": (lambda moved: moved.lines(key=KEY)[:9], "ends without its receipt"),
    "another game": (
        lambda _: Table(commits=[0], reveals=[0]).begin().play().lines(key=KEY),
        "it is of the game",
    ),
}


@pytest.mark.parametrize("name", BUNDLES)
def test_bundles_that_are_not_the_games(moved, folder, owner, state, name):
    """What lies in the archive is believed no more than what lies in the database."""
    lines, said = BUNDLES[name]
    (folder / f"{moved.game.id}.ndjson").write_bytes(b"".join(lines(moved)))
    with without(owner, moved.game) as connection:
        found = judged(connection, state, folder).findings
    assert any(said in one for one in found), found


def test_the_command_reads_the_archive(moved, folder, owner, state, database, monkeypatch, tmp_path):
    """The operator names the folder; it is of no use to anyone who reads a log over the network."""
    monkeypatch.setenv("RUTTER_LOG_STATE", str(state.path))
    monkeypatch.setattr(servers, "find_or_start_servers", lambda _: at_hand(database))
    done = CliRunner().invoke(audit.command, ["--archive", str(folder), "--data", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "0 games read from their bundles" in done.output
    assert "--archive" in CliRunner().invoke(audit.command, ["--help"]).output
    wrong = CliRunner().invoke(audit.command, ["http://127.0.0.1:1/log", "--archive", str(folder)])
    assert (wrong.exit_code, "Leave LOG_URL out" in wrong.output) == (2, True)


@contextmanager
def at_hand(database):
    yield ServerAddresses(database, database, "")
