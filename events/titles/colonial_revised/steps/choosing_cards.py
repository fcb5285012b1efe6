"""Phase 7: everybody sets aside a card that he cannot play next turn (REV-055 to REV-057)."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import CARDS
from events.titles.colonial_revised.state import State


def played(state: State, seat: int) -> tuple[str, ...]:
    """The cards that the seat has played this turn."""
    cards = state.players[seat].cards
    return tuple(card for card, held in zip(CARDS, cards, strict=True) if held.status == "played")


def waiting(state: State) -> tuple[int, ...]:
    """Who has still to choose."""
    return tuple(
        seat
        for seat, player in enumerate(state.players)
        if player.set_aside_choice is None and played(state, seat)
    )


def set_aside_card(draft: Draft[State], seat: int, command: c.SetAsideCard, chance: Chance) -> None:
    """One of the cards played this turn, in secret until all have chosen."""
    if command.card_id not in played(draft.state, seat):
        raise Rejected("card_not_played_this_turn", "Set aside one of the cards that you played this turn.")
    draft.emit(f.CardSetAside(seat=seat, card_id=command.card_id))


def reveal(draft: Draft[State]) -> None:
    """All choices are shown together (REV-057)."""
    cards = tuple(
        f.SeatCard(seat, player.set_aside_choice)
        for seat, player in enumerate(draft.state.players)
        if player.set_aside_choice is not None
    )
    draft.emit(f.SetAsideCardsRevealed(card_by_player=cards))
