"""The Trader moves Goods from the Market to the Treasuries."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import tables
from events.titles.colonial_revised.commands import SeatCount
from events.titles.colonial_revised.derived import trade_limit
from events.titles.colonial_revised.state import State, Trade, sure
from events.titles.colonial_revised.steps.cards import play
from events.titles.colonial_revised.steps.checks import known_seat

Goods = dict[int, int]


def merged_goods(state: State, entries: tuple[SeatCount, ...]) -> Goods:
    """Goods by seat."""
    goods: Goods = {}
    for entry in entries:
        seat = known_seat(state, entry.seat)
        goods[seat] = goods.get(seat, 0) + entry.count
    return dict(sorted(goods.items()))


def as_counts(goods: Goods) -> tuple[SeatCount, ...]:
    """Goods by seat, as facts write them."""
    return tuple(SeatCount(seat, count) for seat, count in goods.items() if count)


def sell_goods(draft: Draft[State], seat: int, command: c.SellGoods, chance: Chance) -> None:
    """Own Goods one for one, and requests to the owners of others (REV-235 to REV-238)."""
    state, requests = draft.state, merged_goods(draft.state, command.requests)
    limit = trade_limit(state, seat)
    if command.own > limit:
        raise Rejected("over_trade_limit", f"Your Trader moves at most {limit} Goods.")
    if seat in requests:
        raise Rejected("self_target", "List your own Goods under own, and only those of others as requests.")
    wanted = {**requests, seat: command.own}
    if any(count > state.players[owner].market_goods for owner, count in wanted.items()):
        raise Rejected("not_enough_goods", "There are fewer Goods of that player on the Market.")
    if command.own == limit:
        requests = {}
    play(draft, seat, "trader")
    draft.emit(f.TradeRequested(seat=seat, own=command.own, requests=as_counts(requests)))


def asked_of(deal: Trade, seat: int) -> int:
    """How many Goods of the seat the Trader would move."""
    return next((entry.count for entry in deal.requests if entry.seat == seat), 0)


def answer_trade_request(
    draft: Draft[State], seat: int, command: c.AnswerTradeRequest, chance: Chance
) -> None:
    """Every owner may refuse, wholly or in part (REV-238)."""
    deal = sure(draft.state.trade)
    if command.accepted > asked_of(deal, seat):
        raise Rejected("not_asked", f"You were asked for {asked_of(deal, seat)} Goods: grant at most those.")
    draft.emit(f.TradeRequestAnswered(owner=seat, accepted=command.accepted))


def granted(deal: Trade) -> Goods:
    """Goods granted, by owner."""
    return {entry.seat: answer for entry in deal.requests if (answer := deal.answers[entry.seat])}


def confirm_trade(draft: Draft[State], seat: int, command: c.ConfirmTrade, chance: Chance) -> None:
    """The Trader chooses among the Goods granted (REV-237)."""
    state, deal = draft.state, sure(draft.state.trade)
    goods, offered = merged_goods(state, command.goods), granted(deal)
    if any(count > offered.get(owner, 0) for owner, count in goods.items()):
        raise Rejected("not_accepted", "Move only foreign Goods that were granted.")
    if deal.own + sum(goods.values()) > trade_limit(state, seat):
        limit = trade_limit(state, seat)
        raise Rejected("over_trade_limit", f"Your Trader moves at most {limit} Goods, your own included.")
    move_goods(draft, seat, deal, goods)


def move_goods(draft: Draft[State], seat: int, deal: Trade, goods: Goods) -> None:
    """Goods become Treasury of their owners; the Trader takes half for others' Goods (REV-236, REV-237)."""
    commission = tables.foreign_counters(sum(goods.values()))
    draft.emit(f.GoodsMoved(trader=seat, own=deal.own, by_owner=as_counts(goods), commission=commission))


def go_on(draft: Draft[State], deal: Trade) -> None:
    """The next automatic part of the Trader's deal."""
    seat = sure(draft.state.action).seat
    if deal.step == "answer":
        draft.emit(f.TradeAnswersRevealed(as_counts(granted(deal))))
        return
    if deal.requests:
        draft.emit(f.DecisionSkipped(seat, "confirm_trade", "nothing_granted"))
    move_goods(draft, seat, deal, {})
