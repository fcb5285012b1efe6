"""`rutter verify`, `compare` and `disclose` as people call them: receipts, proofs, evidence, limits."""

import json
import os
import resource
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from events.base.timestamps import parse_timestamp, whole_seconds
from events.proof import canonical
from events.proof.beacon import MICROS_PER_SECOND
from events.tlog import drops, leaves
from events.tlog.checkpoints import Checkpoint, Proof
from events.tlog.drops import Drop
from events.tlog.notes import COSIGNATURE, SigningKey, sign_receipt
from events.tlog.tree import MemoryTree, inclusion_proof, leaf_hash
from ops import cli
from tests.events.forging import ORIGIN, SIGNER, STRANGER, Forgery, Table, contribution

ROOT = Path(__file__).resolve().parents[2]
WITNESSES = [SigningKey(f"organiser.example/w{n}", bytes([n + 1]) * 32, COSIGNATURE) for n in range(3)]
SUMMARY = (
    *("kind", "events", "rules", "randomness", "draws", "bots", "moves", "people", "signer"),
    *("receipts", "log", "result"),
)


KEY = ("--key", SIGNER.vkey)


def rutter(*words):
    """Exit status and all that was said; a traceback is never one of both."""
    result = CliRunner().invoke(cli.rutter, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@cache
def game():
    """A whole game of two persons who contributed, and the copy of seat 0 on the way."""
    table = Table(seats=(None, None), commits=[0, 1], reveals=[0, 1]).begin()
    copy = tuple(table.play(4).lines(0))
    return table.play(), copy


@cache
def fork():
    """Another history of the same game, from its third move on."""
    seen = []

    def think(table, move):
        seen.append(1)
        if len(seen) != 3:
            return move
        seat, command, run = move
        other = next(c for c in table.title.legal(table.game.state, seat) if c != command)
        return seat, other, run

    table = Table(seats=(None, None), commits=[0, 1], reveals=[0, 1], think=think).begin()
    return table.play()


@pytest.fixture
def bundle(files):
    return files("whole.ndjson", game()[0].lines())


def held(*notes):
    return [canonical.encode({"kind": "receipt", "note": note}) + b"\n" for note in notes]


def receipt(table, n, key=SIGNER, **other):
    """A receipt for event *n* of a game."""
    record = table.records[n - 1]
    told = {"game": table.game.id, "head": record.hash, "cmd": record.command_id, **other}
    told.setdefault("time", whole_seconds(record.envelope().at))
    return sign_receipt(key, told["game"], n, told["head"], told["cmd"], told["time"])


# --- the summary -------------------------------------------------------------------------------------


def test_the_summary_has_its_lines(bundle):
    """Every line is always there, in one order, whatever there is to say."""
    status, said = rutter("verify", bundle, "--key", SIGNER.vkey)
    assert status == 0
    first, *rest = said.splitlines()
    assert first == f"OK: example 1, game {game()[0].game.id} (whole game)"
    assert tuple(line[:16].strip() for line in rest) == SUMMARY
    assert "contributions of seats 0, 1; no director; no beacon" in said


def test_json_has_stable_keys(bundle):
    """The same as one object."""
    status, said = rutter("verify", bundle, "--key", SIGNER.vkey, "--json")
    assert status == 0
    told = json.loads(said)
    assert told["pinned"] is True
    assert told["randomness"]["contributed"] == [0, 1]
    assert {"events", "head", "kind", "public_draws", "receipts", "logged", "winners", "unchecked"} <= set(
        told
    )


def test_usage(bundle):
    """An unknown requirement, a key that is none, a file that is not there: exit status 2."""
    for words in (("--require", "luck"), ("--key", "xyz"), ("--key", "a+b+c"), ("--revoked", "x@1")):
        assert rutter("verify", bundle, *words)[0] == 2
    assert rutter("verify", bundle.parent / "none.ndjson")[0] == 2
    assert rutter("verify", bundle, "--policy", bundle)[0] == 2


# --- receipts ----------------------------------------------------------------------------------------


def test_receipts_that_agree(bundle, files):
    """Receipts of this game agree; others are counted and said; a bundle is a file of receipts too."""
    table = game()[0]
    own = [receipt(table, n) for n in (3, len(table.records))]
    foreign = receipt(table, 3, key=STRANGER)
    elsewhere = receipt(table, 3, game="76d3ef5e-2ae3-50b0-9325-12b9ce7d9791")
    kept = files("kept.ndjson", held(*own, foreign, elsewhere))
    status, said = rutter("verify", bundle, "--key", SIGNER.vkey, "--receipts", kept, "--receipts", bundle)
    assert (status, "3 agree, 1 of other games, 1 of unknown keys" in said) == (0, True), said
    status, said = rutter("verify", bundle, "--key", SIGNER.vkey, "--require", "receipts")
    assert (status, "receipts: no receipt of this game by a known key was given (--receipts" in said) == (
        3,
        True,
    )
    assert rutter("verify", bundle, "--key", SIGNER.vkey, "--require", "receipts", "--receipts", kept)[0] == 0


def test_a_receipt_with_a_bit_changed(bundle, files):
    """A receipt under our key whose signature does not hold is no receipt."""
    note = receipt(game()[0], 5)
    kept = files("kept.ndjson", held(note.replace("\n5\n", "\n6\n")))
    assert rutter("verify", bundle, "--key", SIGNER.vkey, "--receipts", kept)[0] == 1
    nonsense = files("nonsense.ndjson", [b"nothing\n"])
    assert rutter("verify", bundle, "--key", SIGNER.vkey, "--receipts", nonsense)[0] == 2


def contradicted(bundle, files, note, tmp_path, *words):
    """The evidence that `verify` writes about a receipt which contradicts the bundle proves it alone."""
    kept, out = files("kept.ndjson", held(note)), tmp_path / "evidence.ndjson"
    key = ("--key", SIGNER.vkey)
    status, said = rutter("verify", bundle, *key, "--receipts", kept, "--evidence", out, *words)
    assert (status, said.startswith("EQUIVOCATION: event ")) == (4, True), said
    assert b'"parts"' not in out.read_bytes()
    status, again = rutter("verify", out, *key)
    assert (status, again.startswith("EQUIVOCATION: event ")) == (4, True), again
    assert rutter("verify", out, "--key", STRANGER.vkey)[0] == 1
    assert rutter("verify", out)[0] == 3
    return said


def test_a_history_that_was_written_again(files, tmp_path):
    """A player's receipt names another hash than the bundle: both statements are of one key."""
    bundle = files("other.ndjson", fork().lines())
    assert rutter("verify", bundle, "--key", SIGNER.vkey)[0] == 0
    for n in (30, len(game()[0].records)):
        contradicted(bundle, files, receipt(game()[0], n), tmp_path)


@pytest.mark.parametrize("late", [1, -1, 3600, 10**9])
def test_a_receipt_is_dated_by_its_event(bundle, files, late):
    """Another time would put off the deadline by which the event must be in the log."""
    table = game()[0]
    time = whole_seconds(table.game.at) + late
    status, said = rutter("verify", files("late.ndjson", Forgery(table.lines()).lines(time=time)), *KEY)
    assert status == 1
    assert (
        said == f"BAD: event {table.game.seq}: the receipt is not dated by the event: its time is another\n"
    )
    kept = files("kept.ndjson", held(receipt(table, 20, time=whole_seconds(table.records[19].envelope().at))))
    assert rutter("verify", bundle, *KEY, "--receipts", kept)[0] == 0
    kept = files("kept.ndjson", held(receipt(table, 20, time=time)))
    status, said = rutter("verify", bundle, *KEY, "--receipts", kept)
    assert (status, said.startswith("BAD: event 20: a receipt that was given is not dated by")) == (1, True)


def test_a_receipt_for_another_command(bundle, files):
    """It names the command of its event."""
    kept = files("kept.ndjson", held(receipt(game()[0], 20, cmd=game()[0].records[4].command_id)))
    status, said = rutter("verify", bundle, *KEY, "--receipts", kept)
    assert (status, said) == (1, "BAD: event 20: a receipt that was given names another command\n")


def test_a_deadline_is_a_minute_after_the_time(bundle, files):
    """A longer one is no receipt, even if it is signed."""
    table = game()[0]
    text = receipt(table, 20).split("\n\n")[0] + "\n"
    lines = text.split("\n")
    lines[7] = str(int(lines[7]) + 3600)
    kept = files("kept.ndjson", held(SIGNER.sign("\n".join(lines))))
    status, said = rutter("verify", bundle, *KEY, "--receipts", kept)
    assert (status, "the receipt's deadline is not 60 seconds after its time" in said) == (1, True), said


def test_a_receipt_beyond_the_end(bundle, files, tmp_path):
    """A whole game that ends before what was acknowledged; of a copy it is only said to be too old."""
    n = len(game()[0].records) + 7
    note = sign_receipt(SIGNER, game()[0].game.id, n, b"x" * 32, game()[0].records[-1].command_id, 1)
    contradicted(bundle, files, note, tmp_path)
    copy = files("copy.ndjson", game()[1])
    kept = files("kept.ndjson", held(receipt(game()[0], n - 8)))
    status, said = rutter("verify", copy, "--partial", "--key", SIGNER.vkey, "--receipts", kept)
    assert (status, "the copy ends before event" in said) == (1, True)


def test_a_reveal_that_is_called_missing(files, tmp_path):
    """A player revealed and holds the receipt; the bundle says that the reveal never came."""
    revealed = game()[0]
    n = next(n for n, record in enumerate(revealed.records, 1) if record.type == "SeatRevealed")
    missing = Table(seats=(None, None), commits=[0, 1], reveals=[1]).begin().play()
    bundle = files("missing.ndjson", missing.lines())
    status, said = rutter("verify", bundle, "--key", SIGNER.vkey)
    assert (status, "withheld by 0" in said) == (0, True)
    contradicted(bundle, files, receipt(revealed, n), tmp_path)


def test_a_card_exchanged_after_the_receipt(files, tmp_path):
    """Hidden parts made again before the end: the receipt from before speaks before the rules do."""
    table = game()[0]
    forgery = Forgery(table.lines())
    index = forgery.index("SailsDealt")
    (name,) = forgery.events[index]["parts"]
    part = forgery.events[index]["parts"][name]["body"]
    forgery.part(index, name, {"sails": [*part["sails"][::-1], 1]})
    bundle = files("forged.ndjson", forgery.lines())
    status, said = rutter("verify", bundle, "--key", SIGNER.vkey)
    assert (status, f"BAD: event {index + 1}" in said) == (1, True)
    contradicted(bundle, files, receipt(table, index + 1), tmp_path)


# --- compare -----------------------------------------------------------------------------------------


def test_compare_finds_one_history(bundle, files):
    """A copy of yesterday and the bundle of today."""
    copy = files("copy.ndjson", game()[1])
    for words in ((copy, bundle), (bundle, copy)):
        status, said = rutter("compare", *words, "--key", SIGNER.vkey)
        assert (status, "is an earlier copy of" in said) == (0, True)
    assert rutter("compare", bundle, bundle, "--key", SIGNER.vkey)[0] == 0
    assert rutter("compare", bundle, bundle)[0] == 3
    status, said = rutter("compare", copy, bundle, "--key", SIGNER.vkey, "--json")
    assert json.loads(said)["common"] == len(game()[1]) - 2
    other = files("other.ndjson", Table().begin().play().lines())
    assert rutter("compare", bundle, other, "--key", SIGNER.vkey)[0] == 1


def test_compare_finds_two_histories(bundle, files, tmp_path):
    """Two signed histories: the first event that differs is named, the evidence proves it to strangers."""
    other, out = files("other.ndjson", fork().lines()), tmp_path / "evidence.ndjson"
    a, b = game()[0].records, fork().records
    first = next(n for n, (x, y) in enumerate(zip(a, b, strict=False), 1) if x.hash != y.hash)
    status, said = rutter("compare", bundle, other, "--key", SIGNER.vkey, "--evidence", out)
    assert (status, f"event {first}: " in said) == (4, True)
    assert all(word in said for word in (a[first - 1].type, a[first - 1].hash.hex(), b[first - 1].hash.hex()))
    assert rutter("verify", out, "--key", SIGNER.vkey)[0] == 4
    lines = out.read_bytes().splitlines(keepends=True)
    ends = next(n for n, line in enumerate(lines) if b'"kind":"receipt"' in line)
    for damaged in (
        lines[:-1],
        lines[: ends + 1] * 2,
        [lines[0], *lines[1 : ends + 1], *lines[1 : ends + 1]],
        [lines[0].replace(b'"n":', b'"n": '), *lines[1:]],
        [*lines, lines[-1]],
    ):
        assert rutter("verify", files("damaged.ndjson", damaged), "--key", SIGNER.vkey)[0] == 1


# --- disclose ----------------------------------------------------------------------------------------


def test_one_part_is_opened(bundle, files):
    """A director is shown one part of one seat, which they check against the log, and nothing else."""
    records = game()[0].records
    n = next(r.seq for r in records if "p1" in r.parts)
    result = CliRunner().invoke(cli.rutter, ["disclose", str(bundle), "--seat", "1", "--events", str(n)])
    assert result.exit_code == 0
    shown = files("shown.ndjson", [result.stdout_bytes])
    status, said = rutter("verify", shown, "--partial", "--key", SIGNER.vkey)
    assert (status, f"parts opened   p1 of event {n} ({records[n - 1].type})" in said) == (0, True), said
    assert result.stdout.count('"salt"') == 1
    damaged = result.stdout.replace('"sails":[', '"sails":[9,')
    assert damaged != result.stdout
    assert rutter("verify", files("x.ndjson", [damaged.encode()]), "--partial", "--key", SIGNER.vkey)[0] == 1
    everything = CliRunner().invoke(cli.rutter, ["disclose", str(bundle), "--seat", "1"])
    all_of_it = files("all.ndjson", [everything.stdout_bytes])
    assert "all parts of seat 1" in rutter("verify", all_of_it, "--partial", "--key", SIGNER.vkey)[1]
    assert rutter("disclose", bundle, "--seat", "1", "--events", "1")[0] == 1
    assert rutter("disclose", bundle, "--seat", "1", "--events", "x")[0] == 2


# --- proofs and policies -----------------------------------------------------------------------------


def ends(table):
    records = table.records
    return [
        (record.seq, record.hash)
        for record, after in zip(records, [*records[1:], None], strict=True)
        if after is None or after.command_id != record.command_id
    ]


class Log:
    """A small log of all games with one game in it."""

    def __init__(self, table, entries=None, others=3):
        made = entries or leaves.make_entries(table.game.id, ends(table))
        self.tree = MemoryTree([leaf_hash(b"other %d" % n) for n in range(others)])
        self.first = others
        for entry in made:
            self.tree.add(leaf_hash(entry))
        self.numbers = [n for n, _ in ends(table)]

    def proof(self, n, cosigned=2, key=SIGNER, at=1_800_000_100):
        size = len(self.tree)
        text = Checkpoint(ORIGIN, size, self.tree.root()).text()
        times = at if isinstance(at, tuple) else (at,) * cosigned
        note = key.sign(text) + "".join(
            one.cosign(text, when) for one, when in zip(WITNESSES, times, strict=False)
        )
        index = self.first + self.numbers.index(n)
        return Proof(index, tuple(inclusion_proof(self.tree.read, index, size)), note).text()


def policy(quorum="most", log=SIGNER):
    lines = [f"log {log.vkey}"]
    lines += [f"witness w{n} {key.vkey}" for n, key in enumerate(WITNESSES)]
    return [f"{line}\n".encode() for line in (*lines, "group most 2 w0 w1 w2", f"quorum {quorum}")]


def proven(table, *proofs):
    return [*table.lines(), *(proof_line(n, text) for n, text in proofs)]


def proof_line(n, text):
    return canonical.encode({"kind": "proof", "n": n, "proof": text}) + b"\n"


def test_a_proof_that_holds(files):
    """The last event stands in the log of all games, in the eyes of a quorum."""
    table = game()[0]
    log, n = Log(table), len(table.records)
    trusted = files("policy", policy())
    bundle = files("proven.ndjson", proven(table, (n, log.proof(n))))
    status, said = rutter("verify", bundle, "--policy", trusted, "--require", "log")
    assert (status, "quorum holds (2 of 3), earliest 2027-01-15T08:01:40Z" in said) == (0, True), said
    assert f"leaf {len(log.tree) - 1} of {len(log.tree)}" in said
    status, said = rutter("verify", bundle, "--key", SIGNER.vkey)
    assert (status, "no policy says" in said) == (0, True)
    assert rutter("verify", bundle)[0] == 3
    without = files("without.ndjson", table.lines())
    assert rutter("verify", without, "--policy", trusted)[0] == 3
    assert rutter("verify", without, "--policy", trusted, "--require", "log")[0] == 1
    assert rutter("verify", bundle, "--policy", files("strange", policy(log=STRANGER)))[0] == 1


def test_proofs_that_do_not_hold(files):
    """Another event, another spelling, too many hashes, another game's leaf, no quorum, one witness twice."""
    table = game()[0]
    log, n = Log(table), len(table.records)
    good, before = log.proof(n), log.proof(log.numbers[-2])
    note = good.partition("\n\n")[2]
    twice = good + good.splitlines(keepends=True)[-1]
    trusted = files("policy", policy())
    bad = {
        "another event": before,
        "another spelling": good.replace("index ", "index 0", 1),
        "too many hashes": good.replace("\n\n", "\n" + ("A" * 43 + "=\n") * 64 + "\n", 1),
        "no quorum": log.proof(n, cosigned=1),
        "one witness twice": twice,
        "an unknown log": log.proof(n, key=STRANGER),
        "another line": good.replace("\n\n", "\nextra AAAA\n\n", 1),
        "a checkpoint alone": note,
        "another game's leaf": Log(Table().begin().play()).proof(37),
    }
    for name, text in bad.items():
        bundle = files("bad.ndjson", proven(table, (n, text)))
        status, said = rutter("verify", bundle, "--policy", trusted)
        assert (status, said.count("\n")) == (1, 1), name
    for wrong in ([(n, good), (n, good)], [(n, good), (5, before)], [(n + 1, good)], [(n - 1, good)]):
        assert rutter("verify", files("bad.ndjson", proven(table, *wrong)), "--policy", trusted)[0] == 1


@pytest.mark.parametrize(("token", "wanted"), [("AAAA", 3), ("x", 1), ("", 1), ("AAAB=", 1), ("AAA=\n", 1)])
def test_timestamps(files, token, wanted):
    """A timestamp is base64 and of a proof that is there; none is called good that could not be checked."""
    table = game()[0]
    last = len(table.records)
    stamp = canonical.encode({"kind": "timestamp", "n": last, "token": token}) + b"\n"
    bundle = files("stamped.ndjson", [*proven(table, (last, Log(table).proof(last))), stamp])
    status, said = rutter("verify", bundle, "--key", SIGNER.vkey)
    assert (status, "timestamps cannot be checked" in said) == (wanted, wanted == 3), said


def test_two_histories_in_one_log(files):
    """The log holds one history, then another chained on: the bundle of the second makes other entries."""
    one, two = game()[0], fork()
    common = [end for end in ends(one) if end in ends(two)]
    chained = leaves.make_entries(one.game.id, ends(one)[: len(common) + 1])
    for n, head in ends(two)[len(common) :]:
        chained.append(leaves.make_entry(leaves.log_name(one.game.id), n, head, chained[-1]))
    log = Log(two, chained)
    log.numbers = [*[n for n, _ in ends(one)[: len(common) + 1]], *[n for n, _ in ends(two)[len(common) :]]]
    n = len(two.records)
    trusted = files("policy", policy())
    assert rutter("verify", files("a", proven(two, (n, log.proof(n)))), "--policy", trusted)[0] == 1
    assert rutter("verify", files("b", proven(two, (n, Log(two).proof(n)))), "--policy", trusted)[0] == 0


def test_a_revoked_key(files):
    """What a stolen key signed counts only where the log held it, as a quorum saw, before the theft."""
    table = game()[0]
    log, n = Log(table), len(table.records)
    trusted = files("policy", policy())
    index = len(log.tree) - 1
    bundle = files("proven.ndjson", proven(table, (n, log.proof(n))))
    bare = files("bare.ndjson", table.lines())
    for file, size, wanted in ((bare, index + 1, 1), (bundle, index, 1), (bundle, index + 1, 0)):
        words = ("--policy", trusted, "--revoked", f"{SIGNER.vkey}@{size}")
        assert rutter("verify", file, *words)[0] == wanted


def test_a_successor(files):
    """A log that was lost is succeeded by another, which signs for games begun under the old name."""
    new = SigningKey("rutter.example/log2", b"2" * 32)
    forgery = Forgery(game()[0].lines())
    forgery.header["origin"] = new.name
    bundle = files("succeeded.ndjson", forgery.lines(key=new))
    assert rutter("verify", bundle, "--key", new.vkey)[0] == 1
    assert rutter("verify", bundle, "--key", SIGNER.vkey)[0] == 1
    words = ("--key", SIGNER.vkey, "--successor", f"{SIGNER.vkey}={new.vkey}")
    assert rutter("verify", bundle, *words)[0] == 0


def test_a_policy_without_quorum_judges_nothing(files):
    """It pins the log, and says nothing of cosignatures: what it cannot judge does not hold by it."""
    table = game()[0]
    n = len(table.records)
    none = files("none", policy(quorum="none"))
    for lines in (
        proven(table, (n, Log(table).proof(n))),
        proven(table, (n, Log(table).proof(n, cosigned=0))),
    ):
        bundle = files("proven.ndjson", lines)
        status, said = rutter("verify", bundle, "--policy", none)
        assert (status, "not judged: no policy says whose cosignatures count" in said) == (0, True), said
        status, said = rutter("verify", bundle, "--policy", none, "--require", "log")
        assert (status, "not checked    log: no policy with a quorum was given (--policy" in said) == (
            3,
            True,
        )
        assert rutter("verify", bundle, "--policy", none, "--revoked", f"{SIGNER.vkey}@999")[0] == 1
    assert rutter("verify", files("bare.ndjson", table.lines()), "--policy", none)[0] == 0


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text.decode().encode("utf-16"),
        lambda text: text.replace(b"quorum", b"# \xc2\x85quorum none\nquorum"),
        lambda text: text + b"#" * (1 << 20),
    ],
    ids=["CR LF", "BOM", "UTF-16", "next line", "too long"],
)
def test_policies_that_readers_may_read_otherwise(bundle, files, spoilt):
    """Exit status 2, and the line: no reader splits such a file as another one does."""
    text = b"".join(policy())
    status, said = rutter("verify", bundle, "--policy", files("spoilt", [spoilt(text)]))
    assert (status, "Invalid value for --policy" in said) == (2, True), said


