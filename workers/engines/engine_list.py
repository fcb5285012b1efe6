"""The engines that an operator has listed: a TOML file that RUTTER_ENGINES names.

Each is one `[[engine]]`. Of several versions of a name the newest plays; the others stay as long as their
moves are to be thought again.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from events.base.settings import RUTTER_ENGINES, WrongSetting
from events.rules.bot_names import ENGINE, ENGINE_NAME
from events.rules.catalogue import title_ids
from events.rules.fact import Json

MOST_CPU_SECONDS = 10
"""Two thoughts of an engine on a busy machine must fit into the time of one job."""


class EngineEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One `[[engine]]`."""

    name: Annotated[str, Meta(pattern=f"^{ENGINE_NAME}$")]
    version: Annotated[int, Meta(ge=1, le=1_000_000)]
    """Raised whenever the same seed may give another move."""
    command: Annotated[tuple[str, ...], Meta(min_length=1)]
    """The program and its words; it runs in the folder of the list."""
    files: Annotated[tuple[str, ...], Meta(min_length=1)]
    """The files that decide its moves: the program itself, weights. Paths from the folder of the list."""
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """The digest of the bytes of those files, one after the other: ``cat FILES | sha256sum``."""
    titles: Annotated[tuple[str, ...], Meta(min_length=1)]
    simulations: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    """The budget of thinking for a move, in the engine's own unit."""
    cpu_seconds: Annotated[int, Meta(ge=1, le=MOST_CPU_SECONDS)]
    """The processor time for that, in seconds; at twice as much the engine is killed."""
    memory_mb: Annotated[int, Meta(ge=16, le=1 << 20)]
    """Most address space, in MiB."""
    environment: dict[str, str] = {}
    """Variables of its environment, which else knows PATH and LANG alone."""
    reproducible: bool = False
    """True if one seed always gives one move. It counts only where `moves` shows it."""
    moves: str | None = None
    """A file of recorded moves (`rutter engines --record`), which it gives again exactly."""


class _List(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    engine: tuple[EngineEntry, ...] = ()


@dataclass(frozen=True)
class Engine:
    """An engine that is listed and can be started."""

    entry: EngineEntry
    folder: Path
    """The folder of the list, in which it runs."""
    reproducible: bool = False
    """True if the engine claims one move for one seed, and recorded moves of just these files show it."""

    @property
    def name(self) -> str:
        """The name of the engine at tables."""
        return ENGINE + self.entry.name

    @property
    def full(self) -> str:
        """With its version."""
        return f"{self.name}@{self.entry.version}"

    @property
    def moves(self) -> Path | None:
        """Its recorded moves."""
        return None if self.entry.moves is None else self.folder / self.entry.moves

    def digest(self) -> str:
        """Return the SHA-256 (hex) of its files as they are now. Raises OSError for an unreadable one."""
        paths = [self.folder / name for name in self.entry.files]
        marks = [(stat.st_ino, stat.st_size, stat.st_mtime_ns) for stat in map(Path.stat, paths)]
        return _digest(tuple(paths), tuple(marks))


def format_head(entry: EngineEntry) -> Json:
    """Return the first line of a file of recorded moves: whose they are."""
    return {name: getattr(entry, name) for name in ("name", "version", "sha256", "simulations")}


def _has_moves(entry: EngineEntry, folder: Path) -> bool:
    """Return True if there are recorded moves of this very engine."""
    if entry.moves is None:
        return False
    try:
        with (folder / entry.moves).open("rb") as stream:
            head = msgspec.json.decode(stream.readline())
    except (OSError, ValueError):
        return False
    return bool(head == format_head(entry))


@lru_cache(256)
def _digest(paths: tuple[Path, ...], _marks: tuple[tuple[int, ...], ...]) -> str:
    """Return the SHA-256 (hex). Weights may be large: they are read again only when they have changed."""
    whole = hashlib.sha256()
    for path in paths:
        with path.open("rb") as stream:
            while chunk := stream.read(1 << 20):
                whole.update(chunk)
    return whole.hexdigest()


def list_engines() -> tuple[Engine, ...]:
    """Return all engines that are listed, the newest version of each name first; none without the setting.

    Raises :class:`WrongSetting`, which says what is wrong with the list.
    """
    path = RUTTER_ENGINES.read()
    return _read(path.absolute()) if path else ()


def list_newest_engines() -> tuple[Engine, ...]:
    """Return the version of each name that plays, in the order of the names. Raises :class:`WrongSetting`."""
    found = {engine.name: engine for engine in reversed(list_engines())}
    return tuple(found[name] for name in sorted(found))


@cache
def _read(path: Path) -> tuple[Engine, ...]:
    try:
        listed = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _List)
    except (OSError, ValueError, msgspec.ValidationError) as error:
        raise WrongSetting(f"{RUTTER_ENGINES.name}: {path} is not a list of engines: {error}") from error
    found = [
        Engine(entry, path.parent, entry.reproducible and _has_moves(entry, path.parent))
        for entry in sorted(listed.engine, key=lambda entry: -entry.version)
    ]
    for engine in found:
        _check(engine)
    if len({engine.full for engine in found}) < len(found):
        raise WrongSetting(f"{RUTTER_ENGINES.name}: {path} lists an engine twice. Delete one entry.")
    return tuple(found)


def _check(engine: Engine) -> None:
    unknown = set(engine.entry.titles) - set(title_ids())
    if unknown:
        raise WrongSetting(
            f"{RUTTER_ENGINES.name}: {engine.full} names unknown titles: {', '.join(sorted(unknown))}."
        )
