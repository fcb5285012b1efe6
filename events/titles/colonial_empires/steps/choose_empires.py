"""ChooseEmpires: one empire each, clockwise from the lead seat; then Fortunes and starting hands."""

from __future__ import annotations

from events.chance import Chance
from events.fact import Seat
from events.steps import Rejected
from events.titles.colonial_empires.checks import Drafting, draw_cards, not_awaited, require_step
from events.titles.colonial_empires.commands import ChooseEmpire
from events.titles.colonial_empires.data import DECK, EMPIRES
from events.titles.colonial_empires.derived import choosing, empire_of
from events.titles.colonial_empires.facts import (
    DeckShuffled,
    EmpireChosen,
    FortunesGranted,
    StartingHandDealt,
)
from events.titles.colonial_empires.options import empires_allowed
from events.titles.colonial_empires.state import State


def free_empires(state: State) -> tuple[str, ...]:
    """The empires that may still be chosen, in the order of the rulebook (CEM-103)."""
    allowed = empires_allowed(state.options)
    return tuple(empire.key for empire in allowed if empire.key not in state.empire)


def choose_empire(draft: Drafting, seat: Seat, command: ChooseEmpire, chance: Chance) -> bool:
    """The next seat chooses (CEM-103 to CEM-106); after the last one the cards are dealt."""
    state = draft.state
    require_step(state, "choose_empires")
    if seat != choosing(state):
        raise not_awaited("Empires are chosen clockwise from the lead seat: wait for your turn.")
    if command.empire not in EMPIRES:
        raise Rejected("unknown_empire", f"There is no such empire: choose one of {', '.join(EMPIRES)}.")
    if command.empire in state.empire:
        raise Rejected("empire_taken", "Another player has this empire: choose a free one.")
    if command.empire not in free_empires(state):
        raise Rejected(
            "empire_not_available", "This game is played with the five basic empires: choose one of them."
        )
    draft.emit(EmpireChosen(seat, command.empire))
    if choosing(draft.state) is not None:
        return False
    _deal(draft, chance)
    return True


def _deal(draft: Drafting, chance: Chance) -> None:
    """Deck, Fortunes and starting hands, in seat order (CEM-108 to CEM-110)."""
    draft.emit(DeckShuffled(len(DECK)))
    seats = range(draft.state.seats)
    for seat in seats:
        draft.emit(FortunesGranted(seat, empire_of(draft.state, seat).start_fortunes))
    for seat in seats:
        cards = draw_cards(draft.state, chance, empire_of(draft.state, seat).start_cards)
        draft.emit(StartingHandDealt(seat, len(cards), cards, len(draft.state.deck) - len(cards)))
