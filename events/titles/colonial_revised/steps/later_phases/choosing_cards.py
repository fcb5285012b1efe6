"""Phase 7: everybody sets aside a card that they cannot play next turn (REV-055 to REV-057)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.data import CARDS, MANDATORY
from events.titles.colonial_revised.offers import pick
from events.titles.colonial_revised.parts import SeatCard
from events.titles.colonial_revised.state import State


def list_played(state: State, seat: int) -> tuple[str, ...]:
    """The cards that the seat has played this turn."""
    cards = state.players[seat].cards
    return tuple(card for card, held in zip(CARDS, cards, strict=True) if held.status == "played")


def list_waiting(state: State) -> tuple[int, ...]:
    """Return the seats that have still to choose."""
    return tuple(
        seat
        for seat, player in enumerate(state.players)
        if player.set_aside_choice is None and list_played(state, seat)
    )


def set_aside_card(draft: Draft[State], seat: int, command: c.SetAsideCard) -> None:
    """One of the cards played this turn, in secret until all have chosen (REV-055 to REV-057)."""
    if command.card_id not in list_played(draft.state, seat):
        raise Rejected("card_not_played_this_turn", "Set aside one of the cards that you played this turn.")
    draft.emit(f.CardSetAside(seat=seat, card_id=command.card_id))


def reveal(draft: Draft[State]) -> None:
    """All choices are shown together (REV-057)."""
    cards = tuple(
        SeatCard(seat, player.set_aside_choice)
        for seat, player in enumerate(draft.state.players)
        if player.set_aside_choice is not None
    )
    draft.emit(f.SetAsideCardsRevealed(card_by_player=cards))


def _choose_mandatory_or_first(state: State, seat: int) -> Command:
    """Choose for an absent player: Sovereign/Rebel if they have played it."""
    mine = list_played(state, seat)
    return c.SetAsideCard(card_id=MANDATORY if MANDATORY in mine else mine[0])  # type: ignore[arg-type]


def _choices(state: State, seat: int) -> Iterator[c.SetAsideCard]:
    for card in list_played(state, seat):
        yield c.SetAsideCard(card)  # type: ignore[arg-type]


def _sample_choice(state: State, seat: int, chance: Chance) -> Command:
    return c.SetAsideCard(pick(chance, list_played(state, seat)))  # type: ignore[arg-type]


SET_ASIDE_CARD = Step(
    kind="set_aside_card",
    asked=list_waiting,
    covered=lambda state, seat: state.players[seat].set_aside_choice is not None,
    default=_choose_mandatory_or_first,
    sample=_sample_choice,
    moves=(
        Move(
            command=c.SetAsideCard,
            take=set_aside_card,
            legal=_choices,
            label=lambda _state, _seat, command: f"Set aside {w.card_name(command.card_id)}",
        ),
    ),
)
