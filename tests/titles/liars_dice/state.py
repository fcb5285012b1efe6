"""The state of a game of Liar's dice."""

from __future__ import annotations

from typing import Annotated

import msgspec

Dice = tuple[int, ...]
SEATS = range(2, 5)
DICE = 3
"""The dice of each player at the beginning (LDI-01)."""
MOST = DICE * max(SEATS)
"""The dice of the largest table: no bid counts more."""
Count = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
Face = Annotated[int, msgspec.Meta(ge=1, le=6)]


class Bid(msgspec.Struct, frozen=True, order=True):
    """At least *count* dice show *face*. Bids are ordered as LDI-03 orders them."""

    count: Count
    face: Face


class State(msgspec.Struct, frozen=True):
    """A whole game; tuples are by seat."""

    cups: tuple[Dice, ...]
    """The dice under each cup, in ascending order; () for a player who is out."""
    turn: int = 0
    """The seat that bids or challenges."""
    bid: Bid | None = None
    """The latest bid of the round."""
    bidder: int | None = None
    """The seat that made it."""
    out: tuple[int, ...] = ()
    """The seats without dice, in the order in which they left (LDI-07)."""

    @property
    def seats(self) -> int:
        """The number of seats in the game."""
        return len(self.cups)

    def find_next(self, seat: int) -> int:
        """Return the next seat clockwise that has dice (LDI-03, LDI-06)."""
        order = [*range(seat + 1, self.seats), *range(seat + 1)]
        return next((other for other in order if self.cups[other]), seat)
