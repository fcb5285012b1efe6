"""Mutants of bundles: a forger changes a true file anywhere, chains it again and signs it with the log's key.

A mutant may be refused. What is said of one that is accepted must be what is said of the true file: who won,
standings, people, rulings, randomness, bots. `rutter verify` ends in time, and a refusal is one line.
"""

from __future__ import annotations

import copy
import json
import random
import re
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.base.timestamps import add_milliseconds
from events.clocks.absence_policy import Absence
from events.clocks.clock import LiveClock
from events.proof import canonical
from events.proof.randomness import Seed
from events.table import bundle, clock_updates
from events.table.commands import command_rules
from events.table.commands.leaving import TableLeave, TableRemove
from events.table.commands.rulings import TableAddTime, TableEnd, TablePause, TableResume
from events.table.record import BatchCause, canonical_command
from events.table.terms import Terms
from events.tlog.notes import sign_receipt
from ops import cli
from tests.events.forging import SIGNER, Forgery, Table, dated, line
from tests.tournament.event_files import PlayedEvent
from tests.vectors.tournaments import honest
from workers import bots

CPU_SECONDS = 20
"""The most that the verification of a mutant may take: far more than any takes."""
Lines = Sequence[bytes]
Json = dict[str, Any]
Source = Callable[[], tuple[Lines, tuple[str, ...]]]
"""A function that returns a true bundle, and the options that it needs."""


# --- true bundles --------------------------------------------------------------------------------------


class DirectedTable(Table):
    """A game with clocks, in which people, directors and the server give commands of the table."""

    def append(self, batch: Any, seat: Any, command: Any = None, run: Any = None) -> None:
        """Record a batch, a second after the one before, with its note on the clocks."""
        self.at = add_milliseconds(self.at, 1000)
        note = clock_updates.make_clock_note(self.game, seat, command, batch, self.at)
        cause = BatchCause(self.at, seat, self.command_id, command, batch.draws, run, clock=note)
        self.record(batch.facts, cause)

    def give(self, actor: Any, command: Any) -> None:
        """Decide a command of the table and record it."""
        command = canonical_command(command)
        at, keys = add_milliseconds(self.at, 1000), (self.secrets, self.chain)
        find_bot = partial(bots.find_bot_version, self.title)
        self.append(command_rules.decide(self.game, actor, command, at, keys, find_bot), actor, command)


def _played(*words: Any, **changes: Any) -> Lines:
    return Table(*words, **changes).begin().play().lines()


def _signed() -> Lines:
    keys = {seat: Ed25519PrivateKey.from_private_bytes(bytes([seat + 1]) * 32) for seat in (0, 1)}
    return _played(seats=(None, None), keys=keys, commits=[0, 1], reveals=[0])


def _directed() -> Lines:
    """Return a game that is paused and resumed, with time given, one who leaves and one who is removed."""
    absence = Absence(then="bot:random", least_people=0)
    terms = Terms(clock=LiveClock(base_ms=600_000, increment_ms=1000), directors=2, absence=absence)
    table = DirectedTable(seats=(None, None), terms=terms)
    table.begin()
    table.play(1)
    table.give("d1", TableAddTime(1, 60_000))
    table.give("d2", TablePause(add_milliseconds(table.at, 600_000), "technical"))
    table.give("d1", TableResume())
    table.play(2)
    table.give(0, TableLeave())
    table.play(2)
    table.give("d1", TableRemove(1, "conduct"))
    return table.play().lines()


def _ended() -> Lines:
    """Return a game that a director ends."""
    table = DirectedTable(seats=(None, None), terms=Terms(directors=1))
    table.begin()
    table.play(3)
    table.give("d1", TableEnd("other"))
    return table.lines()


def _whole_copy() -> Lines:
    table = Table(commits=[0], reveals=[0]).begin().play()
    return list(bundle.write_lines(table.game, table.records, 0, SIGNER))


def _copy(moves: int, *words: Any, **changes: Any) -> Lines:
    return Table(*words, **changes).begin().play(moves).lines(0)


