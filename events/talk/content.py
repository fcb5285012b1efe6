"""The words of a message, apart from the log: their digest, and the signature of a seat with a key.

The log holds ``digest = b64(H(T("bg/hidden/1") || salt || JCS(content)))``. Salt and content stand beside
the log and can be erased. A seat with a key signs
``T("bg/said/1") || JCS({cmd, game, h, n, said, seat, to})``: *said* is the content without the signature, *n*
an event that the player has seen, *h* its hash. The signature stands in the content, for an open one would
let anybody test guesses at a whisper.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events.proof import canonical
from events.proof.randomness import tag
from events.rules.fact import Seat
from events.table.command_signatures import KEY_BYTES, SIGNATURE_BYTES
from events.table.record import pseudonym
from events.tlog.text import unb64, unhex

SALT_BYTES = 32
"""Bytes of the random salt of a message."""
MAX_TEXT_LENGTH = 500
"""The most characters of a message."""
_SAID = tag("bg/said/1")


class SpeechSignature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The signature of a seat with a key under what it said."""

    h: str
    """The hash (hex) of event *n* of the game."""
    n: int
    """An event of the game that the player has seen."""
    s: str
    """64 bytes, base64."""


class Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The words of a message: a text alone, or a phrase of the title with its slots filled."""

    text: str
    """The words themselves; of a phrase its sentence, filled in."""
    phrase: str | None = None
    """The id of the phrase in the title's list."""
    slots: dict[str, int | str] | None = None
    """The seats and areas that fill the slots of the phrase, by the names of the slots."""
    sig: SpeechSignature | None = None

    def encode(self) -> bytes:
        """Return the canonical bytes of which the digest is made."""
        return canonical.encode(msgspec.to_builtins(self))

    def digest(self, salt: bytes) -> str:
        """Return the digest that the log holds."""
        return canonical.part_digest(salt, self.encode())

    @property
    def said(self) -> dict[str, Any]:
        """The part of it that a seat with a key signs."""
        given: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(self, sig=None))
        return given


def make_signed_message(
    cmd: str, game: str, head: str, n: int, seat: Seat, to: Sequence[Seat] | None, said: dict[str, Any]
) -> bytes:
    """Return the bytes that a seat with a key signs."""
    named = None if to is None else list(to)
    return _SAID + canonical.encode(
        {"cmd": cmd, "game": game, "h": head, "n": n, "said": said, "seat": pseudonym(seat), "to": named}
    )


def is_signed(key: str, content: Content, cmd: str, game: str, seat: Seat, to: Sequence[Seat] | None) -> bool:
    """Return True if the holder of *key* (hex) signed this content, as this message of this game."""
    signed = content.sig
    if signed is None:
        return False
    message = make_signed_message(cmd, game, signed.h, signed.n, seat, to, content.said)
    try:
        public = Ed25519PublicKey.from_public_bytes(unhex(key, KEY_BYTES))
        public.verify(unb64(signed.s, SIGNATURE_BYTES), message)
    except (InvalidSignature, ValueError):
        return False
    return True
