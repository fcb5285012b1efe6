"""The commands of players, in the rulebook's words."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from events.rules.steps import Command
from events.titles.colonialism.parts import CubeColor, Id

Number = Annotated[int, Meta(ge=0, le=99)]
FactionName = Number | Id
"""A seat, or ``natives``."""


class ChooseTurnOrderPosition(Command, frozen=True):
    """Take a row of the turn order track (CSM-037, CSM-206)."""

    row: Number
    """1 to 4."""


class KeepStartingHand(Command, frozen=True):
    """Keep six of the twelve starting cards (CSM-041)."""

    sealed = True
    cards: Annotated[tuple[Id, ...], Meta(max_length=24)]


class PlaceShip(Command, frozen=True):
    """Put one of your ships in a sea zone at set-up (CSM-044)."""

    sea_zone: Id


class DrawInfluenceCard(Command, frozen=True):
    """Draw the top card of your deck (CSM-053)."""


class MoveShip(Command, frozen=True):
    """Move a ship to any other sea zone (CSM-056)."""

    ship: Id
    sea_zone: Id


class ExploreRegion(Command, frozen=True):
    """Put one disc in a region, using a fresh adjacent ship (CSM-057)."""

    region: Id
    ship: Id


class WithdrawInfluenceDiscs(Command, frozen=True):
    """Return one to five discs from a region to your reserve, using a fresh adjacent ship (CSM-058)."""

    region: Id
    ship: Id
    count: Number
    """1 to 5."""


class PlayPolicyCard(Command, frozen=True):
    """Lay a policy card at a region, using a fresh adjacent ship (CSM-076)."""

    sealed = True
    card: Id
    region: Id
    ship: Id


class PlayDiplomacy(Command, frozen=True):
    """Diplomacy: add discs of a faction (CSM-090)."""

    region: Id
    faction: FactionName


class PlayLandGrab(Command, frozen=True):
    """Land Grab: add a disc for each policy card at the region (CSM-092)."""

    region: Id
    ship: Id


class PlayMercenaries(Command, frozen=True):
    """Mercenaries: recruit for this segment (CSM-093)."""

    region: Id
    ship: Id


class PlayMilitaryCampaign(Command, frozen=True):
    """Military Campaign: remove influence of a faction (CSM-095)."""

    region: Id
    faction: FactionName


class PlayMissionaries(Command, frozen=True):
    """Missionaries: convert influence of every other faction (CSM-100)."""

    region: Id


class PlayPlague(Command, frozen=True):
    """Plague: every faction loses half (CSM-101)."""

    region: Id
    ship: Id


class PlayTrade(Command, frozen=True):
    """Trade: exchange a cube of one region with a cube of another (CSM-102)."""

    ship: Id
    region_a: Id
    color_a: CubeColor
    region_b: Id
    color_b: CubeColor


class ChooseMercenaryLosses(Command, frozen=True):
    """Split your loss: so many mercenaries, the rest own discs (CSM-105)."""

    mercenaries: Number


class CollectResourceColor(Command, frozen=True):
    """Take all cubes of a colour from the region (CSM-192)."""

    color: CubeColor


class KeepInfluenceCard(Command, frozen=True):
    """Keep one card of your hand at the end of a colonization phase (CSM-200)."""

    sealed = True
    card: Id
