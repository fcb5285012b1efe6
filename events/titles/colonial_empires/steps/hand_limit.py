"""The hand limit at the end of the Trade Phase: sealed discards, revealed together."""

from __future__ import annotations

from events.chance import Chance
from events.fact import Seat
from events.steps import Rejected
from events.titles.colonial_empires.checks import (
    Drafting,
    already_answered,
    not_awaited,
    require_cards,
    require_in_hand,
    require_step,
)
from events.titles.colonial_empires.commands import DiscardExcess
from events.titles.colonial_empires.derived import empire_of
from events.titles.colonial_empires.facts import CardsDiscarded, ExcessDiscardSubmitted, HandLimitChecked
from events.titles.colonial_empires.state import State


def begin(draft: Drafting) -> bool:
    """Who holds too many cards; True if nobody does (CEM-717 to CEM-719)."""
    due = {seat: excess(draft.state, seat) for seat in range(draft.state.seats)}
    due = {seat: number for seat, number in due.items() if number > 0}
    draft.emit(HandLimitChecked(due))
    return not due


def excess(state: State, seat: Seat) -> int:
    """How many cards a seat holds above its limit; negative below it."""
    return len(state.hand[seat]) - empire_of(state, seat).hand_limit


def discard_excess(draft: Drafting, seat: Seat, command: DiscardExcess, chance: Chance) -> bool:
    """Exactly the excess, cards of the player's choice (CEM-717)."""
    state = draft.state
    require_step(state, "hand_limit")
    if not state.discards_due[seat]:
        raise not_awaited("Your hand is within its limit: nothing is to be discarded.")
    if state.discard_choices[seat] is not None:
        raise already_answered()
    require_cards(command.cards)
    if len(command.cards) != state.discards_due[seat]:
        raise Rejected("wrong_discard_count", f"Discard exactly {state.discards_due[seat]} cards.")
    require_in_hand(state, seat, command.cards)
    draft.emit(ExcessDiscardSubmitted(seat, command.cards))
    return _reveal_when_all_are_in(draft)


def _reveal_when_all_are_in(draft: Drafting) -> bool:
    choices = draft.state.discard_choices
    if any(due and choice is None for due, choice in zip(draft.state.discards_due, choices, strict=True)):
        return False
    for seat, cards in enumerate(choices):
        if cards is not None:
            draft.emit(CardsDiscarded(seat, "hand_limit", cards))
    return True
