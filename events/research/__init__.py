"""Titles as learning machines want them: actions as integers, views as rows, explicit chance."""

from events.research.encoding import EncodingError, Integers, decode, encode, vocabulary
from events.research.features import Feature, features, layout
from events.research.observations import Bound, observation_bounds, observe
from events.research.simulation import (
    ExplicitChance,
    MissingOutcome,
    SimulatedGame,
    begin_game,
    choices,
    utilities,
    way_of,
)

__all__ = [
    "Bound",
    "EncodingError",
    "ExplicitChance",
    "Feature",
    "Integers",
    "MissingOutcome",
    "SimulatedGame",
    "begin_game",
    "choices",
    "decode",
    "encode",
    "features",
    "layout",
    "observation_bounds",
    "observe",
    "utilities",
    "vocabulary",
    "way_of",
]
