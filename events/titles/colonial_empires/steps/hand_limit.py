"""The hand limit at the end of the Trade Phase: sealed discards, revealed together."""

from __future__ import annotations

from events.rules.fact import Seat
from events.rules.steps import Draft, Move, Step
from events.titles.colonial_empires.checks import require_discard
from events.titles.colonial_empires.commands import DiscardExcess
from events.titles.colonial_empires.derived import empire_of
from events.titles.colonial_empires.facts import CardsDiscarded, ExcessDiscardSubmitted, HandLimitChecked
from events.titles.colonial_empires.picks import random_cards
from events.titles.colonial_empires.state import State
from events.titles.colonial_empires.steps.discards import (
    discard_label,
    is_listed_whole,
    last_cards,
    list_discards,
)


def begin(draft: Draft[State]) -> None:
    """Record the seats that hold too many cards (CEM-717 to CEM-719)."""
    due = {seat: excess(draft.state, seat) for seat in range(draft.state.seats)}
    draft.emit(HandLimitChecked({seat: number for seat, number in due.items() if number > 0}))


def excess(state: State, seat: Seat) -> int:
    """Return the number of cards a seat holds above its limit; negative below it."""
    return len(state.hand[seat]) - empire_of(state, seat).hand_limit


def _list_asked(state: State) -> list[Seat]:
    """Return the seats that owe a discard and have not chosen it."""
    choices = state.discard_choices
    return [seat for seat, due in enumerate(state.discards_due) if due and choices[seat] is None]


def _discard(draft: Draft[State], seat: Seat, command: DiscardExcess) -> None:
    """Seal the player's choice of exactly the excess; with the last one all are revealed (CEM-717)."""
    require_discard(draft.state, seat, command.cards, draft.state.discards_due[seat])
    draft.emit(ExcessDiscardSubmitted(seat, command.cards))
    if not _list_asked(draft.state):
        _reveal(draft)


def _reveal(draft: Draft[State]) -> None:
    for seat, cards in enumerate(draft.state.discard_choices):
        if cards is not None:
            draft.emit(CardsDiscarded(seat, "hand_limit", cards))


HAND_LIMIT = Step[State](
    kind="hand_limit",
    asked=_list_asked,
    covered=lambda state, seat: state.discard_choices[seat] is not None,
    moves=(
        Move(
            command=DiscardExcess,
            take=_discard,
            legal=lambda state, seat: map(
                DiscardExcess, list_discards(state.hand[seat], state.discards_due[seat])
            ),
            complete=lambda state, seat: is_listed_whole(state.hand[seat], state.discards_due[seat]),
            label=lambda _state, _seat, command: discard_label(command.cards),
        ),
    ),
    default=lambda state, seat: DiscardExcess(last_cards(state.hand[seat], state.discards_due[seat])),
    sample=lambda state, seat, chance: DiscardExcess(
        random_cards(state.hand[seat], state.discards_due[seat], chance)
    ),
)
