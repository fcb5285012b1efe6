"""The titles that are installed: one package each, alike inside.

The titles of the project are the packages in ``events/titles``. Others are named where they are installed:

* a distribution by an entry point of the group ``rutter.titles``, such as ``lantern = "lantern"``: the
  title's id, and the package that has its ``TITLE``;
* the environment by ``RUTTER_EXTRA_TITLES=package[,package]``; the last part of a package's name is the id.

No title of others takes the id of one of the project's, and of two that claim one id neither is played. A
title of others that cannot be used is left out, and the log says why: all others are played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NamedTuple

from events import titles
from events.base.installation import PACKAGE_PREFIX
from events.base.settings import RUTTER_EXTRA_TITLES
from events.rules.title import Title

ENTRY_POINTS = "rutter.titles"
"""The group of entry points by which distributions name their titles."""
KEPT = "kept"
"""The folder beside a title where its kept versions stand, each in a package ``v<version>``."""
OWN_PACKAGES = ("events", "projections", "service", "workers", "ops")


class RulesMissing(LookupError):
    """The rules of a game are not installed; the message names them, and those that are."""

    def __init__(
        self, title_id: str, version: int | None, data_hash: str | None, reason: str | None = None
    ) -> None:
        self.title_id = title_id
        self.version = version
        self.data_hash = data_hash
        data = f" with the data {data_hash[:16]}" if data_hash else ""
        named = title_id if version is None else f"{title_id} version {version}{data}"
        super().__init__(reason or f"{named} is not installed here; {_describe_available(title_id)}")


class UnusableTitle(RulesMissing):
    """A title that was named cannot be used: a module is missing, or it is none; says what helps."""

    def __init__(self, title_id: str, reason: str) -> None:
        super().__init__(title_id, None, None, f"the title {title_id} cannot be used: {reason}")


# --- which titles are named ---------------------------------------------------------------------------


class _Claim(NamedTuple):
    """A statement that a package is a title."""

    title_id: str
    package: str
    by: str
    """The source: the variable, or a distribution with its version."""


class _Found(NamedTuple):
    """The outcome of all claims."""

    packages: Mapping[str, str]
    """By id, in alphabetical order."""
    named_by: Mapping[str, str]
    """The source of each title that is none of the project's, by id."""
    refused: Mapping[str, str]
    """By id the reason for which a claim counts for nothing."""


def _find_claims() -> Iterator[_Claim]:
    """Yield what the environment and the installed distributions say."""
    from importlib.metadata import entry_points  # takes as long as a title, and few processes ask

    for package in RUTTER_EXTRA_TITLES.read():
        yield _Claim(package.rpartition(".")[2], package, RUTTER_EXTRA_TITLES.name)
    for point in entry_points(group=ENTRY_POINTS):
        dist = point.dist
        by = f"the distribution {dist.name} {dist.version}" if dist else "an unnamed distribution"
        yield _Claim(point.name, point.value.strip(), by)


@cache
def _settle_claims() -> _Found:
    found = {m.name: f"{titles.__name__}.{m.name}" for m in iter_modules(titles.__path__) if m.ispkg}
    claims: defaultdict[str, list[_Claim]] = defaultdict(list)
    for claim in sorted(_find_claims()):
        claims[claim.title_id].append(claim)
    named_by, refused = {}, {}
    for title_id, told in claims.items():
        if reason := _find_fault(told, found.get(title_id)):
            refused[title_id] = reason
        elif title_id not in found:
            found[title_id], named_by[title_id] = told[0].package, told[0].by
    return _Found(dict(sorted(found.items())), named_by, refused)


def _find_fault(claims: list[_Claim], own: str | None) -> str:
    """Return the reason for which the claims to one id count for nothing; empty if they do count."""
    title_id, packages_named = claims[0].title_id, {claim.package for claim in claims}
    for claim in claims:
        if not all(part.isidentifier() for part in (title_id, *claim.package.split("."))):
            return f"{claim.by} says {title_id} = {claim.package!r}, which is no name of a package"
    told = " and ".join(f"{claim.by} names {claim.package}" for claim in claims)
    if own is not None and packages_named != {own}:
        return f"{told}, but this id is that of a title of the project, which is played"
    if own is None and len(packages_named) > 1:
        return f"{told}: two packages for one id. Uninstall one, or leave one out"
    return ""


def packages() -> Mapping[str, str]:
    """Return the package of each title that is named, by the title's id in alphabetical order."""
    return _settle_claims().packages


@cache
def title_ids() -> tuple[str, ...]:
    """Return the ids of all titles that can be used, in alphabetical order; why others cannot is logged."""
    import logging

    for problem in list_problems():
        logging.getLogger(__name__).warning("%s", problem)
    others = _settle_claims().named_by
    return tuple(each for each in packages() if each not in others or each not in _find_unusable())


