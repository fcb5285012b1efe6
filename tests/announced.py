"""A log of all games of which tests make what they need: keys that announce one another, and proofs of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from events.tlog import leaves, tree
from events.tlog.checkpoints import Checkpoint, Proof
from events.tlog.notes import SigningKey


def announce(
    key: SigningKey, signers: Sequence[SigningKey], *, index: int = 3, size: int = 7, lines: str = ""
) -> str:
    """A proof that the log announced *key* at *index*, in a checkpoint that the *signers* signed."""
    entries = [f"entry {number}".encode() for number in range(size)]
    entries[index] = leaves.canonical_bytes({"add": key.vkey})
    hashes = [tree.leaf_hash(entry) for entry in entries]
    read = tree.Tiles(lambda _level, _n, width: b"".join(hashes[:width]), size).read
    text = Checkpoint(key.name, size, tree.root_hash(read, size)).text()
    note = f"{text}\n" + "".join(one.line(text) for one in signers) + lines
    return Proof(index, tuple(tree.inclusion_proof(read, index, size)), note).text()


def keys_page(*keys: tuple[SigningKey, int | None, str | None]) -> dict[str, Any]:
    """What `GET /v1/keys` answers of keys, each with its end and the proof that it was announced."""
    return {
        "origin": keys[0][0].name,
        "keys": [
            {"vkey": key.vkey, "since": 0, "until": until, "announced": announced}
            for key, until, announced in keys
        ],
    }


def changed(proof: str, old: str, new: str) -> str:
    """A proof with something in it replaced."""
    assert old in proof
    return proof.replace(old, new)


def forgeries(old: SigningKey, new: SigningKey, thief: SigningKey) -> list[tuple[str, str | None]]:
    """What must not make anybody believe *new*, who knows *old*."""
    true = announce(new, [old])
    stolen = old.line("something else\n")
    return [
        ("no proof", None),
        ("an empty proof", ""),
        ("signed by the new key alone", announce(new, [new])),
        ("signed by a thief under the log's name", announce(new, [thief])),
        ("the old key's line from elsewhere beside that of the new one", announce(new, [new], lines=stolen)),
        ("of another key", announce(thief, [old])),
        ("at another place", changed(true, "index 3", "index 2")),
        ("behind the tree", changed(true, "index 3", "index 7")),
        ("of another size", changed(true, "\n7\n", "\n8\n")),
        ("with a hash too many", changed(true, "index 3\n", f"index 3\n{'A' * 43}=\n")),
        ("cut off", true[: len(true) // 2]),
        ("of another form", changed(true, "tlog-proof@v1", "tlog-proof@v2")),
        ("under another name", announce(SigningKey("elsewhere/log", bytes(32)), [old])),
    ]
