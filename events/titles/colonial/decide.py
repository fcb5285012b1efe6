"""The dispatch: which step answers which command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from events.chance import Chance
from events.fact import Seat
from events.steps import GAME_NOT_RUNNING, NOT_YOUR_DECISION, UNKNOWN_COMMAND, Command, GameOver, Rejected
from events.titles.colonial import commands as c
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import State
from events.titles.colonial.steps import consent, guards, nations, rounds, turn, war
from events.titles.colonial.steps.characters import (
    ambassador,
    conqueror,
    explorer,
    financier,
    governor,
    merchant,
    missionary,
    rebel,
    scientist,
    sovereign,
    trader,
    viceroy,
)

STEPS: Mapping[type[Command], Callable[[Draft, Any, Any], None]] = {
    c.ChooseNation: nations.choose_nation,
    c.ProgramCards: rounds.program_cards,
    c.PlayExplorer: explorer.play,
    c.RollAgainForAustralia: explorer.roll_again_for_australia,
    c.SettleExploredTerritory: explorer.settle_explored_territory,
    c.AttemptCircumnavigation: explorer.attempt_circumnavigation,
    c.PlayConqueror: conqueror.play,
    c.PlayViceroy: viceroy.play,
    c.PlayAmbassador: ambassador.play,
    c.PlaySovereign: sovereign.play,
    c.PlayRebel: rebel.play,
    c.ChooseRebellionCasualties: rebel.choose_rebellion_casualties,
    c.PlayMerchant: merchant.play,
    c.ShipGoods: merchant.ship_goods,
    c.AnswerShipment: merchant.answer_shipment,
    c.PlayGovernor: governor.play,
    c.PlayTrader: trader.play,
    c.MoveGoods: trader.move_goods,
    c.AnswerGoodsRequest: trader.answer_goods_request,
    c.WithdrawRequests: consent.withdraw_requests,
    c.FinishAction: consent.finish_action,
    c.PlayFinancier: financier.play,
    c.PlayScientist: scientist.play,
    c.PlayMissionary: missionary.play,
    c.ChooseWarCasualties: war.choose_war_casualties,
    c.RerollSeaDice: war.reroll_sea_dice,
    c.DecideSurrender: war.decide_surrender,
    c.FightYear: war.fight_year,
    c.RepayLoan: rounds.repay_loan,
    c.EndRound: rounds.end_round,
    c.ForfeitRound: rounds.forfeit_round,
    c.BuyMerchantFleets: turn.buy_merchant_fleets,
    c.BuySquadrons: turn.buy_squadrons,
    c.DecideFlamboyance: turn.decide_flamboyance,
    c.TransferTreasury: rounds.transfer_treasury,
}


def decide(state: State, seat: Seat | None, command: Command, chance: Chance) -> Draft:
    """The facts of a command; raises Rejected. Order: game, seat, decision, the rest of each step."""
    step = STEPS.get(type(command))
    if step is None:
        raise Rejected(UNKNOWN_COMMAND, "This title knows no such command.")
    if state.status != "running":
        raise Rejected(GAME_NOT_RUNNING, "The game has ended.")
    if command.house != (seat is None):
        raise Rejected(NOT_YOUR_DECISION, "The house fights the years of war; the players do all else.")
    if seat is not None:
        guards.player_known(state, seat)
    draft = Draft(state, chance)
    with suppress(GameOver):
        step(draft, seat, command)
    return draft