NEW = SigningKey("rutter.example/log2", b"2" * 32)
THIRD = SigningKey("rutter.example/log3", b"3" * 32)
TAKEN = ("--successor", f"{SIGNER.vkey}={NEW.vkey}", "--successor", f"{NEW.vkey}={THIRD.vkey}")


def succeeded(table, key, lines=None):
    """The bundle of a game as a log that succeeded the first one signs it."""
    forgery = Forgery(lines or table.lines())
    forgery.header["origin"] = key.name
    return forgery.lines(key=key)


@pytest.mark.parametrize("whole", [True, False])
def test_a_receipt_of_another_log_convicts_nobody(bundle, files, whole):
    """A liar's log stands in the same policy: what it says of this game says nothing of the honest log."""
    liar = SigningKey("liar.example/log", b"liar".ljust(32, b"."))
    policy = files("policy", [f"log {SIGNER.vkey}\nlog {liar.vkey}\nquorum none\n".encode()])
    last = len(game()[0].records)
    lies = [receipt(game()[0], 30, key=liar, head=bytes(32)), receipt(game()[0], last, key=liar)]
    lies.append(
        sign_receipt(liar, game()[0].game.id, last + 9, bytes(32), game()[0].records[-1].command_id, 1)
    )
    kept = files("kept.ndjson", held(*lies, receipt(game()[0], 9)))
    file = bundle if whole else files("copy.ndjson", game()[1])
    out = file.with_name("evidence")
    words = ("--policy", policy, "--receipts", kept, "--evidence", out, "--partial")
    status, said = rutter("verify", file, *words)
    assert (status, "receipts       1 agree, 3 of other logs" in said) == (0, True), said
    assert not out.exists()
    only = files("only.ndjson", held(*lies))
    status, said = rutter("verify", file, *words[:3], only, "--partial", "--require", "receipts")
    assert (status, "not checked    receipts: " in said) == (3, True), said


