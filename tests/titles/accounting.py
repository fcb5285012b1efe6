"""Does the history explain the numbers? What sentences tell, added up, against what the views show.

A title names the accounts that its view shows (:data:`Accounts`, such as the Treasury of a seat or the owner
of a place), and how each kind of sentence is read (:class:`Reading`). After every command of a random game
the accounts must have changed by just what the sentences of that command told: so nobody who reads only the
history of a game misses why a score, money or ownership changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from events.rules.fact import Fact, Json, Seat, type_name
from tests.titles.table import Play, redacted

Account = tuple[str, int | str]
"""What, and whose: ``("treasury", 1)`` of seat 1, ``("owner", "Gold in Peru")`` of a place."""
Accounts = Mapping[Account, Any]
FOLLOWS = object()
"""The value of an account that needs not be told now, since it follows from the others."""
_SEAT, _NUMBER = r"Seat (?P<%s>\d+)", r"(?P<%s>\d+)"


@dataclass(frozen=True)
class Reading:
    """How a sentence is read, as often as its pattern occurs in it.

    In the pattern, a regular expression, ``{a}`` to ``{d}`` stand for a seat, ``{n}`` and ``{m}`` for a
    number, ``{place}`` (any longer word) for a text. An entry is ``"a treasury -n"`` (a change by a number
    that was read, or by ``+1``), or ``"place owner =a"`` (what it is from now on; ``=`` alone: nobody's).
    Whose account it is may be put together: ``"{a}/{place} counters +1"``.
    """

    pattern: str
    entries: tuple[str, ...]

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        def group(found: re.Match[str]) -> str:
            name = found[1]
            kind = _SEAT if name in "abcd" else _NUMBER if name in "nm" else "(?P<%s>.+?)"
            return kind % name

        return re.compile(re.sub(r"\{([a-z]+)\}", group, self.pattern))

    def read(self, sentence: str) -> Iterator[tuple[Account, str, Any]]:
        """(account, ``+`` or ``=``, value) of all that the sentence tells."""
        for found in self._compiled.finditer(sentence):
            words = {key: int(text) if text.isdecimal() else text for key, text in found.groupdict().items()}
            for entry in self.entries:
                whose, what, told = entry.split()
                value = words.get(told[1:], told[1:])
                account = (what, words.get(whose, whose.format(**words)))
                if told[0] == "=":
                    yield account, "=", _value(value)
                else:
                    yield account, "+", int(f"{told[0]}{value}")


def _value(told: Any) -> Any:
    """What an account is said to be: a number (a seat, too; 1 and 0 are yes and no), a name, nothing."""
    if not isinstance(told, str):
        return told
    return int(told) if told.isdecimal() else told or None


def reads(pattern: str, *entries: str) -> Reading:
    """``reads("{a} pays {n} Treasury", "a treasury -n")``."""
    return Reading(pattern, entries)


Readings = Mapping[str, Sequence[Reading]]
"""By type of fact, how its sentences are read."""


def told(play: Play, fact: Fact, *, secrets: bool = False) -> str:
    """The sentence of *fact* for everybody (or with its *secrets*); seats are called ``Seat 0``, ..."""
    data: Json = msgspec.to_builtins(fact, str_keys=True)
    shown = data if secrets else redacted(fact, data)
    return play.title.tell[type_name(type(fact))](shown, lambda seat: f"Seat {seat}")


def unexplained(
    play: Play,
    readings: Readings,
    accounts: Callable[[Json], Accounts],
    viewer: Seat | None = None,
) -> Iterator[str]:
    """The changes of accounts in a game (played with ``keep=True``) that its history does not tell.

    *accounts* reads them from the view of *viewer* (None: a spectator, who is told no secrets).
    """
    states = [*((moment.state, moment.facts) for moment in play.moments), (play.state, len(play.facts))]
    holdings = {entry.split()[1] for entry in _entries(readings) if re.search(r" =[a-d]$", entry)}
    expected, done = dict(accounts(play.title.view_json(states[0][0], viewer))), states[0][1]
    for state, upto in states[1:]:
        sentences = [(fact, told(play, fact, secrets=viewer is not None)) for fact in play.facts[done:upto]]
        shown = accounts(play.title.view_json(state, viewer))
        _add_up(expected, sentences, readings)
        for account in sorted({*expected, *shown}, key=str):
            value = shown.get(account)
            if value is FOLLOWS or _same(value, expected.get(account), held=account[0] in holdings):
                continue
            text = " | ".join(sentence for _, sentence in sentences)
            yield f"{account}: told {expected.get(account)}, shown {value} after: {text}"
            expected[account] = value
        done = upto


def _entries(readings: Readings) -> Iterator[str]:
    """What the readings write down; a title may also have readings of its own making, without patterns."""
    found = (reading for each in readings.values() for reading in each if isinstance(reading, Reading))
    return (entry for reading in found for entry in reading.entries)


def _same(shown: Any, told: Any, *, held: bool) -> bool:
    """What is not shown is none; where seats hold something, seat 0 is not nobody."""
    return bool(shown == told if held else (shown or 0) == (told or 0))


def _add_up(expected: dict[Account, Any], sentences: Iterable[tuple[Fact, str]], readings: Readings) -> None:
    for fact, sentence in sentences:
        for reading in readings.get(type_name(type(fact)), ()):
            for account, sign, value in reading.read(sentence):
                expected[account] = (expected.get(account) or 0) + value if sign == "+" else value
