"""The link of a game to its tournament: its table there, and the randomness that follows from it.

Nobody may choose anything about such a game. Its key, its secrets and the contributions of its seats derive
from what the tournament committed to before anybody entered (:mod:`events.tournament.table_games`).
"""

from __future__ import annotations

import uuid

import msgspec

from events.proof.randomness import Secrets
from events.rules.fact import Seat

SINGLE_GAME_KIND = "game of a tournament, to be checked with its bundle"
"""The kind of such a game for a reader who looks at it alone."""


class Reference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of a tournament that a game is played at."""

    id: str
    """The id of the tournament."""
    stage: int
    """The number of the stage, from 1."""
    round: int
    """The number of the round, from 1."""
    table: int
    """The number of the table, from 1."""
    attempt: int
    """0 for the first game of the table, more for each replay."""
    hash: str
    """The hash (hex) of the event by which the round started."""


class TournamentSeed(msgspec.Struct, frozen=True):
    """The settings of a tournament for one of its games."""

    at: Reference
    key: bytes
    """16 bytes that stand for the game in its randomness, in place of an id, which anybody could choose."""
    secrets: Secrets
    mixed: bytes
    """U: what the entrants contributed to the tournament contributes here too."""
    rated: bool


_CLAIMS = uuid.UUID("8d8f7a3e-4f55-5f0e-8a53-0e6f7c3f1a90")
"""Namespace of the claims to seats that one command takes."""


def seat_claim(cmd: str, seat: Seat) -> str:
    """Return the claim to a seat of a game whose seats the command *cmd* takes, each for another player."""
    return str(uuid.uuid5(_CLAIMS, f"{cmd}/{seat}"))
