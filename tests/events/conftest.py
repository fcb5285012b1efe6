"""Games on a real log."""

from tests.core import core_servers, games, new_game, pool, title

__all__ = ["core_servers", "games", "new_game", "pool", "title"]
