"""The titles that are at hand: one package each, alike inside, found by their folder's name.

The titles of the project are the packages in ``events/titles``. More are named by the environment:
``RUTTER_EXTRA_TITLES=package[,package]``, each a package with a ``TITLE`` of its own; the last part of
its name is the title's id.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import events.titles
from events.title import Title

EXTRA = "RUTTER_EXTRA_TITLES"


@cache
def packages() -> Mapping[str, str]:
    """The package of each title, by the title's id in alphabetical order."""
    found = {m.name: f"events.titles.{m.name}" for m in iter_modules(events.titles.__path__) if m.ispkg}
    for package in filter(None, os.environ.get(EXTRA, "").split(",")):
        found[package.strip().rpartition(".")[2]] = package.strip()
    return dict(sorted(found.items()))


def title_ids() -> tuple[str, ...]:
    """The ids of all titles, in alphabetical order."""
    return tuple(packages())


@cache
def find_title(title_id: str, version: int | None = None) -> Title[Any]:
    """The title of that id, in its newest version or the one asked for; KeyError if there is none.

    Rules age, games do not: a package that has changed its rules keeps the older ones runnable beside
    its ``TITLE``, in a tuple ``OLDER``.
    """
    package = import_module(packages()[title_id])
    newest: Title[Any] = package.TITLE
    for title in (newest, *getattr(package, "OLDER", ())):
        if version in (None, title.version):
            found: Title[Any] = title
            return found
    raise KeyError(f"{title_id} version {version}")
