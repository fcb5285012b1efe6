"""A log whose keys or tree were lost is succeeded by another: what a stranger is told of it, and believes."""

import base64

import pytest

from events.store.games import new_id
from events.tlog import leaves, tree
from events.tlog.checkpoints import Checkpoint
from events.tlog.notes import COSIGNATURE, SigningKey
from tests.tree.test_audit import KEY, WITNESS, audit, honest, others, serve

__all__ = ["serve"]

OLD = SigningKey("rutter.example/lost", b"lost".ljust(32, b"."))
STRANGER = SigningKey(OLD.name, b"stranger".ljust(32, b"."))
SECOND = SigningKey("organiser.example/w2", bytes([8] * 32), COSIGNATURE)
TAKEN = ("--successor", f"{OLD.vkey}={KEY.vkey}")


HELD = honest()[1]
"""The entries of the log that was lost."""


def last(key=OLD, *cosigned):
    """The last checkpoint of the log that was lost, in base64."""
    text = Checkpoint(
        key.name, len(HELD), tree.MemoryTree([tree.leaf_hash(one) for one in HELD]).root()
    ).text()
    note = key.sign(text) + "".join(one.cosign(text, 1_800_000_000) for one in cosigned)
    return base64.b64encode(note.encode()).decode()


def own(key=KEY):
    return leaves.canonical_bytes({"add": key.vkey})


def succeeding(old, first=None):
    """The entries of a log that succeeds another."""
    return [first or own(), leaves.canonical_bytes({"old": old}), *HELD]


@pytest.fixture
def policy(tmp_path):
    """``(quorum) -> the file of a policy that knows both logs and two witnesses``."""

    def write(quorum):
        lines = [f"log {KEY.vkey}", f"log {OLD.vkey}", f"witness a {WITNESS.vkey}"]
        path = tmp_path / "policy"
        path.write_text("\n".join([*lines, f"witness b {SECOND.vkey}", f"quorum {quorum}", ""]))
        return path

    return write


def test_a_log_says_which_one_it_succeeds(serve):
    """Entry 0 names its key, entry 1 the last checkpoint of the other, which that one must have signed."""
    log = serve(succeeding(last()))
    told = audit(log.url, "--key", OLD.vkey, *TAKEN)
    assert told.exit_code == 0, told.output
    assert "succeeds       rutter.example/lost, whose last cosigned checkpoint had 4 entries; 4 of them" in (
        told.output
    )
    told = audit(log.url, "--key", KEY.vkey)
    assert (told.exit_code, "not checked without its key" in told.output) == (0, True)


def test_a_log_that_does_not_say_so_is_no_successor(serve):
    """Anyone who pinned the old key believes the new one by its entry 1 alone."""
    log = serve(others(2))
    assert audit(log.url, "--key", KEY.vkey).exit_code == 0
    told = audit(log.url, "--key", OLD.vkey, *TAKEN)
    assert (told.exit_code, "does not say that it succeeds rutter.example/lost" in told.output) == (1, True)
    assert audit(log.url, "--key", STRANGER.vkey, *TAKEN).exit_code == 1, "the old key is not the one known"


BAD = {
    "signed by a stranger": lambda: succeeding(last(STRANGER)),
    "of another log": lambda: succeeding(last(SigningKey("other.example/log", bytes(32)))),
    "of itself": lambda: succeeding(last(KEY)),
    "no base64": lambda: succeeding("?"),
    "no note": lambda: succeeding("AAAA"),
    "a number": lambda: succeeding(7),
    "no key first": lambda: succeeding(last(), first=honest(new_id())[1][0]),
    "another key first": lambda: succeeding(last(), first=own(STRANGER)),
    "later": lambda: [own(), *honest()[1], leaves.canonical_bytes({"old": last()})],
    "twice": lambda: [*succeeding(last()), leaves.canonical_bytes({"old": last()})],
}


@pytest.mark.parametrize("name", BAD)
def test_false_successions(serve, name):
    """One line that says what is wrong, exit status 1."""
    told = audit(serve(BAD[name]()).url, "--key", OLD.vkey, *TAKEN)
    assert (told.exit_code, told.output.count("\n"), told.output[:5]) == (1, 1, "BAD: "), told.output


def test_the_last_checkpoint_has_a_quorum(serve, policy):
    """Without one anybody with the lost key may have ended the old log where they liked."""
    for cosigned, wanted in (((WITNESS,), 0), ((), 3), ((SECOND,), 3)):
        log = serve(succeeding(last(OLD, *cosigned)))
        log.cosigned = 1_800_000_100
        told = audit(log.url, "--policy", policy("a"), *TAKEN)
        assert told.exit_code == wanted, told.output
        assert ("no quorum cosigned the last checkpoint of the earlier log" in told.output) == (wanted == 3)
