"""Outcomes listed in advance, for worked examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from events.rules.chance import D6, Chance

T = TypeVar("T")


class ScriptMismatch(AssertionError):
    """A worked example lists an outcome that the draw cannot have, too few, or too many."""


class ScriptedChance(Chance):
    """Outcomes listed in advance, one entry a draw: the option picked, or the list of faces rolled.

    Without an entry left, *fallback* (if given) draws on, so that examples need list only
    the outcomes that matter at the front.
    """

    def __init__(self, script: Sequence[Any], fallback: Chance | None = None) -> None:
        self._script = list(script)
        self._fallback = fallback

    @property
    def remaining(self) -> int:
        """The number of entries that no draw has used yet."""
        return len(self._script)

    def _take_next(self, what: str) -> Any:
        if not self._script:
            raise ScriptMismatch(f"the script lists no outcome for the draw of {what}")
        return self._script.pop(0)

    def draw(self, bounds: Sequence[int], *, hidden: bool) -> list[int]:
        """Return the next entry, as the list of integers drawn (a bare integer for one)."""
        if not self._script and self._fallback:
            return self._fallback.draw(bounds, hidden=hidden)
        entry = self._take_next(f"integers below {list(bounds)}")
        got = [entry] if isinstance(entry, int) else list(entry)
        if len(got) != len(bounds) or any(not 0 <= g < b for g, b in zip(got, bounds, strict=True)):
            raise ScriptMismatch(f"{entry!r} is no outcome of integers below {list(bounds)}")
        return got

    def pick(self, options: Sequence[T], *, hidden: bool = False) -> T:
        """Return the next entry, which must be one of *options*."""
        if not self._script and self._fallback:
            return self._fallback.pick(options, hidden=hidden)
        entry = self._take_next(f"one of {list(options)[:8]!r}...")
        for option in options:
            if option == entry or msgspec.to_builtins(option) == entry:
                return option
        raise ScriptMismatch(f"{entry!r} is none of the options {list(options)!r}")

    def roll(self, count: int = 1, faces: Sequence[T] = D6) -> tuple[T, ...]:  # type: ignore[assignment]
        """Return the next entry, as the list of faces (a bare face for one die)."""
        if not count:
            return ()
        if not self._script and self._fallback:
            return self._fallback.roll(count, faces)
        entry = self._take_next(f"{count} dice")
        got = tuple(entry) if isinstance(entry, list | tuple) else (entry,)
        if len(got) != count or any(face not in faces for face in got):
            raise ScriptMismatch(f"{entry!r} is no roll of {count} dice with faces {list(faces)!r}")
        return got
