"""The whole state as readable JSON, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.rules.fact import Json, Seat
from events.titles.colonial_empires.kept.v1.kit.positions import need, read
from events.titles.colonial_empires.kept.v1.kit.values import plain
from events.rules.steps import Rejected
from events.rules.title import InvalidPosition
from events.titles.colonial_empires.kept.v1.data import CARD_NAMES, DECK, DECK_PLACE, EMPIRES, EVENTS
from events.titles.colonial_empires.kept.v1.derived import empire_of, holds
from events.titles.colonial_empires.kept.v1.options import check_options, settle_options
from events.titles.colonial_empires.kept.v1.state import Cards, Offer, Side, State
from events.titles.colonial_empires.kept.v1.steps.build import build_cost, few_enough
from events.titles.colonial_empires.kept.v1.steps.event import order
from events.titles.colonial_empires.kept.v1.steps.fate import can_pay
from events.titles.colonial_empires.kept.v1.steps.hand_limit import excess
from events.titles.colonial_empires.kept.v1.steps.order import waits

_SIZES = ("hand_count", "deck_count", "final_turn")
"""The fields that a position shows but that are not read from it: they follow from hands and deck."""
LARGEST = 500_000
"""No number of a position may be larger."""

_STEPS: dict[str, tuple[str | None, ...]] = {
    "setup": ("choose_empires",),
    "fate": ("fate_extra",),
    "event": ("event_turn", "italian_discard"),
    "build": ("build",),
    "trade": ("trading", "hand_limit"),
    "ended": (None,),
}
_BY_SEAT = (
    "empire",
    "treasury",
    "hand",
    "in_play",
    "fate_answers",
    "build_plans",
    "offers_made",
    "trade_finished",
    "discards_due",
    "discard_choices",
    "known",
)


def position(state: State) -> Json:
    """The state with all its secrets, and what the rules name beside it although it follows from it."""
    return plain(state) | {
        "hand_count": [len(hand) for hand in state.hand],
        "deck_count": len(state.deck),
        "final_turn": not state.deck,
    }


def from_position(data: Json) -> State:
    """The inverse. Raises :class:`InvalidPosition` naming the part that is wrong."""
    state = read({name: value for name, value in data.items() if name not in _SIZES}, State)
    state = replace(state, options=settle_options(state.seats, state.options))
    for check in _CHECKS_OF_SHAPE:
        check(state)
    state = _complete(state)
    for check in _CHECKS_OF_STEP:
        check(state)
    before = f"nobody is waited for in {state.step}; a position stands before a decision"
    need(state.phase == "ended" or waits(state), "step", before)
    return state


# --- what need not be named ----------------------------------------------------------------------


def _complete(state: State) -> State:
    """Return *state* with what follows from the rest of it, as play would have left it."""
    highest = max((offer.offer_id for offer in state.offers), default=0)
    state = replace(
        state,
        deck=tuple(sorted(state.deck, key=DECK_PLACE.__getitem__)),
        next_offer_id=max(state.next_offer_id, highest + 1),
    )
    complete = _COMPLETED.get(state.step or "")
    return complete(state) if complete else state


def _complete_fate(state: State) -> State:
    """Put the seats that cannot pay out of the buying (CEM-310)."""
    out = {seat for seat in state.fate_in if not can_pay(state, seat)}
    answers = (None if seat in out else answer for seat, answer in enumerate(state.fate_answers))
    return replace(state, fate_in=tuple(sorted(set(state.fate_in) - out)), fate_answers=tuple(answers))


def _complete_event(state: State) -> State:
    """Set the order of the Treasuries where none is given (CEM-502)."""
    return state if state.event_order else replace(state, event_order=order(state))


def _complete_italian_discard(state: State) -> State:
    """Mark the power as used: a pending discard means that it has been (CEM-524)."""
    return replace(_complete_event(state), italian_used=True)


def _complete_build(state: State) -> State:
    """Submit an empty list for each seat without cards (CEM-612)."""
    pairs = zip(state.build_plans, state.hand, strict=True)
    return replace(state, build_plans=tuple(plan if hand else plan or () for plan, hand in pairs))


def _complete_hand_limit(state: State) -> State:
    """Let every seat owe its excess of cards, unless discards are given (CEM-717)."""
    if any(state.discards_due):
        return state
    return replace(state, discards_due=tuple(max(0, excess(state, seat)) for seat in range(state.seats)))


_COMPLETED: dict[str, Callable[[State], State]] = {
    "fate_extra": _complete_fate,
    "event_turn": _complete_event,
    "italian_discard": _complete_italian_discard,
    "build": _complete_build,
    "hand_limit": _complete_hand_limit,
}


# --- what must hold ------------------------------------------------------------------------------


def _require_number(value: int, part: str, least: int = 0, most: int = LARGEST) -> None:
    need(least <= value <= most, part, f"{value} is not within {least} and {most}")


def _require_cards(cards: Cards, part: str) -> None:
    """Raise InvalidPosition for an unknown card, or more cards than the game has; copies do not count."""
    need(len(cards) <= len(DECK), part, f"the game has {len(DECK)} cards")
    for card in cards:
        need(card in CARD_NAMES, part, f"{card!r} is no card")


def _require_seats(seats: tuple[Seat, ...], state: State, part: str) -> None:
    need(len(set(seats)) == len(seats), part, "a seat is named twice")
    for seat in seats:
        _require_number(seat, part, 0, state.seats - 1)


def _table(state: State) -> None:
    try:
        check_options(state.seats, state.options)
    except Rejected as rejected:
        raise InvalidPosition(f"seats: {rejected.detail}") from None
    for name in _BY_SEAT:
        need(
            len(getattr(state, name)) == state.seats,
            name,
            f"one value for each of {state.seats} seats is needed",
        )
    _require_number(state.lead_seat, "lead_seat", 0, state.seats - 1)
    for name in ("turn", "fate_round", "event_index", "italian_pending"):
        _require_number(getattr(state, name), name)
    for name in ("treasury", "offers_made", "discards_due"):
        for value in getattr(state, name):
            _require_number(value, name)
    for name in ("fate_order", "fate_in"):
        _require_seats(getattr(state, name), state, name)
    most = {"event_order": len(DECK) + state.seats, "offers": state.seats**2}
    for name, count in most.items():
        need(len(getattr(state, name)) <= count, name, f"at most {count}")
    need(
        all(len(entries) <= len(DECK) for entries in state.known), "known", f"the game has {len(DECK)} cards"
    )


def _phase(state: State) -> None:
    need(state.phase in _STEPS, "phase", f"{state.phase} is automatic; a position stands before a decision")
    steps = _STEPS[state.phase]
    need(state.step in steps, "step", f"in the phase {state.phase} it is one of {list(steps)}")


def _empires(state: State) -> None:
    """Any empires will do, whatever the table may choose from: so one seat's can be changed alone."""
    chosen = [empire for empire in state.empire if empire is not None]
    for empire in chosen:
        need(empire in EMPIRES, "empire", f"{empire!r} is none of {list(EMPIRES)}")
    if state.phase != "setup":
        need(len(chosen) == state.seats, "empire", "every seat has one after the set-up")