@pytest.mark.parametrize("key", [NEW, THIRD], ids=["succeeded", "twice"])
def test_evidence_over_a_succession(files, tmp_path, key):
    """Acknowledged by the lost log, denied by the one that took over: the evidence proves it alone."""
    denied = files("denied.ndjson", succeeded(fork(), key))
    kept, out = files("kept.ndjson", held(receipt(game()[0], 30))), tmp_path / "evidence.ndjson"
    pinned = ("--key", SIGNER.vkey)
    status, said = rutter("verify", denied, *pinned, *TAKEN, "--receipts", kept, "--evidence", out)
    assert (status, said) == (4, "EQUIVOCATION: event 30: was acknowledged with another hash\n"), said
    status, said = rutter("verify", out, *pinned, *TAKEN)
    assert (status, said.startswith("EQUIVOCATION: event 30: ")) == (4, True), said
    status, said = rutter("verify", out, *pinned, "--key", key.vkey)
    assert status == 1, "without the succession nothing binds one log to what the other said"
    both = files("policy", [f"log {SIGNER.vkey}\nlog {key.vkey}\nquorum none\n".encode()])
    status, said = rutter("verify", out, "--policy", both)
    assert (status, "--successor OLD=NEW" in said) == (1, True), said
    honest = files("honest.ndjson", succeeded(game()[0], key))
    assert "1 agree" in rutter("verify", honest, *pinned, *TAKEN, "--receipts", kept)[1]


