"""A bot that plays one seat at random, over restarts of the server, lost connections and limits.

TOKEN=rut_... .venv/bin/python ops/examples/bot.py http://127.0.0.1:8000 GAME
"""

import os
import random
import sys

from rutter.client import Client, Move, Turn


def choose(turn: Turn) -> Move | None:
    """Return a move, or None while the game waits for others."""
    return random.choice(turn.asked) if turn.asked else None  # noqa: S311 - nobody has to guess it


def main(address: str, game: str) -> None:
    """Play until the game is over."""
    with Client(address, os.environ["TOKEN"]) as me:
        me.play(choose, game)


if __name__ == "__main__":
    main(*sys.argv[1:])
