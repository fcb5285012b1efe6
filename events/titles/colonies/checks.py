"""Checks that several commands share, each raising Rejected; and the words of refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from events.rules.steps import (
    ALREADY_ANSWERED,
    GAME_NOT_RUNNING,
    INVALID_PARAMETERS,
    NOT_YOUR_DECISION,
    Rejected,
)
from events.titles.colonies.parts import AgreementStep
from events.titles.colonies.primitives import Colour

CODES: Mapping[str, str] = {
    "game_over": GAME_NOT_RUNNING,
    "wrong_phase": NOT_YOUR_DECISION,
    "not_awaited": NOT_YOUR_DECISION,
    "no_reward_pending": NOT_YOUR_DECISION,
    "no_effect_pending": NOT_YOUR_DECISION,
    "already_committed": ALREADY_ANSWERED,
    "malformed_parameters": INVALID_PARAMETERS,
    "unknown_colour": INVALID_PARAMETERS,
    "invalid_count": INVALID_PARAMETERS,
}
"""The rulebook's words of refusal that every title answers with one code."""


def check_stock(stock: Mapping[Colour, int], resources: Mapping[Colour, int]) -> None:
    """Raise Rejected if a player gives more resources than lie in their stock."""
    if any(stock[colour] < count for colour, count in resources.items()):
        raise Rejected("insufficient_resources", "Use no more resources of a colour than lie in your stock.")


def check_steps(steps: Iterable[AgreementStep]) -> None:
    """Raise Rejected unless just unilateral steps name a marker (CLN-109)."""
    for step in steps:
        unilateral = step.kind in ("unilateral_advancement", "unilateral_decrement")
        if unilateral != (step.marker is not None):
            raise Rejected(
                INVALID_PARAMETERS, "Name the marker of a unilateral step, and none of a bilateral one."
            )


def empty_action() -> Rejected:
    """Return the refusal of an action with nothing in it (CLN-092)."""
    return Rejected("empty_action", "Choose something to do with this action, or pass it.")


def limit_exceeded(technology: str, level: int, what: str) -> Rejected:
    """Return the refusal of more than the technology's level allows."""
    name = technology.capitalize()
    return Rejected(
        f"{technology}_limit_exceeded", f"Your {name} level is {level}: choose at most {level} {what}."
    )
