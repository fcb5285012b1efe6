"""Receipts and bundles that a stranger holds against a log: what convicts it, and what says nothing of it."""

import gzip
import json
from functools import cache

import pytest

from events.tlog import leaves
from events.tlog.notes import SigningKey, sign_receipt
from tests.events.forging import SIGNER, STRANGER, Forgery, Table
from tests.tree.test_audit import CMD, GAME, KEY, NOW, WITNESS, audit, honest, kept, others, receipt, serve
from tests.tree.test_audit import now as fixed_time
from tests.tree.test_succession import OLD, last, succeeding

__all__ = ["fixed_time", "serve"]

OTHER = SigningKey("liar.example/log", b"liar".ljust(32, b"."))
TAKEN = ("--successor", f"{OLD.vkey}={KEY.vkey}")


@pytest.fixture
def policy(tmp_path):
    """``(*keys of logs) -> the file of a policy with one witness``."""

    def write(*logs):
        path = tmp_path / "policy"
        named = "".join(f"log {key.vkey}\n" for key in logs)
        path.write_text(f"{named}witness w1 {WITNESS.vkey}\nquorum w1\n")
        return path

    return write


def signed(key, n, digest, time):
    """The line of a receipt."""
    return {"kind": "receipt", "note": sign_receipt(key, GAME, n, digest, CMD, time)}


def test_a_receipt_of_another_log_convicts_nobody(serve, tmp_path, policy):
    """A policy names both logs; a liar's receipt for the same game says nothing of the honest one."""
    ends, mine = honest()
    log = serve(mine)
    log.cosigned = NOW
    false = [signed(OTHER, ends[1][0], bytes(32), NOW - 3600), signed(OTHER, 99, bytes(32), NOW - 3600)]
    held = kept(tmp_path / "held", *false, receipt(*ends[1], 3600))
    told = audit(log.url, "--policy", policy(KEY, OTHER), "--receipts", held, "--json")
    assert told.exit_code == 0, told.output
    counted = json.loads(told.output)["receipts"]
    assert (counted["of other logs"], counted["logged"]) == (2, 1)
    own = kept(tmp_path / "own", signed(KEY, 99, bytes(32), NOW - 3600))
    assert audit(log.url, "--policy", policy(KEY, OTHER), "--receipts", own).exit_code == 4


@pytest.mark.parametrize(
    ("cosigned", "time", "wanted", "said"),
    [
        (NOW, NOW - 61, 4, "OMISSION"),
        (NOW, NOW - 60, 0, "1 not yet due"),
        (NOW - 100, NOW - 60, 0, "1 not yet due"),
        (NOW - 100, NOW - 61, 3, "should have been in the log 1 s ago"),
        (NOW - 100, NOW - 3600, 4, "OMISSION"),
        (NOW, NOW + 61, 3, "is dated 61 s ahead of this clock"),
        (NOW, NOW + 10**9, 3, "ahead of this clock"),
    ],
)
def test_nothing_is_not_yet_due_behind_its_deadline(serve, tmp_path, policy, cosigned, time, wanted, said):
    """An old checkpoint, or a receipt of the future, puts no deadline off."""
    log = serve(honest()[1])
    log.cosigned = cosigned
    held = kept(tmp_path / "held", signed(KEY, 99, bytes(32), time))
    told = audit(log.url, "--policy", policy(KEY), "--receipts", held)
    assert (told.exit_code, said in told.output) == (wanted, True), told.output
    assert ("not yet due" in told.output) == (wanted == 0)


def test_a_policy_without_quorum_judges_nothing(serve, tmp_path):
    """It is not said that a quorum holds."""
    log = serve(honest()[1])
    log.cosigned = NOW
    for text, wanted in (("quorum none\n", "not judged"), ("quorum w1\n", "holds (1 of 1 witnesses)")):
        path = tmp_path / "policy"
        path.write_text(f"log {KEY.vkey}\nwitness w1 {WITNESS.vkey}\n{text}")
        told = audit(log.url, "--policy", path)
        assert (told.exit_code, f"quorum         {wanted}" in told.output) == (0, True), told.output


# --- bundles -----------------------------------------------------------------------------------------------


@cache
def table():
    """A whole game."""
    return Table().begin().play()


def entries(records, game):
    """The entries of a game in the log."""
    ends = [
        (one.seq, one.hash)
        for one, after in zip(records, [*records[1:], None], strict=True)
        if after is None or after.command_id != one.command_id
    ]
    return leaves.make_entries(game.id, ends)


def behind(mine, game):
    """An entry that follows on the last of a game."""
    n = json.loads(mine[-1])["n"]
    return leaves.make_entry(leaves.log_name(game.id), n + 2, bytes(32), mine[-1])


