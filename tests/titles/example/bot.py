"""A steady captain for Landfall: high sails for rich islands."""

from __future__ import annotations

from typing import Any

from rutter.events.rules.fast_chance import FastChance
from rutter.events.rules.title import Title
from rutter.workers.bot_types import Bot

from .state import State
from .steps import ChooseSail


def choose(title: Title[Any], state: State, seat: int, chance: FastChance, budget: int) -> ChooseSail:
    """The sail of one's hand whose rank fits the worth of the island."""
    hand = state.hands[seat]
    return ChooseSail(hand[len(hand) * ((state.island or 1) - 1) // 6])


STEADY = Bot(name="steady", version=1, budget=0, choose=choose)
