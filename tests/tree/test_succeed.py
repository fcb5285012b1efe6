"""`rutter keys succeed`: a new log begins where the key, or a part, of the old one was lost."""

import base64
import contextlib
import json

import psycopg
import pytest
from click.testing import CliRunner
from psycopg_pool import ConnectionPool

from events.rules.steps import Rejected
from events.store.event_log import EventLog
from events.store.games import new_id
from events.store.signing_keys import Keyring, list_logged_keys, load_seeds, read_origin
from events.tlog import leaves
from events.tlog.checkpoints import Checkpoint, open_checkpoint
from events.tlog.notes import SigningKey, Verifier
from ops.base.errors import OpsError
from ops.cli.log.keys import command
from projections.tree import succession
from projections.tree.append_guard import AppendGuard
from projections.tree.grower import Grower
from projections.tree.log_state import LogState, SignedTree
from projections.tree.tree_check import check_tree
from tests.batches import append
from tests.conftest import _create, _url
from tests.servers import reachable_folder
from tests.tree.conftest import number
from tests.tree.test_audit import Served, audit

pytestmark = pytest.mark.integration
OLD, NEW = "rutter.example/old", "rutter.example/new"
OF_CITUS = ("Citus Maintenance Daemon", "citus_internal gpid=10000014136")
"""The names of connections that Citus has of itself, also while nobody uses the database."""


class Installation:
    """A database with a data folder, of which nobody has a connection between two uses."""

    def __init__(self, database, folder):
        self.database, self.folder = database, folder
        self.state = LogState.locate(None, folder)

    @contextlib.contextmanager
    def opened(self, origin=None):
        """``(log, grower, pool)`` of a process that starts now."""
        with ConnectionPool(self.database, kwargs={"autocommit": True}, min_size=1, open=False) as pool:
            keyring = Keyring(pool, load_seeds(None, self.folder), origin)
            log = EventLog(pool, AppendGuard(pool, keyring, self.state).check)
            yield log, Grower(pool, keyring, self.state), pool

    def keys(self, *words):
        return CliRunner().invoke(command, [*map(str, words), "--data", str(self.folder)])

    def said(self, *words):
        """What `rutter keys ...` says where it refuses."""
        return str(self.keys(*words).exception)

    @property
    def vkey(self):
        with psycopg.connect(self.database) as connection:
            return list_logged_keys(connection)[0].vkey

    def entries(self):
        with psycopg.connect(self.database) as connection:
            rows = connection.execute("SELECT entry FROM es.leaf ORDER BY index").fetchall()
        return [bytes(entry) for (entry,) in rows]

    def frozen(self):
        with psycopg.connect(self.database) as connection:
            return dict(connection.execute("SELECT game_id::text, last FROM es.frozen").fetchall())

    def audited(self):
        """What the operator's own audit finds."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            keys = [Verifier.read(known.vkey) for known in list_logged_keys(connection)]
            return check_tree(connection, keys, self.state)


@pytest.fixture
def installation(servers, template, tmp_path, monkeypatch):
    """A new one."""
    name = f"succeed_{new_id().replace('-', '')}"
    _create(servers.owner_url, name, template)
    folder = reachable_folder(tmp_path / "data")
    folder.mkdir(exist_ok=True)
    all_owner, redis = servers.owner_url, servers.redis_url
    mine, owner = _url(servers.database_url, name), _url(all_owner, name)
    monkeypatch.setenv("DATABASE_URL", mine)
    monkeypatch.setenv("RUTTER_MIGRATE_URL", owner)
    monkeypatch.setenv("REDIS_URL", redis)
    for variable in ("RUTTER_SIGNING_KEY", "RUTTER_ORIGIN", "RUTTER_LOG_STATE"):
        monkeypatch.delenv(variable, raising=False)
    yield Installation(mine, folder)
    with psycopg.connect(all_owner, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


ROUNDS = 5
COVERED = 2 * ROUNDS
"""Entries of the old log."""


@pytest.fixture
def grown(installation):
    """A log with a game that ends in it, one that reaches beyond, and one that it does not hold."""
    return grow(installation, ROUNDS)


@pytest.fixture
def large(installation):
    """Another of several tiles."""
    return grow(installation, 150)


def grow(installation, rounds):
    with installation.opened(OLD) as (log, grower, _):
        inside, beyond = new_id(), new_id()
        for _ in range(rounds):
            append(log, inside, 2)
            append(log, beyond)
        number(log)
        grower.run()
        append(log, beyond)
        unlogged = new_id()
        append(log, unlogged)
    installation.inside, installation.beyond, installation.unlogged = inside, beyond, unlogged
    return installation


def lose_the_key(installation):
    (installation.folder / "signing.key").unlink()


def succeeded(grown, origin):
    """The tree after the key was lost, the log of the name *origin* took over, and one more batch."""
    lose_the_key(grown)
    assert grown.keys("succeed", "--origin", origin).exit_code == 0
    with grown.opened() as (log, grower, _):
        append(log, grown.inside)
        number(log)
        return grower.run()


def test_the_new_log_takes_over_all_that_was_signed(large):
    """Entry 0 its key, entry 1 the last checkpoint of the old one, then that one's entries as they were."""
    grown = large
    before, vkey = grown.entries(), grown.vkey
    lose_the_key(grown)
    told = grown.keys("succeed", "--origin", NEW)
    assert told.exit_code == 0, told.exception
    assert "300 of the 300" in told.output
    assert "2 games" in told.output
    entries = grown.entries()
    assert entries[0] == leaves.canonical_bytes({"add": grown.vkey})
    assert entries[2:] == before
    note = base64.b64decode(json.loads(entries[1])["old"]).decode()
    assert open_checkpoint(note, Verifier.read(vkey))[0].size == 300
    assert grown.frozen() == {grown.beyond: 150, grown.unlogged: 0}
    with psycopg.connect(grown.database) as connection:
        assert read_origin(connection) == NEW
        former = connection.execute("SELECT size FROM es.former_checkpoint WHERE origin = %s", (OLD,))
        assert former.fetchall() == [(300,)], "what was signed is kept"
    with grown.opened() as (log, grower, _):
        append(log, grown.inside)
        number(log)
        assert grower.run().size == 303
        for game in (grown.beyond, grown.unlogged):
            with pytest.raises(Rejected, match="game_frozen") as refused:
                append(log, game)
            assert refused.value.code == "game_frozen"
    found = grown.audited()
    assert (found.findings, found.parked, found.frozen, found.waiting) == ([], [], 2, 0)
    assert "succeeds" in grown.keys("succeed", "--origin", NEW).output, "done once, told again"
    assert len(grown.entries()) == 303


