"""Facts of set-up, turn sequence, phases 2-7 and the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from events.fact import Fact
from events.titles.colonial_revised.facts.parts import Faces, SeatCard
from events.titles.colonial_revised.options import Options


class GameBegan(Fact, frozen=True):
    """The table is laid out for so many seats."""

    seats: int
    options: Options


class PlayerOrderDealt(Fact, frozen=True):
    """The order cards are dealt at random (REV-015)."""

    order: tuple[int, ...]


class TreasuryDiscarded(Fact, frozen=True):
    """A holder of order card 1 or 2 discards (REV-016)."""

    seat: int
    amount: int


class TurnBegan(Fact, frozen=True):
    """A turn begins."""

    turn: int


class PhaseBegan(Fact, frozen=True):
    """A phase begins (REV-020)."""

    turn: int
    phase: str


class RoundBegan(Fact, frozen=True):
    """A round of the Endeavour phase begins (REV-022)."""

    turn: int
    round: int


class DecisionSkipped(Fact, frozen=True):
    """A seat had nothing to decide, so it is not awaited."""

    seat: int
    decision: str
    reason: str


class CardPlayed(Fact, frozen=True):
    """A card lies face up; no Character where it is passed (REV-025)."""

    seat: int
    turn: int
    round: int
    card_id: str
    character: str | None


class ActionPassed(Fact, frozen=True):
    """Neither Character is used; *forced* where nothing was possible (REV-026)."""

    seat: int
    card_id: str
    forced: bool


class ActionCompleted(Fact, frozen=True):
    """The card and all its sub-decisions are finished."""

    seat: int


class TurnEnded(Fact, frozen=True):
    """Flags of the turn are cleared (REV-059)."""

    turn: int


class MerchantFleetsBuilt(Fact, frozen=True):
    """Phase 2 (REV-030)."""

    seat: int
    count: int


class TieRolled(Fact, frozen=True):
    """The last tie-break of the player order (REV-036)."""

    seats: tuple[int, ...]
    rolls: Faces


class PlayerOrderSet(Fact, frozen=True):
    """The order cards are dealt anew (REV-035)."""

    order: tuple[int, ...]


class MaintenancePaid(Fact, frozen=True):
    """Squadrons that cannot be paid are scrapped (REV-040, REV-041)."""

    seat: int
    amount: int
    squadrons_scrapped: int


class SquadronsBuilt(Fact, frozen=True):
    """Phase 4."""

    seat: int
    count: int


class SquadronsBought(Fact, frozen=True):
    """Escalation, part B."""

    seat: int
    count: int
    price: int


class PrivateersCommissioned(Fact, frozen=True):
    """Treasury becomes Privateers in a victim's box (REV-045)."""

    seat: int
    victim: int
    count: int


class PrivateeringCompleted(Fact, frozen=True):
    """The seat has placed all the Privateers that it wants this turn."""

    seat: int


class InterestAdded(Fact, frozen=True):
    """Phase 6 (REV-050)."""

    seat: int
    amount: int


class CardSetAside(Fact, frozen=True):
    """A sealed choice (REV-055)."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"card_id": ("seat",)}
    seat: int
    card_id: str


class SetAsideCardsRevealed(Fact, frozen=True):
    """All choices together (REV-057)."""

    card_by_player: tuple[SeatCard, ...]


class WarBoxIncreased(Fact, frozen=True):
    """No war was fought this turn (REV-058)."""

    to: int


class EndRollMade(Fact, frozen=True):
    """From turn 8 on (REV-393)."""

    turn: int
    roll: int
    threshold: int


class GameEnded(Fact, frozen=True):
    """*reason*: ``ten_points`` or ``end_roll``."""

    reason: str


class LoansRepaidAtEnd(Fact, frozen=True):
    """As much as everybody can (REV-394)."""

    amount_by_player: tuple[int, ...]


class LoanPenaltyApplied(Fact, frozen=True):
    """What the Loan left costs (REV-395)."""

    seat: int
    pp: int


class GameWon(Fact, frozen=True):
    """*tie_break*: the criterion that decided, or empty."""

    seats: tuple[int, ...]
    net_pp: int
    tie_break: str
