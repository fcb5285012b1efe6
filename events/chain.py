"""The hash chain, the commitments to hidden parts, and signed checkpoints.

Notation: H is SHA-256, ``T(x)`` the ASCII tag x and a zero byte, JCS the canonical form.

* ``h_0 = H(T("bg/genesis/1") || game id)``, ``h_n = H(T("bg/event/1") || h_{n-1} || JCS(E_n))``
* the hidden part of event n for an audience enters E_n as
  ``b64(H(T("bg/hidden/1") || salt || JCS(part)))``, so that everyone verifies the same chain
  without seeing the secret, and revealing (salt, part) proves that it was fixed at event n
* a checkpoint is a signed note (C2SP) over game, number of events and head of the chain
"""

from __future__ import annotations

import base64
import hashlib

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from events.proof import sha, tag

ORIGIN = "rutter"
_GENESIS, _EVENT, _HIDDEN = tag("bg/genesis/1"), tag("bg/event/1"), tag("bg/hidden/1")


def genesis(game_id: str) -> bytes:
    """h_0 of a game."""
    return sha(_GENESIS, game_id.encode("ascii"))


def link(previous: bytes, body: bytes) -> bytes:
    """h_n from h_{n-1} and the canonical bytes of event n."""
    return hashlib.sha256(_EVENT + previous + body).digest()


def digest(salt: bytes, part: bytes) -> str:
    """The commitment (base64) to a hidden part in canonical form."""
    return base64.b64encode(hashlib.sha256(_HIDDEN + salt + part).digest()).decode()


def origin_of(public: bytes) -> str:
    """What a service is called that nobody gave a name: it follows from its *public* key."""
    return f"{ORIGIN}/{sha(public).hex()[:16]}"


class BadSignature(ValueError):
    """A checkpoint that its key did not sign, or that is no checkpoint."""


class Checkpoint(msgspec.Struct, frozen=True):
    """The head of a game's chain after *size* events."""

    game: str
    size: int
    head: bytes

    def text(self) -> str:
        """What is signed: origin, number of events, head in base64, one a line."""
        return f"{ORIGIN}/{self.game}\n{self.size}\n{base64.b64encode(self.head).decode()}\n"


class Signer:
    """Signs checkpoints with one Ed25519 key."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._key.public_key().public_bytes_raw()

    def sign(self, checkpoint: Checkpoint) -> str:
        """The signed note: the text, an empty line, one signature line."""
        text = checkpoint.text()
        signature = _key_id(self.public) + self._key.sign(text.encode())
        return f"{text}\n— {ORIGIN} {base64.b64encode(signature).decode()}\n"


def _key_id(public: bytes) -> bytes:
    return sha(ORIGIN.encode(), b"\n\x01", public)[:4]


def open_checkpoint(note: str, public: bytes) -> Checkpoint:
    """The checkpoint of a signed note. Raises :class:`BadSignature` unless the key *public* signed it."""
    try:
        text, signatures = note.split("\n\n", 1)
        name, size, head = text.split("\n")
        checkpoint = Checkpoint(
            name.removeprefix(f"{ORIGIN}/"), int(size), base64.b64decode(head, validate=True)
        )
        raw = [
            base64.b64decode(line.split(" ")[2], validate=True) for line in signatures.splitlines() if line
        ]
    except (ValueError, IndexError) as error:
        raise BadSignature("the checkpoint is not a signed note") from error
    for signature in raw:
        if signature[:4] == _key_id(public):
            _verify(public, signature[4:], checkpoint)
            return checkpoint
    raise BadSignature("the checkpoint carries no signature of this key")


def _verify(public: bytes, signature: bytes, checkpoint: Checkpoint) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, checkpoint.text().encode())
    except (InvalidSignature, ValueError) as error:
        raise BadSignature("the signature of the checkpoint does not hold") from error
