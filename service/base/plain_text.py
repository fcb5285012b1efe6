"""Texts that people write and others read, without what hides, turns lines round or covers others."""

from __future__ import annotations

import re

from service.base.display_names import COMMON_CHARACTERS, SCRIPTS, describe_character

_INVISIBLE = (
    r"\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
)
"""Control and format characters, fillers, selectors and private characters, as in a class."""
_JOINED = r"[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff]"
"""Letters and marks between which U+200C and U+200D belong to the spelling."""
_GENERAL_MARKS = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_MARKS = _GENERAL_MARKS + "".join(mark for script in SCRIPTS for mark in script.marks)
_NOT_STACKED = rf"(?![\s\S]*[{_GENERAL_MARKS}]{{4}})(?![\s\S]*[{_MARKS}]{{7}})"
"""Three marks on a letter at most, six in writing systems that stack them."""
_SEEN = rf"[^\s{_INVISIBLE}]"
_INSIDE = rf"(?:[^{_INVISIBLE}]|(?<={_JOINED})[\u200c\u200d](?={_JOINED}))"
_END = r"$(?![\s\S])"
LINE_PATTERN = rf"^{_NOT_STACKED}{_SEEN}(?:{_INSIDE}*{_SEEN})?{_END}"
"""One line, with no space at its ends."""
TEXT_PATTERN = rf"^{_NOT_STACKED}(?=[\s\S]*{_SEEN})(?:{_INSIDE}|\n)*{_END}"
"""Several lines, not all of them blank."""


def _make_title_pattern() -> str:
    """Return the pattern of a line that cannot pass for another one, as names of accounts cannot."""
    alike = {
        script.name: "".join(script.letters)
        for script in SCRIPTS
        if script.name in ("Latin", "Greek", "Cyrillic", "Armenian")
    }
    mixed = "|".join(
        f"[{letters}][{_MARKS}]*[{''.join(other for at, other in alike.items() if at != name)}]"
        for name, letters in alike.items()
    )
    twins = "".join(script.twins for script in SCRIPTS)
    passing = rf"(?=[\s\S]*[{twins}])[ {COMMON_CHARACTERS}{twins}]*$"
    return LINE_PATTERN.replace("^", rf"^(?![\s\S]*  )(?![\s\S]*(?:{mixed}))(?!{passing})", 1)


TITLE_PATTERN = _make_title_pattern()
"""One line that is the name of something: no word of it mixes alphabets that look alike."""
_SINGLE = re.compile(f"[^{_INVISIBLE}]")
_MATCHED = {pattern: re.compile(pattern) for pattern in (LINE_PATTERN, TEXT_PATTERN, TITLE_PATTERN)}


def find_text_fault(text: str, pattern: str) -> str | None:
    """Return a sentence on what is wrong with a text of one of these patterns; None if it is allowed."""
    if _MATCHED[pattern].search(text):
        return None
    if not text.strip():
        return "The text is blank. Send words that others can see."
    for place, character in enumerate(text):
        joins = character in "\u200c\u200d" and re.match(_JOINED, text[place - 1 : place] or " ")
        breaks = character == "\n" and pattern != TEXT_PATTERN
        if breaks or not (joins or character == "\n" or _SINGLE.match(character)):
            described = describe_character(character)
            return f"{described} is not allowed here. Use letters, digits and signs that others can see."
    if not re.match(_NOT_STACKED, text):
        return "Too many marks stand on one letter. Send at most three."
    if text != text.strip() or "  " in text:
        return "The text has spaces at its ends or two in a row. Send single spaces between words only."
    return "A word mixes alphabets, or all letters look like others. Write each word in one alphabet."


def is_explained(pattern: str) -> bool:
    """Return True if :func:`find_text_fault` words what is wrong with a text of this pattern."""
    return pattern in _MATCHED
