"""Games on a real log."""

from tests.core import games, new_game, pool, title

__all__ = ["games", "new_game", "pool", "title"]
