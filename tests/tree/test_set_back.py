"""A database that was set back, or belongs to another key or name, is read and never added to or signed."""

import hashlib

import psycopg
import pytest

from events.store.event_log import EventLog, ReadOnly
from events.store.games import new_id
from events.store.signing_keys import Keyring
from events.tlog import leaves
from events.tlog.checkpoints import Checkpoint
from events.tlog.notes import SigningKey
from projections.tree.append_guard import AppendGuard
from projections.tree.grower import LATE_LOOK_SECONDS, LATE_SECONDS, Grower
from projections.tree.log_state import LogState, SignedTree
from projections.tree.tree_check import check_tree
from tests.batches import append
from tests.cluster_sql import record_statements
from tests.http_server import QuietHandler, serving
from tests.tree.conftest import ORIGIN, SEED, number

pytestmark = pytest.mark.integration
OTHER = bytes(32)


@pytest.fixture
def signed(log, grower, state, game_id):
    """A log that was signed; what was signed."""
    append(log, game_id, 2)
    number(log)
    grower.run()
    return state.read()


@pytest.fixture
def standing(pool, keyring, state):
    """What a process of the service asks, as it starts."""

    def start(monkeypatch):
        monkeypatch.setattr("projections.tree.append_guard.CATCH_UP_SECONDS", 0.2)
        monkeypatch.setattr("projections.tree.append_guard.CACHE_SECONDS", 0.0)
        return AppendGuard(pool, keyring, state)

    return start


@pytest.mark.parametrize("change", ["size = size - 1", "root = sha256(root)"])
def test_a_tree_set_back_while_nothing_happens_is_not_at_rest(pool, grower, signed, change):
    """A grower that has rested meets it at its next look, and signs nothing upon it."""
    assert grower.run() is None
    assert grower._is_at_rest()
    with pool.connection() as connection:
        connection.execute(f"UPDATE es.tree SET {change}")
    try:
        assert not grower._is_at_rest()
    finally:
        with pool.connection() as connection:
            connection.execute("UPDATE es.tree SET size = %s, root = %s", (signed.size, signed.root))
    assert grower._is_at_rest()


@pytest.mark.parametrize("what", ["smaller", "another"])
def test_nothing_is_signed_nor_appended(pool, keyring, state, signed, standing, monkeypatch, what):
    """More was signed than the database holds, or something else: it is said, and can be read."""
    other = (
        SignedTree(signed.size + 5, signed.root) if what == "smaller" else SignedTree(signed.size, bytes(32))
    )
    state.write(other)
    service = standing(monkeypatch)
    guarded = EventLog(pool, service.check)
    with pytest.raises(ReadOnly, match="set back") as caught:
        append(guarded, new_id())
    assert caught.value.code == "database_set_back"
    game = new_id()
    append(EventLog(pool), game)  # by somebody who does not ask
    number(guarded)
    assert Grower(pool, keyring, state).run() is None
    assert state.read() == other
    with pool.connection() as connection:
        newest = connection.execute("SELECT max(size) FROM es.checkpoint").fetchone()[0]
    assert newest == signed.size
    # Another process, which cannot see the state, is told by the process that makes the tree grow.
    elsewhere = AppendGuard(pool)
    assert elsewhere.is_set_back()
    with pytest.raises(ReadOnly):
        append(EventLog(pool, elsewhere.check), new_id())
    assert guarded.read(game)
    # With the lost part back, play goes on.
    state.write(signed)
    assert Grower(pool, keyring, state).run() is not None
    assert append(EventLog(pool, standing(monkeypatch).check), new_id()) is not None


def test_a_state_that_the_database_agrees_with_holds_nothing_up(pool, signed, standing, monkeypatch):
    assert append(EventLog(pool, standing(monkeypatch).check), new_id()) is not None


def test_a_damaged_state_is_never_guessed(pool, keyring, signed, tmp_path):
    path = tmp_path / "log.state"
    for text in ("", "7\n", "07\n" + "A" * 43 + "=\n", "x"):
        path.write_text(text)
        with pytest.raises(ValueError, match="damaged"):
            Grower(pool, keyring, LogState(path)).run()


def test_without_a_state_it_is_made_from_the_tree(log, pool, keyring, signed, tmp_path, game_id):
    state = LogState(tmp_path / "log.state")
    append(log, game_id)
    number(log)
    made = Grower(pool, keyring, state).run()
    assert state.read() == SignedTree(made.size, made.root)


def test_another_key_may_read_only(pool, signed):
    """Until the log's own key is given, nothing is appended and nothing signed."""
    keyring = Keyring(pool, [OTHER])
    with pytest.raises(ReadOnly, match="belongs to another key") as caught:
        append(EventLog(pool, AppendGuard(pool, keyring).check), new_id())
    assert caught.value.code == "another_key"
    with pytest.raises(ReadOnly):
        Grower(pool, keyring, None).run()
    assert append(EventLog(pool, AppendGuard(pool, Keyring(pool, [SEED])).check), new_id())


def test_another_origin_is_refused(pool, signed):
    """The name is given once; without one the database's is taken."""
    with pytest.raises(ReadOnly, match="RUTTER_ORIGIN") as caught:
        Keyring(pool, [SEED], "elsewhere.example/log").origin  # noqa: B018
    assert caught.value.code == "another_origin"
    assert Keyring(pool, [SEED]).origin == ORIGIN
    with pytest.raises(ValueError, match="spaces"):
        Keyring(pool, [SEED], "two words")


