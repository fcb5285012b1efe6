"""The options of a game."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from events.rules.steps import Rejected
from events.titles.colonies.kept.v1.data import CARD_SETS, TABLE


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a table of Colonies; the number of players is the number of seats.

    Options of later times are unset where a table says nothing of them: so games of before keep their bytes.
    """

    first_player_method: Literal["fingers", "random"] = "fingers"
    """`fingers`: the rulebook's procedure; `random`: drawn with the game's seed (CLN-013)."""
    max_finger_rounds: Annotated[int, msgspec.Meta(ge=1, le=100)] = 10
    """After so many fruitless rounds of fingers the draw decides."""
    trade_agreement_max: Annotated[int, msgspec.Meta(ge=4, le=20)] = 6
    """The highest value of a trade marker."""
    credits_visibility: Literal["secret", "open"] = "secret"
    """`secret`: a player's Credits are shown to that player alone until the end (CLN-171)."""
    event_card_set: Annotated[str, msgspec.Meta(max_length=40)] = "supplied-25"
    """The file of event cards that is played with."""
    pirates_on_neutral_routes: Annotated[bool | UnsetType, Meta(extra_json_schema={"default": True})] = UNSET
    """True if pirates come to a player's route from a neutral planet (CLN-159)."""


def check_options(seats: int, options: Options) -> None:
    """Raise ``invalid_options`` for a table that cannot be played (CLN-001)."""
    if seats not in TABLE:
        raise Rejected("invalid_options", "Colonies is for three, four or five players.")
    if options.event_card_set not in CARD_SETS:
        names = ", ".join(sorted(CARD_SETS))
        raise Rejected("invalid_options", f"Choose one of the event card sets that there are: {names}.")
