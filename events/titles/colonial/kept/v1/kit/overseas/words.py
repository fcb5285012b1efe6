"""Words that both editions use."""

from __future__ import annotations

from events.titles.colonial.kept.v1.kit.words import format_count


def format_number(count: int, noun: str, many: str = "") -> str:
    """``1 Squadron``, ``2 Squadrons``, ``no Squadron``.

    >>> format_number(0, "Squadron")
    'no Squadron'
    """
    return format_count(count, noun, many) if count else f"no {noun}"


def character_name(character: str) -> str:
    """``explorer`` -> ``Explorer``."""
    return character.capitalize()
