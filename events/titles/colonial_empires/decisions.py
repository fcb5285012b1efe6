"""What the game waits for, and what an absent player does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from events.fact import Seat
from events.steps import Command, Decision
from events.titles.colonial_empires.commands import (
    ChooseEmpire,
    DeclineExtraCard,
    DeclineTrade,
    DiscardExcess,
    DiscardForItalianPower,
    EndEventTurn,
    FinishTrading,
    SubmitBuild,
    WithdrawTrade,
)
from events.titles.colonial_empires.derived import choosing, current
from events.titles.colonial_empires.offers import may_offer
from events.titles.colonial_empires.state import State, StepKind
from events.titles.colonial_empires.steps.choose_empires import free_empires
from events.titles.colonial_empires.steps.event import may_sift
from events.titles.colonial_empires.steps.fate import unanswered

Decisions = tuple[Decision, ...]


def decisions(state: State) -> Decisions:
    """Everything that is awaited, from public facts only (CEM-906); its kind is the word for the step."""
    return _WAITING[state.step](state) if state.step else ()


def _choose_empires(state: State) -> Decisions:
    seat = choosing(state)
    return () if seat is None else (Decision(seat, "choose_empires", ("choose_empire",)),)


def _fate_extra(state: State) -> Decisions:
    commands = ("request_extra_card", "decline_extra_card")
    return tuple(Decision(seat, "fate_extra", commands) for seat in unanswered(state))


def _event_turn(state: State) -> Decisions:
    seat = current(state)
    if seat is None:
        return ()
    commands: tuple[str, ...] = ("play_event_card", "end_event_turn")
    if may_sift(state, seat):
        commands = ("use_italian_power", *commands)
    return (Decision(seat, "event_turn", commands),)


def _italian_discard(state: State) -> Decisions:
    return (Decision(current(state), "italian_discard", ("discard_for_italian_power",)),)


def _build(state: State) -> Decisions:
    return tuple(
        Decision(seat, "build", ("submit_build",))
        for seat, plan in enumerate(state.build_plans)
        if plan is None
    )


def _trading(state: State) -> Decisions:
    """All who have not finished, and every recipient of an open offer (CEM-714); an offerer may withdraw."""
    recipients, offerers = {offer.to for offer in state.offers}, {offer.from_ for offer in state.offers}
    awaited, free = [], []
    for seat, finished in enumerate(state.trade_finished):
        commands = tuple(_trade_commands(state, seat, asked=seat in recipients, offers=seat in offerers))
        if seat in recipients or not finished:
            awaited.append(Decision(seat, "trading", commands))
        elif commands:
            free.append(Decision(seat, "trading", commands, free=True))
    return (*awaited, *free)


def _trade_commands(state: State, seat: Seat, *, asked: bool, offers: bool) -> Iterator[str]:
    """What *seat* can do, as far as it is public (CEM-711, CEM-713)."""
    if asked:
        yield from ("accept_trade", "decline_trade")
    if may_offer(state, seat):
        yield "offer_trade"
    if offers:
        yield "withdraw_trade"
    if not state.trade_finished[seat]:
        yield "finish_trading"


def _hand_limit(state: State) -> Decisions:
    return tuple(
        Decision(seat, "hand_limit", ("discard_excess",))
        for seat, due in enumerate(state.discards_due)
        if due and state.discard_choices[seat] is None
    )


_WAITING: Mapping[StepKind, Callable[[State], Decisions]] = {
    "choose_empires": _choose_empires,
    "fate_extra": _fate_extra,
    "event_turn": _event_turn,
    "italian_discard": _italian_discard,
    "build": _build,
    "trading": _trading,
    "hand_limit": _hand_limit,
}


def default(state: State, decision: Decision) -> Command:
    """The next command of an absent player; repeated, it leads on (CEM-904)."""
    seat = decision.seat if decision.seat is not None else -1
    return _DEFAULTS[decision.kind](state, seat)


def _last_cards(state: State, seat: Seat, number: int) -> tuple[str, ...]:
    """The cards that arrived last."""
    return state.hand[seat][-number:]


def _leave_trading(state: State, seat: Seat) -> Command:
    """Decline every open offer to him, withdraw his own, finish: one after the other."""
    for offer in state.offers:
        if offer.to == seat:
            return DeclineTrade(offer.offer_id)
    for offer in state.offers:
        if offer.from_ == seat:
            return WithdrawTrade(offer.offer_id)
    return FinishTrading()


_DEFAULTS: Mapping[str, Callable[[State, Seat], Command]] = {
    "choose_empires": lambda state, _: ChooseEmpire(free_empires(state)[0]),
    "fate_extra": lambda *_: DeclineExtraCard(),
    "event_turn": lambda *_: EndEventTurn(),
    "italian_discard": lambda state, seat: DiscardForItalianPower(
        _last_cards(state, seat, state.italian_pending)
    ),
    "build": lambda *_: SubmitBuild(()),
    "trading": _leave_trading,
    "hand_limit": lambda state, seat: DiscardExcess(_last_cards(state, seat, state.discards_due[seat])),
}
