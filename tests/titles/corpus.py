"""A frozen corpus: a hundred random games a title, and digests of all that the code said about them.

The commands are stored, so that nothing here depends on how they were once chosen; draws follow from the
game's seed and the number of the command. After code was moved without changing what it does, this finds
every digest as it was. Words that were renamed on purpose stand in ``corpus/words.toml``.

- ``python -m tests.titles.corpus check [TITLE...]``: how many games agree, by kind.
- ``python -m tests.titles.corpus dump TITLE GAME KIND``: the text behind a digest, to compare checkouts.
- ``python -m tests.titles.corpus reach [TITLE...]``: the facts that no game reaches, or few.
- ``python -m tests.titles.corpus renew --really KIND [TITLE...]``: new digests of one kind, for a change that
  is meant; games and other kinds stay as they are and show that nothing else has changed.
- ``python -m tests.titles.corpus mend --really [TITLE...]``: for a clause that has changed: only the games
  that it refuses are played again.
- ``python -m tests.titles.corpus record --really [TITLE...]``: other games, chosen by today's samplers.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from events.rules.catalogue import find_title, title_ids
from events.rules.fact import Fact, Json, Seat, Who, type_name
from events.rules.fast_chance import FastChance
from events.rules.steps import Command, Rejected
from events.rules.title import Title
from tests.titles.table import Table, redacted, tables

HERE = Path(__file__).parent / "corpus"
GAMES = 100
"""Games of each title."""
MOST_LEGAL = 300
"""Most commands of a legal list that are looked at."""


# --- where the corpus touches what a title is made of ---------------------------------------------------


def folded(title: Title[Any], state: Any, fact: Fact) -> Any:
    """The state after *fact*."""
    return fact.fold(state)


def told(title: Title[Any], fact: Fact, data: Json, who: Who) -> str:
    """The sentence of *fact* for somebody who knows *data* of it."""
    return title.tell[type_name(type(fact))](data, who)


# --- renamed words --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Words:
    """Words of a title to be exchanged for others."""

    facts: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    under: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Values that change under one key only, by that key in its old spelling."""
    back: bool = False
    """Whether new words become old ones; otherwise old ones become new."""

    def renamed(self, value: Any) -> Any:
        """JSON in the other words."""
        if not (self.keys or self.values or self.under):
            return value
        return self._renamed(value, "")

    def _renamed(self, value: Any, key: str) -> Any:
        match value:
            case dict():
                return dict(self._entry(k, v) for k, v in value.items())
            case list():
                return [self._renamed(inner, key) for inner in value]
            case str():
                return self.under.get(key, {}).get(value) or self.values.get(value, value)
            case _:
                return value

    def _entry(self, key: str, value: Any) -> tuple[str, Any]:
        other = self.keys.get(key, key)
        return other, self._renamed(value, other if self.back else key)

    def reversed(self) -> Words:
        """The way back."""
        return Words(
            _reversed(self.facts),
            _reversed(self.keys),
            _reversed(self.values),
            {key: _reversed(words) for key, words in self.under.items()},
            back=not self.back,
        )


def _reversed(words: Mapping[str, str]) -> dict[str, str]:
    """New -> old. Raises ValueError where two old words became one."""
    back = {new: old for old, new in words.items()}
    if len(back) < len(words):
        raise ValueError(f"two old words have become one: {dict(words)}")
    return back


def read_words(text: str, title_id: str) -> Words:
    """Old words to new ones, of one title."""
    loaded = tomllib.loads(text)
    own, common = loaded.get(title_id, {}), loaded.get("common", {})
    facts, keys, values = ({**common.get(p, {}), **own.get(p, {})} for p in ("facts", "keys", "values"))
    everywhere = {old: new for old, new in values.items() if isinstance(new, str)}
    under = {key: words for key, words in values.items() if not isinstance(words, str)}
    return Words(facts, keys, everywhere, under)


@cache
def words_of(title_id: str) -> tuple[Words, Words]:
    """(old words to new, new words to old)."""
    to_new = read_words((HERE / "words.toml").read_text(encoding="utf-8"), title_id)
    return to_new, to_new.reversed()


