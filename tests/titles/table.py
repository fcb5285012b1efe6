"""Playing whole games in one process, for the battery and the titles' own tests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

import msgspec

from events.base.installation import qualify_name
from events.base.settings import RUTTER_TEST_TITLES
from events.rules.catalogue import find_title, title_ids, versions
from events.rules.chance import Chance
from events.rules.fact import Fact
from events.rules.fast_chance import FastChance
from events.rules.kit.offers import spread
from events.rules.steps import Command
from events.rules.title import Title
from events.table.record import may_open, split_fact

LONGEST = 100_000
"""No random game may take more commands than this."""


@dataclass(frozen=True)
class Table:
    """A title with a number of seats and options."""

    title_id: str
    seats: int
    options: tuple[tuple[str, Any], ...] = ()
    version: int | None = None
    """A kept version; None for the newest."""

    @property
    def name(self) -> str:
        """Such as ``colonies-4-fixed_start``, or ``colonies_v1-3``."""
        title = self.title_id if self.version is None else f"{self.title_id}_v{self.version}"
        return "-".join([title, str(self.seats), *(f"{k}={v}" for k, v in self.options)])


@dataclass
class Given:
    """A command of a game, and who gave it."""

    seat: int | None
    command: Command


@dataclass
class Moment:
    """A state between two commands, and how many facts led to it."""

    state: Any
    facts: int


@dataclass
class Play:
    """A game that was played."""

    title: Title[Any]
    table: Table
    options: Any
    state: Any
    facts: list[Fact] = field(default_factory=list)
    commands: list[Given] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)

    def some_moments(self, count: int) -> list[Moment]:
        """At most *count* moments, spread over the game."""
        return spread(self.moments, count)


def fast(seed: int) -> FastChance:
    """A generator for tests."""
    return FastChance(seed)


@cache
def tried_titles() -> tuple[str, ...]:
    """The titles that are tried: all of them, or those that ``RUTTER_TEST_TITLES=id[,id]`` names."""
    return RUTTER_TEST_TITLES.read() or title_ids()


@cache
def tables() -> tuple[Table, ...]:
    """Every number of seats of every title, and the variants that its tests name in ``TABLES``.

    A kept version was played on all of these when it was the newest; now on its smallest and largest.
    """
    found: list[Table] = []
    for title_id in tried_titles():
        found += [Table(title_id, seats) for seats in find_title(title_id).seats]
        found += _variants(title_id)
        for kept in versions(title_id)[1:]:
            fewest, most = kept.seats[0], kept.seats[-1]
            found += [Table(title_id, n, version=kept.version) for n in sorted({fewest, most})]
    return tuple(found)


def _variants(title_id: str) -> list[Table]:
    """``TABLES = [(seats, {"option": value}), ...]`` in ``tests/titles/<id>/tables.py``."""
    try:
        module = import_module(qualify_name(f"tests.titles.{title_id}.tables"))
    except ModuleNotFoundError:
        return []
    return [Table(title_id, seats, tuple(sorted(options.items()))) for seats, options in module.TABLES]


def play(table: Table, seed: int, *, defaults: bool = False, keep: bool = False) -> Play:
    """A whole game of random commands (or of default actions only)."""
    title = find_title(table.title_id, table.version)
    chance = fast(seed)
    options = msgspec.convert(dict(table.options), title.Options)
    title.check_options(table.seats, options)
    draft = title.open(table.seats, options, chance)
    game = Play(title, table, options, draft.state, list(draft.facts))
    for _ in range(LONGEST):
        waiting = title.awaited(game.state)
        if not waiting:
            return game
        if keep:
            game.moments.append(Moment(game.state, len(game.facts)))
        decision = waiting[0] if defaults else chance.pick(waiting)
        seat = decision.seat
        if defaults or seat is None:
            command = title.default(game.state, decision)
        else:
            command = title.sample(game.state, seat, chance)
        draft = title.decide(game.state, seat, command, chance)
        game.commands.append(Given(seat, command))
        game.facts += draft.facts
        game.state = draft.state
    raise AssertionError(f"{table.name}: no end after {LONGEST} commands")


class Noted(Chance):
    """Draws from a fast generator, and notes every public draw as ``(of, got)``."""

    def __init__(self, seed: int) -> None:
        self._inner = fast(seed)
        self.public: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self.count = 0
        """The number of all draws, hidden ones too."""

    def draw(self, bounds: Sequence[int], *, hidden: bool) -> list[int]:
        """See :meth:`Chance.draw`."""
        self.count += 1
        got = self._inner.draw(bounds)
        if not hidden:
            self.public.append((tuple(bounds), tuple(got)))
        return got


def fold_all(game: Play) -> Any:
    """The state that all facts give, from the blank one."""
    return game.title.fold_all(game.title.blank(game.table.seats, game.options), game.facts)


def told(facts: Sequence[Fact], seat: int) -> list[Any]:
    """What *seat* learns from facts: their public data, and the hidden parts that it may open."""
    split = [(type(fact), *split_fact(fact)) for fact in facts]
    return [
        (kind, data, {name: part if may_open(name, seat) else None for name, part in hidden.items()})
        for kind, data, hidden in split
    ]


def redacted(fact: Fact, data: dict[str, Any]) -> dict[str, Any]:
    """The data of *fact* without any of its secrets."""
    copy = msgspec.json.decode(msgspec.json.encode(data))
    for path in fact.secrets:
        *parents, last = path.split(".")
        inner = copy
        for key in parents:
            inner = inner[key]
        inner.pop(last, None)
    return copy


_ODD: tuple[Any, ...] = (0, 1, -1, 2, 7, 99, 10**9, "", "x", "natives", None, [], {}, True)


def mutations(game: Play, seed: int, count: int) -> list[Command]:
    """Commands of the game with one value changed, as far as they still fit their type."""
    rng = random.Random(seed)
    made: list[Command] = []
    for _ in range(count):
        original = rng.choice(game.commands).command
        data = msgspec.to_builtins(original, str_keys=True)
        _mutate(data, rng)
        try:
            made.append(msgspec.convert(data, type(original)))
        except (msgspec.ValidationError, ValueError):
            continue
    return made


def _mutate(data: Any, rng: random.Random) -> None:
    keys = [k for k in data if k != "type"] if isinstance(data, dict) else list(range(len(data)))
    if not keys:
        return
    key = rng.choice(keys)
    value = data[key]
    if isinstance(value, dict | list) and value and rng.random() < 0.7:
        _mutate(value, rng)
    elif isinstance(value, list) and value and rng.random() < 0.5:
        value.append(rng.choice(value))
    elif isinstance(value, int) and not isinstance(value, bool):
        data[key] = rng.choice((value + 1, value - 1, 0, 99))
    else:
        data[key] = rng.choice(_ODD)
