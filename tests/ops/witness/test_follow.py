"""A witness that follows a log: `rutter witness follow`, against logs that are served over HTTP."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from random import Random

import pytest

from events.tlog import leaves, tree
from events.tlog.checkpoints import Checkpoint, Proof
from events.tlog.notes import SigningKey, Verifier, open_note
from ops.witness import games
from ops.witness.folder import Folder, WitnessState
from ops.witness.games import Memory
from tests.ops.witness.logs import (
    KEY,
    ORIGIN,
    ROOT,
    Log,
    Program,
    environment,
    history,
    rutter,
)
from tests.waiting import random_moment

ID = hashlib.sha256(ORIGIN.encode()).hexdigest()


def once(server, state):
    """`follow --once`; its exit code and what it says."""
    done = rutter("follow", KEY.vkey, server.url, "--state", state, "--once")
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout + done.stderr


def evidence(state):
    folder = state / "evidence"
    return [json.loads(file.read_text()) for file in folder.iterdir()] if folder.exists() else []


def delivered(server, cosigner: Verifier):
    """Sizes of the checkpoints that the log was handed a cosignature of."""
    sizes = []
    for note in server.delivered:
        opened = open_note(note, [cosigner])
        assert note.count("\u2014") == 1  # the text and the witness's line, nothing else
        sizes.append(Checkpoint.read(opened.text).size)
    return sizes


def test_a_growing_log_is_followed(state, cosigner, server):
    """Cosigned, handed over, read on where it ended: no tile or bundle before that is asked for again."""
    server.log = Log(history(10, 60))
    assert once(server, state) == (0, f"cosigned size 600 of {ORIGIN} (10 games)\n")
    server.log.extend(history(10, 70)[600:])
    server.asked.clear()
    assert once(server, state)[0] == 0
    assert delivered(server, cosigner) == [600, 700]
    assert [path for path in server.asked if "entries" in path] == ["/log/tile/entries/002.p/188"]
    server.asked.clear()
    assert once(server, state)[0] == 0  # nothing new; the cosignature is handed over again
    assert (server.asked, delivered(server, cosigner)) == (["/log/checkpoint"], [600, 700, 700])


def test_an_address_is_completed_by_log(state, cosigner, server):
    address = server.url.removesuffix("/log")
    assert rutter("follow", KEY.vkey, address + "/", "--state", state, "--once").returncode == 0
    assert delivered(server, cosigner) == [7]


def test_it_goes_on_until_it_is_ended(state, cosigner, server):
    """Runs on by itself, cosigns what is new, tells of trouble once and tries again, and ends at a signal."""
    with Program("follow", KEY.vkey, server.url, "--state", state, "--every", 0.1) as running:
        assert running.line().startswith("cosigned size 7 ")
        second = rutter("follow", KEY.vkey, server.url, "--state", state, "--once")
        assert (second.returncode, "Another process" in second.stderr) == (1, True)
        server.log.extend(history(3, 9)[7:9])
        assert running.line().startswith("cosigned size 9 ")
        server.broken = 3
        assert running.line().startswith("trying again: GET ")
        assert running.line() == "the log answers again\n"
        assert running.end() == 0
    assert delivered(server, cosigner) == [7, 9]


def test_a_log_that_keeps_full_tiles_only(state, cosigner, server):
    """A log may throw the parts of a tile away once it is full."""
    log = server.log = Log(history(10, 30))

    class Older(Log):
        def checkpoint(self, size=None):
            return log.checkpoint(250)

    server.full_tiles_only = True
    server.log = Older(log.entries)
    server.log.tree = log.tree
    assert once(server, state)[0] == 0
    server.log = log
    assert once(server, state)[0] == 0
    assert delivered(server, cosigner) == [250, 300]


def test_what_may_pass_is_tried_again(state, cosigner, server):
    """Not there, or another's signature: exit 3, nothing recorded; then as if nothing had been."""
    server.broken = 99
    assert once(server, state)[0] == 3
    server.broken = 0
    honest, server.log = server.log, Log(server.log.entries, SigningKey(ORIGIN, bytes(32)))
    assert once(server, state)[0] == 3
    assert (evidence(state), (state / f"{ID}.json").exists()) == ([], False)
    server.log = honest
    server.broken = 2  # within one look
    assert once(server, state)[0] == 0
    assert delivered(server, cosigner) == [7]