def _cards(state: State) -> None:
    _require_cards(state.deck, "deck")
    _require_cards(state.discard_pile, "discard_pile")
    for hand in state.hand:
        _require_cards(hand, "hand")
    for cards in state.in_play:
        _require_cards(cards, "in_play")
        need(not set(cards) & set(EVENTS), "in_play", "Event cards cannot be in play")
        need(len(set(cards)) == len(cards), "in_play", "a card is named twice")


def _fate(state: State) -> None:
    answered = {seat for seat, answer in enumerate(state.fate_answers) if answer is not None}
    if state.step == "fate_extra":
        need(set(state.fate_in) <= set(state.fate_order), "fate_order", "all seats of fate_in are needed")
        need(answered <= set(state.fate_in), "fate_answers", "only seats of fate_in answer")
    else:
        need(not answered, "fate_answers", "there are none outside the step fate_extra")


def _event(state: State) -> None:
    again = state.options.event_turns == "one_card"
    past = state.event_order[: state.event_index] if again else ()
    for seat in past:
        _require_number(seat, "event_order", 0, state.seats - 1)
    _require_seats(state.event_order[len(past) :], state, "event_order")
    if state.phase == "event":
        _require_number(state.event_index, "event_index", 0, len(state.event_order) - 1)
    if state.step == "italian_discard":
        seat = state.event_order[state.event_index]
        _require_number(state.italian_pending, "italian_pending", 1, len(state.hand[seat]))
    else:
        need(not state.italian_pending, "italian_pending", "is 0 outside the step italian_discard")


