"""A witness to which logs push: the protocol as a foreign client meets it, and what it refuses."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import socket
import threading

import pytest

from events.base.timestamps import parse_timestamp
from events.tlog import tree
from events.tlog.checkpoints import Checkpoint, open_checkpoint
from events.tlog.drops import Drop, drop_box, open_drop
from events.tlog.notes import SigningKey, UnsignedNote, open_note
from events.tlog.text import b64
from ops.witness import server
from tests.clock import Clock
from tests.ops.witness.logs import (
    GONE,
    KEY,
    ORIGIN,
    Log,
    Serving,
    Within,
    history,
    make_witness,
    push,
    rutter,
)

ENTRIES = history(3, 10)
OTHER = SigningKey("other.example/log", bytes(range(64, 96)))
CONTRIBUTION = bytes(range(32))
GAME = "019a9f00-0000-7000-8000-000000000001"


def rewritten(size: int) -> Log:
    """The log of another history: leaf 3 is another one."""
    forged = list(ENTRIES[:size])
    forged[3] = ENTRIES[29]
    return Log(forged)


@pytest.fixture
def clock():
    """The time of the witness."""
    return Clock("2026-03-01T12:00:00.000000Z")


@pytest.fixture
def serving(state, cosigner, clock):
    """A witness that serves within this process; most of the others here are programs."""
    with Within(state, KEY.vkey, OTHER.vkey, now=lambda: seconds(clock)) as running:
        yield running


def seconds(clock: Clock) -> float:
    """Return the time in seconds since 1970."""
    return parse_timestamp(clock()) / 1_000_000


@pytest.fixture
def cosigned(serving):
    """The witness, after it has cosigned size 7."""
    assert serving.post(Log(ENTRIES[:7]).request(0))[0] == 200
    return serving


def evidence(state):
    folder = state / "evidence"
    return [json.loads(file.read_text()) for file in folder.iterdir()] if folder.exists() else []


def test_a_growing_log_is_cosigned_step_by_step(serving, cosigner, clock):
    """What a foreign log does: ask with any old size, learn the recorded one, push, merge the answer."""
    log = Log(ENTRIES[:7])
    status, line, _ = serving.post(log.request(0))
    assert (status, line.count("\n"), line[:2]) == (200, 1, "\u2014 ")
    checkpoint, opened = open_checkpoint(log.checkpoint() + line, KEY.verifier, [cosigner])
    assert checkpoint == Checkpoint(ORIGIN, 7, log.tree.root())
    assert opened.signers[cosigner] == seconds(clock)
    log.extend(ENTRIES[7:20])
    assert serving.post(log.request(0)) == (409, "7\n", "text/x.tlog.size")
    assert serving.post(log.request(7))[0] == 200
    assert serving.post(log.request(20))[0] == 200  # nothing new: a newer time


def test_the_newest_cosigned_checkpoint_can_be_had(serving, cosigner):
    path = f"/{hashlib.sha256(ORIGIN.encode()).hexdigest()}/checkpoint"
    assert serving.get(path)[0] == 404
    for old, size in ((0, 7), (7, 9)):
        assert serving.post(Log(ENTRIES[:size]).request(old))[0] == 200
        status, note, _ = serving.get(path)
        checkpoint, opened = open_checkpoint(note, KEY.verifier, [cosigner])
        assert (status, checkpoint.size, cosigner in opened.signers) == (200, size, True)
    assert serving.get("/0000/checkpoint")[0] == 404


@pytest.mark.parametrize("path", ["/", "/add-checkpoint", "/drop"])
def test_other_requests_are_answered_by_their_status(serving, path):
    assert serving.get(path)[0] in {404, 405}


def test_half_open_connections_of_one_address_silence_nobody(serving):
    """Who opens as many as there are, and says nothing, keeps some; others are answered at once."""
    port = int(serving.address.rpartition(":")[2])
    with contextlib.ExitStack() as stack:
        for _ in range(server.CONNECTIONS):
            silent = stack.enter_context(socket.socket())
            silent.bind(("127.0.0.2", 0))
            silent.connect(("127.0.0.1", port))
            silent.sendall(b"GET /")
        for _ in range(2 * server.CONNECTIONS_PER_ADDRESS):
            assert serving.post(Log(ENTRIES[:7]).request(0))[0] in (200, 409)


def note_of(text: str, key: SigningKey = KEY) -> str:
    return key.sign(text)


def bad_requests() -> dict[str, tuple[int, bytes]]:
    log = Log(ENTRIES[:8])
    note, root = log.checkpoint(), b64(log.tree.root())
    proof = tree.consistency_proof(log.tree.read, 7, 8)
    text, line = note.split("\n\n")
    respelt = line[:-2] + ("B" if line[-2] != "B" else "C") + "\n"
    unknown = "".join(f"\u2014 w{i}.example {b64(bytes(68))}\n" for i in range(64))
    twice = note + line
    return {
        "text behind the signature": (400, push(7, proof, note + "more\n")),
        "007 as size": (400, push(7, proof, note_of(f"{ORIGIN}\n008\n{root}\n"))),
        "base64 of a signature respelt": (403, push(7, proof, f"{text}\n\n{respelt}")),
        "base64 of a signature without padding": (400, push(7, proof, note.rstrip("=\n") + "\n")),
        "base64 of the root respelt": (400, push(7, proof, note_of(f"{ORIGIN}\n8\n{root[:-2]}B=\n"))),
        "CR LF": (400, push(7, proof, note.replace("\n", "\r\n"))),
        "65 signatures": (400, push(7, proof, note + unknown)),
        "an extension line": (400, push(7, proof, note_of(f"{ORIGIN}\n8\n{root}\nmore\n"))),
        "no signature": (400, push(7, proof, f"{text}\n\n")),
        "signed by nobody known": (403, push(7, proof, SigningKey(ORIGIN, bytes(32)).sign(f"{text}\n"))),
        "signed by the key of another log": (403, push(7, proof, OTHER.sign(f"{text}\n"))),
        "signed twice by one key": (403, push(7, proof, twice)),
        "another text under the signature": (403, push(7, proof, f"{text.replace('8', '9')}\n\n{line}")),
        "an unknown origin": (
            404,
            push(7, proof, SigningKey("a.example/log", bytes(32)).sign(f"a.example/log\n8\n{root}\n")),
        ),
        "no old size": (400, note.encode()),
        "old size 07": (400, push("07", proof, note)),
        "old size -1": (400, push("-1", proof, note)),
        "old size beyond the checkpoint": (400, push(9, proof, note)),
        "a proof of 64 hashes": (400, push(7, [bytes(32)] * 64, note)),
        "a hash of 31 bytes": (400, push(7, [bytes(31)], note)),
        "no empty line": (400, push(7, proof, note).replace(b"\n\n", b"\n")),
        "no UTF-8": (400, b"\xff" + push(7, proof, note)),
        "nothing": (400, b""),
        "more than a request has": (413, push(7, proof, note) + b"x" * 200_000),
        "no proof": (422, push(7, [], note)),
        "a proof that fails": (422, push(7, [bytes(32)] * len(proof), note)),
        "a proof that is too long": (422, push(7, [*proof, bytes(32)], note)),
    }


def test_what_is_damaged_or_not_the_logs_is_refused(cosigned, state):
    """Each with its own status, the state unchanged; untouched, the same checkpoint is cosigned then."""
    file = state / f"{hashlib.sha256(ORIGIN.encode()).hexdigest()}.json"
    before = file.read_bytes()
    wrong = {name: (status, cosigned.post(body)[0]) for name, (status, body) in bad_requests().items()}
    assert {name: found for name, found in wrong.items() if found[0] != found[1]} == {}
    assert file.read_bytes() == before
    assert cosigned.post(Log(ENTRIES[:8]).request(7))[0] == 200


def test_unknown_signatures_beside_the_logs_are_ignored_and_not_kept(cosigned, state):
    log = Log(ENTRIES[:8])
    more = "".join(f"\u2014 w{i}.example {b64(bytes(68))}\n" for i in range(63))
    body = push(7, tree.consistency_proof(log.tree.read, 7, 8), log.checkpoint() + more)
    assert cosigned.post(body)[0] == 200
    assert "w5.example" not in cosigned.get(f"/{hashlib.sha256(ORIGIN.encode()).hexdigest()}/checkpoint")[1]


def test_a_rewritten_leaf_is_never_cosigned(cosigned, state):
    """Size 8 whose leaf 3 is another one: 422 with evidence, the origin is held, other origins go on, and
    when the keeper says so the honest history goes on from where it was."""
    forged = rewritten(8)
    assert cosigned.post(forged.request(7))[0] == 422
    (found,) = evidence(state)
    assert found["origin"] == ORIGIN
    recorded, offered = (
        open_note(found["recorded"], [KEY.verifier]),
        open_note(found["offered"], [KEY.verifier]),
    )
    old, new = Checkpoint.read(recorded.text), Checkpoint.read(offered.text)
    proof = tree.consistency_proof(forged.tree.read, 7, 8)
    assert found["proof"] == [b64(one) for one in proof]
    assert tree.is_contradiction(
        old.size, new.size, proof, old.root, new.root
    )  # so it convinces a third party

    honest = Log(ENTRIES[:8]).request(7)
    assert cosigned.post(honest)[0] == 422
    assert cosigned.post(Log(ENTRIES[:5], OTHER).request(0))[0] == 200
    assert rutter("forget", ORIGIN, "--state", state).returncode == 0
    assert rutter("forget", ORIGIN, "--state", state).returncode == 1
    assert cosigned.post(forged.request(7))[0] == 422
    assert rutter("forget", ORIGIN, "--state", state).returncode == 0
    assert cosigned.post(honest)[0] == 200


def test_another_root_of_the_same_size_is_never_cosigned(cosigned, state):
    assert cosigned.post(rewritten(7).request(7))[0] == 422
    assert len(evidence(state)) == 1
    assert cosigned.post(Log(ENTRIES[:7]).request(7))[0] == 422  # held


def test_nobody_but_the_log_can_stop_it(cosigned, state):
    """Anybody can send the log's own checkpoint with a proof made of nothing: that is refused, and kept as a
    doubt, but holds nothing up."""
    log = Log(ENTRIES[:8])
    assert cosigned.post(push(7, [bytes(32)] * 3, log.checkpoint()))[0] == 422
    assert len(evidence(state)) == 1
    assert cosigned.post(log.request(7))[0] == 200


def test_a_smaller_checkpoint_changes_nothing(cosigned, state):
    """Validly signed, but smaller than what was cosigned: 409 or 400, whatever old size it claims."""
    assert cosigned.post(Log(ENTRIES[:5]).request(5))[:2] == (409, "7\n")
    assert cosigned.post(Log(ENTRIES[:5]).request(3))[0] == 409
    assert cosigned.post(push(7, [], Log(ENTRIES[:5]).checkpoint()))[0] == 400
    assert cosigned.post(Log(ENTRIES[:8]).request(7))[0] == 200


def test_an_empty_tree_has_one_root(serving):
    assert serving.post(push(0, [], note_of(f"{ORIGIN}\n0\n{b64(bytes(32))}\n")))[0] == 422
    assert rutter("forget", "nobody.example", "--state", "/nowhere").returncode == 1


def test_a_log_may_begin_with_an_empty_tree(serving):
    assert serving.post(Log().request(0))[0] == 200
    assert serving.post(push(0, [bytes(32)], Log(ENTRIES[:2]).checkpoint()))[0] == 422  # nothing to prove
    assert serving.post(Log(ENTRIES[:2]).request(0))[0] == 200


def test_of_two_racing_requests_one_is_cosigned(cosigned):
    """Two extensions of the recorded tree at once: one is cosigned, the other learns the new size; always."""
    for size in range(7, 27, 2):
        answers = []
        start = threading.Barrier(2)

        def race(body, start=start, answers=answers):
            start.wait()
            answers.append(cosigned.post(body)[:2])

        requests = [Log(ENTRIES[: size + more]).request(size) for more in (1, 2)]
        racers = [threading.Thread(target=race, args=(body,)) for body in requests]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join()
        assert sorted(status for status, _ in answers) == [200, 409]
        (now,) = [int(text) for status, text in answers if status == 409]
        if now == size + 1:
            assert cosigned.post(Log(ENTRIES[: size + 2]).request(now))[0] == 200


def test_killed_between_the_state_and_the_answer(state, cosigner):
    """SIGKILL when the state is durable and nothing signed yet: no other tree of that size is cosigned."""
    dies = (
        "import os, signal\nfrom events.tlog.notes import SigningKey\n"
        "SigningKey.cosign = lambda *_: os.kill(os.getpid(), signal.SIGKILL)"
    )
    with Serving(state, KEY.vkey, before=dies) as running, pytest.raises(GONE):
        running.post(Log(ENTRIES[:7]).request(0))
    with Serving(state, KEY.vkey) as running:
        assert running.post(rewritten(7).request(0))[:2] == (409, "7\n")
        assert running.post(rewritten(7).request(7))[0] == 422
        assert rutter("forget", ORIGIN, "--state", state).returncode == 0
        assert running.post(Log(ENTRIES[:7]).request(7))[0] == 200


def test_killed_at_any_moment(state, cosigner):
    """SIGKILL again and again while two histories are pushed: what all its lives cosigned is one history."""
    kill_at_any_moment(state, cosigner, random.Random(7), lives=5)


def kill_at_any_moment(state, cosigner, chance, lives):
    """Let a witness die so many times."""
    histories = [ENTRIES, [*ENTRIES[:1], *history(3, 10, b"other")[1:]]]
    seen: dict[int, bytes] = {}
    killed_before_answer = 0
    for _life in range(lives):
        with Serving(state, KEY.vkey) as running:
            threading.Timer(chance.uniform(0, 0.03), running.process.kill).start()
            try:
                for size in range(1, 30):
                    for entries in chance.sample(histories, 2):
                        log = Log(entries[:size])
                        status, recorded, _ = running.post(log.request(0))
                        if status == 409 and int(recorded) <= size:
                            status, line, _ = running.post(log.request(int(recorded)))
                        else:
                            line = recorded
                        if status == 200:
                            checkpoint, _ = open_checkpoint(log.checkpoint() + line, KEY.verifier, [cosigner])
                            assert seen.setdefault(size, checkpoint.root) == checkpoint.root
            except GONE:
                killed_before_answer += 1
        rutter("forget", ORIGIN, "--state", state)
    assert killed_before_answer
    assert any(all(seen[size] == Log(one[:size]).tree.root() for size in seen) for one in histories)


def test_the_state_is_durable_before_anything_is_signed(state, cosigner):
    """Draft, fsync, rename, fsync of the folder, and only then the signature; a first time, and a second."""
    traced = (
        "import os\nfrom events.tlog.notes import SigningKey\n"
        "from pathlib import Path\n"
        "fsync, replace, cosign = os.fsync, Path.replace, SigningKey.cosign\n"
        "say = lambda word: print(word, flush=True)\n"
        "name = lambda fd: 'folder' if os.path.isdir(f'/proc/self/fd/{fd}') else 'file'\n"
        "os.fsync = lambda fd: (fsync(fd), say('fsync ' + name(fd)))[0]\n"
        "Path.replace = lambda self, to: (replace(self, to), say('rename'))[0]\n"
        "SigningKey.cosign = lambda *a: (say('signed'), cosign(*a))[1]\n"
    )
    kept = ["fsync file", "rename", "fsync folder"]
    with Serving(state, KEY.vkey, before=traced) as running:
        for old, size, steps in ((0, 7, [*kept, *kept]), (7, 8, kept)):
            assert running.post(Log(ENTRIES[:size]).request(old))[0] == 200
            assert [running.line().strip() for _ in range(len(steps) + 1)] == [*steps, "signed"]


def test_without_its_state_it_does_not_start(state, cosigner):
    """The state of an origin that was cosigned for is deleted, or damaged: it refuses, and says why."""
    with Serving(state, KEY.vkey) as running:
        assert running.post(Log(ENTRIES[:7]).request(0))[0] == 200
        file = state / f"{hashlib.sha256(ORIGIN.encode()).hexdigest()}.json"
        kept = file.read_bytes()
        file.unlink()
        assert running.post(rewritten(7).request(0))[0] == 500  # nor does one that runs go on
    for damaged in (None, kept[:-20]):
        if damaged is not None:
            file.write_bytes(damaged)
        refused = rutter("serve", "--port", 0, "--state", state, "--log", KEY.vkey)
        assert (refused.returncode, ORIGIN in refused.stderr, "Traceback" in refused.stderr) == (
            1,
            True,
            False,
        )
    file.write_bytes(kept)
    with Serving(state, KEY.vkey) as running:
        assert running.post(rewritten(7).request(7))[0] == 422


def test_a_key_cosigns_for_one_use(state, cosigner, server):
    """A key that followed vouches for more than one to which logs push: `serve` then does not cosign with it,
    but shows the newest checkpoint and has the drop box."""
    assert rutter("follow", KEY.vkey, server.url, "--state", state, "--once").returncode == 0
    assert rutter("serve", "--port", 0, "--state", state, "--log", KEY.vkey).returncode == 1
    with Serving(state) as running:
        status, note, _ = running.get(f"/{hashlib.sha256(ORIGIN.encode()).hexdigest()}/checkpoint")
        assert (status, cosigner in open_note(note, [cosigner]).signers) == (200, True)
        assert running.post(server.log.request(7))[0] == 404
        assert running.post(Drop(ORIGIN, GAME, 1, CONTRIBUTION).text().encode(), "/drop")[0] == 200


def test_a_key_in_rotation_and_its_successor_are_both_the_logs(state, cosigner):
    newer = SigningKey(ORIGIN, bytes(range(100, 132)))
    with Serving(state, KEY.vkey, newer.vkey) as running:
        assert running.post(Log(ENTRIES[:3], KEY).request(0))[0] == 200
        assert running.post(Log(ENTRIES[:4], newer).request(3))[0] == 200


def test_the_time_never_goes_back(state, cosigner):
    """A clock that was set back an hour gives no earlier time than the last one."""
    with Serving(state, KEY.vkey) as running:
        first = running.post(Log(ENTRIES[:7]).request(0))[1]
    late = "import time\nnow = time.time\ntime.time = lambda: now() - 3600"
    with Serving(state, KEY.vkey, before=late) as running:
        second = running.post(Log(ENTRIES[:8]).request(7))[1]
    times = [
        open_note(Log(ENTRIES[:size]).checkpoint() + line, [cosigner]).signers[cosigner]
        for size, line in ((7, first), (8, second))
    ]
    assert times[0] == times[1]


def test_a_dropped_contribution_is_noted_with_its_time(serving, cosigner, clock):
    """The answer is what was posted and one more line, signed by the drop box that all who pinned the witness
    has pinned with it."""
    drop = Drop(ORIGIN, GAME, 1, CONTRIBUTION)
    clock.wait(7)
    status, note, _ = serving.post(drop.text().encode(), "/drop")
    dropped, signers = open_drop(note, [drop_box(cosigner)])
    assert (status, dropped.drop, signers) == (200, drop, [drop_box(cosigner)])
    assert dropped.time == seconds(clock)
    assert note.startswith(drop.text() + f"{dropped.time}\n\n\u2014 organiser.example/w1/drop ")
    with pytest.raises(UnsignedNote):
        open_drop(note, [cosigner])
    since, fixed = dropped.time, dropped.time + 31
    assert dropped.contradicts_missing(GAME, 1, since, fixed)
    assert not dropped.contradicts_missing(GAME, 1, since, fixed - 1)
    assert not dropped.contradicts_missing(GAME, 2, since, fixed)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, b""),
        (400, f"rutter/drop@v1\n{ORIGIN}\n{GAME}\n16\n{'00' * 32}\n".encode()),
        (400, f"rutter/drop@v1\n{ORIGIN}\n{GAME}\n01\n{'00' * 32}\n".encode()),
        (400, f"rutter/drop@v1\n{ORIGIN}\n{GAME.upper()}\n1\n{'00' * 32}\n".encode()),
        (400, f"rutter/drop@v1\n{ORIGIN}\n{GAME}\n1\n{'00' * 31}\n".encode()),
        (400, f"rutter/drop@v1\n{ORIGIN}\n{GAME}\n1\n{'00' * 32}\n1795201200\n".encode()),
        (400, f"cosignature/v1\ntime 1\n{ORIGIN}\n1\n{'00' * 32}\n".encode()),
        (400, b"x" * 2000),
        (404, f"rutter/drop@v1\nstranger.example/log\n{GAME}\n1\n{'00' * 32}\n".encode()),
    ],
)
def test_what_is_no_drop_is_refused(serving, status, body):
    assert serving.post(body, "/drop")[0] == status


def test_the_drop_box_cannot_be_filled(serving, state):
    """Nobody is answered without end, and checkpoints are cosigned all the while. The same drop is kept once,
    under its first time."""
    drop = Drop(ORIGIN, GAME, 1, CONTRIBUTION).text().encode()
    answers = [serving.post(drop, "/drop") for _ in range(100)]
    assert {200, 429} == {status for status, _, _ in answers}
    assert len({note for status, note, _ in answers if status == 200}) == 1
    assert len((state / "drops.ndjson").read_bytes().splitlines()) == 1
    assert serving.post(Log(ENTRIES[:7]).request(0))[0] == 200


def test_what_was_dropped_is_shown_to_anyone_who_collects_it(serving, cosigner):
    """By the log and the game; the notes are those that the players hold."""
    path = f"/drops/{hashlib.sha256(ORIGIN.encode()).hexdigest()}/{GAME}"
    assert serving.get(path)[:2] == (200, "")
    notes = []
    for seat in (1, 2):
        drop = Drop(ORIGIN, GAME, seat, bytes([seat]) * 32)
        notes.append(serving.post(drop.text().encode(), "/drop")[1])
    other = Drop(ORIGIN, GAME[:-1] + "2", 1, CONTRIBUTION)
    assert serving.post(other.text().encode(), "/drop")[0] == 200
    status, told, kind = serving.get(path)
    assert (status, kind) == (200, "application/x-ndjson")
    assert [json.loads(line) for line in told.splitlines()] == [
        {"kind": "drop", "note": note} for note in notes
    ]
    assert serving.get(f"/drops/{'0' * 64}/{GAME}")[:2] == (200, "")


def test_init_makes_one_private_key(tmp_path):
    """Mode 0600, never written over; a name with a space or a plus is none."""
    state = tmp_path / "deep" / "witness"
    key = make_witness(state)
    assert key.name == "organiser.example/w1"
    assert (state / "key.json").stat().st_mode & 0o777 == 0o600
    again = rutter("init", "--name", "organiser.example/w2", "--state", state)
    assert (again.returncode, again.stdout) == (1, "")
    for name in ("a b", "a+b", "", "x" * 252):
        assert rutter("init", "--name", name, "--state", tmp_path / "other").returncode == 2
    assert not (tmp_path / "other").exists()