def test_copies_are_compared_over_a_succession(files, tmp_path):
    """A copy from before and the whole game from after are one history, or the later log is convicted."""
    copy, out = files("copy.ndjson", game()[1]), tmp_path / "evidence.ndjson"
    honest, denied = (files(f"{n}.ndjson", succeeded(one, NEW)) for n, one in enumerate((game()[0], fork())))
    words = ("--key", SIGNER.vkey, *TAKEN)
    assert rutter("compare", copy, honest, *words)[0] == 0
    assert rutter("compare", honest, copy, *words)[0] == 0
    for pair in ((copy, denied), (denied, copy)):
        assert rutter("compare", *pair, *words, "--evidence", out)[0] == 4
        assert rutter("verify", out, *words)[0] == 4
    both = files("policy", [f"log {SIGNER.vkey}\nlog {NEW.vkey}\nquorum none\n".encode()])
    status, said = rutter("compare", copy, denied, "--policy", both)
    assert (status, "bundles of two logs" in said) == (1, True), said


# --- limits ------------------------------------------------------------------------------------------


def _limited():
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def creation(**changes):
    """A signed bundle whose creation is changed."""
    forgery = Forgery(game()[0].lines())
    data = forgery.events[0]["body"]["data"]
    for name, value in changes.items():
        if name == "s_0":
            data["chance"]["s_0"] = value
        else:
            data[name] = value
    return forgery.lines()


