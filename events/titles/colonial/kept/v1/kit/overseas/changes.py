"""Parts of the state replaced, as the folds of both editions do it.

A state has ``players``, by seat, and ``lands``, by the number of the Territory.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from events.titles.colonial.kept.v1.kit.values import put

S = TypeVar("S", bound=msgspec.Struct)


def change_player(state: S, seat: int, **changes: Any) -> S:
    """The state with fields of a player replaced."""
    before: Any = state
    players = put(before.players, seat, replace(before.players[seat], **changes))
    after: S = replace(before, players=players)
    return after


def gain(state: S, seat: int, **amounts: int) -> S:
    """A player with so much more of each, less where the amount is negative."""
    before: Any = state
    player = before.players[seat]
    now = {name: getattr(player, name) + amount for name, amount in amounts.items()}
    after: S = replace(before, players=put(before.players, seat, replace(player, **now)))
    return after


def change_land(state: S, territory: int, **changes: Any) -> S:
    """The state with fields of what lies in a Territory replaced."""
    before: Any = state
    lands = put(before.lands, territory, replace(before.lands[territory], **changes))
    after: S = replace(before, lands=lands)
    return after
