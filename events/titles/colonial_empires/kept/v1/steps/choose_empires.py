"""ChooseEmpires: one empire each, clockwise from the lead seat; then Fortunes and starting hands."""

from __future__ import annotations

from events.rules.fact import Seat
from events.titles.colonial_empires.kept.v1.kit.values import list_clockwise
from events.rules.steps import Draft, Move, Rejected, Step
from events.titles.colonial_empires.kept.v1.commands import ChooseEmpire
from events.titles.colonial_empires.kept.v1.data import DECK, EMPIRES
from events.titles.colonial_empires.kept.v1.derived import empire_of
from events.titles.colonial_empires.kept.v1.facts import (
    DeckShuffled,
    EmpireChosen,
    FortunesGranted,
    StartingHandDealt,
)
from events.titles.colonial_empires.kept.v1.options import empires_allowed
from events.titles.colonial_empires.kept.v1.state import State


def _find_choosing(state: State) -> list[Seat]:
    """Return the first seat without an empire, clockwise from the lead seat (CEM-106)."""
    return [seat for seat in list_clockwise(state.seats, state.lead_seat) if state.empire[seat] is None][:1]


def free_empires(state: State) -> tuple[str, ...]:
    """Return the empires that may still be chosen, in the order of the rulebook (CEM-103)."""
    allowed = empires_allowed(state.options)
    return tuple(empire.key for empire in allowed if empire.key not in state.empire)


def _choose(draft: Draft[State], seat: Seat, command: ChooseEmpire) -> None:
    """Choose the next seat's empire (CEM-103 to CEM-105); after the last one the cards are dealt."""
    state = draft.state
    if command.empire not in EMPIRES:
        raise Rejected("unknown_empire", f"There is no such empire: choose one of {', '.join(EMPIRES)}.")
    if command.empire in state.empire:
        raise Rejected("empire_taken", "Another player has this empire: choose a free one.")
    _require_allowed(state, command.empire)
    draft.emit(EmpireChosen(seat, command.empire))
    if not _find_choosing(draft.state):
        _deal(draft)


def _require_allowed(state: State, empire: str) -> None:
    """Raise Rejected unless the empire may be chosen: small games have the five basic ones (CEM-104)."""
    if empire not in free_empires(state):
        raise Rejected(
            "empire_not_available", "This game is played with the five basic empires: choose one of them."
        )


def _deal(draft: Draft[State]) -> None:
    """Set up the deck, then deal Fortunes and starting hands, in seat order (CEM-108 to CEM-110)."""
    draft.emit(DeckShuffled(len(DECK)))
    seats = range(draft.state.seats)
    for seat in seats:
        draft.emit(FortunesGranted(seat, empire_of(draft.state, seat).start_fortunes))
    for seat in seats:
        deck = draft.state.deck
        cards = draft.chance.deal(deck, empire_of(draft.state, seat).start_cards)
        draft.emit(StartingHandDealt(seat, len(cards), cards, len(deck) - len(cards)))


def _label(_state: State, _seat: Seat, command: ChooseEmpire) -> str:
    empire = EMPIRES[command.empire]
    return f"{empire.name}: {empire.power[:1].lower()}{empire.power[1:].rstrip('.')}"


CHOOSE_EMPIRES = Step[State](
    kind="choose_empires",
    asked=_find_choosing,
    moves=(
        Move(
            command=ChooseEmpire,
            take=_choose,
            legal=lambda state, _seat: map(ChooseEmpire, free_empires(state)),
            label=_label,
        ),
    ),
    default=lambda state, _seat: ChooseEmpire(free_empires(state)[0]),
    sample=lambda state, _seat, chance: ChooseEmpire(chance.pick(free_empires(state), hidden=True)),
)
