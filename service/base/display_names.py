"""Display names, and handles that tell them apart; the writing systems stand in `names.toml`."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import msgspec

MAX_NAME_LENGTH = 40
"""The most characters of a name."""
COMMON_CHARACTERS = r"!-@\[-`{-~’"
"""Characters allowed in every name: visible ASCII that is no letter, and the typographic apostrophe."""
HANDLE_PATTERN = "^[a-z0-9][a-z0-9_-]{1,19}$"
DELETED_ACCOUNT_NAME = "someone who left"
"""The name that a seat shows after its account was deleted."""


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A writing system."""

    name: str
    letters: Sequence[str]
    """The letters of the writing system: characters, or ranges of them."""
    marks: Sequence[str] = ()
    """Marks that combine with a letter."""
    stack: int = 3
    """The most marks on one letter."""
    medial: str = ""
    """Signs that stand between two letters."""
    virama: str = ""
    """The mark behind which an invisible joiner (U+200D) belongs to the spelling."""
    twins: str = ""
    """Letters that look like Latin ones."""

    @property
    def pattern(self) -> str:
        """A regular expression for the names in this writing system, whatever their length."""
        letters = COMMON_CHARACTERS + "".join(self.letters)
        marks = f"[{''.join(self.marks)}]{{0,{self.stack}}}" if self.marks else ""
        joined = f"|{self.virama}\u200d" if self.virama else ""
        alone = f"(?![ {COMMON_CHARACTERS}{self.medial}{self.twins}]*$)" if self.twins else ""
        return f"{alone}[{letters}]{marks}(?:(?:[ {self.medial}]?{joined})[{letters}]{marks})*"


SCRIPTS = tuple(
    msgspec.convert(
        tomllib.loads(Path(__file__).with_name("names.toml").read_text("utf-8"))["script"], list[Script]
    )
)
NAME_PATTERN = f"^(?:{'|'.join(script.pattern for script in SCRIPTS)})$"
_NAME_REGEX = re.compile(NAME_PATTERN.removesuffix("$") + r"\Z")


def normalize_name(name: str) -> str:
    """Return *name* in the form in which it is kept (NFKC), so that equal looks are equal names."""
    return unicodedata.normalize("NFKC", name)


def find_name_fault(name: str) -> str | None:
    """Return a sentence on what is wrong with a name in normal form; None if it is allowed."""
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        return f"The name is empty or too long. Send 1 to {MAX_NAME_LENGTH} characters."
    if name != name.strip() or "  " in name:
        return "The name has spaces at its ends or two in a row. Send single spaces between words only."
    if _NAME_REGEX.match(name):
        return None
    for character in name:
        if not _KNOWN_CHARACTERS.match(character):
            described = describe_character(character)
            return f"{described} is not allowed in a name. Use letters, digits and plain punctuation."
    return "The name mixes alphabets, or looks like another one. Use one alphabet, with a letter of its own."


_KNOWN_CHARACTERS = re.compile(
    "[ "
    + COMMON_CHARACTERS
    + "".join("".join((*one.letters, *one.marks, one.medial)) for one in SCRIPTS)
    + "]"
)


def describe_character(character: str) -> str:
    """Return the code point and the name of a character, which may be invisible."""
    return f"U+{ord(character):04X} ({unicodedata.name(character, 'no character')})"
