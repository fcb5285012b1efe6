"""What a seat may ask for. Ids are those of the data: ``west_africa.gold``, ``explorer_conqueror``."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from events.rules.steps import Command
from events.titles.colonial.data import Track
from events.titles.colonial.parts import (
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
    """COL-25-02."""

    nation: Id


class ProgramCards(Command, frozen=True):
    """COL-04-03: exactly five cards from the hand, in order."""

    sealed: ClassVar[bool] = True
    row: Annotated[tuple[Id, ...], msgspec.Meta(max_length=9)]


class ForfeitRound(Command, frozen=True):
    """COL-04-09."""


class EndRound(Command, frozen=True):
    """COL-04-12."""


class RepayLoan(Command, frozen=True):
    """COL-16-03."""

    loan_id: Annotated[int, msgspec.Meta(ge=0, le=99_999)]
    amount: Amount


class TransferTreasury(Command, frozen=True):
    """COL-12-01."""

    to: SeatNumber
    amount: Amount


class PlayAmbassador(Command, frozen=True):
    """COL-13-01, COL-13-02."""

    move: SeatNumber | None = None
    remove_unrest_from: Id | None = None


class PlayConqueror(Command, frozen=True):
    """COL-14-01 to COL-14-10; *plantation* lists the victims, empty: option not used."""

    territory: Id
    method: Literal["normal", "extremadura"] = "normal"
    company: Company | None = None
    pillage: bool = False
    repression: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    plantation: Annotated[tuple[SeatNumber, ...], msgspec.Meta(max_length=9)] = ()


class PlayExplorer(Command, frozen=True):
    """COL-15-01; without *territory* only a circumnavigation (COL-11-08)."""

    territory: Id | None = None


class RollAgainForAustralia(Command, frozen=True):
    """COL-11-09."""

    roll: bool


class SettleExploredTerritory(Command, frozen=True):
    """COL-15-07."""

    option: Literal["none", "trading_post", "adventurers"]
    space: Id | None = None


class AttemptCircumnavigation(Command, frozen=True):
    """COL-11-05."""

    attempt: bool


class PlayFinancier(Command, frozen=True):
    """COL-16-01."""

    amount: Amount


class PlayGovernor(Command, frozen=True):
    """COL-17-02 to COL-17-04; *city_bonus* means something only under COL-25-14."""

    territory: Id
    payment: Amount
    city_bonus: bool = True


class PlayMerchant(Command, frozen=True):
    """COL-18-01; the order is required when the Booming City's Goods come first (COL-18-07)."""

    booming_city_order: Annotated[tuple[Id, ...], msgspec.Meta(max_length=9)] = ()


Spaces = Annotated[tuple[Id, ...], msgspec.Meta(min_length=1, max_length=40)]


class ShipGoods(Command, frozen=True):
    """COL-18-02: own spaces are shipped at once, the owners of others are asked."""

    spaces: Spaces


class AnswerShipment(Command, frozen=True):
    """COL-18-05: the spaces granted; the rest of those asked for is refused."""

    accept: Annotated[tuple[Id, ...], msgspec.Meta(max_length=40)] = ()


class WithdrawRequests(Command, frozen=True):
    """Open requests count as refused."""


class FinishAction(Command, frozen=True):
    """COL-18-06, COL-23-05."""


class PlayMissionary(Command, frozen=True):
    """COL-19-01, COL-19-02."""

    territory: Id
    mode: Literal["flip", "place"]


class PlayRebel(Command, frozen=True):
    """COL-20-01."""

    mode: Literal["rebellion", "unrest", "discard_mission"]
    territory: Id


class ChooseRebellionCasualties(Command, frozen=True):
    """COL-20-04, COL-20-05."""

    casualties: Annotated[tuple[Victim, ...], msgspec.Meta(max_length=500)]


class PlayScientist(Command, frozen=True):
    """COL-21-01."""

    track: Track


class PlaySovereign(Command, frozen=True):
    """COL-22-01; mode ``diplomacy`` is France's (COL-25-20)."""

    mode: Literal["war", "diplomacy"] = "war"
    target: SeatNumber | None = None


class ChooseWarCasualties(Command, frozen=True):
    """COL-22-06: hidden until both sides have chosen."""

    sealed: ClassVar[bool] = True
    casualties: Annotated[tuple[Target, ...], msgspec.Meta(max_length=9)]


class RerollSeaDice(Command, frozen=True):
    """COL-25-18."""

    reroll: bool


class DecideSurrender(Command, frozen=True):
    """COL-22-14."""

    surrender: bool


class FightYear(Command, frozen=True):
    """The house fights on until a belligerent has something to decide."""

    house: ClassVar[bool] = True


Wanted = Annotated[tuple[GoodsWanted, ...], msgspec.Meta(max_length=9)]


class PlayTrader(Command, frozen=True):
    """COL-23-01."""

    own: AmountOrNone = 0
    requests: Wanted = ()


class MoveGoods(Command, frozen=True):
    """COL-23-01, later in the same play."""

    own: AmountOrNone = 0
    requests: Wanted = ()


class AnswerGoodsRequest(Command, frozen=True):
    """COL-23-04: how many of the Goods asked for may go."""

    amount: AmountOrNone


class PlayViceroy(Command, frozen=True):
    """COL-24-01: the spaces in the order of placement, repeats allowed."""

    territory: Id
    placements: Annotated[tuple[Id, ...], msgspec.Meta(min_length=1, max_length=9)]


class BuyMerchantFleets(Command, frozen=True):
    """COL-04-15."""

    amount: AmountOrNone


class BuySquadrons(Command, frozen=True):
    """COL-04-19."""

    amount: AmountOrNone


class DecideFlamboyance(Command, frozen=True):
    """COL-25-24."""

    choice: Literal["pay", "lose_prestige"]