GAMES: Mapping[str, Source] = {
    "bot": lambda: (_played(commits=[0], reveals=[0]), ("--bots",)),
    "signed": lambda: (_signed(), ()),
    "position": lambda: (_played(position=honest.SHORT["position"]), ("--bots",)),
    "seed": lambda: (_played(seed=Seed(b"1234", bytes(16))), ("--bots",)),
    "directed": lambda: (_directed(), ("--bots",)),
    "ended": lambda: (_ended(), ()),
    "copy": lambda: (_copy(4), ("--partial",)),
    "whole copy": lambda: (_whole_copy(), ("--partial",)),
    "cards": lambda: (_copy(40, "colonial_empires", (None, "random", None)), ("--partial",)),
    "large": lambda: (_played("colonies", (None, "random", None), commits=[0], reveals=[0]), ()),
}
"""True games by name; the last two are dear."""
PLAYED = ("duel", "ruled", "replayed", "abandoned", "cancelled", "withheld")
"""Tournaments whose games are in the file."""
TOLD = ("running", "by_hand", "struck", "byes", "looking_ahead", "rotation", "knockout", "substituted")
"""Tournaments without their games, for which `--partial` is needed."""


def _tournament(name: str, *words: str) -> tuple[Lines, tuple[str, ...]]:
    made: honest.ToldEvent | PlayedEvent = getattr(honest, name)()
    return made.lines(), words


TOURNAMENTS: Mapping[str, Source] = {
    **{name: partial(_tournament, name) for name in PLAYED},
    **{name: partial(_tournament, name, "--partial") for name in TOLD},
}
"""True tournaments by name."""


@cache
def read_source(name: str) -> tuple[Lines, tuple[str, ...]]:
    """Return the true bundle of that name, and its options."""
    return {**GAMES, **TOURNAMENTS}[name]()


# --- in a forger's hands ---------------------------------------------------------------------------------


class ForgedTournament:
    """A tournament and its games, which can be changed at will: all is chained, linked and signed again."""

    def __init__(self, lines: Lines) -> None:
        headers = [n for n, one in enumerate(lines) if b'"kind":"header"' in one]
        parts = [list(lines[a:b]) for a, b in zip(headers, [*headers[1:], len(lines)], strict=True)]
        told = [json.loads(one) for one in parts[0]]
        self.header: Json = told[0]
        self.bodies: list[Json] = [json.loads(one["body"]) for one in told[1:-1]]
        self.games = [Forgery(one) for one in parts[1:]]

    def lines(self) -> list[bytes]:
        """All lines, as a forger seals them: links and results of games are set to what the games say."""
        head, out = canonical.genesis(str(self.header["tournament"])), []
        started: dict[str, str] = {}
        games = {game.header["game"]: game for game in self.games}
        sealed: dict[str, list[bytes]] = {}
        for n, body in enumerate(self.bodies, 1):
            body["n"] = n
            data = body.get("data")
            if isinstance(data, dict) and body["t"] in ("TableLinked", "ResultRecorded"):
                game = games.get(str(data.get("game")))
                if game is not None:
                    ends = sealed.setdefault(game.header["game"], _seal_game(game, started))
                    self._link(body, [json.loads(one) for one in ends[1:-1]])
            text = line(body)[:-1]
            head = canonical.link(head, text)
            if body["t"] == "RoundStarted" and isinstance(data, dict):
                started[str(data.get("round"))] = head.hex()
            out.append(line({"kind": "event", "n": n, "hash": head.hex(), "body": text.decode()}))
        self.header["events"] = len(out)
        note = sign_receipt(SIGNER, self.header["tournament"], len(out), head, **dated(self.bodies[-1]))
        own = [line(self.header), *out, line({"kind": "receipt", "note": note})]
        return [*own, *(one for game in self.games for one in sealed.get(game.header["game"], game.lines()))]

    @staticmethod
    def _link(body: Json, events: Sequence[Json]) -> None:
        """Let a link or a result name the events of its game."""
        linked = body["t"] == "TableLinked"
        for part in (body["data"], body.get("command")):
            if isinstance(part, dict) and "head" in part:
                part["head"] = events[0 if linked else -1]["hash"]
                if not linked:
                    part["seq"] = len(events)


def _seal_game(game: Forgery, started: Mapping[str, str]) -> list[bytes]:
    """Return the lines of a game that names the round that started."""
    opened = game.events[0]["body"].get("data")
    place = opened.get("tournament") if isinstance(opened, dict) else None
    if isinstance(place, dict) and str(place.get("round")) in started:
        place["hash"] = started[str(place["round"])]
    return game.lines()


