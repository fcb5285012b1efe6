"""The test of truth: is a move by which a thinking bot departs from `steady` better in the end?

A search believes in a gain that it sees at its horizon. Here both moves, the bot's and that of `steady`, are
played to the end of the game by the light rules, in the same worlds and with the same dice. Where
the gain is seen at the horizon and is gone at the end, positions are judged wrongly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import islice
from statistics import fmean
from typing import Any

import msgspec

from events.rules.bot_names import UnknownBot
from events.rules.catalogue import find_title
from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command, Rejected
from events.rules.title import Title
from workers.bot_types import CERTAIN, Bot, Choose
from workers.bots import find_bot
from workers.bots.search import Search
from workers.bots.trials.arena import LONGEST, Z
from workers.bots.worth import victory

POSITIONS = 4
"""So many departures are tested in a game at most: those of one game hang together."""
EVERY = 3
"""The bot is asked about so many decisions once."""


class Examination(msgspec.Struct, frozen=True):
    """A test to be made: the bot and its table, and in how many worlds each of its departures is tried."""

    title: str
    seats: int
    bot: str
    seed: str
    worlds: int


class Departure(msgspec.Struct, frozen=True):
    """A move that the bot makes and `steady` does not, and how much better it is for the seat.

    In millionths of a victory.
    """

    claimed: int
    """In the games that the bot played out in its mind."""
    horizon: int
    """In other worlds, judged where the bot judges, and as it judges."""
    end: int
    """In the same worlds, at the end of the game."""


class ExaminedGame(msgspec.Struct, frozen=True):
    """The result of one game."""

    asked: int
    """Decisions about which the bot was asked."""
    departures: tuple[Departure, ...]


class Gain(msgspec.Struct, frozen=True):
    """A mean gain in victories, with its 95 % interval; games count, not positions or worlds."""

    mean: float
    low: float
    high: float


class ExaminationSummary(msgspec.Struct, frozen=True):
    """The mean gains of the moves in so many games."""

    games: int
    asked: int
    departures: int
    claimed: Gain
    horizon: Gain
    end: Gain


def find_search(title_id: str, name: str) -> Search:
    """Return the search behind a bot. Raises :class:`UnknownBot` where it plays no games out."""
    search: Search | None = getattr(find_bot(title_id, name).think, "__self__", None)
    if search is None:
        raise UnknownBot(f"{name} plays no games out. Name brisk or strong first.")
    return search


def examine_game(wanted: Examination, deal: int) -> ExaminedGame:
    """Play a game by `steady`, and test the departures of the bot. Always the same result."""
    title, bot = find_title(wanted.title), find_bot(wanted.title, wanted.bot)
    search, asked, steady = find_search(wanted.title, wanted.bot), 0, find_bot(wanted.title, "steady")
    found: list[Departure] = []
    seed = f"{wanted.seed}/{wanted.title}/{wanted.seats}/{deal}"
    chance = FastChance(seed)
    state = title.open(wanted.seats, title.Options(), chance).state
    for number in range(LONGEST):
        decision = next(islice(title.awaited(state), 1), None)
        if decision is None or len(found) == POSITIONS:
            break
        seat, command = decision.seat, None
        if seat is not None:
            command = steady.choose(title, title.imagine(state, seat, chance), seat, chance, 0)
            is_searched = search.worth is None or decision.kind in search.worth.searched
            if is_searched and not chance.draw_below(EVERY):
                asked += 1
                departure = _find_departure(
                    search, bot, steady.choose, title, state, seat, f"{seed}/{number}", wanted.worlds
                )
                found += [] if departure is None else [departure]
        state = title.decide(state, seat, command or title.default(state, decision), chance).state
    return ExaminedGame(asked, tuple(found))


def _find_departure(
    search: Search,
    bot: Bot,
    steady: Choose,
    title: Title[Any],
    state: Any,
    seat: Seat,
    seed: str,
    worlds: int,
) -> Departure | None:
    """Return the bot's departure in a state, tested in so many worlds; None where it makes none."""
    chance = FastChance(seed)
    known = title.imagine(state, seat, chance)
    usual = steady(title, known, seat, FastChance(seed), 0)
    thought = search.think(title, known, seat, chance, bot.budget, also=(usual,))
    if thought.command == usual:
        return None
    own, best = (
        next(each for each in thought.candidates if each.command == command)
        for command in (usual, thought.command)
    )
    horizon = end = 0
    for number in range(worlds):
        world = title.imagine(known, seat, FastChance(f"{seed}/truth/{number}"))
        for command, sign in ((best.command, 1), (own.command, -1)):
            judged, won = _play_out(search, title, world, seat, command, f"{seed}/dice/{number}")
            horizon += sign * judged
            end += sign * won
    return Departure(best.chance - own.chance, horizon // worlds, end // worlds)


def _play_out(
    search: Search, title: Title[Any], world: Any, seat: Seat, command: Command, dice: str
) -> tuple[int, int]:
    """Return the chance to win at the horizon as the search judges it, and the victory at the end."""
    chance, light = FastChance(dice), search.light or search.guide
    try:
        state = title.decide(world, seat, command, chance).state
    except Rejected:  # it depends on what is hidden
        return 0, 0
    until, judged = search.find_horizon(world), None
    for number in range(LONGEST):
        if judged is None and (number == search.commands or search.has_reached(state, until)):
            judged = search.judge_state(title, state, seat)
        decision = next(islice(title.awaited(state), 1), None)
        if decision is None:
            break
        mover = decision.seat
        given = title.default(state, decision) if mover is None else light(title, state, mover, chance, 0)
        state = title.decide(state, mover, given, chance).state
    outcome = title.outcome(state)
    won = 0 if outcome is None else victory(outcome, seat)
    return search.judge_state(title, state, seat) if judged is None else judged, won


def summarize_examined(games: Iterable[ExaminedGame]) -> ExaminationSummary:
    """Return the mean gains. Raises ValueError if the bot departed from `steady` nowhere."""
    played = list(games)
    tested = [game.departures for game in played if game.departures]
    if not tested:
        raise ValueError("no departures")
    return ExaminationSummary(
        len(played),
        sum(game.asked for game in played),
        sum(map(len, tested)),
        _estimate_gain([[each.claimed for each in game] for game in tested]),
        _estimate_gain([[each.horizon for each in game] for game in tested]),
        _estimate_gain([[each.end for each in game] for game in tested]),
    )


def _estimate_gain(games: Sequence[Sequence[int]]) -> Gain:
    """Return the mean over all positions; the positions of one game hang together."""
    count = sum(map(len, games))
    mean = fmean(value for game in games for value in game)
    apart = sum((sum(game) - mean * len(game)) ** 2 for game in games)
    error = math.sqrt(apart * len(games) / max(1, len(games) - 1)) / count
    return Gain(
        *(round(each / CERTAIN, 4) for each in (mean, mean - Z * error, mean + Z * error)),
    )
