"""Public randomness from outside: rounds of drand, which nobody knows before their time.

A round is a BLS signature under the key of its chain; its randomness is the signature's hash. Whether the
signature is valid only a library can tell, which is an extra (`rutter-games[beacon]`): everything else is
checked here, before the library sees a byte.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec

import msgspec

from events.base.timestamps import format_timestamp, parse_timestamp
from events.proof.randomness import sha

MICROS_PER_SECOND = 1_000_000
"""Microseconds."""
LIBRARY = "drand_verify"


class BeaconChain(msgspec.Struct, frozen=True):
    """A chain of rounds."""

    genesis: int
    """POSIX seconds of round 1."""
    period: int
    """Seconds between two rounds."""
    key: str
    """The public key (hex) of its signatures."""

    def round_time(self, number: int) -> str:
        """Return the time at which a round is due.

        >>> CHAINS[QUICKNET].round_time(1000)
        '2023-08-23T15:59:24.000000Z'
        """
        return format_timestamp((self.genesis + self.period * (number - 1)) * MICROS_PER_SECOND)

    def first_round_at(self, at: str) -> int:
        """Return the first round that is not due before *at*.

        >>> CHAINS[QUICKNET].first_round_at("2026-01-01T00:00:00.000000Z")
        24807412
        """
        wait = parse_timestamp(at) - self.genesis * MICROS_PER_SECOND
        return max(1, -(-wait // (self.period * MICROS_PER_SECOND)) + 1)


QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
CHAINS = {
    QUICKNET: BeaconChain(
        1692803367,
        3,
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    )
}
"""The chains whose form and key this program knows, by their hash."""

_SIGNATURE = re.compile(r"[0-9a-f]{96}")


def round_randomness(signature: str) -> str:
    """Return the randomness (hex) that the signature of a round gives.

    The signature has 96 hex digits. Raises ValueError for another form.
    """
    if not _SIGNATURE.fullmatch(signature):
        raise ValueError("the signature of a round has 48 bytes: 96 hex digits in lower case")
    return sha(bytes.fromhex(signature)).hex()


def is_signed(chain: str, number: int, signature: str) -> bool | None:
    """Return True if the chain signed this round; None without the library that can tell.

    Raises ValueError for a signature of another form, KeyError for a chain that is not known.
    """
    round_randomness(signature)  # the library does not survive what is no hex
    key = CHAINS[chain].key
    if find_spec(LIBRARY) is None:
        return None
    try:
        return bool(import_module(LIBRARY).verify_bls_unchained_g1_rfc9380(number, signature, key))
    except ValueError:  # how it says no
        return False