def has_others() -> bool:
    """Return True if anybody has named a title that is none of the project's; none is loaded to find out."""
    found = _settle_claims()
    return bool(found.named_by or found.refused)


def list_problems() -> tuple[str, ...]:
    """Return a sentence for each title of others that was named and cannot be used."""
    return tuple(sentence for _, sentence in sorted(_find_unusable().items()))


@cache
def _find_unusable() -> Mapping[str, str]:
    """Return the same sentences by the titles' ids."""
    named = _settle_claims()
    found = {title_id: str(UnusableTitle(title_id, reason)) for title_id, reason in named.refused.items()}
    for title_id in named.named_by:
        try:
            _load_title(title_id, named.packages[title_id])
        except UnusableTitle as unusable:
            found[title_id] = str(unusable)
    return found


def _describe_available(title_id: str) -> str:
    if title_id not in packages():
        return (
            f"there are {', '.join(title_ids())}. A title of others is installed, such as by pip, or named by"
            f" {RUTTER_EXTRA_TITLES.name}"
        )
    there = [_load_title(title_id, package) for package in _packages_of(title_id)]
    available = (
        f"version {t.version}" + (f" with the data {t.data_hash[:16]}" * bool(t.data_hash)) for t in there
    )
    return f"there is {', '.join(available)}"


# --- loading them -------------------------------------------------------------------------------------


@cache
def find_title(title_id: str, version: int | None = None, data_hash: str | None = None) -> Title[Any]:
    """Return the title of that id: the newest, or the *version* and data that a game was begun under.

    Rules age, games do not: beside a title stand its kept versions (`rutter keep`), each a package with a
    ``TITLE``. Raises :class:`RulesMissing` where there is none.
    """
    for package in _packages_of(title_id) if version is None else _packages_for_version(title_id, version):
        title = _load_title(title_id, package)
        if version in (None, title.version) and data_hash in (None, title.data_hash):
            return title
    raise RulesMissing(title_id, version, data_hash)


def versions(title_id: str) -> tuple[Title[Any], ...]:
    """Return all versions of a title that are installed, the newest first."""
    return tuple(_load_title(title_id, package) for package in _packages_of(title_id))


def package_of(title: Title[Any]) -> str:
    """Return the package in which a title stands."""
    return next(package for package in _packages_of(title.id) if _load_title(title.id, package) is title)


@cache
def _packages_of(title_id: str) -> tuple[str, ...]:
    """Return the packages of all versions of a title, the newest first; none where there is no such title."""
    package = packages().get(title_id)
    if package is None:
        if reason := _settle_claims().refused.get(title_id):
            raise UnusableTitle(title_id, reason)
        return ()
    _load_title(title_id, package)
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
def _load_title(title_id: str, package: str) -> Title[Any]:
    """Import a title. Raises :class:`UnusableTitle` where it is one of others and cannot be imported."""
    by = _settle_claims().named_by.get(title_id)
    try:
        title = import_module(package).TITLE
    except Exception as error:  # whatever the package of a stranger does: other titles are played
        if by is None:
            raise
        raise UnusableTitle(title_id, _explain(error, package, by)) from error
    if by is not None and not isinstance(title, Title):
        raise UnusableTitle(title_id, f"the TITLE of {package} ({by}) is no rutter.events.rules.title.Title")
    if title.id != title_id:
        raise UnusableTitle(title_id, f"the TITLE of {package} calls itself {title.id}; the two must agree")
    found: Title[Any] = title
    return found


def _explain(error: Exception, package: str, by: str) -> str:
    """Return the reason for which a package cannot be imported, and what helps."""
    where = f"its package {package} ({by})"
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        told = " ".join(str(error).split())
        return f"{where} does not load ({type(error).__name__}: {told})"
    if f"{package}.".startswith(f"{error.name}."):
        return (
            f"there is no module {error.name} here, which {by} names. Install the title, such as by"
            " `pip install`, or name the folder that it lies in in PYTHONPATH"
        )
    if PACKAGE_PREFIX and error.name.partition(".")[0] in OWN_PACKAGES:
        return (
            f"{where} imports `{error.name}`, which only a checkout has. Let it say"
            f" `{PACKAGE_PREFIX}{error.name}`: that is found everywhere"
        )
    return (
        f"{where} needs the module {error.name}, which is missing here. Install what the title needs, such as"
        " by `pip install`"
    )


def module_beside(title: Title[Any], name: str) -> ModuleType | None:
    """Return the module of that name beside a title's rules, such as its ``ways``; None where it has none."""
    package = package_of(title)
    return import_module(f"{package}.{name}") if find_spec(f"{package}.{name}") else None
