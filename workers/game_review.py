"""Review of a player: each of their moves in a finished game, beside what a bot would do.

A job reviews some moves and says where the next one goes on. So games in play never wait long for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec

from events.rules.fact import Json, Seat
from events.rules.steps import Command
from events.table.commands.command_rules import PREFIX
from events.table.engine import fold
from events.table.game import Game
from events.table.record import Record, decode_command, seat_of
from workers import bots, connections
from workers.bot_types import CERTAIN, Bot, Candidate, Thought

SECONDS_A_JOB = 4.0
"""Seconds after which a job begins no further move; what it has thought is the same anyway."""
CANDIDATES = 3
"""The number of candidates that are told of a move, and the one that is chosen."""


def review(game_id: str, last: int, seat: Seat, name: str, after: int) -> Json:
    """Review moves of *seat* later than event *after*, by bot *name*; `next` is where to go on, or None.

    *last* is the last event of the game. The bot knows only what the seat could know at each move.
    """
    games = connections.get_games()
    records = games.records(game_id, 0, last)
    moves = list(_find_moves(records, seat, games.load(game_id, last)))
    done = sum(first.seq <= after for first in moves)
    told: list[Json] = []
    ends = time.monotonic() + SECONDS_A_JOB
    game: Game | None = None
    for first in moves[done:]:
        before = first.seq - 1
        game = games.load(game_id, before) if game is None else fold(game, records[game.seq : before])
        move = _review_move(game, seat, first, name)
        done += 1
        if move is not None:
            told.append(move)
        if time.monotonic() > ends:
            break
    more = done < len(moves)
    return {
        "moves": told,
        "next": moves[done - 1].seq if more else None,
        "reviewed": done,
        "total": len(moves),
    }


def _find_moves(records: Sequence[Record], seat: Seat, end: Game) -> Iterator[Record]:
    """Yield the first event of each command of the title that *seat* gave and nobody took back."""
    for _, group in groupby(records, key=lambda record: record.command_id):
        first = next(group)
        envelope = first.envelope()
        kind = str((envelope.command or {}).get("type", ""))
        if seat_of(envelope.by) == seat and not kind.startswith(PREFIX) and not end.is_taken_back(first.seq):
            yield first


def _review_move(game: Game, seat: Seat, first: Record, name: str) -> Json | None:
    """Return the review of a move; None for a free one, which answered no decision."""
    if game.state is None or seat not in game.title.list_awaited_seats(game.state):
        return None
    given = decode_command(first, first.envelope(), game.title.command_type)
    if given is None:
        return None
    bot = bots.find_bot(game.title_id, name, game.title)
    came = _consider(game, bot, seat, given, f"review/{game.id}/{game.seq}/{seat}/{name}".encode())
    chances = {msgspec.json.encode(each.command): each.chance for each in came.candidates if each.games}
    own = chances.get(msgspec.json.encode(given))
    best = chances.get(msgspec.json.encode(came.command))
    return {
        "seq": first.seq,
        "label": game.title.label(game.state, seat, given),
        "chance": None if own is None else own / CERTAIN,
        "lost": None if own is None or best is None else max(0, best - own) / CERTAIN,
        "chosen": given == came.command,
        "simulations": came.simulations,
        "candidates": [
            _present_candidate(game, seat, each, came)
            for each in came.list_likeliest(CANDIDATES, came.command)
        ],
    }


def _consider(game: Game, bot: Bot, seat: Seat, given: Command, seed: bytes) -> Thought:
    """Return what the bot thinks of a decision, and of the *given* command where it simulates games."""
    came = bots.consider(game.title, bot, game.state, seat, seed)
    if not came.candidates or any(each.command == given for each in came.candidates):
        return came
    return bots.consider(game.title, bot, game.state, seat, seed, also=(given,))


def _present_candidate(game: Game, seat: Seat, each: Candidate, came: Thought) -> dict[str, Any]:
    return {
        "command": msgspec.to_builtins(each.command, str_keys=True),
        "label": game.title.label(game.state, seat, each.command),
        "games": each.games,
        "chance": each.chance / CERTAIN if each.games else None,
        "chosen": each.command == came.command,
    }
