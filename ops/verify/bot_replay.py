"""Letting bots think again: all moves, or a sample that anybody can draw again, on several processes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context

import msgspec

from events.rules.bot_names import UnknownBot
from events.verify import BadBundle, BotMove, Report
from events.verify.errors import cannot_import
from ops.base.progress import progress
from workers.bots import think_again

ALL = 1_000_000
"""A sample of everything, in millionths."""


class ReplayRequest(msgspec.Struct, frozen=True):
    """A request to let bots think their moves again."""

    sample: int = ALL
    """The share of the moves, in millionths."""
    seed: str = ""
    """Draws another sample: who made the file could not know it."""
    jobs: int = 1
    """The number of processes that think."""


class _MoveCheck(msgspec.Struct, frozen=True):
    """The result of checking a move."""

    seq: int
    at_hand: bool = True
    reason: str | None = None
    """The reason for which the move is bad; None if it is not."""


_moves: Sequence[BotMove] = ()
"""The moves that the processes forked from this one are to think again."""


def replay_bot_moves(report: Report, moves: Sequence[BotMove], wanted: ReplayRequest) -> None:
    """Think the sample of *moves* again and write into *report* what came of it.

    Raises :class:`BadBundle` for the first of them that is bad, whatever the number of processes, and
    :class:`UncheckableClaim` for a bot that needs a module which is not installed.
    """
    bot_seats = {(bot.seat, bot.name): bot for bot in report.bot_seats}
    drawn = [move for move in moves if is_in_sample(move, report.head, wanted)]
    for move in moves:
        bot_seats[move.seat, move.run.name].left_out += 1
    with (
        progress("Recomputing moves of bots", len(drawn)) as step,
        closing(_check_moves(drawn, wanted.jobs, step)) as checks,
    ):
        for move, came in zip(drawn, checks, strict=True):
            if came.reason is not None:
                raise BadBundle(came.seq, came.reason)
            bot = bot_seats[move.seat, move.run.name]
            bot.left_out -= 1
            bot.not_at_hand += not came.at_hand
            bot.thought_again += came.at_hand and not move.run.fallback
    report.sum_up_rethinking()


def is_in_sample(move: BotMove, head: str, wanted: ReplayRequest) -> bool:
    """Return True if a move is in the sample, by the end of the whole game and the seed."""
    word = f"rutter/sample/{head}/{move.seq}/{wanted.seed}".encode()
    return int.from_bytes(hashlib.sha256(word).digest()[:8], "big") % ALL < wanted.sample


def _check_moves(moves: Sequence[BotMove], jobs: int, step: Callable[[int], None]) -> Generator[_MoveCheck]:
    """Yield the result of each move, in order."""
    global _moves  # noqa: PLW0603 - forked processes have it without its being sent
    if jobs == 1 or len(moves) < 2:
        for move in moves:
            yield _check_move(move)
            step(1)
        return
    _moves = moves
    # A game is no value that can be sent; a forked process has it.
    with ProcessPoolExecutor(min(jobs, len(moves)), mp_context=get_context("fork")) as pool:
        try:
            for came in pool.map(_check_numbered_move, range(len(moves))):
                yield came
                step(1)
        finally:
            pool.shutdown(cancel_futures=True)


def _check_numbered_move(number: int) -> _MoveCheck:
    return _check_move(_moves[number])


def _check_move(move: BotMove) -> _MoveCheck:
    try:
        move.check(think_again)
    except UnknownBot:
        return _MoveCheck(move.seq, at_hand=False)
    except BadBundle as bad:
        return _MoveCheck(move.seq, reason=bad.reason)
    except ImportError as error:
        raise cannot_import(error) from error
    except Exception as error:  # noqa: BLE001 - whatever the file did to it, it is not sound
        return _MoveCheck(move.seq, reason=f"cannot be checked ({type(error).__name__})")
    return _MoveCheck(move.seq)
