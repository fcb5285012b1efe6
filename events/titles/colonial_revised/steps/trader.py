"""The Trader moves Goods from the Market to the Treasuries."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.kit.overseas.offers import grid
from events.rules.kit.words import format_list
from events.rules.steps import INVALID_PARAMETERS, Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import require_seat
from events.titles.colonial_revised.derived import foreign_counters, trade_limit
from events.titles.colonial_revised.offers import MOST, draw_percent, draw_up_to
from events.titles.colonial_revised.parts import SeatCount
from events.titles.colonial_revised.state import State, Trade, require
from events.titles.colonial_revised.steps.cards import Character, character, use

Goods = dict[int, int]


def merge_goods(state: State, entries: tuple[SeatCount, ...]) -> Goods:
    """Goods by seat."""
    goods: Goods = {}
    for entry in entries:
        seat = require_seat(state, entry.seat)
        goods[seat] = goods.get(seat, 0) + entry.count
    return dict(sorted(goods.items()))


def as_counts(goods: Goods) -> tuple[SeatCount, ...]:
    """Goods by seat, as facts write them."""
    return tuple(SeatCount(seat, count) for seat, count in goods.items() if count)


def sell_goods(draft: Draft[State], seat: int, command: c.SellGoods) -> None:
    """Own Goods one for one, and requests to the owners of others (REV-235 to REV-238)."""
    state, requests = draft.state, merge_goods(draft.state, command.requests)
    limit = trade_limit(state, seat)
    if command.own > limit:
        raise Rejected("over_trade_limit", f"Your Trader moves {limit} Goods: choose at most that.")
    if seat in requests:
        raise Rejected("self_target", "List your own Goods under own, and only those of others as requests.")
    wanted = {**requests, seat: command.own}
    if any(count > state.players[owner].market for owner, count in wanted.items()):
        raise Rejected("not_enough_goods", "That player has fewer Goods on the Market: ask for fewer.")
    if command.own == limit:
        requests = {}
    if not command.own and not requests:
        raise Rejected(INVALID_PARAMETERS, "That moves nothing: pass the card instead.")
    use(draft, seat, "trader")
    draft.emit(f.TradeRequested(seat=seat, own=command.own, requests=as_counts(requests)))


def count_asked_goods(deal: Trade, seat: int) -> int:
    """Return the number of Goods of the seat that the Trader would move."""
    return next((entry.count for entry in deal.requests if entry.seat == seat), 0)


def answer_trade_request(draft: Draft[State], seat: int, command: c.AnswerTradeRequest) -> None:
    """Every owner may refuse, wholly or in part (REV-238)."""
    deal = require(draft.state.trade)
    if command.accepted > count_asked_goods(deal, seat):
        raise Rejected(
            "not_asked", f"You were asked for {count_asked_goods(deal, seat)} Goods: grant at most those."
        )
    draft.emit(f.TradeRequestAnswered(owner=seat, accepted=command.accepted))


def count_granted(deal: Trade) -> Goods:
    """Goods granted, by owner."""
    return {entry.seat: answer for entry in deal.requests if (answer := deal.answers[entry.seat])}


def confirm_trade(draft: Draft[State], seat: int, command: c.ConfirmTrade) -> None:
    """The Trader chooses among the Goods granted (REV-237)."""
    state, deal = draft.state, require(draft.state.trade)
    goods, offered = merge_goods(state, command.goods), count_granted(deal)
    if any(count > offered.get(owner, 0) for owner, count in goods.items()):
        raise Rejected("not_accepted", "Move only foreign Goods that were granted.")
    if deal.own + sum(goods.values()) > trade_limit(state, seat):
        limit = trade_limit(state, seat)
        raise Rejected(
            "over_trade_limit", f"Your Trader moves {limit} Goods, your own included: choose fewer."
        )
    move_goods(draft, seat, deal, goods)


def move_goods(draft: Draft[State], seat: int, deal: Trade, goods: Goods) -> None:
    """Goods become Treasury of their owners; the Trader takes half for others' Goods (REV-236, REV-237)."""
    commission = foreign_counters(sum(goods.values()))
    draft.emit(f.GoodsMoved(trader=seat, own=deal.own, by_owner=as_counts(goods), commission=commission))


def go_on(draft: Draft[State], deal: Trade) -> None:
    """The next automatic part of the Trader's deal."""
    seat = require(draft.state.action).seat
    if deal.step == "answer":
        draft.emit(f.TradeAnswersRevealed(as_counts(count_granted(deal))))
        return
    if deal.requests:
        draft.emit(f.DecisionSkipped(seat, "confirm_trade", "nothing_granted"))
    move_goods(draft, seat, deal, {})


# --- offers --------------------------------------------------------------------------------------


def _others_goods(state: State, seat: int) -> tuple[SeatCount, ...]:
    return tuple(SeatCount(s, p.market) for s, p in enumerate(state.players) if s != seat and p.market)