def test_entries_behind_the_end_of_a_game(serve, tmp_path):
    """The log signed that the game ended, and goes on with it: that convicts it."""
    game, mine = table().game, entries(table().records, table().game)
    whole = tmp_path / "whole.ndjson"
    whole.write_bytes(b"".join(table().lines()))
    words = ("--key", SIGNER.vkey, "--bundle", whole)
    told = audit(serve([*others(3), *mine], key=SIGNER).url, *words)
    assert (told.exit_code, f"{len(mine)} of its {len(mine)} entries are logged" in told.output) == (0, True)
    out = tmp_path / "evidence"
    log = serve([*others(3), *mine, behind(mine, game)], key=SIGNER)
    told = audit(log.url, *words, "--evidence", out)
    assert told.exit_code == 4, told.output
    assert f"1 entry behind event {game.seq}, which ended game {game.id}" in told.output
    evidence = json.loads(out.read_text())
    assert (evidence["kind"], len(evidence["entries"])) == ("equivocation", 1)
    assert json.loads(evidence["closing"])["t"] == "TableClosed"
    # Signed by somebody else such a file says nothing of this log, but something is wrong.
    whole.write_bytes(b"".join(Forgery(table().lines()).lines(STRANGER)))
    told = audit(log.url, *words)
    assert (told.exit_code, told.output[:5], "1 entry behind" in told.output) == (1, "BAD: ", True)


def test_entries_behind_the_end_of_a_copy(serve, tmp_path):
    """A game that goes on has more entries than an earlier copy of it: that is as it should be."""
    mine = entries(table().records, table().game)
    copy = tmp_path / "copy.ndjson"
    copy.write_bytes(b"".join(Table().begin().play(4).lines(0)))
    told = audit(serve([*mine], key=SIGNER).url, "--key", SIGNER.vkey, "--bundle", copy)
    assert (told.exit_code, f"entries are logged, {len(mine)} in all" in told.output) == (0, True), (
        told.output
    )


@pytest.mark.parametrize(
    ("altered", "status", "said"),
    [
        (gzip.compress, 2, "CANNOT READ: the bundle: the file is packed"),
        (lambda raw: raw.replace(b"\n", b"\r\n"), 2, "CANNOT READ: the bundle: line 1 ends with CR LF"),
        (
            lambda raw: raw.replace(b"bundle/2", b"bundle/3", 1),
            3,
            "CANNOT CHECK: the bundle: the file has the",
        ),
        (lambda raw: raw[: len(raw) // 2], 1, "BAD: the bundle: "),
    ],
)
def test_a_bundle_that_is_not_as_it_was_sent(serve, tmp_path, altered, status, said):
    """Nothing is said against the log for it."""
    file = tmp_path / "altered.ndjson"
    file.write_bytes(altered(b"".join(table().lines())))
    told = audit(serve(honest()[1]).url, "--key", KEY.vkey, "--bundle", file)
    assert (told.exit_code, told.output.startswith(said)) == (status, True), told.output


# --- succession --------------------------------------------------------------------------------------------


def test_a_succession_excuses_no_omission_that_the_old_checkpoint_proves(serve, tmp_path, policy):
    """What the old log had to hold before its last checkpoint was cosigned, it left out."""
    ended = 1_800_000_000
    words = ("--policy", policy(KEY, OLD), *TAKEN)
    log = serve(succeeding(last(OLD, WITNESS)))
    log.cosigned = NOW

    def told(time):
        held = kept(tmp_path / "held", signed(OLD, 99, bytes(32), time))
        return audit(log.url, *words, "--receipts", held, "--evidence", tmp_path / "evidence")

    for late in (ended - 61, ended - 3600):
        proven = told(late)
        assert (proven.exit_code, "OMISSION: event 99" in proven.output) == (4, True), proven.output
        evidence = json.loads((tmp_path / "evidence").read_text())
        assert evidence["checkpoint"].startswith(f"{OLD.name}\n4\n")
    excused = told(ended - 60)
    assert (excused.exit_code, "1 beyond the log before" in excused.output) == (0, True), excused.output


def test_entries_that_were_lost_prove_no_omission(serve, tmp_path, policy):
    """Where a part of the old log is said to be lost, nobody can tell what was in it."""
    first = leaves.canonical_bytes({"revoke": OLD.vkey, "size": 2})
    told_entries = succeeding(last(OLD, WITNESS))
    log = serve([*told_entries[:2], first, *told_entries[2:4]])
    log.cosigned = NOW
    held = kept(tmp_path / "held", signed(OLD, 99, bytes(32), 1_700_000_000))
    told = audit(log.url, "--policy", policy(KEY, OLD), *TAKEN, "--receipts", held)
    assert (told.exit_code, "1 beyond the log before" in told.output) == (3, True), told.output