def _build(state: State) -> None:
    for seat, plan in enumerate(state.build_plans):
        if plan is None:
            continue
        need(state.step == "build", "build_plans", "there are none outside the step build")
        _require_from_hand(state, seat, plan, "build_plans")
        need(not set(plan) & set(EVENTS), "build_plans", "Event cards cannot be built")
        empire = empire_of(state, seat)
        need(few_enough(state, empire, plan), "build_plans", f"seat {seat} pays for more than one card")
        cost = build_cost(empire, plan)
        need(cost <= state.treasury[seat], "build_plans", f"seat {seat} cannot pay {cost} Fortunes")


def _require_from_hand(state: State, seat: Seat, cards: Cards, part: str) -> None:
    need(holds(state.hand[seat], cards), part, f"seat {seat} does not hold all of these cards")


def _offers(state: State) -> None:
    need(state.step == "trading" or not state.offers, "offers", "there are none outside the step trading")
    _require_number(state.next_offer_id, "next_offer_id", 1)
    ids = [offer.offer_id for offer in state.offers]
    pairs = [(offer.from_, offer.to) for offer in state.offers]
    need(ids == sorted(set(ids)), "offers", "their numbers must rise")
    need(len(set(pairs)) == len(pairs), "offers", "one player has two open offers to another")
    for offer in state.offers:
        _offer(state, offer, f"offers: offer {offer.offer_id}")


def _offer(state: State, offer: Offer, part: str) -> None:
    _require_number(offer.offer_id, part, 1, state.next_offer_id - 1)
    _require_seats((offer.from_, offer.to), state, part)
    for side in (offer.give, offer.ask):
        _side(side, part)
    need(not (offer.give.fortunes and offer.ask.fortunes), part, "there are Fortunes on both sides")
    held = holds(state.hand[offer.from_], offer.give.hand_cards)
    need(held, part, "the offerer does not hold the hand cards of the offer")


def _side(side: Side, part: str) -> None:
    _require_number(side.fortunes, part)
    _require_cards((*side.hand_cards, *side.in_play_cards), part)
    need(len(set(side.in_play_cards)) == len(side.in_play_cards), part, "a card in play is named twice")
    need(bool(side.fortunes or side.hand_cards or side.in_play_cards), part, "a side is empty")


def _discards(state: State) -> None:
    limiting = state.step == "hand_limit"
    for seat, due in enumerate(state.discards_due):
        _require_number(due, "discards_due", 0, len(state.hand[seat]) if limiting else 0)
        choice = state.discard_choices[seat]
        if choice is not None:
            need(limiting and due > 0, "discard_choices", f"seat {seat} owes no discard")
            need(len(choice) == due, "discard_choices", f"seat {seat} owes {due} cards")
            _require_from_hand(state, seat, choice, "discard_choices")


def _check_known(state: State) -> None:
    for viewer, entries in enumerate(state.known):
        for entry in entries:
            _require_cards((entry.card,), "known")
            _require_seats(entry.seats, state, "known")
            need(bool(entry.seats) and viewer not in entry.seats, "known", "name one or more other seats")
            need(list(entry.seats) == sorted(entry.seats), "known", "name the seats in rising order")


def _result(state: State) -> None:
    result: Any = state.result
    need((state.phase == "ended") == (result is not None), "result", "stands in an ended game only")
    if result is not None:
        need(len(result.places) == state.seats, "result", f"{state.seats} places are needed")
        for place in result.places:
            _require_number(place, "result", 1, state.seats)
        first = tuple(seat for seat, place in enumerate(result.places) if place == 1)
        need(result.winners == first, "result", "the winners are the seats of place 1")


_CHECKS_OF_SHAPE: tuple[Callable[[State], None], ...] = (_table, _phase, _empires, _cards)
_CHECKS_OF_STEP: tuple[Callable[[State], None], ...] = (
    _fate,
    _event,
    _build,
    _offers,
    _discards,
    _check_known,
    _result,
)
