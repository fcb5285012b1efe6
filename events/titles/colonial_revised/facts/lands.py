"""Facts of what happens on the map: counters, control, Colonies, Unrest, Prestige, Rebellions."""

from __future__ import annotations

import msgspec

from events.fact import Fact
from events.titles.colonial_revised.commands import Loss
from events.titles.colonial_revised.facts.parts import By, Faces, Markers


class DiplomacyMoved(Fact, frozen=True):
    """A Diplomacy marker really moved (REV-131)."""

    seat: int
    from_: int = msgspec.field(name="from")
    to: int
    reason: str


class UnrestPlaced(Fact, frozen=True):
    """*left* is what the same action still has to place."""

    territory: str
    count: int
    reason: str
    left: tuple[Markers, ...] = ()


class UnrestLapsed(Fact, frozen=True):
    """Markers that are not placed any more (REV-127)."""

    territory: str
    count: int
    left: tuple[Markers, ...] = ()


class UnrestRemoved(Fact, frozen=True):
    """Unrest markers leave a Territory."""

    territory: str
    count: int
    reason: str


class ControlChanged(Fact, frozen=True):
    """*penalised*: the rules charge the new controller 1 space of Diplomacy, if he can."""

    space: str
    from_: int | None = msgspec.field(name="from")
    to: int | None
    penalised: bool


class MonopolyGained(Fact, frozen=True):
    """*space* only where the space is the Monopoly, on Gold (REV-063)."""

    seat: int
    resource: str
    space: str | None = None


class MonopolyLost(Fact, frozen=True):
    """*space* only where the space was the Monopoly, on Gold (REV-063)."""

    seat: int
    resource: str
    space: str | None = None


class PrestigeChanged(Fact, frozen=True):
    """*total*: his Prestige Points after this change."""

    seat: int
    source: str
    delta: int
    total: int


class AwardTransferred(Fact, frozen=True):
    """*award* is ``progress_award`` or ``missions_award`` (REV-092, REV-093)."""

    award: str
    from_: int | None = msgspec.field(name="from")
    to: int


class EmpireAchieved(Fact, frozen=True):
    """5 adjacent Colonies: at least one point for good (REV-095)."""

    seat: int


class ColonyLost(Fact, frozen=True):
    """The marker and all Cities there are gone; *pp* is what the Colony gave (REV-114)."""

    seat: int
    territory: str
    pp: int
    cities: tuple[int, ...]


class TerritoryBecameIndependent(Fact, frozen=True):
    """The last counter has left (REV-116)."""

    territory: str


class CountersRemoved(Fact, frozen=True):
    """The Conqueror's cost; *to* is ``pool`` or ``merchant_fleet``."""

    territory: str
    seat: int
    by_space: By
    to: str
    reason: str


class ColonyFounded(Fact, frozen=True):
    """A Colony marker is placed (REV-154)."""

    seat: int
    territory: str
    pp: int


class IndependenceEnded(Fact, frozen=True):
    """Founding ends the independence (REV-118)."""

    territory: str


class ProtectionLifted(Fact, frozen=True):
    """All counters there are vulnerable again (REV-156)."""

    territory: str


class ExplorationRolled(Fact, frozen=True):
    """The die, and everything that made the target (REV-161); *price* null where not for sale."""

    seat: int
    territory: str
    difficulty: int
    seafaring: int
    adjacency: int
    america_penalty: int
    target: int
    roll: int
    shortfall: int
    price: int | None


class ExplorationBought(Fact, frozen=True):
    """The shortfall is paid (REV-162)."""

    seat: int
    territory: str
    price: int


class ExplorationFailed(Fact, frozen=True):
    """The Territory stays unexplored."""

    seat: int
    territory: str


class TerritoryExplored(Fact, frozen=True):
    """The Territory is explored, *paid* where the die alone was not enough (REV-163)."""

    seat: int
    territory: str
    paid: bool


