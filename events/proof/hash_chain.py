"""The hash chain and the commitments to hidden parts.

Notation: H is SHA-256, ``T(x)`` the ASCII tag x and a zero byte, JCS the canonical form.

* ``h_0 = H(T("bg/genesis/1") || game id)``, ``h_n = H(T("bg/event/1") || h_{n-1} || JCS(E_n))``
* the hidden part of event n for an audience enters E_n as
  ``b64(H(T("bg/hidden/1") || salt || JCS(part)))``, so that everyone verifies the same chain
  without seeing the secret, and revealing (salt, part) proves that it was fixed at event n
"""

from __future__ import annotations

import base64
from hashlib import sha256

from events.proof.randomness import sha, tag

_GENESIS, _EVENT, _HIDDEN = tag("bg/genesis/1"), tag("bg/event/1"), tag("bg/hidden/1")


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


def part_digest(salt: bytes, part: bytes) -> str:
    """The commitment (base64) to a hidden part in canonical form.

    >>> part_digest(bytes(16), b'{"cards":["tea"]}')
    'ik4pA7EzridVfBJ3oktNa5BOXhHtAeFPxQ2l74gTp50='
    """
    return base64.b64encode(sha256(_HIDDEN + salt + part).digest()).decode()


def default_origin(public: bytes) -> str:
    """Return the name of a service that nobody named: it follows from its *public* key.

    >>> default_origin(bytes(32))
    'rutter/66687aadf862bd77'
    """
    return f"rutter/{sha(public).hex()[:16]}"
