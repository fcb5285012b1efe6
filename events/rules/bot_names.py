"""The names under which bots and engines sit at tables, whatever is played there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec

BOTS = ("random", "steady", "brisk", "strong")
"""The names of all bots, weakest first; the data of a title say which of them play it."""
THINKERS = frozenset({"brisk", "strong"})
"""Those of them that play games out in their minds, which takes its time; the others answer at once."""


ENGINE = "engine:"
"""The prefix of the name of an engine: a program of other people that an operator offers."""
ENGINE_NAME = "[a-z0-9][a-z0-9._-]{0,31}"
"""A pattern of what stands after it."""
_ENGINE = re.compile(ENGINE + ENGINE_NAME)


def is_bot(name: str, bots: Sequence[str]) -> bool:
    """Return True if that is one of the *bots* of a title, or can be the name of an engine.

    >>> is_bot("steady", BOTS), is_bot("engine:mine", BOTS), is_bot("vasco", BOTS)
    (True, True, False)
    """
    return name in bots or _ENGINE.fullmatch(name) is not None


def is_engine(name: str | None) -> bool:
    """Return True if that name at a seat (None: an account) is the name of an engine."""
    return name is not None and name.startswith(ENGINE)


def is_thinker(name: str | None) -> bool:
    """Return True if that name at a seat (None: an account) is of a bot or engine that takes its time.

    >>> is_thinker("strong"), is_thinker("steady"), is_thinker("engine:mine")
    (True, False, True)
    """
    return name in THINKERS or is_engine(name)


class BotVersion(msgspec.Struct, frozen=True):
    """All beside its name that decides how a bot plays."""

    version: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
    """Raised whenever the same seed may give another move."""
    weights: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")] | None = None
    """SHA-256 (hex) of the weights that it thinks with, of an engine: of its files; None without any."""


FindBotVersion = Callable[[str], BotVersion]
"""A function that finds the version with which the bot of a name takes a seat. Raises UnknownBot."""


def find_no_version(name: str) -> BotVersion:
    """Raise :class:`UnknownBot`: for games in which no bot takes a seat."""
    raise UnknownBot(f"no bot is known here, so {name!r} is not")


class UnknownBot(LookupError):
    """No bot of that name plays that title, or not in that version or with that budget."""


class BotMismatch(ValueError):
    """A bot thinks otherwise than it is recorded of it; says how."""