def _sales(state: State, seat: int) -> Iterator[c.SellGoods]:
    """Own Goods, and as many of each other player; nobody is asked where the limit is reached (REV-237)."""
    limit, others = trade_limit(state, seat), _others_goods(state, seat)
    for own in range(min(limit, state.players[seat].market), -1, -1):
        asked = grid(range(entry.count, -1, -1) for entry in others) if own < limit else ((),)
        for counts in asked:
            requests = as_counts(dict(zip((entry.seat for entry in others), counts, strict=False)))
            if own or requests:
                yield c.SellGoods(own, requests)


def _list_asked(command: c.SellGoods) -> tuple[int, ...]:
    return tuple(entry.seat for entry in command.requests)


def _seats(entries: tuple[SeatCount, ...], nothing: str) -> str:
    return format_list((f"{entry.count} of {w.seat_name(entry.seat)}" for entry in entries), nothing)


def _label(_state: State, _seat: int, command: c.SellGoods) -> str:
    own = [f"move {w.own_goods(command.own)} for {command.own} T"] if command.own else []
    asked = [f"ask for {_seats(command.requests, '')}"] if command.requests else []
    return f"Trader: {', '.join([*own, *asked])}"


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    own = min(trade_limit(state, seat), state.players[seat].market)
    asked = tuple(
        SeatCount(entry.seat, 1 + draw_up_to(chance, entry.count - 1))
        for entry in _others_goods(state, seat)
        if draw_percent(chance, 50)
    )
    return c.SellGoods(own=own, requests=asked) if own or asked else None


SELL_GOODS = character("trader", c.SellGoods, take=sell_goods, legal=_sales, target=_list_asked, label=_label)
TRADER = Character("trader", (SELL_GOODS,), _sample)


# --- the owners' answers -------------------------------------------------------------------------


def _has_answered(state: State, seat: int) -> bool:
    return require(state.trade).answers[seat] is not None


def _grants(state: State, seat: int) -> Iterator[c.AnswerTradeRequest]:
    for count in range(count_asked_goods(require(state.trade), seat), -1, -1):
        yield c.AnswerTradeRequest(count)


def _sample_grant(state: State, seat: int, chance: Chance) -> Command:
    return c.AnswerTradeRequest(draw_up_to(chance, count_asked_goods(require(state.trade), seat)))


ANSWER_TRADE_REQUEST = Step(
    kind="answer_trade_request",
    asked=lambda state: require(state.trade).awaiting,
    covered=_has_answered,
    default=lambda _state, _seat: c.AnswerTradeRequest(accepted=0),
    sample=_sample_grant,
    moves=(
        Move(
            command=c.AnswerTradeRequest,
            take=answer_trade_request,
            legal=_grants,
            most=MOST,
            target=lambda command: command.accepted,
            label=lambda _state, _seat, command: (
                f"Let {w.goods(command.accepted)} be moved for {command.accepted} T"
                if command.accepted
                else "Let no Good be moved"
            ),
        ),
    ),
)


# --- the choice among what is granted ------------------------------------------------------------


def _who_may_confirm(state: State) -> tuple[int, ...]:
    return (require(state.action).seat,) if count_granted(require(state.trade)) else ()


def _confirmations(state: State, seat: int) -> Iterator[c.ConfirmTrade]:
    """Yield confirmations: as much as possible in seat order first, nothing last."""
    deal = require(state.trade)
    room, offered = trade_limit(state, seat) - deal.own, count_granted(deal)
    for counts in grid(range(min(room, count), -1, -1) for count in offered.values()):
        if sum(counts) <= room:
            yield c.ConfirmTrade(as_counts(dict(zip(offered, counts, strict=True))))


def _sample_confirmation(state: State, seat: int, chance: Chance) -> Command:
    deal = require(state.trade)
    room, goods = trade_limit(state, seat) - deal.own, []
    for owner, count in count_granted(deal).items():
        moved = min(room, draw_up_to(chance, count))
        if moved > 0:
            goods.append(SeatCount(owner, moved))
            room -= moved
    return c.ConfirmTrade(tuple(goods))


def _label_confirmation(_state: State, _seat: int, command: c.ConfirmTrade) -> str:
    if not command.goods:
        return "Move only own Goods"
    commission = foreign_counters(sum(entry.count for entry in command.goods))
    return f"Move {_seats(command.goods, '')} for a commission of {commission} T"


CONFIRM_TRADE = Step(
    kind="confirm_trade",
    asked=_who_may_confirm,
    default=lambda _state, _seat: c.ConfirmTrade(goods=()),
    sample=_sample_confirmation,
    moves=(
        Move(
            command=c.ConfirmTrade,
            take=confirm_trade,
            legal=_confirmations,
            most=MOST,
            target=lambda command: tuple(entry.seat for entry in command.goods),
            label=_label_confirmation,
        ),
    ),
)
