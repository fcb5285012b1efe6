"""Public keys for which anybody can sign: those of small order, which no honest key generator makes."""

from __future__ import annotations

_PRIME = 2**255 - 19
_OF_ORDER_EIGHT = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_OF_SMALL_ORDER = frozenset({0, 1, _PRIME - 1, _OF_ORDER_EIGHT, _PRIME - _OF_ORDER_EIGHT})
"""The y coordinates of all eight points whose order divides the cofactor of Ed25519."""


def is_weak_key(public: bytes) -> bool:
    """Return True if a public Ed25519 key is of small order, or spells its point in a second way."""
    y = int.from_bytes(public, "little") & (2**255 - 1)
    return y >= _PRIME or y in _OF_SMALL_ORDER
