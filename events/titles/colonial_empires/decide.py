"""What a command does, or why it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.chance import Chance
from events.fact import Seat
from events.steps import GAME_NOT_RUNNING, NOT_YOUR_DECISION, UNKNOWN_COMMAND, Command, Draft, Rejected
from events.titles.colonial_empires import commands as c
from events.titles.colonial_empires.state import State
from events.titles.colonial_empires.steps import (
    build,
    choose_empires,
    event,
    event_cards,
    fate,
    hand_limit,
    trade,
    turn,
)

HANDLERS: Mapping[type[Command], Any] = {
    c.ChooseEmpire: choose_empires.choose_empire,
    c.RequestExtraCard: fate.request_extra_card,
    c.DeclineExtraCard: fate.decline_extra_card,
    c.PlayEventCard: event_cards.play_event_card,
    c.UseItalianPower: event.use_italian_power,
    c.DiscardForItalianPower: event.discard_for_italian_power,
    c.EndEventTurn: event.end_event_turn,
    c.SubmitBuild: build.submit_build,
    c.OfferTrade: trade.offer_trade,
    c.AcceptTrade: trade.accept_trade,
    c.DeclineTrade: trade.decline_trade,
    c.WithdrawTrade: trade.withdraw_trade,
    c.FinishTrading: trade.finish_trading,
    c.DiscardExcess: hand_limit.discard_excess,
}
"""For each command its function of ``(draft, seat, command, chance)``; True says that the phase is over."""


def decide(state: State, seat: Seat | None, command: Command, chance: Chance) -> Draft[State]:
    """The facts of *command*. Checks: running game, seat, then those of the step."""
    handler = HANDLERS.get(type(command))
    if handler is None:
        raise Rejected(UNKNOWN_COMMAND, "This title has no such command: use one that a decision names.")
    if state.phase == "ended":
        raise Rejected(GAME_NOT_RUNNING, "The game has ended: start a new one.")
    if seat is None or not 0 <= seat < state.seats:
        raise Rejected(NOT_YOUR_DECISION, "Only the players of this game decide in it: take a seat first.")
    draft = Draft(state, chance)
    if handler(draft, seat, command, chance):
        turn.go_on(draft, chance)
    return draft
