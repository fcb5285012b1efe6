"""What a player reads on the button of a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from events.kit.words import counted, listed
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.data import CONSTANTS, TERRITORY
from events.titles.colonial_revised.derived import counters
from events.titles.colonial_revised.parts import SpaceCount
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.escalation import squadron_price
from events.titles.colonial_revised.steps.explorer import target_number
from events.titles.colonial_revised.steps.rebel import price
from events.titles.colonial_revised.steps.scientist import next_step
from events.titles.colonial_revised.words import seat_name

Labeller = Callable[[State, int, Any], str]


def label(state: State, seat: int, command: Any) -> str:
    """Short, in the rulebook's words."""
    return _LABELS[type(command)](state, seat, command)


def _on(placements: tuple[SpaceCount, ...]) -> str:
    return w.placements(msgspec.to_builtins(placements))


def _known(name: str) -> int | None:
    return TERRITORY.get(name)


def _explore(s: State, seat: int, command: c.Explore) -> str:
    number = _known(command.territory)
    need = "" if number is None else f" ({max(1, target_number(s, seat, number))}+ needed)"
    return f"Explorer: {w.territory(command.territory)}{need}"


def _settle(s: State, seat: int, command: c.SettleExploration) -> str:
    parts = []
    if command.trading_post is not None:
        parts.append(f"Trading post on {w.short_space(command.trading_post)}")
    if command.adventurers:
        parts.append(f"Adventurers {_on(command.adventurers)}")
    return listed(parts, "Place nothing")


def _buy(s: State, seat: int, command: c.BuyExploration) -> str:
    price_now = s.exploration.price if s.exploration else None
    return f"Pay {price_now} T and succeed" if command.pay else "Do not pay: the exploration fails"


def _ambassador(s: State, seat: int, command: c.UseAmbassador) -> str:
    parts = ["move right on Diplomacy"] if command.move_marker else []
    if command.remove_unrest_in is not None:
        parts.append(f"remove 1 Unrest in {w.territory(command.remove_unrest_in)}")
    return f"Ambassador: {listed(parts)}"


def _found_colony(s: State, seat: int, command: c.FoundColony) -> str:
    given = f", giving up {_on(command.removals)}" if command.removals else ""
    return f"Conqueror: Colony in {w.territory(command.territory)}{given}"


def _ship(s: State, seat: int, command: c.ShipGoods) -> str:
    asked = f", ask for {counted(len(command.requests), 'foreign Good')}" if command.requests else ""
    slaves = ", Slaves included" if command.ship_slaves else ""
    quiet = "" if command.counterattack else ", no counter-attack"
    return f"Merchant: ship {counted(len(command.own_spaces), 'own Good')}{asked}{slaves}{quiet}"


def _sell(s: State, seat: int, command: c.SellGoods) -> str:
    asked = listed((f"{e.count} of {seat_name(e.seat)}" for e in command.requests), "")
    return f"Trader: move {counted(command.own, 'own Good')}" + (f", ask for {asked}" if asked else "")


def _confirm_trade(s: State, seat: int, command: c.ConfirmTrade) -> str:
    return "Move " + listed((f"{e.count} of {seat_name(e.seat)}" for e in command.goods), "only own Goods")


def _spark(s: State, seat: int, command: c.SparkRebellion) -> str:
    number = _known(command.territory)
    cost = 0 if number is None else price(s, seat, number)
    mine = "" if number is None or not counters(s, seat, number) else ", your counters are there"
    return f"Rebel: Rebellion in {w.territory(command.territory)}" + (f" for {cost} T" if cost else "") + mine


def _allot(s: State, seat: int, command: c.AllotLosses) -> str:
    parts = (f"{e.count} of {seat_name(e.seat)} on {w.short_space(e.space)}" for e in command.losses)
    return f"Losses: {listed(parts)}"


def _avert(s: State, seat: int, command: c.AvertLosses) -> str:
    cost = CONSTANTS.avert_cost * sum(entry.count for entry in command.saved)
    return f"Pay {cost} T to save {_on(command.saved)}" if command.saved else "Save nothing"


def _expedition(s: State, seat: int, command: c.SendExpedition) -> str:
    if command.territory is None:
        return "No military expedition"
    return f"Expedition to {w.territory(command.territory)}: {_on(command.placements)}"


def _decide_war(s: State, seat: int, command: c.DecideWar) -> str:
    if command.go_on:
        return "Go on with the war"
    ally = s.war is not None and seat in {s.war.attacker_ally, s.war.defender_ally}
    return "Give up and leave the war" if ally else "Surrender"


def _navy(s: State, seat: int, command: c.BuyNavyStep) -> str:
    return f"Buy a Navy step for {next_step(s.players[seat], 'navy')} T" if command.buy else "No Navy step"


def _squadrons(s: State, seat: int, command: c.BuyEscalationSquadrons) -> str:
    held = s.escalation
    belligerent = held is not None and seat in held.belligerents
    cost = squadron_price(s.players[seat].squadrons, command.count, belligerent=belligerent)
    return f"Buy {counted(command.count, 'Squadron')} for {cost} T" if command.count else "No Squadrons"