# --- recorded games -------------------------------------------------------------------------------------


class Recorded(msgspec.Struct, frozen=True):
    """A game of the corpus."""

    seats: int
    options: Json
    seed: int
    commands: list[tuple[int | None, Json]]
    """Who gave which command; None for the server."""
    digests: dict[str, str] = {}
    """The first 16 hex digits of SHA-256, by kind."""


def file_of(title_id: str) -> Path:
    """Where the games of a title lie."""
    return HERE / f"{title_id}.json.gz"


@cache
def games_of(title_id: str) -> tuple[Recorded, ...]:
    """The recorded games of a title."""
    return msgspec.json.decode(gzip.decompress(file_of(title_id).read_bytes()), type=tuple[Recorded, ...])


def draws(seed: int, number: int) -> FastChance:
    """The draws of command *number* (0: the opening) of a game."""
    return FastChance(f"{seed}/{number}")


@dataclass(slots=True)
class Moment:
    """What a replay has come to: after a fact, perhaps in the middle of a command."""

    title: Title[Any]
    seats: int
    state: Any
    fact: Fact
    event: int
    """The number of the fact in the game, from 1."""
    nth: int
    """How many facts of this type came before it in the game."""
    command: int
    """The number of the command, from 1; 0 is the opening."""
    whole: bool
    """Whether it was the command's last fact."""

    @property
    def viewer(self) -> Seat | None:
        """One of the seats and the spectator, another one each time."""
        viewers: tuple[Seat | None, ...] = (None, *range(self.seats))
        return viewers[self.event % len(viewers)]

    @property
    def seat(self) -> Seat:
        """One of the seats, another one each time."""
        return self.event % self.seats


class Refused(Exception):
    """A recorded command that is not accepted any more; says which, and why."""


def replayed(title: Title[Any], game: Recorded) -> Iterator[Moment]:
    """Every moment of a game. Raises :class:`Refused` where a command is not what it was."""
    options = msgspec.convert(game.options, title.Options)
    state = title.blank(game.seats, options)
    batch = title.open(game.seats, options, draws(game.seed, 0)).facts
    seen: Counter[str] = Counter()
    event = 0
    for number in range(len(game.commands) + 1):
        if number:
            batch = _decided(title, state, game, number)
        for place, fact in enumerate(batch, 1):
            state = folded(title, state, fact)
            event, name = event + 1, type_name(type(fact))
            whole = place == len(batch)
            yield Moment(title, game.seats, state, fact, event, seen[name], number, whole)
            seen[name] += 1


def _decided(title: Title[Any], state: Any, game: Recorded, number: int) -> list[Fact]:
    seat, data = game.commands[number - 1]
    try:
        return title.decide(state, seat, command_of(title, data), draws(game.seed, number)).facts
    except (Rejected, msgspec.ValidationError, LookupError) as error:
        raise Refused(f"command {number}, {data} of seat {seat}: {error!r}") from error


def command_of(title: Title[Any], data: Json) -> Command:
    """A recorded command, read in today's words."""
    now = words_of(title.id)[0].renamed(data)
    kind = title.command_type(now["type"])
    if kind is None:
        raise LookupError(f"{title.id} knows no command {now['type']}")
    return msgspec.convert(now, kind, str_keys=True)


# --- what is looked at ----------------------------------------------------------------------------------

Shown = Iterator[tuple[str, Any]]
"""Whom or what it is about, and what was seen."""


def attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    """What *function* answers; the type of its exception where, amid a command, it has no answer."""
    try:
        return function(*arguments)
    except Exception as error:  # noqa: BLE001 - that it fails, and how, is what is recorded
        return {"raises": type(error).__name__}


def _fact(now: Moment) -> Shown:
    data = msgspec.to_builtins(now.fact, str_keys=True)
    name = data.pop("type")
    yield words_of(now.title.id)[1].facts.get(name, name), data