def test_a_log_that_can_go_on_is_not_succeeded(grown):
    """With the key there and nothing lost there is nothing to take over; the new log has another name."""
    assert "Start Rutter with this key" in grown.said("succeed", "--origin", NEW)
    lose_the_key(grown)
    assert "another name" in grown.said("succeed", "--origin", OLD)
    stranger = SigningKey(OLD, bytes(32)).sign(Checkpoint(OLD, 7, bytes(32)).text())
    other = grown.folder / "other"
    other.write_text(stranger)
    assert "No key of the log signed" in grown.said("succeed", "--origin", NEW, "--checkpoint", other)
    with contextlib.ExitStack() as open_connections:
        for name in ("rutter-api", *OF_CITUS):
            open_connections.enter_context(psycopg.connect(grown.database, application_name=name))
        assert "Other connections use this database: 1" in grown.said("succeed", "--origin", NEW)
    assert grown.frozen() == {}
    assert len(grown.entries()) == COVERED


def test_nothing_was_ever_signed(installation):
    with installation.opened(OLD) as (_, grower, _pool):
        assert grower is not None
        assert grower._keyring.origin == OLD
    lose_the_key(installation)
    assert "no log to be succeeded" in installation.said("succeed", "--origin", NEW)


def stop_at(monkeypatch, installation, place):
    """Die at one of the steps: within the transaction, or behind it."""

    def die(*_words, **_more):
        raise OpsError("killed")

    place(monkeypatch, die)
    assert "killed" in installation.said("succeed", "--origin", NEW)
    monkeypatch.undo()


STEPS = {
    "before anything": lambda m, die: m.setattr(succession, "find_last_checkpoint", die),
    "when the old log is put aside": lambda m, die: m.setattr(succession, "_write_statements", die),
    "with half of the tree": lambda m, die: m.setattr(succession, "_write_tiles", die),
    "before games are frozen": lambda m, die: m.setattr(succession, "_freeze", die),
    "before the memory of what was signed": lambda m, die: m.setattr(succession, "finish", die),
    "while that is written": lambda m, die: m.setattr(LogState, "write", die),
}


@pytest.mark.parametrize("step", STEPS)
def test_killed_between_any_two_steps_it_goes_on(grown, servers, step):
    """Started again it comes to the same end; until then nothing is appended under the new name."""
    lose_the_key(grown)
    with pytest.MonkeyPatch.context() as monkeypatch:
        stop_at(monkeypatch, grown, STEPS[step])
    done = grown.keys("succeed", "--origin", NEW)
    assert done.exit_code == 0, done.exception
    assert grown.frozen() == {grown.beyond: ROUNDS, grown.unlogged: 0}
    with grown.opened() as (log, grower, _):
        append(log, grown.inside)
        number(log)
        assert grower.run().size == COVERED + 3
    assert grown.audited().findings == []


