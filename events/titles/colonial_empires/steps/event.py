"""The Event Phase: one event turn each; the Italian power."""

from __future__ import annotations

from events.chance import Chance
from events.fact import Seat
from events.steps import Rejected
from events.titles.colonial_empires.checks import (
    Drafting,
    draw_cards,
    not_awaited,
    note_empty_deck,
    require_cards,
    require_in_hand,
)
from events.titles.colonial_empires.commands import DiscardForItalianPower, EndEventTurn, UseItalianPower
from events.titles.colonial_empires.derived import current, empire_of, least_first
from events.titles.colonial_empires.facts import (
    CardsDiscarded,
    CardsDrawn,
    EventOrderSet,
    EventTurnEnded,
    EventTurnStarted,
    ItalianDiscardRequired,
)
from events.titles.colonial_empires.state import State


def begin(draft: Drafting, chance: Chance) -> bool:
    """The order is fixed for the whole phase, and the first event turn begins (CEM-502, CEM-505)."""
    draft.emit(EventOrderSet(order(draft.state)))
    return _next_turn(draft)


def order(state: State) -> tuple[Seat, ...]:
    """The Austrian, then least first (CEM-502 to CEM-504)."""
    seats = range(state.seats)
    ahead = tuple(seat for seat in seats if empire_of(state, seat).first_in_event_phase)
    return ahead + least_first(state, (seat for seat in seats if seat not in ahead))


def _next_turn(draft: Drafting) -> bool:
    """The next event turn that is not passed over; True if there is none (CEM-527, CEM-528)."""
    while draft.state.event_index < len(draft.state.event_order):
        seat = draft.state.event_order[draft.state.event_index]
        passed = _passed_over(draft.state, seat)
        draft.emit(EventTurnStarted(seat, passed))
        if not passed:
            return False
        draft.emit(EventTurnEnded(seat, automatic=True))
    return True


def _passed_over(state: State, seat: Seat) -> bool:
    """An empty hand, unless the Italian power could fill it (CEM-527): public facts only."""
    return not state.hand[seat] and not may_sift(state, seat)


def may_sift(state: State, seat: Seat) -> bool:
    """Whether the seat can use the Italian power in its event turn now (CEM-524, CEM-525)."""
    return bool(empire_of(state, seat).sift and state.deck and not state.italian_used)


def require_event_turn(state: State, seat: Seat) -> None:
    """Only the seat whose event turn it is acts (CEM-506, CEM-507)."""
    if current(state) != seat:
        raise not_awaited("It is not your event turn: Event cards are played in it only.")


def require_no_discard(state: State) -> None:
    """The Italian discards at once (CEM-525)."""
    if state.italian_pending:
        raise Rejected(
            "italian_discard_pending", f"Discard {state.italian_pending} cards for the Italian power first."
        )


def end_event_turn(draft: Drafting, seat: Seat, command: EndEventTurn, chance: Chance) -> bool:
    """The event turn is over; the next in order begins his (CEM-506)."""
    require_event_turn(draft.state, seat)
    require_no_discard(draft.state)
    draft.emit(EventTurnEnded(seat, automatic=False))
    return _next_turn(draft)


def use_italian_power(draft: Drafting, seat: Seat, command: UseItalianPower, chance: Chance) -> bool:
    """Draw 2, and owe as many discards (CEM-524, CEM-525)."""
    state = draft.state
    require_event_turn(state, seat)
    sift = empire_of(state, seat).sift
    if not sift:
        raise Rejected(
            "no_such_power", "Only the Italian has this power: play an Event card or end your event turn."
        )
    require_no_discard(state)
    if state.italian_used:
        raise Rejected(
            "power_already_used", "The Italian power works once per Event Phase: wait for the next turn."
        )
    if not state.deck:
        raise Rejected("deck_empty", "The deck is empty: play an Event card or end your event turn.")
    cards = draw_cards(state, chance, sift)
    draft.emit(CardsDrawn(seat, "italian", len(cards), cards, len(state.deck) - len(cards)))
    note_empty_deck(draft)
    draft.emit(ItalianDiscardRequired(seat, len(cards)))
    return False


def discard_for_italian_power(
    draft: Drafting, seat: Seat, command: DiscardForItalianPower, chance: Chance
) -> bool:
    """Any cards of the whole hand, the drawn ones included (CEM-524)."""
    state = draft.state
    if current(state) != seat or not state.italian_pending:
        raise not_awaited("You owe no discard for the Italian power.")
    require_cards(command.cards)
    if len(command.cards) != state.italian_pending:
        raise Rejected("wrong_discard_count", f"Discard exactly {state.italian_pending} cards.")
    require_in_hand(state, seat, command.cards)
    draft.emit(CardsDiscarded(seat, "italian", command.cards))
    return False
