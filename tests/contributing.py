"""Contributing to the randomness as a careful client does: 32 random bytes, committed to at once, revealed
when all seats are taken.
"""

from __future__ import annotations

import hashlib
from typing import Any

from tests import seeds


class Contribution:
    """What one seat gives; the commitment is made again without any code of the service."""

    def __init__(self) -> None:
        self.secret = seeds.contribution()

    def commitment(self, key: str, seat: int) -> str:
        """For the seat of the game with this *key*: its id, or what its `opening` tells instead."""
        words = b"bg/seat-commit/1\0" + bytes.fromhex(key.replace("-", "")) + b"p%d\0" % seat
        return hashlib.sha256(words + self.secret).hexdigest()

    def reveal(self, seat: int) -> dict[str, Any]:
        """The body of the request that opens it."""
        return {"contribution": self.secret.hex(), "seat": seat}


def open_seats(game: dict[str, Any]) -> list[int]:
    """The seats that nobody has taken, by a game as the API shows it."""
    return [seat["seat"] for seat in game["seats"] if seat.get("open")]