# --- mutations -------------------------------------------------------------------------------------------


_STRANGE: Sequence[Any] = (None, True, False, 0, 1, -1, 2**53 - 1, "", "x", [], {}, [[7]], {"x": {}})
"""Values that may stand nowhere."""


class Mutator:
    """Changes values of a bundle: to others of their kind, often to one that stands elsewhere in it."""

    def __init__(self, rng: random.Random, texts: Sequence[Any]) -> None:
        self._rng = rng
        self._known: dict[str, list[Any]] = defaultdict(list)
        for text in texts:
            for holder, key in list_places(text):
                if isinstance(key, str):
                    self._known[key].append(holder[key])

    def change(self, value: Any) -> None:
        """Change one place below *value*, which is a list or an object that has some."""
        places = list(list_places(value))
        holder, key = self._rng.choice(places)
        if self._rng.random() < 0.1:
            self._reshape(holder, key)
        else:
            holder[key] = self.vary(holder[key], str(key))

    def change_both(self, body: Json) -> None:
        """Change one member alike in the command and in the data of an event, if they share any."""
        data, command = body.get("data"), body.get("command")
        shared = sorted(set(data) & set(command)) if data and command else []
        if data and command and shared:
            key = self._rng.choice(shared)
            data[key] = self.vary(data[key], key)
            command[key] = copy.deepcopy(data[key])

    def vary(self, value: Any, key: str) -> Any:
        """Return another value in the place of *value*, the member *key*."""
        others = [one for one in self._known[key] if one != value]
        if others and self._rng.random() < 0.5:
            return copy.deepcopy(self._rng.choice(others))
        if self._rng.random() < 0.15:
            return copy.deepcopy(self._rng.choice(_STRANGE))
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return value + self._rng.choice((-1000, -60, -1, 1, 2, 60, 1000))
        if isinstance(value, str):
            return self._vary_text(value)
        if isinstance(value, list):
            return self._vary_list(value)
        if isinstance(value, dict):
            return {name: one for name, one in value.items() if self._rng.random() < 0.7}
        return self._rng.choice((0, 1, "e1", "p0", "00" * 32, [], {}))

    def _vary_text(self, text: str) -> str:
        if not text:
            return "x"
        if re.fullmatch(r"\d{4}-.*Z", text):
            return add_milliseconds(text, self._rng.choice((-60_000, -1000, -1, 1, 1000, 60_000)))
        at = self._rng.randrange(len(text))
        digit = self._rng.choice("0123456789abcdef" if text[at] in "0123456789abcdef" else "ABCxyz_-")
        return self._rng.choice((text[:at] + digit + text[at + 1 :], text[::-1], text[:at]))

    def _vary_list(self, values: list[Any]) -> list[Any]:
        if not values:
            return [0]
        at, to = self._rng.randrange(len(values)), self._rng.randrange(len(values))
        changed = list(values)
        changed[at], changed[to] = changed[to], changed[at]
        shorter, longer = values[:at] + values[at + 1 :], [*values, values[at]]
        return self._rng.choice((changed, shorter, longer, values[::-1]))

    def _reshape(self, holder: Any, key: Any) -> None:
        """Drop the member, or add one beside it."""
        if self._rng.random() < 0.5:
            del holder[key]
        elif isinstance(holder, dict):
            holder[self._rng.choice(sorted(self._known) or ["x"])] = holder[key]
        else:
            holder.insert(key, holder[key])