def test_a_log_of_which_a_part_is_lost(grown):
    """A witness shows more than the database holds: only --lost goes on, all that was not over is frozen."""
    with psycopg.connect(grown.database) as connection:
        key = SigningKey(OLD, load_seeds(None, grown.folder)[0])
        assert key.vkey == list_logged_keys(connection)[0].vkey
    more = grown.folder / "shown"
    more.write_text(key.sign(Checkpoint(OLD, COVERED + 10, bytes(32)).text()))
    grown.state.write(SignedTree(COVERED + 10, bytes(32)))
    words = ("succeed", "--origin", NEW, "--checkpoint", more)
    assert "If that is impossible, use --lost" in grown.said(*words)
    done = grown.keys(*words, "--lost")
    assert done.exit_code == 0, done.exception
    assert f"{COVERED} of the {COVERED + 10}" in done.output
    assert set(grown.frozen()) == {grown.inside, grown.beyond, grown.unlogged}
    assert grown.entries()[2] == leaves.canonical_bytes({"revoke": key.vkey, "size": COVERED})
    with grown.opened() as (log, grower, _):
        append(log, new_id())
        number(log)
        assert grower.run().size == COVERED + 4
    assert grown.audited().findings == []
    other = grown.folder / "fork"
    other.write_text(SigningKey(NEW, key_of(grown)).sign(Checkpoint(NEW, 7, bytes(32)).text()))
    grown.state.write(SignedTree(400, bytes(32)))
    assert "another log of 7 entries" in grown.said(
        "succeed", "--origin", "third/log", "--checkpoint", other, "--lost"
    )


def key_of(installation):
    return load_seeds(None, installation.folder)[0]


@pytest.fixture
def serve():
    """A log as anybody reads it."""
    running = []

    def start(entries, key, games=()):
        running.append(Served(entries, games, key))
        return running[-1]

    yield start
    for one in running:
        one.server.shutdown()
        one.server.server_close()


def held(tmp_path, note):
    path = tmp_path / "held"
    path.write_text(json.dumps({"kind": "receipt", "note": note}) + "\n")
    return path


def test_what_a_stranger_is_told(grown, serve, tmp_path):
    """The audit accepts the honest succession and no other; see each case."""
    from events.tlog.notes import sign_receipt

    old_key = SigningKey(OLD, key_of(grown))
    succeeded(grown, NEW)
    key = SigningKey(NEW, key_of(grown))
    entries = grown.entries()
    words = ("--key", old_key.vkey, "--successor", f"{old_key.vkey}={key.vkey}")

    def told(what, *more, games=()):
        return audit(serve(what, key, games).url, *words, *more)

    honest = told(entries)
    assert honest.exit_code == 0, honest.output
    assert f"{COVERED} of them are its beginning" in honest.output
    for name, false in {
        "an entry left out": entries[:6] + entries[7:],
        "the last ones left out": entries[: COVERED + 1],
        "two changed places": [*entries[:2], entries[3], entries[2], *entries[4:]],
        "another checkpoint": [entries[0], leaves.canonical_bytes({"old": "AAAA"}), *entries[2:]],
        "another key": [leaves.canonical_bytes({"add": old_key.vkey}), *entries[1:]],
    }.items():
        bad = told(false)
        assert bad.exit_code in (1, 4), (name, bad.output)
    # A part that is said to be lost can be believed or not: nobody can tell.
    revoked = leaves.canonical_bytes({"revoke": old_key.vkey, "size": 4})
    lost = told([*entries[:2], revoked, *entries[2:6]])
    assert (lost.exit_code, "does not show if the others were lost" in lost.output) == (3, True)
    # The frozen game goes on all the same: its player's receipt, or what the service itself shows, tells.
    name = leaves.log_name(grown.beyond)
    before = next(e for e in reversed(entries) if f'"g":"{name}"'.encode() in e)
    on = [*entries, leaves.make_entry(name, ROUNDS + 2, bytes(32), before)]
    receipt = held(
        tmp_path, sign_receipt(old_key, grown.beyond, ROUNDS + 1, bytes(32), new_id(), 1_700_000_000)
    )
    assert told(on).exit_code == 0, "without either nobody can know"
    shown = {"id": grown.beyond, "status": "running", "seq": ROUNDS + 2, "created_at": "2999-01-01T00:00:00Z"}
    for more, games in ((("--receipts", receipt), ()), ((), [{**shown, "frozen": ROUNDS}])):
        bad = told(on, *more, games=games)
        assert (bad.exit_code, "but it went on" in bad.output) == (1, True), bad.output
        good = told(entries, *more, games=games)
        assert good.exit_code == 0, good.output
    assert "1 beyond the log before" in told(entries, "--receipts", receipt).output


def test_a_second_succession(grown, serve):
    """A log that succeeded another is succeeded in turn: the entries of both are its beginning."""
    succeeded(grown, NEW)
    second = SigningKey(NEW, key_of(grown))
    assert succeeded(grown, "third/log").size == COVERED + 6
    assert grown.frozen() == {grown.beyond: ROUNDS, grown.unlogged: 0}
    assert grown.audited().findings == []
    third = SigningKey("third/log", key_of(grown))
    told = audit(
        serve(grown.entries(), third).url,
        *("--key", second.vkey, "--successor", f"{second.vkey}={third.vkey}"),
    )
    assert told.exit_code == 0, told.output