def _position(now: Moment) -> Shown:
    yield "", attempt(now.title.position, now.state)


def _outcome(now: Moment) -> Shown:
    yield "", attempt(now.title.outcome, now.state)


def _sentences(now: Moment) -> Shown:
    def who(seat: Seat) -> str:
        return now.title.seat_name(now.state, seat)

    data = msgspec.to_builtins(now.fact, str_keys=True)
    del data["type"]
    yield "all", attempt(told, now.title, now.fact, data, who)
    if now.fact.secrets:
        yield "public", attempt(told, now.title, now.fact, redacted(now.fact, data), who)


def _view(now: Moment) -> Shown:
    yield f"for {now.viewer}", attempt(now.title.view_json, now.state, now.viewer)


def _panels(now: Moment) -> Shown:
    def laid_out() -> Any:
        return now.title.panels(now.title.view_json(now.state, now.viewer), now.viewer)

    yield f"for {now.viewer}", attempt(laid_out)


def _decisions(now: Moment) -> Shown:
    yield "", attempt(now.title.decisions, now.state)


def _legal(now: Moment) -> Shown:
    title, state = now.title, now.state
    for seat in range(now.seats):
        listed = list(islice(title.legal(state, seat), MOST_LEGAL))
        labelled = [(title.label(state, seat, command), command) for command in listed]
        yield f"of {seat}", (labelled, title.complete(state, seat))


def _default(now: Moment) -> Shown:
    for decision in now.title.awaited(now.state):
        yield f"of {decision.seat}", now.title.default(now.state, decision)


def _samples(now: Moment) -> Shown:
    for seat in sorted({d.seat for d in now.title.awaited(now.state) if d.seat is not None}):
        yield f"of {seat}", now.title.sample(now.state, seat, FastChance(now.command))


def _imagined(now: Moment) -> Shown:
    other = now.title.imagine(now.state, now.seat, FastChance(now.command))
    yield f"by {now.seat}", now.title.position(other)


@dataclass(frozen=True)
class Kind:
    """One thing to look at, and how often."""

    show: Callable[[Moment], Shown]
    every: int = 1
    """Of the events of a game each such; where the row begins changes from game to game."""
    first: int = 0
    """So many facts of each type are looked at in any case."""
    large: bool = False
    """Whether it takes long where a title's states are large; there it is looked at more rarely."""
    whole: bool = False
    """Only between commands."""

    def looks(self, now: Moment, game: int) -> bool:
        """Whether to look now, in that game."""
        if self.whole and not now.whole:
            return False
        every = self.every * LARGE_STATES.get(now.title.id, 1) if self.large else self.every
        return now.nth < self.first or (now.event + game) % every == 0


LARGE_STATES: Mapping[str, int] = {
    "colonial": 6,
    "colonial_empires": 3,
    "colonial_revised": 8,
    "colonialism": 2,
    "colonies": 2,
}
"""How many times more rarely large things are looked at, so that a title takes some ten seconds in all."""

KINDS: Mapping[str, Kind] = {
    "facts": Kind(_fact),
    "positions": Kind(_position, every=20, first=1, large=True),
    "outcome": Kind(_outcome, every=8, first=1),
    "sentences": Kind(_sentences, every=3, first=2),
    "views": Kind(_view, every=20, large=True),
    "panels": Kind(_panels, every=40, large=True),
    "decisions": Kind(_decisions, every=5, first=1),
    "legal": Kind(_legal, every=8, large=True, whole=True),
    "default": Kind(_default, every=3, whole=True),
    "samples": Kind(_samples, every=6, whole=True),
    "imagined": Kind(_imagined, every=20, large=True, whole=True),
}

_ENCODER = msgspec.json.Encoder(order="sorted")


def lines(title: Title[Any], game: Recorded, number: int) -> Iterator[tuple[str, bytes]]:
    """(kind, line) of all that there is to see in game *number* of a title."""
    back = words_of(title.id)[1]
    try:
        for now in replayed(title, game):
            for kind, look in KINDS.items():
                if look.looks(now, number):
                    for what, value in look.show(now):
                        text = _ENCODER.encode(back.renamed(msgspec.to_builtins(value, str_keys=True)))
                        yield kind, b"%d %s %s\n" % (now.event, what.encode(), text)
    except Refused as refused:
        yield "facts", f"{refused}\n".encode()