def draws(of):
    forgery = Forgery(game()[0].lines())
    for body in forgery.batches():
        for draw in body.get("draws", {}).get("public", ()):
            draw["of"] = [of]
    return forgery.lines()


MONSTERS = {
    "no hex": lambda: creation(s_0="xyz"),
    "seats": lambda: creation(seats=10**9),
    "draws": lambda: creation(draws=2**40),
    "no bound": lambda: draws(0),
    "great bound": lambda: draws(2**64 + 1),
    "brackets": lambda: [b"[" * 100_000 + b"\n"],
    "brackets in a body": lambda: [
        line.replace(b'\\"options\\":{}', b'\\"options\\":' + b"[" * 100_000 + b"]" * 100_000)
        for line in game()[0].lines()
    ],
    "escapes": lambda: [game()[0].lines()[0], b'{"body":"' + b'\\"' * 500_000 + b"\n"],
    "many lines": lambda: [b"{}\n"] * 400_000,
    "a great file": lambda: [b'{"body":"' + b"x" * 1_000_000 + b'"}\n'] * 260,
    "a long line": lambda: [b"{" + b" " * 50_000_000 + b"}\n"],
}


def _deep():
    forgery = Forgery(game()[0].lines())
    text = canonical.encode(forgery.events[0]["body"]).decode()
    forgery.texts[0] = text.replace('"options":{}', f'"options":{"[" * 100_000}{"]" * 100_000}')
    return forgery.lines()


