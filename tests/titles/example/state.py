"""The state of a game of Landfall."""

from __future__ import annotations

import msgspec

Hand = tuple[int, ...]
SAILS: Hand = (1, 2, 3, 4, 5, 6) * 2
DEALT = 3


class State(msgspec.Struct, frozen=True):
    """A whole game; tuples are by seat."""

    hands: tuple[Hand, ...] = ((), ())
    chosen: tuple[int | None, ...] = (None, None)
    """The covered sails of the round (LFL-03)."""
    points: tuple[int, ...] = (0, 0)
    deck: Hand = SAILS
    """The sails not yet drawn. Their order means nothing: a draw picks from all of them."""
    shown: Hand = ()
    """The sails that are out of the game, in the order in which they were shown (LFL-05)."""
    island: int | None = None
    """The worth of the island in sight; None before the first and after the last one."""
    seats: int = 2
