"""Playing a card for one of its two Characters (REV-022 to REV-025)."""

from __future__ import annotations

from events.steps import Draft, Rejected
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import CARD, CARDS, RULES
from events.titles.colonial_revised.state import AVAILABLE, State

CARD_OF = {character: card.id for card in RULES.cards for character in card.characters}
"""By Character."""


def available(state: State, seat: int) -> tuple[str, ...]:
    """The cards that the seat can still play this turn (REV-023)."""
    cards = state.players[seat].cards
    return tuple(card for card, held in zip(CARDS, cards, strict=True) if held == AVAILABLE)


def check_available(state: State, seat: int, card_id: str) -> None:
    """The card was neither played this turn nor set aside last turn (REV-023)."""
    if card_id not in available(state, seat):
        raise Rejected(
            "card_not_available",
            f"You have played {CARD[card_id].name} this turn, or set it aside last turn: use another card.",
        )


def play(draft: Draft[State], seat: int, character: str) -> None:
    """The card of a Character is played face up."""
    state = draft.state
    draft.emit(f.CardPlayed(seat, state.turn, state.round, CARD_OF[character], character))
