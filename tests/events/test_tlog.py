"""Notes, receipts, tree, proofs and policies against vectors that an independent program printed."""

from __future__ import annotations

import contextlib
import json
import re
import uuid
from pathlib import Path

import msgspec
import pytest

from events.proof.canonical import genesis, link
from events.proof.randomness import Seed, mix
from events.store.signing_keys import default_origin
from events.tlog import checkpoints, leaves, tree
from events.tlog.notes import (
    COSIGNATURE,
    BadNote,
    SigningKey,
    UnsignedNote,
    Verifier,
    open_note,
    open_receipt,
    sign_receipt,
)
from events.tlog.policy import BadPolicy, Policy
from events.verify import limits

V = json.loads((Path(__file__).parents[1] / "vectors" / "proof.json").read_text())
GAME, CMD = "019a9f00-0000-7000-8000-000000000001", "0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90"
FIRST = (
    b'{"at":"2026-11-20T19:00:00.000000Z","by":"sys","cmd":"0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90","data":{"rules":'
    b'"demo@1","seats":["p1","p2"]},"game":"019a9f00-0000-7000-8000-000000000001","n":1,"t":"GameCreated","v":1}'
)
LOG = SigningKey("rutter.example/log", bytes(range(32)))
WITNESS = SigningKey("organiser.example/w1", bytes(range(32, 64)), COSIGNATURE)
TIME = 1795201200


def heads():
    found = [link(genesis(GAME), FIRST)]
    for n in range(2, 8):
        found.append(link(found[-1], b'{"n":%d}' % n))
    return found


def entries():
    return leaves.make_entries(GAME, list(enumerate(heads(), 1)))


def grown(hashes):
    return tree.MemoryTree(hashes)


def test_keys_and_chain():
    assert LOG.vkey == V["log_vkey"]
    assert WITNESS.vkey == V["witness_vkey"]
    assert Verifier.read(V["log_vkey"]) == LOG.verifier
    assert genesis(GAME).hex() == V["h_0"]
    assert heads()[0].hex() == V["h_1"]
    assert leaves.log_name(GAME) == V["log_name"]


def test_entries_and_roots():
    made = entries()
    assert (made[0].decode(), made[6].decode()) == (V["entry_1"], V["entry_7"])
    hashes = [tree.leaf_hash(entry) for entry in made]
    assert [h.hex() for h in hashes] == V["leaves"]
    grew = grown(hashes)
    assert [grew.root(size).hex() for size in range(8)] == V["roots"]
    assert leaves.read_entry(made[0]) == leaves.Entry(V["log_name"], V["h_1"], 1, leaves.NO_ENTRY)


def test_published_roots_of_rfc_6962():
    texts = "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"
    grew = grown([tree.leaf_hash(bytes.fromhex(text)) for text in texts])
    assert grew.root(8).hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    assert grew.root(1).hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"


@pytest.mark.parametrize("what", V["inclusion"])
def test_inclusion(what):
    index, size = map(int, what.split(" of "))
    grew = grown([bytes.fromhex(h) for h in V["leaves"]])
    proof = tree.inclusion_proof(grew.read, index, size)
    assert [h.hex() for h in proof] == V["inclusion"][what]


@pytest.mark.parametrize("what", V["consistency"])
def test_consistency(what):
    old, new = map(int, what.split(" to "))
    grew = grown([bytes.fromhex(h) for h in V["leaves"]])
    assert [h.hex() for h in tree.consistency_proof(grew.read, old, new)] == V["consistency"][what]


def test_all_proofs_of_small_trees_and_none_that_was_tampered_with():
    hashes = [tree.leaf_hash(bytes([i])) for i in range(40)]
    grew = grown(hashes)
    for size in range(1, 41):
        root = grew.root(size)
        for index in range(size):
            proof = tree.inclusion_proof(grew.read, index, size)
            assert tree.check_inclusion(hashes[index], index, size, proof, root)
            assert not tree.check_inclusion(hashes[index - 1], index, size, proof, root) or size == 1
            assert not tree.check_inclusion(hashes[index], index, size, [*proof, hashes[0]], root)
            assert not tree.check_inclusion(
                hashes[index], index, size, proof[:-1] if proof else [hashes[0]], root
            )
        for old in range(size + 1):
            proof = tree.consistency_proof(grew.read, old, size)
            assert tree.check_consistency(old, size, proof, grew.root(old), root)
            if 0 < old < size:
                assert not tree.check_consistency(old, size, proof, grew.root(old - 1), root)
                assert not tree.check_consistency(old, size, [*proof, proof[0]], grew.root(old), root)
                assert not tree.check_consistency(old, size, proof[1:], grew.root(old), root)


