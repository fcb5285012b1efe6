"""Words that both editions use."""

from __future__ import annotations

from events.rules.kit.words import counted


def some(count: int, noun: str, many: str = "") -> str:
    """``1 Squadron``, ``2 Squadrons``, ``no Squadron``.

    >>> some(0, "Squadron")
    'no Squadron'
    """
    return counted(count, noun, many) if count else f"no {noun}"


def character_name(character: str) -> str:
    """``explorer`` -> ``Explorer``."""
    return character.capitalize()
