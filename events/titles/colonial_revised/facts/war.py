"""Facts of wars, alliances, Escalations and the war against Privateers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from events.fact import Fact
from events.titles.colonial_revised.commands import Loss, SeatCount
from events.titles.colonial_revised.facts.parts import By, Faces, SeatChoice, SideCounts, SideFaces


class PrivateerWarRoundFought(Fact, frozen=True):
    """Success dice, Privateers sunk, their return dice (REV-376, REV-377)."""

    seat: int
    round: int
    dice: Faces
    sunk_by_owner: tuple[SeatCount, ...]
    return_dice: Faces
    squadrons_lost: int


class WarDeclared(Fact, frozen=True):
    """A war begins (REV-300)."""

    attacker: int
    defender: int


class WarBoxTaken(Fact, frozen=True):
    """The declarer takes the War box (REV-303)."""

    seat: int
    amount: int


class AllianceOffered(Fact, frozen=True):
    """*side* is ``attacker`` or ``defender``."""

    seat: int
    side: str
    amount: int


class AllianceChosen(Fact, frozen=True):
    """A sealed choice (REV-305)."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"choice": ("seat",)}
    seat: int
    choice: str


class AllianceChoicesRevealed(Fact, frozen=True):
    """All choices together."""

    choices: tuple[SeatChoice, ...]


class AllyAccepted(Fact, frozen=True):
    """One volunteer is accepted (REV-307)."""

    side: str
    seat: int


class AllyDeclined(Fact, frozen=True):
    """No volunteer is accepted (REV-307)."""

    side: str


class EscrowReleased(Fact, frozen=True):
    """A side without an Ally keeps its sum (REV-309)."""

    seat: int
    amount: int


class WarYearBegan(Fact, frozen=True):
    """A year of war (REV-315)."""

    year: int


class LandBattleFought(Fact, frozen=True):
    """One shared Territory (REV-317, REV-318)."""

    territory: str
    dice: SideFaces
    successes: SideCounts
    losses: tuple[Loss, ...]


class NavalBattleFought(Fact, frozen=True):
    """The sea battle of the year (REV-320, REV-321)."""

    dice: SideFaces
    successes: SideCounts
    squadrons_lost: tuple[SeatCount, ...]
    merchant_fleets_lost: tuple[SeatCount, ...]


class ExpeditionSent(Fact, frozen=True):
    """Treasury lands in an enemy Colony (REV-326)."""

    seat: int
    territory: str
    placements: By


class ExpeditionDeclined(Fact, frozen=True):
    """No expedition although there was the right."""

    seat: int


class ExpeditionBattleFought(Fact, frozen=True):
    """The battle of the expedition (REV-327)."""

    territory: str
    dice: SideFaces
    successes: SideCounts
    losses: tuple[Loss, ...]


class YearOfWarEnded(Fact, frozen=True):
    """The fighting of the year is over and both sides still have Squadrons: the decisions follow."""

    year: int


class AllyLeftWar(Fact, frozen=True):
    """An Ally gives up (REV-337)."""

    seat: int


class WarContinued(Fact, frozen=True):
    """A belligerent goes on."""

    seat: int


class WarSurrendered(Fact, frozen=True):
    """A principal surrenders (REV-338)."""

    seat: int


class WarEnded(Fact, frozen=True):
    """*result*: ``attacker_won``, ``defender_won`` or ``undecided``; *reason*: ``surrender``, ``forced``,
    ``both_without_squadrons`` or ``four_years``; the points go to the war tallies.
    """

    result: str
    winner: int | None
    loser: int | None
    reason: str
    winner_pp: int
    loser_pp: int


class AllianceSumPaid(Fact, frozen=True):
    """The promised sum, from escrow (REV-351)."""

    from_: int = msgspec.field(name="from")
    to: int
    amount: int


class CountersReturned(Fact, frozen=True):
    """Counters leave the other side's Colonies (REV-352)."""

    seat: int
    territory: str
    count: int
    by_space: By


class EscalationStarted(Fact, frozen=True):
    """Part A, in reverse player order (REV-360, REV-361)."""

    order: tuple[int, ...]
    belligerents: tuple[int, ...]


class EscalationPartStarted(Fact, frozen=True):
    """Part B (REV-363)."""

    part: str
    order: tuple[int, ...]


class EscalationPassed(Fact, frozen=True):
    """A player buys nothing in a part."""

    seat: int
    part: str
