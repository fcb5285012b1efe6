"""Canonical JSON, one sequence of bytes for a value (RFC 8785 within a profile), and hashes over it.

The profile keeps canonical form trivial and portable: object keys match
``[a-z0-9_]{1,64}``, integers lie within +-(2**53 - 1), strings are valid
Unicode, there are no floats, and nothing nests deeper than 32 levels. Within it,
sorting keys and omitting white space *is* RFC 8785; a property test compares the
two on random documents.

The hashes are the chain of events, and the commitments to their hidden parts. Notation: H is SHA-256,
``T(x)`` the ASCII tag x and a zero byte, JCS the canonical form.

* ``h_0 = H(T("bg/genesis/1") || game id)``, ``h_n = H(T("bg/event/1") || h_{n-1} || JCS(E_n))``
* the hidden part of event n for an audience enters E_n as
  ``b64(H(T("bg/hidden/1") || salt || JCS(part)))``, so that everyone verifies the same chain
  without seeing the secret, and revealing (salt, part) proves that it was fixed at event n
* that salt is ``HMAC-SHA256(k_hide, T("bg/salt/1") || u64(n) || audience)``
"""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec

from events.proof.randomness import sha, tag

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 32
_LISTS = (list, tuple)
_KEY = re.compile(r"[a-z0-9_]{1,64}\Z")
_GENESIS, _EVENT, _HIDDEN = tag("bg/genesis/1"), tag("bg/event/1"), tag("bg/hidden/1")
_SALT = tag("bg/salt/1")
_ENCODER = msgspec.json.Encoder(order="sorted")

# msgspec writes \u0008 and \u000c where RFC 8785 wants the two short escapes.
_ESCAPES = re.compile(rb"\\(\\|u0008|u000[cC])")
_SHORT = {rb"\\": rb"\\", rb"\u0008": rb"\b", rb"\u000c": rb"\f", rb"\u000C": rb"\f"}


class UncanonicalValue(ValueError):
    """The value lies outside the profile; the message names the offending part."""


def encode(value: Any) -> bytes:
    """Return the canonical bytes of *value* (builtins only).

    The caller answers for the profile; :func:`check` tells if it holds.

    >>> encode({"b": [1, None], "a": "é"}).decode()
    '{"a":"é","b":[1,null]}'
    """
    text = _ENCODER.encode(value)
    if b"\\u" in text:
        text = _ESCAPES.sub(lambda found: _SHORT[found.group(0)], text)
    return text


def encode_all(values: Iterable[Any]) -> list[bytes]:
    """Return the canonical bytes of each of *values*."""
    return list(map(encode, values))


def check(value: Any, depth: int = 1) -> None:
    """Raise :class:`UncanonicalValue` unless *value* lies within the profile.

    *depth* is the level at which it stands, where it is an object or a list.

    >>> check({"seat": 0.5})
    Traceback (most recent call last):
    events.proof.canonical.UncanonicalValue: a float has no canonical form
    """
    if isinstance(value, dict):
        for key in value:
            _check_key(key)
        inside: Iterable[Any] = value.values()
    elif isinstance(value, _LISTS):
        inside = value
    else:
        _check_plain(value)
        return
    if depth > MAX_DEPTH:
        raise UncanonicalValue(f"nested deeper than {MAX_DEPTH} levels")
    for inner in inside:  # what is frequent is told apart here: every event of a game comes by
        kind = type(inner)
        if kind is str:
            if not inner.isascii():
                _check_text(inner)
        elif kind is int:
            if not -MAX_INTEGER <= inner <= MAX_INTEGER:
                raise UncanonicalValue(f"integer out of range: {inner}")
        elif inner is not None:
            check(inner, depth + 1)


@lru_cache(4096)
def _check_key(key: Any) -> None:
    if not isinstance(key, str) or not _KEY.match(key):
        raise UncanonicalValue(f"key outside [a-z0-9_]{{1,64}}: {key!r}")


def _check_plain(value: Any) -> None:
    """Check a value without any inside it."""
    if isinstance(value, int):
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise UncanonicalValue(f"integer out of range: {value}")
    elif isinstance(value, str):
        _check_text(value)
    elif value is not None:
        raise UncanonicalValue(f"a {type(value).__name__} has no canonical form")


def _check_text(value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UncanonicalValue("lone surrogate in a string") from None


# --- hashes ------------------------------------------------------------------------------------------------


def genesis(game_id: str) -> bytes:
    """h_0 of a game.

    >>> genesis("019a9f00-0000-7000-8000-000000000001").hex()[:16]
    'c7346bd847fc5619'
    """
    return sha(_GENESIS, game_id.encode("ascii"))


def link(previous: bytes, body: bytes) -> bytes:
    """h_n from h_{n-1} and the canonical bytes of event n.

    >>> link(genesis("019a9f00-0000-7000-8000-000000000001"), b'{"n":1}').hex()[:16]
    'e6b11f724fd72867'
    """
    return sha256(_EVENT + previous + body).digest()


def link_all(previous: bytes, bodies: Iterable[bytes]) -> list[bytes]:
    """Return the hashes of events that follow on one another, the first of them on the hash *previous*."""
    hashes = []
    for body in bodies:
        previous = link(previous, body)
        hashes.append(previous)
    return hashes


def derive_salt(hide: bytes, seq: int, audience: str) -> bytes:
    """Return the salt of the hidden part of event *seq* for *audience*; *hide* is k_hide.

    >>> derive_salt(bytes(32), 2, "p1").hex()[:16]
    'bedad31b75fdbbf7'
    """
    # As in `randomness.mac`: hmac.digest would let other threads run.
    return hmac.new(hide, _SALT + seq.to_bytes(8, "big") + audience.encode(), "sha256").digest()


def derive_salts(hide: bytes, places: Iterable[tuple[int, str]]) -> list[bytes]:
    """Return the salts of hidden parts, each by its event and its audience."""
    return [derive_salt(hide, seq, audience) for seq, audience in places]


def part_digest(salt: bytes, part: bytes) -> str:
    """Return the commitment (base64) to a hidden part in canonical form.

    >>> part_digest(bytes(16), b'{"cards":["tea"]}')
    'ik4pA7EzridVfBJ3oktNa5BOXhHtAeFPxQ2l74gTp50='
    """
    return base64.b64encode(sha256(_HIDDEN + salt + part).digest()).decode()


def part_digests(salts: Sequence[bytes], parts: Sequence[bytes]) -> list[str]:
    """Return the commitments to hidden parts, each with its salt."""
    return list(map(part_digest, salts, parts))
