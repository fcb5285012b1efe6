"""Signed commands: a seat with a key of its own signs what it does, for one place in one history only.

A client makes an Ed25519 key for a seat when it takes it. From then on every command of that seat is signed
over ``T("bg/command/1") || JCS({cmd, command, game, h, n, seat})``: *n* is an event that the player has seen,
*h* its hash, so that nobody can play the command anywhere else, and no player can deny it.
"""

from __future__ import annotations

from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events.proof import canonical
from events.proof.randomness import tag
from events.rules.fact import Seat
from events.table.game import Game
from events.table.record import Signature, pseudonym
from events.tlog.text import unb64, unhex

SIGNATURE_BYTES = 64
"""Bytes of a signature."""
KEY_BYTES = 32
"""Bytes of a public key."""


class BadSignature(Exception):
    """A command that its seat did not sign as it must; the message says what to do instead."""


class MissingSignature(BadSignature):
    """A command without signature, of a seat that has a key."""


def make_signed_message(
    cmd: str, command: dict[str, Any], game: str, head: bytes, n: int, seat: Seat
) -> bytes:
    """Return the bytes that are signed.

    The *command* has all its members; *head* is the hash of event *n* of *game*.
    """
    return tag("bg/command/1") + canonical.encode(
        {"cmd": cmd, "command": command, "game": game, "h": head.hex(), "n": n, "seat": pseudonym(seat)}
    )


def is_valid(
    key: str, signature: Signature, cmd: str, command: dict[str, Any], game: str, head: bytes, seat: Seat
) -> bool:
    """Return True if the holder of *key* (hex) signed this command on the event with hash *head*."""
    try:
        public = Ed25519PublicKey.from_public_bytes(unhex(key, KEY_BYTES))
        public.verify(
            unb64(signature.s, SIGNATURE_BYTES),
            make_signed_message(cmd, command, game, head, signature.n, seat),
        )
    except (InvalidSignature, ValueError):
        return False
    return True


def last_own_event(game: Game, seat: Seat) -> int:
    """Return the last event of the newest batch that *seat* caused itself; 0 if there is none."""
    return game.seats[seat].last


def find_required_key(game: Game, seat: Seat | None, signature: Signature | None) -> str | None:
    """Return the key that must have made *signature* for a command of *seat*; None if none is needed.

    Everything but the signature itself is checked. Raises :class:`BadSignature`.
    """
    key = None if seat is None else game.seats[seat].key
    if key is None or seat is None:
        if signature is not None:
            raise BadSignature("This seat has no key. Send the command without a signature.")
        return None
    if signature is None:
        raise MissingSignature(
            "This seat was taken with a key, and the command is not signed. Send Rutter-Signature."
        )
    oldest = max(1, last_own_event(game, seat))
    if not oldest <= signature.n <= game.seq:
        raise BadSignature(
            f"The signature names the wrong event. Sign for one from {oldest}, the last of this seat, to"
            f" {game.seq}, the newest."
        )
    return key
