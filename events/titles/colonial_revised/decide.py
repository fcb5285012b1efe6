"""Commands: who may give them now, and which step carries them out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.chance import Chance
from events.fact import type_name
from events.steps import ALREADY_ANSWERED, GAME_NOT_RUNNING, NOT_YOUR_DECISION, Command, Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.awaited import awaited
from events.titles.colonial_revised.evolve import FOLD
from events.titles.colonial_revised.state import RUNNING, State
from events.titles.colonial_revised.steps import (
    alliances,
    ambassador,
    cards,
    choosing_cards,
    conqueror,
    escalation,
    explorer,
    financier,
    governor,
    merchant,
    merchant_fleets,
    missionary,
    naval_forces,
    passing,
    privateering,
    rebel,
    rebellion,
    scientist,
    sovereign,
    trader,
    viceroy,
    war,
)
from events.titles.colonial_revised.steps.course import carry_on

Handler = Callable[[Draft[State], Any, Any, Chance], None]

HANDLERS: dict[type[Command], Handler] = {
    c.PassCard: passing.pass_card,
    c.UseAmbassador: ambassador.use_ambassador,
    c.FoundColony: conqueror.found_colony,
    c.Explore: explorer.explore,
    c.BuyExploration: explorer.buy_exploration,
    c.SettleExploration: explorer.settle_exploration,
    c.TakeLoan: financier.take_loan,
    c.FoundCity: governor.found_city,
    c.PlaceMission: missionary.place_mission,
    c.ShipGoods: merchant.ship_goods,
    c.AnswerGoodsRequest: merchant.answer_goods_request,
    c.ConfirmShipment: merchant.confirm_shipment,
    c.AttackMerchant: merchant.attack_merchant,
    c.AdvanceProgress: scientist.advance_progress,
    c.SellGoods: trader.sell_goods,
    c.AnswerTradeRequest: trader.answer_trade_request,
    c.ConfirmTrade: trader.confirm_trade,
    c.SendCounters: viceroy.send_counters,
    c.RecallCounters: viceroy.recall_counters,
    c.PlaceUnrest: rebel.place_unrest,
    c.SparkRebellion: rebel.spark_rebellion,
    c.AllotLosses: rebellion.allot_losses,
    c.AvertLosses: rebellion.avert_losses,
    c.EnterAfterRebellion: rebellion.enter_after_rebellion,
    c.DeclareWar: sovereign.declare_war,
    c.FightPrivateers: sovereign.fight_privateers,
    c.OfferAlliance: alliances.offer_alliance,
    c.ChooseAlliance: alliances.choose_alliance,
    c.AcceptAlly: alliances.accept_ally,
    c.FightYear: war.fight_year,
    c.SendExpedition: war.send_expedition,
    c.DecideWar: war.decide_war,
    c.BuyNavyStep: escalation.buy_navy_step,
    c.BuyEscalationSquadrons: escalation.buy_escalation_squadrons,
    c.TakeEmergencyLoan: escalation.take_emergency_loan,
    c.BuildMerchantFleets: merchant_fleets.build_merchant_fleets,
    c.BuildSquadrons: naval_forces.build_squadrons,
    c.CommissionPrivateers: privateering.commission_privateers,
    c.SetAsideCard: choosing_cards.set_aside_card,
    c.RepayLoan: financier.repay_loan,
}

CHARACTERS: dict[type[Command], str] = {
    c.UseAmbassador: "ambassador",
    c.FoundColony: "conqueror",
    c.Explore: "explorer",
    c.TakeLoan: "financier",
    c.FoundCity: "governor",
    c.PlaceMission: "missionary",
    c.ShipGoods: "merchant",
    c.AdvanceProgress: "scientist",
    c.SellGoods: "trader",
    c.SendCounters: "viceroy",
    c.RecallCounters: "viceroy",
    c.PlaceUnrest: "rebel",
    c.SparkRebellion: "rebel",
    c.DeclareWar: "sovereign",
    c.FightPrivateers: "sovereign",
}
"""Whose card a command plays (REV-025)."""


def decide(state: State, seat: int | None, command: Command, chance: Chance) -> Draft[State]:
    """The facts of a command, all automatic consequences included; or :class:`Rejected`."""
    if state.status != RUNNING:
        raise Rejected(GAME_NOT_RUNNING, "The game has ended.")
    check_awaited(state, seat, command)
    card = card_of(command)
    if card is not None and seat is not None:
        cards.check_available(state, seat, card)
    draft: Draft[State] = Draft(state, FOLD)
    HANDLERS[type(command)](draft, seat, command, chance)
    carry_on(draft, chance)
    return draft


def card_of(command: Command) -> str | None:
    """The card that a command plays, if any."""
    if isinstance(command, c.PassCard):
        return command.card_id
    character = CHARACTERS.get(type(command))
    return None if character is None else cards.CARD_OF[character]


def check_awaited(state: State, seat: int | None, command: Command) -> None:
    """Something of this kind is awaited from this seat now; a Loan may be repaid at any time (REV-176)."""
    if isinstance(command, c.RepayLoan):
        if seat is None or not 0 <= seat < state.seats:
            raise Rejected(NOT_YOUR_DECISION, "Only a player repays his Loan.")
        return
    word = type_name(type(command))
    if any(decision.seat == seat and word in decision.commands for decision in awaited(state)):
        return
    if isinstance(command, c.TakeEmergencyLoan) and _emergency_used(state, seat):
        raise Rejected("emergency_loan_used", "You have taken the Emergency Loan of this Escalation already.")
    if seat is not None and has_answered(state, seat, command):
        raise Rejected(ALREADY_ANSWERED, "You have answered already; wait for the others.")
    raise Rejected(NOT_YOUR_DECISION, "The game does not wait for this from you now; see the open decisions.")


def _emergency_used(state: State, seat: int | None) -> bool:
    held = state.escalation
    return held is not None and held.queue[:1] == (seat,) and seat in held.loans_used


def has_answered(state: State, seat: int, command: Command) -> bool:
    """Whether the seat has given this sealed answer while others are still awaited."""
    if isinstance(command, c.ChooseAlliance):
        return bool(state.war and state.war.step == "choice" and state.war.choices[seat])
    if isinstance(command, c.SetAsideCard):
        return state.phase == "choosing_cards" and state.players[seat].set_aside_choice is not None
    if isinstance(command, c.AnswerGoodsRequest):
        goods = state.shipment
        return bool(goods and goods.step == "answer" and goods.answers[seat] is not None)
    if isinstance(command, c.AnswerTradeRequest):
        trade = state.trade
        return bool(trade and trade.step == "answer" and trade.answers[seat] is not None)
    return False
