"""The ladder: how far the levels of bots are apart at every table of a title.

Each level challenges those just below it, every deal from every seat (:mod:`workers.bots.trials.arena`).
What is kept of a pair are whole-number sums over its deals: small, the same in any order, and enough to go
on from. Anyone who doubts them plays the same deals again: `rutter arena` with the seed of the pair.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Self

import msgspec

from events.rules.bot_names import BOTS, THINKERS, UnknownBot
from events.rules.catalogue import find_title
from workers.bot_types import Bot
from workers.bots import find_bot
from workers.bots.trials.arena import SCALE, Match, PlayedGame, Z, count_independent_games, elo, play, wilson

ANCHOR = BOTS[0]
"""The level whose strength is 0."""
FIRST = "steady@1"
"""A version that stays on the ladder when there is a newer one, so that progress can be seen."""
NEAR = 2
"""A level challenges so many below itself. Farther apart one wins nearly always, which says little."""
PRIOR = 1.0
"""Drawn games that a pair is taken to have played before: even who never lost is not endlessly stronger."""
STEADY = FIRST.partition("@")[0]
"""The level against which those that think must show their strength."""
BARS = {2: 0.7, 3: 0.5, 4: 0.4}
"""By seats: the lower bound of the share of games that `strong` must win against :data:`STEADY`."""
CROWDED_BAR = 0.35
"""The same at larger tables."""
MISSED = {
    "brisk": "Not shown to be stronger than steady at this table.",
    "strong": "Not shown to be strong at this table.",
}
VICTORY = 2520
"""A victory in whole numbers: a share of it is one, too, with up to ten winners."""


class Player(msgspec.Struct, frozen=True):
    """A bot with everything that decides its moves, besides the rules."""

    name: str
    version: int
    budget: int
    """See :class:`workers.bot_types.Bot`."""
    weights: str | None
    """SHA-256 (hex) of its fitted weights."""

    @classmethod
    def from_bot(cls, bot: Bot) -> Self:
        """Return the player of a bot as it now is."""
        return cls(bot.name, bot.version, bot.budget, bot.weights)

    @property
    def full(self) -> str:
        """Name and version."""
        return f"{self.name}@{self.version}"


class Tally(msgspec.Struct, frozen=True):
    """Whole-number sums over deals; that of one deal, or of many."""

    deals: int = 0
    games: int = 0
    won: int = 0
    """The challenger's victories, each :data:`VICTORY`."""
    won_squares: int = 0
    """The same, squared deal by deal."""
    beaten: int = 0
    """The others that it left behind, each 2; a tie 1."""
    beaten_squares: int = 0
    commands: int = 0
    rejected: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))


class Pair(msgspec.Struct, frozen=True):
    """A challenger at one seat against others of one kind at the rest."""

    challenger: Player
    other: Player
    seed: str
    """That of the arena."""
    tally: Tally = Tally()

    def match(self, title_id: str, seats: int) -> Match:
        """Return the match between the two players, at a table of *seats*."""
        return Match(title_id, seats, (self.challenger.full, self.other.full), self.seed)


class Table(msgspec.Struct, frozen=True):
    """The games played at one table size of a title."""

    seats: int
    rules: int
    """The version of the title."""
    pairs: tuple[Pair, ...]


def levels(title_id: str) -> tuple[str, ...]:
    """Return the levels of a title, weakest first.

    Among them is the first bot of the rules of thumb, where it is kept.
    """
    try:
        kept = find_bot(title_id, FIRST) != find_bot(title_id, STEADY)
    except UnknownBot:
        kept = False
    return (ANCHOR, *((FIRST,) if kept else ()), *find_title(title_id).bots[1:])


def list_pairs(title_id: str, names: Sequence[str] | None = None) -> list[Pair]:
    """Return the pairs of a title's ladder in the order in which they are played.

    With *names*, only theirs are returned.
    """
    row = levels(title_id)
    found = []
    for place, challenger in enumerate(row):
        for other in reversed(row[max(0, place - NEAR) : place]):
            if names is None or {challenger, other} <= set(names):
                above, below = (Player.from_bot(find_bot(title_id, name)) for name in (challenger, other))
                found.append(Pair(above, below, f"ladder/{challenger}/{other}"))
    return found


def is_current(title_id: str, table: Table, pair: Pair) -> bool:
    """Return True if both players are available as they were, under the rules that new games have."""
    return table.rules == find_title(title_id).version and all(
        _is_at_hand(title_id, player) for player in (pair.challenger, pair.other)
    )


def _is_at_hand(title_id: str, player: Player) -> bool:
    try:
        return Player.from_bot(find_bot(title_id, player.full)) == player
    except UnknownBot:
        return False


