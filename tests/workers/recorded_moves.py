"""A thousand recorded moves of bots, two hundred a title: what shows that a bot thinks as it always did.

Each row names a position of a recorded game (``tests/titles``), a seat, a bot with its version, a seed, and
two digests: of the chosen command, and of the whole thought with the chance of each candidate. A later
version of a bot leaves the rows as they are: kept versions give their moves again.

- ``python -m tests.workers.recorded_moves check [TITLE...]``: which moves differ.
- ``python -m tests.workers.recorded_moves record --really [TITLE...]``: other moves, by today's versions. For
  recorded games that have changed, and for new versions of bots.
"""

from __future__ import annotations

import hashlib
import sys
import uuid
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from events.rules.bot_names import BOTS, THINKERS, UnknownBot
from events.rules.catalogue import find_title, packages
from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.rules.title import Title
from events.table.engine import fold_one
from events.table.game import initial_game
from events.table.record import canonical_command
from tests.titles import corpus, golden
from workers.bot_types import Thought
from workers.bots import consider, find_bot, find_worth
from workers.bots.trials.arena import full_name

HERE = Path(__file__).parent / "recorded_moves"
TITLES = [title_id for title_id, package in packages().items() if package.startswith("events.titles.")]
MOVES = 200
"""Moves of each title."""
GOLDEN = "golden"
"""The recorded game of steady players, beside the numbered random games of the corpus."""
OF_GOLDEN = 4
"""Of so many moves, one is in the golden game."""
OF_STRONG = 25
"""Of so many moves, one is by the bot that thinks longest."""
OF_OTHERS = 5
"""Of so many moves, one is by a bot that plays nothing out, and one by a kept version."""
DIGITS = 16
"""Hex digits of a digest."""


class Move(msgspec.Struct, frozen=True, array_like=True):
    """A move of a bot: a line of a file."""

    game: int | str
    """The number of a game in the corpus, or :data:`GOLDEN`."""
    place: int
    """The number of commands before the move; of events in the golden game."""
    seat: Seat
    bot: str
    """With its version, such as ``steady@1``."""
    seed: str
    command: str
    """The digest of the chosen command."""
    thought: str
    """The digest of the command and of every candidate, with its chance and its games."""


def file_of(title_id: str) -> Path:
    """Return the file with the moves of a title."""
    return HERE / f"{title_id}.ndjson"


@cache
def moves_of(title_id: str) -> tuple[Move, ...]:
    """Return the recorded moves of a title."""
    lines = file_of(title_id).read_bytes().splitlines()
    return tuple(msgspec.json.decode(line, type=Move) for line in lines)


def think(title: Title[Any], state: Any, seat: Seat, bot: str, seed: str) -> tuple[str, str]:
    """Return the two digests of what a bot thinks in a position."""
    thought = consider(title, find_bot(title.id, bot), state, seat, bytes.fromhex(seed))
    return _digest(canonical_command(thought.command)), _digest(_describe(thought))


def _describe(thought: Thought) -> Any:
    candidates = [(canonical_command(each.command), each.chance, each.games) for each in thought.candidates]
    return canonical_command(thought.command), thought.simulations, candidates


def _digest(value: Any) -> str:
    text = msgspec.json.encode(msgspec.to_builtins(value, str_keys=True), order="sorted")
    return hashlib.sha256(text).hexdigest()[:DIGITS]


# --- positions ------------------------------------------------------------------------------------------


def positions(title_id: str, game: int | str) -> Iterator[tuple[int, Any]]:
    """Yield each position of a recorded game in which a command can be given, with its place."""
    title = find_title(title_id)
    if game == GOLDEN:
        yield from _golden_positions(title_id)
        return
    recorded = corpus.games_of(title_id)[int(game)]
    for now in corpus.replayed(title, recorded):
        if now.whole:
            yield now.command, now.state


