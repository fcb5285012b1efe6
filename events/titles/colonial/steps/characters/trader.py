"""The Trader (COL-23)."""

from __future__ import annotations

from events.steps import INVALID_PARAMETERS, NOT_YOUR_DECISION, Rejected
from events.titles.colonial import facts as f
from events.titles.colonial.commands import AnswerGoodsRequest, GoodsWanted, MoveGoods, PlayTrader
from events.titles.colonial.derived import trader_capacity
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import Selling, State
from events.titles.colonial.steps import guards
from events.titles.colonial.steps.rounds import finish, use


def in_progress(state: State, seat: int) -> Selling | None:
    """The seat's Trader play, if one is in progress."""
    action = state.action
    return action if isinstance(action, Selling) and state.active == seat else None


def capacity_left(state: State, seat: int) -> int:
    """COL-23-01, R-26: less Goods moved and asked for."""
    action = in_progress(state, seat)
    used = action.moved + sum(action.asked) if action else 0
    return max(0, trader_capacity(state, seat) - used)


def askable(state: State, seat: int) -> tuple[int, ...]:
    """By seat how many Goods may still be asked for (COL-23-04); 0 for the Trader himself."""
    action = state.action
    refused = action.refused if isinstance(action, Selling) else (0,) * state.seats
    return tuple(
        max(0, player.market - refused[other]) if other != seat else 0
        for other, player in enumerate(state.players)
    )


def play(draft: Draft, seat: int, command: PlayTrader) -> None:
    """COL-23-01 to COL-23-03."""
    state = draft.state
    guards.active(state, seat)
    amounts = _amounts(state, seat, command.requests)
    guards.may_play(state, seat, "trader")
    _check_goods(state, seat, command.own, amounts)
    use(draft, seat, "trader")
    _move(draft, seat, command.own, amounts)


def move_goods(draft: Draft, seat: int, command: MoveGoods) -> None:
    """COL-23-01: further Goods within the same play."""
    state = draft.state
    action = in_progress(state, seat)
    if action is None:
        raise Rejected("no_trader_in_progress", "Play the Trader first.")
    amounts = _amounts(state, seat, command.requests)
    if any(action.asked):
        raise Rejected("request_open", "Wait for the answers, or withdraw your requests.")
    _check_goods(state, seat, command.own, amounts)
    _move(draft, seat, command.own, amounts)


def _amounts(state: State, seat: int, requests: tuple[GoodsWanted, ...]) -> tuple[int, ...]:
    """By seat what is asked for; every owner at most once, never the Trader himself."""
    amounts = [0] * state.seats
    for wanted in requests:
        guards.player_known(state, wanted.seat)
        if wanted.seat == seat or amounts[wanted.seat]:
            raise Rejected(
                INVALID_PARAMETERS, "Name each other owner at most once; your own Goods are `own`."
            )
        amounts[wanted.seat] = wanted.amount
    return tuple(amounts)


def _check_goods(state: State, seat: int, own: int, amounts: tuple[int, ...]) -> None:
    left = capacity_left(state, seat)
    if own + sum(amounts) > left:
        raise Rejected("not_enough_capacity", f"You may move {left} more Goods.")
    markets = [player.market for player in state.players]
    if own > markets[seat] or any(wanted > goods for wanted, goods in zip(amounts, markets, strict=True)):
        raise Rejected("not_enough_goods", "There are not so many Goods on the Market.")
    if any(wanted > free for wanted, free in zip(amounts, askable(state, seat), strict=True)):
        raise Rejected("refused_before", "Goods refused in this play cannot be asked for again.")
    if not own and not any(amounts):
        raise Rejected("nothing_chosen", "Move or ask for at least 1 Goods.")


def _move(draft: Draft, seat: int, own: int, amounts: tuple[int, ...]) -> None:
    if own:
        draft.emit(f.OwnGoodsSold(seat, own))
    if any(amounts):
        draft.emit(f.GoodsRequested(seat, amounts))
    go_on(draft, seat)


def go_on(draft: Draft, seat: int) -> None:
    """COL-23-05: the play ends by itself without capacity or Goods."""
    state = draft.state
    action = in_progress(state, seat)
    if action is None or any(action.asked):
        return
    goods = state.players[seat].market or any(askable(state, seat))
    if not goods or not capacity_left(state, seat):
        finish(draft, seat)


def answer_goods_request(draft: Draft, seat: int, command: AnswerGoodsRequest) -> None:
    """COL-23-03, COL-23-04: let some of the Goods go, refuse the rest."""
    action, trader = draft.state.action, draft.state.active
    if not isinstance(action, Selling) or trader is None or not action.asked[seat]:
        raise Rejected(NOT_YOUR_DECISION, "No Trader asks for your Goods now.")
    asked = action.asked[seat]
    guards.at_most(command.amount, asked)
    draft.emit(f.GoodsRequestAnswered(seat, command.amount, asked - command.amount))
    if command.amount:
        draft.emit(f.ForeignGoodsSold(trader, seat, command.amount))
    go_on(draft, trader)
