"""Titles for learning programs: stable actions with exact masks, features, explicit chance.

Everything here is pure and needs nothing but the core: adapters to other people's interfaces are in
`events/research/adapters`.

    from rutter.events.research.simulation import begin_game, choices, decode
    from rutter.events.rules.catalogue import find_title
    from rutter.events.rules.fast_chance import FastChance

    title = find_title("colonial_empires")
    play = begin_game(title, 4, FastChance("any seed"))
    seat = play.to_move
    said = ()
    while options := choices(title, play.state, seat, said):
        said = (*said, options[0])
    play = play.play_command(decode(title, said), FastChance("another"))
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import replace

from events.proof import canonical
from events.research.encoding import KIND, EncodingError, Integers, vocabulary, word_indices
from events.rules.catalogue import module_beside
from events.rules.chance import Chance
from events.rules.fact import Fact, Seat, type_name
from events.rules.kit.ways import Way, commands
from events.rules.steps import Command
from events.rules.title import Title
from events.table.record import may_open, split_fact

# --- actions --------------------------------------------------------------------------------------


def way_of(title: Title[Any], state: Any, seat: Seat) -> Way:
    """Return all commands that *seat* can give now, word by word; no next word where there are none."""
    special = _title_ways(title)
    found: dict[str, Way] = {}
    for kind, listed in title.commands_open(state, seat).items():
        way = _way_by_title(special[kind], state, seat) if kind in special else _way_among(listed())
        if way is not None:
            found[KIND + type_name(kind)] = way
    return Way(lambda: found)


def choices(title: Title[Any], state: Any, seat: Seat, prefix: Sequence[int] = ()) -> Integers:
    """Return the integers that may follow *prefix*, in order; none where it says a whole command.

    Each leads on to a command that `decide` accepts, and every command of `legal` and `sample` can be said.
    Depends on nothing that *seat* does not know. Empty for an empty prefix where the seat has nothing to do.
    Raises :class:`EncodingError` if *prefix* is not what these choices lead to.
    """
    known, numbered = vocabulary(title), word_indices(title)
    way = _find_way(title, state, seat)
    for place in prefix:
        following = way.next.get(known[place]) if 0 <= place < len(known) else None
        if following is None:
            raise EncodingError(f"{place} cannot come here: ask for the choices before it")
        way = following
    return tuple(sorted(numbered[word] for word in way.next))


class _LatestWay:
    """The way that was asked for last: a command is said word by word, in one state."""

    asked: tuple[Any, Any, Seat, Way] | None = None


def _find_way(title: Title[Any], state: Any, seat: Seat) -> Way:
    latest = _LatestWay.asked  # all in one, for threads
    if latest is not None and latest[0] is title and latest[1] is state and latest[2] == seat:
        return latest[3]
    way = way_of(title, state, seat)
    _LatestWay.asked = title, state, seat, way
    return way


@cache
def _title_ways(title: Title[Any]) -> Mapping[type[Command], Any]:
    module = module_beside(title, "ways")
    return {} if module is None else module.WAYS


def _way_by_title(made: Callable[[Any, Seat], Way | None], state: Any, seat: Seat) -> Way | None:
    """Return the way that a title makes, or None where it leads nowhere now."""
    way = made(state, seat)
    return way if way is not None and way.next else None


def _way_among(listed: Iterable[Command]) -> Way | None:
    """Return the way among these commands, which are only counted out when they are asked for."""
    stream = iter(listed)
    first = next(stream, None)
    if first is None:
        return None
    return _LazyWay(first, stream)


class _LazyWay(Way):
    """A way among commands of one type."""

    def __init__(self, first: Command, rest: Iterator[Command]) -> None:
        super().__init__(lambda: commands(chain((first,), rest)).next)


# --- chance ---------------------------------------------------------------------------------------


class MissingOutcome(Exception):
    """A command draws more than is given: one of *bound* outcomes, 0 to *bound* - 1, all equally likely."""

    def __init__(self, bound: int, *, hidden: bool) -> None:
        super().__init__(bound)
        self.bound = bound
        self.hidden = hidden
        """True if players may not see it at once."""


class ExplicitChance(Chance):
    """Chance made explicit: the outcomes so far, one integer a die or card.

    `decide` and `open` are pure: when :class:`MissingOutcome` is raised, choose an outcome, append it and
    decide the same command again. What has only one outcome is not asked for.
    """

    def __init__(self, outcomes: Sequence[int]) -> None:
        self._outcomes = iter(outcomes)

    def draw(self, bounds: Sequence[int], *, hidden: bool) -> list[int]:
        """See :meth:`Chance.draw`. Raises :class:`MissingOutcome`."""
        return [self._one(bound, hidden) if bound > 1 else 0 for bound in bounds]

    def _one(self, bound: int, hidden: bool) -> int:
        outcome = next(self._outcomes, None)
        if outcome is None:
            raise MissingOutcome(bound, hidden=hidden)
        if not 0 <= outcome < bound:
            raise ValueError(f"{outcome} is no outcome of {bound}: give 0 to {bound - 1}")
        return outcome


# --- games ----------------------------------------------------------------------------------------


class SimulatedGame(msgspec.Struct, frozen=True):
    """A game under way: the title's state, and for each seat a digest of all that it has seen.

    The digests are information states of perfect recall: equal ones mean that the seat has seen the same,
    and the rolling SHA-256 keeps them at 32 bytes however long the game is.
    """

    title: Title[Any]
    state: Any
    seen: tuple[bytes, ...]
    commands: int = 0
    """The number of commands that players have given."""

    def __deepcopy__(self, _memo: object) -> SimulatedGame:
        """Nothing in it ever changes."""
        return self

    @property
    def to_move(self) -> Seat | None:
        """The seat whose command is next: the first of those that are asked; None when the game has ended.

        Simultaneous answers are given one after the other: sealed ones stay hidden, so nobody is the wiser.
        """
        awaited = self.title.awaited(self.state)
        return awaited[0].seat if awaited else None

    def play_command(self, command: Command, chance: Chance) -> SimulatedGame:
        """Return the game after the next command, and after what the server does then.

        Raises :class:`Rejected`; with :class:`ExplicitChance` also :class:`MissingOutcome`.
        """
        seat = self.to_move
        draft = self.title.decide(self.state, seat, command, chance)
        event = {"by": seat, "command": msgspec.to_builtins(command, str_keys=True)}
        seen = tuple(
            _roll_digest(digest, [event if own == seat or not command.sealed else {"by": seat}])
            for own, digest in enumerate(self.seen)
        )
        played = replace(
            self, state=draft.state, seen=_extend_digests(seen, draft.facts), commands=self.commands + 1
        )
        return played.resolve_chance_and_house(chance)

    def resolve_chance_and_house(self, chance: Chance) -> SimulatedGame:
        """Return the game after everything that the server decides before a player is asked."""
        playing = self
        while (awaited := self.title.awaited(playing.state)) and awaited[0].seat is None:
            command = self.title.default(playing.state, awaited[0])
            draft = self.title.decide(playing.state, None, command, chance)
            playing = replace(playing, state=draft.state, seen=_extend_digests(playing.seen, draft.facts))
        return playing

    def resample(self, seat: Seat, chance: Chance) -> SimulatedGame:
        """Return a game that *seat* cannot tell from this one: what it does not know is drawn again."""
        return replace(self, state=self.title.imagine(self.state, seat, chance))


def begin_game(title: Title[Any], seats: int, chance: Chance, options: Any = None) -> SimulatedGame:
    """Return a new game up to its first decision; *options* of the title, by default its own.

    Raises :class:`events.rules.steps.Rejected` for a table that cannot be played.
    """
    given = title.Options() if options is None else options
    title.check_options(seats, given)
    draft = title.open(seats, given, chance)
    return SimulatedGame(
        title, draft.state, _extend_digests((b"",) * seats, draft.facts)
    ).resolve_chance_and_house(chance)


def utilities(title: Title[Any], state: Any) -> tuple[float, ...]:
    """Return a number by seat, from -1 to 1 with the sum zero; all are 0 before the end.

    A seat has the share of the others that are behind it less the share of those ahead.
    """
    outcome = title.outcome(state)
    if outcome is None:
        return (0.0,) * int(state.seats)
    places = outcome.places
    others = len(places) - 1
    return tuple(
        (sum(other > own for other in places) - sum(other < own for other in places)) / others
        for own in places
    )


def _extend_digests(before: tuple[bytes, ...], facts: Sequence[Fact]) -> tuple[bytes, ...]:
    """Return the digests after *facts*, each seat's with what it may know of them."""
    shown: list[list[Any]] = [[] for _ in before]
    for fact in facts:
        public, hidden = split_fact(fact)
        for seat, mine in enumerate(shown):
            own = {name: part for name, part in hidden.items() if may_open(name, seat)}
            mine.append([type_name(type(fact)), public, own])
    return tuple(_roll_digest(digest, mine) for digest, mine in zip(before, shown, strict=True))


def _roll_digest(digest: bytes, shown: Sequence[Any]) -> bytes:
    """*digest* with each of *shown* rolled into it."""
    for each in shown:
        digest = hashlib.sha256(digest + canonical.encode(each)).digest()
    return digest
