"""Titles as learning machines want them: actions as integers, views as rows, explicit chance."""

from events.research.simulation import (
    EncodingError,
    ExplicitChance,
    Feature,
    Integers,
    OutcomeMissing,
    SimulatedGame,
    begin_game,
    choices,
    decode,
    encode,
    features,
    layout,
    utilities,
    vocabulary,
    way_of,
)

__all__ = [
    "EncodingError",
    "ExplicitChance",
    "Feature",
    "Integers",
    "OutcomeMissing",
    "SimulatedGame",
    "begin_game",
    "choices",
    "decode",
    "encode",
    "features",
    "layout",
    "utilities",
    "vocabulary",
    "way_of",
]
