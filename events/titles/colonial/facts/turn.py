"""Set-up, programming, rounds and phases."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from events.fact import Fact
from events.titles.colonial.data import StartOf
from events.titles.colonial.options import Variant


class GameBegan(Fact, frozen=True):
    """COL-03-03 to COL-03-05."""

    seats: int
    colours: tuple[str, ...]
    variant: Variant


class FirstPlayerDrawn(Fact, frozen=True):
    """COL-03-06."""

    seat: int


class NationChosen(Fact, frozen=True):
    """COL-25-02. *start* overrides starting holdings (empty in the present data)."""

    seat: int
    nation: str
    start: dict[StartOf, int]


class ExtraCardTaken(Fact, frozen=True):
    """COL-25-04."""

    seat: int
    card: str


class ExtraCardRemoved(Fact, frozen=True):
    """COL-25-10."""

    seat: int
    card: str


class TerritoriesExcluded(Fact, frozen=True):
    """COL-25-41, COL-25-45, COL-25-46."""

    territories: tuple[str, ...]
    america_discovered: bool
    circumnavigation_in_use: bool


class BoardPrepared(Fact, frozen=True):
    """COL-03-01, COL-03-02."""

    prestige: dict[str, int]
    discovery_box: int


class TurnBegan(Fact, frozen=True):
    """A new turn, beginning with the programming step."""

    turn: int
    first_player: int


class CardsProgrammed(Fact, frozen=True):
    """COL-04-03: others see only that the seat has submitted."""

    secrets: ClassVar = {"row": ("seat",), "set_aside": ("seat",)}
    seat: int
    row: tuple[str, ...]
    set_aside: tuple[str, ...]


class ProgrammingClosed(Fact, frozen=True):
    """All have submitted."""

    turn: int


class CardsRevealed(Fact, frozen=True):
    """COL-04-06: the cards of the round, by seat."""

    round: int
    cards: tuple[str, ...]


class RoundBegan(Fact, frozen=True):
    """A seat's turn in a round begins."""

    round: int
    seat: int


class RoundEnded(Fact, frozen=True):
    """A seat's turn in a round is over."""

    round: int
    seat: int


class RoundForfeited(Fact, frozen=True):
    """COL-04-09."""

    round: int
    seat: int


class PhaseBegan(Fact, frozen=True):
    """A seat's turn in Merchant Fleets, Naval Forces or at the end of the turn."""

    phase: Literal["merchant_fleets", "naval_forces", "end_of_turn"]
    seat: int


class PhaseSkipped(Fact, frozen=True):
    """COL-04-16."""

    phase: Literal["merchant_fleets", "naval_forces"]
    seat: int


class MerchantFleetsBought(Fact, frozen=True):
    """COL-04-15."""

    seat: int
    amount: int
    limit: int


class SquadronsBought(Fact, frozen=True):
    """COL-04-19."""

    seat: int
    amount: int
    limit: int


class FirstPlayerMoved(Fact, frozen=True):
    """COL-04-17; Monopolies by seat."""

    from_: int = msgspec.field(name="from")
    to: int
    reason: Literal["monopolies", "left"]
    monopolies: tuple[int, ...]


class LoanGrown(msgspec.Struct, frozen=True):
    """A pile after interest."""

    seat: int
    loan_id: int
    size: int


class InterestAdded(Fact, frozen=True):
    """COL-04-20: the new sizes."""

    loans: tuple[LoanGrown, ...]


class FlamboyancePaid(Fact, frozen=True):
    """COL-25-24."""

    seat: int
    amount: int


class FlamboyancePrestigeLost(Fact, frozen=True):
    """COL-25-24."""

    seat: int
    amount: int
    forced: bool


class SixPrestigeReached(Fact, frozen=True):
    """COL-25-09."""

    seat: int
    rules_ended: tuple[str, ...]


class TurnEnded(Fact, frozen=True):
    """All cards return to the hands (COL-04-13)."""

    turn: int


class TurnLimitReached(Fact, frozen=True):
    """Only with the option ``turn_limit``: seats from first to last place."""

    turn: int
    ranking: tuple[int, ...]


class GameWon(Fact, frozen=True):
    """COL-00-01."""

    seat: int
    prestige: int