def _privateers(s: State, seat: int, command: c.CommissionPrivateers) -> str:
    parts = (f"{e.count} against {seat_name(e.victim)}" for e in command.placements)
    return f"Privateers: {listed(parts, 'none')}"


def _fight_privateers(s: State, seat: int, command: c.FightPrivateers) -> str:
    order = listed((seat_name(owner) for owner in command.sink_order), "")
    return "Sovereign: fight the Privateers in your box" + (f" (sink {order})" if order else "")


def _advance(s: State, seat: int, command: c.AdvanceProgress) -> str:
    value = next_step(s.players[seat], command.track)
    return f"Scientist: {w.TRACK_NAMES[command.track]} to {value} for {value} T"


def _choice(s: State, seat: int, command: c.ChooseAlliance) -> str:
    words = {"attacker": "Help the Attacker", "defender": "Help the Defender", "none": "Stay out"}
    return words[command.side]


def _enter(s: State, seat: int, command: c.EnterAfterRebellion) -> str:
    return "Stay out" if command.space is None else f"Enter with 1 T: {w.space(command.space)}"


def _accept(s: State, seat: int, command: c.AcceptAlly) -> str:
    return "Accept no Ally" if command.ally is None else f"Accept {seat_name(command.ally)} as your Ally"


def _found_city(s: State, seat: int, command: c.FoundCity) -> str:
    return f"Governor: Booming City {command.value} in {w.territory(command.territory)}"


def _send(s: State, seat: int, command: c.SendCounters) -> str:
    return f"Viceroy: send to {w.territory(command.territory)}: {_on(command.placements)}"


def _recall(s: State, seat: int, command: c.RecallCounters) -> str:
    taken = w.per_space(msgspec.to_builtins(command.removals))
    return f"Viceroy: take back from {w.territory(command.territory)}: {taken}"


def _unrest(s: State, seat: int, command: c.PlaceUnrest) -> str:
    return f"Rebel: Unrest in {listed(w.territory(name) for name in command.territories)}"


_LABELS: dict[type[Any], Labeller] = {
    c.PassCard: lambda _s, _seat, x: f"Pass {w.card(x.card_id)}",
    c.UseAmbassador: _ambassador,
    c.FoundColony: _found_colony,
    c.Explore: _explore,
    c.BuyExploration: _buy,
    c.SettleExploration: _settle,
    c.TakeLoan: lambda _s, _seat, _x: f"Financier: take a Loan of {CONSTANTS.loan_amount}",
    c.FoundCity: _found_city,
    c.PlaceMission: lambda _s, _seat, x: f"Missionary: Mission in {w.territory(x.territory)}",
    c.ShipGoods: _ship,
    c.AnswerGoodsRequest: lambda _s, _seat, x: f"Grant {w.spaces(x.accepted)}",
    c.ConfirmShipment: lambda _s, _seat, x: (
        f"Ship {listed(map(w.space, x.foreign_spaces), 'only own Goods')}"
    ),
    c.AttackMerchant: lambda _s, _seat, x: f"Attack with {counted(x.privateers, 'Privateer')}",
    c.AdvanceProgress: _advance,
    c.SellGoods: _sell,
    c.AnswerTradeRequest: lambda _s, _seat, x: f"Let {counted(x.accepted, 'Good')} be moved",
    c.ConfirmTrade: _confirm_trade,
    c.SendCounters: _send,
    c.RecallCounters: _recall,
    c.PlaceUnrest: _unrest,
    c.SparkRebellion: _spark,
    c.AllotLosses: _allot,
    c.AvertLosses: _avert,
    c.EnterAfterRebellion: _enter,
    c.DeclareWar: lambda _s, _seat, x: f"Sovereign: declare war on {seat_name(x.target)}",
    c.FightPrivateers: _fight_privateers,
    c.OfferAlliance: lambda _s, _seat, x: f"Offer {x.amount} T to an Ally",
    c.ChooseAlliance: _choice,
    c.AcceptAlly: _accept,
    c.FightYear: lambda _s, _seat, _x: "Fight the year of war",
    c.SendExpedition: _expedition,
    c.DecideWar: _decide_war,
    c.BuyNavyStep: _navy,
    c.BuyEscalationSquadrons: _squadrons,
    c.TakeEmergencyLoan: lambda _s, _seat, _x: (
        f"Emergency Loan: {CONSTANTS.emergency_loan} into Loans for {CONSTANTS.emergency_treasury} T"
    ),
    c.BuildMerchantFleets: lambda _s, _seat, x: f"Build {counted(x.count, 'Merchant Fleet')}",
    c.BuildSquadrons: lambda _s, _seat, x: f"Build {counted(x.count, 'Squadron')}",
    c.CommissionPrivateers: _privateers,
    c.SetAsideCard: lambda _s, _seat, x: f"Set aside {w.card(x.card_id)}",
    c.RepayLoan: lambda _s, _seat, x: f"Repay {x.amount} of your Loan",
}