MONSTERS["brackets in an option"] = _deep


@pytest.mark.slow
@pytest.mark.parametrize("name", MONSTERS)
def test_monsters(files, name):
    """In two gibibytes and twenty seconds there is one line that says what is bad, and no traceback."""
    file = files("monster.ndjson", MONSTERS[name]())
    done = subprocess.run(
        [sys.executable, "-P", "-m", "ops", "verify", str(file), "--key", SIGNER.vkey],
        env={
            "PYTHONPATH": str(ROOT),
            "PATH": os.environ["PATH"],
            "RUTTER_EXTRA_TITLES": "tests.titles.example",
        },
        preexec_fn=_limited,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, ""), done.stderr[-300:]
    assert done.stderr.startswith("BAD: ")
    assert done.stderr.count("\n") == 1


# --- drop boxes ----------------------------------------------------------------------------------------


def test_a_reveal_that_a_witness_had_in_time(files):
    """A seat is called missing, though the drop box of a pinned witness signed its reveal in time.

    Only what the seat had committed to counts, for anybody can drop anything, only of a known witness, and
    only after the last seat was taken: before that nobody may reveal.
    """
    table = Table(seats=(None, None), commits=[0, 1], reveals=[1]).begin().play()
    lines = table.lines()
    bundle, trusted = files("missing.ndjson", lines), files("policy", policy(quorum="none"))
    begun = next(record for record in table.records if record.type == "TableBegun")
    fixed = parse_timestamp(begun.envelope().at) // MICROS_PER_SECOND
    box = SigningKey(f"{WITNESSES[0].name}/drop", bytes([1]) * 32)
    unknown = SigningKey("somebody.example/drop", bytes([9]) * 32)
    own = Drop(ORIGIN, table.game.id, 0, contribution(0))
    another = Drop(ORIGIN, table.game.id, 0, b"x" * 32)

    def judged(drop, key=box, before=40):
        note = drops.sign(key, drop, fixed - before)
        kept = files("drops.ndjson", [canonical.encode({"kind": "drop", "note": note}) + b"\n"])
        words = ("--key", SIGNER.vkey, "--policy", trusted, "--receipts", kept)
        return rutter("verify", bundle, *words), rutter(
            "verify", bundle, *words, "--require", "contributions"
        )

    (status, said), (required, why) = judged(own)
    assert (status, required) == (3, 1), said
    assert "withheld although dropped at organiser.example/w0" in said
    assert "withheld although dropped" in why
    other_log = Drop("other.example/log", table.game.id, 0, contribution(0))
    harmless = [judged(another), judged(own, unknown), judged(own, before=10), judged(own, before=3600)]
    seated = max(n for n, record in enumerate(table.records) if record.type == "SeatTaken")
    full = whole_seconds(table.records[seated].envelope().at)
    harmless += [judged(own, before=fixed - full + 1), judged(other_log)]
    assert all("although dropped" not in found[1] and found[0] == 0 for found, _ in harmless), harmless
    assert "although dropped" in judged(own, before=fixed - full)[0][1]
