"""The Trader (COL-23)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.words import capital
from events.rules.steps import INVALID_PARAMETERS, Move, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import AnswerGoodsRequest, FinishAction, MoveGoods, PlayTrader
from events.titles.colonial.derived import capacity_left, count_askable
from events.titles.colonial.offers import MOST, draw_percent, pick_any
from events.titles.colonial.parts import GoodsWanted
from events.titles.colonial.state import Selling, State, list_acting
from events.titles.colonial.steps.endeavour.consent import FINISH, request_open, trade_on
from events.titles.colonial.steps.endeavour.rounds import character, use
from events.titles.colonial.words import seat_said


def find_selling(state: State, seat: Seat) -> Selling | None:
    """The seat's Trader play, if one is in progress."""
    action = state.action
    return action if isinstance(action, Selling) and state.active == seat else None


def play(draft: Draft, seat: Seat, command: PlayTrader) -> None:
    """Begin a Trader play with own Goods and requests (COL-23-01 to COL-23-03)."""
    state = draft.state
    amounts = _amounts(state, seat, command.requests)
    checks.may_play(state, seat, "trader")
    _check_goods(state, seat, command.own, amounts)
    use(draft, seat, "trader")
    _move(draft, seat, command.own, amounts)


def move_goods(draft: Draft, seat: Seat, command: MoveGoods) -> None:
    """Move further Goods within the same play (COL-23-01)."""
    state = draft.state
    action = find_selling(state, seat)
    if action is None:
        raise Rejected("no_trader_in_progress", "Play the Trader first.")
    amounts = _amounts(state, seat, command.requests)
    if any(action.asked):
        raise Rejected("request_open", "Wait for the answers, or withdraw your requests.")
    _check_goods(state, seat, command.own, amounts)
    _move(draft, seat, command.own, amounts)


def _amounts(state: State, seat: Seat, requests: tuple[GoodsWanted, ...]) -> tuple[int, ...]:
    """Return by seat the number of Goods asked for.

    Raises :class:`Rejected` if an owner is named twice, or the Trader's own seat at all.
    """
    amounts = [0] * state.seats
    for wanted in requests:
        checks.require_seat(state, wanted.seat)
        if wanted.seat == seat or amounts[wanted.seat]:
            raise Rejected(
                INVALID_PARAMETERS, "Name each other owner at most once; your own Goods are `own`."
            )
        amounts[wanted.seat] = wanted.amount
    return tuple(amounts)


def _check_goods(state: State, seat: Seat, own: int, amounts: tuple[int, ...]) -> None:
    left = capacity_left(state, seat)
    if own + sum(amounts) > left:
        raise Rejected("not_enough_capacity", f"You may move {left} more Goods; choose fewer.")
    markets = [player.market for player in state.players]
    if own > markets[seat] or any(wanted > goods for wanted, goods in zip(amounts, markets, strict=True)):
        raise Rejected("not_enough_goods", "There are not so many Goods on the Market; choose fewer.")
    _check_refused(state, seat, amounts)
    if not own and not any(amounts):
        raise Rejected("nothing_chosen", "Move or ask for at least 1 Goods.")


def _check_refused(state: State, seat: Seat, amounts: tuple[int, ...]) -> None:
    """Check that no owner who has refused anything is asked again (COL-23-04)."""
    if any(wanted > free for wanted, free in zip(amounts, count_askable(state, seat), strict=True)):
        raise Rejected("refused_before", "That owner has refused in this play: ask another, or finish.")


def _move(draft: Draft, seat: Seat, own: int, amounts: tuple[int, ...]) -> None:
    if own:
        draft.emit(f.OwnGoodsSold(seat, own))
    if any(amounts):
        draft.emit(f.GoodsRequested(seat, amounts))
    trade_on(draft, seat)


Trade = tuple[int, tuple[GoodsWanted, ...]]
"""Own Goods, and what is asked of others."""


def _trades(state: State, seat: Seat) -> Iterator[Trade]:
    """Own Goods and requests, the largest first."""
    left, free = capacity_left(state, seat), count_askable(state, seat)
    others = [other for other, goods in enumerate(free) if goods]
    for own in range(min(left, state.players[seat].market), -1, -1):
        for amounts in _spread([free[other] for other in others], left - own):
            pairs = zip(others, amounts, strict=True)
            wanted = tuple(GoodsWanted(other, amount) for other, amount in pairs if amount)
            if own or wanted:
                yield own, wanted


