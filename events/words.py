"""Words for sentences that titles share."""

from __future__ import annotations

from collections.abc import Iterable


def listed(parts: Iterable[str], nothing: str = "nothing") -> str:
    """``a``, ``a and b``, ``a, b and c``; *nothing* for none."""
    found = list(parts)
    if len(found) < 2:
        return found[0] if found else nothing
    return f"{', '.join(found[:-1])} and {found[-1]}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """``1 card``, ``2 cards``, ``2 colonies``."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"
