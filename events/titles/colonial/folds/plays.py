"""Folds of Character plays, Treasury, Loans, Merchant and Trader."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.kit.values import put
from events.steps import Fold
from events.titles.colonial import facts as f
from events.titles.colonial.folds.common import change_player, gain, resize_loan, same
from events.titles.colonial.state import (
    Action,
    Exploring,
    Loan,
    Selling,
    Shipping,
    State,
)


def _given(state: State, fact: f.TreasuryGiven) -> State:
    return gain(gain(state, fact.from_, treasury=-fact.amount), fact.to, treasury=fact.amount)


def _discarded(state: State, fact: f.TreasuryDiscarded) -> State:
    return gain(state, fact.seat, treasury=-fact.amount)


def _loan_taken(state: State, fact: f.LoanTaken) -> State:
    player = state.players[fact.seat]
    loans = (*player.loans, Loan(fact.loan_id, fact.amount))
    state = change_player(state, fact.seat, loans=loans, treasury=player.treasury + fact.amount)
    return replace(state, next_loan=fact.loan_id + 1)


def _loan_repaid(state: State, fact: f.LoanRepaid) -> State:
    state = resize_loan(state, fact.seat, fact.loan_id, fact.remaining)
    return gain(state, fact.seat, treasury=-fact.amount)


def _diplomacy(state: State, fact: f.DiplomacyMoved) -> State:
    return change_player(state, fact.seat, diplomacy=fact.to)


def _track(state: State, fact: f.TrackAdvanced) -> State:
    return change_player(state, fact.seat, **{fact.track: fact.to})


def _used(state: State, fact: f.CharacterUsed) -> State:
    player = state.players[fact.seat]
    state = change_player(state, fact.seat, used_characters=(*player.used_characters, fact.character))
    nobody = (0,) * state.seats
    action: Action | None = None
    if fact.character == "explorer":
        action = Exploring(circumnavigation=state.america_discovered)
    elif fact.character == "merchant":
        action = Shipping()
    elif fact.character == "trader":
        action = Selling(0, nobody, nobody)
    return replace(state, played=fact.character, action=action)


def _offered(state: State, fact: f.ChoiceOffered) -> State:
    war = state.war
    if war and fact.choice == "reroll":
        return replace(state, war=replace(war, step="reroll"))
    if war and fact.choice == "surrender":
        return replace(state, war=replace(war, step="surrender", deciding=fact.seat, year_open=False))
    return _exploring(state, step=fact.choice)


def _exploring(state: State, **changes: Any) -> State:
    action = state.action
    return replace(state, action=replace(action, **changes)) if isinstance(action, Exploring) else state


def _finished(state: State, fact: f.ActionFinished) -> State:
    return replace(state, action=None)


def _rolled(state: State, fact: f.ExplorationRolled) -> State:
    return _exploring(state, territory=fact.territory)


def _america(state: State, fact: f.AmericaDiscovered) -> State:
    return replace(
        gain(state, fact.seat, prestige=fact.bonus),
        america_discovered=True,
        discovery_box=state.discovery_box - fact.bonus - fact.to_circumnavigation,
        circumnavigation_box=state.circumnavigation_box + fact.to_circumnavigation,
    )


def _circumnavigated(state: State, fact: f.WorldCircumnavigated) -> State:
    state = gain(state, fact.seat, prestige=state.circumnavigation_box)
    return replace(state, circumnavigation_box=0)


def _sellers_paid(state: State, fact: f.SellersPaid) -> State:
    for seat, amount in enumerate(fact.amounts):
        if amount:
            state = gain(state, seat, treasury=amount)
    return state


def _fleet_lost(state: State, fact: f.FleetLostToPirates) -> State:
    return _shipping(gain(state, fact.seat, fleets=-1), blocked=fact.territory)


def _shipping(state: State, **changes: Any) -> State:
    action = state.action
    return replace(state, action=replace(action, **changes)) if isinstance(action, Shipping) else state


def _shipped(state: State, fact: f.GoodsShipped) -> State:
    state = gain(state, fact.shipper, market=1)
    if fact.paid_to_controller:
        state = gain(state, fact.controller, treasury=fact.paid_to_controller)
    action = state.action
    done = action.shipped if isinstance(action, Shipping) else ()
    return _shipping(state, shipped=(*done, fact.space))


def _requested(state: State, fact: f.ShipmentRequested) -> State:
    return _shipping(state, requests=fact.requests)


def _answered(state: State, fact: f.ShipmentAnswered) -> State:
    action = state.action
    if not isinstance(action, Shipping):
        return state
    left = tuple(request for request in action.requests if request.owner != fact.owner)
    return _shipping(state, requests=left, refused=(*action.refused, *fact.refused))


def _withdrawn(state: State, fact: f.RequestsWithdrawn) -> State:
    action = state.action
    if isinstance(action, Selling):
        refused = tuple(a + b for a, b in zip(action.refused, action.asked, strict=True))
        return replace(state, action=replace(action, asked=(0,) * state.seats, refused=refused))
    if not isinstance(action, Shipping):
        return state
    spaces = [space for request in action.requests for space in request.spaces]
    return _shipping(state, requests=(), refused=(*action.refused, *spaces))


def _selling(state: State, moved: int) -> State:
    action = state.action
    if not isinstance(action, Selling):
        return state
    return replace(state, action=replace(action, moved=action.moved + moved))


def _own_sold(state: State, fact: f.OwnGoodsSold) -> State:
    return _selling(gain(state, fact.seat, market=-fact.amount, treasury=fact.amount), fact.amount)


def _foreign_sold(state: State, fact: f.ForeignGoodsSold) -> State:
    state = gain(state, fact.owner, market=-fact.amount, treasury=fact.amount)
    return _selling(gain(state, fact.trader, treasury=fact.amount), fact.amount)


def _goods_requested(state: State, fact: f.GoodsRequested) -> State:
    action = state.action
    return (
        replace(state, action=replace(action, asked=fact.amounts)) if isinstance(action, Selling) else state
    )


def _goods_answered(state: State, fact: f.GoodsRequestAnswered) -> State:
    action = state.action
    if not isinstance(action, Selling):
        return state
    asked = put(action.asked, fact.owner, 0)
    refused = put(action.refused, fact.owner, action.refused[fact.owner] + fact.refused)
    return replace(state, action=replace(action, asked=asked, refused=refused))


FOLD: Fold = {
    f.CharacterUsed: _used,
    f.ChoiceOffered: _offered,
    f.ActionFinished: _finished,
    f.TreasuryGiven: _given,
    f.TreasuryDiscarded: _discarded,
    f.LoanTaken: _loan_taken,
    f.LoanRepaid: _loan_repaid,
    f.DiplomacyMoved: _diplomacy,
    f.ExplorationRolled: _rolled,
    f.AmericaDiscovered: _america,
    f.AustraliaSecondRollTaken: same,
    f.AustraliaSecondRollDeclined: same,
    f.SettleDeclined: same,
    f.CircumnavigationDeclined: same,
    f.CircumnavigationRolled: same,
    f.WorldCircumnavigated: _circumnavigated,
    f.SellersPaid: _sellers_paid,
    f.PirateCheckRolled: same,
    f.FleetLostToPirates: _fleet_lost,
    f.ShipmentRequested: _requested,
    f.ShipmentAnswered: _answered,
    f.GoodsShipped: _shipped,
    f.RequestsWithdrawn: _withdrawn,
    f.GoodsRequested: _goods_requested,
    f.GoodsRequestAnswered: _goods_answered,
    f.OwnGoodsSold: _own_sold,
    f.ForeignGoodsSold: _foreign_sold,
    f.TrackAdvanced: _track,
    f.SlaveryAbolished: same,
}