def _spread(free: Sequence[int], left: int) -> Iterator[tuple[int, ...]]:
    """Amounts up to *free* each and up to *left* in all, the largest first."""
    if not free:
        yield ()
        return
    for amount in range(min(free[0], left), -1, -1):
        for rest in _spread(free[1:], left - amount):
            yield (amount, *rest)


def _sample_trade(state: State, seat: Seat, chance: Chance) -> Trade | None:
    left, free = capacity_left(state, seat), count_askable(state, seat)
    own = min(left, state.players[seat].market)
    asked = pick_any(chance, [other for other, goods in enumerate(free) if goods])
    amount = 0 if asked is None else min(left - own, free[asked])
    wanted = (GoodsWanted(asked, amount),) if asked is not None and amount else ()
    return (own, wanted) if own or wanted else None


def _sample(state: State, seat: Seat, chance: Chance) -> PlayTrader | None:
    trade = _sample_trade(state, seat, chance)
    return None if trade is None else PlayTrader(*trade)


def _sample_further(state: State, seat: Seat, chance: Chance) -> MoveGoods | None:
    trade = _sample_trade(state, seat, chance)
    return MoveGoods(*trade) if trade is not None and draw_percent(chance, 70) else None


def _list_asked_owners(command: PlayTrader | MoveGoods) -> tuple[Seat, ...]:
    """Return the other seats whose Goods the command asks for."""
    return tuple(wanted.seat for wanted in command.requests)


def _goods(state: State, command: PlayTrader | MoveGoods) -> str:
    """For example ``sell 2 own Goods, ask Red for 1 (3 Treasury)``."""
    asked = [f"ask {seat_said(state, wanted.seat)} for {wanted.amount}" for wanted in command.requests]
    parts = [*([f"sell {command.own} own Goods"] if command.own else []), *asked]
    return f"{', '.join(parts)} ({command.own + sum(w.amount for w in command.requests)} Treasury)"


TRADER = character(
    PlayTrader,
    play,
    legal=lambda state, seat: (PlayTrader(own, wanted) for own, wanted in _trades(state, seat)),
    label=lambda state, _seat, command: f"Trader: {_goods(state, command)}",
    sample=_sample,
    target=_list_asked_owners,
)
CONTINUE_TRADER = Step[State](
    kind="continue_trader",
    asked=lambda state: () if request_open(state) else list_acting(state),
    moves=(
        Move(
            command=MoveGoods,
            take=move_goods,
            legal=lambda state, seat: (MoveGoods(own, wanted) for own, wanted in _trades(state, seat)),
            most=MOST,
            target=_list_asked_owners,
            label=lambda state, _seat, command: capital(_goods(state, command)),
            own_words=True,
        ),
        FINISH,
    ),
    default=lambda _state, _seat: FinishAction(),
    sample=_sample_further,
)


# --- consent -------------------------------------------------------------------------------------


def _goods_asked(state: State, seat: Seat) -> int:
    """Return the number of Goods that a Trader asks of this seat."""
    return state.action.asked[seat] if isinstance(state.action, Selling) else 0


def answer_goods_request(draft: Draft, seat: Seat, command: AnswerGoodsRequest) -> None:
    """Let some of the Goods go, refuse the rest (COL-23-03, COL-23-04)."""
    (trader,) = list_acting(draft.state)
    asked = _goods_asked(draft.state, seat)
    checks.check_at_most(command.amount, asked)
    draft.emit(f.GoodsRequestAnswered(seat, command.amount, asked - command.amount))
    if command.amount:
        draft.emit(f.ForeignGoodsSold(trader, seat, command.amount))
    trade_on(draft, trader)


def _goods_grants(state: State, seat: Seat) -> Iterator[AnswerGoodsRequest]:
    return (AnswerGoodsRequest(amount) for amount in range(_goods_asked(state, seat), -1, -1))


def _sample_grant(state: State, seat: Seat, chance: Chance) -> AnswerGoodsRequest:
    asked = _goods_asked(state, seat)
    return AnswerGoodsRequest(asked if draw_percent(chance, 60) else chance.pick(range(asked + 1)))


ANSWER_GOODS_REQUEST = Step[State](
    kind="answer_goods_request",
    asked=lambda state: [seat for seat in range(state.seats) if _goods_asked(state, seat)],
    moves=(
        Move(
            command=AnswerGoodsRequest,
            take=answer_goods_request,
            legal=_goods_grants,
            most=MOST,
            target=lambda command: command.amount,
            label=lambda _state, _seat, command: (
                f"Let {command.amount} Goods go for {command.amount} Treasury"
                if command.amount
                else "Let no Goods go"
            ),
            sample=_sample_grant,
        ),
    ),
    default=lambda _state, _seat: AnswerGoodsRequest(0),
)