def list_places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place below *value*: the list or object, and the index or name in it."""
    if isinstance(value, dict | list):
        for key in sorted(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from list_places(value[key])


def mutate(name: str, rng: random.Random) -> tuple[list[bytes], str]:
    """Return a mutant of the bundle of that name, and what was done; raises ValueError for none."""
    lines, _ = read_source(name)
    many = rng.choice((1, 1, 1, 2, 3))
    forged: Forgery | ForgedTournament
    if name in TOURNAMENTS:
        forged = ForgedTournament(lines)
        done = [_mutate_tournament(forged, rng) for _ in range(many)]
    else:
        forged = Forgery(lines)
        done = [_mutate_game(forged, rng) for _ in range(many)]
    made = forged.lines()
    if rng.random() < 0.05:
        at = rng.randrange(len(made))
        made[at : at + 1] = rng.choice(([], [made[at], made[at]], [made[at][: len(made[at]) // 2]]))
        done.append(f"line {at}")
    told, true = _list_bodies(made), _list_bodies(lines)
    if made == list(lines) or (len(told) < len(true) and told == true[: len(told)]):
        raise ValueError("it is the same file, or an earlier one")
    return made, ", ".join(done)


def _list_bodies(lines: Lines) -> list[bytes]:
    """Return the bodies of the first stream of a file; a line that is cut off counts as it is."""
    bodies = []
    for one in lines[1:]:
        if b'"kind":"event"' not in one:
            break
        bodies.append(re.sub(rb'.*"body":"(.*)","hash":.*', rb"\1", one, flags=re.DOTALL))
    return bodies


def _mutate_game(forged: Forgery, rng: random.Random) -> str:
    """Change one thing of a game; return what it was."""
    events = forged.events
    mutator = Mutator(rng, [event["body"] for event in events])
    at = rng.randrange(len(events))
    event, kind = events[at], rng.random()
    if kind < 0.03:
        mutator.change(forged.header)
        return "header"
    if kind < 0.2:
        return _move_events(events, at, rng)
    if kind < 0.35 and event["parts"]:
        name = rng.choice(sorted(event["parts"]))
        part = event["parts"][name]
        if rng.random() < 0.2:
            mutator.change(part)
            return f"part {name} of event {at + 1}"
        mutator.change({"body": part["body"]})
        forged.part(at, name, part["body"])
        return f"part {name} of event {at + 1}, sealed"
    return _change_body(event["body"], at, mutator, rng)


def _change_body(body: Json, at: int, mutator: Mutator, rng: random.Random) -> str:
    if rng.random() < 0.15:
        mutator.change_both(body)
        return f"event {at + 1} in command and data"
    mutator.change(body)
    return f"event {at + 1}"


def _move_events(events: list[Any], at: int, rng: random.Random) -> str:
    """Drop, double, exchange or copy events."""
    way = rng.choice(("drop", "double", "exchange", "end", "replace"))
    to = rng.randrange(len(events))
    if way == "drop" and len(events) > 1:
        del events[at]
    elif way == "double":
        events.insert(to, copy.deepcopy(events[at]))
    elif way == "exchange":
        events[at], events[to] = events[to], events[at]
    elif way == "end":
        del events[at + 1 :]
    else:
        events[to] = copy.deepcopy(events[at])
    return f"{way} event {at + 1}, {to + 1}"


def _mutate_tournament(forged: ForgedTournament, rng: random.Random) -> str:
    """Change one thing of a tournament or of one of its games; return what it was."""
    kind = rng.random()
    if forged.games and kind < 0.3:
        at = rng.randrange(len(forged.games))
        if rng.random() < 0.1:
            return f"games: {_move_events(forged.games, at, rng)}"
        return f"game {at}: {_mutate_game(forged.games[at], rng)}"
    mutator = Mutator(rng, forged.bodies)
    if kind < 0.33:
        mutator.change(forged.header)
        return "header"
    at = rng.randrange(len(forged.bodies))
    if kind < 0.5:
        return _move_events(forged.bodies, at, rng)
    return _change_body(forged.bodies[at], at, mutator, rng)


# --- verdicts --------------------------------------------------------------------------------------------


class TooSlow(BaseException):
    """A verification that does not end: no `except Exception` takes it for something else."""


@contextmanager
def limited_cpu(seconds: float = CPU_SECONDS) -> Iterator[None]:
    """A context that raises :class:`TooSlow` after so many CPU seconds of this process."""

    def stop(_signal: int, _frame: object) -> None:
        raise TooSlow(f"more than {seconds} CPU seconds")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def judge(folder: Path, lines: Lines, options: Sequence[str]) -> tuple[int, str]:
    """Return exit status and output of `rutter verify --json`. Raises AssertionError for a traceback."""
    file = folder / "mutant.ndjson"
    file.write_bytes(b"".join(lines))
    words = ["verify", str(file), "--key", SIGNER.vkey, "--json", *options]
    with limited_cpu():
        result = CliRunner().invoke(cli.rutter, words)
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    if result.exit_code not in (0, 3) or not result.output.startswith("{"):
        assert re.fullmatch(r"(BAD|CANNOT CHECK|EQUIVOCATION): [^\n]*\n", result.output), result.output
    return result.exit_code, result.output


_OF_COPIES = (
    *("game", "title", "whole", "origin", "analysis", "kind", "data_hash", "seat", "signer", "pinned"),
    *("randomness", "interventions", "signed", "status", "winners", "places", "scores", "reason"),
)
"""Members of the verdict on a seat's copy that are compared: what depends on hidden moves cannot be."""


