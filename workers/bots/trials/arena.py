"""Matches between bots: the same deal from every seat, and what the results say of strength.

A *deal* is all that luck fixes before the first move: the dice and draws of one seed. It is played once from
each seat, so that neither a good seat nor a good deal favours anybody. Games of one deal hang together;
intervals therefore count deals, not games.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, pvariance
from typing import Any

import msgspec

from events.proof.randomness import Secrets, Seed, mac, tag, u32
from events.rules.catalogue import find_title
from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from workers.bot_types import Bot, MissingMove
from workers.bots import choose_move, find_bot

Z = 1.959964
"""Standard deviations on either side of a 95 % interval."""
SUPPOSED = 10
"""So many deals of independent games between equals are added where it is asked how much deals differ."""
EVEN = 0.25
"""The variance of one such game."""
SCALE = 400.0
"""Elo points in which the odds of beating somebody rise tenfold."""
SURE = 2.944438979166440
"""ln 19: the logarithm of the likelihood ratio at which a sequential test with 5 % of errors decides."""
LONGEST = 20_000
"""Commands after which a game counts as one that does not end."""


class Match(msgspec.Struct, frozen=True):
    """A match to be played: a title, a table size, the bots, a seed and the options."""

    title: str
    seats: int
    bots: tuple[str, ...]
    """The challenger, then those who fill the other seats in turn; `steady@1` is an old version."""
    seed: str
    options: Mapping[str, Any] = {}

    def table(self, rotation: int) -> tuple[str, ...]:
        """Return the bots by seat, with the challenger at seat *rotation*."""
        others = self.bots[1:]
        row = [self.bots[0], *(others[n % len(others)] for n in range(self.seats - 1))]
        return tuple(row[(seat - rotation) % self.seats] for seat in range(self.seats))


class PlayedGame(msgspec.Struct, frozen=True):
    """One game: a line of the file that the arena writes. Without times: it is equal on every machine."""

    title: str
    seats: int
    seed: str
    deal: int
    challenger: Seat
    bots: tuple[str, ...]
    """By seat, with the version."""
    winners: tuple[Seat, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    """See :class:`events.rules.title.Outcome`."""
    commands: int
    rejected: int
    """Moves of bots that the rules refused, and of engines that gave none; the title's default was played."""


def play(match: Match, deal: int, rotation: int) -> PlayedGame:
    """Play one game. The same arguments give the same result.

    Raises:
        UnknownBot: a name that the title has not.
        RuntimeError: the game does not end.
    """
    title = find_title(match.title)
    players = [find_bot(match.title, name) for name in match.table(rotation)]
    secrets = Seed(f"{match.seed}/{deal}".encode(), bytes(16)).secrets()
    chance = FastChance(f"{match.seed}/{match.title}/{match.seats}/{deal}")
    options = msgspec.convert(dict(match.options), title.Options)
    state = title.open(match.seats, options, chance).state
    answered, commands, rejected = [0] * match.seats, 0, 0
    while waiting := title.awaited(state):
        decision = waiting[0]
        seat, command = decision.seat, None
        try:
            if seat is not None:
                answered[seat] += 1
                seed = _derive_seed(secrets, seat, answered[seat] - 1)
                command = choose_move(title, players[seat], state, seat, seed)
            draft = title.decide(state, seat, command or title.default(state, decision), chance)
        except (Rejected, MissingMove):
            rejected += 1
            draft = title.decide(state, seat, title.default(state, decision), chance)
        state = draft.state
        commands += 1
        if commands > LONGEST:
            raise RuntimeError(f"deal {deal} with the challenger at seat {rotation} does not end")
    outcome = title.outcome(state)
    assert outcome is not None  # noqa: S101 - nobody is waited for
    return PlayedGame(
        match.title,
        match.seats,
        match.seed,
        deal,
        rotation,
        tuple(map(full_name, players)),
        outcome.winners,
        outcome.places,
        outcome.scores,
        outcome.reason,
        commands,
        rejected,
    )


def _derive_seed(secrets: Secrets, seat: Seat, number: int) -> bytes:
    """Return the seed of a bot's move: a match has no contributions, so it is not that of a game."""
    return mac(secrets.bot, tag("bg/bot/2"), bytes(16), u32(seat), u32(number))


def full_name(bot: Bot) -> str:
    """Name and version, as they name a bot for ever."""
    return f"{bot.name}@{bot.version}"