class Deal(msgspec.Struct, frozen=True):
    """A deal: the games that are played in one go, so that no seat is favoured."""

    title: str
    seats: int
    pair: Pair
    number: int

    def play(self) -> Tally:
        """Return the sums over its games, one from every seat. Always the same. Raises as :func:`play`."""
        match = self.pair.match(self.title, self.seats)
        return play_deal(play(match, self.number, seat) for seat in range(self.seats))


def play_deal(deal: Iterable[PlayedGame]) -> Tally:
    """Return the sums of one deal, played from every seat."""
    games = list(deal)
    won = sum(VICTORY // len(game.winners) for game in games if game.challenger in game.winners)
    beaten = sum(map(_count_beaten, games))
    commands = sum(game.commands for game in games)
    rejected = sum(game.rejected for game in games)
    return Tally(1, len(games), won, won * won, beaten, beaten * beaten, commands, rejected)


def _count_beaten(game: PlayedGame) -> int:
    mine = game.places[game.challenger]
    others = [place for seat, place in enumerate(game.places) if seat != game.challenger]
    return sum(2 * (mine < place) + (mine == place) for place in others)


class Result(msgspec.Struct, frozen=True):
    """The result of a pair's games; as :class:`workers.bots.trials.arena.MatchSummary`, rounded."""

    challenger: str
    other: str
    deals: int
    games: int
    won: float
    share: float
    low: float
    high: float
    luck: float
    beaten: float
    elo: int
    elo_low: int
    elo_high: int
    commands: float
    rejected: int


class Rung(msgspec.Struct, frozen=True):
    """A level at a table, and how strong it is there."""

    name: str
    version: int
    budget: int
    weights: str | None
    games: int
    """The number of games in which it played."""
    score: float
    """The share of its opponents that it left behind, from 0 to 1; a tie counts half."""
    elo: int
    """Above :data:`ANCHOR`."""
    low: int
    high: int
    """The 95 % interval; deals count, not games."""
    sentence: str
    """The level's results against a weaker one, and a warning where they are not enough for its name."""

    @property
    def full(self) -> str:
        """Name and version."""
        return f"{self.name}@{self.version}"


class _Mean(msgspec.Struct, frozen=True):
    """The mean of a share over deals, and as how many independent games they count."""

    mean: float
    worth: float

    @classmethod
    def from_sums(cls, tally: Tally, total: int, squares: int, most: int) -> Self:
        """*most*: what the sum of one deal would be at best."""
        mean = total / (tally.deals * most)
        spread = max(0, squares * tally.deals - total * total) / (tally.deals * most) ** 2
        return cls(mean, count_independent_games(spread / tally.deals, mean, tally.games))


def _mean_won(tally: Tally, seats: int) -> _Mean:
    return _Mean.from_sums(tally, tally.won, tally.won_squares, VICTORY * seats)


def _mean_beaten(tally: Tally, seats: int) -> _Mean:
    return _Mean.from_sums(tally, tally.beaten, tally.beaten_squares, 2 * seats * (seats - 1))


def result(pair: Pair, seats: int) -> Result:
    """Return the result of a pair's games, of which there is at least one deal."""
    tally = pair.tally
    won, beaten = _mean_won(tally, seats), _mean_beaten(tally, seats)
    low, high = wilson(won.mean, won.worth)
    below, above = wilson(beaten.mean, beaten.worth)
    return Result(
        challenger=pair.challenger.full,
        other=pair.other.full,
        deals=tally.deals,
        games=tally.games,
        won=round(tally.won / VICTORY, 2),
        share=round(won.mean, 4),
        low=round(low, 4),
        high=round(high, 4),
        luck=round(1 / seats, 4),
        beaten=round(beaten.mean, 4),
        elo=round(elo(beaten.mean)),
        elo_low=round(elo(below)),
        elo_high=round(elo(above)),
        commands=round(tally.commands / tally.games, 1),
        rejected=tally.rejected,
    )


def rungs(table: Table) -> list[Rung]:
    """Return the levels that are connected with :data:`ANCHOR` by games, the weakest first."""
    played = [pair for pair in table.pairs if pair.tally.deals]
    known = sorted(_find_connected(played), key=lambda one: (BOTS.index(one.name), one.version))
    among = [pair for pair in played if pair.challenger in known]
    points = _strengths(known, among, table.seats)
    return [_rung(player, among, table.seats, *points[player]) for player in known]


def _find_connected(pairs: Sequence[Pair]) -> list[Player]:
    """Return the players that can be compared with :data:`ANCHOR`, which comes first."""
    known = [player for pair in pairs for player in (pair.other,) if player.name == ANCHOR][:1]
    for _ in pairs:
        for pair in pairs:
            two = (pair.other, pair.challenger)
            if any(player in known for player in two):
                known += [player for player in two if player not in known]
    return known


def _rung(player: Player, pairs: Sequence[Pair], seats: int, points: float, error: float) -> Rung:
    ahead, games = 0.0, 0
    for pair in pairs:
        if player in {pair.challenger, pair.other}:
            share = _mean_beaten(pair.tally, seats).mean
            ahead += (share if player == pair.challenger else 1 - share) * pair.tally.games
            games += pair.tally.games
    return Rung(
        name=player.name,
        version=player.version,
        budget=player.budget,
        weights=player.weights,
        games=games,
        score=round(ahead / games, 4),
        elo=round(points),
        low=round(points - Z * error),
        high=round(points + Z * error),
        sentence=_describe_level(player, pairs, seats),
    )


def _describe_level(player: Player, pairs: Sequence[Pair], seats: int) -> str:
    """Return the sentence for somebody who chooses the level."""
    if player.name == ANCHOR:
        return "Plays at random."
    weaker = STEADY if player.name in THINKERS else ANCHOR
    played = [pair for pair in pairs if pair.challenger == player and pair.other.name == weaker]
    said, reached = f"Not measured against {weaker}.", False
    if played:
        told = result(max(played, key=lambda pair: pair.other.version), seats)
        luck = f"an equal one would win {told.games / seats:g}"
        said = f"Won {told.won:g} of {told.games} games against {told.other}; {luck}."
        reached = told.low >= _least_share(player.name, seats)
    return said if reached or weaker == ANCHOR else f"{said} {MISSED[player.name]}"


def _least_share(name: str, seats: int) -> float:
    """Return the share of games against `steady` that the lower bound of a thinking level must reach."""
    return BARS.get(seats, CROWDED_BAR) if name == "strong" else 1 / seats


# --- strength -----------------------------------------------------------------------------------------

STEPS = 60
"""Of Newton's method, each no longer than :data:`STRIDE`."""
STRIDE = 1.0


def _strengths(
    known: Sequence[Player], pairs: Sequence[Pair], seats: int
) -> Mapping[Player, tuple[float, float]]:
    """Return Elo points above the first of *known*, and their standard errors, by Bradley and Terry.

    Each pair counts as the independent games that its deals are worth, and :data:`PRIOR` drawn ones.
    """
    free = {player: place for place, player in enumerate(known[1:])}
    games = []
    for pair in pairs:
        mean = _mean_beaten(pair.tally, seats)
        count = mean.worth + PRIOR
        share = (mean.mean * mean.worth + PRIOR / 2) / count
        games.append((free.get(pair.challenger), free.get(pair.other), count, share))
    points = [0.0] * len(free)
    for _ in range(STEPS):
        slopes, bends = _slopes(points, games)
        step = [sum(row[n] * slopes[n] for n in range(len(slopes))) for row in _inverse(bends)]
        points = [at + max(-STRIDE, min(STRIDE, by)) for at, by in zip(points, step, strict=True)]
    unit = SCALE / math.log(10)
    spread = _inverse(_slopes(points, games)[1])
    strengths = {player: (unit * points[n], unit * math.sqrt(spread[n][n])) for player, n in free.items()}
    return {**dict.fromkeys(known[:1], (0.0, 0.0)), **strengths}


_Games = Sequence[tuple[int | None, int | None, float, float]]
"""Of each pair: who of those that are not the anchor, the number of games, the first one's share of them."""


def _slopes(points: Sequence[float], games: _Games) -> tuple[list[float], list[list[float]]]:
    """Return the slope of the logarithm of the likelihood at *points*, and its bend.

    The bend is the negative second slope.
    """
    slopes = [0.0] * len(points)
    bends = [[0.0] * len(points) for _ in points]
    for first, second, count, share in games:
        apart = _get_points(points, first) - _get_points(points, second)
        likely = 1 / (1 + math.exp(-apart))
        for one, sign in ((first, 1), (second, -1)):
            if one is None:
                continue
            slopes[one] += sign * count * (share - likely)
            bends[one][one] += count * likely * (1 - likely)
            other = second if one == first else first
            if other is not None:
                bends[one][other] -= count * likely * (1 - likely)
    return slopes, bends


def _get_points(points: Sequence[float], one: int | None) -> float:
    return 0.0 if one is None else points[one]


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix, after Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(n == m) for m in range(size))] for n, row in enumerate(matrix)]
    for n in range(size):
        rows[n] = [each / rows[n][n] for each in rows[n]]
        for m in range(size):
            if m != n:
                rows[m] = [a - rows[m][n] * b for a, b in zip(rows[m], rows[n], strict=True)]
    return [row[size:] for row in rows]
