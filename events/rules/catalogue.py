"""The titles that are at hand: one package each, alike inside, found by their folder's name.

The titles of the project are the packages in ``events/titles``. More are named by the environment:
``RUTTER_EXTRA_TITLES=package[,package]``, each a package with a ``TITLE`` of its own; the last part of
its name is the title's id.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from events import titles
from events.base.settings import RUTTER_EXTRA_TITLES
from events.rules.title import Title

KEPT = "kept"
"""The folder beside a title where its kept versions stand, each in a package ``v<version>``."""


@cache
def packages() -> Mapping[str, str]:
    """The package of each title, by the title's id in alphabetical order."""
    found = {m.name: f"{titles.__name__}.{m.name}" for m in iter_modules(titles.__path__) if m.ispkg}
    for package in RUTTER_EXTRA_TITLES.read():
        found[package.rpartition(".")[2]] = package
    return dict(sorted(found.items()))


def title_ids() -> tuple[str, ...]:
    """The ids of all titles, in alphabetical order."""
    return tuple(packages())


class RulesMissing(LookupError):
    """The rules under which a game was begun are not at hand; says which they are, and which there are."""

    def __init__(self, title_id: str, version: int | None, data_hash: str | None) -> None:
        self.title_id = title_id
        self.version = version
        self.data_hash = data_hash
        data = f" with the data {data_hash[:16]}" if data_hash else ""
        named = title_id if version is None else f"{title_id} version {version}{data}"
        super().__init__(f"{named} is not at hand here; {_describe_available(title_id)}")


def _describe_available(title_id: str) -> str:
    if title_id not in packages():
        return f"there are {', '.join(title_ids())}"
    there = [_load_title(package) for package in _packages_of(title_id)]
    told = (
        f"version {t.version}" + (f" with the data {t.data_hash[:16]}" * bool(t.data_hash)) for t in there
    )
    return f"there is {', '.join(told)}"


def find_title(title_id: str, version: int | None = None, data_hash: str | None = None) -> Title[Any]:
    """The title of that id: the newest, or the *version* and data that a game was begun under.

    Rules age, games do not: beside a title stand its kept versions (`rutter keep`), each a package with a
    ``TITLE``. Raises :class:`RulesMissing` where there is none.
    """
    for package in _packages_of(title_id) if version is None else _packages_for_version(title_id, version):
        title = _load_title(package)
        if version in (None, title.version) and data_hash in (None, title.data_hash):
            return title
    raise RulesMissing(title_id, version, data_hash)


def versions(title_id: str) -> tuple[Title[Any], ...]:
    """All versions of a title that are at hand, the newest first."""
    return tuple(_load_title(package) for package in _packages_of(title_id))


def package_of(title: Title[Any]) -> str:
    """The package in which a title stands."""
    return next(package for package in _packages_of(title.id) if _load_title(package) is title)


@cache
def _packages_of(title_id: str) -> tuple[str, ...]:
    """The packages of all versions of a title, the newest first; none where there is no such title."""
    package = packages().get(title_id)
    if package is None:
        return ()
    kept = find_spec(f"{package}.{KEPT}")
    names = [m.name for m in iter_modules(kept.submodule_search_locations) if m.ispkg] if kept else []
    older = sorted((int(name.removeprefix("v")) for name in names), reverse=True)
    return package, *(f"{package}.{KEPT}.v{number}" for number in older)


@cache
def _packages_for_version(title_id: str, version: int) -> tuple[str, ...]:
    """Return the packages that may hold a version, so that no other kept version is loaded for it."""
    kept = f".{KEPT}.v"
    return tuple(p for p in _packages_of(title_id) if kept not in p or p.endswith(f"{kept}{version}"))


@cache
def _load_title(package: str) -> Title[Any]:
    title: Title[Any] = import_module(package).TITLE
    return title


def module_beside(title: Title[Any], name: str) -> ModuleType | None:
    """The module of that name beside a title's rules, such as its ``ways``; None where it has none."""
    package = package_of(title)
    return import_module(f"{package}.{name}") if find_spec(f"{package}.{name}") else None