class MatchSummary(msgspec.Struct, frozen=True):
    """The challenger's results in the games of a match."""

    deals: int
    games: int
    won: float
    """Victories; a shared one counts in part."""
    share: float
    low: float
    high: float
    """The 95 % interval of the share: Wilson's, for as many games as the deals are worth."""
    luck: float
    """The share of somebody who is as good as the others."""
    beaten: float
    """The share of the others that the challenger leaves behind, from 0 to 1; a tie counts half."""
    elo: float
    elo_low: float
    elo_high: float
    """Points above the others, by *beaten*."""
    margin: float
    """Mean score less the mean score of the others."""
    commands: float
    """Mean length of a game."""
    rejected: int


def summarize_games(games: Iterable[PlayedGame]) -> MatchSummary:
    """Return the table of results. Raises ValueError without games."""
    deals = group_by_deal(games)
    played = [game for deal in deals for game in deal]
    if not played:
        raise ValueError("no games")
    shares = [fmean(map(_victory, deal)) for deal in deals]
    beaten = [fmean(map(_score_beaten, deal)) for deal in deals]
    share, half = fmean(shares), fmean(beaten)
    low, high = wilson(
        share, count_independent_games(pvariance(shares, share) / len(shares), share, len(played))
    )
    below, above = wilson(
        half, count_independent_games(pvariance(beaten, half) / len(beaten), half, len(played))
    )
    return MatchSummary(
        len(deals),
        len(played),
        sum(map(_victory, played)),
        share,
        low,
        high,
        1 / played[0].seats,
        half,
        elo(half),
        elo(below),
        elo(above),
        fmean(map(_margin, played)),
        fmean(game.commands for game in played),
        sum(game.rejected for game in played),
    )


def group_by_deal(games: Iterable[PlayedGame]) -> list[list[PlayedGame]]:
    """Return the games of each deal, in order; deals that were not played from every seat are left out."""
    found: dict[int, dict[Seat, PlayedGame]] = {}
    for game in games:
        found.setdefault(game.deal, {})[game.challenger] = game
    whole = [deal for _, deal in sorted(found.items()) if len(deal) == next(iter(deal.values())).seats]
    return [[deal[seat] for seat in sorted(deal)] for deal in whole]


def elo(beaten: float) -> float:
    """Return the Elo points between two who beat each other so often, at most 1,200."""
    held = min(max(beaten, 0.001), 0.999)
    return SCALE * math.log10(held / (1 - held))


def likelihood(deals: Sequence[Sequence[PlayedGame]], worse: float, better: float) -> float:
    """Return the logarithm of how much likelier *better* Elo points are than *worse*, by *deals*.

    A generalised sequential probability ratio test: at :data:`SURE` *better* holds, at its negative *worse*.
    """
    scores = [fmean(map(_score_beaten, deal)) for deal in deals]
    if len(scores) < 2:
        return 0.0
    mean = fmean(scores)
    # Few deals may be alike by luck, as if nothing were left to chance: so some that are not are added.
    known = len(scores) * pvariance(scores, mean)
    spread = (known + SUPPOSED * EVEN / len(deals[0])) / (len(scores) + SUPPOSED)
    first, second = compute_expected_score(worse), compute_expected_score(better)
    return len(scores) * (second - first) * (2 * mean - first - second) / (2 * spread)


def compute_expected_score(points: float) -> float:
    """Return the expected score (0 to 1) of a player who is so many Elo points stronger."""
    return float(1 / (1 + 10 ** (-points / SCALE)))


def _victory(game: PlayedGame) -> float:
    return (game.challenger in game.winners) / max(1, len(game.winners))


def _score_beaten(game: PlayedGame) -> float:
    mine = game.places[game.challenger]
    others = [place for seat, place in enumerate(game.places) if seat != game.challenger]
    return fmean((mine < place) + (mine == place) / 2 for place in others)


def _margin(game: PlayedGame) -> float:
    others = [score for seat, score in enumerate(game.scores) if seat != game.challenger]
    return game.scores[game.challenger] - fmean(others)


def count_independent_games(spread: float, mean: float, games: int) -> float:
    """Return the number of independent games as which the deals count.

    Their *mean* has the variance *spread*.
    """
    lone = mean * (1 - mean)
    if not spread or not lone:
        return float(games)
    return min(float(games), lone / spread)


def wilson(share: float, games: float) -> tuple[float, float]:
    """Return the 95 % interval of a share in so many independent games."""
    z2 = Z * Z / games
    middle = share + z2 / 2
    half = Z * math.sqrt(max(0.0, share * (1 - share) / games) + z2 / (4 * games))
    return max(0.0, (middle - half) / (1 + z2)), min(1.0, (middle + half) / (1 + z2))