def test_a_log_that_takes_no_cosignature_gets_it_later(state, cosigner, server):
    posted = server.post
    server.post = lambda *_: (403, b"not yours")
    code, said = once(server, state)
    assert (code, "403" in said) == (3, True)
    server.post = posted
    assert once(server, state)[0] == 0
    assert delivered(server, cosigner) == [7]


def test_a_rewritten_leaf_is_never_cosigned(state, cosigner, server):
    """Size 8 whose leaf 3 is another one: exit 4, nothing cosigned, both checkpoints and the proof kept;
    again if started again, until its keeper says otherwise."""
    assert once(server, state)[0] == 0
    honest = history(3, 3)[:8]
    forged = Log([*honest[:3], history(3, 9)[20], *honest[4:]])
    server.log = forged
    assert once(server, state)[0] == 4
    assert delivered(server, cosigner) == [7]
    (found,) = evidence(state)
    old = Checkpoint.read(open_note(found["recorded"], [KEY.verifier, cosigner]).text)
    new = Checkpoint.read(open_note(found["offered"], [KEY.verifier]).text)
    assert (old.size, new.size, new.root) == (7, 8, forged.tree.root())
    server.log = Log(honest)
    assert once(server, state)[0] == 4
    assert len(evidence(state)) == 1
    assert rutter("forget", ORIGIN, "--state", state).returncode == 0
    assert once(server, state)[0] == 0
    assert delivered(server, cosigner) == [7, 8]


@pytest.mark.parametrize("size", [4, 6, 7], ids=["a power of two", "smaller", "the same size"])
def test_another_history_is_noticed_whatever_its_size(state, cosigner, server, size):
    honest = server.log
    server.log = Log(honest.entries[:4] if size == 4 else honest.entries)
    assert once(server, state)[0] == 0
    forged = [*honest.entries[:2], history(3, 9)[20], *honest.entries[3:]]
    server.log = Log(forged if size == 4 else forged[:size])
    assert once(server, state)[0] == 4
    assert len(delivered(server, cosigner)) == len(evidence(state)) == 1


def test_a_log_that_goes_back_is_not_cosigned(state, cosigner, server):
    """A smaller checkpoint of the same history: exit 4, but nothing is held once the log is back."""
    honest = server.log
    assert once(server, state)[0] == 0
    server.log = Log(honest.entries[:5])
    assert once(server, state)[0] == 4
    server.log = honest
    assert once(server, state)[0] == 0
    assert set(delivered(server, cosigner)) == {7}


def test_entries_that_are_not_the_trees(state, cosigner, server):
    """What is served is not what was signed, with and without a broken chain in it: nothing is cosigned, and
    no log is accused for good of what anybody may have done on the way."""
    true = list(server.log.entries)
    server.log.entries[6] = leaves.make_entry(f"{9:032x}", 1, bytes(32), None)
    assert once(server, state)[0] == 4
    server.log.entries[2] = server.log.entries[6]
    assert once(server, state)[0] == 4
    server.log.entries = true
    assert once(server, state)[0] == 0
    assert delivered(server, cosigner) == [7]


def twice(entries):
    """Another entry of event 2 of the first game, after its first one."""
    name, first = f"{0:032x}", entries[0]
    return [*entries, leaves.make_entry(name, 2, bytes(32), first)]


def wrong_before(entries):
    name = f"{0:032x}"
    return [*entries, leaves.make_entry(name, 9, bytes(32), b"nothing that was logged")]


def second_first(entries):
    return [*entries, leaves.make_entry(f"{0:032x}", 9, bytes(32), None)]


def no_entry(entries):
    return [*entries, b'{"g":"x"}']


@pytest.mark.parametrize("how", [twice, wrong_before, second_first, no_entry])
@pytest.mark.parametrize("later", [False, True], ids=["at first", "after a restart"])
def test_two_histories_of_one_game_are_not_cosigned(state, cosigner, server, how, later):
    """A second entry of (game, n), one that follows on something else, a second first one, one that is none:
    exit 4, nothing cosigned, and the evidence proves that the entry is in the tree that the log signed."""
    if later:
        assert once(server, state)[0] == 0
    server.log = Log(how(server.log.entries))
    assert once(server, state)[0] == 4
    assert len(delivered(server, cosigner)) == later
    (found,) = evidence(state)
    proof = Proof.read(found["proof_of_inclusion"])
    signed = Checkpoint.read(open_note(proof.checkpoint, [KEY.verifier]).text)
    assert proof.holds(tree.leaf_hash(found["entry"].encode()), signed)
    assert once(server, state)[0] == 4


