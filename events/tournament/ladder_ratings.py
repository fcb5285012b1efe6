"""The ratings by which a ladder is paired, and what the export of ratings says of them.

The server states the position of the export at which it read the ratings. An auditor who has the export finds
there what each entrant's rating was: games of the tournament tell which subject an entrant is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from events.clocks.clock import ClockSettings, LiveClock

MEAN, DEVIATION = 25.0, 25 / 3
"""The level of a player who has played no game that counts."""
BANDS = ((2, "2"), (4, "3-4"), (6, "5-6"))
"""Pools by the number of seats: up to how many, and its name."""
LARGE = "7+"
BOTS = "bots"
"""The last part of the name of a pool in which bots are rated, where others have a tempo."""
_MOST_RATING = 10_000
_CLOSE = 1e-6


def name_pool(title_id: str, seats: int, clock: ClockSettings | None) -> str:
    """Return the name of a pool: a title, a number of seats, a tempo.

    Untimed games of a tournament are no more hurried than letters.
    """
    tempo = "live" if isinstance(clock, LiveClock) else "correspondence"
    return f"{title_id}.{_name_band(seats)}.{tempo}"


def name_bot_pool(title_id: str, seats: int) -> str:
    """Return the name of the pool in which bots are rated; a bot is as strong at every tempo.

    >>> name_bot_pool("colonies", 4)
    'colonies.3-4.bots'
    """
    return f"{title_id}.{_name_band(seats)}.{BOTS}"


def _name_band(seats: int) -> str:
    return next((name for most, name in BANDS if seats <= most), LARGE)


def display_rating(mu: float) -> int:
    """Return the number that people are shown.

    >>> display_rating(25.0)
    1500
    """
    return round(1500 + 40 * (mu - MEAN))


def pairing_rating(mu: float) -> int:
    """Return the number by which a player is paired."""
    return min(_MOST_RATING, max(0, display_rating(mu)))


class ModelLevel(msgspec.Struct, frozen=True):
    """The knowledge of a player's strength."""

    mu: float
    sigma: float

    def is_close(self, other: ModelLevel) -> bool:
        """Return True if two levels are the same but for the last digits of other machines."""
        return abs(self.mu - other.mu) < _CLOSE and abs(self.sigma - other.sigma) < _CLOSE


class RatedGame(msgspec.Struct, frozen=True):
    """A line of the export of ratings: a game that counts. Lists are in the order of seats."""

    position: int
    game: str | None
    pool: str
    subjects: tuple[str, ...]
    before: tuple[ModelLevel, ...]
    after: tuple[ModelLevel, ...]
    recounted: int = 0
    """The position of the newest ruling that took a game out, since when the ratings are others; 0: none."""


class ExportedRating(msgspec.Struct, frozen=True):
    """The rating of an entrant at a position, as the export has it."""

    rating: int | None
    """None where the entrant had none."""
    certain: bool
    """True if the export has said so ever since, and leaves out no game between."""


class RatingExport:
    """The export of a pool, as far as it tells of the entrants of a tournament.

    Args:
        games: its lines; those of other pools are left out.
        pool: the pool of the tournament's games.
        seats: by game of the tournament its entrants in seat order.
    """

    def __init__(self, games: Iterable[RatedGame], pool: str, seats: Mapping[str, Sequence[int]]) -> None:
        found = sorted((one for one in games if one.pool == pool), key=lambda one: one.position)
        self._recounted = max((one.recounted for one in found), default=0)
        self._subjects: dict[int, set[str]] = {}
        self._levels: dict[str, list[tuple[int, ModelLevel, ModelLevel]]] = {}
        for one in found:
            entrants = seats.get(one.game or "", ())
            if len(entrants) == len(one.subjects):
                for entrant, subject in zip(entrants, one.subjects, strict=True):
                    self._subjects.setdefault(entrant, set()).add(subject)
            for subject, before, after in zip(one.subjects, one.before, one.after, strict=False):
                self._levels.setdefault(subject, []).append((one.position, before, after))

    def find(self, entrant: int, position: int) -> ExportedRating | None:
        """Return the rating of *entrant* at *position*; None where the export cannot tell.

        An entrant of whom no public game counts is unknown there.
        """
        known = self._subjects.get(entrant, set())
        if len(known) != 1:  # who erased their account has another subject in each game since
            return None
        levels = self._levels[next(iter(known))]
        past = [after for at, _, after in levels if at <= position]
        ahead = [before for at, before, _ in levels if at > position]
        level = past[-1] if past else ModelLevel(MEAN, DEVIATION)
        rating = pairing_rating(level.mu) if past else None
        is_next = bool(ahead) and ahead[0].is_close(level)
        return ExportedRating(rating, is_next and self._recounted <= position)
