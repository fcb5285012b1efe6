"""Parts of the state replaced, as the folds of both editions do it.

A state has ``players``, by seat, and ``lands``, by the number of the Territory.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

S = TypeVar("S", bound=msgspec.Struct)


def change_player(state: S, seat: int, **changes: Any) -> S:
    """The state with fields of a player replaced."""
    before: Any = state
    players = list(before.players)
    players[seat] = replace(players[seat], **changes)
    after: S = replace(before, players=tuple(players))
    return after


def gain(state: S, seat: int, **amounts: int) -> S:
    """A player with so much more of each, less where the amount is negative."""
    before: Any = state
    players = list(before.players)
    player = players[seat]
    now = {name: getattr(player, name) + amount for name, amount in amounts.items()}
    players[seat] = replace(player, **now)
    after: S = replace(before, players=tuple(players))
    return after


def change_land(state: S, territory: int, **changes: Any) -> S:
    """The state with fields of what lies in a Territory replaced."""
    before: Any = state
    lands = list(before.lands)
    lands[territory] = replace(lands[territory], **changes)
    after: S = replace(before, lands=tuple(lands))
    return after
