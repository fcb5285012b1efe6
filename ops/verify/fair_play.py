"""A report for fair play: how often players chose what a bot would choose, and how long they thought.

A player who always chooses the first choice of a strong bot may have used one. They may also be strong, or
have had easy decisions: the report proves nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import median

import msgspec

from events.rules.fact import Seat
from events.rules.steps import Command
from events.table.engine import fold
from events.table.game import Game, initial_game
from events.table.record import Envelope, decode_command, seat_of
from events.tournament import folding as tournament_folding
from events.tournament.state import Tournament, entrant_name, initial_tournament
from events.verify import BadBundle, CheckedBundle, Trust, check_bundle
from events.verify.tournaments.bundle import CheckedTournament, check_own_part, find_games, is_tournament
from ops.verify.input import read_lines
from workers.bots import consider, find_bot

Z = 1.959964
"""The quantile of a 95 % interval."""
WARNING = (
    "This proves nothing: strong players choose what strong bots choose, and many decisions are easy. "
    "Compare players of the same event, and hear the player before you rule."
)


class PlayerDecision(msgspec.Struct, frozen=True):
    """One decision of a player."""

    player: str
    """The seat, such as `seat 1`; in a tournament the entrant, such as `e7`."""
    game: str
    seq: int
    """The first event of the command."""
    thought_ms: int | None
    """The time that the clock counted; None without a clock."""


class Judgement(msgspec.Struct, frozen=True):
    """The comparison of a decision with the first choice of a bot: a line of the file that is continued."""

    player: str
    game: str
    seq: int
    bot: str
    seed: str
    choice: bool
    """True if there was something to choose, as far as the bot says."""
    first: bool
    """True if the player gave the bot's first choice."""
    thought_ms: int | None


class PlayerReport(msgspec.Struct, frozen=True):
    """One player over all judged decisions."""

    player: str
    decisions: int
    """The decisions that were judged and had more than one candidate."""
    first: int
    """Those with the bot's first choice."""
    low: float
    """The lower end of the 95 % interval of that share."""
    high: float
    median_ms: int | None
    """The median thinking time; None without clocks."""


class AskedDecision(msgspec.Struct, frozen=True):
    """A decision with all that is needed to judge it."""

    decision: PlayerDecision
    before: Game
    seat: Seat
    given: Command


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson.

    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    if of == 0:
        return 0.0, 1.0
    share, spread = hits / of, Z * Z / of
    middle = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * sqrt(share * (1 - share) / of + spread / (4 * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def read_decisions(file: Path) -> Iterator[AskedDecision]:
    """Yield the decisions of people in a whole game, or in all games of a tournament that is over.

    Raises :class:`BadBundle`. It checks form, chain and hidden parts; `rutter verify` also checks the rules.
    """
    with file.open("rb") as stream:
        if not is_tournament(stream.readline()):
            stream.seek(0)
            yield from _list_decisions(check_bundle(read_lines(stream), Trust()), None)
            return
        stream.seek(0)
        own = check_own_part(read_lines(stream), Trust())
        state = _fold_event(own)
        stream.seek(own.sheet.size)
        for span in list(find_games(read_lines(stream), own.sheet.size)):
            stream.seek(span.start)
            lines = stream.read(span.end - span.start).splitlines(keepends=True)
            yield from _list_decisions(check_bundle(lines, Trust()), state)


def _fold_event(own: CheckedTournament) -> Tournament:
    try:
        return tournament_folding.fold(initial_tournament(own.sheet.header.tournament), own.records)
    except Exception as error:
        raise BadBundle(None, f"cannot be replayed ({type(error).__name__})") from error


def _list_decisions(found: CheckedBundle, event: Tournament | None) -> Iterator[AskedDecision]:
    if found.sheet.header.scope != "whole":
        reason = "this is a seat's copy. Give the whole bundle, which exists when the game has ended"
        raise BadBundle(None, reason)
    game = initial_game(found.sheet.header.game)
    for first, last in pairwise([0, *found.ends]):
        try:
            asked = _find_decision(game, found, first, event)
            after = fold(game, found.records[first:last])
        except (LookupError, ValueError, TypeError, msgspec.MsgspecError) as error:
            raise BadBundle(first + 1, f"cannot be replayed ({type(error).__name__})") from error
        game = after
        if asked is not None:
            yield asked


def _find_decision(
    game: Game, found: CheckedBundle, first: int, event: Tournament | None
) -> AskedDecision | None:
    """Return the decision that led to the event after *first*; None if no person took one."""
    record = found.records[first]
    envelope = record.envelope()
    seat = seat_of(envelope.by)
    if seat is None or envelope.bot is not None or game.seq == 0 or game.state is None:
        return None
    if not any(awaited.seat == seat for awaited in game.title.awaited(game.state)):
        return None
    given = decode_command(record, envelope, game.title.command_type)
    player = f"seat {seat}" if event is None else _name_entrant(event, game.id, seat, record.seq)
    if given is None or player is None:
        return None
    return AskedDecision(
        PlayerDecision(player, game.id, record.seq, _count_time(envelope)), game, seat, given
    )


def _name_entrant(event: Tournament, game: str, seat: int, seq: int) -> str | None:
    """Return the entrant who held a seat; None after they left it, or for a game that does not count."""
    place = event.of_game(game)
    if place is None or place[1].game != game:
        return None
    table = place[1]
    left = None if table.result is None else table.result.left[seat]
    return None if left is not None and seq >= left else entrant_name(table.entrants[seat])


def _count_time(envelope: Envelope) -> int | None:
    spent = (envelope.clock or {}).get("spent", {}).get(envelope.by)
    return None if spent is None else int(spent)


def draw_sample(asked: Iterable[AskedDecision], most: int, seed: str) -> list[AskedDecision]:
    """Return at most so many decisions of each player, drawn by hash: the same seed draws the same."""
    by_player: dict[str, list[AskedDecision]] = {}
    for one in asked:
        by_player.setdefault(one.decision.player, []).append(one)

    def draw(one: AskedDecision) -> bytes:
        return hashlib.sha256(f"{seed}/{one.decision.game}/{one.decision.seq}".encode()).digest()

    return [one for many in by_player.values() for one in sorted(many, key=draw)[:most]]


def judge(asked: AskedDecision, bot_name: str, seed: str) -> Judgement:
    """Return how a bot would have chosen, from what the seat could know."""
    game, told = asked.before, asked.decision
    bot = find_bot(game.title_id, bot_name, game.title)
    came = consider(game.title, bot, game.state, asked.seat, f"{seed}/{told.game}/{told.seq}".encode())
    return Judgement(
        told.player,
        told.game,
        told.seq,
        bot_name,
        seed,
        len(came.candidates) > 1,
        came.command == asked.given,
        told.thought_ms,
    )


def summarize(judged: Sequence[Judgement]) -> list[PlayerReport]:
    """Return a report for each player, in the order of their names."""
    reports = []
    for player in sorted({one.player for one in judged}, key=lambda name: (len(name), name)):
        mine = [one for one in judged if one.player == player and one.choice]
        first = sum(one.first for one in mine)
        times = [one.thought_ms for one in mine if one.thought_ms is not None]
        low, high = wilson(first, len(mine))
        reports.append(
            PlayerReport(player, len(mine), first, low, high, int(median(times)) if times else None)
        )
    return reports