def read_verdict(output: str) -> Json:
    """Return what a verdict says, without hashes, which differ between any two histories."""

    def keep(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: keep(one) for name, one in value.items() if name != "head"}
        return [keep(one) for one in value] if isinstance(value, list) else value

    found: Json = keep(msgspec.json.decode(output))
    if found["kind"] != "tournament":
        return found if found["result_checked"] else {name: found[name] for name in _OF_COPIES}
    found["games"].sort(key=lambda game: game["game"])  # a file may have them in any order
    return found


_PEOPLE = frozenset({"interventions", "events", "commands", "unsigned_commands"})
"""Members of a verdict that tell what people did who do not sign: nobody but the log says so."""
_RULINGS = frozenset({"rulings", "other_rulings", "kept_apart"})
"""The same of directors of tournaments, who never sign."""


def find_differences(true: Json, told: Json) -> Json:
    """Return what a verdict says otherwise than the *true* one, and should not.

    Without signatures a forger can leave a move out, or give a ruling to another director.
    """
    other = {name: told.get(name) for name in {*told, *true} if told.get(name) != true.get(name)}
    games: list[Json] | None = other.get("games")
    if games is not None and len(games) == len(true["games"]):
        found = [find_differences(one, two) for one, two in zip(true["games"], games, strict=True)]
        del other["games"]
        other.update({"games": found} if any(found) else {})
    is_tournament = true["kind"] == "tournament"
    free = _PEOPLE | _RULINGS if is_tournament else _PEOPLE
    if not free.issuperset(other) or not (is_tournament or true.get("unsigned_commands")):
        return other
    same = all(len(told[name]) == len(true[name]) for name in _RULINGS.intersection(true))
    return {} if same and _list_of_server(true) == _list_of_server(told) else other


def _list_of_server(verdict: Json) -> list[str]:
    """Return the interventions of the server."""
    return [one["told"] for one in verdict["interventions"] if one["by"] == "sys"]


class Tally(msgspec.Struct):
    """What came of mutants."""

    made: int = 0
    refused: int = 0
    unchecked: int = 0
    """Those of which a part could not be checked, as the verdict says."""
    accepted: list[str] = []
    """What was done to those that are accepted, with the same verdict."""
    faults: list[str] = []
    """Where a check itself failed: the mutant is refused, but not for a reason of the format."""


def try_mutants(folder: Path, names: Sequence[str], seed: str, count: int) -> Tally:
    """Verify so many mutants of the bundles of these names. Raises AssertionError for one that deceives."""
    tally, number = Tally(), 0
    honest_verdicts: dict[str, Json] = {}
    while tally.made < count:
        number += 1
        rng = random.Random(f"{seed}/{number}")
        name = rng.choice(names)
        try:
            lines, done = mutate(name, rng)
        except (ValueError, TypeError, KeyError, LookupError, AttributeError):
            continue  # the forger has nothing that could be signed
        tally.made += 1
        place = f"mutant {seed}/{number} of {name}: {done}"
        try:
            status, output = judge(folder, lines, read_source(name)[1])
        except (AssertionError, TooSlow) as problem:
            raise AssertionError(f"{place}: {problem}") from problem
        if "cannot be checked (" in output:
            tally.faults.append(f"{place}: {output.strip()}")
        if status == 3:
            tally.unchecked += 1
        if status != 0:
            tally.refused += status != 3
            continue
        if name not in honest_verdicts:
            honest_verdicts[name] = read_verdict(judge(folder, *read_source(name))[1])
        told, true = read_verdict(output), honest_verdicts[name]
        other = find_differences(true, told)
        assert not other, f"{place}: accepted, and says {other}"
        tally.accepted.append(place)
    return tally