class AmericaDiscovered(Fact, frozen=True):
    """The first American exploration (REV-139)."""

    seat: int
    turn: int


class AmericaPenaltyLifted(Fact, frozen=True):
    """Penalty-free in the Americas for good (REV-141)."""

    seat: int


class TradingPostEstablished(Fact, frozen=True):
    """A Merchant Fleet moves onto a space (REV-164)."""

    seat: int
    space: str


class AdventurersSent(Fact, frozen=True):
    """Treasury moves onto spaces of the new Territory (REV-165)."""

    seat: int
    territory: str
    placements: By


class ExplorationSettled(Fact, frozen=True):
    """Nothing was placed in the Territory just explored."""

    seat: int
    territory: str


class LoanTaken(Fact, frozen=True):
    """Financier or Emergency Loan (REV-175, REV-366)."""

    seat: int
    loan: int
    treasury: int
    emergency: bool


class LoanRepaid(Fact, frozen=True):
    """Each T removes 1 from the Loan (REV-176)."""

    seat: int
    amount: int


class BoomingCityFounded(Fact, frozen=True):
    """The new Booming City (REV-185)."""

    seat: int
    territory: str
    value: int


class CityBecameRelevant(Fact, frozen=True):
    """The former Booming City keeps its marker (REV-189)."""

    territory: str
    value: int


class MissionPlaced(Fact, frozen=True):
    """*placed_total*: all Missions that the seat ever placed (REV-093)."""

    seat: int
    territory: str
    placed_total: int


class ProgressAdvanced(Fact, frozen=True):
    """*by* is ``scientist`` or ``escalation``; *to* the value of the space entered."""

    seat: int
    track: str
    to: int
    price: int
    by: str


class SlaveryAbolished(Fact, frozen=True):
    """The first Economy 10 (REV-082)."""

    seat: int


class CountersSent(Fact, frozen=True):
    """Treasury onto spaces of one Territory (REV-246)."""

    seat: int
    territory: str
    placements: By


class CountersRecalled(Fact, frozen=True):
    """Counters back to the Treasury (REV-250)."""

    seat: int
    territory: str
    removals: By


class RebelMarked(Fact, frozen=True):
    """No Rebel may place Unrest here again this turn (REV-263)."""

    territory: str


class RebellionPricePaid(Fact, frozen=True):
    """Sparking in a Colony (REV-275)."""

    seat: int
    territory: str
    amount: int


class RebellionRolled(Fact, frozen=True):
    """*kind* is ``territory`` or ``colony``."""

    seat: int
    territory: str
    kind: str
    dice: int
    faces: Faces
    successes: int
    missions: int
    losses: int


class AutomaticRebellionBrokeOut(Fact, frozen=True):
    """The fifth Unrest (REV-285)."""

    territory: str
    dice: int
    faces: Faces
    successes: int
    missions: int
    losses: int


class LossesAllotted(Fact, frozen=True):
    """By the Rebel's player, or by rule (REV-268, REV-286)."""

    territory: str
    losses: tuple[Loss, ...]


class LossesAverted(Fact, frozen=True):
    """2 T a counter (REV-269)."""

    victim: int
    territory: str
    saved: By
    paid: int


class CountersLost(Fact, frozen=True):
    """Counters leave in a Rebellion."""

    territory: str
    seat: int
    by_space: By
    reason: str


class CountersProtected(Fact, frozen=True):
    """Survivors are safe this turn (REV-270)."""

    territory: str
    by_space_and_player: tuple[Loss, ...]


class RebelEntered(Fact, frozen=True):
    """1 T onto a space of the lost Colony (REV-277)."""

    seat: int
    space: str


class RebelStayedOut(Fact, frozen=True):
    """The Rebel's player does not enter (REV-277)."""

    seat: int
    territory: str


class RebellionEnded(Fact, frozen=True):
    """The Rebellion is settled."""

    territory: str
