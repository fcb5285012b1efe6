"""What can be chosen for a table before the game begins."""

from __future__ import annotations

from typing import Annotated

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game."""

    end_roll_bonus: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0
    """Added to every threshold of the end roll, never above 6: a shorter game (REV-018)."""
