"""Whom the game waits for: a function of the state alone, so that nobody is asked who has no choice."""

from __future__ import annotations

from events.fact import type_name
from events.steps import Decision
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.data import TERRITORY
from events.titles.colonial_revised.derived import expedition_right
from events.titles.colonial_revised.state import ATTACKER, RUNNING, State, War, sure
from events.titles.colonial_revised.steps import (
    alliances,
    escalation,
    explorer,
    merchant,
    rebellion,
    trader,
    war,
)
from events.titles.colonial_revised.steps.cards import available
from events.titles.colonial_revised.steps.choosing_cards import waiting
from events.titles.colonial_revised.steps.merchant_fleets import can_build
from events.titles.colonial_revised.steps.naval_forces import maintenance_due
from events.titles.colonial_revised.steps.privateering import can_commission

Waits = tuple[Decision, ...]

CARD_COMMANDS = (
    c.Explore,
    c.FoundColony,
    c.SendCounters,
    c.RecallCounters,
    c.UseAmbassador,
    c.PlaceUnrest,
    c.SparkRebellion,
    c.DeclareWar,
    c.FightPrivateers,
    c.ShipGoods,
    c.FoundCity,
    c.SellGoods,
    c.TakeLoan,
    c.AdvanceProgress,
    c.PlaceMission,
    c.PassCard,
)
"""The commands that play a card."""
PLAY_CARD = tuple(type_name(kind) for kind in CARD_COMMANDS)


def one(seat: int | None, kind: str, *commands: str) -> Waits:
    """One decision; by default the command has its name."""
    return (Decision(seat, kind, commands or (kind,)),)


def awaited(state: State) -> Waits:
    """The decisions without which the game does not go on."""
    if state.status != RUNNING:
        return ()
    if state.action is None:
        return _PHASES[state.phase](state)
    if state.rebellion:
        return _rebellion(state)
    if state.unrest_left:
        return ()
    if state.exploration:
        return _exploration(state)
    if state.shipment:
        return _shipment(state)
    if state.trade:
        return _trade(state)
    if state.war:
        return _war(state, state.war)
    return _escalation(state)


def _rebellion(state: State) -> Waits:
    rebel = sure(state.rebellion)
    if rebel.step == "allot" and rebel.kind != "automatic":
        return one(rebel.seat, "allot_losses")
    if rebel.step == "avert":
        return tuple(
            Decision(seat, "avert_losses", ("avert_losses",))
            for seat in rebel.awaiting
            if rebellion.can_avert(state, seat)
        )
    if rebel.step == "entry" and rebellion.can_enter(state, rebel):
        return one(rebel.seat, "enter_after_rebellion")
    return ()


def _exploration(state: State) -> Waits:
    seat, held = sure(state.action).seat, sure(state.exploration)
    if held.step == "buy":
        offered = explorer.purchase_offered(state, seat, held)
        return one(seat, "buy_exploration") if offered else ()
    place = TERRITORY[held.territory]
    return one(seat, "settle_exploration") if explorer.can_settle(state, seat, place) else ()


def _shipment(state: State) -> Waits:
    deal = sure(state.shipment)
    if deal.step == "answer":
        return tuple(Decision(s, "answer_goods_request", ("answer_goods_request",)) for s in deal.awaiting)
    if deal.step == "confirm":
        return one(sure(state.action).seat, "confirm_shipment") if merchant.granted(deal) else ()
    owner = deal.awaiting[0] if deal.awaiting else None
    if owner is None or not merchant.can_attack(state, deal, owner, sure(state.action).seat):
        return ()
    return one(owner, "attack_merchant")


def _trade(state: State) -> Waits:
    deal = sure(state.trade)
    if deal.step == "answer":
        return tuple(Decision(s, "answer_trade_request", ("answer_trade_request",)) for s in deal.awaiting)
    return one(sure(state.action).seat, "confirm_trade") if trader.granted(deal) else ()


def _war(state: State, the_war: War) -> Waits:
    step, side = the_war.step, alliances.side_now(the_war)
    principal = alliances.principal(the_war, side)
    if step.startswith("offer"):
        return one(principal, "offer_alliance") if state.players[principal].spendable > 0 else ()
    if step == "choice":
        return tuple(Decision(s, "choose_alliance", ("choose_alliance",)) for s in the_war.awaiting)
    if step.startswith("pick"):
        return one(principal, "accept_ally") if alliances.volunteers(the_war) else ()
    if step == "fight":
        return one(None, "war_year", "fight_year")
    if step == "expedition":
        seat = expedition_right(state)
        ready = seat is not None and war.can_send_expedition(state, seat)
        return one(seat, "send_expedition") if ready else ()
    deciders = {
        "attacker_ally": the_war.attacker_ally,
        ATTACKER: the_war.attacker,
        "defender_ally": the_war.defender_ally,
        "defender": the_war.defender,
    }
    return one(deciders[step], "decide_war") if step in deciders else ()


def _escalation(state: State) -> Waits:
    held = state.escalation
    if held is None or not held.queue:
        return ()
    seat = held.queue[0]
    if not escalation.can_buy(state, held, seat):
        return ()
    word = "buy_navy_step" if held.part == "A" else "buy_escalation_squadrons"
    loan = () if seat in held.loans_used else ("take_emergency_loan",)
    return one(seat, word, word, *loan)


def _turn_of(state: State) -> int | None:
    return state.order[state.place] if state.place < state.seats else None


def _endeavour(state: State) -> Waits:
    seat = _turn_of(state)
    return one(seat, "play_card", *PLAY_CARD) if seat is not None and available(state, seat) else ()


def _merchant_fleets(state: State) -> Waits:
    seat = _turn_of(state)
    return one(seat, "build_merchant_fleets") if seat is not None and can_build(state, seat) else ()


def _naval_forces(state: State) -> Waits:
    seat = _turn_of(state)
    if seat is None or maintenance_due(state, seat) or state.players[seat].spendable <= 0:
        return ()
    return one(seat, "build_squadrons")


def _privateering(state: State) -> Waits:
    seat = _turn_of(state)
    return one(seat, "commission_privateers") if seat is not None and can_commission(state, seat) else ()


def _choosing_cards(state: State) -> Waits:
    return tuple(Decision(seat, "set_aside_card", ("set_aside_card",)) for seat in waiting(state))


def _nobody(state: State) -> Waits:
    return ()


_PHASES = {
    "endeavour": _endeavour,
    "merchant_fleets": _merchant_fleets,
    "first_player": _nobody,
    "naval_forces": _naval_forces,
    "privateering": _privateering,
    "interest": _nobody,
    "choosing_cards": _choosing_cards,
    "end_of_turn": _nobody,
}
