"""Words for sentences that titles share, and sentences made from templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import Any

from events.rules.fact import Telling, Told, Who


def format_list(parts: Iterable[str], nothing: str = "nothing") -> str:
    """``a``, ``a and b``, ``a, b and c``; *nothing* for none."""
    found = list(parts)
    if len(found) < 2:
        return found[0] if found else nothing
    return f"{', '.join(found[:-1])} and {found[-1]}"


def plural(count: int, noun: str, many: str = "") -> str:
    """The noun alone: ``card`` for 1, else ``cards`` (or *many*, such as ``colonies``)."""
    return noun if count == 1 else many or noun + "s"


def format_count(count: int, noun: str, many: str = "") -> str:
    """``1 card``, ``2 cards``, ``2 colonies``."""
    return f"{count} {plural(count, noun, many)}"


def capital(text: str) -> str:
    """*text* with its first letter large, the rest as it is: how a sentence begins.

    >>> capital("the Spanish lose")
    'The Spanish lose'
    """
    return text[:1].upper() + text[1:]


Says = Callable[[str], Told]
"""``says("{seat:who} draws {card:card}.")``: the sentence of a fact from a template."""


def sentences(**words: Callable[[Any], str]) -> Says:
    """A title's way of making sentences from templates, with *words* of its own.

    ``says = sentences(card=card_name)`` stands in the title's ``words.py``.
    In a template ``{field}`` stands for a field of the fact, dotted for one inside an object;
    ``{field:word}`` for what the title's word makes of it; ``{field:who}`` for the name of a seat and
    ``{field:seats}`` for several. ``{field:word|some cards}`` says *some cards* where the field is hidden
    from the reader, or None. The sentence begins with a capital.

    >>> says = sentences(fortunes=lambda n: format_count(n, "Fortune"))
    >>> says("{seat:who} loses {amount:fortunes}.")({"seat": 1, "amount": 2}, lambda seat: f"seat {seat}")
    'Seat 1 loses 2 Fortunes.'
    """

    def says(template: str) -> Told:
        parts = [_part(text, at, spec or "", words) for text, at, spec, _ in Formatter().parse(template)]

        def tell(data: Mapping[str, Any], who: Who) -> str:
            return capital("".join(part(data, who) for part in parts))

        return staticmethod(tell)

    return says


def _part(text: str, field: str | None, spec: str, words: Mapping[str, Callable[[Any], str]]) -> Telling:
    """Return the function that tells one literal text and the field after it.

    Words are looked up once, when a class is made.
    """
    if field is None:
        return lambda _data, _who: text
    path = field.split(".")
    word, bar, hidden = spec.partition("|")
    known = None if word in {"", "who", "seats"} else words[word]

    def say(data: Mapping[str, Any], who: Who) -> str:
        value = _value_at(data, path)
        if value is None and bar:
            return text + hidden
        if word == "who":
            return text + who(value)
        if word == "seats":
            return text + format_list(who(seat) for seat in value)
        return text + (known(value) if known else str(value))

    return say


def _value_at(data: Mapping[str, Any], path: list[str]) -> Any:
    value: Any = data
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
