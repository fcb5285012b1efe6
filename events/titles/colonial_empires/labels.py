"""What stands on the button of a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from events.fact import Seat
from events.steps import Command
from events.titles.colonial_empires import commands as c
from events.titles.colonial_empires.data import CARD_NAMES, EMPIRES
from events.titles.colonial_empires.derived import empire_of, owner_of
from events.titles.colonial_empires.state import Offer, Side, State
from events.titles.colonial_empires.steps.build import build_cost
from events.titles.colonial_empires.words import card_names, fortunes, seat_name, side_text


def label(state: State, seat: Seat, command: Any) -> str:
    """Short, in the rulebook's words."""
    return _LABELS[type(command)](state, seat, command)


def _choose_empire(state: State, seat: Seat, command: c.ChooseEmpire) -> str:
    empire = EMPIRES[command.empire]
    return f"{empire.name}: {empire.power[:1].lower()}{empire.power[1:].rstrip('.')}"


def _request(state: State, seat: Seat, command: c.RequestExtraCard) -> str:
    return f"Buy an extra card for {fortunes(empire_of(state, seat).extra_card_price)}"


def _play(state: State, seat: Seat, command: c.PlayEventCard) -> str:
    name = CARD_NAMES[command.card]
    if command.target_player is not None:
        return f"{name} against {seat_name(state, command.target_player)}"
    if command.target_card is not None:
        owner = owner_of(state, command.target_card)
        whose = f" of {seat_name(state, owner)}" if owner not in {None, seat} and owner is not None else ""
        return f"{name} against {CARD_NAMES[command.target_card]}{whose}"
    return name


def _build(state: State, seat: Seat, command: c.SubmitBuild) -> str:
    if not command.cards:
        return "Build nothing"
    cost = build_cost(empire_of(state, seat), command.cards)
    return f"Build {card_names(command.cards)} ({fortunes(cost) if cost else 'free'})"


def _terms(give: c.Terms | Side, ask: c.Terms | Side) -> str:
    return f"{side_text(msgspec.structs.asdict(give))} for {side_text(msgspec.structs.asdict(ask))}"


def _offer(state: State, seat: Seat, command: c.OfferTrade) -> str:
    return f"Offer {seat_name(state, command.to)} {_terms(command.give, command.ask)}"


def _open_offer(state: State, offer_id: int) -> Offer | None:
    return next((offer for offer in state.offers if offer.offer_id == offer_id), None)


def _accept(state: State, seat: Seat, command: c.AcceptTrade) -> str:
    offer = _open_offer(state, command.offer_id)
    if offer is None or offer.to != seat:
        return f"Accept offer {command.offer_id}"
    return f"Accept from {seat_name(state, offer.from_)}: {_terms(offer.give, offer.ask)}"


def _decline(state: State, seat: Seat, command: c.DeclineTrade) -> str:
    offer = _open_offer(state, command.offer_id)
    return f"Decline offer {command.offer_id}{f' of {seat_name(state, offer.from_)}' if offer else ''}"


def _withdraw(state: State, seat: Seat, command: c.WithdrawTrade) -> str:
    offer = _open_offer(state, command.offer_id)
    return f"Withdraw offer {command.offer_id}{f' to {seat_name(state, offer.to)}' if offer else ''}"


def _discard(state: State, seat: Seat, command: c.DiscardForItalianPower | c.DiscardExcess) -> str:
    return f"Discard {card_names(command.cards)}"


_LABELS: Mapping[type[Command], Callable[[State, Seat, Any], str]] = {
    c.ChooseEmpire: _choose_empire,
    c.RequestExtraCard: _request,
    c.DeclineExtraCard: lambda *_: "Buy no more cards",
    c.PlayEventCard: _play,
    c.UseItalianPower: lambda *_: "Draw 2 cards, then discard 2",
    c.DiscardForItalianPower: _discard,
    c.EndEventTurn: lambda *_: "End your event turn",
    c.SubmitBuild: _build,
    c.OfferTrade: _offer,
    c.AcceptTrade: _accept,
    c.DeclineTrade: _decline,
    c.WithdrawTrade: _withdraw,
    c.FinishTrading: lambda *_: "Finish trading",
    c.DiscardExcess: _discard,
}
