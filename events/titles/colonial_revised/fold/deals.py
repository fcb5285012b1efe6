"""Folds of the Merchant's and the Trader's deals, and of the Privateers that attack a shipment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.fact import Fact
from events.kit.values import put, without
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.fold.values import by_seat, player
from events.titles.colonial_revised.state import Shipment, State, Trade, sure


def _goods_requested(s: State, e: f.GoodsRequested) -> State:
    return replace(
        s,
        shipment=Shipment(
            own_spaces=e.own_spaces,
            requests=e.requests_by_owner,
            booming_spaces=e.booming_spaces,
            ship_slaves=e.ship_slaves,
            counterattack=e.counterattack,
            step="answer" if e.requests_by_owner else "confirm",
            awaiting=tuple(entry.seat for entry in e.requests_by_owner),
            answers=(None,) * s.seats,
        ),
    )


def _goods_answered(s: State, e: f.GoodsRequestAnswered) -> State:
    deal = sure(s.shipment)
    answers = put(deal.answers, e.seller, e.accepted)
    return replace(s, shipment=replace(deal, answers=answers, awaiting=without(deal.awaiting, [e.seller])))


def _goods_revealed(s: State, e: f.GoodsAnswersRevealed) -> State:
    return replace(s, shipment=replace(sure(s.shipment), step="confirm"))


def goods_shipped(s: State, e: f.GoodsShipped) -> State:
    """The owners of Privateers in the box attack in player order (REV-220)."""
    owners = tuple(seat for seat in s.order if s.players[seat].privateers[e.seat])
    return replace(
        s,
        shipment=replace(sure(s.shipment), step="attack", awaiting=owners, market_counters=e.market_counters),
    )


def _seller_paid(s: State, e: f.SellerPaid) -> State:
    return player(s, e.seller, treasury=s.players[e.seller].treasury + e.amount)


def _privateers_attacked(s: State, e: f.PrivateersAttacked) -> State:
    deal = sure(s.shipment)
    deal = replace(
        deal, market_counters=deal.market_counters - e.taken, awaiting=without(deal.awaiting, [e.owner])
    )
    s = player(s, e.owner, treasury=s.players[e.owner].treasury + e.taken)
    return replace(s, shipment=deal)


def _counterattack_rolled(s: State, e: f.CounterattackRolled) -> State:
    fleet = s.players[e.owner].privateers
    return player(s, e.owner, privateers=put(fleet, e.merchant, fleet[e.merchant] - e.sunk))


def _goods_reached_market(s: State, e: f.GoodsReachedMarket) -> State:
    s = player(s, e.seat, market_goods=s.players[e.seat].market_goods + e.count)
    return replace(s, shipment=None)


def _trade_requested(s: State, e: f.TradeRequested) -> State:
    return replace(
        s,
        trade=Trade(
            own=e.own,
            requests=e.requests,
            step="answer" if e.requests else "confirm",
            awaiting=tuple(entry.seat for entry in e.requests),
            answers=(None,) * s.seats,
        ),
    )


def _trade_answered(s: State, e: f.TradeRequestAnswered) -> State:
    deal = sure(s.trade)
    answers = put(deal.answers, e.owner, e.accepted)
    return replace(s, trade=replace(deal, answers=answers, awaiting=without(deal.awaiting, [e.owner])))


def _trade_revealed(s: State, e: f.TradeAnswersRevealed) -> State:
    return replace(s, trade=replace(sure(s.trade), step="confirm"))


def _goods_moved(s: State, e: f.GoodsMoved) -> State:
    moved = {entry.seat: entry.count for entry in e.by_owner}
    s = by_seat(s, "treasury", moved)
    s = by_seat(s, "market_goods", {seat: -count for seat, count in moved.items()})
    mine = s.players[e.trader]
    s = player(
        s,
        e.trader,
        treasury=mine.treasury + e.own + e.commission,
        market_goods=mine.market_goods - e.own,
    )
    return replace(s, trade=None)


FOLD: dict[type[Fact], Callable[[Any, Any], State]] = {
    f.GoodsRequested: _goods_requested,
    f.GoodsRequestAnswered: _goods_answered,
    f.GoodsAnswersRevealed: _goods_revealed,
    f.GoodsShipped: goods_shipped,
    f.SellerPaid: _seller_paid,
    f.PrivateersAttacked: _privateers_attacked,
    f.CounterattackRolled: _counterattack_rolled,
    f.GoodsReachedMarket: _goods_reached_market,
    f.TradeRequested: _trade_requested,
    f.TradeRequestAnswered: _trade_answered,
    f.TradeAnswersRevealed: _trade_revealed,
    f.GoodsMoved: _goods_moved,
}