def test_entries_about_keys_are_entries(state, cosigner, server):
    server.log.extend(
        [leaves.canonical_bytes({"add": KEY.vkey}), leaves.canonical_bytes({"revoke": KEY.vkey, "size": 3})]
    )
    assert once(server, state)[0] == 0


@pytest.mark.parametrize("gone", ["json", "games", "games cut off"])
def test_without_its_state_it_does_not_start(state, cosigner, server, gone):
    assert once(server, state)[0] == 0
    (records,) = state.glob(f"{ID}.games-*")
    if gone == "games cut off":
        records.write_bytes(records.read_bytes()[:-1])
    else:
        (state / f"{ID}.json" if gone == "json" else records).unlink()
    code, said = once(server, state)
    assert (code, ORIGIN in said) == (1, True)
    assert delivered(server, cosigner) == [7]


def test_killed_at_any_moment(state, cosigner, server):
    """SIGKILL again and again while the log grows: it always goes on from what it recorded."""
    kill_at_any_moment(state, cosigner, server, Random(7), lives=4)


def kill_at_any_moment(state, cosigner, server, chance, lives):
    """Let a follower die so many times."""
    entries = history(20, 20 + 3 * lives)  # there is always more to come: it tells only of what is new
    server.log = Log(entries[:300])
    for life in range(lives):
        with Program("follow", KEY.vkey, server.url, "--state", state, "--every", 0.1) as running:
            assert "size" in running.line() or life
            for size in range(20):
                at = len(server.log.tree)
                server.log.extend(entries[at : at + 1 + size % 3])
            random_moment(chance, 0.1)
            running.kill()
    assert once(server, state)[0] == 0
    assert evidence(state) == []
    assert delivered(server, cosigner)[-1] == len(server.log.tree)


def test_an_answer_without_end_is_cut_off(state, cosigner, server):
    """A hostile log sends more than a checkpoint has, too little of a tile, or leads elsewhere: exit 3."""
    answered = server.get
    server.get = lambda path: (200, b"x" * 300_000) if path.endswith("checkpoint") else answered(path)
    code, said = once(server, state)
    assert (code, "more than" in said) == (3, True)
    server.get = lambda _path: (302, b"")
    assert once(server, state)[0] == 3
    server.get = lambda path: (200, b"\0\5abc") if "tile" in path else answered(path)
    assert once(server, state)[0] == 3


@pytest.mark.parametrize(
    "words",
    [["follow", "no-key", "http://x"], ["follow", "w", "http://x"], ["follow", KEY.vkey, "file:///etc"]],
)
def test_usage(state, cosigner, words):
    words = [cosigner.vkey if word == "w" else word for word in words]
    assert rutter(*words, "--state", state, "--once").returncode == 2


def test_without_a_key_it_does_not_start(tmp_path):
    done = rutter("follow", KEY.vkey, "http://127.0.0.1:1/log", "--state", tmp_path / "nowhere", "--once")
    assert (done.returncode, "rutter witness init" in done.stderr) == (1, True)


def test_what_it_remembers_of_games_is_small_and_outlives_it(tmp_path, monkeypatch):
    """About 48 bytes a game, written on as games go on and again when the file holds too much of the past;
    what was appended but never cosigned is cut off."""
    monkeypatch.setattr(games, "SLACK", 10)
    folder = Folder(tmp_path)
    kept = None
    names = set()
    for moves in range(1, 30):
        make = Log(history(20, moves))
        memory = Memory(folder, ORIGIN, kept)
        for index in range(memory.monitor.size, len(make.entries)):
            memory.monitor.add(index, make.entries[index])
        kept = memory.keep()
        folder.record(ORIGIN, WitnessState(make.checkpoint(), 1, kept))
        memory.delete_old_files()
        (file,) = tmp_path.glob("*.games-*")
        names.add(file.name)
        assert file.stat().st_size == kept.length <= (20 + 20 + 10) * 48
        with file.open("ab") as handle:
            handle.write(b"never cosigned" * 48)
    assert len(names) > 3


def test_a_witness_needs_nothing_of_the_games(tmp_path):
    """It runs with the notes and the tree alone: no database, no titles, no service is ever loaded."""
    line = (
        "import sys\nimport ops.witness.commands, ops.witness.server\n"
        "print([m for m in sys.modules if m.split('.')[0] in "
        "('events', 'service', 'projections', 'workers', 'psycopg', 'redis', 'rq', 'msgspec')"
        " and m != 'events' and not m.startswith('events.tlog')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", line], cwd=ROOT, env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
