"""The ways to say commands whose legal list is one order of many (`events/rules/kit/ways.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from events.rules.kit.ways import Way, choose_some
from events.rules.steps import Command
from events.titles.colonialism.commands import KeepStartingHand
from events.titles.colonialism.data import CARD_IDS, COUNTS, GAME, INTEREST_IDS, PIECES, REGION_IDS, ZONE_IDS
from events.titles.colonialism.state import State

NAMES = (
    *REGION_IDS,
    *ZONE_IDS,
    *CARD_IDS,
    *INTEREST_IDS,
    *(color.id for color in GAME.colors),
    *(f"{color.id}_ship_{number + 1}" for color in GAME.colors for number in range(PIECES.ships)),
    "natives",
)


def _starting_hand(state: State, seat: int) -> Way:
    return choose_some(state.hands[seat], COUNTS.kept, COUNTS.kept)


WAYS: Mapping[type[Command], Callable[[State, int], Way | None]] = {KeepStartingHand: _starting_hand}
