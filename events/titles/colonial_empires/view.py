"""What a seat, or a spectator, may know."""

from __future__ import annotations

from typing import Any

from events.fact import Json, Seat
from events.kit.values import plain
from events.titles.colonial_empires.derived import current, sizes
from events.titles.colonial_empires.state import State
from events.titles.colonial_empires.steps.revenue import resources_by_region, revenue

_PUBLIC = (
    "seats",
    "options",
    "turn",
    "phase",
    "step",
    "lead_seat",
    "empire",
    "treasury",
    "in_play",
    "discard_pile",
    "fate_order",
    "fate_in",
    "fate_round",
    "event_order",
    "event_index",
    "italian_used",
    "italian_pending",
    "next_offer_id",
    "offers_made",
    "trade_finished",
    "discards_due",
    "result",
)


def view(state: State, seat: Seat | None) -> Json:
    """The public position, and what *seat* alone may know beside it (CEM-203, CEM-205, CEM-708)."""
    shown: dict[str, Any] = {name: getattr(state, name) for name in _PUBLIC}
    shown |= sizes(state) | _progress(state) | _own(state, seat)
    shown["offers"] = [_offer(offer, seat) for offer in state.offers]
    return plain(shown)


def _progress(state: State) -> dict[str, Any]:
    """Whose event turn it is, what revenue would be, and of sealed answers only that they were given."""
    return {
        "event_turn": current(state),
        "fate_answered": [answer is not None for answer in state.fate_answers],
        "build_submitted": [plan is not None for plan in state.build_plans],
        "discard_submitted": [choice is not None for choice in state.discard_choices],
        "revenue_forecast": _forecast(state),
    }


def _forecast(state: State) -> list[int]:
    """The revenue of each seat for the cards that lie in play now."""
    if state.phase == "setup":
        return [0] * state.seats
    counts = [resources_by_region(cards) for cards in state.in_play]
    return [revenue(state, seat, counts).total for seat in range(state.seats)]


def _own(state: State, seat: Seat | None) -> dict[str, Any]:
    if seat is None:
        return dict.fromkeys(("hand", "fate_answer", "build_plan", "discard_choice", "known"))
    return {
        "hand": state.hand[seat],
        "fate_answer": state.fate_answers[seat],
        "build_plan": state.build_plans[seat],
        "discard_choice": state.discard_choices[seat],
        "known": state.known[seat],
    }


def _offer(offer: Any, seat: Seat | None) -> Json:
    """That an offer is open is public; its contents are for the two parties (CEM-708)."""
    public = {"offer_id": offer.offer_id, "from": offer.from_, "to": offer.to}
    if seat in {offer.from_, offer.to}:
        return public | {"give": offer.give, "ask": offer.ask}
    return public
