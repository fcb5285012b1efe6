"""What the game waits for, what seats may do freely, and what an absent player does (RUL-60)."""

from __future__ import annotations

from events.steps import Command, Decision
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.awaited import awaited
from events.titles.colonial_revised.data import CARDS, MANDATORY, SPACE, TERRITORIES, TERRITORY
from events.titles.colonial_revised.derived import vulnerable_in
from events.titles.colonial_revised.state import RUNNING, State, sure
from events.titles.colonial_revised.steps.cards import available
from events.titles.colonial_revised.steps.choosing_cards import played
from events.titles.colonial_revised.steps.merchant import granted, owed
from events.titles.colonial_revised.steps.passing import may_pass
from events.titles.colonial_revised.steps.rebel import can_spark, unrest_targets
from events.titles.colonial_revised.steps.rebellion import share
from events.titles.colonial_revised.steps.sovereign import can_fight_privateers, war_targets


def may_repay(state: State, seat: int) -> bool:
    """Whether the seat has a Loan and something to repay it with (REV-176)."""
    player = state.players[seat]
    return state.status == RUNNING and player.loans > 0 and player.spendable > 0


def decisions(state: State) -> tuple[Decision, ...]:
    """Awaited decisions first, then who may repay a Loan."""
    free = tuple(
        Decision(seat, "repay_loan", ("repay_loan",), free=True)
        for seat in range(state.seats)
        if may_repay(state, seat)
    )
    return (*awaited(state), *free)


def default(state: State, decision: Decision) -> Command:
    """The command for an absent player; for the house, fighting the year of war."""
    kind, seat = decision.kind, decision.seat
    if seat is None:
        return c.FightYear()
    if kind in _PLAIN:
        return _PLAIN[kind]
    return _DEPENDING[kind](state, seat)


_PLAIN: dict[str, Command] = {
    "buy_exploration": c.BuyExploration(pay=False),
    "settle_exploration": c.SettleExploration(),
    "answer_goods_request": c.AnswerGoodsRequest(accepted=()),
    "answer_trade_request": c.AnswerTradeRequest(accepted=0),
    "confirm_trade": c.ConfirmTrade(goods=()),
    "avert_losses": c.AvertLosses(saved=()),
    "enter_after_rebellion": c.EnterAfterRebellion(),
    "offer_alliance": c.OfferAlliance(amount=0),
    "choose_alliance": c.ChooseAlliance(side="none"),
    "accept_ally": c.AcceptAlly(),
    "send_expedition": c.SendExpedition(),
    "decide_war": c.DecideWar(go_on=True),
    "buy_navy_step": c.BuyNavyStep(buy=False),
    "buy_escalation_squadrons": c.BuyEscalationSquadrons(count=0),
    "build_merchant_fleets": c.BuildMerchantFleets(count=0),
    "build_squadrons": c.BuildSquadrons(count=0),
    "commission_privateers": c.CommissionPrivateers(placements=()),
    "repay_loan": c.RepayLoan(amount=1),
}


def _card(state: State, seat: int) -> Command:
    """Pass, if possible not the Sovereign/Rebel; else that card's cheapest legal use."""
    cards = available(state, seat)
    for card in cards:
        if card != MANDATORY:
            return c.PassCard(card_id=card)  # type: ignore[arg-type]
    if may_pass(state, seat, MANDATORY):
        return c.PassCard(card_id=MANDATORY)  # type: ignore[arg-type]
    targets = unrest_targets(state)
    if targets:
        return c.PlaceUnrest(territories=tuple(TERRITORIES[t].id for t in targets[:2]))
    return _fight(state, seat)


def _fight(state: State, seat: int) -> Command:
    """War on the target with the fewest Squadrons, else the Privateers, else a Rebellion."""
    foes = war_targets(state, seat)
    if foes:
        weakest = min(foes, key=lambda foe: (state.players[foe].squadrons, state.order.index(foe)))
        return c.DeclareWar(target=weakest)
    if can_fight_privateers(state, seat):
        return c.FightPrivateers()
    first = next(t for t in range(len(TERRITORIES)) if can_spark(state, seat, t))
    return c.SparkRebellion(territory=TERRITORIES[first].id)


def _confirm_shipment(state: State, seat: int) -> Command:
    """Own Goods, and the Goods owed to the Booming City (REV-210)."""
    deal = sure(state.shipment)
    due = owed(deal, state.players[seat].merchant_fleets)
    names = sorted((name for name in granted(deal) if name in deal.booming_spaces), key=SPACE.__getitem__)
    return c.ConfirmShipment(foreign_spaces=tuple(names[:due]))


def _attack(state: State, seat: int) -> Command:
    return c.AttackMerchant(privateers=state.players[seat].privateers[sure(state.action).seat])


def default_allotment(state: State, seat: int) -> c.AllotLosses:
    """The automatic ranking without the Rebel's player, he last (REV-286, REV-268)."""
    rebellion = sure(state.rebellion)
    territory = TERRITORY[rebellion.territory]
    held = {other: vulnerable_in(state, territory, other) for other in state.order}
    late = {other: place for place, other in enumerate(state.order)}
    rank = sorted((s for s in held if held[s] and s != seat), key=lambda s: (-held[s], -late[s]))
    others = min(rebellion.losses, sum(held[s] for s in rank))
    losses = share(state, territory, rank, others) + share(
        state, territory, [seat], rebellion.losses - others
    )
    return c.AllotLosses(losses=losses)


def _set_aside(state: State, seat: int) -> Command:
    mine = played(state, seat)
    first = MANDATORY if MANDATORY in mine else next(card for card in CARDS if card in mine)
    return c.SetAsideCard(card_id=first)  # type: ignore[arg-type]


_DEPENDING = {
    "play_card": _card,
    "confirm_shipment": _confirm_shipment,
    "attack_merchant": _attack,
    "allot_losses": default_allotment,
    "set_aside_card": _set_aside,
}