def test_a_tree_read_from_tiles_is_the_tree():
    grew = grown([tree.leaf_hash(b"%d" % i) for i in range(70_000)])

    def tile(level, n, width):
        return b"".join(grew.read(8 * level, n * 256 + i) for i in range(width))

    for size in (1, 255, 256, 257, 65_536, 65_537, 70_000):
        tiles = tree.Tiles(tile, size)
        assert tree.root_hash(tiles.read, size) == grew.root(size)
        proof = tree.inclusion_proof(tiles.read, size // 3, size)
        assert tree.check_inclusion(grew.read(0, size // 3), size // 3, size, proof, grew.root(size))


def test_tile_paths():
    made = [tree.tile_path(0, 0, 7), tree.tile_path(0, 1234067), tree.tile_path(1, 5)]
    assert made == V["tile_paths"]
    assert tree.entries_path(0, 7) == "tile/entries/000.p/7"


def test_checkpoint_and_cosignature():
    checkpoint = checkpoints.Checkpoint(LOG.name, 7, bytes.fromhex(V["roots"][7]))
    assert LOG.sign(checkpoint.text()) == V["checkpoint"]
    cosigned = checkpoints.merge_signatures(V["checkpoint"], [WITNESS.cosign(checkpoint.text(), TIME + 12)])
    assert cosigned == V["cosigned"]
    read, opened = checkpoints.open_checkpoint(cosigned, LOG.verifier, [WITNESS.verifier])
    assert read == checkpoint
    assert opened.signers == {LOG.verifier: None, WITNESS.verifier: TIME + 12}


def test_receipt():
    made = sign_receipt(LOG, GAME, 1, heads()[0], CMD, TIME)
    assert made == V["receipt"]
    assert len(made.encode()) <= 330
    receipt, signer = open_receipt(made, [LOG.verifier])
    assert (receipt.n, receipt.deadline, signer) == (1, TIME + 60, LOG.verifier)


@pytest.mark.parametrize("origin", [LOG.name, default_origin(LOG.public)])
def test_no_receipt_is_long(origin):
    """The longest, for the last event that a game can have, under a name of its own or the one that follows
    from the key: at most 330 bytes as a text and as a JSON value of an answer.
    """
    longest = sign_receipt(SigningKey(origin, bytes(32)), GAME, limits.EVENTS, bytes(32), CMD, TIME)
    assert len(longest.encode()) <= 330
    assert len(msgspec.json.encode(longest)) <= 330


@pytest.mark.parametrize(
    "spoil",
    [
        lambda t: t.replace("\n1\n", "\n01\n"),
        lambda t: t + "and more\n",
        lambda t: t.replace("rutter/receipt@v1", "rutter/receipt@v2"),
        lambda t: t.replace("\n\n", "\n\n\n"),
        lambda t: t.replace("\n", "\r\n"),
        lambda t: t.replace("=\n", "\n"),
        lambda t: t.split("\n\n")[0] + "\n\n" + t.split("\n\n")[1] * 65,
        lambda t: t + t.split("\n\n")[1],
    ],
    ids=range(8),
)
def test_a_spoilt_receipt(spoil):
    with pytest.raises(BadNote):
        open_receipt(spoil(V["receipt"]), [LOG.verifier])


def test_lines_of_unknown_keys_are_ignored_and_a_false_line_of_a_known_one_is_not():
    text, line = V["receipt"].split("\n\n")
    namesake = SigningKey(LOG.name, bytes(32))
    foreign = namesake.line(text + "\n")
    assert open_receipt(f"{text}\n\n{foreign}{line}", [LOG.verifier])[0].n == 1
    false = LOG.line("something else\n")
    with pytest.raises(BadNote, match="does not hold"):
        open_receipt(f"{text}\n\n{false}", [LOG.verifier])
    with pytest.raises(UnsignedNote):
        open_receipt(f"{text}\n\n{foreign}", [LOG.verifier])


def test_the_example_note_of_c2sp():
    note = (
        "This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ON"
        "ncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
    )
    foo = Verifier.read("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
    assert open_note(note, [foo]).text == "This is an example message.\n"


def proven(text):
    proof = checkpoints.Proof.read(text)
    checkpoint, opened = checkpoints.open_checkpoint(proof.checkpoint, LOG.verifier, [WITNESS.verifier])
    policy = Policy(f"log {LOG.vkey}\nwitness w {WITNESS.vkey}\nquorum w\n")
    return proof.holds(bytes.fromhex(V["leaves"][2]), checkpoint) and policy.is_quorum(opened.signers)


def test_proof_of_inclusion():
    assert proven(V["tlog_proof"])
    assert checkpoints.Proof.read(V["tlog_proof"]).text() == V["tlog_proof"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda t: t.replace("index 2", "index 3"),
        lambda t: t.replace("index 2", "index 02"),
        lambda t: t.replace("\n7\n", "\n8\n"),
        lambda t: t.replace("organiser.example/w1", "organiser.example/w2"),
        lambda t: t + "x",
        lambda t: t.replace("rutter.example/log\n7", "other.example/log\n7"),
        lambda t: t.replace("==", "="),
        lambda t: t.replace("index 2\n", "extra AAAA\nindex 2\n"),
        lambda t: t.replace("index 2\n", "index 2\n" + 64 * (t.split("\n")[2] + "\n")),
    ],
    ids=range(9),
)
def test_a_spoilt_proof(spoil):
    spoilt = spoil(V["tlog_proof"])
    assert spoilt != V["tlog_proof"]
    with contextlib.suppress(BadNote):
        assert not proven(spoilt)


def test_mix_seed_and_so_on():
    key = uuid.UUID(GAME).bytes
    mixed = mix(key, heads()[0], [("p0", b"\1" * 32), ("p1", b"")], b"\6" * 32, b"\7" * 32)
    assert mixed.hex() == V["mix2"]
    seed = Seed(b"1234", b"\x55" * 16)
    assert seed.key().hex() == V["seed_key"]
    assert seed.secrets().bot.hex() == V["seed_bot"]


def test_policies():
    w2 = SigningKey("other.example/w2", bytes(range(64, 96)), COSIGNATURE)
    head = f"log {LOG.vkey}\nwitness w1 {WITNESS.vkey}\nwitness w2 {w2.vkey} # a friend\n"
    one = Policy(head + "group any-of any w1 w2\nquorum any-of\n")
    both = Policy(head + "group both all w1 w2\nquorum both\n")
    assert one.is_quorum([w2.verifier])
    assert not one.is_quorum([LOG.verifier])
    assert not both.is_quorum([w2.verifier, w2.verifier])
    assert both.is_quorum([w2.verifier, WITNESS.verifier])
    assert both.count_witnesses([w2.verifier]) == (1, 2)
    assert one.judges
    none = Policy(head + "quorum none\n")
    assert not none.judges
    assert not none.is_quorum([w2.verifier, WITNESS.verifier]), "it says nothing, so nothing holds by it"
    assert Policy(head.replace(" ", "\t  ") + "\n  \t\nquorum w1").is_quorum([WITNESS.verifier])


def renamed(name, key):
    """The witness of another name with the same secret."""
    return Verifier(name, COSIGNATURE, key.public).vkey


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("quorum w\n", "line 1"),
        (f"log {LOG.vkey}\n", "quorum"),
        ("quorum none\n", "log VKEY"),
        (f"log {WITNESS.vkey}\nquorum none\n", "line 1"),
        (f"log {LOG.vkey}\nwitness a {WITNESS.vkey}\nwitness b {WITNESS.vkey}\nquorum a\n", "line 3"),
        (f"log {LOG.vkey}\nwitness a {WITNESS.vkey}\ngroup g 2 a\nquorum g\n", "line 3"),
        (f"log {LOG.vkey[:-1]}\nquorum none\n", "line 1"),
        (
            (
                f"log {LOG.vkey}\nwitness a {WITNESS.vkey}\nwitness b {renamed('b.example/w', WITNESS)}\n"
                "group g 2 a b\nquorum g\n"
            ),
            "line 3: a key has one name, and counts once",
        ),
        (
            (
                f"log {LOG.vkey}\nwitness a {WITNESS.vkey}\ngroup g any a\ngroup h any a\n"
                "group both all g h\nquorum both\n"
            ),
            "line 4: a member stands in one group",
        ),
        (
            f"log {LOG.vkey}\nwitness a {renamed('a.example/w', LOG)}\nquorum a\n",
            "line 2: a log is no witness of itself",
        ),
        (
            f"witness a {renamed('a.example/w', LOG)}\nlog {LOG.vkey}\nquorum a\n",
            "line 2: a log is no witness of itself",
        ),
        *(
            (f"log {LOG.vkey}\n# a{mark}witness a {WITNESS.vkey}\nquorum none\n", "line 2: '")
            for mark in (
                "\r",
                "\r\n"[:1],
                "\v",
                "\f",
                "\x1c",
                "\x1e",
                "\x7f",
                "\x85",
                "\u2028",
                "\xa0",
                "\xe9",
            )
        ),
    ],
)
def test_a_bad_policy_names_its_line(text, what):
    with pytest.raises(BadPolicy, match=re.escape(what)):
        Policy(text)
