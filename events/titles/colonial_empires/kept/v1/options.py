"""The options that a table may choose before the game begins."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from events.rules.steps import Rejected
from events.titles.colonial_empires.kept.v1.data import CONSTANTS, EMPIRES, Empire


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game.

    Those of later times are unset where a table says nothing of them: so games of before keep their bytes.
    """

    additional_empires: bool = False
    """Opens all ten empires to tables of up to five players; larger tables always have them (CEM-105)."""
    region_bonuses_stack: bool = False
    """Pays the 2 for the most of a region also beside the 5 for all of it (CEM-409)."""
    event_turns: Annotated[
        Literal["whole", "one_card"] | UnsetType, Meta(extra_json_schema={"default": "whole"})
    ] = UNSET
    """`one_card`: an event turn is one Event card, and the turns go round until all have passed (CEM-506)."""
    paid_draws: Annotated[
        Literal["unlimited", "one"] | UnsetType, Meta(extra_json_schema={"default": "unlimited"})
    ] = UNSET
    """The number of extra cards one may buy in a Fate Phase (CEM-308)."""
    paid_builds: Annotated[
        Literal["unlimited", "one"] | UnsetType, Meta(extra_json_schema={"default": "unlimited"})
    ] = UNSET
    """The number of cards one may pay for in a Build Phase (CEM-604)."""


def check_options(seats: int, options: Options) -> None:
    """Raise Rejected unless 2 to 10 players take part (CEM-101)."""
    if not CONSTANTS.players_min <= seats <= CONSTANTS.players_max:
        raise Rejected(
            "invalid_options",
            f"Play with {CONSTANTS.players_min} to {CONSTANTS.players_max} players.",
        )


def settle_options(seats: int, options: Options) -> Options:
    """Return *options* as they hold at this table: from six seats on all ten empires are open (CEM-105)."""
    every = options.additional_empires or seats > CONSTANTS.players_basic
    return replace(options, additional_empires=every)


def empires_allowed(options: Options) -> tuple[Empire, ...]:
    """Return the empires to choose from, in the order of the rulebook (CEM-104, CEM-105)."""
    return tuple(empire for empire in EMPIRES.values() if options.additional_empires or empire.set == "basic")
