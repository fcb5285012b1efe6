"""One key takes another's place: announced in the log, both sign for a while, then the old one ends."""

import pytest
from click.testing import CliRunner

from events.store.event_log import ReadOnly
from events.store.games import new_id
from events.store.signing_keys import Keyring, list_logged_keys, load_seeds
from events.tlog import checkpoints, leaves
from events.tlog.notes import SigningKey, UnsignedNote, open_note
from ops.cli.log.keys import command
from projections.tree.grower import Grower
from projections.tree.log_state import LogState
from projections.tree.tree_store import TreeStore
from service.api.signing_keys import prove_announcements
from service.client.receipts import Key, PinnedKeys, load_pinned_keys
from tests.batches import append
from tests.servers import reachable_folder
from tests.tree.conftest import ORIGIN, number

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A data folder with a key file; the database is given."""
    path = reachable_folder(tmp_path_factory.mktemp("keys") / "data")
    path.mkdir(exist_ok=True)
    return path


@pytest.fixture
def keys(folder, database, servers, monkeypatch):
    """`rutter keys ...` on the module's database."""
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setenv("REDIS_URL", servers.redis_url)
    monkeypatch.delenv("RUTTER_SIGNING_KEY", raising=False)

    def run(*words):
        return CliRunner().invoke(command, [*map(str, words), "--data", str(folder)])

    return run


def started(pool, folder):
    """What a process that starts now signs with."""
    keyring = Keyring(pool, load_seeds(None, folder), ORIGIN)
    return keyring, Grower(pool, keyring, LogState.locate(None, folder))


def sign(log, grower):
    append(log, new_id())
    number(log)
    return grower.run()


def verifiers(folder):
    return [SigningKey(ORIGIN, seed).verifier for seed in load_seeds(None, folder)]


def test_from_one_key_to_the_next(pool, log, folder, keys):
    """Old verifiers know the old line, new ones the new line, as long as both are written."""
    _, grower = started(pool, folder)
    assert len(open_note(sign(log, grower).note, verifiers(folder)).signers) == 1
    assert "There is only one key" in str(keys("rotate", "--finish").exception)

    announced = keys("rotate")
    assert announced.exit_code == 0, announced.output
    assert (folder / "signing.key").stat().st_mode & 0o777 == 0o600
    old, new = verifiers(folder)
    assert new.vkey in announced.output
    assert grower.run() is not None, "the announcement alone makes the log grow"
    with pool.connection() as connection:
        row = connection.execute("SELECT index, entry FROM es.leaf WHERE key IS NOT NULL").fetchone()
        assert bytes(row[1]) == leaves.canonical_bytes({"add": new.vkey})
        told = list_logged_keys(connection)
    assert [(key.vkey, key.until) for key in told] == [(old.vkey, None), (new.vkey, None)]
    assert told[1].since == row[0] + 1

    _, grower = started(pool, folder)
    note = sign(log, grower).note
    assert set(open_note(note, [old, new]).signers) == {old, new}
    for one in (old, new):
        assert checkpoints.open_checkpoint(note, one)[0].origin == ORIGIN
    assert "two keys" in str(keys("rotate").exception)

    assert "Both keys sign for 30 days" in str(keys("rotate", "--finish").exception)
    ended = keys("rotate", "--finish", "--early")
    assert ended.exit_code == 0, ended.output
    _, grower = started(pool, folder)
    note = sign(log, grower).note
    assert set(open_note(note, [new]).signers) == {new}
    with pytest.raises(UnsignedNote):
        open_note(note, [old])
    (folder / "signing.key").write_text(load_seeds(None, folder)[-1].hex())
    shown = keys("list").output
    assert f"{old.vkey}  since 0, until" in shown
    assert f"{new.vkey}  since" in shown


def test_what_a_key_announced_is_proven_to_those_who_know_it(pool, log, folder, keys, tmp_path):
    """Over rotations and revocations a client follows from the key that it pinned, through all that came."""
    grower = started(pool, folder)[1]
    sign(log, grower)

    def served():
        with pool.connection() as connection:
            known = list_logged_keys(connection)
            proofs = prove_announcements(TreeStore(connection), known)
        told = [{"vkey": key.vkey, "until": key.until, "announced": proofs.get(key.vkey)} for key in known]
        return {"origin": ORIGIN, "keys": told}

    def new_key():
        return Key.read(verifiers(folder)[-1].vkey)

    pinned = load_pinned_keys(tmp_path, "here", served)
    [first] = pinned
    assert not pinned.learn(), "nothing is new"
    assert keys("rotate").exit_code == 0
    assert not pinned.learn(), "it is not announced before the log has it"
    grower.run()
    assert pinned.learn()
    assert pinned == [first, new_key()]
    grower = started(pool, folder)[1]
    sign(log, grower)
    assert keys("rotate", "--finish", "--early").exit_code == 0
    (folder / "signing.key").write_text(load_seeds(None, folder)[-1].hex())
    second = new_key()
    grower = started(pool, folder)[1]
    sign(log, grower)
    assert keys("rotate").exit_code == 0
    grower.run()
    grower = started(pool, folder)[1]
    sign(log, grower)
    assert keys("revoke", second.vkey).exit_code == 0
    sign(log, started(pool, folder)[1])
    late = PinnedKeys([first], ask=served)
    assert late.learn()
    assert late == [new_key()]
    assert PinnedKeys([second], ask=served).learn()
    stranger = SigningKey(ORIGIN, bytes(32)).vkey
    assert not PinnedKeys([Key.read(stranger)], ask=served).learn()


def test_a_stolen_key_is_revoked_by_another(pool, log, folder, keys):
    """The statement stands in the log, under the hand of a key that was added earlier; the thief's ends."""
    _, grower = started(pool, folder)
    sign(log, grower)
    assert "no such key" in str(keys("revoke", "x+00000000+AQ==").exception)
    thief = verifiers(folder)[-1].vkey
    assert "No other key signs" in str(keys("revoke", thief).exception)
    (folder / "signing.key").write_text(load_seeds(None, folder)[-1].hex())
    assert keys("rotate").exit_code == 0
    started(pool, folder)[1].run()
    with pool.connection() as connection:
        size = connection.execute("SELECT size FROM es.tree").fetchone()[0]
    revoked = keys("revoke", thief)
    assert revoked.exit_code == 0, revoked.output
    assert f"--revoked {thief}@{size}" in revoked.output
    assert "says this about the key already" in str(keys("revoke", thief).exception)
    _, grower = started(pool, folder)
    made = sign(log, grower)
    new = verifiers(folder)[1]
    assert set(open_note(made.note, verifiers(folder)).signers) == {new}
    with pool.connection() as connection:
        entry = connection.execute(
            "SELECT entry FROM es.leaf WHERE key IS NOT NULL ORDER BY index DESC LIMIT 1"
        )
        assert bytes(entry.fetchone()[0]) == leaves.canonical_bytes({"revoke": thief, "size": size})
    (folder / "signing.key").write_text(load_seeds(None, folder)[0].hex())
    with pytest.raises(ReadOnly, match="another key"):
        started(pool, folder)[0].signer  # noqa: B018
