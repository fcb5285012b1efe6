"""The certain cost of a command and its chance of success, for a player about to choose it."""

from __future__ import annotations

from math import comb
from typing import Any

from events.rules.fact import Seat
from events.titles.colonial.kept.v1.commands import (
    BuyMerchantFleets,
    BuySquadrons,
    PlayExplorer,
    PlayScientist,
)
from events.titles.colonial.kept.v1.data import RULES, TERRITORY
from events.titles.colonial.kept.v1.derived import circumnavigation_required, count_required_successes, next_space
from events.titles.colonial.kept.v1.state import State


def cost(state: State, seat: Seat, command: Any) -> str:
    """The Treasury that it takes; empty where it takes none or chance has a say."""
    if isinstance(command, PlayScientist):
        price = next_space(state.players[seat], command.track)
        return f"{price} T" if price else ""
    if isinstance(command, BuyMerchantFleets | BuySquadrons):
        return f"{command.amount} T" if command.amount else ""
    return ""


def likelihood(state: State, seat: Seat, command: Any) -> float | None:
    """The exact probability of the Successes that an Explorer needs."""
    if not isinstance(command, PlayExplorer):
        return None
    if command.territory is None:
        required = circumnavigation_required(state, seat)
    else:
        required = count_required_successes(state, seat, TERRITORY[command.territory])
    return _compute_chance(required, RULES.exploration_dice)


def _compute_chance(successes: int, dice: int) -> float:
    """Return the probability that at least so many of the dice show a Success."""
    one = sum(RULES.success_die) / len(RULES.success_die)
    exact = range(max(0, successes), dice + 1)
    return min(1.0, sum(comb(dice, n) * one**n * (1 - one) ** (dice - n) for n in exact))
