"""Lanes: the parts of the log that are followed apart, each by one runner at a time."""

from __future__ import annotations

import uuid

LANES = 64
"""The number of lanes: as many as the sequencer deals games out to."""


def lane_of(stream: str) -> int:
    """Return the lane of a game or a tournament, by its id: 0 to 63."""
    return uuid.UUID(stream).bytes[-1] & (LANES - 1)