def digests(title: Title[Any], game: Recorded, number: int) -> dict[str, str]:
    """One digest of each kind."""
    sums = {kind: hashlib.sha256() for kind in KINDS}
    for kind, line in lines(title, game, number):
        sums[kind].update(line)
    return {kind: total.hexdigest()[:16] for kind, total in sums.items()}


def differences(title_id: str, numbers: Iterable[int]) -> dict[str, list[int]]:
    """The games whose digest is not the recorded one, by kind."""
    title, games = find_title(title_id), games_of(title_id)
    found: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for number in numbers:
        now = digests(title, games[number], number)
        for kind in KINDS:
            if now[kind] != games[number].digests[kind]:
                found[kind].append(number)
    return found


# --- recording ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """How a game is to be played."""

    seed: int
    commands: int = 200
    """At most so many."""
    absent: int = 0
    """Out of four commands, how many are what an absent player does."""
    free: bool = False
    """Whether seats also do what the game does not wait for."""


RARE: Mapping[str, tuple[Plan, ...]] = {
    "colonial": (Plan(168, 310), Plan(178, 345), Plan(201, 430, absent=2)),
    "colonial_revised": (Plan(109, 150), Plan(141, 600)),
}
"""Games, found by search, in which facts happen that hardly any random game shows: the last of a title."""


def plan(title_id: str, number: int) -> Plan:
    """The plan of game *number*: every third may be long, and some are played in another manner."""
    rare = RARE.get(title_id, ())
    if number >= GAMES - len(rare):
        return rare[GAMES - 1 - number]
    return Plan(
        number,
        commands=500 if number % 3 == 0 else 200,
        absent=2 if number % 5 == 4 else 0,
        free=number % 4 == 1,
    )


def _chosen(title: Title[Any], state: Any, how: Plan, chooser: FastChance) -> tuple[Seat | None, Command]:
    """What somebody who may act does next."""
    if how.free and (free := _free(title, state)) and not chooser.draw_below(4):
        return chooser.pick(free)
    decision = chooser.pick(title.awaited(state))
    seat, command = decision.seat, title.default(state, decision)
    if seat is not None and chooser.draw_below(4) >= how.absent:
        sampled = title.sample(state, seat, chooser)
        assert sampled is not None, "who is waited for has a command"
        command = sampled
    return seat, command


def _free(title: Title[Any], state: Any) -> list[tuple[Seat, Command]]:
    """What seats can do although the game does not wait for it."""
    return [
        (decision.seat, command)
        for decision in title.decisions(state)
        if decision.free and decision.seat is not None
        for command in islice(title.legal(state, decision.seat), MOST_LEGAL)
        if type_name(type(command)) in decision.commands
    ]


def recorded(title: Title[Any], table: Table, how: Plan, number: int) -> Recorded:
    """Game *number* of a title, by players who choose at random."""
    chooser = FastChance(f"{how.seed}/choices")
    options = msgspec.convert(dict(table.options), title.Options)
    title.check_options(table.seats, options)
    state = title.open(table.seats, options, draws(how.seed, 0)).state
    commands: list[tuple[int | None, Json]] = []
    while len(commands) < how.commands and title.awaited(state):
        seat, command = _chosen(title, state, how, chooser)
        commands.append((seat, msgspec.to_builtins(command, str_keys=True)))
        state = title.decide(state, seat, command, draws(how.seed, len(commands))).state
    game = Recorded(table.seats, dict(table.options), how.seed, commands)
    return msgspec.structs.replace(game, digests=digests(title, game, number))


