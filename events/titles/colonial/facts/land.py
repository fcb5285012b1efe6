"""What changes on the map."""

from __future__ import annotations

from typing import Literal

import msgspec

from events.fact import Fact
from events.titles.colonial.state import Casualty, Dice


class TerritoryExplored(Fact, frozen=True):
    """COL-07-01; *prestige_left* repeats what stays on the Territory."""

    seat: int
    territory: str
    prestige_taken: int
    prestige_left: int


class CounterPlaced(Fact, frozen=True):
    """One counter on top of a pile; *stack* repeats the pile before the control check."""

    seat: int
    space: str
    from_: Literal["treasury", "fleets"] = msgspec.field(name="from")
    stack: tuple[int, ...]


class ControlChanged(Fact, frozen=True):
    """The control check altered controller or order; *stack* is the pile after it."""

    space: str
    from_: int = msgspec.field(name="from")
    to: int
    cause: Literal["placed", "loss"]
    stack: tuple[int, ...]


class MonopolyBroken(Fact, frozen=True):
    """COL-05-07."""

    by: int
    victim: int
    resource: str
    space: str


class UnrestPlaced(Fact, frozen=True):
    """Unrest markers put on a Territory."""

    territory: str
    amount: int
    by: int
    reason: Literal["adventurers", "extremadura", "pillage", "rebel"]


class UnrestRemoved(Fact, frozen=True):
    """Unrest markers taken off a Territory."""

    territory: str
    amount: int
    by: int
    reason: Literal["ambassador", "repression"]


class UnrestFlipped(Fact, frozen=True):
    """COL-19-01: Unrest -1, Missions +1."""

    territory: str
    by: int


class MissionPlaced(Fact, frozen=True):
    """COL-19-02."""

    territory: str
    by: int


class MissionDiscarded(Fact, frozen=True):
    """COL-20-01."""

    territory: str
    by: int


class ColonyFounded(Fact, frozen=True):
    """COL-14-03, COL-14-04: the founder gains *prestige* and *city_prestige*."""

    seat: int
    territory: str
    method: Literal["normal", "extremadura"]
    prestige: int
    city_prestige: int


class IndependenceEnded(Fact, frozen=True):
    """COL-08-08."""

    territory: str


class IndependenceBegan(Fact, frozen=True):
    """COL-08-05."""

    territory: str


class CompanyCreated(Fact, frozen=True):
    """COL-14-07: a counter of the founder becomes a Merchant Fleet."""

    seat: int
    space: str
    position: int


class TerritoryPillaged(Fact, frozen=True):
    """COL-14-08; the Unrest follows in `UnrestPlaced`."""

    seat: int
    territory: str
    amount: int


class FleetStolen(Fact, frozen=True):
    """COL-14-10."""

    thief: int
    victim: int
    amount: int


class ColonyLost(Fact, frozen=True):
    """COL-08-05, COL-08-10: marker and Unrest go, Prestige is lost."""

    seat: int
    territory: str
    prestige_lost: int
    city_prestige_lost: int
    unrest_removed: int


class BoomingCityPlaced(Fact, frozen=True):
    """COL-17-04; *payment* repeats what `TreasuryDiscarded` took."""

    by: int
    territory: str
    payment: int
    value: int


class BoomingCityRemoved(Fact, frozen=True):
    """The former Booming City goes."""

    territory: str
    value: int


class BoomingCityPillaged(Fact, frozen=True):
    """COL-18-12."""

    territory: str
    old_value: int
    new_value: int


class PrestigeGained(Fact, frozen=True):
    """COL-17-05."""

    seat: int
    amount: int
    reason: Literal["booming_city"]


class RebellionRolled(Fact, frozen=True):
    """COL-20-03 to COL-20-05."""

    by: int
    territory: str
    dice_count: int
    dice: Dice
    successes: int
    casualties_due: int
    from_others: int
    from_self: int


class CountersLost(Fact, frozen=True):
    """Counters return to the Pools; positions are those before the batch."""

    territory: str
    losses: tuple[Casualty, ...]
    cause: Literal["rebellion", "war"]
    inflicted_by: tuple[int, ...]
