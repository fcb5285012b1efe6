"""Values that commands, facts and the state have in common."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.rules.bounds import BySeat, limit_items
from events.titles.colonies.data import TOP_LEVEL
from events.titles.colonies.primitives import Colour, Technology

MOST = 100_000
"""No count in a command or position is larger."""

Amount = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=4)]
Level = Annotated[int, msgspec.Meta(ge=1, le=TOP_LEVEL)]
Levels = dict[Technology, Level]
Side = Literal["yes", "no"]
Marker = Literal["export", "import"]
StepKind = Literal[
    "bilateral_advancement", "unilateral_advancement", "bilateral_decrement", "unilateral_decrement"
]
EffectName = Literal["official", "all", "fewest"]
MOST_EFFECTS = 15
"""Three for each of five players."""


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of all parts: unknown keys are refused."""


class Route(_Part, frozen=True):
    """The trade route on which planet *source* delivers to the player of planet *owner* (CLN-007)."""

    owner: Colour
    source: Colour


class Removal(_Part, frozen=True):
    """Some pirates taken from one route."""

    route: Route
    count: Positive


class AgreementStep(_Part, frozen=True, omit_defaults=True):
    """One step on one trade agreement of the acting player, from that player's side."""

    partner: Colour
    kind: StepKind
    marker: Marker | None = None
    """The marker that a unilateral step moves; absent for a bilateral one."""


class Vote(_Part, frozen=True):
    """One player's revealed vote."""

    seat: SeatNumber
    side: Side
    resources: dict[Colour, Amount]
    influence: Amount
    votes: Amount


class Votes(_Part, frozen=True):
    """The revealed votes of this turn; *carried* is None while a tie waits for the first player."""

    cast: BySeat[Vote]
    yes_sum: Amount
    no_sum: Amount
    carried: Side | None = None


class Place(_Part, frozen=True):
    """One player's effect in the order in which effects are carried out."""

    seat: SeatNumber
    effect: EffectName


class Resolution(_Part, frozen=True):
    """The state of the resolution of the event card."""

    queue: Annotated[tuple[Place, ...], limit_items(MOST_EFFECTS)]
    """The effects still to be carried out; the first one is under way."""
    primitive: Amount = 0
    """The number of the next primitive of that effect, from 0."""
    chosen: bool = False
    """True if the winner under way has chosen the effect over the Credits."""


class Score(_Part, frozen=True):
    """A player's final score."""

    seat: SeatNumber
    levels: Levels
    technology_points: Amount
    credits: Amount
    total: Amount
    resources_in_stock: Amount
    rank: Annotated[int, msgspec.Meta(ge=1, le=5)]
