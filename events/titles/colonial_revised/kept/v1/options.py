"""The options that a table can choose before the game begins."""

from __future__ import annotations

from typing import Annotated

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game."""

    end_roll_bonus: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0
    """Added to every threshold of the end roll, never above 6: a shorter game (REV-018)."""
    war_box_counts_privateer_war: bool = False
    """A fight with Privateers takes the War box and keeps it from growing, like a war (REV-058, REV-303)."""
