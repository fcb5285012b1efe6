"""The options of a game."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.rules.steps import Rejected

PlayerColor = Literal["blue", "red", "green", "white"]
PLAYER_COLORS: tuple[PlayerColor, ...] = ("blue", "red", "green", "white")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options that can be agreed before a game."""

    quick_start_hands: bool = False
    """First-game variant: six cards of each deck are discarded and six dealt, without a choice (CSM-043)."""
    colors: Annotated[tuple[PlayerColor, ...], msgspec.Meta(max_length=4)] = ()
    """The players' colours by seat; empty: blue, red, green, white in seat order (CSM-001)."""


def colors_of(seats: int, options: Options) -> tuple[str, ...]:
    """Return the colour of each seat."""
    return tuple(options.colors or PLAYER_COLORS[:seats])


def check_options(seats: int, options: Options) -> None:
    """Refuse a table that cannot be played (CSM-001)."""
    if not 2 <= seats <= 4:
        raise Rejected("invalid_options", "Two, three or four players take part; change the number of seats.")
    if options.colors and len(options.colors) != seats:
        raise Rejected("invalid_options", "Name one colour for each seat, or none to take the usual ones.")
    if len(set(options.colors)) != len(options.colors):
        raise Rejected("invalid_options", "Each colour can be taken once; give every seat a different one.")