def _golden_positions(title_id: str) -> Iterator[tuple[int, Any]]:
    records = golden.recorded(title_id)
    asked = {bot["thought_at"] for each in records if (bot := each.envelope().bot)}
    game = initial_game(str(uuid.uuid5(golden.NAMESPACE, title_id)))
    for record in records:
        game = fold_one(game, record)
        if game.seq in asked:
            yield game.seq, game.state


def differences(title_id: str, moves: Iterable[Move]) -> list[str]:
    """Return a line for each of these moves that its bot does not give again."""
    title, found = find_title(title_id), []
    wanted: dict[int | str, list[Move]] = {}
    for move in moves:
        wanted.setdefault(move.game, []).append(move)
    for game, rows in wanted.items():
        last, missing = max(row.place for row in rows), {row.place for row in rows}
        for place, state in positions(title_id, game):
            found += [
                f"{title_id}: game {game}, place {place}, {row.bot} at seat {row.seat}"
                for row in rows
                if row.place == place
                and think(title, state, row.seat, row.bot, row.seed) != (row.command, row.thought)
            ]
            missing.discard(place)
            if place >= last:
                break
        found += [f"{title_id}: game {game} has no place {place}" for place in sorted(missing)]
    return found


# --- recording ------------------------------------------------------------------------------------------


def _record(title_id: str) -> Iterator[Move]:
    title = find_title(title_id)
    judged = find_worth(title)
    searched = judged[0].searched if judged else None
    for number in range(MOVES):
        game: int | str = GOLDEN if number % OF_GOLDEN == 0 else number % corpus.GAMES
        bot = _choose_bot(title, number)
        chance = FastChance(f"recorded moves/{title_id}/{number}")
        thinks = bot.partition("@")[0] in THINKERS
        asked = [
            (place, state, decision.seat, decision.kind)
            for place, state in positions(title_id, game)
            for decision in title.awaited(state)
            if decision.seat is not None
        ]
        best = [one for one in asked if searched is None or not thinks or one[3] in searched] or asked
        while True:
            place, state, seat, _ = best[chance.draw_below(len(best))]
            seed = bytes(chance.draw([256] * 8)).hex()
            with suppress(Rejected):  # by a kept version that goes on by illegal commands in its mind
                yield Move(game, place, seat, bot, seed, *think(title, state, seat, bot, seed))
                break


def _choose_bot(title: Title[Any], number: int) -> str:
    """Return the bot of a move: most are by `brisk`, some by the others and by kept versions."""
    newest = {name: full_name(find_bot(title.id, name)) for name in BOTS if name != "random"}
    kept = list(_list_kept(title.id, newest))
    if number % OF_STRONG == 1:
        return newest["strong"]
    if number % OF_OTHERS == 2:
        return newest["steady"]
    if number % OF_OTHERS == 3 and kept:
        return kept[number // OF_OTHERS % len(kept)]
    return newest["brisk"]


def _list_kept(title_id: str, newest: Iterable[str]) -> Iterator[str]:
    """Yield the former versions that are kept, with their numbers."""
    for name in newest:
        for version in range(1, find_bot(title_id, name).version):
            with suppress(UnknownBot):
                yield full_name(find_bot(title_id, f"{name}@{version}"))


def main(words: list[str]) -> int:
    """See the top of the module; 1 where moves differ or the words make no sense."""
    match words:
        case ["check", *titles]:
            found = [
                line for title_id in titles or TITLES for line in differences(title_id, moves_of(title_id))
            ]
            sys.stdout.write("".join(f"{line}\n" for line in found))
            return bool(found)
        case ["record", "--really", *titles]:
            HERE.mkdir(exist_ok=True)
            for title_id in titles or TITLES:
                rows = [msgspec.json.encode(move) + b"\n" for move in _record(title_id)]
                file_of(title_id).write_bytes(b"".join(rows))
            return 0
        case _:
            sys.stdout.write(f"{__doc__}\n")
            return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
