"""Games on a real log."""

from tests.core import clock, games, new_game, pool, timed, title

__all__ = ["clock", "games", "new_game", "pool", "timed", "title"]
