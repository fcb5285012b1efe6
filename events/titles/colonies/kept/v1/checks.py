"""Checks that several commands share, each raising Rejected; and the words of refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from events.rules.fact import Seat
from events.rules.steps import (
    ALREADY_ANSWERED,
    GAME_NOT_RUNNING,
    INVALID_PARAMETERS,
    NOT_YOUR_DECISION,
    Rejected,
)
from events.titles.colonies.kept.v1.derived import is_neutral
from events.titles.colonies.kept.v1.parts import AgreementStep, Removal
from events.titles.colonies.kept.v1.primitives import Colour
from events.titles.colonies.kept.v1.state import State

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


# --- removals of pirates -----------------------------------------------------------------------------


def check_shape(removals: Iterable[Removal]) -> None:
    """Raise Rejected unless each route leads from one planet to another."""
    if any(r.route.owner == r.route.source for r in removals):
        raise Rejected(
            INVALID_PARAMETERS, "A trade route leads from one planet to another; name two planets."
        )


def check_distinct(removals: tuple[Removal, ...]) -> None:
    """Raise Rejected if a route occurs more than once."""
    if len({r.route for r in removals}) != len(removals):
        raise Rejected(
            "duplicate_route", "Name each trade route once, with all the pirates to remove from it."
        )


def check_players(state: State, removals: Iterable[Removal]) -> None:
    """Raise Rejected for routes of neutral planets: they have no pirates (CLN-097, CLN-158)."""
    if any(is_neutral(state, r.route.owner) for r in removals):
        raise Rejected("neutral_route", "Neutral planets' routes hold no pirates; choose a player's route.")


def check_own(state: State, seat: Seat, removals: Iterable[Removal]) -> None:
    """Raise Rejected unless the routes are the player's own."""
    if any(r.route.owner != state.planets[seat] for r in removals):
        raise Rejected("not_own_route", "Choose pirates on your own trade routes only.")


def check_available(state: State, removals: Iterable[Removal]) -> None:
    """Raise Rejected if more pirates are named than are there."""
    if any(state.pirates[r.route.owner][r.route.source] < r.count for r in removals):
        raise Rejected("insufficient_pirates", "Remove no more pirates from a route than are on it.")
