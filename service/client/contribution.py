"""A client's own contribution to the randomness of a game: with one honest one nobody chose the luck.

To be copied into any client: needs the standard library only.

1. When you take a seat, send the `commitment` of 32 random bytes that you keep. Where you make the game,
   choose its id yourself (a UUIDv7): the commitment is for that game alone.
2. When all seats are taken and you hold a receipt for that, send the bytes to `.../reveal`.
"""

import hashlib
import secrets
from dataclasses import dataclass
from uuid import UUID

SIZE = 32
"""Bytes of a contribution."""


def make_commitment(key: bytes, seat: int, contribution: bytes) -> str:
    """Return the commitment that is sent with the request for a seat (64 hex digits).

    Args:
        key: the 16 bytes of the game's id; of a seeded game the `key` of its first event.
        seat: the number of the seat.
        contribution: 32 bytes.
    """
    return hashlib.sha256(
        b"bg/seat-commit/1\0" + key + f"p{seat}".encode() + b"\0" + contribution
    ).hexdigest()


@dataclass(frozen=True)
class Contribution:
    """Random bytes for one seat of one game, secret until all seats are taken."""

    game: str
    seat: int
    bytes: bytes

    @staticmethod
    def make(game: str, seat: int) -> "Contribution":
        """Make fresh randomness for *seat* of the game with this id."""
        return Contribution(game, seat, secrets.token_bytes(SIZE))

    @property
    def seat_request(self) -> dict[str, object]:
        """The members for this seat in the body of `POST /v1/games`, beside the game's `id`."""
        return {"you": True, "commitment": self.join_request["commitment"]}

    @property
    def join_request(self) -> dict[str, object]:
        """The body of `POST /v1/games/{id}/join`."""
        return {
            "seat": self.seat,
            "commitment": make_commitment(UUID(self.game).bytes, self.seat, self.bytes),
        }

    @property
    def reveal_request(self) -> dict[str, object]:
        """The body of `POST /v1/games/{id}/reveal`."""
        return {"seat": self.seat, "contribution": self.bytes.hex()}
