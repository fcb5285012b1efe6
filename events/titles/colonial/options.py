"""The options of a table."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.rules.steps import Rejected

Variant = Literal["basic", "nations", "nations_2_3"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options that a table may choose before the start."""

    variant: Literal["by_seats", "basic", "nations"] = "by_seats"
    """``by_seats``: the 2-3 player game with 2 or 3, the basic game with 4 to 6."""
    allow_three_player_basic: bool = False
    """The basic game also with 3 players (first edition)."""
    abolition_per_merchant: bool = False
    """After abolition a Merchant who ships slaves moves 1 left once, not once for each Goods."""
    pay_sellers_only_if_shipped: bool = False
    """Sellers of the Booming City are paid only if the pirates let the Goods pass."""
    booming_city_prestige: Literal["historical_establishing", "historical", "any"] = "historical_establishing"
    """Nations Variant: where a Booming City gives Prestige only if the owner's Nation names it as Historical.

    ``historical_establishing``: when it is placed in a Colony. ``historical``: also when a Colony is founded
    around it. ``any``: never, each Booming City gives Prestige.
    """
    circumnavigation: Literal["same_round", "next_round"] = "next_round"
    """The round from which the world may be sailed round: that of the discovery of America, or the next."""
    turn_limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = 100
    """The game ends after that many turns; None: never. No rule of the game, which usually takes 6 to 12."""


def variant_of(seats: int, options: Options) -> Variant:
    """The variant that is played at this table (COL-00-05, COL-25-40)."""
    if options.variant == "basic" or (options.variant == "by_seats" and seats >= 4):
        return "basic"
    return "nations_2_3" if seats <= 3 else "nations"


def check_options(seats: int, options: Options) -> None:
    """Check the number of players: basic 4-6 (3 by option), Nations Variant 2-5 (COL-00-05)."""
    if variant_of(seats, options) == "basic":
        fewest = 3 if options.allow_three_player_basic else 4
        if not fewest <= seats <= 6:
            detail = f"The basic game takes {fewest} to 6 players; choose the Nations Variant."
            raise Rejected("invalid_options", detail)
    elif not 2 <= seats <= 5:
        raise Rejected("invalid_options", "The Nations Variant takes 2 to 5 players; choose the basic game.")
