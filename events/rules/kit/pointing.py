"""Declarations in a title's ``page.toml`` for playing it by pointing at what is drawn."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Hint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hint for the first turn of a new player."""

    text: str
    """One or two sentences, at most 160 characters."""
    clause: str
    """The clause of the rules that it explains, such as ``COL-00-01``."""


class Pointing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The way to play a title on its board."""

    refs: Mapping[str, str] = {}
    """By field of its commands the drawn things that it names: see :mod:`events.rules.kit.refs`."""
    asks: Mapping[str, str] = {}
    """By kind of decision the sentence that tells a player what to do; by default the kind as words."""
    grave: frozenset[str] = frozenset()
    """Types of command that cannot be mended and are easily given by mistake: a page asks again."""
    wars: Mapping[str, str] = {}
    """By type of command that begins a war the field that names the other seat."""
    measures: Mapping[str, str] = {}
    """The names of what `Title.measures` gives, in the order in which a page offers their curves."""
    turns: frozenset[str] = frozenset()
    """Types of fact with which a turn of the game begins: marks on the way through time."""
    guide: tuple[Hint, ...] = ()
    """For a first turn: what one plays for, how a move is made, what to look at."""
    clauses: Mapping[str, tuple[str, ...]] = {}
    """By a ref, or how refs begin, the clauses of the rules that say what such a thing does."""

    def clauses_of(self, ref: str) -> tuple[str, ...]:
        """The clauses that *ref* rests on: those of the longest beginning that is declared; else none.

        Where a thing has no key its ref is its name: that is read as a key, in small letters and with ``_``.
        """
        keyed = ref.lower().replace(" ", "_")
        begins = max((key for key in self.clauses if keyed.startswith(key)), key=len, default=None)
        return () if begins is None else self.clauses[begins]
