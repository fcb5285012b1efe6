"""Commands that a seat can give.

Ids are those of the data: ``west_africa.gold``, ``explorer_conqueror``.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from events.rules.steps import Command
from events.titles.colonial.kept.v1.data import Track
from events.titles.colonial.kept.v1.parts import (
    Amount,
    AmountOrNone,
    Company,
    GoodsWanted,
    Id,
    SeatNumber,
    Target,
    Victim,
)


class ChooseNation(Command, frozen=True):
    """Choose a Nation that nobody has (COL-25-02)."""

    nation: Id


class ProgramCards(Command, frozen=True):
    """Program exactly five cards from the hand, in order (COL-04-03)."""

    sealed: ClassVar[bool] = True
    row: Annotated[tuple[Id, ...], msgspec.Meta(max_length=9)]


class ForfeitRound(Command, frozen=True):
    """Forfeit the round without playing a Character (COL-04-09)."""


class EndRound(Command, frozen=True):
    """End the seat's turn in the round after a Character was played (COL-04-12)."""


class RepayLoan(Command, frozen=True):
    """Repay an amount of one Loan (COL-16-03)."""

    loan_id: Annotated[int, msgspec.Meta(ge=0, le=99_999)]
    amount: Amount


class TransferTreasury(Command, frozen=True):
    """Give Treasury to another player (COL-12-01)."""

    to: SeatNumber
    amount: Amount


class PlayAmbassador(Command, frozen=True):
    """Play the Ambassador: move a Diplomacy marker right, remove 1 Unrest, or both (COL-13-01, COL-13-02)."""

    move: SeatNumber | None = None
    remove_unrest_from: Id | None = None


class PlayConqueror(Command, frozen=True):
    """Play the Conqueror: found a Colony, with options (COL-14-01 to COL-14-10).

    *plantation* lists the victims; empty: option not used.
    """

    territory: Id
    method: Literal["normal", "extremadura"] = "normal"
    company: Company | None = None
    pillage: bool = False
    repression: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    plantation: Annotated[tuple[SeatNumber, ...], msgspec.Meta(max_length=9)] = ()


class PlayExplorer(Command, frozen=True):
    """Play the Explorer: explore *territory* (COL-15-01).

    Without *territory* it is only a circumnavigation (COL-11-08).
    """

    territory: Id | None = None


class RollAgainForAustralia(Command, frozen=True):
    """Roll again for Australia, or decline (COL-11-09)."""

    roll: bool


class SettleExploredTerritory(Command, frozen=True):
    """Settle the Territory just explored, or decline (COL-15-07)."""

    option: Literal["none", "trading_post", "adventurers"]
    space: Id | None = None


class AttemptCircumnavigation(Command, frozen=True):
    """Attempt a circumnavigation, or decline (COL-11-05)."""

    attempt: bool


class PlayFinancier(Command, frozen=True):
    """Play the Financier: take a Loan of *amount* (COL-16-01)."""

    amount: Amount


class PlayGovernor(Command, frozen=True):
    """Play the Governor: place the Booming City (COL-17-02 to COL-17-04).

    *city_bonus* means something only under COL-25-14.
    """

    territory: Id
    payment: Amount
    city_bonus: bool = True


class PlayMerchant(Command, frozen=True):
    """Play the Merchant (COL-18-01).

    The order is required when the Booming City's Goods come first (COL-18-07).
    """

    booming_city_order: Annotated[tuple[Id, ...], msgspec.Meta(max_length=9)] = ()


Spaces = Annotated[tuple[Id, ...], msgspec.Meta(min_length=1, max_length=40)]


class ShipGoods(Command, frozen=True):
    """Ship Goods: own spaces at once, the owners of others are asked (COL-18-02)."""

    spaces: Spaces


class AnswerShipment(Command, frozen=True):
    """Grant some of the spaces that a Merchant asks for; the rest is refused (COL-18-05)."""

    accept: Annotated[tuple[Id, ...], msgspec.Meta(max_length=40)] = ()


class WithdrawRequests(Command, frozen=True):
    """Withdraw the seat's open requests, which then count as refused."""


class FinishAction(Command, frozen=True):
    """Finish a Merchant or Trader play (COL-18-06, COL-23-05)."""


class PlayMissionary(Command, frozen=True):
    """Play the Missionary: flip an Unrest, or place a Mission (COL-19-01, COL-19-02)."""

    territory: Id
    mode: Literal["flip", "place"]


class PlayRebel(Command, frozen=True):
    """Play the Rebel in one of three modes (COL-20-01)."""

    mode: Literal["rebellion", "unrest", "discard_mission"]
    territory: Id


class ChooseRebellionCasualties(Command, frozen=True):
    """Choose the counters that a Rebellion removes (COL-20-04, COL-20-05)."""

    casualties: Annotated[tuple[Victim, ...], msgspec.Meta(max_length=500)]


class PlayScientist(Command, frozen=True):
    """Play the Scientist: advance on a Progress track (COL-21-01)."""

    track: Track


class PlaySovereign(Command, frozen=True):
    """Play the Sovereign: declare war (COL-22-01).

    Mode ``diplomacy`` is France's (COL-25-20).
    """

    mode: Literal["war", "diplomacy"] = "war"
    target: SeatNumber | None = None


class ChooseWarCasualties(Command, frozen=True):
    """Choose the enemy's casualties of a battle; hidden until both sides have chosen (COL-22-06)."""

    sealed: ClassVar[bool] = True
    casualties: Annotated[tuple[Target, ...], msgspec.Meta(max_length=9)]


class RerollSeaDice(Command, frozen=True):
    """Re-roll all own sea dice, or keep them (COL-25-18)."""

    reroll: bool


class DecideSurrender(Command, frozen=True):
    """Surrender, or fight on (COL-22-14)."""

    surrender: bool


class FightYear(Command, frozen=True):
    """Fight the war on until a belligerent has something to decide; only the server gives this command."""

    house: ClassVar[bool] = True


Wanted = Annotated[tuple[GoodsWanted, ...], msgspec.Meta(max_length=9)]


class PlayTrader(Command, frozen=True):
    """Play the Trader: sell own Goods, and ask others for theirs (COL-23-01)."""

    own: AmountOrNone = 0
    requests: Wanted = ()


class MoveGoods(Command, frozen=True):
    """Move further Goods in the same Trader play (COL-23-01)."""

    own: AmountOrNone = 0
    requests: Wanted = ()


class AnswerGoodsRequest(Command, frozen=True):
    """Let so many of the Goods go that a Trader asks for (COL-23-04)."""

    amount: AmountOrNone


class PlayViceroy(Command, frozen=True):
    """Play the Viceroy: place counters in a Territory (COL-24-01).

    *placements* are the spaces in the order of placement, repeats allowed.
    """

    territory: Id
    placements: Annotated[tuple[Id, ...], msgspec.Meta(min_length=1, max_length=9)]


class BuyMerchantFleets(Command, frozen=True):
    """Buy Merchant Fleets, or none (COL-04-15)."""

    amount: AmountOrNone


class BuySquadrons(Command, frozen=True):
    """Buy Squadrons, or none (COL-04-19)."""

    amount: AmountOrNone


class DecideFlamboyance(Command, frozen=True):
    """Pay Treasury equal to the Prestige for Flamboyance, or lose 1 Prestige (COL-25-24)."""

    choice: Literal["pay", "lose_prestige"]