def record(title_id: str) -> None:
    """Write the games of a title again, in turn on every table that the battery knows."""
    title = find_title(title_id)
    known = [t for t in tables() if t.title_id == title_id and t.version is None]
    plans = [plan(title_id, number) for number in range(GAMES)]
    games = [recorded(title, known[how.seed % len(known)], how, n) for n, how in enumerate(plans)]
    write(title_id, games)


def renew(title_id: str, kind: str) -> None:
    """Write what the code says now into the digests of one kind; the games stay as they are."""
    title = find_title(title_id)
    games = []
    for number, game in enumerate(games_of(title_id)):
        now = {**game.digests, kind: digests(title, game, number)[kind]}
        games.append(msgspec.structs.replace(game, digests=now))
    write(title_id, games)


def mend(title_id: str) -> None:
    """Where a clause has changed, games that it refuses now are played again by their plans; the digests of
    all others are written as the code says now. The facts of games that are not refused must agree.
    """
    title = find_title(title_id)
    known = [table for table in tables() if table.title_id == title_id]
    games = []
    for number, game in enumerate(games_of(title_id)):
        now = digests(title, game, number)
        if now["facts"] == game.digests["facts"]:
            games.append(msgspec.structs.replace(game, digests=now))
        elif refused(title, game):
            how = plan(title_id, number)
            games.append(recorded(title, known[how.seed % len(known)], how, number))
        else:
            raise SystemExit(f"{title_id}: the facts of game {number} differ, and no clause refuses it")
    write(title_id, games)


def refused(title: Title[Any], game: Recorded) -> bool:
    """Whether today's rules refuse one of its commands."""
    try:
        for _ in replayed(title, game):
            pass
    except Refused:
        return True
    return False


def write(title_id: str, games: list[Recorded]) -> None:
    """Store the games of a title."""
    file_of(title_id).write_bytes(gzip.compress(msgspec.json.encode(games), mtime=0))


# --- the command line -----------------------------------------------------------------------------------


def say(text: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{text}\n")


def check(title_id: str) -> bool:
    """Say how many games of a title agree, by kind; whether all do."""
    numbers = range(len(games_of(title_id)))
    found = differences(title_id, numbers)
    for kind, games in found.items():
        where = f", not in {games[:10]}" if games else ""
        say(f"{title_id} {kind}: {len(numbers) - len(games)} of {len(numbers)} agree{where}")
    return not any(found.values())


def dump(title_id: str, number: int, kind: str) -> None:
    """The full text behind one digest."""
    for found, line in lines(find_title(title_id), games_of(title_id)[number], number):
        if found == kind:
            say(line.decode().rstrip())


def reach(title_id: str) -> None:
    """Say in how many games each fact of a title happens, the rarest first."""
    title = find_title(title_id)
    happens = Counter({type_name(fact): 0 for fact in title.facts})
    for game in games_of(title_id):
        happens.update({type_name(type(now.fact)) for now in replayed(title, game)})
    missing = sorted(name for name, games in happens.items() if not games)
    rare = [f"{name} ({games})" for name, games in reversed(happens.most_common()) if 0 < games < 5]
    say(f"{title_id}: {len(happens) - len(missing)} of {len(happens)} facts")
    say(f"  never: {', '.join(missing) or 'none'}")
    say(f"  in fewer than 5 games: {', '.join(rare) or 'none'}")


def main(words: list[str]) -> int:
    """See the top of the module; 1 where a check fails or the words make no sense."""
    match words:
        case ["check", *titles]:
            agree = [check(title_id) for title_id in titles or title_ids()]
            return 0 if all(agree) else 1
        case ["reach", *titles]:
            for title_id in titles or title_ids():
                reach(title_id)
        case ["record", "--really", *titles]:
            for title_id in titles or title_ids():
                record(title_id)
        case ["renew", "--really", kind, *titles] if kind in KINDS:
            for title_id in titles or title_ids():
                renew(title_id, kind)
        case ["mend", "--really", *titles]:
            for title_id in titles or title_ids():
                mend(title_id)
        case ["dump", title_id, number, kind] if kind in KINDS:
            dump(title_id, int(number), kind)
        case _:
            say(str(__doc__))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
