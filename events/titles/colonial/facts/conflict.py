"""War."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from events.fact import Fact
from events.titles.colonial.state import Casualty, Dice


class PrestigeTaken(Fact, frozen=True):
    """COL-07-03."""

    from_: int = msgspec.field(name="from")
    to: int
    amount: int


class WarDeclared(Fact, frozen=True):
    """COL-22-01."""

    attacker: int
    defender: int


class WarYearBegan(Fact, frozen=True):
    """COL-22-03, COL-22-04."""

    year: int
    territories: tuple[str, ...]


class LandBattleRolled(Fact, frozen=True):
    """COL-22-05, COL-22-06. Pairs are (attacker, defender)."""

    territory: str
    attacker_dice: Dice
    defender_dice: Dice
    due: tuple[int, int]
    """Casualties that each side inflicts."""
    asked: tuple[bool, bool]
    """Which side has a real choice."""


class WarCasualtiesChosen(Fact, frozen=True):
    """Secret until `CountersLost` reveals both sides' choices."""

    secrets: ClassVar = {"casualties": ("seat",)}
    seat: int
    territory: str
    casualties: tuple[Casualty, ...]


class SeaBattleRolled(Fact, frozen=True):
    """COL-22-09."""

    attacker_dice: Dice
    defender_dice: Dice


class SeaDiceRerolled(Fact, frozen=True):
    """COL-25-18."""

    seat: int
    old_dice: Dice
    new_dice: Dice


class SeaRerollDeclined(Fact, frozen=True):
    """COL-25-18."""

    seat: int


class SeaLoss(msgspec.Struct, frozen=True):
    """What a side loses at sea."""

    seat: int
    squadrons: int
    fleets: int


class SeaLossesTaken(Fact, frozen=True):
    """COL-22-10."""

    losses: tuple[SeaLoss, SeaLoss]


class SurrenderDeclined(Fact, frozen=True):
    """COL-22-14."""

    seat: int
    year: int


class Surrendered(Fact, frozen=True):
    """COL-22-15."""

    seat: int
    year: int


class WarEnded(Fact, frozen=True):
    """The end of a war; a draw has neither winner nor loser."""

    result: Literal["surrender", "defeat", "draw"]
    winner: int | None
    loser: int | None
    years: int
