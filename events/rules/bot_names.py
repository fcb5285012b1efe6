"""The names under which bots and engines sit at tables, whatever is played there."""

from __future__ import annotations

import re

BOTS = ("random", "steady", "brisk", "strong")
"""The names of the bots that every title has, weakest first."""
THINKERS = frozenset({"brisk", "strong"})
"""Of them those that play games out in their minds, which takes its time; the others answer at once."""


ENGINE = "engine:"
"""Before the name of an engine: a player of somebody else's, which an operator has put beside the bots."""
ENGINE_NAME = "[a-z0-9][a-z0-9._-]{0,31}"
"""A pattern of what stands after it."""
_ENGINE = re.compile(ENGINE + ENGINE_NAME)


def is_bot(name: str) -> bool:
    """Return True if that can be the name of a bot or of an engine, at hand or not."""
    return name in BOTS or _ENGINE.fullmatch(name) is not None


def is_engine(name: str | None) -> bool:
    """Return True if that name at a seat (None: an account) is the name of an engine."""
    return name is not None and name.startswith(ENGINE)


def is_thinker(name: str | None) -> bool:
    """Return True if that name at a seat (None: an account) is of a bot or engine that takes its time."""
    return name in THINKERS or is_engine(name)


class UnknownBot(LookupError):
    """No bot of that name plays that title, or not in that version or with that budget."""


class BotMismatch(ValueError):
    """A bot thinks otherwise than it is recorded of it; says how."""
