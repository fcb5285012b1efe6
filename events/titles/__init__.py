"""The titles: one folder each, alike inside, found by their folder's name."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from events.title import Title

SHARED = frozenset({"overseas"})
"""Folders that titles share and that are no title themselves."""


@cache
def title_ids() -> tuple[str, ...]:
    """The ids of all titles, in alphabetical order."""
    return tuple(sorted(m.name for m in iter_modules(__path__) if m.ispkg and m.name not in SHARED))


@cache
def find_title(title_id: str, version: int | None = None) -> Title[Any]:
    """The title of that id, in its newest version or the one asked for; KeyError if there is none.

    Rules age, games do not: a package that has changed its rules keeps the older ones runnable beside
    its ``TITLE``, in a tuple ``OLDER``.
    """
    if title_id not in title_ids():
        raise KeyError(title_id)
    package = import_module(f"events.titles.{title_id}")
    newest: Title[Any] = package.TITLE
    for title in (newest, *getattr(package, "OLDER", ())):
        if version in (None, title.version):
            found: Title[Any] = title
            return found
    raise KeyError(f"{title_id} version {version}")