def test_the_origin_in_the_database_cannot_be_changed(pool, signed):
    with pool.connection() as connection, pytest.raises(psycopg.DatabaseError, match="given once"):
        connection.execute("UPDATE es.service SET origin = 'elsewhere'")


def test_without_any_key_nothing_is_appended(pool):
    with pytest.raises(ReadOnly, match="RUTTER_SIGNING_KEY") as caught:
        AppendGuard(pool, Keyring(pool, [])).check()
    assert caught.value.code == "cannot_sign"


@pytest.mark.parametrize("seconds", [LATE_SECONDS + 1, LATE_SECONDS - LATE_LOOK_SECONDS + 1])
def test_no_checkpoint_while_an_event_waits_for_its_position(log, grower, owner, game_id, store, seconds):
    """No honest crash may look like an omission: what is signed holds all that was acknowledged before.

    An event that would be too old before the next look counts already.
    """
    append(log, game_id)
    number(log)
    late = new_id()
    append(log, late)
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(
            "UPDATE es.fresh SET made_at = now() - make_interval(secs => %s) WHERE game_id = %s",
            (seconds, late),
        )
    before = store.find_newest()
    assert grower.run() is None
    assert store.find_newest() == before
    number(log)
    assert grower.run() is not None


def test_not_every_run_asks_all_machines_for_such_events(log, grower, game_id):
    with record_statements() as asked:
        for _ in range(3):
            append(log, game_id)
            number(log)
            assert grower.run() is not None
    assert sum("FROM es.fresh" in statement for statement in asked) == 1


def replace_in(owner, game_id, seq, old, new):
    """What only the owner of the tables can do, with the triggers out of their way."""
    with psycopg.connect(owner) as connection:
        connection.execute("ALTER TABLE es.event DISABLE TRIGGER immutable")
        connection.execute(
            "UPDATE es.event SET body = replace(body, %s, %s) WHERE game_id = %s AND seq = %s",
            (old, new, game_id, seq),
        )
        connection.execute("ALTER TABLE es.event ENABLE TRIGGER immutable")


def test_a_damaged_event_parks_its_game_and_no_other(
    log, grower, keyring, state, owner, store, game_id, pool
):
    """An event that does not say what its hash was made of raises an alarm; repaired, its game goes on."""
    ends = [append(log, game_id, 2), append(log, game_id, 2)]
    replace_in(owner, game_id, 4, '"port":1', '"port":7')
    other = new_id()
    append(log, other)
    number(log)
    grower.run()
    append(log, other)
    ends.append(append(log, game_id))
    number(log)
    grower.run()
    assert store.leaf(other, 2)
    assert store.leaf(game_id, 4) is store.leaf(game_id, 5) is None
    parked = "SELECT seq FROM es.parked WHERE projection = 'tree' AND game_id = %s"
    with pool.connection() as connection:
        assert connection.execute(parked, (game_id,)).fetchall() == [(4,)]
        assert check_tree(connection, [keyring.signer.verifier], state).parked
    replace_in(owner, game_id, 4, '"port":7', '"port":1')
    append(log, other)
    number(log)
    Grower(pool, keyring, state).run()
    with pool.connection() as connection:
        assert connection.execute(parked, (game_id,)).fetchall() == []
        told = check_tree(connection, [keyring.signer.verifier], state)
    assert (told.findings, told.parked) == ([], [])
    made = leaves.make_entries(game_id, ends)
    assert [store.leaf(game_id, n).entry for n in (4, 5)] == made[1:]


@pytest.fixture
def witness():
    """A witness that shows one note, whatever it is asked."""
    shown = {}

    class Handler(QuietHandler):
        def do_GET(self):
            shown["path"] = self.path
            self.send_response(200)
            self.end_headers()
            self.wfile.write(shown["note"].encode())

    with serving(Handler) as address:
        shown["url"] = f"{address}/"
        yield shown


def test_a_witness_that_knows_more_is_believed(log, pool, keyring, signed, tmp_path, witness, game_id):
    """Database and state were both set back: who cosigned what was signed then still has it."""
    append(log, game_id)
    number(log)
    key = SigningKey(ORIGIN, SEED)
    witness["note"] = key.sign(Checkpoint(ORIGIN, signed.size + 50, bytes(32)).text())
    state = LogState(tmp_path / "log.state")
    assert Grower(pool, keyring, state, [witness["url"]]).run() is None
    assert witness["path"] == f"/{hashlib.sha256(ORIGIN.encode()).hexdigest()}/checkpoint"
    assert AppendGuard(pool).is_set_back()
    for unbelievable in ("", SigningKey(ORIGIN, OTHER).sign(Checkpoint(ORIGIN, 10**6, bytes(32)).text())):
        witness["note"] = unbelievable
        assert Grower(pool, keyring, LogState(tmp_path / "other"), [witness["url"]]).run() is not None
        append(log, game_id)
        number(log)
    assert Grower(pool, keyring, LogState(tmp_path / "third"), ["http://127.0.0.1:1"]).run() is not None
    assert not AppendGuard(pool).is_set_back()
